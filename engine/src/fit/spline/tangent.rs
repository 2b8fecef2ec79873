//! Knots at vertices of the polygon: takes a sample and its neighbors, gives the point and the tangent of the
//! outline there.

use super::stretch::Knot;
use crate::fit::sampled::{Bound, SampleRange, SampledOutline, parabola};

/// How far from the knot the samples lie that give its tangent, at least; `TANGENT_NOISE_REACH` is added.
///
/// Unit: pixels. Source: tuned; about five samples, for the three coefficients of a parabola.
const TANGENT_REACH_PX: f64 = 2.0;

/// How far from the knot these samples lie at most; `TANGENT_MAX_NOISE_REACH` is added.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const TANGENT_MAX_REACH_PX: f64 = 4.0;

/// What noise adds to the least reach.
///
/// Unit: pixels per pixel of noise (ratio). Source: tuned; no derivation is known.
const TANGENT_NOISE_REACH: f64 = 10.0;

/// What noise adds to the largest reach.
///
/// Unit: pixels per pixel of noise (ratio). Source: tuned; no derivation is known.
const TANGENT_MAX_NOISE_REACH: f64 = 20.0;

/// How far they lie within these bounds: the sides of the polygon get shorter with the radius of curvature.
///
/// Unit: share of the shorter side beside the knot (ratio). Source: tuned; no derivation is known.
const TANGENT_REACH_OF_SIDE: f64 = 0.7;

/// The least number of samples on either side.
///
/// Unit: count (samples). Source: five samples overdetermine a parabola.
const TANGENT_MIN_SAMPLES: usize = 2;

/// The knot at a sample. `side_px` is the length of the shorter side beside it, `bounds` the samples of its
/// smooth stretch.
pub(crate) fn knot_at(samples: &SampledOutline, index: usize, side_px: f64, bounds: SampleRange) -> Knot {
    let max_reach = TANGENT_MAX_REACH_PX + TANGENT_MAX_NOISE_REACH * samples.noise_px;
    let reach = (TANGENT_REACH_OF_SIDE * side_px)
        .at_least(TANGENT_REACH_PX + TANGENT_NOISE_REACH * samples.noise_px)
        .at_most(max_reach);
    let center = samples.at(index);
    let is_within = |other: usize| (samples.at(other) - center).length_sq() <= reach * reach;
    let (mut first, mut last) = (index, index);
    while first > bounds.first && last < bounds.last && is_within(first - 1) && is_within(last + 1) {
        first -= 1;
        last += 1;
    }
    if last < index + TANGENT_MIN_SAMPLES {
        first = index.saturating_sub(TANGENT_MIN_SAMPLES).max(bounds.first);
        last = (index + TANGENT_MIN_SAMPLES).min(bounds.last);
    }
    let local = parabola(samples, first, last, index);
    Knot { index, point: local.at(0.0), tangent: local.direction(0.0) }
}
