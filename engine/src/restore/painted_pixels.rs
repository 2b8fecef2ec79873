//! The paint of each pixel.

use wide::{bytemuck, u8x16, u32x4};

use super::slopes::{slope_of, slopes};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, PremultipliedColor, distance_sq, largest_difference, mixture, projection};
use crate::formation::{Grain, luma};

/// How many steps a pixel takes at most to its paint.
///
/// Unit: pixels. Source: chroma at half the size reaches 4 pixels; wider edges are not made by compression.
const MOST_STEPS: usize = 8;

/// How far around a pixel paints compete. Of the square, every third pixel is looked at.
///
/// Unit: pixels. Source: as far as chroma at half the size is blurred.
const NEIGHBORHOOD: isize = 3;

/// The side of that square.
const SIDE: isize = 2 * NEIGHBORHOOD + 1;

/// Paints that compete.
///
/// Unit: count. Source: three meet at a junction, and one that is none.
const MOST_PAINTS: usize = 4;

/// How many differences of chroma count as one of luma, where colors are kept at half the size.
///
/// Unit: count. Source: tuned on JPEG copies of drawings; from 4 to 20 the results are much the same.
const CHROMA_PER_LUMA: u8 = 8;

/// Larger pictures are photographs if most of their pixels are of edges.
///
/// Unit: pixels. Source: 128 × 128; in icons, edges are everywhere.
const LARGEST_ICON_PX: usize = 128 * 128;

/// One of how many pixels of a photograph is of an edge, at least, where many edges have no paint beside them.
///
/// Unit: count. Source: of compressed drawings with fine details, one in 10 to one in 5.4; of a photograph of a flower, one in 4.3 to 3.3.
const PIXELS_PER_EDGE: usize = 5;

/// A picture whose pixels have the colors of paints.
pub(super) struct PaintedPixels<'a> {
    paints: Vec<[u8; 4]>,
    /// Whether a pixel or one beside it is of an edge or a line.
    is_near_edge: Vec<bool>,
    width: usize,
    grain: &'a Grain,
}

impl<'a> PaintedPixels<'a> {
    /// Finds the paint of each pixel of a picture that was smoothed within paints, and looked like `came` before. `None` for a photograph: most
    /// of it is edges, or much of it, and many of these have no paint beside them. In a drawing, such edges are of details finer than paints.
    /// If it was compressed, each pixel there is its own, as it came; noise is not told from details, so a noisy drawing stays.
    pub fn of(
        smooth: Vec<[u8; 4]>,
        came: &[[u8; 4]],
        width: usize,
        grain: &'a Grain,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let slopes = slopes(&smooth, width, meter)?;
        let is_near_edge = vec![false; smooth.len()];
        let mut painted = PaintedPixels { paints: smooth, is_near_edge, width, grain };
        let flat = slope_of(grain.range);
        let mut edge = Vec::new();
        for i in (0..slopes.len()).filter(|&i| slopes[i] > flat) {
            meter.advance(1)?;
            edge.push(i);
            for k in painted.nine(i) {
                painted.is_near_edge[k] = true;
            }
        }
        if slopes.len() > LARGEST_ICON_PX && 2 * edge.len() > slopes.len() {
            return Ok(None);
        }
        // Where a step down the slope leads from each pixel.
        let mut next: Vec<_> = (0..slopes.len() as u32).collect();
        edge.iter().for_each(|&i| next[i] = painted.descend(&slopes, flat, i) as u32);
        let end = |&start: &usize| (0..MOST_STEPS).fold(start, |at, _| next[at] as usize);
        let ends: Vec<_> = edge.iter().map(end).collect();
        drop(next);
        // Where the way ends on a slope, no paint was found.
        let unfound = ends.iter().filter(|&&end| slopes[end] > flat).count();
        let has_details = slopes.len() > LARGEST_ICON_PX && 3 * unfound > edge.len();
        let is_photograph = PIXELS_PER_EDGE * edge.len() > slopes.len();
        if has_details && (is_photograph || !grain.has_coarse_colors) {
            return Ok(None);
        }
        let is_detail = |end: usize| has_details && slopes[end] > flat;
        let paint = |(&i, &end)| if is_detail(end) { came[i] } else { painted.paints[end] };
        let found: Vec<_> = edge.iter().zip(&ends).map(paint).collect();
        meter.advance(edge.len())?;
        painted.set(edge.iter().copied().zip(found));
        let mut ends = ends.into_iter();
        edge.retain(|_| ends.next().is_some_and(|end| !is_detail(end)));
        let dissolved: Vec<_> = edge.iter().filter_map(|&i| Some((i, painted.dissolved(i)?))).collect();
        painted.set(dissolved.into_iter());
        Ok(Some(painted))
    }

    fn set(&mut self, paints: impl Iterator<Item = (usize, [u8; 4])>) {
        paints.for_each(|(i, paint)| self.paints[i] = paint);
    }

    /// A pixel and the eight around it, as far as they are in the picture.
    #[inline(never)]
    fn nine(&self, i: usize) -> [usize; 9] {
        let (x, width) = (i % self.width, self.width);
        let [left, right] = [x > 0, x + 1 < width].map(usize::from);
        let [up, down] =
            [i >= width, i + width < self.paints.len()].map(|is_inside| width * usize::from(is_inside));
        let columns = |i: usize| [i - left, i, i + right];
        let [above, here, below] = [i - up, i, i + down].map(columns);
        std::array::from_fn(|k| [above, here, below][k / 3][k % 3])
    }

    /// Of the paints of a pixel and the eight around it, the first four, which lie opposite to the last four in reverse order.
    fn opposite(paints: [[u8; 4]; 9]) -> [u8x16; 2] {
        let [a, b, c, d, _, e, f, g, h] = paints;
        [[a, b, c, d], [h, g, f, e]].map(bytemuck::cast)
    }

    /// The pixel that a step down the slope leads to from another one; that one if none is lower.
    #[inline(never)]
    fn descend(&self, slopes: &[u16], flat: u16, at: usize) -> usize {
        let mut next = (slopes[at], 0, at);
        for k in self.nine(at) {
            if slopes[k] < slopes[at] && slopes[k].max(flat) <= next.0 {
                next =
                    next.min((slopes[k].max(flat), largest_difference(self.paints[at], self.paints[k]), k));
            }
        }
        next.2
    }

    /// The paint of a pixel instead of a color that is no paint but a mixture of two around, each with more pixels.
    #[inline(never)]
    fn dissolved(&self, i: usize) -> Option<[u8; 4]> {
        let own = self.paints[i];
        let [before, after] = Self::opposite(self.nine(i).map(|k| self.paints[k]))
            .map(|four| beyond(own, four, self.grain.apart));
        if (before | after).simd_eq(u32x4::ZERO).all() {
            return None;
        }
        let (x, y) = ((i % self.width) as isize, (i / self.width) as isize);
        let [right, bottom] = [self.width, self.paints.len() / self.width].map(|count| count as isize - 1);
        let mut met = [(own, 0); MOST_PAINTS];
        let mut count = 1;
        for n in (0..SIDE * SIDE).step_by(NEIGHBORHOOD as usize) {
            // Or the nearest in the picture.
            let column = (x + n % SIDE - NEIGHBORHOOD).clamp(0, right) as usize;
            let row = (y + n / SIDE - NEIGHBORHOOD).clamp(0, bottom) as usize;
            let paint = self.paints[row * self.width + column];
            match met[..count].iter_mut().find(|met| largest_difference(met.0, paint) <= self.grain.apart) {
                Some(met) => met.1 += 1,
                None if count < MOST_PAINTS => {
                    met[count] = (paint, 1);
                    count += 1;
                }
                None => {}
            }
        }
        let (mut first, mut second) = (met[0], met[0]);
        for &paint in &met[1..count] {
            if paint.1 > first.1 {
                (first, second) = (paint, first);
            } else if paint.1 > second.1 {
                second = paint;
            }
        }
        if second.1 == met[0].1 {
            return None;
        }
        let [own, from, to] = [own, first.0, second.0].map(|color| self.coordinates(color));
        let (residual_sq, share) = projection(own, from, to);
        let is_mixture = residual_sq <= self.tolerance_sq();
        is_mixture.then_some(if share < 0.5 { first.0 } else { second.0 })
    }

    /// The nearest mixture of a pixel's paint and one beside it to a color, or the color itself if it is far from all.
    #[inline(never)]
    pub fn mixture(&self, (x, y): (usize, usize), color: [u8; 4]) -> [u8; 4] {
        let i = y * self.width + x;
        let own = self.paints[i];
        if color == own {
            return own;
        }
        let [value, from] = [color, own].map(|color| self.coordinates(color));
        let mut best_sq = distance_sq(value, from);
        let (mut best, mut tried) = ((own, 0.0), own);
        let beside = if self.is_near_edge[i] { &self.nine(i)[..] } else { &[] };
        for other in beside.iter().map(|&k| self.paints[k]) {
            if other == tried || largest_difference(own, other) <= self.grain.apart {
                continue;
            }
            tried = other;
            let (residual_sq, share) = projection(value, from, self.coordinates(other));
            if residual_sq < best_sq {
                (best_sq, best) = (residual_sq, (other, share));
            }
        }
        if best_sq > self.tolerance_sq() {
            return color;
        }
        let (other, share) = best;
        let [own, other] = [own, other].map(|color| color.map(f32::from));
        PremultipliedColor::nearest(mixture(own, other, share)).0
    }

    /// The largest squared distance of a color from a mixture that it may be.
    fn tolerance_sq(&self) -> f32 {
        let apart = f32::from(self.grain.apart);
        // Luma is one channel. In noise, three differ at once; this is the 99th percentile.
        if self.grain.has_coarse_colors { apart * apart } else { 2.0 * apart * apart }
    }

    /// The color in the coordinates in which distances are measured.
    #[inline(never)]
    fn coordinates(&self, color: [u8; 4]) -> Channels {
        let color = color.map(f32::from);
        if !self.grain.has_coarse_colors {
            return color;
        }
        let ([r, _, b, alpha], luma) = (color, luma(color));
        [luma, (b - luma) / f32::from(CHROMA_PER_LUMA), (r - luma) / f32::from(CHROMA_PER_LUMA), alpha]
    }
}

/// For each of four colors, zero if no channel differs by more than `most` from that of another color.
fn beyond(color: [u8; 4], four: u8x16, most: u8) -> u32x4 {
    let color: u8x16 = bytemuck::cast([color; 4]);
    // One of the two is 0.
    let apart = color.saturating_sub(four) | four.saturating_sub(color);
    bytemuck::cast(apart.saturating_sub(u8x16::splat(most)))
}
