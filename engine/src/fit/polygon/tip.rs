//! Tips: where two long sides run together at a small angle, the pixels end before the sides meet. Takes the
//! polygon and gives its vertices with each tip as one vertex.

use super::corner_position::half_sine;
use super::side::trusted_line;
use super::simplify::TOLERANCE_PX;
use super::vertex::{Vertex, meet, nearest};
use crate::fit::sampled::{FitLine, HALF_STEP_PX, SampleRange, SampledOutline, Vector, wrapped};

/// Between sides at least this long, a corner of an enlarged outline is rounded by the pixel, not drawn
/// round.
///
/// Unit: pixels, times the enlargement. Source: tuned; no derivation is known.
pub(super) const LONG_FLANK_PX: f64 = 5.0;

/// Corners with a smaller half angle are acute: their tips, narrower than a pixel, spoil a sample.
///
/// Unit: sine of the half angle (37 degrees, a corner of 74). Source: tuned; no derivation is known.
pub(super) const ACUTE_HALF_SINE: f64 = 0.6;

/// The largest number of short sides that close the outline before a tip.
///
/// Unit: count (sides). Source: tuned; no derivation is known.
const CAP_MAX_SIDES: usize = 6;

/// The width of a shape below which its pixels no longer show it.
///
/// Unit: pixels, times the enlargement. Source: tuned; about a pixel.
const HIDDEN_WIDTH_PX: f64 = 1.2;

/// A vertex that takes the place of all vertices along some sides.
struct Tip {
    vertex: Vertex,
    sides: usize,
}

/// Replaces the short sides that close an outline just before a tip by one vertex.
pub(crate) fn with_tips(samples: &SampledOutline, polygon: &[usize], vertices: &mut Vec<Vertex>) {
    vertices.clear();
    vertices.extend(polygon.iter().map(|&index| Vertex { index, back: 0, ahead: 0 }));
    let mut from = 0;
    while from < vertices.len() {
        if let Some(tip) = find_tip(samples, vertices, from) {
            vertices[from] = tip.vertex;
            for _ in 0..tip.sides {
                let next = wrapped(from + 1, vertices.len());
                vertices.remove(next);
                from -= usize::from(next < from);
            }
        }
        from += 1;
    }
}

/// The tip that is cut off by the sides from vertex `from` on.
fn find_tip(samples: &SampledOutline, vertices: &[Vertex], from: usize) -> Option<Tip> {
    let count = vertices.len();
    let max_sides = CAP_MAX_SIDES.min(count.saturating_sub(3));
    let is_inner = |to: usize| samples.closed || (from > 0 && to + 1 < count);
    // Indices of samples run on past the seam.
    let at = |number: usize| {
        vertices[wrapped(number, count)].index + if number < count { 0 } else { samples.count }
    };
    let length = |from: usize, to: usize| (samples.at(to) - samples.at(from)).length();
    let lap = samples.count;
    let start = from_first_lap(lap, at(from + count - 1), at(from) + lap);
    if !is_inner(from + 1) || length(start.first, start.last) < LONG_FLANK_PX * samples.pixel {
        return None;
    }
    let first = at(from);
    for sides in 1..=max_sides {
        let (last, after) = (at(from + sides), at(from + sides + 1));
        if !is_inner(from + sides) {
            return None;
        }
        let end = from_first_lap(lap, last, after);
        if length(end.first, end.last) < LONG_FLANK_PX * samples.pixel {
            continue;
        }
        let [left, right] = [start, end].map(|side| trusted_line(samples, side));
        if let Some(index) = apex(samples, &left, &right, SampleRange::new(first, last)) {
            let vertex = Vertex { index: wrapped(index, lap), back: index - first, ahead: last - index };
            return Some(Tip { vertex, sides });
        }
    }
    None
}

/// A run of samples that may begin in the second lap, moved to the first.
fn from_first_lap(lap: usize, first: usize, last: usize) -> SampleRange {
    SampleRange::new(wrapped(first, lap), wrapped(first, lap) + (last - first))
}

/// The sample of the cap nearest to where two lines meet, if they meet in a tip.
fn apex(samples: &SampledOutline, left: &FitLine, right: &FitLine, cap: SampleRange) -> Option<usize> {
    let cosine = left.direction.dot(right.direction);
    if half_sine(cosine) >= ACUTE_HALF_SINE {
        return None;
    }
    let corner = meet(left, right)?;
    let short = -HALF_STEP_PX * samples.pixel;
    let is_beyond = left.direction.dot(corner - samples.at(cap.first)) >= short
        && right.direction.dot(samples.at(cap.last) - corner) >= short;
    let (apex, distance) = nearest(samples, cap, corner);
    // Twice the tangent of half the tip's angle.
    let width_per_px = 2.0 * ((1.0 + cosine) / (1.0 - cosine)).sqrt();
    let inside = left.offset(right.center).signum();
    let least = -TOLERANCE_PX * samples.pixel;
    let is_between =
        |&point: &Vector| left.offset(point) * inside > least && right.offset(point) * inside > least;
    let fits = is_beyond && distance * width_per_px <= HIDDEN_WIDTH_PX * samples.pixel;
    (fits && samples.run(cap.first, cap.last).iter().all(is_between)).then_some(apex)
}
