//! Corners: which vertices of the polygon are sharp, and where exactly the two sides of each would meet.
use super::samples::{Line, Samples};
use super::side::{Side, believed, is_bent, sides, turns};
use super::vector::Vector;

/// The pixel rounds a right corner off by up to this: the distance from the corner to the nearest sample times
/// the sine of half its angle. A round of radius 1.5 px cuts 0.44.
const ROUNDING_PX: f64 = 0.42;
/// A side this short may be nothing but the rounding of a corner.
const CHAMFER_PX: f64 = 2.3;
/// The sides next to such a chamfer are longer by this factor, and not shorter than `FLANK_PX`.
const FLANK_OF_CHAMFER: f64 = 1.5;
const FLANK_PX: f64 = 1.4;
/// Two lines turning by less than this (its sine squared: 2 degrees) meet nowhere in particular.
const PARALLEL_SINE: f64 = 0.035;
/// Between bent sides a turn below this is a chord's, not a corner's: a circle of 2 px turns so much a side.
const CHORD_TURN_DEG: f64 = 50.0;
/// Turns are measured to about this.
const MARGIN_DEG: f64 = 1.5;
/// A corner lies at most this far from its nearest sample, and this many times what the pixel rounds off.
const PLACE_PX: f64 = 0.5;
const PLACE_OF_ROUNDING: f64 = 1.3;
/// Even at a threshold of 180 degrees a turn smaller than this between two lines is not worth a curve.
const INVISIBLE_DEG: f64 = 3.0;

/// Replaces each short side that only rounds a corner off by one vertex.
pub(super) fn sharpen(samples: &Samples, vertices: &mut Vec<usize>) {
    let fewest = if samples.closed { 3 } else { 2 };
    let mut index = 0;
    while index < vertices.len() && vertices.len() > fewest {
        match apex_of_chamfer(samples, vertices, index) {
            Some(apex) => {
                let next = (index + 1) % vertices.len();
                vertices[index] = apex % samples.count;
                vertices.remove(next);
                if next == 0 {
                    vertices.sort_unstable();
                }
            }
            None => index += 1,
        }
    }
    vertices.sort_unstable();
    vertices.dedup();
}

/// The sample nearest to the corner that the side from vertex `index` rounds off.
fn apex_of_chamfer(samples: &Samples, vertices: &[usize], index: usize) -> Option<usize> {
    let count = vertices.len();
    let inner = samples.closed || (index > 0 && index + 2 < count);
    if !inner || count < 4 {
        return None;
    }
    let first = vertices[index];
    let ahead = |vertex: usize, from: usize| if vertex < from { vertex + samples.count } else { vertex };
    let last = ahead(vertices[(index + 1) % count], first);
    let chamfer = (samples.at(last) - samples.at(first)).length();
    if chamfer > CHAMFER_PX {
        return None;
    }
    let before = vertices[(index + count - 1) % count];
    let left = (before, ahead(first, before));
    let right_end = ahead(vertices[(index + 2) % count], last % samples.count);
    let right = (last % samples.count, right_end);
    let flank = |(a, b): (usize, usize)| (samples.at(b) - samples.at(a)).length();
    if flank(left).min(flank(right)) < FLANK_PX.max(FLANK_OF_CHAMFER * chamfer) {
        return None;
    }
    let line = |(a, b)| {
        let (low, high) = believed(samples, a, b);
        samples.line(low, high)
    };
    let (left, right) = (line(left), line(right));
    let corner = meet(&left, &right)?;
    let start = samples.at(first);
    let between =
        left.direction.dot(corner - start) >= -0.5 && right.direction.dot(samples.at(last) - corner) >= -0.5;
    let (apex, distance) = nearest(samples, first, last, corner);
    (between && distance <= rounding_px(samples, &left, &right)).then_some(apex)
}

/// How far a sharp corner between two lines may lie from its nearest sample.
fn rounding_px(samples: &Samples, left: &Line, right: &Line) -> f64 {
    // Half the angle between the sides has the sine √((1 + cos turn) / 2).
    let half_sine = (0.5 * (1.0 + left.direction.dot(right.direction))).max(0.0025).sqrt();
    (ROUNDING_PX + samples.noise_px) / half_sine
}

fn nearest(samples: &Samples, first: usize, last: usize, to: Vector) -> (usize, f64) {
    let mut best = (first, f64::INFINITY);
    for (step, &point) in samples.run(first, last).iter().enumerate() {
        let distance = (point - to).length();
        if distance < best.1 {
            best = (first + step, distance);
        }
    }
    best
}

/// Where two lines cross, unless they are nearly parallel.
pub(super) fn meet(left: &Line, right: &Line) -> Option<Vector> {
    let sine = left.direction.cross(right.direction);
    if sine.abs() < PARALLEL_SINE {
        return None;
    }
    let along = (right.center - left.center).cross(right.direction) / sine;
    let mut point = left.center + left.direction * along;
    // A line snapped to an axis keeps its coordinate exactly.
    for line in [left, right] {
        if line.direction.x == 0.0 {
            point.x = line.center.x;
        }
        if line.direction.y == 0.0 {
            point.y = line.center.y;
        }
    }
    Some(point)
}

/// Which vertices turn by the threshold or more; the ends of an open outline count as corners.
pub(super) fn corners(samples: &Samples, sides: &[Side], turns: &[f64], threshold_deg: f64) -> Vec<bool> {
    let last = turns.len() - 1;
    (0..turns.len())
        .map(|vertex| {
            if !samples.closed && (vertex == 0 || vertex == last) {
                return true;
            }
            let turn = turns[vertex].abs();
            let before = (vertex + sides.len() - 1) % sides.len();
            let bent = is_bent(&sides[before], turns[before], turns[vertex])
                && is_bent(&sides[vertex], turns[vertex], turns[(vertex + 1) % turns.len()]);
            turn > threshold_deg - MARGIN_DEG && threshold_deg < 180.0 && !(bent && turn < CHORD_TURN_DEG)
        })
        .collect()
}

/// Two straight sides that meet are clearer evidence than a turn alone: they need only the square of the
/// threshold's part of half a turn (60 degrees: 20; 90: 45; 180: 180).
pub(super) fn add_line_corners(sides: &[Side], turns: &[f64], corners: &mut [bool], threshold_deg: f64) {
    let enough = (threshold_deg * threshold_deg / 180.0).max(INVISIBLE_DEG);
    for vertex in 0..corners.len() {
        let (before, after) = ((vertex + sides.len() - 1) % sides.len(), vertex % sides.len());
        if sides[before].straight && sides[after].straight {
            corners[vertex] |= turns[vertex].abs() >= enough || turns[vertex].abs() <= INVISIBLE_DEG;
        }
    }
}

/// The place of the corner between two lines, `apex` being the sample nearest to it.
pub(super) fn place(samples: &Samples, left: &Line, right: &Line, apex: usize) -> Vector {
    let sample = samples.at(apex);
    let middle = (left.project(sample) + right.project(sample)) * 0.5;
    let allowed = PLACE_PX + PLACE_OF_ROUNDING * rounding_px(samples, left, right);
    match meet(left, right) {
        Some(corner) if (corner - sample).length() <= allowed => corner,
        _ => middle,
    }
}

/// The polygon with its sides' lines and its corners, corners sharpened.
pub(super) struct Frame {
    pub vertices: Vec<usize>,
    pub sides: Vec<Side>,
    pub corners: Vec<bool>,
}

pub(super) fn frame(samples: &Samples, mut vertices: Vec<usize>, threshold_deg: f64) -> Frame {
    sharpen(samples, &mut vertices);
    let mut sides = sides(samples, &vertices);
    let turns = turns(samples, &sides);
    let mut corners = corners(samples, &sides, &turns, threshold_deg);
    super::side::mark_straight(samples, &mut sides, &turns, &corners);
    super::side::snap(&mut sides);
    add_line_corners(&sides, &turns, &mut corners, threshold_deg);
    Frame { vertices, sides, corners }
}
