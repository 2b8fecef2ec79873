//! The fewest tangent-continuous cubics along a smooth stretch of an outline, by dynamic programming over its stops.

use super::cubic::{Cubic, CubicTolerance};
use super::cubic_error::CubicSamples;
use super::stretch::{Knot, Stretch, turn_between_deg};
use crate::fit::sampled::{Bound, FIT_RMS_NOISE, SampledOutline, Vector, parabola};

/// RMS distance allowed to a cubic: its own error, invisible at this size, and the noise, whose RMS over
/// two dozen samples scatters by 14 percent; their squares add. A splice threshold above the default asks for longer
/// curves at the cost of likeness: up to this factor at 180 degrees.
const CHAIN_RMS_PX: f64 = 0.045;
const CHAIN_RMS_SPLICE: f64 = 2.5;
const SPLICE_DEFAULT_DEG: f64 = 45.0;
/// A cubic turning by more than this is badly conditioned.
const MOST_TURN_DEG: f64 = 170.0;
/// The cost of a cubic: a fixed part, a part for a large splice threshold, a part for turning by less than the
/// threshold, and one for the error it leaves; an unavoidable one out of tolerance costs the most.
const COST_FIXED: f64 = 0.04;
const COST_SPLICE_PER_DEG: f64 = 0.4 / SPLICE_DEFAULT_DEG;
const COST_SHORT_TURN: f64 = 0.5;
const COST_ERROR: f64 = 0.5;
const COST_OUTSIDE: f64 = 4.0;
/// A stretch of fewer samples than twice this is not divided.
const FEWEST_BETWEEN: usize = 4;
/// From a stop whence a cubic leaves the tolerance by this factor, none is tried to a later stop.
const BEYOND_SQ: f64 = 1.5 * 1.5;
/// Reach of the parabola that gives a stop its tangent, px: at least, at most, and per pixel of noise.
const TANGENT_REACH_PX: f64 = 2.0;
const TANGENT_REACH_MOST_PX: f64 = 4.0;
const TANGENT_REACH_NOISE: f64 = 20.0;
const TANGENT_REACH_LEAST_NOISE: f64 = 10.0;
/// And a part of the neighboring sides' length, which shrinks with the radius of curvature.
const TANGENT_REACH_OF_SIDE: f64 = 0.7;

/// A stop at a vertex of the polygon; `low` and `high` bound the samples of its smooth stretch.
pub(crate) fn knot_at(
    samples: &SampledOutline,
    index: usize,
    side_px: f64,
    (low, high): (usize, usize),
) -> Knot {
    let most = TANGENT_REACH_MOST_PX + TANGENT_REACH_NOISE * samples.noise_px;
    let reach = (TANGENT_REACH_OF_SIDE * side_px)
        .at_least(TANGENT_REACH_PX + TANGENT_REACH_LEAST_NOISE * samples.noise_px)
        .at_most(most);
    let center = samples.at(index);
    let within = |other: usize| (samples.at(other) - center).length_sq() <= reach * reach;
    let (mut first, mut last) = (index, index);
    while first > low && last < high && within(first - 1) && within(last + 1) {
        first -= 1;
        last += 1;
    }
    if last < index + 2 {
        first = index.saturating_sub(2).max(low);
        last = (index + 2).min(high);
    }
    let local = parabola(samples, first, last, index);
    Knot { index, point: local.at(0.0), tangent: local.direction(0.0) }
}

/// The cheapest way to a stop: its cost, where its last cubic starts, and that one's handles, if it was fitted.
struct KnotChoice {
    cost: f64,
    start: usize,
    handles: Option<(f64, f64)>,
}

/// Searches the smooth stretches of an outline, one after the other.
pub(crate) struct CubicChainSearch<'a> {
    samples: &'a SampledOutline,
    splice_deg: f64,
    allowed: CubicTolerance,
    /// First and last sample of a stretch that are believed.
    believed: (usize, usize),
    /// Start and end, and the cubic between them, that was fitted to see whether it goes on.
    tried: Option<(usize, usize, Cubic)>,
    scratch: &'a mut CubicChainScratch,
}

/// What searches need room for: the same serves for all of them.
#[derive(Default)]
pub(crate) struct CubicChainScratch {
    cubic_samples: CubicSamples,
    /// The stops that a way leads to, and the cheapest way to each.
    knots: Vec<Knot>,
    best: Vec<KnotChoice>,
    /// Those whence a cubic may reach farther than to the next, in order.
    starts: Vec<usize>,
    /// The stops beyond, the next one last.
    waiting: Vec<Knot>,
    path: Vec<[Vector; 4]>,
}

impl<'a> CubicChainSearch<'a> {
    pub fn new(samples: &'a SampledOutline, splice_deg: f64, scratch: &'a mut CubicChainScratch) -> Self {
        let allowed = CubicTolerance::new(allowed_sq(samples.noise_px, splice_deg));
        scratch.waiting.clear();
        CubicChainSearch { samples, splice_deg, allowed, believed: (0, 0), tried: None, scratch }
    }

    /// Adds a stop to those of the next stretch, in order.
    pub fn add(&mut self, knot: Knot) {
        self.scratch.waiting.push(knot);
    }

    /// The controls of the cubics through some of the stops added, from the first to the last. `believed`: first and last sample that
    /// are.
    pub fn cubics(&mut self, believed: (usize, usize)) -> &[[Vector; 4]] {
        self.believed = believed;
        self.scratch.waiting.reverse();
        self.scratch.knots.clear();
        self.scratch.best.clear();
        self.scratch.starts.clear();
        self.tried = None;
        self.scratch.knots.extend(self.scratch.waiting.pop());
        self.scratch.best.push(KnotChoice { cost: 0.0, start: 0, handles: None });
        while self.advance() {}
        self.trail();
        &self.scratch.path
    }

    /// Finds the cheapest way to the next stop, or puts one halfway before it where a cubic from the stop before leaves the tolerance.
    fn advance(&mut self) -> bool {
        let Some(to) = self.scratch.waiting.pop() else { return false };
        let last = self.scratch.knots.len() - 1;
        let from = self.scratch.knots[last];
        let mut step = None;
        if to.index >= from.index + 2 * FEWEST_BETWEEN && !self.goes_on(last, &to) {
            let fitted = self.candidate(&from, &to);
            if self.allowed.part_sq(&fitted) > 1.0 {
                let middle = (from.index + to.index) / 2;
                let half_px = 0.5 * (to.point - from.point).length();
                self.scratch.waiting.push(to);
                self.scratch.waiting.push(knot_at(self.samples, middle, half_px, self.believed));
                return true;
            }
            step = Some(fitted);
        }
        let only = KnotChoice { cost: 0.0, start: last, handles: step.map(|step| step.handles) };
        let mut choice = if self.is_whole(last) { only } else { self.long(&to) };
        let before =
            self.scratch.best[last].cost + self.cost(turn_between_deg(&from, &to).abs(), self.is_whole(last));
        if before < choice.cost {
            let step = step.unwrap_or_else(|| self.candidate(&from, &to));
            let cost = before + self.cost_of_error(&step);
            if cost < choice.cost {
                choice = KnotChoice { cost, start: last, handles: Some(step.handles) };
            }
        }
        self.scratch.knots.push(to);
        self.scratch.best.push(choice);
        self.scratch.starts.push(last);
        true
    }

    /// Whether the cubic that leads to the stop before may lead on to the next: then nothing is missing between the two.
    fn goes_on(&mut self, last: usize, to: &Knot) -> bool {
        let start = self.scratch.best[last].start;
        let from = self.scratch.knots[start];
        if !self.scratch.starts.contains(&start) || turn_between_deg(&from, to).abs() > MOST_TURN_DEG {
            return false;
        }
        let fitted = self.candidate(&from, to);
        self.tried = Some((start, to.index, fitted));
        self.allowed.part_sq(&fitted) <= 1.0
    }

    /// The cheapest way to a stop whose last cubic does not start at the stop before. The longest cubics come first: with them the rest
    /// of the way costs least, and most of the others need not be fitted.
    fn long(&mut self, to: &Knot) -> KnotChoice {
        let least = self.cost(f64::INFINITY, false);
        let mut choice = KnotChoice { cost: f64::INFINITY, start: 0, handles: None };
        let mut starts = std::mem::take(&mut self.scratch.starts);
        starts.retain(|&start| {
            let before = self.scratch.best[start].cost;
            if before + least >= choice.cost {
                return true;
            }
            let from = self.scratch.knots[start];
            let turn = turn_between_deg(&from, to).abs();
            let before = before + self.cost(turn, self.is_whole(start));
            if before >= choice.cost {
                return true;
            }
            if turn > MOST_TURN_DEG {
                return false;
            }
            let fitted = match self.tried {
                Some((tried, index, fitted)) if (tried, index) == (start, to.index) => fitted,
                _ => self.candidate(&from, to),
            };
            let part_sq = self.allowed.part_sq(&fitted);
            let cost = before + self.cost_of_error(&fitted);
            if part_sq <= 1.0 && cost < choice.cost {
                choice = KnotChoice { cost, start, handles: Some(fitted.handles) };
            }
            part_sq <= BEYOND_SQ
        });
        self.scratch.starts = starts;
        choice
    }

    /// Whether a cubic from a stop to the one looked at is all.
    fn is_whole(&self, start: usize) -> bool {
        start == 0 && self.scratch.waiting.is_empty()
    }

    fn candidate(&mut self, from: &Knot, to: &Knot) -> Cubic {
        let stretch = Stretch { samples: self.samples, from, to, believed: self.believed };
        stretch.candidate(&mut self.scratch.cubic_samples, &self.allowed)
    }

    /// What a cubic costs that leaves no error.
    fn cost(&self, turn_deg: f64, whole: bool) -> f64 {
        let splice_deg = self.splice_deg;
        let short = if turn_deg < splice_deg && !whole { COST_SHORT_TURN } else { 0.0 };
        COST_FIXED + COST_SPLICE_PER_DEG * splice_deg.at_most(SPLICE_DEFAULT_DEG) + short
    }

    fn cost_of_error(&self, fitted: &Cubic) -> f64 {
        let outside = if self.allowed.part_sq(fitted) > 1.0 { COST_OUTSIDE } else { 0.0 };
        outside + COST_ERROR * self.allowed.mean_part_sq(fitted).at_most(4.0)
    }

    /// Walks back from the last stop to the first; what was but a candidate is fitted to the end.
    fn trail(&mut self) {
        self.scratch.path.clear();
        let mut end = self.scratch.knots.len() - 1;
        while end > 0 {
            let KnotChoice { start, handles, .. } = self.scratch.best[end];
            let (from, to) = (&self.scratch.knots[start], &self.scratch.knots[end]);
            let stretch = Stretch { samples: self.samples, from, to, believed: self.believed };
            self.scratch
                .path
                .push(stretch.controls(&stretch.cubic(&mut self.scratch.cubic_samples, handles)));
            end = start;
        }
        self.scratch.path.reverse();
    }
}

fn allowed_sq(noise_px: f64, splice_deg: f64) -> f64 {
    let noise = FIT_RMS_NOISE * noise_px;
    let beyond = ((splice_deg - SPLICE_DEFAULT_DEG) / (180.0 - SPLICE_DEFAULT_DEG)).max(0.0);
    let longer = 1.0 + (CHAIN_RMS_SPLICE - 1.0) * beyond;
    (CHAIN_RMS_PX * CHAIN_RMS_PX + noise * noise) * (longer * longer)
}
