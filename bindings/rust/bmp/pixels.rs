use super::{Problem, TRUNCATED};

/// Straight-alpha RGBA.
type Pixel = [u8; 4];
pub(super) type Palette = [Pixel; 256];

/// How a pixel's bits become a color.
pub(super) enum Colors {
    Indexed(Box<Palette>),
    /// Red, green, blue, alpha.
    Direct([Channel; 4]),
}

/// The bits of one channel, of which the highest eight count.
pub(super) struct Channel {
    shift: u32,
    most: u32,
    /// The level is `factor` times the value, plus `base`, in shares of 1 / 2²⁴.
    factor: u32,
    base: u32,
}

const FRACTION_BITS: u32 = 24;

impl Channel {
    /// `None` if the bits of the mask are not beside each other. Without any, the level is the highest.
    #[inline(never)]
    pub(super) fn new(mask: u32) -> Option<Self> {
        let unused = mask.trailing_zeros() % u32::BITS;
        let ones = mask >> unused;
        let more_than_a_byte = ones.count_ones().saturating_sub(u8::BITS);
        let most = ones >> more_than_a_byte;
        let highest = u32::from(u8::MAX) << FRACTION_BITS;
        // Half a level is added, which rounds.
        let (factor, base) =
            highest.checked_div(most).map_or((0, highest), |factor| (factor, 1 << (FRACTION_BITS - 1)));
        (ones & ones.wrapping_add(1) == 0).then_some(Self {
            shift: unused + more_than_a_byte,
            most,
            factor,
            base,
        })
    }

    fn level(&self, word: u32) -> u8 {
        (((word >> self.shift & self.most) * self.factor + self.base) >> FRACTION_BITS) as u8
    }
}

/// The pixels of a file.
pub(super) struct Encoded<'a> {
    pub data: &'a [u8],
    /// Per pixel.
    pub bits: usize,
    pub colors: Colors,
    /// Of indices.
    pub are_runs: bool,
    /// Of a row that is not compressed.
    pub row_bytes: usize,
    pub width: usize,
    pub is_top_down: bool,
}

/// What follows a byte of 0 in place of a run; from 3 on, so many indices follow.
const END_OF_ROW: u8 = 0;
const END_OF_IMAGE: u8 = 1;
const MOVE: u8 = 2;

impl Encoded<'_> {
    /// Writes the pixels, top row first; leaves out those that the file leaves out.
    pub(super) fn decode(&self, image: &mut [Pixel]) -> Result<(), Problem> {
        if self.are_runs {
            return self.decode_runs(image);
        }
        for (y, source) in (0..image.len() / self.width).zip(self.data.chunks_exact(self.row_bytes)) {
            let row = self.row(image, y);
            match &self.colors {
                Colors::Indexed(palette) => write_indexed(row, source, self.bits, palette),
                Colors::Direct(channels) => write_direct(row, source, self.bits / 8, channels),
            }
        }
        Ok(())
    }

    /// The row of the image that is row `y` of the file.
    fn row<'a>(&self, image: &'a mut [Pixel], y: usize) -> &'a mut [Pixel] {
        let row = if self.is_top_down { y } else { image.len() / self.width - 1 - y };
        &mut image[row * self.width..][..self.width]
    }

    /// What runs beyond the end of its row is cut off: some programs write such runs.
    fn decode_runs(&self, image: &mut [Pixel]) -> Result<(), Problem> {
        let Colors::Indexed(palette) = &self.colors else { return Ok(()) };
        let (mut x, mut y) = (0, 0);
        let mut data = self.data;
        while y < image.len() / self.width {
            let ([count, value], rest) = data.split_first_chunk().ok_or(TRUNCATED)?;
            data = rest;
            let (count, source) = match (*count, *value) {
                (0, END_OF_ROW) => {
                    (x, y) = (0, y + 1);
                    continue;
                }
                (0, END_OF_IMAGE) => break,
                (0, MOVE) => {
                    let ([right, down], rest) = data.split_first_chunk().ok_or(TRUNCATED)?;
                    data = rest;
                    (x, y) = (x + usize::from(*right), y + usize::from(*down));
                    continue;
                }
                (0, count) => {
                    let bytes = (usize::from(count) * self.bits).div_ceil(8).next_multiple_of(2);
                    let (indices, rest) = data.split_at_checked(bytes).ok_or(TRUNCATED)?;
                    data = rest;
                    (count, indices)
                }
                (count, _) => (count, std::slice::from_ref(value)),
            };
            let end = x + usize::from(count);
            let row = self.row(image, y);
            let within = x.min(row.len())..end.min(row.len());
            write_indexed(&mut row[within], source, self.bits, palette);
            x = end;
        }
        Ok(())
    }
}

/// Indices of so many bits each, the highest bits of a byte first. The last byte is repeated.
#[inline(never)]
fn write_indexed(row: &mut [Pixel], source: &[u8], bits: usize, palette: &Palette) {
    let last = source.len() - 1;
    for (k, pixel) in row.iter_mut().enumerate() {
        let byte = source[(k * bits / 8).min(last)];
        *pixel = palette[usize::from(byte << (k * bits % 8) >> (8 - bits))];
    }
}

#[inline(never)]
fn write_direct(row: &mut [Pixel], source: &[u8], bytes: usize, channels: &[Channel; 4]) {
    for (pixel, source) in row.iter_mut().zip(source.chunks_exact(bytes)) {
        let word = source.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        *pixel = channels.each_ref().map(|channel| channel.level(word));
    }
}
