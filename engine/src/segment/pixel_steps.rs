//! Steps: the color differences between each pixel of a row and its left and upper neighbor.

use std::ops::Range;
use wide::{bytemuck, i16x8, i32x8, u8x16, u32x4};

use crate::algorithms::{CHUNK, EVEN_BYTES, quiet_chunks, set_bits};
use crate::raster::{Pixels, WORD, next_set_bit};

/// Stands for a neighbor that does not exist. Larger than any step.
pub(crate) const NO_STEP: u16 = u16::MAX;

/// The steps of one row: for each pixel, the sum of the absolute channel differences from its left and from its upper neighbor.
///
/// # Guarantees
/// `left` and `up` have whole chunks. Entries beyond the end of the row, and of pixels without such a neighbor, are [`NO_STEP`].
pub(crate) struct PixelSteps {
    pub left: Vec<u16>,
    pub up: Vec<u16>,
    /// One bit for each chunk that has a step other than 0.
    loud: Vec<u64>,
    chunks: usize,
}

/// The steps of the pixels of a chunk to their left, right and upper neighbors.
#[derive(Clone, Copy)]
pub(crate) struct ChunkSteps<'a> {
    pub left: &'a [u16; CHUNK],
    pub right: &'a [u16; CHUNK],
    pub up: &'a [u16; CHUNK],
}

impl PixelSteps {
    /// Makes the steps for rows of `width` pixels, before the first row.
    pub fn of_width(width: usize) -> Self {
        let chunks = width.div_ceil(CHUNK);
        // One more entry, for the pixel after the last chunk.
        let none = vec![NO_STEP; CHUNK * chunks + 1];
        PixelSteps { left: none.clone(), up: none, loud: vec![u64::MAX; chunks.div_ceil(WORD)], chunks }
    }

    /// Measures the next row. `above`: the row before it, `None` for the first.
    pub fn write(&mut self, row: &[[u8; 4]], above: Option<&[[u8; 4]]>) {
        for word in 0..self.loud.len() {
            let first = WORD * word;
            let existing = u64::MAX >> (WORD - (self.chunks - first).min(WORD));
            let quiet = above.map_or(0, |above| quiet_chunks(row, above, first));
            let was_loud = std::mem::replace(&mut self.loud[word], existing & !quiet);
            for chunk in set_bits(was_loud & quiet).map(|k| first + k) {
                clear(&mut self.left[CHUNK * chunk..]);
                clear(&mut self.up[CHUNK * chunk..]);
            }
            for chunk in set_bits(existing & !quiet).map(|k| first + k) {
                self.write_chunk(chunk, row, above);
            }
        }
    }

    fn write_chunk(&mut self, chunk: usize, row: &[[u8; 4]], above: Option<&[[u8; 4]]>) {
        let start = CHUNK * chunk;
        let end = (start + CHUNK).min(row.len());
        let first = start.max(1);
        write_steps(&row[first..end], &row[first - 1..], &mut self.left[first..end]);
        if let Some(above) = above {
            write_steps(&row[start..end], &above[start..], &mut self.up[start..end]);
        }
    }

    /// The chunks that have a step other than 0.
    pub fn loud_chunks(&self) -> impl Iterator<Item = usize> {
        (0..).step_by(WORD).zip(&self.loud).flat_map(|(first, &loud)| set_bits(loud).map(move |k| first + k))
    }

    /// Whether a chunk has a step other than 0.
    pub fn is_loud(&self, chunk: usize) -> bool {
        self.loud[chunk / WORD] >> (chunk % WORD) & 1 == 1
    }

    /// How many pixels from `start`, the first pixel of a chunk, on are in chunks without any step.
    pub fn quiet_from(&self, start: usize) -> usize {
        next_set_bit(&self.loud, start / CHUNK, 0).min(self.chunks) * CHUNK - start
    }

    /// The steps of a chunk.
    pub fn chunk(&self, chunk: usize) -> ChunkSteps<'_> {
        let start = CHUNK * chunk;
        let [left, right, up] = [&self.left[start..], &self.left[start + 1..], &self.up[start..]]
            .map(|steps| steps.first_chunk().unwrap_or(&[NO_STEP; CHUNK]));
        ChunkSteps { left, right, up }
    }
}

fn clear(steps: &mut [u16]) {
    if let Some(chunk) = steps.first_chunk_mut::<CHUNK>() {
        *chunk = [0; CHUNK];
    }
}

/// One bit for each step of a chunk that is within a range. Compares many at once, because branches would be mispredicted in photographs.
pub(crate) fn steps_within(range: &Range<u16>, steps: &[u16; CHUNK]) -> u32 {
    let [below, last] = [range.start as i16 - 1, range.end as i16 - 1].map(i16x8::splat);
    // A step is at most 1020, so it stays positive as `i16`.
    let eights: [i16x8; 2] = bytemuck::cast(*steps);
    let [low, high] = eights.map(|steps| (steps.simd_gt(below) & !steps.simd_gt(last)).to_bitmask());
    low | high << 8
}

/// The steps between the pixels of two chunks.
fn chunk_steps(here: &[[u8; 4]; CHUNK], there: &[[u8; 4]; CHUNK]) -> [u16; CHUNK] {
    let [here, there]: [[u8x16; CHUNK / 4]; 2] = [here, there].map(|&chunk| bytemuck::cast(chunk));
    let sums: [u32x4; CHUNK / 4] = std::array::from_fn(|k| {
        // One of the two is 0.
        let differences = here[k].saturating_sub(there[k]) | there[k].saturating_sub(here[k]);
        let quad: u32x4 = bytemuck::cast(differences);
        let pairs = (quad & u32x4::splat(EVEN_BYTES)) + (quad >> 8 & u32x4::splat(EVEN_BYTES));
        (pairs + (pairs >> 16)) & u32x4::splat(0xFFFF)
    });
    let eights: [i32x8; 2] = bytemuck::cast(sums);
    bytemuck::cast(eights.map(i16x8::from_i32x8_saturate))
}

/// Writes the steps between the pixels of two rows, as many as `steps` has entries.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
fn write_steps(here: &[[u8; 4]], there: &[[u8; 4]], steps: &mut [u16]) {
    let (chunks, rest) = steps.as_chunks_mut::<CHUNK>();
    let done = chunks.len() * CHUNK;
    for ((steps, here), there) in chunks.iter_mut().zip(here.as_chunks().0).zip(there.as_chunks().0) {
        *steps = chunk_steps(here, there);
    }
    for ((step, here), there) in rest.iter_mut().zip(&here[done..]).zip(&there[done..]) {
        *step = (0..4).map(|c| u16::from(here[c].abs_diff(there[c]))).sum();
    }
}

/// The steps of the pixels of a chunk to their right and to their lower neighbors. `first`: the first pixel of the row; `range`: the columns.
pub(crate) fn onward_steps(pixels: &Pixels, first: usize, range: Range<usize>) -> [[u16; CHUNK]; 2] {
    let (start, count) = (first + range.start, range.len());
    let here = &pixels.data[start..first + pixels.width];
    let mut steps = [[NO_STEP; CHUNK]; 2];
    let below = start + pixels.width;
    let below = pixels.data.get(below..below + count);
    for (steps, there) in steps.iter_mut().zip([&here[1..]].into_iter().chain(below)) {
        write_steps(here, there, &mut steps[..count.min(there.len())]);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up_channel_differences_within_chunks_and_beyond() {
        let here: Vec<[u8; 4]> = (0..2 * CHUNK as u8 + 3).map(|v| [v, 255, 0, 2 * v]).collect();
        let there = vec![[3, 0, 255, 4]; here.len()];
        let mut steps = vec![0; here.len()];
        write_steps(&here, &there, &mut steps);
        let expected: Vec<u16> =
            (0..here.len() as u16).map(|v| 510 + v.abs_diff(3) + (2 * v).abs_diff(4)).collect();
        assert_eq!(steps, expected);
    }
}
