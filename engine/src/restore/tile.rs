//! A part of a blurred picture, and the picture that gives it when it is blurred.

use std::ops::Range;

use wide::f32x4;

use super::steepen::steepened;
use crate::api::{ProgressMeter, Stopped};
use crate::raster::{Pixels, neighborhood, side_neighbors};

/// How often the sharp picture is corrected before its edges are made steep.
///
/// Unit: count. Source: n accelerated corrections bring back what the blur weakens to 1 / n². Twice as many bring rounding by half a level
/// up to visible grain.
const CORRECTIONS: usize = 10;

/// How often it is corrected afterwards.
///
/// Unit: count. Source: enough to undo what steepening does to corners, too few to widen edges again.
const LAST_CORRECTIONS: usize = 3;

/// Colors that differ by less than this are one color, rounded.
///
/// Unit: color levels (0–255, Euclidean). Source: half a level of rounding, as the corrections bring it up. Half of it and twice as much
/// give the same.
pub(super) const ROUNDING: f32 = 4.0;

/// Pixels of the picture before it was blurred.
pub(super) struct Tile {
    pub size: (usize, usize),
    /// The pixels that are not flat as far as the blur reaches. All others stay as they are.
    pub active: Vec<u32>,
    pub sharp: Vec<f32x4>,
    blurred: Vec<f32x4>,
    /// The least and the greatest value of each channel that an active pixel can have had: those within two deviations.
    bounds: Vec<[f32x4; 2]>,
    /// The blur's weights from the center to three deviations.
    kernel: Vec<f32x4>,
}

/// A rectangle of pixels.
#[derive(Clone)]
pub(super) struct Area {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

impl Tile {
    /// `None` if the area is flat.
    pub fn cut(picture: &[[u8; 4]], stride: usize, area: &Area, deviation_px: f32) -> Option<Self> {
        let size @ (width, height) = (area.columns.len(), area.rows.len());
        let row = |y: usize| &picture[(area.rows.start + y) * stride..][area.columns.clone()];
        let mut active = Vec::new();
        for y in 0..height {
            let (here, above, below) = (row(y), row(y.saturating_sub(1)), row((y + 1).min(height - 1)));
            for x in 0..width {
                let color = here[x];
                let (left, right) = (here[x.saturating_sub(1)], here[(x + 1).min(width - 1)]);
                if left != color || right != color || above[x] != color || below[x] != color {
                    active.push((y * width + x) as u32);
                }
            }
        }
        if active.is_empty() {
            return None;
        }
        let kernel = gaussian(deviation_px);
        let reach = (2.0 * deviation_px) as u32 + 1;
        let blurred: Vec<_> = (0..height).flat_map(row).map(|color| f32x4::new(color.map(f32::from))).collect();
        let bounds_of = |&i: &u32| {
            let near = neighborhood(i, size, reach).flat_map(|row| &blurred[row.start as usize..row.end as usize]);
            let both = [blurred[i as usize]; 2];
            near.fold(both, |[least, greatest], &color| [least.fast_min(color), greatest.fast_max(color)])
        };
        let bounds = active.iter().map(bounds_of).collect();
        Some(Tile { size, active, sharp: blurred.clone(), blurred, bounds, kernel })
    }

    pub fn sharpen(&mut self, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        self.correct(CORRECTIONS, meter)?;
        self.sharp = steepened(self);
        self.correct(LAST_CORRECTIONS, meter)
    }

    /// Adds what is missing in the blurred picture to the sharp one, again and again, with Nesterov's acceleration, within the bounds.
    /// (Beck and Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", 2009.)
    fn correct(&mut self, times: usize, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let mut ahead = self.sharp.clone();
        let mut along_rows = self.sharp.clone();
        let mut corrected = self.sharp.clone();
        let mut momentum = 1.0f32;
        for _ in 0..times {
            meter.advance(self.active.len() * self.kernel.len())?;
            self.blur(&ahead, &mut along_rows, 1);
            self.blur(&along_rows, &mut corrected, self.size.0);
            for (&i, &[least, greatest]) in self.active.iter().zip(&self.bounds) {
                let i = i as usize;
                let value = ahead[i] + self.blurred[i] - corrected[i];
                corrected[i] = value.fast_max(least).fast_min(greatest);
            }
            let next = 0.5 + (0.25 + momentum * momentum).sqrt();
            let inertia = f32x4::splat((momentum - 1.0) / next);
            momentum = next;
            for &i in &self.active {
                let value = self.without_rounding(&corrected, i as usize);
                let i = i as usize;
                ahead[i] = value + (value - self.sharp[i]) * inertia;
                self.sharp[i] = value;
            }
        }
        Ok(())
    }

    /// The mean of a pixel and those beside it that differ by rounding only.
    fn without_rounding(&self, colors: &[f32x4], i: usize) -> f32x4 {
        let color = colors[i];
        let (mut sum, mut count) = (color, 1.0);
        for j in side_neighbors(i, self.size) {
            let apart = colors[j] - color;
            if (apart * apart).reduce_add() < ROUNDING * ROUNDING {
                sum += colors[j];
                count += 1.0;
            }
        }
        sum * f32x4::splat(1.0 / count)
    }

    /// Blurs the active pixels along rows (`step` 1) or columns (`step` is the width). Beyond the border, the picture goes on as it ends.
    fn blur(&self, from: &[f32x4], to: &mut [f32x4], step: usize) {
        let (width, height) = self.size;
        let last = if step == 1 { width } else { height } - 1;
        for &i in &self.active {
            let i = i as usize;
            let place = if step == 1 { i % width } else { i / width };
            let mut sum = from[i] * self.kernel[0];
            for (j, &weight) in self.kernel.iter().enumerate().skip(1) {
                let before = from[i - j.min(place) * step];
                let after = from[i + j.min(last - place) * step];
                sum += (before + after) * weight;
            }
            to[i] = sum;
        }
    }

    /// Writes the part of the tile that lies in `target`.
    pub fn paste(&self, area: &Area, target: &Area, pixels: &mut Pixels<'_>) {
        for &i in &self.active {
            let (x, y) = (i as usize % self.size.0 + area.columns.start, i as usize / self.size.0 + area.rows.start);
            if target.columns.contains(&x) && target.rows.contains(&y) {
                let [r, g, b, a] = self.sharp[i as usize].to_array().map(|value| (value + 0.5) as u8);
                pixels.data[y * pixels.width + x] = [r.min(a), g.min(a), b.min(a), a];
            }
        }
    }
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
