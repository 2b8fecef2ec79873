use crate::darkness::Darkness;
use crate::runs::CHUNK;
use crate::solve::{MARGIN, Quarters, solve};
use crate::watch::{Stopped, Watch};
use wide::{bytemuck, f32x4, u8x16};

/// Coverage of an ink, solved to half a pixel along its edges.
///
/// Every pixel near an edge has four samples at its quarter points. They begin as the interpolated coverage and are
/// corrected, a few times, by what the pixel that they stand for would be lacking: back-projection (Irani and Peleg,
/// "Improving resolution by image registration", 1991), with a soft step in place of the values themselves, so that
/// a stroke not much wider than half a pixel keeps its width.
pub(crate) struct Field {
    pub width: usize,
    pub height: usize,
    /// Coverage of each pixel, 0 to 255.
    pub coverage: Vec<u8>,
    /// The pixels near edges, in row order.
    pub near: Vec<u32>,
    /// One more than a pixel's index in `near`; 0 for those not near an edge.
    slots: Vec<u32>,
    /// For each of `near`: top left, top right, bottom left, bottom right.
    samples: Vec<Quarters>,
    /// Whether there are pixels between bare and covered, to tell where the edges lie.
    pub antialiased: bool,
}

impl Field {
    /// The darkness of a picture in binary mode; near an edge is what has both sides of one half in its neighborhood.
    pub fn of_darkness(darkness: Darkness, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let Darkness { width, data: mut coverage, .. } = darkness;
        stretch(&mut coverage, width);
        let near = pixels_near_half(&coverage, width);
        Field::solved(coverage, width, near, watch)
    }

    /// `near` are the pixels to be solved, in row order: all that are neither bare nor covered, and those around them.
    pub fn solved(
        coverage: Vec<u8>,
        width: usize,
        near: Vec<u32>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Stopped> {
        let height = coverage.len() / width;
        let antialiased = is_antialiased(&coverage, &near);
        // One plane serves the solver and then the slots: its numbers are not made others, but for those near.
        let mut slots = vec![0; coverage.len() + MARGIN];
        let plane = antialiased.then(|| bytemuck::cast_slice_mut(&mut slots));
        let samples = solve((&coverage, width), &near, plane, watch)?;
        watch.advance(coverage.len())?;
        slots.truncate(coverage.len());
        for (k, &pixel) in near.iter().enumerate() {
            slots[pixel as usize] = k as u32 + 1;
        }
        Ok(Field { width, height, coverage, near, slots, samples, antialiased })
    }

    /// Coverage of a pixel, 0 to 1.
    pub fn share(&self, pixel: usize) -> f32 {
        f32::from(self.coverage[pixel]) / 255.0
    }

    /// How much of a pixel near an edge the outlines will cover, 0 to 1, by its index in `near`.
    pub fn outlined_share(&self, slot: usize) -> f32 {
        /// Steep enough to be near to the outline itself.
        const HARD: f32 = 4.0;
        covered(&self.samples[slot], HARD)
    }

    /// Leaves a pixel bare.
    pub fn erase(&mut self, pixel: usize) {
        self.coverage[pixel] = 0;
        if let Some(slot) = self.slot(pixel) {
            self.samples[slot] = [0.0; 4];
        }
    }

    /// The pixel's index in `near`.
    pub fn slot(&self, pixel: usize) -> Option<usize> {
        (self.slots[pixel] as usize).checked_sub(1)
    }

    /// The samples of a pixel near an edge, by its index in `near`: top left, top right, bottom left, bottom right.
    pub fn samples(&self, slot: usize) -> &[f32; 4] {
        &self.samples[slot]
    }

    /// The pixel that a place of the lattice of samples is in, and which of its samples it is; none beyond the border.
    #[inline]
    pub fn pixel_at(&self, (x, y): (i32, i32)) -> Option<(usize, usize)> {
        // What is negative is beyond the other border, too, and rows beyond are beyond the last pixel.
        let (x, y) = (x as u32, y as u32);
        let column = (x / 2) as usize;
        let pixel = ((y / 2) as usize).wrapping_mul(self.width).wrapping_add(column);
        (column < self.width && pixel < self.slots.len()).then_some((pixel, (y % 2 * 2 + x % 2) as usize))
    }
}

/// How much of a pixel its samples cover, by a soft step about one half.
fn covered(samples: &Quarters, steepness: f32) -> f32 {
    let steps = (f32x4::new(*samples) - f32x4::HALF) * f32x4::splat(steepness) + f32x4::HALF;
    0.25 * steps.fast_max(f32x4::ZERO).fast_min(f32x4::ONE).to_array().iter().sum::<f32>()
}

/// From darkness to coverage: the paper's darkness covers nothing and the ink's everything, if most paper or ink is of one; one half
/// stays where it is.
fn stretch(levels: &mut [u8], width: usize) {
    let counts = histogram(levels, width);
    let bare = main_level(&counts[..128]).unwrap_or(0) as u8;
    let full = 128 + main_level(&counts[128..]).unwrap_or(127) as u8;
    if (bare, full) != (0, 255) {
        let coverage = coverage_by_level(f32::from(bare), f32::from(full));
        levels.iter_mut().for_each(|level| *level = coverage[*level as usize]);
    }
}

/// So many rows of a picture tell of its paper and ink as well as more.
const ENOUGH_ROWS: usize = 64;

/// How many pixels are of each level, in so many rows as tell. Paper and ink are counted many at a time, others in turns: one by one,
/// each pixel would wait for the count of the one before.
fn histogram(levels: &[u8], width: usize) -> [u32; 256] {
    const TURNS: usize = 4;
    let apart = (levels.len() / width / ENOUGH_ROWS).max(1);
    let mut counts = [[0u32; 256]; TURNS];
    for block in levels.chunks_exact(width).step_by(apart).flat_map(|row| row.chunks(CHUNK)) {
        match block.first_chunk() {
            Some(all) if is_uniform(all) => counts[0][all[0] as usize] += CHUNK as u32,
            _ => block.iter().enumerate().for_each(|(k, &level)| counts[k % TURNS][level as usize] += 1),
        }
    }
    std::array::from_fn(|level| counts.iter().map(|counts| counts[level]).sum())
}

fn is_uniform(block: &[u8; CHUNK]) -> bool {
    u8x16::new(*block).simd_eq(u8x16::splat(block[0])).all()
}

fn coverage_by_level(bare: f32, full: f32) -> [u8; 256] {
    std::array::from_fn(|level| {
        let level = level as f32;
        let share = if level < 128.0 {
            0.5 * (level - bare) / (128.0 - bare)
        } else {
            0.5 + 0.5 * (level - 127.5) / (full - 127.5)
        };
        (share * 255.0 + 0.5).clamp(0.0, 255.0) as u8
    })
}

/// The level about which a fifth of the pixels lie; of equals, the highest.
fn main_level(counts: &[u32]) -> Option<usize> {
    const NEAR: usize = 2;
    let mut around: u32 = counts[..NEAR].iter().sum();
    let (mut best, mut total) = ((0, 0, 0), 0);
    for (level, &count) in counts.iter().enumerate() {
        around += counts.get(level + NEAR).unwrap_or(&0);
        best = best.max((around, count, level));
        around -= level.checked_sub(NEAR).map_or(0, |level| counts[level]);
        total += count;
    }
    let (around, _, level) = best;
    (around * 5 > total).then_some(level)
}

/// Pixels that have both sides of one half among themselves and their eight neighbors; beyond the border all is bare. Looks at 64
/// pixels of a row at a time, a bit for each.
fn pixels_near_half(coverage: &[u8], width: usize) -> Vec<u32> {
    let words = width.div_ceil(64);
    let mut rows: [Vec<Triple>; 3] = std::array::from_fn(|_| vec![Triple::default(); words]);
    let mut bits = vec![0; words];
    let mut near = Vec::new();
    let mut read = |row: Option<&[u8]>, out: &mut [Triple]| match row {
        Some(row) => triples(row, &mut bits, out),
        None => out.fill(Triple::default()),
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

/// For each of 64 pixels a bit: whether any, and whether all of it and the two beside it are covered.
#[derive(Clone, Copy, Default)]
struct Triple {
    any: u64,
    all: u64,
}

fn triples(row: &[u8], bits: &mut [u64], out: &mut [Triple]) {
    for (bits, pixels) in bits.iter_mut().zip(row.chunks(64)) {
        *bits = covered_bits(pixels);
    }
    let mut before = 0;
    for (word, out) in out.iter_mut().enumerate() {
        let (here, after) = (bits[word], bits.get(word + 1).unwrap_or(&0));
        let (left, right) = (here << 1 | before >> 63, here >> 1 | after << 63);
        *out = Triple { any: left | here | right, all: left & here & right };
        before = here;
    }
}

/// A bit for each of up to 64 pixels that is covered by half or more.
fn covered_bits(pixels: &[u8]) -> u64 {
    let (blocks, rest) = pixels.as_chunks::<CHUNK>();
    let bits_of = |k: usize, block: [u8; CHUNK]| u64::from(u8x16::new(block).to_bitmask()) << (k * CHUNK);
    let bits = blocks.iter().enumerate().fold(0, |bits, (k, &block)| bits | bits_of(k, block));
    if rest.is_empty() {
        return bits;
    }
    bits | bits_of(blocks.len(), std::array::from_fn(|k| rest.get(k).copied().unwrap_or(0)))
}

fn is_antialiased(coverage: &[u8], near: &[u32]) -> bool {
    const MIXED_SHARE: f32 = 0.05;
    let mixed = near.iter().filter(|&&i| (16..240).contains(&coverage[i as usize])).count();
    mixed as f32 > MIXED_SHARE * near.len() as f32
}

/// How noisy darkness is away from edges, 0 to 1: the median deviation of a pixel from the middle of its neighbors in
/// the row, as the standard deviation of normal noise.
pub(crate) fn grain(darkness: &Darkness) -> f32 {
    const ROWS_APART: usize = 4;
    /// The median of |x| for a standard normal x, times √(1 + ½) for the neighbors' own noise.
    const MEDIAN_DEVIATION: f32 = 0.6745 * 1.2247;
    let mut counts = [0u32; 512];
    let apart = ROWS_APART.max(darkness.height / ENOUGH_ROWS);
    for row in darkness.data.chunks_exact(darkness.width).step_by(apart) {
        let mut start = 0;
        while let Some(windows) = row.get(start..start + CHUNK + 2) {
            match windows.first_chunk::<CHUNK>() {
                Some(block) if is_uniform(block) && windows.ends_with(&[block[0]; 2]) => {
                    counts[0] += if MIDDLE.contains(&block[0]) { 0 } else { CHUNK as u32 };
                }
                _ => count_deviations(windows, &mut counts),
            }
            start += CHUNK;
        }
        count_deviations(&row[start..], &mut counts);
    }
    let total: u32 = counts.iter().sum();
    let mut below = 0;
    let median = counts.iter().position(|count| {
        below += count;
        2 * below > total
    });
    median.unwrap_or(0) as f32 / (2.0 * 255.0 * MEDIAN_DEVIATION)
}

/// Between paper and ink there may be an edge.
const MIDDLE: std::ops::Range<u8> = 77..178;

/// Twice the deviation of each pixel from the middle of those beside it.
fn count_deviations(row: &[u8], counts: &mut [u32; 512]) {
    let seen = |level: u8| (i32::from(level), MIDDLE.contains(&level));
    let [first, second, rest @ ..] = row else { return };
    let (mut before, mut here) = (seen(*first), seen(*second));
    for after in rest.iter().map(|&level| seen(level)) {
        if !(before.1 | here.1 | after.1) {
            counts[(2 * here.0 - before.0 - after.0).unsigned_abs() as usize] += 1;
        }
        (before, here) = (here, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(rows: &[&[u8]]) -> Field {
        let coverage: Vec<u8> = rows.concat();
        let near = (0..coverage.len() as u32).collect();
        Field::solved(coverage, rows[0].len(), near, &mut Watch::idle()).unwrap()
    }

    #[test]
    fn a_stroke_that_straddles_two_rows_is_found_between_them() {
        let paper = [0; 8];
        let half = [128; 8];
        let field = field(&[&paper, &half, &half, &paper]);
        let value = |place| {
            let (pixel, place) = field.pixel_at(place).unwrap();
            field.samples(field.slot(pixel).unwrap())[place]
        };
        assert!(value((8, 3)) > 0.45, "{}", value((8, 3)));
        assert!(value((8, 3)) > value((8, 2)) + 0.1);
    }

    #[test]
    fn only_pixels_beside_a_change_are_near() {
        let covered = |i: usize| (1..6).contains(&(i % 7)) && (1..6).contains(&(i / 7));
        let enclosed = |i: &u32| (2..5).contains(&(i % 7)) && (2..5).contains(&(i / 7));
        let coverage: Vec<u8> = (0..49).map(|i| if covered(i) { 255 } else { 0 }).collect();
        let beside: Vec<u32> = (0..49).filter(|i| !enclosed(i)).collect();
        assert_eq!(pixels_near_half(&coverage, 7), beside);
        assert_eq!(pixels_near_half(&[255; 9], 3), [0, 1, 2, 3, 5, 6, 7, 8], "the border is an edge");
    }

    #[test]
    fn grain_is_that_of_the_paper() {
        let mut state = 1u32;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            20 + (state >> 24) as u8 % 11
        });
        let paper = |data: Vec<u8>| Darkness { width: 64, height: data.len() / 64, data };
        let deviation = grain(&paper(noise.take(4096).collect())) * 255.0;
        assert!((2.0..4.5).contains(&deviation), "{deviation}");
        assert_eq!(grain(&paper(vec![0; 4096])), 0.0);
    }
}
