//! Bumps shorter than a length along an otherwise straight outline, which a caller may ask to be smoothed away.

use super::side::believed_line;
use super::vertex::Vertex;
use crate::fit::sampled::{Bound, FitLine, SampledOutline, wrapped};
use crate::geometry::Point;

/// A bump has at most so many sides.
const MOST_SIDES: usize = 6;
/// The sides before and after a bump are one line: their directions differ by less than 15 degrees (this is the
/// cosine), the second begins this near to the first's line, and each is at least as long as the bump.
const ONE_LINE_COSINE: f64 = 0.966;
const ONE_LINE_PX: f64 = 0.5;
/// Samples of a bump lie off that line by more than this; those at its feet are rounded off with it.
const BUMP_OFF_PX: f64 = 0.15;
const BUMP_OFF_NOISE: f64 = 2.0;
const FOOT_COUNT: usize = 2;

/// The samples without bumps shorter than `length_px` along the outline; `None` where there are none.
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
            Some((range, sides)) => {
                dropped.push(range);
                index += sides + 1;
            }
            None => index += 1,
        }
    }
    (!dropped.is_empty()).then(|| keep(samples, &dropped))
}

/// The samples of the bump that begins at a vertex, first and last, and its number of sides.
fn bump_from(
    samples: &SampledOutline,
    vertices: &[Vertex],
    index: usize,
    length_px: f64,
) -> Option<((usize, usize), usize)> {
    let count = vertices.len();
    // Past the seam, indices go on.
    let vertex = |number: usize| {
        vertices[wrapped(number, count)].index + if number < count { 0 } else { samples.count }
    };
    let length = |(first, last): (usize, usize)| (samples.at(last) - samples.at(first)).length();
    let reach = if samples.closed { count.saturating_sub(2) } else { count.saturating_sub(index + 2) };
    let before = (vertex(index - 1), vertex(index));
    let (mut path, mut from, mut line) = (0.0, before.1, None);
    for sides in 1..=MOST_SIDES.min(reach) {
        let to = vertex(index + sides);
        path += length((from, to));
        if path >= length_px {
            return None;
        }
        from = to;
        let after = (to, vertex(index + sides + 1));
        if sides < 2 || length(before).at_most(length(after)) < path {
            continue;
        }
        let before = line.get_or_insert_with(|| believed_line(samples, before.0, before.1));
        let after = believed_line(samples, after.0, after.1);
        let one_line = before.direction.dot(after.direction) > ONE_LINE_COSINE
            && before.offset(samples.at(to)).abs() < ONE_LINE_PX + samples.noise_px;
        if one_line {
            return Some((extent(samples, before, vertex(index), to), sides));
        }
    }
    None
}

/// The bump's samples with those of its rounded feet.
fn extent(samples: &SampledOutline, line: &FitLine, first: usize, last: usize) -> (usize, usize) {
    let off =
        |index: usize| line.offset(samples.at(index)).abs() > BUMP_OFF_PX + BUMP_OFF_NOISE * samples.noise_px;
    let (mut low, mut high) = (first, last);
    for _ in 0..FOOT_COUNT {
        if low > 1 && off(low) {
            low -= 1;
        }
        if high + 2 < first + samples.count && high < samples.last_index() && off(high) {
            high += 1;
        }
    }
    (low, high)
}

fn keep(samples: &SampledOutline, dropped: &[(usize, usize)]) -> Vec<Point> {
    let is_dropped = |index: usize| {
        dropped.iter().any(|&(low, high)| {
            (low < index && index < high) || (low < index + samples.count && index + samples.count < high)
        })
    };
    let ends = |index: usize| !samples.closed && (index == 0 || index + 1 == samples.count);
    let kept = (0..samples.count).filter(|&index| ends(index) || !is_dropped(index));
    kept.map(|index| samples.at(index).to_point(samples.origin)).collect()
}
