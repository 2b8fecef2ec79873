use crate::pixels::Pixels;
use crate::runs::{CHUNK, changing};
use crate::watch::{Stopped, Watch};

/// What is done about a pair of pixels, in the units of [`Watch`]; so many are visited before it is asked.
pub(crate) const PAIR_UNITS: usize = 8;
const PAIRS_PER_LOOK: usize = 4096;

/// Neighboring pixels that differ a little, sorted by how much: the sum of their absolute channel differences.
pub(crate) struct Steps {
    /// To the pixel on the right, and to the one below.
    sides: [Sorted; 2],
    largest: u32,
}

/// Pixels sorted by their step, in row order where it is the same.
struct Sorted {
    /// Where the pixels of each step end.
    ends: Vec<u32>,
    pixels: Vec<u32>,
}

/// The steps of the pixels of a chunk; 0 where there is no neighbor.
type Chunk = [u32; CHUNK];

impl Steps {
    /// All steps but those larger than `largest`.
    pub fn new(pixels: &Pixels, largest: u32, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let mut counts = [0, 1].map(|_| vec![0u32; largest as usize + 1]);
        let chunks = changing_chunks(pixels, watch)?;
        for_each_chunk(pixels, &chunks, |_, steps| {
            for (counts, steps) in counts.iter_mut().zip(steps) {
                for_each_kept(&steps, largest, |_, step| counts[step] += 1);
            }
        });
        let mut sides = counts.map(Sorted::with_room);
        for_each_chunk(pixels, &chunks, |first, steps| {
            for (side, steps) in sides.iter_mut().zip(steps) {
                for_each_kept(&steps, largest, |k, step| side.put(step, first + k));
            }
        });
        Ok(Steps { sides, largest })
    }

    /// Visits the pairs of pixels, smallest step first, then in row order, to the right before down.
    pub fn for_each(
        &self,
        width: usize,
        watch: &mut Watch<'_>,
        mut visit: impl FnMut(usize, usize),
    ) -> Result<(), Stopped> {
        for step in 1..=self.largest as usize {
            let [right, down] = self.sides.each_ref().map(|side| side.of(step));
            let mut below = down.iter().map(|&i| i as usize).peekable();
            for pixels in right.chunks(PAIRS_PER_LOOK) {
                watch.advance(PAIR_UNITS * pixels.len())?;
                for &i in pixels {
                    let i = i as usize;
                    while let Some(j) = below.next_if(|&j| j < i) {
                        visit(j, j + width);
                    }
                    visit(i, i + 1);
                }
            }
            watch.advance(PAIR_UNITS * down.len())?;
            below.for_each(|j| visit(j, j + width));
        }
        Ok(())
    }
}

impl Sorted {
    fn with_room(mut counts: Vec<u32>) -> Self {
        let mut start = 0;
        for count in &mut counts {
            start += *count;
            *count = start - *count;
        }
        Sorted { ends: counts, pixels: vec![0; start as usize] }
    }

    fn put(&mut self, step: usize, pixel: u32) {
        let end = &mut self.ends[step];
        self.pixels[*end as usize] = pixel;
        *end += 1;
    }

    fn of(&self, step: usize) -> &[u32] {
        &self.pixels[self.ends[step - 1] as usize..self.ends[step] as usize]
    }
}

/// Visits the steps from 1 to `largest`. They are told many at a time, for in photographs none can be foretold.
fn for_each_kept(steps: &Chunk, largest: u32, mut visit: impl FnMut(u32, usize)) {
    let bit = |k: usize| if steps[k].wrapping_sub(1) < largest { 1u32 << k } else { 0 };
    let mut kept = (0..CHUNK).fold(0, |kept, k| kept | bit(k));
    while kept != 0 {
        let k = kept.trailing_zeros();
        visit(k, steps[k as usize] as usize);
        kept &= kept - 1;
    }
}

/// Where the chunks of rows begin that hold a pixel that differs from the one on its right or below.
fn changing_chunks(pixels: &Pixels, watch: &mut Watch<'_>) -> Result<Vec<u32>, Stopped> {
    let (width, data) = (pixels.width, &pixels.data);
    let mut starts = Vec::new();
    for first in (0..data.len()).step_by(width) {
        watch.advance(2 * width)?;
        let row = &data[first..first + width];
        let below = data.get(first + width..first + 2 * width).unwrap_or(row);
        starts.extend(changing(row, below).map(|range| (first + range.start) as u32));
    }
    Ok(starts)
}

/// Visits the steps of chunks: the first pixel's index, the steps to the right and those down.
fn for_each_chunk(pixels: &Pixels, starts: &[u32], mut visit: impl FnMut(u32, [Chunk; 2])) {
    let (width, data) = (pixels.width, &pixels.data);
    for &start in starts {
        let row_end = (start as usize / width + 1) * width;
        let row = &data[start as usize..row_end];
        let below = data.get(start as usize + width..row_end + width).unwrap_or(row);
        let down = Block { here: padded(row), there: padded(below) };
        let right = rightward(row);
        visit(start, [right, down.fresh_steps(&right)]);
    }
}

fn rightward(row: &[[u8; 4]]) -> Chunk {
    let mut there = padded(row);
    let next = &row[1..row.len().min(CHUNK + 1)];
    there[..next.len()].copy_from_slice(next);
    Block { here: padded(row), there }.steps()
}

/// The first chunk of a row; what is missing is black, and no step.
fn padded(row: &[[u8; 4]]) -> [[u8; 4]; CHUNK] {
    row.first_chunk().copied().unwrap_or_else(|| {
        let mut chunk = [[0; 4]; CHUNK];
        chunk[..row.len()].copy_from_slice(row);
        chunk
    })
}

/// Pixels, and the neighbor of each.
struct Block {
    here: [[u8; 4]; CHUNK],
    there: [[u8; 4]; CHUNK],
}

impl Block {
    fn steps(&self) -> Chunk {
        /// Every second byte.
        const EVEN: u32 = 0x00FF_00FF;
        let (here, there) = (self.here.as_flattened(), self.there.as_flattened());
        let mut differences = [0u8; 4 * CHUNK];
        for k in 0..4 * CHUNK {
            differences[k] = here[k].abs_diff(there[k]);
        }
        let quads = differences.as_chunks().0;
        std::array::from_fn(|k| {
            let quad = u32::from_le_bytes(quads[k]);
            let pairs = (quad & EVEN) + (quad >> 8 & EVEN);
            (pairs + (pairs >> 16)) & 0xFFFF
        })
    }

    /// As `steps`, but 0 where the neighbors on the left say the same and no step to the right comes between.
    fn fresh_steps(&self, right: &Chunk) -> Chunk {
        let mut steps = self.steps();
        for k in 1..CHUNK {
            let stale = (self.here[k] == self.here[k - 1]) & (self.there[k] == self.there[k - 1]);
            steps[k] = if stale & (right[k] == 0) { 0 } else { steps[k] };
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(width: usize, values: &[u8], largest: u32) -> Vec<(usize, usize)> {
        let data: Vec<[u8; 4]> = values.iter().map(|&v| [v, 0, 0, 255]).collect();
        let pixels = Pixels { width, height: data.len() / width, data };
        let mut found = Vec::new();
        let watch = &mut Watch::idle();
        let steps = Steps::new(&pixels, largest, watch).unwrap();
        steps.for_each(width, watch, |i, j| found.push((i, j))).unwrap();
        found
    }

    #[test]
    fn smaller_steps_come_first_and_large_ones_not_at_all() {
        assert_eq!(steps(3, &[1, 3, 4, 9, 2, 4], 4), [(1, 2), (1, 4), (0, 1), (4, 5)]);
    }

    #[test]
    fn steps_are_found_across_and_beside_chunks() {
        let values: Vec<u8> = (0..2 * CHUNK as u8 + 3).collect();
        let rightward: Vec<(usize, usize)> = (1..values.len()).map(|i| (i - 1, i)).collect();
        assert_eq!(steps(values.len(), &values, 9), rightward);
        let downward = rightward;
        assert_eq!(steps(1, &values, 9), downward);
    }
}
