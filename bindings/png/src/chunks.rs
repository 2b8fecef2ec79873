//! The chunks of a PNG. Everything is checked that libpng, which sharp uses, refuses, repairs or ignores.

use crate::Size;

pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Chunks that do not change the pixels that sharp gives: it does not apply gamma. Not here: `iCCP` and `eXIf`, which do; `zTXt`, whose
/// profiles cannot be seen without decompressing it; and whatever is rare.
const WITHOUT_EFFECT: [&[u8; 4]; 9] =
    [b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"bKGD", b"pHYs", b"tIME", b"tEXt", b"iTXt"];
/// ImageMagick keeps EXIF and color profiles in texts whose keywords begin like this.
const RAW_PROFILE: &[u8] = b"Raw profile";

/// The meaning of the pixels' samples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    Gray,
    Rgb,
    Palette,
    GrayAlpha,
    Rgba,
}

#[derive(Clone, Copy)]
struct Layout {
    color: Color,
    /// Bits of a sample.
    depth: u8,
}

/// What decides the pixels of a PNG that is not interlaced and has at most 8 bits per sample.
pub(crate) struct Parts<'a> {
    /// `IHDR`, `PLTE` and `tRNS`, as the file has them.
    pub(crate) head: Vec<&'a [u8]>,
    /// The zlib stream of the rows.
    pub(crate) stream: Vec<u8>,
    /// Bytes of all rows with their filter types.
    pub(crate) rows_bytes: usize,
}

struct Chunk<'a> {
    name: &'a [u8; 4],
    data: &'a [u8],
    /// Everything from the length to the checksum.
    bytes: &'a [u8],
}

/// Reads a PNG of this size. `None` if it is damaged or unusual.
pub(crate) fn read(file: &[u8], size: Size) -> Option<Parts<'_>> {
    let mut rest = file.strip_prefix(SIGNATURE)?;
    let header = next(&mut rest)?;
    let layout = layout_of(&header, size)?;
    let (mut head, mut palette_colors, mut has_transparency) = (vec![header.bytes], None, false);
    let mut chunk = next(&mut rest)?;
    while chunk.name != b"IDAT" {
        match chunk.name {
            b"PLTE" if layout.color == Color::Palette && palette_colors.is_none() => {
                palette_colors = Some(palette_length(chunk.data, layout)?);
                head.push(chunk.bytes);
            }
            b"tRNS" if !has_transparency && fits_transparency(chunk.data, layout, palette_colors) => {
                has_transparency = true;
                head.push(chunk.bytes);
            }
            _ => has_no_effect(&chunk).then_some(())?,
        }
        chunk = next(&mut rest)?;
    }
    if layout.color == Color::Palette && palette_colors.is_none() {
        return None;
    }
    let mut stream = Vec::with_capacity(rest.len());
    while chunk.name == b"IDAT" {
        stream.extend_from_slice(chunk.data);
        chunk = next(&mut rest)?;
    }
    while chunk.name != b"IEND" {
        has_no_effect(&chunk).then_some(())?;
        chunk = next(&mut rest)?;
    }
    let is_whole = chunk.data.is_empty() && rest.is_empty();
    is_whole.then_some(Parts { head, stream, rows_bytes: layout.rows_bytes(size) })
}

/// The next chunk. `None` if it is cut or its checksum is wrong.
fn next<'a>(rest: &mut &'a [u8]) -> Option<Chunk<'a>> {
    let length = u32::from_be_bytes(*rest.first_chunk()?) as usize;
    let (bytes, after) = rest.split_at_checked(length.checked_add(12)?)?;
    let (checked, checksum) = bytes[4..].split_last_chunk()?;
    if crc32fast::hash(checked) != u32::from_be_bytes(*checksum) {
        return None;
    }
    *rest = after;
    let (name, data) = checked.split_first_chunk()?;
    Some(Chunk { name, data, bytes })
}

fn layout_of(header: &Chunk, (width, height): Size) -> Option<Layout> {
    let &[w0, w1, w2, w3, h0, h1, h2, h3, depth, color, 0, 0, 0] = header.data else { return None };
    let size = [[w0, w1, w2, w3], [h0, h1, h2, h3]].map(u32::from_be_bytes);
    let color = match (color, depth) {
        (0, 1 | 2 | 4 | 8) => Color::Gray,
        (2, 8) => Color::Rgb,
        (3, 1 | 2 | 4 | 8) => Color::Palette,
        (4, 8) => Color::GrayAlpha,
        (6, 8) => Color::Rgba,
        _ => return None,
    };
    (header.name == b"IHDR" && size == [width, height]).then_some(Layout { color, depth })
}

impl Layout {
    fn rows_bytes(self, (width, height): Size) -> usize {
        let samples = match self.color {
            Color::Gray | Color::Palette => 1,
            Color::GrayAlpha => 2,
            Color::Rgb => 3,
            Color::Rgba => 4,
        };
        let row_bits = width as usize * samples * usize::from(self.depth);
        (1 + row_bits.div_ceil(8)) * height as usize
    }
}

fn palette_length(data: &[u8], layout: Layout) -> Option<usize> {
    let colors = data.len() / 3;
    let fits = data.len().is_multiple_of(3) && (1..=1 << layout.depth).contains(&colors);
    fits.then_some(colors)
}

/// Whether `tRNS` is what the standard allows. In a palette image, it stands after the palette.
fn fits_transparency(data: &[u8], layout: Layout, palette_colors: Option<usize>) -> bool {
    let (samples, _) = data.as_chunks();
    let are_in_range =
        samples.iter().all(|&sample| u32::from(u16::from_be_bytes(sample)) < 1 << layout.depth);
    match layout.color {
        Color::Gray => data.len() == 2 && are_in_range,
        Color::Rgb => data.len() == 6 && are_in_range,
        Color::Palette => palette_colors.is_some_and(|colors| (1..=colors).contains(&data.len())),
        Color::GrayAlpha | Color::Rgba => false,
    }
}

fn has_no_effect(chunk: &Chunk) -> bool {
    WITHOUT_EFFECT.contains(&chunk.name) && !chunk.data.starts_with(RAW_PROFILE)
}
