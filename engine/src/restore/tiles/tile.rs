//! A part of a blurred picture, and the picture that gives it when it is blurred.

use wide::f32x4;

use super::super::possible_color::possible;
use super::blocks::{Blocks, ROUNDING};
use crate::api::{ProgressMeter, Stopped};
use crate::raster::Pixels;

/// A square of pixels of the picture before it was blurred.
pub(super) struct Tile {
    pub side: usize,
    /// The pixels that differ from a neighbor by more than rounding, row by row, but not those nearer to the tile's border than the kernel
    /// reaches. All others stay as they are.
    pub active: Vec<usize>,
    pub sharp: Vec<f32x4>,
    /// The picture as it came: blurred, or sharpened.
    pub blurred: Vec<f32x4>,
    /// The least and the greatest value of each channel that an active pixel can have had.
    bounds: Vec<[f32x4; 2]>,
    /// Pictures that corrections work with. Where no pixel is active, all are the blurred one.
    pub scratch: [Vec<f32x4>; 3],
}

impl Tile {
    /// `place` is that of the first pixel, which may lie beyond the border: there, the picture goes on as it ends. `None` if all is flat.
    pub fn cut(pixels: &Pixels, place: [isize; 2], side: usize, kernel: &[f32x4]) -> Option<Self> {
        let (width, height) = (pixels.width as isize, pixels.height as isize);
        let columns = place[0].max(0)..(place[0] + side as isize).min(width);
        let mut colors = Vec::with_capacity(side * side);
        for y in 0..side {
            let inside = (place[1] + y as isize).clamp(0, height - 1) as usize;
            let row = &pixels.data[inside * pixels.width..][columns.start as usize..columns.end as usize];
            colors.resize(y * side + (columns.start - place[0]) as usize, row[0]);
            colors.extend_from_slice(row);
            colors.resize((y + 1) * side, row[row.len() - 1]);
        }
        let mut blocks = Blocks::new(side, kernel.len().ilog2() + 1);
        let inside = kernel.len()..side - kernel.len();
        let (mut active, mut places) = (Vec::new(), Vec::new());
        for y in 1..side - 1 {
            for x in 1..side - 1 {
                let i = y * side + x;
                let is_flat = is_flat(&colors, i, side);
                if !is_flat && inside.contains(&x) && inside.contains(&y) {
                    active.push(i);
                    places.push([x, y]);
                }
                // Of flat pixels in one color, one in each block is enough.
                if !is_flat || colors[i] != colors[i - 1] || blocks.begins_before(x) {
                    blocks.add([x, y], colors[i], is_flat);
                }
            }
        }
        if active.is_empty() {
            return None;
        }
        blocks.join_neighbors();
        let bounds = places.into_iter().map(|place| blocks.bounds(place)).collect();
        let blurred: Vec<_> = colors.into_iter().map(|color| f32x4::new(color.map(f32::from))).collect();
        let [sharp, scratch @ ..] = [(); 4].map(|()| blurred.clone());
        Some(Tile { side, active, sharp, blurred, bounds, scratch })
    }

    /// Adds what is missing in the blurred picture to the sharp one, again and again, with Nesterov's acceleration, within the bounds.
    /// (Beck and Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", 2009.)
    #[inline(never)]
    pub fn correct(
        &mut self,
        times: usize,
        kernel: &[f32x4],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let [mut ahead, mut halfway, mut corrected] = std::mem::take(&mut self.scratch);
        for &i in &self.active {
            ahead[i] = self.sharp[i];
        }
        let mut momentum = 1.0f32;
        for _ in 0..times {
            meter.advance(self.active.len() * kernel.len())?;
            self.blur(&ahead, &mut halfway, kernel, 1);
            self.blur(&halfway, &mut corrected, kernel, self.side);
            for (&i, &[least, greatest]) in self.active.iter().zip(&self.bounds) {
                let color = ahead[i] + self.blurred[i] - corrected[i];
                corrected[i] = color.fast_max(least).fast_min(greatest);
            }
            let next = 0.5 + (0.25 + momentum * momentum).sqrt();
            let inertia = f32x4::splat((momentum - 1.0) / next);
            momentum = next;
            for &i in &self.active {
                let color = without_rounding(&corrected, i, self.side);
                ahead[i] = color + (color - self.sharp[i]) * inertia;
                self.sharp[i] = color;
            }
        }
        self.scratch = [ahead, halfway, corrected];
        Ok(())
    }

    /// Blurs the active pixels along rows (`step` 1) or columns (`step` is the side).
    #[inline(never)]
    pub fn blur(&self, from: &[f32x4], to: &mut [f32x4], kernel: &[f32x4], step: usize) {
        for &i in &self.active {
            let (mut sum, mut before, mut after) = (from[i] * kernel[0], i, i);
            for &weight in &kernel[1..] {
                (before, after) = (before - step, after + step);
                sum += (from[before] + from[after]) * weight;
            }
            to[i] = sum;
        }
    }

    /// Writes the pixels that are at least `margin` from the tile's border.
    pub fn paste(&self, pixels: &mut Pixels<'_>, place: [isize; 2], margin: usize) {
        let inside = margin..self.side - margin;
        for &i in &self.active {
            let (x, y) = (i % self.side, i / self.side);
            let [column, row] = [place[0] + x as isize, place[1] + y as isize].map(|place| place as usize);
            if inside.contains(&x) && inside.contains(&y) && column < pixels.width && row < pixels.height {
                pixels.data[row * pixels.width + column] = possible(self.sharp[i]);
            }
        }
    }
}

/// The eight pixels around one that is not at the border.
pub(super) fn around(i: usize, width: usize) -> [usize; 8] {
    let (above, below) = (i - width, i + width);
    [above - 1, above, above + 1, i - 1, i + 1, below - 1, below, below + 1]
}

/// The pixels on the left, right, above and below of one that is not at the border.
pub(super) fn beside(i: usize, width: usize) -> [usize; 4] {
    [i - 1, i + 1, i - width, i + width]
}

/// Whether a pixel differs from the four beside it by no more than rounding.
fn is_flat(colors: &[[u8; 4]], i: usize, width: usize) -> bool {
    let color = colors[i];
    let beside = beside(i, width).map(|j| u32::from_le_bytes(colors[j]));
    let unlike = beside.into_iter().fold(0, |bits, other| bits | (other ^ u32::from_le_bytes(color)));
    unlike == 0 || beside.iter().all(|other| (0..4).all(|c| other.to_le_bytes()[c].abs_diff(color[c]) <= 1))
}

/// Adds to a color what those beside it differ by, if that is rounding only.
fn without_rounding(colors: &[f32x4], i: usize, width: usize) -> f32x4 {
    let color = colors[i];
    let (rounding, fifth) = (f32x4::splat(ROUNDING.into()), f32x4::splat(0.2));
    let mut sum = color;
    for j in beside(i, width) {
        let apart = colors[j] - color;
        sum += (apart & apart.abs().simd_lt(rounding)) * fifth;
    }
    sum
}
