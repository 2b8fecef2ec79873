//! Bumps along an otherwise straight outline: takes the polygon and gives the samples without bumps that are
//! shorter than the option `lengthThreshold`.

use super::side::trusted_line;
use super::vertex::Vertex;
use crate::fit::sampled::{Bound, SampleRange, SampledOutline, wrapped};
use crate::geometry::Point;

/// The largest number of sides of a bump.
///
/// Unit: count (sides). Source: tuned; no derivation is known.
const BUMP_MAX_SIDES: usize = 6;

/// The sides before and after a bump are one line if their directions differ by less than this.
///
/// Unit: cosine of the angle (15 degrees). Source: tuned; no derivation is known.
const ONE_LINE_COSINE: f64 = 0.966;

/// They are one line if, in addition, the second begins this near to the line of the first.
///
/// Unit: pixels; the noise is added. Source: tuned; half a pixel.
const ONE_LINE_PX: f64 = 0.5;

/// Short sides between two sides of one line.
struct Bump {
    /// The samples between those that stay.
    range: SampleRange,
    sides: usize,
}

/// The samples without bumps shorter than `length_px` along the outline; `None` if it has no bumps.
pub(crate) fn without_bumps(
    samples: &SampledOutline,
    vertices: &[Vertex],
    length_px: f64,
) -> Option<Vec<Point>> {
    if length_px <= 0.0 {
        return None;
    }
    let mut dropped = Vec::new();
    let mut index = 1;
    while index < vertices.len() {
        match bump_from(samples, vertices, index, length_px) {
            Some(bump) => {
                dropped.push(bump.range);
                index += bump.sides + 1;
            }
            None => index += 1,
        }
    }
    (!dropped.is_empty()).then(|| keep(samples, &dropped))
}

/// The bump that begins at a vertex.
fn bump_from(samples: &SampledOutline, vertices: &[Vertex], index: usize, length_px: f64) -> Option<Bump> {
    let count = vertices.len();
    // Indices of samples run on past the seam.
    let vertex = |number: usize| {
        vertices[wrapped(number, count)].index + if number < count { 0 } else { samples.count }
    };
    let length = |side: SampleRange| (samples.at(side.last) - samples.at(side.first)).length();
    let reach = if samples.closed { count.saturating_sub(2) } else { count.saturating_sub(index + 2) };
    let before = SampleRange::new(vertex(index - 1), vertex(index));
    let (mut path_px, mut from, mut line) = (0.0, before.last, None);
    for sides in 1..=BUMP_MAX_SIDES.min(reach) {
        let to = vertex(index + sides);
        path_px += length(SampleRange::new(from, to));
        if path_px >= length_px {
            return None;
        }
        from = to;
        let after = SampleRange::new(to, vertex(index + sides + 1));
        // Each of the two sides is at least as long as the bump.
        if sides < 2 || length(before).at_most(length(after)) < path_px {
            continue;
        }
        let before = line.get_or_insert_with(|| trusted_line(samples, before));
        let after = trusted_line(samples, after);
        let one_line = before.direction.dot(after.direction) > ONE_LINE_COSINE
            && before.offset(samples.at(to)).abs() < ONE_LINE_PX + samples.noise_px;
        if one_line {
            return Some(Bump { range: SampleRange::new(vertex(index), to), sides });
        }
    }
    None
}

/// The samples outside all dropped ranges, and the ends of ranges.
fn keep(samples: &SampledOutline, dropped: &[SampleRange]) -> Vec<Point> {
    let is_inside = |range: &SampleRange, index: usize| range.first < index && index < range.last;
    let is_dropped = |index: usize| {
        dropped.iter().any(|range| is_inside(range, index) || is_inside(range, index + samples.count))
    };
    let is_end = |index: usize| !samples.closed && (index == 0 || index + 1 == samples.count);
    let kept = (0..samples.count).filter(|&index| is_end(index) || !is_dropped(index));
    kept.map(|index| samples.at(index).to_point(samples.origin)).collect()
}
