//! The fewest tangent-continuous cubics along a smooth stretch: takes its knots, gives the control points of
//! the cubics between some of them, by dynamic programming over the knots.
//!
//! Cutting where the fit is worst, as P. J. Schneider does, takes more segments for the same error.
//!
//! Longest candidates come first, and none is tried from a knot whose cubic exceeds the tolerance by far. A
//! knot is added halfway where a cubic to the next knot exceeds the tolerance.

use super::cubic::{Cubic, CubicTolerance};
use super::cubic_error::Handles;
use super::cubic_samples::CubicSamples;
use super::stretch::{Knot, Stretch, turn_between_deg};
use super::tangent::knot_at;
use crate::fit::sampled::{Bound, FIT_RMS_NOISE, SampleRange, SampledOutline, Vector};

/// The RMS distance from a cubic to the samples up to which it is accepted; its square and that of the noise
/// are added.
///
/// Unit: pixels, RMS. Source: tuned; invisible at this size.
const CHAIN_RMS_PX: f64 = 0.045;

/// The factor by which that distance grows up to a splice threshold of 180 degrees: longer curves at the cost
/// of fidelity.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const CHAIN_RMS_SPLICE: f64 = 2.5;

/// The splice threshold above which curves may leave the samples farther.
///
/// Unit: degrees. Source: the default of the option `spliceThreshold`.
const SPLICE_DEFAULT_DEG: f64 = 45.0;

/// The largest turn of one cubic; with more, the fit is badly conditioned.
///
/// Unit: degrees. Source: tuned; little less than half a turn.
const MAX_TURN_DEG: f64 = 170.0;

/// What each cubic costs for each degree of the splice threshold, up to its default.
///
/// Unit: cost per curve and degree. Source: tuned; no derivation is known.
const COST_SPLICE_PER_DEG: f64 = 0.4 / SPLICE_DEFAULT_DEG;

/// What a cubic that turns by less than the splice threshold costs in addition.
///
/// Unit: cost per curve. Source: tuned; no derivation is known.
const COST_SHORT_TURN: f64 = 0.5;

/// What a cubic costs in addition if its RMS distance is as large as the tolerance.
///
/// Unit: cost per curve, times the squared share of the tolerance. Source: tuned; no derivation is known.
const COST_ERROR: f64 = 0.5;

/// A stretch of fewer samples than twice this is not divided.
///
/// Unit: count (samples). Source: tuned; no derivation is known.
const MIN_SAMPLES_BETWEEN: usize = 4;

/// From a knot whose cubic exceeds the tolerance by this factor, no cubic to a later knot is tried.
///
/// Unit: share of the tolerance (ratio), squared. Source: tuned; no derivation is known.
const BEYOND_SQ: f64 = 1.5 * 1.5;

/// The cheapest chain of cubics to a knot.
struct CheapestChain {
    cost: f64,
    /// The knot where its last cubic starts.
    start: usize,
    /// The handles of its last cubic, if that was fitted.
    handles: Option<Handles>,
}

/// Searches the smooth stretches of an outline, one after the other.
pub(crate) struct CubicChainSearch<'a> {
    samples: &'a SampledOutline,
    splice_deg: f64,
    tolerance: CubicTolerance,
    /// The samples of the stretch that no corner rounds off.
    trusted: SampleRange,
    scratch: &'a mut CubicChainScratch,
}

/// The lists of a search; their memory is reused for the next one.
#[derive(Default)]
pub(crate) struct CubicChainScratch {
    cubic_samples: CubicSamples,
    /// The knots that chains lead to, and the cheapest chain to each.
    knots: Vec<Knot>,
    best: Vec<CheapestChain>,
    /// The knots from which a cubic may reach farther than to the next one, in order.
    starts: Vec<usize>,
    /// The knots beyond, the next one last.
    waiting: Vec<Knot>,
    path: Vec<[Vector; 4]>,
}

impl<'a> CubicChainSearch<'a> {
    pub fn new(samples: &'a SampledOutline, splice_deg: f64, scratch: &'a mut CubicChainScratch) -> Self {
        let tolerance = CubicTolerance::new(tolerance_sq(samples.noise_px, splice_deg));
        scratch.waiting.clear();
        let trusted = SampleRange::new(0, 0);
        CubicChainSearch { samples, splice_deg, tolerance, trusted, scratch }
    }

    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    /// Adds the next knot of the stretch.
    #[inline(never)]
    pub fn add(&mut self, knot: Knot) {
        self.scratch.waiting.push(knot);
    }

    /// The control points of the cubics from the first knot added to the last, through some of those between.
    /// `trusted`: the samples of the stretch that no corner rounds off.
    pub fn cubics(&mut self, trusted: SampleRange) -> &[[Vector; 4]] {
        self.trusted = trusted;
        self.scratch.waiting.reverse();
        self.scratch.knots.clear();
        self.scratch.best.clear();
        self.scratch.starts.clear();
        self.scratch.knots.extend(self.scratch.waiting.pop());
        self.scratch.best.push(CheapestChain { cost: 0.0, start: 0, handles: None });
        while self.advance() {}
        self.trace_back();
        &self.scratch.path
    }

    /// Finds the cheapest chain to the next knot, or adds a knot halfway to it if a cubic from the knot
    /// before exceeds the tolerance. Returns whether there was a next knot.
    fn advance(&mut self) -> bool {
        let Some(to) = self.scratch.waiting.pop() else { return false };
        let last = self.scratch.knots.len() - 1;
        let from = self.scratch.knots[last];
        let mut step = None;
        if to.index >= from.index + 2 * MIN_SAMPLES_BETWEEN {
            let fitted = self.candidate(&from, &to);
            if self.tolerance.share_sq(&fitted) > 1.0 {
                let middle = (from.index + to.index) / 2;
                let half_px = 0.5 * (to.point - from.point).length();
                self.scratch.waiting.push(to);
                self.scratch.waiting.push(knot_at(self.samples, middle, half_px, self.trusted));
                return true;
            }
            step = Some(fitted);
        }
        let only = CheapestChain { cost: 0.0, start: last, handles: step.map(|step| step.handles) };
        let mut choice = if self.is_whole(last) { only } else { self.cheapest_long(&to) };
        let before =
            self.scratch.best[last].cost + self.cost(turn_between_deg(&from, &to).abs(), self.is_whole(last));
        if before < choice.cost {
            let step = step.unwrap_or_else(|| self.candidate(&from, &to));
            let cost = before + self.cost_of_error(&step);
            if cost < choice.cost {
                choice = CheapestChain { cost, start: last, handles: Some(step.handles) };
            }
        }
        self.scratch.knots.push(to);
        self.scratch.best.push(choice);
        self.scratch.starts.push(last);
        true
    }

    /// The cheapest chain to a knot whose last cubic does not start at the knot before. The longest cubics
    /// come first: what leads to their starts costs least, so that most of the others need not be fitted.
    fn cheapest_long(&mut self, to: &Knot) -> CheapestChain {
        let mut choice = CheapestChain { cost: f64::INFINITY, start: 0, handles: None };
        let mut kept = 0;
        for place in 0..self.scratch.starts.len() {
            let start = self.scratch.starts[place];
            if self.try_from(start, to, &mut choice) {
                self.scratch.starts[kept] = start;
                kept += 1;
            }
        }
        self.scratch.starts.truncate(kept);
        choice
    }

    /// Tries the cubic from one knot, if the chain could cost less than `choice`. Returns whether a cubic to a
    /// later knot may be tried from there.
    fn try_from(&mut self, start: usize, to: &Knot, choice: &mut CheapestChain) -> bool {
        let before = self.scratch.best[start].cost;
        if before + self.cost(f64::INFINITY, false) >= choice.cost {
            return true;
        }
        let from = self.scratch.knots[start];
        let turn = turn_between_deg(&from, to).abs();
        let before = before + self.cost(turn, self.is_whole(start));
        if before >= choice.cost {
            return true;
        }
        if turn > MAX_TURN_DEG {
            return false;
        }
        let fitted = self.candidate(&from, to);
        let share_sq = self.tolerance.share_sq(&fitted);
        let cost = before + self.cost_of_error(&fitted);
        if share_sq <= 1.0 && cost < choice.cost {
            *choice = CheapestChain { cost, start, handles: Some(fitted.handles) };
        }
        share_sq <= BEYOND_SQ
    }

    /// Whether a cubic from a knot to the current one spans the whole stretch.
    fn is_whole(&self, start: usize) -> bool {
        start == 0 && self.scratch.waiting.is_empty()
    }

    fn candidate(&mut self, from: &Knot, to: &Knot) -> Cubic {
        let stretch = Stretch { samples: self.samples, from, to, trusted: self.trusted };
        stretch.candidate(&mut self.scratch.cubic_samples, &self.tolerance)
    }

    /// The cost of a cubic without error.
    fn cost(&self, turn_deg: f64, whole: bool) -> f64 {
        let splice_deg = self.splice_deg;
        let short = if turn_deg < splice_deg && !whole { COST_SHORT_TURN } else { 0.0 };
        COST_SPLICE_PER_DEG * splice_deg.at_most(SPLICE_DEFAULT_DEG) + short
    }

    fn cost_of_error(&self, fitted: &Cubic) -> f64 {
        COST_ERROR * self.tolerance.rms_share_sq(fitted).at_most(1.0)
    }

    /// Walks back from the last knot to the first, and fits the chosen candidates to the end.
    fn trace_back(&mut self) {
        self.scratch.path.clear();
        let mut end = self.scratch.knots.len() - 1;
        while end > 0 {
            let CheapestChain { start, handles, .. } = self.scratch.best[end];
            let (from, to) = (&self.scratch.knots[start], &self.scratch.knots[end]);
            let stretch = Stretch { samples: self.samples, from, to, trusted: self.trusted };
            self.scratch
                .path
                .push(stretch.controls(&stretch.cubic(&mut self.scratch.cubic_samples, handles)));
            end = start;
        }
        self.scratch.path.reverse();
    }
}

/// The mean of the squared distances allowed to a cubic.
fn tolerance_sq(noise_px: f64, splice_deg: f64) -> f64 {
    let noise = FIT_RMS_NOISE * noise_px;
    let beyond = ((splice_deg - SPLICE_DEFAULT_DEG) / (180.0 - SPLICE_DEFAULT_DEG)).max(0.0);
    let longer = 1.0 + (CHAIN_RMS_SPLICE - 1.0) * beyond;
    (CHAIN_RMS_PX * CHAIN_RMS_PX + noise * noise) * (longer * longer)
}
