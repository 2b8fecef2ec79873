//! Recognizes pictures that were sharpened.
//!
//! An unsharp mask adds to each pixel, by some amount, what it has more than the mean of those around it. So an edge gets rims: colors on both
//! sides go beyond those of the paints. Across an edge that a blur of deviation σ₀ has left, the share of the second color at a distance d is
//! Φ(d/σ₀) + amount · (Φ(d/σ₀) − Φ(d/σ₁)), where σ₁² = σ₀² + σ², and σ is the deviation of the mask. For each pair of deviations, the best
//! amount follows from the mean profile of all edges.

use super::kernel::normal_weights;
use super::profile::sampled_lines;
use crate::raster::Pixels;

/// How far colors go beyond those of the paints on both sides of an edge with rims, at least.
///
/// Unit: percent of the difference of the paints.
const LEAST_RIM_PERCENT: u8 = 2;

/// How many edges with rims there must be.
///
/// Unit: count. Source: as many as tell a [blur](super::EdgeWidth).
const FEWEST_EDGES: usize = 8;

/// How many edges have rims on both sides, for each that does not.
const RIMMED_PER_PLAIN: usize = 2;

/// Distances from an edge are counted in such parts.
///
/// Unit: count (parts of a pixel).
const PARTS: i32 = 4;

const ROUNDS: usize = 4;

/// How far from an edge the mask is looked for.
///
/// Unit: pixels.
const REACH: usize = 10;

/// Deviations are tried in such parts.
///
/// Unit: count (parts of a pixel).
const DEVIATION_PARTS: usize = 16;

/// How a picture was sharpened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharpening {
    pub amount: f32,
    /// The deviation of the mask, in pixels.
    pub deviation_px: f32,
    /// Whether it explains nearly all edges.
    pub is_sure: bool,
}

impl Sharpening {
    /// `None` if not nearly all edges have rims.
    pub fn of(pixels: &Pixels<'_>) -> Option<Self> {
        let least = f32::from(LEAST_RIM_PERCENT) / 100.0;
        let mut plain = 0;
        let mut rimmed = Vec::new();
        for line in sampled_lines(pixels) {
            let mut from = 0;
            while let Some(i) = line.next_change(from) {
                from = i + 1;
                let Some(crossing) = line.crossing(i) else { continue };
                let lowest = crossing.shares.iter().fold(0.0f32, |least, share| least.min(share[1]));
                let highest = crossing.shares.iter().fold(1.0f32, |most, share| most.max(share[1]));
                let has = |rim: f32, is_cut: bool| is_cut || (least..1.0).contains(&rim);
                if has(-lowest, crossing.is_cut[0]) && has(highest - 1.0, crossing.is_cut[1]) {
                    rimmed.push(crossing.shares);
                } else {
                    plain += 1;
                }
            }
        }
        if rimmed.len() < FEWEST_EDGES || rimmed.len() < RIMMED_PER_PLAIN * plain {
            return None;
        }
        let normal = NormalShare::new();
        let mut fit = Fit::default();
        let mut explained = 0;
        for _ in 0..ROUNDS {
            fit = Fit::of(&rimmed, &normal);
            explained = 0;
            for shares in &mut rimmed {
                let error_sq = |aside: f32| {
                    let apart = |share: &[f32; 3]| fit.share(share[0] - aside, &normal) - share[1];
                    shares.iter().map(|share| share[2] * apart(share).powi(2)).sum::<f32>()
                };
                let asides = (-PARTS..=PARTS).map(|k| k as f32 / (2 * PARTS) as f32);
                let best = asides.map(|aside| (error_sq(aside), aside)).min_by(|a, b| a.0.total_cmp(&b.0));
                let Some((error_sq, aside)) = best else { continue };
                let beyond = |share: &[f32; 3]| share[2] * (share[1] - share[1].clamp(0.0, 1.0)).powi(2);
                explained += usize::from(4.0 * error_sq < shares.iter().map(beyond).sum());
                shares.iter_mut().for_each(|share| share[0] -= aside);
            }
        }
        let is_sure = explained >= 3 * (rimmed.len() + plain - explained);
        if std::env::var("DBG").is_ok() { eprintln!("rimmed {} plain {plain} explained {explained} {fit:?}", rimmed.len()); }
        (fit.amount > 0.0).then_some(Sharpening { amount: fit.amount, deviation_px: fit.mask, is_sure })
    }
}

#[derive(Debug, Default)]
struct Fit {
    edge: f32,
    mask: f32,
    amount: f32,
}

impl Fit {
    fn share(&self, distance: f32, normal: &NormalShare) -> f32 {
        let wide = (self.edge * self.edge + self.mask * self.mask).sqrt();
        let [here, wide] = [self.edge, wide].map(|deviation| normal.at(distance.abs() / deviation));
        let share = here + self.amount * (here - wide);
        if distance < 0.0 { 1.0 - share } else { share }
    }

    fn of(crossings: &[Vec<[f32; 3]>], normal: &NormalShare) -> Fit {
        let mut bins = [[0.0f32; 3]; PARTS as usize * REACH];
        for &[distance, share, weight] in crossings.iter().flatten() {
            // The other side, turned about the edge.
            let share = if distance < 0.0 { 1.0 - share } else { share };
            if let Some(bin) = bins.get_mut((distance.abs() * PARTS as f32) as usize) {
                *bin = [bin[0] + weight, bin[1] + weight * distance.abs(), bin[2] + weight * share];
            }
        }
        let mut best = (f32::INFINITY, Fit::default());
        let parts = |k: usize| k as f32 / DEVIATION_PARTS as f32;
        for edge in [1.0 / 12.0f32.sqrt()] {
            for mask in (DEVIATION_PARTS / 4..4 * DEVIATION_PARTS).map(parts) {
                let wide = (edge * edge + mask * mask).sqrt();
                let [mut products, mut squares, mut rest] = [0.0; 3];
                for [count, distance, share] in bins.iter().filter(|bin| bin[0] > 0.0) {
                    let [distance, share] = [distance, share].map(|sum| sum / count);
                    let here = normal.at(distance / edge);
                    let (apart, way) = (share - here, here - normal.at(distance / wide));
                    products += count * apart * way;
                    squares += count * way * way;
                    rest += count * apart * apart;
                }
                let amount = products / squares.max(f32::EPSILON);
                let error_sq = rest - amount * products;
                if error_sq < best.0 {
                    best = (error_sq, Fit { edge, mask, amount });
                }
            }
        }
        best.1
    }
}

/// How much of a normal distribution lies below a number of deviations.
struct NormalShare(Vec<f32>);

impl NormalShare {
    /// Steps of the table for each deviation.
    const STEPS: usize = 32;

    fn new() -> Self {
        let weights = normal_weights(Self::STEPS as f32);
        let mut below = 0.5 - 0.5 * weights[0];
        let share = |&weight: &f32| {
            below += weight;
            below - 0.5 * weight
        };
        NormalShare(weights.iter().map(share).collect())
    }

    /// Of no negative number.
    fn at(&self, deviations: f32) -> f32 {
        let at = deviations * Self::STEPS as f32;
        match self.0[(at as usize).min(self.0.len() - 1)..] {
            [near, far, ..] => near + (far - near) * at.fract(),
            _ => 1.0,
        }
    }
}
