//! Tips: where two long sides run together at a small angle, the pixels end before they meet.

use super::side::believed_line;
use super::vertex::{Vertex, meet, nearest};
use crate::fit::sampled::{FitLine, SampledOutline, Vector, wrapped};

/// Sides that turn by more than this meet in a tip: the cosine of 140 degrees.
const TURN_COSINE: f64 = -0.766;
/// They are at least so long, and what lies between them is at most so long.
const TIP_FLANK_PX: f64 = 6.0;
const CAP_PX: f64 = 7.0;
const CAP_SIDES: usize = 6;
/// Where a shape becomes narrower than this, the pixels show no more of it.
const WIDTH_PX: f64 = 1.2;
/// The samples between lie between the lines, but for so much.
const OUTSIDE_PX: f64 = 0.3;
/// The lines meet beyond their sides, but for so much.
const SHORT_PX: f64 = 0.5;

/// Replaces the short sides that close an outline just before a tip by one vertex.
pub(crate) fn with_tips(samples: &SampledOutline, polygon: &[usize], vertices: &mut Vec<Vertex>) {
    vertices.clear();
    vertices.extend(polygon.iter().map(|&index| Vertex { index, back: 0, ahead: 0 }));
    let mut from = 0;
    while from < vertices.len() {
        if let Some((tip, sides)) = tip(samples, vertices, from) {
            vertices[from] = tip;
            for _ in 0..sides {
                let next = wrapped(from + 1, vertices.len());
                vertices.remove(next);
                from -= usize::from(next < from);
            }
        }
        from += 1;
    }
}

/// The tip that is cut off from vertex `from` on, and by how many sides.
fn tip(samples: &SampledOutline, vertices: &[Vertex], from: usize) -> Option<(Vertex, usize)> {
    let count = vertices.len();
    let most = CAP_SIDES.min(count.saturating_sub(3));
    let is_inner = |to: usize| samples.closed || (from > 0 && to + 1 < count);
    // Past the seam, indices go on.
    let at = |number: usize| {
        vertices[wrapped(number, count)].index + if number < count { 0 } else { samples.count }
    };
    let (before, first) = (at(from + count - 1), at(from) + samples.count);
    let length = |from: usize, to: usize| (samples.at(to) - samples.at(from)).length();
    let lap = samples.count;
    let one_lap = |first: usize, last: usize| (wrapped(first, lap), wrapped(first, lap) + (last - first));
    let start = one_lap(before, first);
    if !is_inner(from + 1) || length(start.0, start.1) < TIP_FLANK_PX * samples.pixel {
        return None;
    }
    let first = at(from);
    let mut cap = 0.0;
    for sides in 1..=most {
        let (last, after) = (at(from + sides), at(from + sides + 1));
        cap += length(at(from + sides - 1), last);
        if cap > CAP_PX * samples.pixel || !is_inner(from + sides) {
            return None;
        }
        let end = one_lap(last, after);
        if length(end.0, end.1) < TIP_FLANK_PX * samples.pixel {
            continue;
        }
        let [left, right] = [start, end].map(|(first, last)| believed_line(samples, first, last));
        if let Some(index) = apex(samples, &left, &right, (first, last)) {
            return Some((
                Vertex { index: wrapped(index, lap), back: index - first, ahead: last - index },
                sides,
            ));
        }
    }
    None
}

/// The sample nearest to where two lines meet in a tip, if they do.
fn apex(
    samples: &SampledOutline,
    left: &FitLine,
    right: &FitLine,
    (first, last): (usize, usize),
) -> Option<usize> {
    let cosine = left.direction.dot(right.direction);
    if cosine > TURN_COSINE {
        return None;
    }
    let corner = meet(left, right)?;
    let short = -SHORT_PX * samples.pixel;
    let beyond = left.direction.dot(corner - samples.at(first)) >= short
        && right.direction.dot(samples.at(last) - corner) >= short;
    let (apex, distance) = nearest(samples, first, last, corner);
    let width_per_px = 2.0 * ((1.0 + cosine) / (1.0 - cosine)).sqrt();
    let inside = left.offset(right.center).signum();
    let least = -OUTSIDE_PX * samples.pixel;
    let is_between =
        |&point: &Vector| left.offset(point) * inside > least && right.offset(point) * inside > least;
    let fits = beyond && distance * width_per_px <= WIDTH_PX * samples.pixel;
    (fits && samples.run(first, last).iter().all(is_between)).then_some(apex)
}
