//! Equal neighbors in a row, passed over many at a time: most pixels of drawn art lie inside runs of one color, and no
//! stage looks at those one by one.

use wide::{bytemuck, i8x16, i16x8, i32x8, u32x4};

/// So many entries are compared at once; a few vector instructions' worth.
pub(crate) const CHUNK: usize = 16;

/// Lanes of an `f32x4`: so many values are computed at once.
pub(crate) const F32_LANES: usize = 4;

/// Every second byte of a color: two channels at once, each with 16 bits of room.
pub(crate) const EVEN_BYTES: u32 = 0x00FF_00FF;

/// What is compared: a label or a color.
pub(crate) trait PixelWord: Copy + PartialEq {
    fn bits(self) -> u32;
}

impl PixelWord for u32 {
    fn bits(self) -> u32 {
        self
    }
}

#[cfg(test)]
impl PixelWord for u8 {
    fn bits(self) -> u32 {
        self.into()
    }
}

impl PixelWord for [u8; 4] {
    fn bits(self) -> u32 {
        u32::from_le_bytes(self)
    }
}

/// By fours: of comparisons one by one the compiler makes no vector instructions.
type ChunkLanes = [u32x4; CHUNK / 4];

fn fours<T: PixelWord>(chunk: &[T; CHUNK]) -> ChunkLanes {
    let fours = chunk.as_chunks::<4>().0;
    std::array::from_fn(|k| u32x4::new(fours[k].map(T::bits)))
}

/// A chunk of one value. Of an array that repeats it the compiler makes one store an entry.
pub(crate) fn splat_chunk(value: u32) -> [u32; CHUNK] {
    bytemuck::cast([u32x4::splat(value); CHUNK / 4])
}

/// The bits in which two chunks differ, put together.
fn difference(a: ChunkLanes, b: ChunkLanes) -> u32x4 {
    (0..a.len()).fold(u32x4::ZERO, |all, k| all | (a[k] ^ b[k]))
}

fn is_zero(bits: u32x4) -> bool {
    bits.simd_eq(u32x4::ZERO).all()
}

/// Whether a chunk is of one value.
pub(crate) fn is_uniform<T: PixelWord>(chunk: &[T; CHUNK], value: T) -> bool {
    is_zero(difference(fours(chunk), [u32x4::splat(value.bits()); CHUNK / 4]))
}

/// Whether three chunks are equal.
fn are_equal<T: PixelWord>(a: &[T; CHUNK], b: &[T; CHUNK], c: &[T; CHUNK]) -> bool {
    let a = fours(a);
    is_zero(difference(a, fours(b)) | difference(a, fours(c)))
}

/// Whether all colors are opaque, and whether all are transparent.
pub(crate) fn are_opaque_or_transparent(chunk: &[[u8; 4]; CHUNK]) -> [bool; 2] {
    let alphas = u32x4::splat(u32::from_le_bytes([0, 0, 0, 255]));
    let [a, b, c, d] = fours(chunk);
    [is_zero(!(a & b & c & d) & alphas), is_zero((a | b | c | d) & alphas)]
}

/// The places within the first chunk where two slices differ, a bit for each; as far as both go.
pub(crate) fn differing_bits<T: PixelWord>(a: &[T], b: &[T]) -> u32 {
    match (a.first_chunk::<CHUNK>(), b.first_chunk::<CHUNK>()) {
        (Some(a), Some(b)) => differing_in_chunk(a, b),
        _ => (0..CHUNK).zip(a.iter().zip(b)).fold(0, |bits, (k, (a, b))| bits | u32::from(a != b) << k),
    }
}

/// The same for whole chunks.
pub(crate) fn differing_in_chunk<T: PixelWord>(a: &[T; CHUNK], b: &[T; CHUNK]) -> u32 {
    let (a, b) = (fours(a), fours(b));
    let equal: ChunkLanes = std::array::from_fn(|k| a[k].simd_eq(b[k]));
    let eights: [i32x8; 2] = bytemuck::cast(equal);
    let sixteen = bytemuck::cast(eights.map(i16x8::from_i32x8_saturate));
    !i8x16::from_i16x16_saturate(sixteen).to_bitmask() & 0xFFFF
}

/// The top bit of each entry.
pub(crate) fn top_bits(chunk: &[u32; CHUNK]) -> u32 {
    let fours = fours(chunk).map(u32x4::to_bitmask);
    fours[0] | fours[1] << 4 | fours[2] << 8 | fours[3] << 12
}

/// The places of the bits that are set, from the lowest.
pub(crate) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < u64::BITS as usize).then_some(place)
    })
}

/// Where the run of equal values that begins at `start` ends.
pub(crate) fn run_end<T: PixelWord>(row: &[T], start: usize) -> usize {
    let value = row[start];
    let mut end = start + 1;
    // In photographs nearly all runs end here.
    if end == row.len() || row[end] != value {
        return end;
    }
    end += CHUNK * row[end..].as_chunks().0.iter().take_while(|chunk| is_uniform(chunk, value)).count();
    while end < row.len() && row[end] == value {
        end += 1;
    }
    end
}

/// Which whole chunks of a row, from the `first` on, are like the pixels on their left and above them, a bit for each. The row's first
/// has none on its left.
pub(crate) fn quiet_chunks<T: PixelWord>(row: &[T], above: &[T], first: usize) -> u64 {
    let skipped = usize::from(first == 0);
    let start = CHUNK * (first + skipped);
    let [here, left, above] = [(row, start), (row, start - 1), (above, start)]
        .map(|(row, start)| row.get(start..).unwrap_or_default().as_chunks().0);
    let chunks = here.iter().zip(left).zip(above);
    let bits = (skipped..u64::BITS as usize).zip(chunks);
    bits.fold(0, |bits, (k, ((here, left), above))| bits | u64::from(are_equal(here, left, above)) << k)
}

/// Whether anything changes within the first chunk; at a row's end it is taken to.
pub(crate) fn has_change<T: PixelWord>(row: &[T], below: &[T]) -> bool {
    let chunks = (row.first_chunk::<CHUNK>(), row[1..].first_chunk::<CHUNK>(), below.first_chunk::<CHUNK>());
    let (Some(here), Some(next), Some(below)) = chunks else { return true };
    !are_equal(here, next, below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_where_values_change_and_at_the_end_of_the_row() {
        for length in 1..3 * CHUNK {
            let mut row = vec![7u32; length];
            assert_eq!(run_end(&row, length / 3), length);
            row.extend([8; CHUNK]);
            assert_eq!(run_end(&row, length / 3), length);
        }
    }

    #[test]
    fn differences_are_told_as_far_as_both_go() {
        for length in 0..2 * CHUNK {
            let row = vec![1u8; length];
            for place in 0..length {
                let mut other = row.clone();
                other[place] = 2;
                let expected = if place < CHUNK { 1 << place } else { 0 };
                assert_eq!(differing_bits(&row, &other), expected);
                assert_eq!(differing_bits(&row, &other[..place]), 0);
            }
        }
    }
}
