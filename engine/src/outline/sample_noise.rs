//! How far samples of a boundary are off, by what kind of boundary it is.

use std::ops::Add;

use super::lattice::lattice_point;
use super::planar_map::Arc;
use crate::algorithms::kth_smallest;
use crate::geometry::Point;
use crate::merge::RAMP_STEP;

/// Error of a sample, px RMS: on anti-aliased edges, and on a staircase of whole pixels (uniform over ±½ px).
const NOISE_ANTIALIASED_PX: f32 = 0.04;
pub(crate) const NOISE_STAIRCASE_PX: f32 = 0.29;
/// Of a smoothed staircase under a stroke: nobody sees the boundary, but it must not leave the stroke.
pub(crate) const NOISE_INKED_PX: f32 = 0.12;

/// Quantization and compression move a coverage by about this many levels over the contrast.
const NOISE_LEVELS: f32 = 3.0;

/// Farther apart than this the regions were not made by cutting a ramp; the boundary is a soft edge.
const RAMP_CONTRAST: f32 = 60.0;
/// The error of a boundary that cuts a ramp, px RMS, is this share of the width over which the ramp makes up the difference between
/// the regions: nothing was drawn there, and it may lie anywhere about.
const RAMP_SHARE: f32 = 0.15;
const NOISE_RAMP_PX: f32 = 0.8;
const MOST_NOISE_RAMP_PX: f32 = 5.0;

/// Of a boundary that cuts a ramp in bands: with the steps from pixel to pixel over its cracks added up, and how many these are.
pub(crate) fn noise_of_ramp(contrast: f32, steps: impl Fn() -> f32, cracks: f32) -> Option<f32> {
    if contrast >= RAMP_CONTRAST {
        return None;
    }
    let steps = steps();
    let is_ramp = steps < RAMP_STEP * contrast * cracks;
    let width_px = contrast * cracks / steps.max(1e-3);
    is_ramp.then(|| (RAMP_SHARE * width_px).clamp(NOISE_RAMP_PX, MOST_NOISE_RAMP_PX))
}

/// Where mixed pixels tell of the edge.
pub(crate) fn noise_of_mixtures(contrast: f32, points: &[Point]) -> f32 {
    let expected = NOISE_ANTIALIASED_PX + NOISE_LEVELS / contrast;
    expected.max(roughness_px(points)).min(NOISE_STAIRCASE_PX)
}

/// The scatter that the samples show: how far the quietest 30 % of them lie from the middle of their two neighbors at
/// most, scaled to the standard deviation of normal noise. Bends and corners are among the others.
pub(crate) fn roughness_px(points: &[Point]) -> f32 {
    const QUIET: f32 = 0.3;
    /// That quantile of |x| for a standard normal x, times √(1 + ½): the middle of two neighbors is noisy itself.
    const QUIET_DEVIATION: f32 = 0.3853 * 1.2247;
    /// A shorter outline may be nothing but bends and corners.
    const FEWEST_SAMPLES: usize = 40;
    if points.len() < FEWEST_SAMPLES + 2 {
        return 0.0;
    }
    let deviations_sq: Vec<f32> = points
        .windows(3)
        .map(|p| {
            let along = p[2] - p[0];
            let off = along.cross(p[1] - p[0]) - along.cross(p[2] - p[1]);
            off * off / (along.dot(along) + f32::MIN_POSITIVE)
        })
        .collect();
    let rank = (deviations_sq.len() as f32 * QUIET) as usize;
    0.5 * kth_smallest(&deviations_sq, rank).sqrt() / QUIET_DEVIATION
}

/// How far samples waver on average: off a smooth curve through their neighbors.
#[inline(never)]
pub(crate) fn wavering_px(points: &[Point]) -> f32 {
    /// At a corner.
    const MOST_WAVERING_PX: f32 = 0.5;
    let off = |p: &[Point]| {
        let along = (p[3] - p[0]).unit();
        along.cross(p[1] - p[2]).abs().min(MOST_WAVERING_PX)
    };
    points.windows(4).map(off).sum::<f32>() / points.len() as f32
}

/// Whether a boundary was drawn along the pixels: it has no stairs that stand for a slope, step after step the same way.
pub(crate) fn keeps_to_axes(arc: &Arc) -> bool {
    const LONGEST_STEP: usize = 2;
    let corners = &arc.corners;
    let turn = |i: usize| {
        let [p, q, r] = [i - 1, i, i + 1].map(|k| lattice_point(corners[k]));
        (q - p).cross(r - q)
    };
    let turns: Vec<(usize, f32)> =
        (1..corners.len() - 1).map(|i| (i, turn(i))).filter(|&(_, turn)| turn != 0.0).collect();
    !turns.windows(4).any(|turns| {
        let alternating = turns.windows(2).all(|pair| pair[0].1 != pair[1].1);
        let is_step = |k: usize| turns[k + 1].0 - turns[k].0 <= LONGEST_STEP;
        alternating && is_step(0) && is_step(2)
    })
}

/// The running mean of five samples; those at the ends of an open arc stay.
pub(crate) fn smoothed(points: &[Point], closed: bool) -> Vec<Point> {
    const SMOOTHED_BESIDE: usize = 2;
    let n = points.len();
    let mean = |i: usize| {
        let beside =
            if closed { SMOOTHED_BESIDE.min((n - 1) / 2) } else { SMOOTHED_BESIDE.min(i).min(n - 1 - i) };
        let window = (0..=2 * beside).map(|k| points[(i + n + k - beside) % n]);
        window.fold(Point::default(), Point::add) * (1.0 / (2 * beside + 1) as f32)
    };
    (0..n).map(mean).collect()
}
