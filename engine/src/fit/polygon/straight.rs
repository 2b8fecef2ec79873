//! Which sides of the polygon are straight: takes the sides, their turns and corners, marks the straight
//! ones, and sets those that are nearly horizontal or vertical exactly so.

use super::side::{BOW_OF_CURVE, PolygonSide};
use crate::fit::sampled::{
    Bound, CLEAN_DEVIATION_PX, FitLine, SampledOutline, Vector, WRITTEN_ROUNDING_PX, wrapped,
};

/// The shortest side whose samples tell a line from a chord: a straight side with a smooth end, which grows by
/// the same length for each pixel of noise, and either side of a corner below the threshold.
///
/// Unit: pixels. Source: tuned; no derivation is known.
pub(super) const STRAIGHT_SIDE_PX: f64 = 4.0;

/// The RMS distance of a side's samples from its line that is still noise.
///
/// Unit: noise (standard deviations). Source: tuned; the RMS over ten normal samples scatters by 22 %.
const STRAIGHT_RMS_NOISE: f64 = 1.3;

/// The bow of a side that is still noise, times √n for n samples.
///
/// Unit: noise (standard deviations). Source: the bow estimated from n samples scatters by 3.35/√n of the
/// noise, √(45/4) (the norm of the quadratic Legendre polynomial); the 3.2 deviations are tuned.
const BOW_NOISE: f64 = 3.2 * 3.35;

/// How far the end of a line may lie from the axis for its own scatter, times √n for n samples.
///
/// Unit: noise (standard deviations, of the side's own scatter). Source: two standard deviations of the end
/// of a line fitted to n samples, 2·√3/√n.
const AXIS_SNAP_NOISE: f64 = 3.5;

/// Marks the straight sides. `turns[k]` is the turn at the start of side k, `corners[k]` whether it is a
/// corner.
pub(crate) fn mark_straight(
    samples: &SampledOutline,
    sides: &mut [PolygonSide],
    turns: &[f64],
    corners: &[bool],
) {
    for index in 0..sides.len() {
        let next = wrapped(index + 1, corners.len());
        let between_corners = corners[index] && corners[next];
        // A curve that ends in a corner goes on turning up to the corner.
        let [before, after] = [index, next].map(|end| (!corners[end]).then(|| turns[end].abs()));
        let turns_deg = before.or(after).unwrap_or(0.0) + after.or(before).unwrap_or(0.0);
        let side = &sides[index];
        sides[index].straight =
            is_near(samples, side) && (between_corners || is_unbent(samples, side, turns_deg));
    }
}

/// Whether the samples of a side scatter about its line as noise does.
fn is_near(samples: &SampledOutline, side: &PolygonSide) -> bool {
    side.rms <= CLEAN_DEVIATION_PX.at_least(STRAIGHT_RMS_NOISE * samples.noise_px)
        && side.bow.abs() <= noise_bow(samples, side)
}

/// The bow up to which a side's samples show none.
fn noise_bow(samples: &SampledOutline, side: &PolygonSide) -> f64 {
    CLEAN_DEVIATION_PX.at_least(BOW_NOISE * samples.noise_px / (side.trusted.count() as f64).sqrt())
}

/// Whether a side with a smooth end is long enough to tell a line from a chord, and is a line. `turns_deg`:
/// the turns at both ends.
fn is_unbent(samples: &SampledOutline, side: &PolygonSide, turns_deg: f64) -> bool {
    if side.length < STRAIGHT_SIDE_PX + STRAIGHT_SIDE_PX * samples.noise_px {
        return false;
    }
    let curve_bow = side.curve_bow(turns_deg);
    curve_bow >= noise_bow(samples, side) && side.bow.abs() <= BOW_OF_CURVE * curve_bow
}

/// Sets straight sides that are nearly horizontal or vertical exactly so.
pub(crate) fn snap_to_axes(sides: &mut [PolygonSide]) {
    for side in sides.iter_mut().filter(|side| side.straight) {
        let count = side.trusted.count() as f64;
        let allowed_px = WRITTEN_ROUNDING_PX + AXIS_SNAP_NOISE * side.rms / count.sqrt();
        snap_line(&mut side.line, 0.5 * side.length, allowed_px);
    }
}

fn snap_line(line: &mut FitLine, half_px: f64, allowed_px: f64) {
    let direction = &mut line.direction;
    if direction.x.abs() * half_px <= allowed_px {
        *direction = Vector::new(0.0, if direction.y < 0.0 { -1.0 } else { 1.0 });
    } else if direction.y.abs() * half_px <= allowed_px {
        *direction = Vector::new(if direction.x < 0.0 { -1.0 } else { 1.0 }, 0.0);
    }
}
