use super::pixels::{Channel, Colors, Encoded, Palette};
use super::{CORRUPT, Problem, TRUNCATED, UNSUPPORTED};

/// Length of the file header. An info header follows, which starts with its own length.
const INFO_START: usize = 14;
/// Lengths of the info header, in bytes.
const OS2_V1: u32 = 12;
const WINDOWS: u32 = 40;
/// With masks of the channels.
const V2: u32 = 52;
/// With a mask of alpha.
const V3: u32 = 56;
const V4: u32 = 108;
const V5: u32 = 124;

/// Kinds of compression.
const NONE: u32 = 0;
const RUNS_OF_BYTES: u32 = 1;
const RUNS_OF_HALF_BYTES: u32 = 2;
/// In OS/2, where the number means Huffman coding, there are no masks.
const MASKS: u32 = 3;

/// The masks of red, green and blue where a file has none of its own.
const MASKS_OF_5_BITS: [u32; 3] = [0x7c00, 0x03e0, 0x001f];
const MASKS_OF_8_BITS: [u32; 3] = [0xff_0000, 0xff00, 0xff];

/// The fields of a BMP's two headers. OS/2 2.x has headers of 16 to 64 bytes that start like that of Windows; fields beyond the end of one
/// are 0.
pub(super) struct Header {
    pub width: u32,
    pub height: u32,
    is_top_down: bool,
    planes_and_bits: u32,
    compression: u32,
    /// Colors of the palette; 0 means all that its indices can name.
    colors: u32,
    pixels_start: u32,
    info_bytes: u32,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Problem> {
        if !bytes.starts_with(b"BM") {
            return Err(CORRUPT);
        }
        let at = |offset| u32_at(bytes, offset).ok_or(TRUNCATED);
        let (pixels_start, info_bytes) = (at(10)?, at(INFO_START)?);
        if info_bytes == OS2_V1 {
            let size = at(18)?;
            let (width, height) = (size & 0xffff, size >> 16);
            let plain = Self {
                width,
                height,
                is_top_down: false,
                compression: NONE,
                colors: 0,
                pixels_start,
                info_bytes,
                planes_and_bits: at(22)?,
            };
            return Ok(plain);
        }
        let field = |offset: u32| match offset + 4 <= info_bytes {
            true => at(INFO_START + offset as usize),
            false => Ok(0),
        };
        let height = field(8)?.cast_signed();
        Ok(Self {
            width: field(4)?,
            height: height.unsigned_abs(),
            is_top_down: height < 0,
            planes_and_bits: field(12)?,
            compression: field(16)?,
            colors: field(32)?,
            pixels_start,
            info_bytes,
        })
    }

    /// What is encoded, and how. Uncompressed pixels are all there.
    pub(super) fn encoded<'a>(&self, bytes: &'a [u8]) -> Result<Encoded<'a>, Problem> {
        let (planes, bits) = (self.planes_and_bits & 0xffff, self.planes_and_bits >> 16);
        if planes != 1 {
            return Err(CORRUPT);
        }
        let is_of_windows = matches!(self.info_bytes, WINDOWS | V2 | V3 | V4 | V5);
        let are_runs = match (self.compression, bits) {
            _ if !is_of_windows && !matches!(self.info_bytes, OS2_V1 | 16..=64) => return Err(UNSUPPORTED),
            (NONE, 1 | 2 | 4 | 8 | 16 | 24 | 32) => false,
            (RUNS_OF_BYTES, 8) | (RUNS_OF_HALF_BYTES, 4) => true,
            (MASKS, 16 | 32) if is_of_windows => false,
            _ => return Err(UNSUPPORTED),
        };
        let colors = match bits {
            1..=8 => Colors::Indexed(Box::new(self.palette(bytes, bits)?)),
            _ => Colors::Direct(self.channels(bytes, bits)?),
        };
        let data = bytes.get(self.pixels_start as usize..).ok_or(TRUNCATED)?;
        let row_bytes = (u64::from(bits) * u64::from(self.width)).div_ceil(32) * 4;
        if !are_runs && row_bytes * u64::from(self.height) > data.len() as u64 {
            return Err(TRUNCATED);
        }
        let (width, row_bytes) = (self.width as usize, row_bytes as usize);
        Ok(Encoded {
            data,
            bits: bits as usize,
            colors,
            are_runs,
            row_bytes,
            width,
            is_top_down: self.is_top_down,
        })
    }

    /// The colors that indices of so many bits name; those that the file lacks are black.
    fn palette(&self, bytes: &[u8], bits: u32) -> Result<Palette, Problem> {
        let color_bytes = if self.info_bytes == OS2_V1 { 3 } else { 4 };
        let most = 1 << bits;
        let count = if self.colors == 0 { most } else { most.min(self.colors as usize) };
        let start = INFO_START + self.info_bytes as usize;
        let given = bytes.get(start..start + count * color_bytes).ok_or(TRUNCATED)?;
        let mut palette = [[0, 0, 0, u8::MAX]; 256];
        for (color, bgr) in palette.iter_mut().zip(given.chunks_exact(color_bytes)) {
            *color = [bgr[2], bgr[1], bgr[0], u8::MAX];
        }
        Ok(palette)
    }

    fn channels(&self, bytes: &[u8], bits: u32) -> Result<[Channel; 4], Problem> {
        // Those of a header of 40 bytes follow it.
        let mask = |k: usize| u32_at(bytes, INFO_START + WINDOWS as usize + 4 * k).ok_or(TRUNCATED);
        let ([r, g, b], a) = match self.compression {
            MASKS => ([mask(0)?, mask(1)?, mask(2)?], if self.info_bytes >= V3 { mask(3)? } else { 0 }),
            _ if bits == 16 => (MASKS_OF_5_BITS, 0),
            _ => (MASKS_OF_8_BITS, 0),
        };
        if r == 0 || g == 0 || b == 0 {
            return Err(CORRUPT);
        }
        let channel = |mask| Channel::new(mask).ok_or(CORRUPT);
        Ok([channel(r)?, channel(g)?, channel(b)?, channel(a)?])
    }
}

// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}
