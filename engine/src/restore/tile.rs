//! A part of a blurred picture, and the picture that gives it when it is blurred.

use std::ops::Range;

use wide::f32x4;

use super::blocks::{Blocks, ROUNDING};
use crate::api::{ProgressMeter, Stopped};
use crate::raster::{Pixels, column_and_row, side_neighbors};

/// Pixels of the picture before it was blurred.
pub(super) struct Tile {
    pub size: (usize, usize),
    /// The pixels that differ from a neighbor by more than rounding, row by row. All others stay as they are.
    pub active: Vec<u32>,
    pub sharp: Vec<f32x4>,
    blurred: Vec<f32x4>,
    /// The least and the greatest value of each channel that an active pixel can have had.
    bounds: Vec<[f32x4; 2]>,
    /// The blur's weights from the center to three deviations.
    kernel: Vec<f32x4>,
    /// Pictures that corrections work with. Where no pixel is active, all are the blurred one.
    scratch: [Vec<f32x4>; 3],
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
        let (mut active, mut places) = (Vec::new(), Vec::new());
        let mut blocks = Blocks::new(size, kernel.len());
        for y in 0..height {
            let rows = [row(y.saturating_sub(1)), row(y), row((y + 1).min(height - 1))];
            let mut was_equal = false;
            for x in 0..width {
                let change = largest_change(rows, x);
                let is_flat = change <= 1;
                if !is_flat {
                    active.push((y * width + x) as u32);
                    places.push((x, y));
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
        let bounds = places.into_iter().map(|place| blocks.bounds(place)).collect();
        let blurred: Vec<_> =
            (0..height).flat_map(row).map(|color| f32x4::new(color.map(f32::from))).collect();
        let [sharp, scratch @ ..] = [(); 4].map(|()| blurred.clone());
        Some(Tile { size, active, sharp, blurred, bounds, kernel, scratch })
    }

    /// Adds what is missing in the blurred picture to the sharp one, again and again, with Nesterov's acceleration, within the bounds.
    /// (Beck and Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", 2009.)
    pub fn correct(&mut self, times: usize, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let [mut ahead, mut halfway, mut corrected] = std::mem::take(&mut self.scratch);
        for &i in &self.active {
            ahead[i as usize] = self.sharp[i as usize];
        }
        let mut momentum = 1.0f32;
        for _ in 0..times {
            meter.advance(self.bounds.len() * self.kernel.len())?;
            self.blur(&ahead, &mut halfway, 1);
            self.blur(&halfway, &mut corrected, self.size.0);
            for (&i, &[least, greatest]) in self.active.iter().zip(&self.bounds) {
                let i = i as usize;
                let color = ahead[i] + self.blurred[i] - corrected[i];
                corrected[i] = color.fast_max(least).fast_min(greatest);
            }
            let next = 0.5 + (0.25 + momentum * momentum).sqrt();
            let inertia = f32x4::splat((momentum - 1.0) / next);
            momentum = next;
            for &i in &self.active {
                let i = i as usize;
                let color = without_rounding(&corrected, i, self.size);
                ahead[i] = color + (color - self.sharp[i]) * inertia;
                self.sharp[i] = color;
            }
        }
        self.scratch = [ahead, halfway, corrected];
        Ok(())
    }

    /// Blurs the active pixels along rows (`step` 1) or columns (`step` is the width). Beyond the border, the picture goes on as it ends.
    fn blur(&self, from: &[f32x4], to: &mut [f32x4], step: usize) {
        let (width, height) = self.size;
        for &i in &self.active {
            let (x, y) = column_and_row(i, width as u32);
            let (place, last) = if step == 1 { (x as usize, width - 1) } else { (y as usize, height - 1) };
            let i = i as usize;
            let mut sum = from[i] * self.kernel[0];
            for (j, &weight) in (1..).zip(&self.kernel[1..]) {
                let (before, after) = (i - j.min(place) * step, i + j.min(last - place) * step);
                sum += (from[before] + from[after]) * weight;
            }
            to[i] = sum;
        }
    }

    /// Writes the part of the tile that lies in `target`.
    pub fn paste(&self, area: &Area, target: &Area, pixels: &mut Pixels<'_>) {
        for &i in &self.active {
            let (x, y) = column_and_row(i, self.size.0 as u32);
            let (x, y) = (x as usize + area.columns.start, y as usize + area.rows.start);
            if target.columns.contains(&x) && target.rows.contains(&y) {
                let [r, g, b, a] = self.sharp[i as usize].to_array().map(|value| (value + 0.5) as u8);
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
fn without_rounding(colors: &[f32x4], i: usize, size: (usize, usize)) -> f32x4 {
    let color = colors[i];
    let (rounding, fifth) = (f32x4::splat(ROUNDING.into()), f32x4::splat(0.2));
    let mut sum = color;
    for j in side_neighbors(i, size) {
        let apart = colors[j] - color;
        sum += (apart & apart.abs().simd_lt(rounding)) * fifth;
    }
    sum
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
