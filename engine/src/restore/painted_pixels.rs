//! The paint of each pixel.

use super::slopes::{slope_of, slopes};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, Mixtures, PremultipliedColor};
use crate::formation::Grain;

/// How many steps a pixel takes at most to its paint.
///
/// Unit: pixels. Source: chroma at half the size reaches 4 pixels; wider edges are not made by compression.
const MOST_STEPS: usize = 8;

/// How far around a pixel's paints compete.
///
/// Unit: pixels. Source: beyond what half-size chroma blurs of two edges side by side.
const NEIGHBORHOOD: usize = 3;

/// Paints that compete.
///
/// Unit: count. Source: three meet at a junction, and one that is none.
const MOST_PAINTS: usize = 4;

/// How much differences of chroma count, of those of luma, where colors are kept at half the size.
///
/// Unit: share (ratio). Source: tuned on JPEG copies of drawings; from 0.05 to 0.25 the results are the same.
const CHROMA_SHARE: f32 = 0.125;

/// A picture whose pixels have the colors of paints.
pub(super) struct PaintedPixels<'a> {
    paints: Vec<[u8; 4]>,
    width: usize,
    grain: &'a Grain,
}

impl<'a> PaintedPixels<'a> {
    /// Finds the paint of each pixel of a picture that was smoothed within paints.
    pub fn of(
        smooth: Vec<[u8; 4]>,
        width: usize,
        grain: &'a Grain,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let mut slopes = slopes(&smooth, width, meter)?;
        let flat = slope_of(grain.range);
        let mut painted = PaintedPixels { paints: smooth, width, grain };
        for (i, slope) in slopes.iter_mut().enumerate() {
            if *slope > flat && painted.is_ridge(i) {
                *slope = 0;
            }
        }
        let is_edge = |i: &usize| slopes[*i] > flat;
        let mut found = Vec::new();
        for y in 0..painted.height() {
            meter.advance(width)?;
            let edge = (y * width..(y + 1) * width).filter(is_edge);
            found.extend(edge.map(|i| (i, painted.paints[painted.descend(&slopes, flat, i)])));
        }
        painted.set(&found);
        meter.advance(painted.paints.len())?;
        let dissolved: Vec<_> = found.iter().filter_map(|&(i, _)| Some((i, painted.dissolved(i)?))).collect();
        painted.set(&dissolved);
        Ok(painted)
    }

    fn set(&mut self, paints: &[(usize, [u8; 4])]) {
        paints.iter().for_each(|&(i, paint)| self.paints[i] = paint);
    }

    fn height(&self) -> usize {
        self.paints.len() / self.width
    }

    /// The pixels within `reach` of one, with it.
    fn around(&self, i: usize, reach: usize) -> impl Iterator<Item = usize> + use<> {
        let (x, y, width) = (i % self.width, i / self.width, self.width);
        let columns = x.saturating_sub(reach)..(x + reach + 1).min(width);
        let rows = y.saturating_sub(reach)..(y + reach + 1).min(self.height());
        rows.flat_map(move |y| columns.clone().map(move |x| y * width + x))
    }

    /// Whether a pixel is lighter or darker than two on opposite sides: part of a line.
    fn is_ridge(&self, i: usize) -> bool {
        let (x, y, width) = (i % self.width, i / self.width, self.width);
        if x == 0 || y == 0 || x + 1 == width || y + 1 == self.height() {
            return false;
        }
        let level = |i: usize| self.coordinates(self.paints[i].map(f32::from));
        let (here, least) = (level(i), f32::from(self.grain.apart));
        [1, width - 1, width, width + 1].iter().any(|&step| {
            let sides = [level(i - step), level(i + step)];
            (0..4).any(|c| {
                let [before, after] = sides.map(|side| here[c] - side[c]);
                before.min(after) > least || before.max(after) < -least
            })
        })
    }

    /// The end of the way down the slope from a pixel.
    fn descend(&self, slopes: &[u16], flat: u16, start: usize) -> usize {
        let mut at = start;
        for _ in 0..MOST_STEPS {
            let lower = self.around(at, 1).filter(|&k| slopes[k] < slopes[at]);
            let cost = |k: usize| (slopes[k].max(flat), apart(self.paints[at], self.paints[k]), k);
            match lower.min_by_key(|&k| cost(k)) {
                Some(next) if slopes[at] > flat => at = next,
                _ => break,
            }
        }
        at
    }

    /// The paint of a pixel instead of a color that is no paint but a mixture of two around, each with more pixels.
    fn dissolved(&self, i: usize) -> Option<[u8; 4]> {
        let own = self.paints[i];
        let mut met = [(own, 0); MOST_PAINTS];
        let mut count = 1;
        for paint in self.around(i, NEIGHBORHOOD).map(|k| self.paints[k]) {
            match met[..count].iter_mut().find(|met| apart(met.0, paint) <= self.grain.apart) {
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
        let (residual_sq, share) = self.project(own.map(f32::from), first.0, second.0);
        let is_mixture = residual_sq <= self.tolerance_sq();
        is_mixture.then_some(if share < 0.5 { first.0 } else { second.0 })
    }

    /// The nearest mixture of a pixel's paint and one beside it to a color, or the color itself if it is far from all.
    pub fn mixture(&self, (x, y): (usize, usize), color: [u8; 4]) -> [u8; 4] {
        let i = y * self.width + x;
        let own = self.paints[i];
        let value = color.map(f32::from);
        let (mut best_sq, _) = self.project(value, own, own);
        let (mut best, mut tried) = ((own, 0.0), own);
        for other in self.around(i, 1).map(|k| self.paints[k]) {
            if other == tried || apart(own, other) <= self.grain.apart {
                continue;
            }
            tried = other;
            let (residual_sq, share) = self.project(value, own, other);
            if residual_sq < best_sq {
                (best_sq, best) = (residual_sq, (other, share));
            }
        }
        if best_sq > self.tolerance_sq() {
            return color;
        }
        let (other, share) = best;
        let [own, other] = [own, other].map(|color| color.map(f32::from));
        PremultipliedColor::nearest(std::array::from_fn(|c| own[c] + share * (other[c] - own[c]))).0
    }

    /// The squared distance of a color from the mixtures of two paints, and the share of the second in the nearest.
    fn project(&self, color: Channels, from: [u8; 4], to: [u8; 4]) -> (f32, f32) {
        let [from, to] = [from, to].map(|paint| self.coordinates(paint.map(f32::from)));
        Mixtures::new(from, to).nearest(self.coordinates(color))
    }

    /// The largest squared distance of a color from a mixture that it may be.
    fn tolerance_sq(&self) -> f32 {
        let apart = f32::from(self.grain.apart);
        // Luma is one channel. In noise, three differ at once; this is the 99th percentile.
        if self.grain.has_coarse_colors { apart * apart } else { 2.0 * apart * apart }
    }

    /// The color in the coordinates in which distances are measured.
    fn coordinates(&self, color: Channels) -> Channels {
        if !self.grain.has_coarse_colors {
            return color;
        }
        let [r, g, b, alpha] = color;
        let luma = 0.299 * r + 0.587 * g + 0.114 * b;
        [luma, CHROMA_SHARE * (b - luma), CHROMA_SHARE * (r - luma), alpha]
    }
}

/// The largest difference in a channel.
fn apart(a: [u8; 4], b: [u8; 4]) -> u8 {
    (0..4).fold(0, |most, c| most.max(a[c].abs_diff(b[c])))
}
