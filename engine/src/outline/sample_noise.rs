//! The expected error of an arc's samples, by the kind of boundary. Takes samples and contrast, gives pixels of noise (RMS).

use super::lattice::lattice_point;
use super::planar_map::Arc;
use crate::algorithms::kth_smallest;
use crate::geometry::Point;
use crate::merge::RAMP_STEP;

/// Expected error of a sample on an anti-aliased edge of full contrast.
///
/// Unit: pixels (RMS). Source: tuned on drawings traced and compared with the shapes that they were made from.
pub(crate) const NOISE_ANTIALIASED_PX: f32 = 0.04;

/// Expected error of a sample on a staircase of whole pixels, the largest for a drawn edge.
///
/// Unit: pixels (RMS). Source: an error uniform over ±½ pixel has the standard deviation 1/√12 = 0.289.
pub(crate) const NOISE_STAIRCASE_PX: f32 = 0.29;

/// Error of a color by quantization and compression; over the contrast, it is that of a coverage.
///
/// Unit: color levels (0–255, Euclidean). Source: tuned; no derivation is known.
const NOISE_LEVELS: f32 = 3.0;

/// Largest contrast of two regions that may be bands of one ramp; above it, the boundary is a soft edge.
///
/// Unit: color levels (0–255, Euclidean). Source: tuned; no derivation is known.
const RAMP_CONTRAST: f32 = 60.0;

/// Expected error of a boundary that cuts a ramp: nothing was drawn there, so the boundary may lie anywhere about.
///
/// Unit: pixels (RMS). Source: tuned; no derivation is known.
const NOISE_RAMP_PX: f32 = 0.8;

/// Share of the deviations that is taken for noise; bends and corners are among the others.
///
/// Unit: share (quantile). Source: tuned; no derivation is known.
const QUIET: f32 = 0.3;

/// Deviation at that quantile for noise of one standard deviation.
///
/// Unit: noise (standard deviations). Source: the quantile of |x| for a standard normal x, times √(1 + ½), since the middle of two
/// neighbors is noisy itself.
const QUIET_DEVIATION: f32 = 0.3853 * 1.2247;

/// Fewest samples whose scatter is measured; a shorter outline may consist of bends and corners.
///
/// Unit: count. Source: tuned; no derivation is known.
const SCATTER_FEWEST_SAMPLES: usize = 40;

/// Longest step of a staircase that stands for a slope, for a boundary along pixel sides.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const STAIR_LONGEST_STEP: usize = 2;

/// The noise of a boundary that cuts a ramp into bands, or `None` for other boundaries. `steps` is the sum of the color distances across
/// its `cracks` (their number).
pub(crate) fn noise_of_ramp(contrast: f32, steps: impl Fn() -> f32, cracks: f32) -> Option<f32> {
    if contrast >= RAMP_CONTRAST {
        return None;
    }
    let is_ramp = steps() < RAMP_STEP * contrast * cracks;
    is_ramp.then_some(NOISE_RAMP_PX)
}

/// The noise of a sample between two colors of some contrast: below the `least`, nothing tells where the boundary was drawn.
pub(super) fn noise_of_contrast(contrast: f32, least: f32) -> f32 {
    if contrast < least { NOISE_RAMP_PX } else { NOISE_ANTIALIASED_PX + NOISE_LEVELS / contrast }
}

/// The noise of an edge placed by its mixed pixels.
pub(crate) fn noise_of_mixtures(contrast: f32, points: &[Point]) -> f32 {
    let expected = NOISE_ANTIALIASED_PX + NOISE_LEVELS / contrast;
    expected.max(roughness_px(points)).min(NOISE_STAIRCASE_PX)
}

/// The noise that the samples show: the distance of a sample from the middle of its two neighbors, at the quantile [`QUIET`], scaled to a
/// standard deviation. 0 for short outlines.
pub(crate) fn roughness_px(points: &[Point]) -> f32 {
    if points.len() < SCATTER_FEWEST_SAMPLES + 2 {
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

/// Whether a boundary was drawn along the pixels: it has no staircase that stands for a slope, with short steps in the same direction.
pub(crate) fn keeps_to_axes(arc: &Arc) -> bool {
    let corners = &arc.corners;
    let turn = |i: usize| {
        let [p, q, r] = [i - 1, i, i + 1].map(|k| lattice_point(corners[k]));
        (q - p).cross(r - q)
    };
    let turns: Vec<(usize, f32)> =
        (1..corners.len() - 1).map(|i| (i, turn(i))).filter(|&(_, turn)| turn != 0.0).collect();
    !turns.windows(4).any(|turns| {
        let alternating = turns.windows(2).all(|pair| pair[0].1 != pair[1].1);
        let is_step = |k: usize| turns[k + 1].0 - turns[k].0 <= STAIR_LONGEST_STEP;
        alternating && is_step(0) && is_step(2)
    })
}
