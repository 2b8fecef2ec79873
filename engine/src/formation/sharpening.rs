//! Recognizes pictures that were sharpened.
//!
//! An unsharp mask adds to each pixel, by some amount, what it has more than the mean of those around. So edges get rims: on both sides, colors
//! go beyond those of the paints. Across an edge between two pixels' areas, the share of the second color at a distance d is
//! Φ(d/σ₀) + amount · (Φ(d/σ₀) − Φ(d/σ₁)), where σ₀ is the deviation of a pixel's area, and σ₁² − σ₀² the square of the mask's. For each mask,
//! the best amount follows from the mean of all edges; the mask from which amount leaves least. Where each edge lies is found in turn.
//!
//! Of an enlarged picture, the mask is measured at the size that it had before, where edges are as sharp as that.

use super::kernel::normal_weights;
use super::profile::{Crossing, Sample, sampled_lines};
use crate::raster::Pixels;

/// How far colors go beyond those of the paints, at least.
///
/// Unit: percent of the difference of the paints. Source: rounding makes 1.6 at the least contrast.
const LEAST_RIM_PERCENT: u8 = 2;

/// How many edges with rims there must be.
///
/// Unit: count. Source: as many as tell a [blur](super::EdgeWidth).
const FEWEST_EDGES: usize = 8;

/// How many edges have rims for each that has none, at least.
///
/// Unit: count. Source: ten sharpened drawings have 7 and more, and 3 if they were enlarged before; clean ones mostly less than 0.2.
const RIMMED_PER_PLAIN: usize = 2;

/// How many changes of color there are for each edge with rims, at most.
///
/// Unit: count. Source: bounds the time in pictures without flat colors.
const CHANGES_PER_RIMMED: usize = 64;

/// How many edges the mask explains for each other one, at least, in a picture that was not enlarged.
///
/// Unit: count. Source: ten sharpened drawings have 3.5 and more; of 312 clean ones, two have rims, and 1.7 and less.
const EXPLAINED_PER_OTHER: usize = 3;

/// The squared error of an edge is smaller by this factor than its rims if the mask explains these.
///
/// Unit: count. Source: chosen: half of each rim.
const RIM_PER_ERROR: u8 = 4;

/// Distances are counted in this part of a pixel.
///
/// Unit: count. Source: finer than the mask.
const DISTANCE_PARTS: i16 = 4;

/// How far from an edge colors are looked at.
///
/// Unit: pixels. Source: three deviations of the widest mask.
const REACH: usize = 12;

/// The deviation of a mask is found to this part of a pixel.
///
/// Unit: count. Source: a step changes the amount by a tenth.
const MASK_PARTS: u8 = 16;

/// The deviations of masks that are looked for.
///
/// Unit: parts of [`MASK_PARTS`]. Source: a quarter of a pixel to four; wider masks make glows, not rims.
const MASKS: std::ops::RangeInclusive<u8> = 4..=64;

/// How often the mask and the places of edges are found in turn.
///
/// Unit: count. Source: the fourth time changes the amount by 2 % and less.
const ROUNDS: usize = 4;

/// How a picture was sharpened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharpening {
    /// How much of what a pixel had more than the mean of those around was added to it.
    pub amount: f32,
    /// The standard deviation of the weights of those around, in pixels.
    pub deviation_px: f32,
    /// Whether this explains nearly all edges.
    pub is_sure: bool,
}

impl Sharpening {
    /// `None` if most edges have no rims.
    #[inline(never)]
    pub fn of(pixels: &Pixels<'_>) -> Option<Self> {
        let (mut rimmed, plain) = edges(pixels)?;
        if rimmed.len() < FEWEST_EDGES.max(RIMMED_PER_PLAIN * plain) {
            return None;
        }
        let normal = NormalShare::new();
        let mut found = Sharpening::nearest(&rimmed, &normal);
        for _ in 1..ROUNDS {
            for edge in &mut rimmed {
                let aside = found.nearest_place(edge, &normal);
                edge.iter_mut().for_each(|sample| sample.distance -= aside);
            }
            found = Sharpening::nearest(&rimmed, &normal);
        }
        let explained = rimmed.iter().filter(|edge| found.explains(edge, &normal)).count();
        found.is_sure = explained >= EXPLAINED_PER_OTHER * (rimmed.len() + plain - explained);
        Some(found)
    }

    /// The one that explains best the mean of all edges, both sides in one.
    #[inline(never)]
    fn nearest(edges: &[Vec<Sample>], normal: &NormalShare) -> Self {
        let mut bins = [[0.0f32; 3]; DISTANCE_PARTS as usize * REACH];
        for &Sample { distance, share } in edges.iter().flatten() {
            let share = if distance < 0.0 { 1.0 - share } else { share };
            if let Some(bin) = bins.get_mut((distance.abs() * f32::from(DISTANCE_PARTS)) as usize) {
                *bin = [bin[0] + 1.0, bin[1] + distance.abs(), bin[2] + share];
            }
        }
        let (mut least, mut best) = (f32::INFINITY, None);
        for deviation_px in MASKS.map(|k| f32::from(k) / f32::from(MASK_PARTS)) {
            let mut found = Sharpening { amount: 1.0, deviation_px, is_sure: false };
            let [mut products, mut squares, mut rest_sq] = [0.0f32; 3];
            for [count, distance, share] in bins.iter().filter(|bin| bin[0] > 0.0) {
                let [distance, share] = [distance, share].map(|sum| sum / count);
                let plain = normal.plain(distance);
                let (rim, way) = (share - plain, found.share(distance, normal) - plain);
                products += count * rim * way;
                squares += count * way * way;
                rest_sq += count * rim * rim;
            }
            found.amount = (products / squares.max(f32::EPSILON)).max(0.0);
            rest_sq -= found.amount * products;
            if rest_sq < least {
                (least, best) = (rest_sq, Some(found));
            }
        }
        best.unwrap_or(Sharpening { amount: 0.0, deviation_px: 1.0, is_sure: false })
    }

    /// The share of the second color at a distance from an edge.
    #[inline(never)]
    fn share(&self, distance: f32, normal: &NormalShare) -> f32 {
        let away = distance.abs();
        let plain = normal.plain(away);
        let share = plain + self.amount * (plain - normal.blurred(away, self.deviation_px));
        if distance < 0.0 { 1.0 - share } else { share }
    }

    #[inline(never)]
    fn error_sq(&self, edge: &[Sample], aside: f32, normal: &NormalShare) -> f32 {
        let error = |sample: &Sample| self.share(sample.distance - aside, normal) - sample.share;
        edge.iter().map(|sample| error(sample) * error(sample)).sum()
    }

    /// How far an edge lies beside where it was thought to lie.
    #[inline(never)]
    fn nearest_place(&self, edge: &[Sample], normal: &NormalShare) -> f32 {
        let places =
            (-DISTANCE_PARTS..=DISTANCE_PARTS).map(|k| 0.5 * f32::from(k) / f32::from(DISTANCE_PARTS));
        let errors = places.map(|aside| (self.error_sq(edge, aside, normal), aside));
        errors.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |best| best.1)
    }

    fn explains(&self, edge: &[Sample], normal: &NormalShare) -> bool {
        let beyond = |share: f32| share - share.clamp(0.0, 1.0);
        let rims_sq: f32 = edge.iter().map(|sample| beyond(sample.share) * beyond(sample.share)).sum();
        let error_sq = self.error_sq(edge, self.nearest_place(edge, normal), normal);
        f32::from(RIM_PER_ERROR) * error_sq < rims_sq
    }
}

/// The edges that have rims, and how many have none. `None` as soon as there are clearly too few.
fn edges(pixels: &Pixels<'_>) -> Option<(Vec<Vec<Sample>>, usize)> {
    let (mut rimmed, mut plain, mut changes) = (Vec::new(), 0, 0);
    for line in sampled_lines(pixels) {
        let mut from = 0;
        while let Some(i) = line.next_change(from) {
            from = i + 1;
            changes += 1;
            match line.crossing(i) {
                Some(edge) if has_rims(&edge) => rimmed.push(edge.samples().collect()),
                Some(_) => plain += 1,
                None => {}
            }
            let likely = FEWEST_EDGES.max(rimmed.len());
            if plain >= 2 * likely || changes >= CHANGES_PER_RIMMED * likely {
                return None;
            }
        }
    }
    Some((rimmed, plain))
}

/// Whether an edge has rims on both sides, or, where it was cut off, may have. What goes beyond by the whole difference is a line, in whatever
/// channel, and even if it was cut off.
fn has_rims(edge: &Crossing<'_>) -> bool {
    let farthest = edge.farthest();
    [0, 1].into_iter().all(|side| {
        let percent = 100.0 * farthest[side];
        percent < 100.0 && (edge.is_cut[side] || percent > f32::from(LEAST_RIM_PERCENT))
    })
}

/// How much of a normal distribution lies below a number of deviations.
struct NormalShare(Vec<f32>);

/// The variance of places in a pixel, whose edge is as wide.
///
/// Unit: square pixels, one part of so many. Source: that of a uniform distribution.
const PIXELS_PER_VARIANCE: u8 = 12;

impl NormalShare {
    /// Steps of the table for each deviation.
    ///
    /// Unit: count. Source: between two, it is linear to a part in 10,000.
    const STEPS: u8 = 32;

    fn new() -> Self {
        let weights = normal_weights(Self::STEPS.into());
        let mut below = 0.5 - 0.5 * weights[0];
        let share = |weight: f32| {
            below += weight;
            below - 0.5 * weight
        };
        NormalShare(weights.into_iter().map(share).collect())
    }

    /// The share of the second color at a distance from an edge between two pixels' areas.
    fn plain(&self, distance: f32) -> f32 {
        self.blurred(distance, 0.0)
    }

    /// The same after a blur.
    #[inline(never)]
    fn blurred(&self, distance: f32, deviation_px: f32) -> f32 {
        let variance = 1.0 / f32::from(PIXELS_PER_VARIANCE) + deviation_px * deviation_px;
        self.below(distance / variance.sqrt())
    }

    /// `deviations`: not negative.
    fn below(&self, deviations: f32) -> f32 {
        let at = deviations * f32::from(Self::STEPS);
        match self.0[(at as usize).min(self.0.len() - 1)..] {
            [near, far, ..] => near + (far - near) * (at - (at as usize) as f32),
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 96;

    /// How much two overlapping disks cover of each pixel.
    fn drawn() -> Vec<f64> {
        let covers = |x: f64, y: f64| (x - 38.3).hypot(y - 41.7) < 23.2 || (x - 61.4).hypot(y - 60.2) < 21.8;
        let at = |i: usize, k: usize| i as f64 + (k as f64 + 0.5) / 8.0;
        let pixel = |i: usize| (0..64).filter(|k| covers(at(i % SIDE, k % 8), at(i / SIDE, k / 8))).count();
        (0..SIDE * SIDE).map(|i| pixel(i) as f64 / 64.0).collect()
    }

    /// The picture in two grays, and what an unsharp mask makes of it.
    fn sharpened(grays: [f64; 2], amount: f64, deviation: f64) -> Vec<[u8; 4]> {
        let plane: Vec<f64> = drawn().iter().map(|share| grays[0] + share * (grays[1] - grays[0])).collect();
        let weight = |k: i32| (-f64::from(k * k) / (2.0 * deviation * deviation)).exp();
        let all: f64 = (-12..=12).map(weight).sum();
        let mean = |from: &[f64], (dx, dy): (i32, i32)| -> Vec<f64> {
            let clamped = |v: usize, d: i32| (v as i32 + d).clamp(0, SIDE as i32 - 1) as usize;
            let at = |i: usize, k: i32| clamped(i / SIDE, k * dy) * SIDE + clamped(i % SIDE, k * dx);
            (0..from.len()).map(|i| (-12..=12).map(|k| weight(k) * from[at(i, k)] / all).sum()).collect()
        };
        let means = mean(&mean(&plane, (1, 0)), (0, 1));
        let colors = plane.iter().zip(means).map(|(value, mean)| value + amount * (value - mean));
        colors.map(|value| [(value + 0.5).clamp(0.0, 255.0) as u8, 90, 90, 255]).collect()
    }

    fn found(data: &mut [[u8; 4]]) -> Option<Sharpening> {
        Sharpening::of(&Pixels { width: SIDE, height: SIDE, data })
    }

    #[test]
    fn the_mask_is_measured_even_where_one_side_was_cut_off() {
        for (grays, narrow) in [([90.0, 160.0], 1.0), ([150.0, 255.0], 1.5)] {
            for (amount, deviation) in [(0.5, narrow), (0.8, 2.0), (1.2, 1.5), (1.5, narrow)] {
                let found = found(&mut sharpened(grays, amount, deviation)).expect("rims");
                let close = |found: f32, drawn: f64| (f64::from(found) / drawn - 1.0).abs() < 0.25;
                let is_close = close(found.amount, amount) && close(found.deviation_px, deviation);
                assert!(found.is_sure && is_close, "{found:?} of {amount}, {deviation}, {grays:?}");
            }
        }
    }

    #[test]
    fn sharp_and_blurred_edges_have_no_rims() {
        for amount in [0.0, -0.5, -1.0] {
            assert!(found(&mut sharpened([90.0, 160.0], amount, 1.2)).is_none(), "{amount}");
        }
    }

    /// A dark line along an edge looks like a rim on one side.
    #[test]
    fn outlines_are_no_rims() {
        let mut data: Vec<_> = drawn()
            .iter()
            .map(|share| {
                let outline = 1.0 - (2.0 * share - 1.0).abs();
                [(200.0 - 60.0 * share - 120.0 * outline) as u8, 80, 80, 255]
            })
            .collect();
        assert!(found(&mut data).is_none_or(|found| !found.is_sure));
    }

    /// In one channel alone, a black line along white, where colors are cut off, might be a rim.
    #[test]
    fn black_outlines_beside_white_are_no_rims() {
        let mut data: Vec<_> = drawn()
            .iter()
            .map(|share| {
                let paint = if *share < 0.5 { [255.0; 3] } else { [193.0, 154.0, 101.0] };
                let [r, g, b] = paint.map(|level| (level * (2.0 * share - 1.0).abs() + 0.5) as u8);
                [r, g, b, 255]
            })
            .collect();
        assert!(found(&mut data).is_none());
    }
}
