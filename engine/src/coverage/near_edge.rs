//! Finds the pixels near edges, by bits.

use wide::u8x16;

use crate::algorithms::CHUNK;

/// The pixels that have both covered and bare ones among them and their eight neighbors, in row order. Pixels beyond the border are bare.
/// Handles 64 pixels of a row at once, as bits.
pub(crate) fn pixels_near_half(coverage: &[u8], width: usize) -> Vec<u32> {
    let words = width.div_ceil(64);
    let mut rows: [Vec<CoverageBits>; 3] = std::array::from_fn(|_| vec![CoverageBits::default(); words]);
    let mut bits = vec![0; words];
    let mut near = Vec::new();
    let mut read = |row: Option<&[u8]>, out: &mut [CoverageBits]| match row {
        Some(row) => write_row_bits(row, &mut bits, out),
        None => out.fill(CoverageBits::default()),
    };
    let mut following = coverage.chunks_exact(width);
    read(following.next(), &mut rows[1]);
    for y in 0..coverage.len() / width {
        let [above, here, below] = &mut rows;
        read(following.next(), below);
        for (word, ((above, here), below)) in above.iter().zip(here.iter()).zip(below.iter()).enumerate() {
            let first = y * width + word * 64;
            let mut mixed = (above.any | here.any | below.any) & !(above.all & here.all & below.all);
            if width - word * 64 < 64 {
                mixed &= (1 << (width - word * 64)) - 1;
            }
            while mixed != 0 {
                near.push((first + mixed.trailing_zeros() as usize) as u32);
                mixed &= mixed - 1;
            }
        }
        rows.rotate_left(1);
    }
    near
}

/// One bit for each of 64 pixels: whether any, and whether all, of the pixel and its two neighbors in the row are covered.
#[derive(Clone, Copy, Default)]
struct CoverageBits {
    any: u64,
    all: u64,
}

/// Writes the bits of a row.
fn write_row_bits(row: &[u8], bits: &mut [u64], out: &mut [CoverageBits]) {
    for (bits, pixels) in bits.iter_mut().zip(row.chunks(64)) {
        *bits = covered_bits(pixels);
    }
    let mut before = 0;
    for (word, out) in out.iter_mut().enumerate() {
        let (here, after) = (bits[word], bits.get(word + 1).unwrap_or(&0));
        let (left, right) = (here << 1 | before >> 63, here >> 1 | after << 63);
        *out = CoverageBits { any: left | here | right, all: left & here & right };
        before = here;
    }
}

/// One bit for each of up to 64 pixels that is covered by half or more.
fn covered_bits(pixels: &[u8]) -> u64 {
    let (blocks, rest) = pixels.as_chunks::<CHUNK>();
    let bits_of = |k: usize, block: [u8; CHUNK]| u64::from(u8x16::new(block).to_bitmask()) << (k * CHUNK);
    let bits = blocks.iter().enumerate().fold(0, |bits, (k, &block)| bits | bits_of(k, block));
    if rest.is_empty() {
        return bits;
    }
    bits | bits_of(blocks.len(), std::array::from_fn(|k| rest.get(k).copied().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pixels_beside_a_change_are_near() {
        let covered = |i: usize| (1..6).contains(&(i % 7)) && (1..6).contains(&(i / 7));
        let enclosed = |i: &u32| (2..5).contains(&(i % 7)) && (2..5).contains(&(i / 7));
        let coverage: Vec<u8> = (0..49).map(|i| if covered(i) { 255 } else { 0 }).collect();
        let beside: Vec<u32> = (0..49).filter(|i| !enclosed(i)).collect();
        assert_eq!(pixels_near_half(&coverage, 7), beside);
        assert_eq!(pixels_near_half(&[255; 9], 3), [0, 1, 2, 3, 5, 6, 7, 8], "the border is an edge");
    }
}
