//! Chamfers: short sides that are nothing but the rounding of a corner by the pixel. Takes the polygon and
//! gives its vertices with one vertex for each chamfer.
//!
//! A gap that placing left where the outline turns is a sharp corner as well, unless a sample beside it lies
//! off both lines, as on a round corner.

use super::corner_position::{ROUNDING_PX, half_sine, reach_px};
use super::side::trusted_line;
use super::simplify::SPACING_PX;
use super::tip::{ACUTE_HALF_SINE, LONG_FLANK_PX, with_tips};
use super::vertex::{Vertex, meet, nearest};
use crate::fit::sampled::{
    Bound, CLEAN_DEVIATION_PX, HALF_STEP_PX, OFF_NOISE, SampleRange, SampledOutline, Vector, wrapped,
};

/// The longest chamfer.
///
/// Unit: pixels. Source: tuned; the chord of a right corner's round of radius 1.5 px is 2.1 px long.
const CHAMFER_PX: f64 = 2.3;

/// The sides next to a chamfer are longer than it by this factor.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const FLANK_OF_CHAMFER: f64 = 1.5;

/// The least length of the sides next to a gap that placing left at a corner.
///
/// Unit: pixels. Source: tuned; less than the distance between two samples.
const FLANK_OF_GAP_PX: f64 = 0.9;

/// The share of the enlargement by which a corner between such sides is rounded more than others.
///
/// Unit: share of the enlargement (ratio). Source: tuned; a solved outline is sharper than placed samples.
const ROUNDED_BY_PIXEL: f64 = 0.6;

/// Replaces tips and chamfers by one vertex each.
pub(crate) fn sharpen(samples: &SampledOutline, polygon: &[usize], vertices: &mut Vec<Vertex>) {
    let min_vertices = if samples.closed { 3 } else { 2 };
    with_tips(samples, polygon, vertices);
    let mut index = 0;
    while index < vertices.len() && vertices.len() > min_vertices {
        match apex_of_chamfer(samples, vertices, index) {
            Some(apex) => {
                let next = wrapped(index + 1, vertices.len());
                vertices[index] = apex;
                vertices.remove(next);
                if next == 0 {
                    sort_by_index(vertices);
                }
            }
            None => index += 1,
        }
    }
    sort_by_index(vertices);
    vertices.dedup_by_key(|vertex| vertex.index);
}

/// Insertion sort: only vertices beside the seam are out of order.
#[inline(never)]
fn sort_by_index(vertices: &mut [Vertex]) {
    for end in 1..vertices.len() {
        let mut k = end;
        while k > 0 && vertices[k - 1].index > vertices[k].index {
            vertices.swap(k - 1, k);
            k -= 1;
        }
    }
}

/// The vertex at the corner that the side from vertex `index` rounds off, if that side is a chamfer.
fn apex_of_chamfer(samples: &SampledOutline, vertices: &[Vertex], index: usize) -> Option<Vertex> {
    let count = vertices.len();
    let is_inner = samples.closed || (index > 0 && index + 2 < count);
    if !is_inner || count < 4 {
        return None;
    }
    let at = |number: usize| vertices[wrapped(number, count)].index;
    let ahead = |vertex: usize, from: usize| if vertex < from { vertex + samples.count } else { vertex };
    let first = at(index);
    let chamfer = SampleRange::new(first, ahead(at(index + 1), first));
    let length = |side: SampleRange| (samples.at(side.last) - samples.at(side.first)).length();
    let chamfer_px = length(chamfer);
    // Most sides are longer than any chamfer; their neighbors need not be measured.
    let by_pixel = (ROUNDED_BY_PIXEL * samples.pixel).at_least(1.0);
    if chamfer_px > CHAMFER_PX * by_pixel {
        return None;
    }
    let before = at(index + count - 1);
    let left = SampleRange::new(before, ahead(first, before));
    let right_start = wrapped(chamfer.last, samples.count);
    let right = SampleRange::new(right_start, ahead(at(index + 2), right_start));
    let flank_px = length(left).at_most(length(right));
    let is_long = flank_px >= LONG_FLANK_PX * samples.pixel;
    let scale = if is_long { by_pixel } else { 1.0 };
    if chamfer_px > CHAMFER_PX * scale {
        return None;
    }
    let is_gap = chamfer.last == first + 1 && chamfer_px > f64::from(SPACING_PX);
    let min_flank_px = if is_gap { FLANK_OF_GAP_PX } else { FLANK_OF_CHAMFER * chamfer_px };
    if flank_px < min_flank_px {
        return None;
    }
    let apex = sharp_apex(samples, chamfer, [left, right], &Sharpness { is_long, scale })?;
    let back = apex - first;
    Some(Vertex { index: wrapped(apex, samples.count), back, ahead: chamfer.last - apex })
}

/// How sharp the corner behind a chamfer is expected to be.
struct Sharpness {
    /// Its sides are long.
    is_long: bool,
    /// The factor by which it is rounded more than others.
    scale: f64,
}

/// The sample of a chamfer nearest to where the lines of the sides beside it meet, if these meet in a sharp
/// corner.
fn sharp_apex(
    samples: &SampledOutline,
    chamfer: SampleRange,
    flanks: [SampleRange; 2],
    sharpness: &Sharpness,
) -> Option<usize> {
    let [left, right] = flanks.map(|side| trusted_line(samples, side));
    let corner = meet(&left, &right)?;
    let (start, end) = (samples.at(chamfer.first), samples.at(chamfer.last));
    let is_between = left.direction.dot(corner - start) >= -HALF_STEP_PX
        && right.direction.dot(end - corner) >= -HALF_STEP_PX;
    let (apex, distance) = nearest(samples, chamfer, corner);
    let off_px = CLEAN_DEVIATION_PX + OFF_NOISE * samples.noise_px;
    let is_off = |&point: &Vector| left.offset(point).abs().at_most(right.offset(point).abs()) > off_px;
    // The tip of an acute corner spoils a sample, and so may a corner between long sides.
    let is_acute = half_sine(left.direction.dot(right.direction)) < ACUTE_HALF_SINE;
    let spoiled = usize::from(is_acute || sharpness.is_long);
    let chamfer_samples = samples.run(chamfer.first, chamfer.last);
    let is_round = chamfer_samples.iter().filter(|&point| is_off(point)).count() > spoiled;
    let rounding_px = if is_round { ROUNDING_PX } else { ROUNDING_PX + HALF_STEP_PX };
    let reach = reach_px(samples, sharpness.scale * rounding_px, &left, &right);
    (is_between && distance <= reach).then_some(apex)
}
