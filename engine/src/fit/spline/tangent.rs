//! Knots at vertices of the polygon: takes a sample and its neighbors, gives the point and the tangent of the
//! outline there.

use super::stretch::Knot;
use crate::fit::sampled::{Bound, SampleRange, SampledOutline, parabola};

/// How far on one side the samples lie that give a tangent: at least at a corner, at most at a knot.
/// `TANGENT_REACH_NOISE` is added.
///
/// Unit: pixels. Source: tuned; half of it on both sides of a knot holds about five samples, for the three
/// coefficients of a parabola.
const TANGENT_REACH_PX: f64 = 4.0;

/// What noise adds to the reach.
///
/// Unit: pixels per pixel of noise (ratio). Source: tuned; no derivation is known.
pub(super) const TANGENT_REACH_NOISE: f64 = 20.0;

/// How far the samples beside a knot lie, between half the reach and the whole: the sides of the polygon get shorter with the radius of curvature.
///
/// Unit: share of the shorter side beside the knot (ratio). Source: tuned; no derivation is known.
const TANGENT_REACH_OF_SIDE: f64 = 0.7;

/// The least number of samples on either side.
///
/// Unit: count (samples). Source: five samples overdetermine a parabola.
const TANGENT_MIN_SAMPLES: usize = 2;

/// How far on one side the samples lie that give a tangent.
pub(super) fn tangent_reach_px(noise_px: f64) -> f64 {
    TANGENT_REACH_PX + TANGENT_REACH_NOISE * noise_px
}

/// The knot at a sample. `side_px` is the length of the shorter side beside it, `bounds` the samples of its
/// smooth stretch.
pub(crate) fn knot_at(samples: &SampledOutline, index: usize, side_px: f64, bounds: SampleRange) -> Knot {
    let max_reach = tangent_reach_px(samples.noise_px);
    // On both sides of the knot, half the reach takes in as many samples as the whole on one side.
    let reach = (TANGENT_REACH_OF_SIDE * side_px).at_least(0.5 * max_reach).at_most(max_reach);
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
