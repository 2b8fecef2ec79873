//! A part of a blurred picture, and the picture that gives it when it is blurred.

use std::ops::Range;

use wide::f32x4;

use super::blocks::{Blocks, ROUNDING};
use crate::api::{ProgressMeter, Stopped};
use crate::raster::Pixels;

/// Pixels of the picture before it was blurred.
pub(super) struct Tile {
    pub size: (usize, usize),
    /// The pixels that differ from a neighbor by more than rounding, as parts of rows. All others stay as they are.
    pub active: Vec<Range<usize>>,
    pub sharp: Vec<f32x4>,
    blurred: Vec<f32x4>,
    /// The least and the greatest value of each channel that an active pixel can have had.
    bounds: Vec<[f32x4; 2]>,
    /// The blur's weights from the center to three deviations.
    kernel: Vec<f32x4>,
    /// Pictures that corrections work with. Where no pixel is active, all are the blurred one.
    scratch: [Vec<f32x4>; 3],
}

/// Where the neighbors of the pixels in a row are.
struct Sides {
    row: Range<usize>,
    /// How far away the pixels above and below are: nowhere, at the border.
    above: usize,
    below: usize,
}

/// A rectangle of pixels.
pub(super) struct Area {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

impl Tile {
    /// `None` if the area is flat.
    pub fn cut(picture: &[[u8; 4]], stride: usize, area: &Area, deviation_px: f32) -> Option<Self> {
        let size @ (width, height) = (area.columns.len(), area.rows.len());
        let kernel = gaussian(deviation_px);
        let row = |y: usize| &picture[(area.rows.start + y) * stride..][area.columns.clone()];
        let mut active: Vec<Range<usize>> = Vec::new();
        let mut blocks = Blocks::new(size, kernel.len());
        for y in 0..height {
            let rows = [row(y.saturating_sub(1)), row(y), row((y + 1).min(height - 1))];
            let mut was_equal = false;
            for x in 0..width {
                let change = largest_change(rows, x);
                let is_flat = change <= 1;
                if !is_flat {
                    let i = y * width + x;
                    match active.last_mut() {
                        Some(run) if run.end == i && x > 0 => run.end += 1,
                        _ => active.push(i..i + 1),
                    }
                }
                // In a run of one color, the first pixel of each block stands for all.
                if change > 0 || !was_equal || x % blocks.side == 0 {
                    blocks.add((x, y), rows[1][x], is_flat);
                }
                was_equal = change == 0;
            }
        }
        if active.is_empty() {
            return None;
        }
        blocks.join_neighbors();
        let bounds =
            active.iter().cloned().flatten().map(|i| blocks.bounds((i % width, i / width))).collect();
        let blurred: Vec<_> =
            (0..height).flat_map(row).map(|color| f32x4::new(color.map(f32::from))).collect();
        let [sharp, scratch @ ..] = [(); 4].map(|()| blurred.clone());
        Some(Tile { size, active, sharp, blurred, bounds, kernel, scratch })
    }

    /// Adds what is missing in the blurred picture to the sharp one, again and again, with Nesterov's acceleration, within the bounds.
    /// (Beck and Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", 2009.)
    pub fn correct(&mut self, times: usize, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let [mut ahead, mut halfway, mut corrected] = std::mem::take(&mut self.scratch);
        for run in &self.active {
            ahead[run.clone()].copy_from_slice(&self.sharp[run.clone()]);
        }
        let mut momentum = 1.0f32;
        for _ in 0..times {
            meter.advance(self.bounds.len() * self.kernel.len())?;
            self.blur_rows(&ahead, &mut halfway);
            self.blur_columns(&halfway, &mut corrected);
            let mut first = 0;
            for run in &self.active {
                let bounds = &self.bounds[first..first + run.len()];
                first += run.len();
                let pixels = corrected[run.clone()].iter_mut().zip(&ahead[run.clone()]);
                let known = self.blurred[run.clone()].iter().zip(bounds);
                for ((corrected, &ahead), (&blurred, &[least, greatest])) in pixels.zip(known) {
                    *corrected = (ahead + blurred - *corrected).fast_max(least).fast_min(greatest);
                }
            }
            let next = 0.5 + (0.25 + momentum * momentum).sqrt();
            let inertia = f32x4::splat((momentum - 1.0) / next);
            momentum = next;
            for run in &self.active {
                let sides = self.sides(run.start);
                for i in run.clone() {
                    let color = without_rounding(&corrected, i, &sides);
                    ahead[i] = color + (color - self.sharp[i]) * inertia;
                    self.sharp[i] = color;
                }
            }
        }
        self.scratch = [ahead, halfway, corrected];
        Ok(())
    }

    fn sides(&self, i: usize) -> Sides {
        let (width, height) = self.size;
        let y = i / width;
        let or_none = |is_inside| if is_inside { width } else { 0 };
        Sides { row: y * width..(y + 1) * width, above: or_none(y > 0), below: or_none(y + 1 < height) }
    }

    /// Blurs the active pixels along rows. Beyond the border, the picture goes on as it ends.
    fn blur_rows(&self, from: &[f32x4], to: &mut [f32x4]) {
        let (width, reach) = (self.size.0, self.kernel.len() - 1);
        for run in &self.active {
            let row = run.start / width * width..(run.start / width + 1) * width;
            for i in run.clone() {
                let mut sum = from[i] * self.kernel[0];
                if i >= row.start + reach && i + reach < row.end {
                    let (before, after) = (&from[i - reach..i], &from[i + 1..=i + reach]);
                    let pairs = before.iter().rev().zip(after);
                    pairs.zip(&self.kernel[1..]).for_each(|((&a, &b), &weight)| sum += (a + b) * weight);
                } else {
                    for (j, &weight) in self.kernel.iter().enumerate().skip(1) {
                        let [a, b] = [i.saturating_sub(j).max(row.start), (i + j).min(row.end - 1)];
                        sum += (from[a] + from[b]) * weight;
                    }
                }
                to[i] = sum;
            }
        }
    }

    /// Blurs the active pixels along columns.
    fn blur_columns(&self, from: &[f32x4], to: &mut [f32x4]) {
        let (width, height) = self.size;
        for run in &self.active {
            let (y, x) = (run.start / width, run.start % width);
            let row = |y: usize| &from[y * width + x..][..run.len()];
            let sums = &mut to[run.clone()];
            sums.iter_mut().zip(row(y)).for_each(|(sum, &color)| *sum = color * self.kernel[0]);
            for (j, &weight) in self.kernel.iter().enumerate().skip(1) {
                let pairs = row(y.saturating_sub(j)).iter().zip(row((y + j).min(height - 1)));
                sums.iter_mut().zip(pairs).for_each(|(sum, (&a, &b))| *sum += (a + b) * weight);
            }
        }
    }

    /// Writes the part of the tile that lies in `target`.
    pub fn paste(&self, area: &Area, target: &Area, pixels: &mut Pixels<'_>) {
        for i in self.active.iter().cloned().flatten() {
            let (x, y) = (i % self.size.0 + area.columns.start, i / self.size.0 + area.rows.start);
            if target.columns.contains(&x) && target.rows.contains(&y) {
                let [r, g, b, a] = self.sharp[i].to_array().map(|value| (value + 0.5) as u8);
                pixels.data[y * pixels.width + x] = [r.min(a), g.min(a), b.min(a), a];
            }
        }
    }
}

/// The largest difference, in any channel, of a pixel of the middle row from the four beside it.
fn largest_change([above, row, below]: [&[[u8; 4]]; 3], x: usize) -> u8 {
    let color = row[x];
    let around = [row[x.saturating_sub(1)], row[(x + 1).min(row.len() - 1)], above[x], below[x]];
    if around == [color; 4] {
        return 0;
    }
    let change = |other: [u8; 4]| (0..4).fold(0, |largest, c| largest.max(other[c].abs_diff(color[c])));
    around.map(change).into_iter().fold(0, u8::max)
}

/// Adds to a color what those beside it differ by, if that is rounding only.
fn without_rounding(colors: &[f32x4], i: usize, sides: &Sides) -> f32x4 {
    let color = colors[i];
    let beside = [
        i.saturating_sub(1).max(sides.row.start),
        (i + 1).min(sides.row.end - 1),
        i - sides.above,
        i + sides.below,
    ];
    let (rounding, fifth) = (f32x4::splat(ROUNDING.into()), f32x4::splat(0.2));
    beside.into_iter().fold(color, |sum, j| {
        let apart = colors[j] - color;
        sum + (apart & apart.abs().simd_lt(rounding)) * fifth
    })
}

/// The weights of a normal distribution at 0, 1, 2 and so on, up to three deviations.
fn gaussian(deviation_px: f32) -> Vec<f32x4> {
    // exp(-x) is (1 - x / n)ⁿ for great n. Each weight is the one before times a factor that falls by exp(-1 / σ²).
    let mut factor = 1.0 - 1.0 / (2048.0 * deviation_px * deviation_px);
    (0..10).for_each(|_| factor *= factor);
    let fall = factor * factor;
    let count = (3.0 * deviation_px) as usize + 2;
    let mut weights = vec![1.0f32; count];
    for k in 1..count {
        weights[k] = weights[k - 1] * factor;
        factor *= fall;
    }
    let sum = 2.0 * weights.iter().sum::<f32>() - 1.0;
    weights.iter().map(|weight| f32x4::splat(weight / sum)).collect()
}
