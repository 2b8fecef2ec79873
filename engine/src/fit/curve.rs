//! The fewest tangent-continuous cubics along a smooth stretch of an outline, by dynamic programming over its stops.
use super::cubic::{Cubic, Stop, cubic, turn_between_deg};
use super::local::parabola;
use super::samples::Samples;

/// RMS and worst distance allowed to a cubic: its own error, invisible at this size, and the noise, whose RMS over
/// two dozen samples scatters by 14 percent; their squares add. A splice threshold above the default asks for longer
/// curves at the cost of likeness: up to this factor at 180 degrees.
const RMS_PX: f64 = 0.07;
const RMS_NOISE: f64 = 1.15;
const RMS_SPLICE: f64 = 1.7;
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
/// So many cubics in a row out of tolerance end the search for a longer one.
const FAILURES: usize = 2;
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
    let reach = (REACH_OF_SIDE * side_px).clamp(REACH_PX + REACH_LEAST_NOISE * samples.noise_px, most);
    let center = samples.at(index);
    let within = |other: usize| (samples.at(other) - center).length() <= reach;
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

/// The cubics through some of the stops, from the first to the last.
pub(super) fn cubics(samples: &Samples, stops: &[Stop], cutting: &Cutting) -> Vec<Cubic> {
    let rms = rms_allowed(samples.noise_px, cutting.splice_deg);
    let stops = &with_stops_enough(samples, stops, cutting, rms);
    let mut best: Vec<(f64, usize, Option<Cubic>)> = vec![(0.0, 0, None)];
    for end in 1..stops.len() {
        let mut choice = (f64::INFINITY, end - 1, None);
        let mut failures = 0;
        for start in (0..end).rev() {
            let turn = turn_between_deg(&stops[start], &stops[end]).abs();
            let next = start + 1 == end;
            if turn > MOST_TURN_DEG && !next {
                failures += 1;
                if failures > FAILURES { break } else { continue }
            }
            let fitted = cubic(samples, &stops[start], &stops[end], cutting.believed, rms);
            let inside = fitted.rms <= rms && fitted.worst <= WORST_OF_RMS * rms;
            if !inside {
                failures += 1;
            }
            if inside || next {
                let whole = start == 0 && end + 1 == stops.len();
                let cost = best[start].0 + cost(&fitted, turn, rms, whole, cutting.splice_deg);
                if cost < choice.0 {
                    choice = (cost, start, Some(fitted));
                }
            }
            if failures > FAILURES {
                break;
            }
        }
        best.push(choice);
    }
    trail(&best)
}

/// The stops, and more of them halfway wherever one cubic from stop to stop leaves the samples.
fn with_stops_enough(samples: &Samples, stops: &[Stop], cutting: &Cutting, rms: f64) -> Vec<Stop> {
    let mut enough = Vec::with_capacity(stops.len());
    let mut waiting: Vec<Stop> = stops.iter().rev().copied().collect();
    enough.extend(waiting.pop());
    while let (Some(&from), Some(&to)) = (enough.last(), waiting.last()) {
        let divisible = to.index >= from.index + 2 * FEWEST_BETWEEN;
        let leaves = || {
            let fitted = cubic(samples, &from, &to, cutting.believed, rms);
            fitted.rms > rms || fitted.worst > WORST_OF_RMS * rms
        };
        if divisible && leaves() {
            let middle = (from.index + to.index) / 2;
            let half_px = 0.5 * (to.point - from.point).length();
            waiting.push(stop_at(samples, middle, half_px, cutting.believed));
        } else {
            enough.extend(waiting.pop());
        }
    }
    enough
}

fn rms_allowed(noise_px: f64, splice_deg: f64) -> f64 {
    let noise = RMS_NOISE * noise_px;
    let beyond = ((splice_deg - SPLICE_DEFAULT_DEG) / (180.0 - SPLICE_DEFAULT_DEG)).max(0.0);
    (RMS_PX * RMS_PX + noise * noise).sqrt() * (1.0 + (RMS_SPLICE - 1.0) * beyond)
}

fn cost(fitted: &Cubic, turn_deg: f64, rms: f64, whole: bool, splice_deg: f64) -> f64 {
    let short = if turn_deg < splice_deg && !whole { COST_SHORT_TURN } else { 0.0 };
    let part = fitted.rms / rms;
    let outside = if fitted.rms > rms || fitted.worst > WORST_OF_RMS * rms { COST_OUTSIDE } else { 0.0 };
    COST_FIXED
        + COST_SPLICE_PER_DEG * splice_deg.min(SPLICE_DEFAULT_DEG)
        + short
        + outside
        + COST_ERROR * (part * part).min(4.0)
}

/// Walks back from the last stop to the first.
fn trail(best: &[(f64, usize, Option<Cubic>)]) -> Vec<Cubic> {
    let mut path = Vec::new();
    let mut end = best.len() - 1;
    while let (_, start, Some(cubic)) = &best[end] {
        path.push(*cubic);
        end = *start;
    }
    path.reverse();
    path
}
