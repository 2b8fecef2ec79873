//! The fewest tangent-continuous cubics along a smooth stretch of an outline, by dynamic programming over its stops.
use super::cubic::{Allowed, Cubic, Looks, Stop, Stretch, turn_between_deg};
use super::local::parabola;
use super::samples::Samples;
use super::vector::{Bound, Vector};

/// RMS and worst distance allowed to a cubic: its own error, invisible at this size, and the noise, whose RMS over
/// two dozen samples scatters by 14 percent; their squares add. A splice threshold above the default asks for longer
/// curves at the cost of likeness: up to this factor at 180 degrees.
const RMS_PX: f64 = 0.045;
const RMS_NOISE: f64 = 1.15;
const RMS_SPLICE: f64 = 2.5;
const SPLICE_DEFAULT_DEG: f64 = 45.0;
const WORST_OF_RMS: f64 = 4.0;
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
const BEYOND: f64 = 1.5;
/// Reach of the parabola that gives a stop its tangent, px: at least, at most, and per pixel of noise.
const REACH_PX: f64 = 2.0;
const REACH_MOST_PX: f64 = 4.0;
const REACH_NOISE: f64 = 20.0;
const REACH_LEAST_NOISE: f64 = 10.0;
/// And a part of the neighboring sides' length, which shrinks with the radius of curvature.
const REACH_OF_SIDE: f64 = 0.7;

/// How a smooth stretch may be cut.
pub(super) struct Cutting {
    pub splice_deg: f64,
    /// First and last sample that are believed.
    pub believed: (usize, usize),
}

/// A stop at a vertex of the polygon; `low` and `high` bound the samples of its smooth stretch.
pub(super) fn stop_at(samples: &Samples, index: usize, side_px: f64, (low, high): (usize, usize)) -> Stop {
    let most = REACH_MOST_PX + REACH_NOISE * samples.noise_px;
    let reach =
        (REACH_OF_SIDE * side_px).at_least(REACH_PX + REACH_LEAST_NOISE * samples.noise_px).at_most(most);
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
    Stop { index, point: local.at(0.0), tangent: local.direction(0.0) }
}

/// The controls of the cubics through some of the stops, from the first to the last.
pub(super) fn cubics(samples: &Samples, stops: &[Stop], cutting: &Cutting) -> Vec<[Vector; 4]> {
    let mut search = Search::new(samples, cutting);
    let mut looks = Looks::new();
    search.take(stops, &mut looks);
    let mut best = Vec::with_capacity(search.stops.len());
    best.push(Choice { cost: 0.0, start: 0 });
    // The stops whence a cubic may still reach the next, in order.
    let mut starts = Vec::with_capacity(search.stops.len());
    for end in 1..search.stops.len() {
        let choice = search.choice(end, &best, &mut starts, &mut looks);
        best.push(choice);
        starts.push(end - 1);
    }
    search.trail(&best, &mut looks)
}

/// The cheapest way to a stop: its cost, and where its last cubic starts.
struct Choice {
    cost: f64,
    start: usize,
}

struct Search<'a> {
    samples: &'a Samples,
    cutting: &'a Cutting,
    allowed: Allowed,
    stops: Vec<Stop>,
    /// The cubic from each stop but the last to the next.
    steps: Vec<Cubic>,
}

impl<'a> Search<'a> {
    fn new(samples: &'a Samples, cutting: &'a Cutting) -> Self {
        let rms = rms_allowed(samples.noise_px, cutting.splice_deg);
        let allowed = Allowed { rms, worst: WORST_OF_RMS * rms };
        Search { samples, cutting, allowed, stops: Vec::new(), steps: Vec::new() }
    }

    fn stretch<'b>(&self, from: &'b Stop, to: &'b Stop) -> Stretch<'b>
    where
        'a: 'b,
    {
        Stretch { samples: self.samples, from, to, believed: self.cutting.believed }
    }

    /// Takes the stops, and more of them halfway wherever one cubic from stop to stop leaves the samples.
    fn take(&mut self, stops: &[Stop], looks: &mut Looks) {
        let mut waiting: Vec<Stop> = stops.iter().rev().copied().collect();
        self.stops.reserve(stops.len());
        self.steps.reserve(stops.len());
        self.stops.extend(waiting.pop());
        while let (Some(&from), Some(&to)) = (self.stops.last(), waiting.last()) {
            let step = self.stretch(&from, &to).candidate(looks, &self.allowed);
            let divisible = to.index >= from.index + 2 * FEWEST_BETWEEN;
            if divisible && self.allowed.part(&step) > 1.0 {
                let middle = (from.index + to.index) / 2;
                let half_px = 0.5 * (to.point - from.point).length();
                waiting.push(stop_at(self.samples, middle, half_px, self.cutting.believed));
            } else {
                self.steps.push(step);
                self.stops.extend(waiting.pop());
            }
        }
    }

    /// The longest cubics come first: with them the rest of the way costs least, and most of the others need not be fitted.
    fn choice(&self, end: usize, best: &[Choice], starts: &mut Vec<usize>, looks: &mut Looks) -> Choice {
        let whole = |start: usize| start == 0 && end + 1 == self.stops.len();
        let least = self.cost(f64::INFINITY, false);
        let to = &self.stops[end];
        let mut choice = Choice { cost: f64::INFINITY, start: end - 1 };
        starts.retain(|&start| {
            if best[start].cost + least >= choice.cost {
                return true;
            }
            let from = &self.stops[start];
            let turn = turn_between_deg(from, to).abs();
            let before = best[start].cost + self.cost(turn, whole(start));
            if before >= choice.cost {
                return true;
            }
            if turn > MOST_TURN_DEG {
                return false;
            }
            let fitted = self.stretch(from, to).candidate(looks, &self.allowed);
            let part = self.allowed.part(&fitted);
            let cost = before + self.cost_of_error(&fitted);
            if part <= 1.0 && cost < choice.cost {
                choice = Choice { cost, start };
            }
            part <= BEYOND
        });
        let (start, step) = (end - 1, &self.steps[end - 1]);
        let turn = turn_between_deg(&self.stops[start], to).abs();
        let cost = best[start].cost + self.cost(turn, whole(start)) + self.cost_of_error(step);
        if cost < choice.cost { Choice { cost, start } } else { choice }
    }

    /// What a cubic costs that leaves no error.
    fn cost(&self, turn_deg: f64, whole: bool) -> f64 {
        let splice_deg = self.cutting.splice_deg;
        let short = if turn_deg < splice_deg && !whole { COST_SHORT_TURN } else { 0.0 };
        COST_FIXED + COST_SPLICE_PER_DEG * splice_deg.at_most(SPLICE_DEFAULT_DEG) + short
    }

    fn cost_of_error(&self, fitted: &Cubic) -> f64 {
        let part = fitted.rms / self.allowed.rms;
        let outside = if self.allowed.part(fitted) > 1.0 { COST_OUTSIDE } else { 0.0 };
        outside + COST_ERROR * (part * part).at_most(4.0)
    }

    /// Walks back from the last stop to the first; what was but a candidate is fitted to the end.
    fn trail(&self, best: &[Choice], looks: &mut Looks) -> Vec<[Vector; 4]> {
        let mut path = Vec::with_capacity(best.len());
        let mut end = best.len() - 1;
        while end > 0 {
            let start = best[end].start;
            let stretch = self.stretch(&self.stops[start], &self.stops[end]);
            path.push(stretch.controls(&stretch.cubic(looks)));
            end = start;
        }
        path.reverse();
        path
    }
}

fn rms_allowed(noise_px: f64, splice_deg: f64) -> f64 {
    let noise = RMS_NOISE * noise_px;
    let beyond = ((splice_deg - SPLICE_DEFAULT_DEG) / (180.0 - SPLICE_DEFAULT_DEG)).max(0.0);
    (RMS_PX * RMS_PX + noise * noise).sqrt() * (1.0 + (RMS_SPLICE - 1.0) * beyond)
}
