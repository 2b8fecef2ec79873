//! Where corners lie: takes two sides and gives the point in which their lines meet, no farther from the
//! samples than the pixel's rounding explains.

use super::side::PolygonSide;
use super::vertex::meet;
use crate::fit::sampled::{Bound, FitLine, HALF_STEP_PX, SampledOutline, Vector};

/// The most by which the pixel rounds a right corner off: the distance from the corner to the nearest sample
/// times the sine of half the corner's angle.
///
/// Unit: pixels. Source: tuned; a round of radius 1.5 px cuts 0.44 px off.
pub(crate) const ROUNDING_PX: f64 = 0.42;

/// The square of the sine of half an angle is not taken to be less.
///
/// Unit: sine squared (a half angle of 3 degrees). Source: keeps the division defined.
const LEAST_HALF_SINE_SQ: f64 = 0.0025;

/// How far a sharp corner between two lines may lie from its nearest sample, for a right corner rounded by
/// `rounding_px`.
pub(crate) fn reach_px(samples: &SampledOutline, rounding_px: f64, left: &FitLine, right: &FitLine) -> f64 {
    (rounding_px + samples.noise_px) / half_sine(left.direction.dot(right.direction))
}

/// How far a corner of any kind may lie from its nearest sample, by the cosine of its turn. A sharp corner
/// spoils the sample next to it, and placing leaves that out: the corner may lie half a step farther off.
pub(crate) fn corner_reach_px(samples: &SampledOutline, turn_cosine: f64) -> f64 {
    (ROUNDING_PX + HALF_STEP_PX + samples.noise_px) / half_sine(turn_cosine)
}

/// The sine of half the angle between two sides, √((1 + cos turn) / 2).
pub(crate) fn half_sine(turn_cosine: f64) -> f64 {
    (0.5 * (1.0 + turn_cosine)).at_least(LEAST_HALF_SINE_SQ).sqrt()
}

/// The position of the corner between two sides, where `apex` is the sample nearest to it.
pub(crate) fn corner_position(
    samples: &SampledOutline,
    before: &PolygonSide,
    after: &PolygonSide,
    apex: usize,
) -> Vector {
    let (left, right) = (&before.line, &after.line);
    let sample = samples.at(apex);
    let middle = (left.project(sample) + right.project(sample)) * 0.5;
    let of_rounding = reach_px(samples, ROUNDING_PX + HALF_STEP_PX, left, right);
    // The sides of a tiny shape may point far away: those of four pixels met twenty pixels off.
    let allowed_px = HALF_STEP_PX + of_rounding.at_most(before.length.at_most(after.length));
    match meet(left, right) {
        Some(corner) if (corner - sample).length() <= allowed_px => corner,
        _ => middle,
    }
}
