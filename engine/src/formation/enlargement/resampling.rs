//! The linear map by which a row or column was enlarged, and its inverse.

use std::iter::StepBy;
use std::ops::Range;

use wide::f32x4;

use super::super::kernel::KernelTable;
use super::super::palette::Palette;
use crate::color::Channels;

/// Weight of a pixel that is cut at the limit of a color, beside one that is not: what was cut off is not known.
///
/// Unit: share (ratio). Source: a compromise of 0.01, 0.03, 0.1 and 0.3: less is better for some exact copies, more for noisy ones.
const WEIGHT_WHERE_CUT: f32 = 0.1;

/// The map from source pixels to pixels of an enlarged row.
pub(crate) struct Resampling {
    /// Source pixels that an enlarged pixel is made of.
    taps: usize,
    /// For each enlarged pixel, the first of them.
    firsts: Vec<usize>,
    /// For each enlarged pixel, their weights.
    weights: Vec<f32>,
    /// For each source pixel, the enlarged pixel nearest to it.
    nearest: Vec<usize>,
}

impl Resampling {
    /// The map to `pixels` of a row that had `source` pixels and has `enlarged` ones. There must be more source pixels than a kernel
    /// reaches. The source may be assumed by a `shift` to the left of where programs put it, in source pixels.
    pub fn new(
        kernel: &KernelTable,
        (source, enlarged): (usize, usize),
        shift: f32,
        pixels: StepBy<Range<usize>>,
    ) -> Self {
        let taps = 2 * kernel.radius;
        let count = pixels.len();
        let (mut firsts, mut weights) = (Vec::with_capacity(count), Vec::with_capacity(count * taps));
        let mut nearest = Vec::with_capacity(source.min(count + taps));
        for x in pixels {
            // From half a pixel left of the source's first center, so that it is positive.
            let passed = ((2 * x + 1) * source) as f64 / (2 * enlarged) as f64 + f64::from(shift);
            let center = passed - 0.5;
            let first = ((center + 1.0) as usize).saturating_sub(kernel.radius).min(source - taps);
            let offset = (center - first as f64) as f32;
            firsts.push(first);
            weights.extend((0..taps).map(|k| kernel.weight(offset - k as f32)));
            let own = weights.len() - taps..;
            let scale = 1.0 / weights[own.clone()].iter().sum::<f32>();
            weights[own].iter_mut().for_each(|weight| *weight *= scale);
            while nearest.len() <= passed as usize - firsts[0] {
                nearest.push(firsts.len() - 1);
            }
        }
        let skipped = firsts[0];
        firsts.iter_mut().for_each(|first| *first -= skipped);
        nearest.resize(firsts[count - 1] + taps, count - 1);
        Resampling { taps, firsts, weights, nearest }
    }

    /// How many enlarged pixels there are.
    pub fn enlarged_len(&self) -> usize {
        self.firsts.len()
    }

    /// The color of an enlarged pixel.
    fn enlarged(&self, source: &[f32x4], index: usize) -> f32x4 {
        let weights = &self.weights[index * self.taps..][..self.taps];
        let parts = source[self.firsts[index]..].iter().zip(weights);
        parts.fold(f32x4::ZERO, |sum, (&color, &weight)| sum + color * f32x4::splat(weight))
    }
}

/// Finds the source of an enlarged row; keeps its buffers from row to row.
#[derive(Default)]
pub(crate) struct Inverse {
    /// The source of the last row.
    pub source: Vec<f32x4>,
    equations: Equations,
}

impl Inverse {
    /// Sets `source` to what, enlarged, is nearest to `line`. Starts from the nearest pixels, and corrects where these are wrong.
    #[inline(never)]
    pub fn find(&mut self, map: &Resampling, line: &[f32x4]) {
        self.source.clear();
        self.source.extend(map.nearest.iter().map(|&index| line[index]));
        let mut wrong = 0..0;
        for (index, &first) in map.firsts.iter().enumerate() {
            if is_flat(&self.source[first..first + map.taps], line[index]) {
                continue;
            }
            if first >= wrong.end {
                self.equations.correct(map, line, &mut self.source, wrong);
                wrong = first..first;
            }
            // What is left of here was not corrected yet.
            // Less is rounding.
            let error = error(line[index], map.enlarged(&self.source, index));
            if error.abs().simd_gt(f32x4::splat(0.5)).any() {
                wrong.end = first + map.taps;
            }
        }
        self.equations.correct(map, line, &mut self.source, wrong);
    }

    /// Finds the source of a row in the colors of a palette again: where the last one gives a color to which none of them is nearer than that
    /// seen, nothing was wrong.
    #[inline(never)]
    pub fn find_before(&mut self, palette: &Palette, map: &Resampling, line: &[f32x4]) {
        let before = |(index, &seen): (usize, &f32x4)| {
            let found = map.enlarged(&self.source, index);
            if error_sq(seen, found, Some(palette)) > 0.0 { seen } else { found }
        };
        let before: Vec<_> = line.iter().enumerate().map(before).collect();
        self.find(map, &before);
    }

    /// The squared error of the last row, summed over its pixels and channels, and how many of its pixels are not flat.
    pub fn error_sq(&self, map: &Resampling, line: &[f32x4], palette: Option<&Palette>) -> (f32, usize) {
        let (mut sum, mut count) = (0.0, 0);
        for (index, &first) in map.firsts.iter().enumerate() {
            if !is_flat(&self.source[first..first + map.taps], line[index]) {
                sum += error_sq(line[index], map.enlarged(&self.source, index), palette);
                count += 1;
            }
        }
        (sum, count)
    }
}

/// Whether all sources have one color, and it shows.
fn is_flat(sources: &[f32x4], color: f32x4) -> bool {
    sources.iter().all(|source| source.simd_eq(color).all())
}

/// How far a color seen lies from one found.
fn error(seen: f32x4, found: f32x4) -> f32x4 {
    seen - shown(seen, found)
}

/// What is seen of a color found. Programs cut overshoot off at the limits of a color: beyond these, nothing is wrong.
fn shown(seen: f32x4, found: f32x4) -> f32x4 {
    found.fast_max(f32x4::ZERO).fast_min(limit(seen))
}

/// The squared error, less what the nearest color of a palette leaves of it.
#[inline(never)]
fn error_sq(seen: f32x4, found: f32x4, palette: Option<&Palette>) -> f32 {
    let shown = shown(seen, found);
    // Summed up as for the palette, so that nothing is left if the color seen is the nearest.
    let [r, g, b, alpha] = ((seen - shown) * (seen - shown)).to_array();
    r + g + b + alpha - palette.map_or(0.0, |palette| palette.least_distance_sq(shown.to_array()))
}

/// The largest values that the channels of a premultiplied color can have: its alpha, and full alpha.
fn limit(color: f32x4) -> f32x4 {
    let [_, _, _, alpha]: Channels = color.to_array();
    f32x4::new([alpha, alpha, alpha, 255.0])
}

/// The normal equations of some source pixels in a row, which are banded.
#[derive(Default)]
struct Equations {
    /// For each source pixel a row: its diagonal, then what is to the left of it. After factorizing by Cholesky's method, the diagonal is
    /// inverted.
    rows: Vec<f32>,
    /// The right-hand side, then the solution.
    sides: Vec<f32x4>,
}

impl Equations {
    /// Corrects a stretch of the source. Sources outside stay.
    fn correct(&mut self, map: &Resampling, line: &[f32x4], source: &mut [f32x4], wrong: Range<usize>) {
        if wrong.is_empty() {
            return;
        }
        let from = map.firsts.partition_point(|&first| first + map.taps <= wrong.start);
        let to = map.firsts.partition_point(|&first| first < wrong.end);
        self.rows.clear();
        self.rows.resize(wrong.len() * map.taps, 0.0);
        let mut is_any_cut = false;
        for round in 0..2 {
            self.sides.clear();
            self.sides.resize(wrong.len(), f32x4::ZERO);
            for (index, &color) in line.iter().enumerate().take(to).skip(from) {
                let [r, g, b, alpha] = color.to_array();
                // Linear interpolation does not overshoot.
                let is_cut = map.taps > 2 && (r.min(g).min(b) <= 0.0 || r.max(g).max(b) >= alpha);
                is_any_cut |= is_cut;
                let weight = if is_cut { WEIGHT_WHERE_CUT } else { 1.0 };
                let error = error(color, map.enlarged(source, index)) * f32x4::splat(weight);
                self.add(map, index, &wrong, error, if round == 0 { weight } else { 0.0 });
            }
            if round == 0 {
                self.factorize(map.taps);
            }
            self.solve(map.taps);
            for (source, &correction) in source[wrong.clone()].iter_mut().zip(&self.sides) {
                *source = (*source + correction).fast_max(f32x4::ZERO).fast_min(f32x4::splat(255.0));
            }
            // Where the source overshoots is known only now.
            if !is_any_cut {
                break;
            }
        }
    }

    /// Adds an enlarged pixel's error, and its weight.
    fn add(&mut self, map: &Resampling, index: usize, wrong: &Range<usize>, error: f32x4, weight: f32) {
        let (taps, first) = (map.taps, map.firsts[index]);
        let shares = &map.weights[index * taps..][..taps];
        let (start, end) = (wrong.start.max(first), wrong.end.min(first + taps));
        // The part of the weights whose sources are corrected.
        let shares = &shares[start - first..end - first];
        let at = start - wrong.start;
        for (side, &share) in self.sides[at..].iter_mut().zip(shares) {
            *side += error * f32x4::splat(share);
        }
        if weight == 0.0 {
            return;
        }
        for (k, (row, &share)) in self.rows[at * taps..].chunks_exact_mut(taps).zip(shares).enumerate() {
            let share = weight * share;
            for (sum, &other) in row.iter_mut().zip(shares[..=k].iter().rev()) {
                *sum += share * other;
            }
        }
    }

    fn factorize(&mut self, taps: usize) {
        // Beside the weights, little enough to move no source by a level: so that sources that hardly show have a solution.
        let ridge = WEIGHT_WHERE_CUT / 100.0;
        let rows = &mut self.rows;
        for i in 0..rows.len() / taps {
            let reach = i.min(taps - 1);
            for k in (0..=reach).rev() {
                let column = (i - k) * taps;
                let mut sum = rows[i * taps + k];
                for m in k + 1..=reach {
                    sum -= rows[i * taps + m] * rows[column + m - k];
                }
                rows[i * taps + k] = match k {
                    0 => 1.0 / (sum + ridge).max(ridge).sqrt(),
                    _ => sum * rows[column],
                };
            }
        }
    }

    fn solve(&mut self, taps: usize) {
        let sides = &mut self.sides;
        for i in 0..sides.len() {
            let row = &self.rows[i * taps..][..taps];
            let mut sum = sides[i];
            for k in 1..=i.min(taps - 1) {
                sum -= sides[i - k] * f32x4::splat(row[k]);
            }
            sides[i] = sum * f32x4::splat(row[0]);
        }
        for i in (0..sides.len()).rev() {
            let row = &self.rows[i * taps..][..taps];
            sides[i] *= f32x4::splat(row[0]);
            for k in 1..=i.min(taps - 1) {
                let known = sides[i] * f32x4::splat(row[k]);
                sides[i - k] -= known;
            }
        }
    }
}
