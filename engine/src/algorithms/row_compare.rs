//! Compares rows of labels or colors, 16 entries at a time, and iterates over the resulting bits.
//!
//! Most pixels of drawn art lie inside runs of one color. The stages pass over these runs with the functions of this file instead of
//! visiting each pixel. The comparisons use the vectors of the crate `wide`, because the compiler makes no vector instructions of
//! comparisons one by one, and because the result must be the same on every target.

use wide::bytemuck::{self, NoUninit};
use wide::{i8x16, i16x8, i32x8, u32x4};

/// Entries compared at once.
pub(crate) const CHUNK: usize = 16;

/// Lanes of an `f32x4`.
pub(crate) const F32_LANES: usize = 4;

/// Selects every second byte of a color, so that two channels can be added at once with 16 bits for each.
pub(crate) const EVEN_BYTES: u32 = 0x00FF_00FF;

/// An entry of a row: a label or a color.
pub(crate) trait PixelWord: Copy + PartialEq + NoUninit {
    /// The bits of a chunk. Each reads memory as vectors: the compiler would not.
    fn words(chunk: &[Self; CHUNK]) -> [u32; CHUNK];
}

impl PixelWord for u32 {
    fn words(chunk: &[u32; CHUNK]) -> [u32; CHUNK] {
        *chunk
    }
}

impl PixelWord for [u8; 4] {
    fn words(chunk: &[[u8; 4]; CHUNK]) -> [u32; CHUNK] {
        bytemuck::cast::<_, [u32; CHUNK]>(*chunk).map(u32::from_le)
    }
}

/// A chunk as vectors.
type ChunkLanes = [u32x4; CHUNK / 4];

fn to_lanes<T: PixelWord>(chunk: &[T; CHUNK]) -> ChunkLanes {
    bytemuck::cast(T::words(chunk))
}

/// A chunk of one value. The compiler would fill a plain array with one store per entry.
pub(crate) fn splat_chunk(value: u32) -> [u32; CHUNK] {
    bytemuck::cast([u32x4::splat(value); CHUNK / 4])
}

/// Writes a value to all entries of a row, in steps of vectors, which the compiler would not make.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(crate) fn fill(row: &mut [u32], value: u32) {
    let (chunks, rest) = row.as_chunks_mut();
    chunks.fill(splat_chunk(value));
    if chunks.is_empty() {
        rest.fill(value);
    } else if let Some(last) = row.last_chunk_mut() {
        *last = splat_chunk(value);
    }
}

/// The bits in which any two entries of two chunks differ.
fn difference(a: ChunkLanes, b: ChunkLanes) -> u32x4 {
    (0..a.len()).fold(u32x4::ZERO, |all, k| all | (a[k] ^ b[k]))
}

fn is_zero(bits: u32x4) -> bool {
    bits.simd_eq(u32x4::ZERO).all()
}

/// Whether all entries of a chunk have this value.
pub(crate) fn is_uniform<T: PixelWord>(chunk: &[T; CHUNK], value: T) -> bool {
    is_zero(difference(to_lanes(chunk), to_lanes(&[value; CHUNK])))
}

/// Whether all entries of two chunks have these values.
pub(crate) fn are_all<A: PixelWord, B: PixelWord>(
    (entries, others): (&[A; CHUNK], &[B; CHUNK]),
    (value, other): (A, B),
) -> bool {
    let entries = difference(to_lanes(entries), to_lanes(&[value; CHUNK]));
    is_zero(entries | difference(to_lanes(others), to_lanes(&[other; CHUNK])))
}

/// One bit for each position where two chunks do not both have these values.
pub(crate) fn other_bits<A: PixelWord, B: PixelWord>(
    (entries, others): (&[A; CHUNK], &[B; CHUNK]),
    (value, other): (A, B),
) -> u32 {
    let [entries, values] = [to_lanes(entries), to_lanes(&[value; CHUNK])];
    let [others, theirs] = [to_lanes(others), to_lanes(&[other; CHUNK])];
    unset_bits(std::array::from_fn(|k| entries[k].simd_eq(values[k]) & others[k].simd_eq(theirs[k])))
}

/// Whether three chunks are equal.
pub(crate) fn are_equal<T: PixelWord>(a: &[T; CHUNK], b: &[T; CHUNK], c: &[T; CHUNK]) -> bool {
    let a = to_lanes(a);
    is_zero(difference(a, to_lanes(b)) | difference(a, to_lanes(c)))
}

/// Whether all colors of a chunk are opaque, and whether all are fully transparent.
pub(crate) fn are_opaque_or_transparent(chunk: &[[u8; 4]; CHUNK]) -> [bool; 2] {
    let alphas = u32x4::splat(u32::from_le_bytes([0, 0, 0, 255]));
    let [a, b, c, d] = to_lanes(chunk);
    [is_zero(!(a & b & c & d) & alphas), is_zero((a | b | c | d) & alphas)]
}

/// One bit for each position in the first chunk where two slices differ. Positions that only one of them has are 0.
pub(crate) fn differing_bits<T: PixelWord>(a: &[T], b: &[T]) -> u32 {
    differing_colors(bytemuck::cast_slice(a), bytemuck::cast_slice(b))
}

/// The same for entries of one type, so that it is compiled once.
#[inline(never)]
fn differing_colors(a: &[[u8; 4]], b: &[[u8; 4]]) -> u32 {
    let (Some(a), Some(b)) = (a.first_chunk::<CHUNK>(), b.first_chunk::<CHUNK>()) else {
        let pairs = a.iter().zip(b).take(CHUNK);
        return (0..).zip(pairs).fold(0, |bits, (k, (a, b))| bits | u32::from(a != b) << k);
    };
    let (a, b) = (to_lanes(a), to_lanes(b));
    unset_bits(std::array::from_fn(|k| a[k].simd_eq(b[k])))
}

/// One bit for each entry of which no bit is set; the others have all bits set.
fn unset_bits(equal: ChunkLanes) -> u32 {
    let eights: [i32x8; 2] = bytemuck::cast(equal);
    let sixteen = bytemuck::cast(eights.map(i16x8::from_i32x8_saturate));
    !i8x16::from_i16x16_saturate(sixteen).to_bitmask() & 0xFFFF
}

/// The top bit of each entry, as one bit each.
pub(crate) fn top_bits(chunk: &[u32; CHUNK]) -> u32 {
    let fours = to_lanes(chunk).map(u32x4::to_bitmask);
    fours[0] | fours[1] << 4 | fours[2] << 8 | fours[3] << 12
}

/// The positions of the bits that are set, lowest first.
pub(crate) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (position < u64::BITS as usize).then_some(position)
    })
}

/// The end of the run of equal values that begins at `start`.
pub(crate) fn run_end<T: PixelWord>(row: &[T], start: usize) -> usize {
    let end = start + 1;
    // In photographs nearly all runs end here.
    if end == row.len() || row[end] != row[start] {
        return end;
    }
    run_of_colors_end(bytemuck::cast_slice(row), end)
}

/// The same for entries of one type, so that it is compiled once, after the first entry.
#[inline(never)]
fn run_of_colors_end(row: &[[u8; 4]], mut end: usize) -> usize {
    let value = row[end];
    end += CHUNK * row[end..].as_chunks().0.iter().take_while(|chunk| is_uniform(chunk, value)).count();
    while end < row.len() && row[end] == value {
        end += 1;
    }
    end
}

/// One bit for each whole chunk of a row, from chunk `first` on, in which every pixel equals its left and its upper neighbor. The first chunk
/// of a row is never one of them, because its first pixel has no left neighbor.
pub(crate) fn quiet_chunks<T: PixelWord>(row: &[T], above: &[T], first: usize) -> u64 {
    let skipped = usize::from(first == 0);
    let start = CHUNK * (first + skipped);
    let [here, left, above] = [(row, start), (row, start - 1), (above, start)]
        .map(|(row, start)| row.get(start..).unwrap_or_default().as_chunks().0);
    let chunks = here.iter().zip(left).zip(above);
    let bits = (skipped..u64::BITS as usize).zip(chunks);
    bits.fold(0, |bits, (k, ((here, left), above))| bits | u64::from(are_equal(here, left, above)) << k)
}

/// Whether a pixel of the first chunk differs from its right or its lower neighbor. Also true at the end of a row, if the chunk is not whole.
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
    fn differences_are_found_as_far_as_both_slices_go() {
        for length in 0..2 * CHUNK {
            let row = vec![1u32; length];
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
