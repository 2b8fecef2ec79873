use crate::pixels::Pixels;

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
    samples: Vec<[f32; 4]>,
    /// Whether there are pixels between bare and covered, to tell where the edges lie.
    pub antialiased: bool,
}

/// Rounds of correction; the error falls by about two thirds in each.
const ROUNDS: usize = 4;

/// Steepness of the soft step: from nothing to all over half a pixel, across a sharp edge's interpolated coverage.
const STEEPNESS: f32 = 2.0;

/// Bilinear weights at a quarter point: of its own pixel, of each of the two beside it, of the diagonal one.
const OWN: f32 = 0.5625;
const BESIDE: f32 = 0.1875;
const DIAGONAL: f32 = 0.0625;

impl Field {
    /// The darkness of a picture in binary mode; near an edge is what has both sides of one half in its neighborhood.
    pub fn of_darkness(pixels: &Pixels) -> Self {
        let mut counts = [0u32; 256];
        for &[_, _, _, darkness] in &pixels.data {
            counts[darkness as usize] += 1;
        }
        let stretched = stretch(&counts);
        let coverage: Vec<u8> =
            pixels.data.iter().map(|&[_, _, _, darkness]| stretched[darkness as usize]).collect();
        let near = pixels_near_half(&coverage, pixels.width);
        Field::solved(coverage, pixels.width, near)
    }

    /// `near` are the pixels to be solved, in row order: all that are neither bare nor covered, and those around them.
    pub fn solved(coverage: Vec<u8>, width: usize, near: Vec<u32>) -> Self {
        let height = coverage.len() / width;
        let mut slots = vec![0; coverage.len()];
        for (k, &pixel) in near.iter().enumerate() {
            slots[pixel as usize] = k as u32 + 1;
        }
        let antialiased = is_antialiased(&coverage, &near);
        let mut field = Field { width, height, coverage, near, slots, samples: Vec::new(), antialiased };
        let share = |i: usize| f32::from(field.coverage[i]) / 255.0;
        field.samples = field.near.iter().map(|&pixel| field.interpolated(pixel as usize, share)).collect();
        if antialiased {
            field.solve();
        }
        field
    }

    /// Values at the quarter points of a pixel, between its own and its neighbors'; beyond the border it has itself
    /// for a neighbor.
    fn interpolated(&self, i: usize, value: impl Fn(usize) -> f32) -> [f32; 4] {
        let (x, y) = (i % self.width, i / self.width);
        let left = usize::from(x > 0);
        let right = usize::from(x + 1 < self.width);
        let up = if y > 0 { self.width } else { 0 };
        let down = if y + 1 < self.height { self.width } else { 0 };
        let row = |j: usize| (value(j - left), value(j), value(j + right));
        let (above, here, below) = (row(i - up), row(i), row(i + down));
        let corner = |beside: f32, over: f32, diagonal: f32| {
            OWN * here.1 + BESIDE * (beside + over) + DIAGONAL * diagonal
        };
        [
            corner(here.0, above.1, above.0),
            corner(here.2, above.1, above.2),
            corner(here.0, below.1, below.0),
            corner(here.2, below.1, below.2),
        ]
    }

    fn solve(&mut self) {
        let mut lacking = vec![0.0f32; self.near.len() + 1];
        for _ in 0..ROUNDS {
            for (k, &pixel) in self.near.iter().enumerate() {
                lacking[k + 1] = self.share(pixel as usize) - covered(&self.samples[k], STEEPNESS);
            }
            for k in 0..self.near.len() {
                let change = self.interpolated(self.near[k] as usize, |j| lacking[self.slots[j] as usize]);
                for (sample, change) in self.samples[k].iter_mut().zip(change) {
                    *sample += change;
                }
            }
        }
    }

    /// Coverage of a pixel, 0 to 1.
    pub fn share(&self, pixel: usize) -> f32 {
        f32::from(self.coverage[pixel]) / 255.0
    }

    /// How much of a pixel the outlines will cover, 0 to 1.
    pub fn outlined_share(&self, pixel: usize) -> f32 {
        /// Steep enough to be near to the outline itself.
        const HARD: f32 = 4.0;
        match self.slots[pixel] {
            0 => self.share(pixel),
            slot => covered(&self.samples[slot as usize - 1], HARD),
        }
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

    /// The value at a place of the lattice of samples; nothing beyond the border.
    pub fn value(&self, x: i32, y: i32) -> f32 {
        if x < 0 || y < 0 || x >= 2 * self.width as i32 || y >= 2 * self.height as i32 {
            return 0.0;
        }
        let i = (y as usize / 2) * self.width + x as usize / 2;
        match self.slot(i) {
            None => self.share(i),
            Some(slot) => self.samples[slot][(y as usize % 2) * 2 + x as usize % 2],
        }
    }
}

/// How much of a pixel its samples cover, by a soft step about one half.
fn covered(samples: &[f32; 4], steepness: f32) -> f32 {
    0.25 * samples.iter().map(|u| ((u - 0.5) * steepness + 0.5).clamp(0.0, 1.0)).sum::<f32>()
}

/// Coverage by darkness: the paper's darkness covers nothing and the ink's everything, if most paper or ink is of one; one half
/// stays where it is.
fn stretch(counts: &[u32; 256]) -> [u8; 256] {
    let bare = main_level(&counts[..128]).unwrap_or(0) as f32;
    let full = 128.0 + main_level(&counts[128..]).unwrap_or(127) as f32;
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

/// The level about which a fifth of the pixels lie.
fn main_level(counts: &[u32]) -> Option<usize> {
    const NEAR: usize = 2;
    let around = |level: usize| -> u32 {
        counts[level.saturating_sub(NEAR)..(level + NEAR + 1).min(counts.len())].iter().sum()
    };
    let level = (0..counts.len()).max_by_key(|&level| (around(level), counts[level]))?;
    (around(level) * 5 > counts.iter().sum::<u32>()).then_some(level)
}

/// Pixels that have both sides of one half among themselves and their eight neighbors; beyond the border all is bare.
fn pixels_near_half(coverage: &[u8], width: usize) -> Vec<u32> {
    let height = coverage.len() / width;
    // For each pixel of a row, how many of it and the two beside it are covered.
    let count = |y: usize, out: &mut [u8]| {
        let Some(row) = coverage.get(y * width..(y + 1) * width) else { return out.fill(0) };
        let inside = |x: usize| row.get(x).map_or(0, |c| c >> 7);
        for (x, out) in out.iter_mut().enumerate() {
            *out = inside(x.wrapping_sub(1)) + inside(x) + inside(x + 1);
        }
    };
    let (mut above, mut here, mut below) = (vec![0; width], vec![0; width], vec![0; width]);
    count(0, &mut here);
    let mut near = Vec::new();
    for y in 0..height {
        count(y + 1, &mut below);
        for x in 0..width {
            if !matches!(above[x] + here[x] + below[x], 0 | 9) {
                near.push((y * width + x) as u32);
            }
        }
        (above, here, below) = (here, below, above);
    }
    near
}

fn is_antialiased(coverage: &[u8], near: &[u32]) -> bool {
    const MIXED_SHARE: f32 = 0.05;
    let mixed = near.iter().filter(|&&i| (16..240).contains(&coverage[i as usize])).count();
    mixed as f32 > MIXED_SHARE * near.len() as f32
}

/// How noisy darkness is away from edges, 0 to 1: the median deviation of a pixel from the middle of its neighbors in
/// the row, as the standard deviation of normal noise.
pub(crate) fn grain(pixels: &Pixels) -> f32 {
    const ROWS_APART: usize = 4;
    /// The median of |x| for a standard normal x, times √(1 + ½) for the neighbors' own noise.
    const MEDIAN_DEVIATION: f32 = 0.6745 * 1.2247;
    /// There may be an edge.
    const MIDDLE: std::ops::Range<u8> = 77..178;
    let mut counts = [0u32; 512];
    let mut total = 0;
    for row in pixels.data.chunks_exact(pixels.width).step_by(ROWS_APART) {
        for window in row.array_windows().map(|window: &[[u8; 4]; 3]| window.map(|pixel| pixel[3])) {
            if window.iter().any(|darkness| MIDDLE.contains(darkness)) {
                continue;
            }
            let [before, here, after] = window.map(i32::from);
            counts[(2 * here - before - after).unsigned_abs() as usize] += 1;
            total += 1;
        }
    }
    let mut below = 0;
    let median = counts.iter().position(|count| {
        below += count;
        2 * below > total
    });
    median.unwrap_or(0) as f32 / (2.0 * 255.0 * MEDIAN_DEVIATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(rows: &[&[u8]]) -> Field {
        let coverage: Vec<u8> = rows.concat();
        let near = (0..coverage.len() as u32).collect();
        Field::solved(coverage, rows[0].len(), near)
    }

    #[test]
    fn a_stroke_that_straddles_two_rows_is_found_between_them() {
        let paper = [0; 8];
        let half = [128; 8];
        let field = field(&[&paper, &half, &half, &paper]);
        assert!(field.value(8, 3) > 0.45, "{}", field.value(8, 3));
        assert!(field.value(8, 3) > field.value(8, 2) + 0.1);
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
        let pixels = |data: Vec<[u8; 4]>| Pixels { width: 64, height: data.len() / 64, data };
        let deviation =
            grain(&pixels(noise.map(|darkness| [0, 0, 0, darkness]).take(4096).collect())) * 255.0;
        assert!((2.0..4.5).contains(&deviation), "{deviation}");
        assert_eq!(grain(&pixels(vec![[0; 4]; 4096])), 0.0);
    }
}
