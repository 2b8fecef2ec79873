//! Corners: which vertices of the polygon are sharp, and where exactly the two sides of each would meet.

use super::side::{PolygonSide, believed_line, is_bent, list_sides, list_turns, mark_straight, snap_to_axes};
use super::simplify::SPACING_PX;
use super::tip::with_tips;
use super::vertex::{Vertex, meet, nearest};
use crate::fit::sampled::{Bound, FitLine, SampledOutline, Vector, wrapped};

/// The pixel rounds a right corner off by up to this: the distance from the corner to the nearest sample times
/// the sine of half its angle. A round of radius 1.5 px cuts 0.44.
const ROUNDING_PX: f64 = 0.42;
/// A side this short may be nothing but the rounding of a corner.
const CHAMFER_PX: f64 = 2.3;
/// The sides next to such a chamfer are longer by this factor, and not shorter than `CORNER_FLANK_PX`.
const FLANK_OF_CHAMFER: f64 = 1.5;
const CORNER_FLANK_PX: f64 = 1.4;
/// Sides this long meet in a corner that is rounded by the pixel, by this part of what is true of other outlines: a solved outline
/// is sharper than placed samples.
const FLANK_LONG_PX: f64 = 5.0;
const ROUNDED_BY_PIXEL: f64 = 0.6;
/// Placement leaves out the samples that a sharp corner spoils: across such a gap the sides may be this short, and where no
/// sample lies off both of their lines by more than `CORNER_OFF_PX` and `CORNER_OFF_NOISE` times the noise, as on a round one would, the
/// corner lies off the samples by so much more.
const FLANK_OF_GAP_PX: f64 = 0.9;
const CORNER_GAP_PX: f64 = 0.5;
const CORNER_OFF_PX: f64 = 0.1;
const CORNER_OFF_NOISE: f64 = 2.0;
/// A corner of less than 74 degrees.
const ACUTE_HALF_SINE: f64 = 0.6;

/// Between bent sides a turn below this is a chord's, not a corner's: a circle of 2 px turns so much a side.
const CHORD_TURN_DEG: f64 = 50.0;
/// Turns are measured to about this.
const MARGIN_DEG: f64 = 1.5;
/// A corner lies at most this far from its nearest sample, and this many times what the pixel rounds off more.
const PLACE_PX: f64 = 0.5;
const PLACE_OF_ROUNDING: f64 = 1.3;
/// Nor more times than the shorter of its sides is long: the sides of a tiny shape may point far away.
const PLACE_OF_SIDE: f64 = 1.0;
/// Sides of at least this length that the samples follow to within so much, past the noise, up to where they meet: a turn of at
/// least so much is a corner then.
const SHARP_SIDE_PX: f64 = 4.0;
const SHARP_PX: f64 = 0.12;
const SHARP_TURN_DEG: f64 = 25.0;
/// Even at a threshold of 180 degrees a turn smaller than this between two lines is not worth a curve.
const INVISIBLE_DEG: f64 = 3.0;

/// Replaces each short side that only rounds a corner off by one vertex.
pub(crate) fn sharpen(samples: &SampledOutline, polygon: &[usize], vertices: &mut Vec<Vertex>) {
    let fewest = if samples.closed { 3 } else { 2 };
    with_tips(samples, polygon, vertices);
    let mut index = 0;
    while index < vertices.len() && vertices.len() > fewest {
        match apex_of_chamfer(samples, vertices, index) {
            Some(apex) => {
                let next = wrapped(index + 1, vertices.len());
                vertices[index] = apex;
                vertices.remove(next);
                if next == 0 {
                    put_in_order(vertices);
                }
            }
            None => index += 1,
        }
    }
    put_in_order(vertices);
    vertices.dedup_by_key(|vertex| vertex.index);
}

/// By insertion: hardly any are out of order, those beside the seam.
fn put_in_order(vertices: &mut [Vertex]) {
    for end in 1..vertices.len() {
        let mut k = end;
        while k > 0 && vertices[k - 1].index > vertices[k].index {
            vertices.swap(k - 1, k);
            k -= 1;
        }
    }
}

/// The sample nearest to the corner that the side from vertex `index` rounds off.
fn apex_of_chamfer(samples: &SampledOutline, vertices: &[Vertex], index: usize) -> Option<Vertex> {
    let count = vertices.len();
    let inner = samples.closed || (index > 0 && index + 2 < count);
    if !inner || count < 4 {
        return None;
    }
    let at = |number: usize| vertices[wrapped(number, count)].index;
    let first = at(index);
    let ahead = |vertex: usize, from: usize| if vertex < from { vertex + samples.count } else { vertex };
    let last = ahead(at(index + 1), first);
    let chamfer = (samples.at(last) - samples.at(first)).length();
    // Most sides are longer than any chamfer; what is beside them need not be looked at.
    let by_pixel = (ROUNDED_BY_PIXEL * samples.pixel).at_least(1.0);
    if chamfer > CHAMFER_PX * by_pixel {
        return None;
    }
    let before = at(index + count - 1);
    let left = (before, ahead(first, before));
    let right_start = wrapped(last, samples.count);
    let right = (right_start, ahead(at(index + 2), right_start));
    let flank = |(a, b): (usize, usize)| (samples.at(b) - samples.at(a)).length();
    // Of an enlarged outline too, long sides meet in a corner as the pixel rounds it.
    let long = flank(left).at_most(flank(right)) >= FLANK_LONG_PX * samples.pixel;
    let scale = if long { by_pixel } else { 1.0 };
    if chamfer > CHAMFER_PX * scale {
        return None;
    }
    let gap = last == first + 1 && chamfer > f64::from(SPACING_PX);
    let shortest = if gap { FLANK_OF_GAP_PX } else { CORNER_FLANK_PX.at_least(FLANK_OF_CHAMFER * chamfer) };
    if flank(left).at_most(flank(right)) < shortest {
        return None;
    }
    let [left, right] = [left, right].map(|(first, last)| believed_line(samples, first, last));
    let corner = meet(&left, &right)?;
    let start = samples.at(first);
    let between =
        left.direction.dot(corner - start) >= -0.5 && right.direction.dot(samples.at(last) - corner) >= -0.5;
    let (apex, distance) = nearest(samples, first, last, corner);
    let off = CORNER_OFF_PX + CORNER_OFF_NOISE * samples.noise_px;
    let is_off = |&point: &Vector| left.offset(point).abs().at_most(right.offset(point).abs()) > off;
    // The tip of an acute corner, narrower than a pixel, spoils a sample itself, and so may one between long sides.
    let acute = half_sine(left.direction.dot(right.direction)) < ACUTE_HALF_SINE;
    let spoiled = usize::from(acute || long);
    let round = samples.run(first, last).iter().filter(|&point| is_off(point)).count() > spoiled;
    let rounding = scale * if round { ROUNDING_PX } else { ROUNDING_PX + CORNER_GAP_PX };
    (between && distance <= reach_px(samples, rounding, &left, &right)).then_some(Vertex {
        index: wrapped(apex, samples.count),
        back: apex - first,
        ahead: last - apex,
    })
}

/// How far a sharp corner between two lines may lie from its nearest sample.
fn reach_px(samples: &SampledOutline, rounding_px: f64, left: &FitLine, right: &FitLine) -> f64 {
    (rounding_px + samples.noise_px) / half_sine(left.direction.dot(right.direction))
}

/// The same for a corner of any kind, by the cosine of its turn.
pub(crate) fn corner_reach_px(samples: &SampledOutline, turn_cosine: f64) -> f64 {
    (ROUNDING_PX + CORNER_GAP_PX + samples.noise_px) / half_sine(turn_cosine)
}

/// The sine of half the angle between the sides, √((1 + cos turn) / 2).
fn half_sine(turn_cosine: f64) -> f64 {
    (0.5 * (1.0 + turn_cosine)).at_least(0.0025).sqrt()
}

/// Whether a vertex turns by the threshold or more; the ends of an open outline count as corners.
fn is_corner(
    samples: &SampledOutline,
    (sides, turns): (&[PolygonSide], &[f64]),
    vertex: usize,
    threshold_deg: f64,
) -> bool {
    if !samples.closed && (vertex == 0 || vertex == turns.len() - 1) {
        return true;
    }
    let turn = turns[vertex].abs();
    let before = wrapped(vertex + sides.len() - 1, sides.len());
    let are_bent = || {
        is_bent(&sides[before], turns[before], turns[vertex])
            && is_bent(&sides[vertex], turns[vertex], turns[wrapped(vertex + 1, turns.len())])
    };
    let clear = turn > threshold_deg - MARGIN_DEG && !(turn < CHORD_TURN_DEG && are_bent());
    let clearer = turn > SHARP_TURN_DEG.at_least(threshold_deg * threshold_deg / 180.0)
        && is_sharp(samples, &sides[before], &sides[vertex], turn);
    threshold_deg < 180.0 && (clear || clearer)
}

/// Whether the samples follow two sides up to where their lines meet.
fn is_sharp(samples: &SampledOutline, before: &PolygonSide, after: &PolygonSide, turn_deg: f64) -> bool {
    let near = SHARP_PX + samples.noise_px;
    let is_line = |side: &PolygonSide| side.length >= SHARP_SIDE_PX * samples.pixel && side.is_line(turn_deg);
    let follows =
        |&point: &Vector| before.line.offset(point).abs().at_most(after.line.offset(point).abs()) <= near;
    // Past the seam, indices go on.
    let lap = if after.first < before.last { samples.count } else { 0 };
    let (first, last) = (before.believed.1, after.believed.0 + lap);
    is_line(before)
        && is_line(after)
        && last <= samples.last_index()
        && samples.run(first, last).iter().all(follows)
}

/// Two straight sides that meet are clearer evidence than a turn alone: they need only the square of the
/// threshold's part of half a turn (60 degrees: 20; 90: 45; 180: 180).
pub(crate) fn add_line_corners(
    sides: &[PolygonSide],
    turns: &[f64],
    corners: &mut [bool],
    threshold_deg: f64,
) {
    let enough = (threshold_deg * threshold_deg / 180.0).at_least(INVISIBLE_DEG);
    for vertex in 0..corners.len() {
        let (before, after) = (wrapped(vertex + sides.len() - 1, sides.len()), wrapped(vertex, sides.len()));
        if sides[before].straight && sides[after].straight {
            corners[vertex] |= turns[vertex].abs() >= enough || turns[vertex].abs() <= INVISIBLE_DEG;
        }
    }
}

/// The place of the corner between two sides, `apex` being the sample nearest to it.
pub(crate) fn corner_position(
    samples: &SampledOutline,
    before: &PolygonSide,
    after: &PolygonSide,
    apex: usize,
) -> Vector {
    let (left, right) = (&before.line, &after.line);
    let sample = samples.at(apex);
    let middle = (left.project(sample) + right.project(sample)) * 0.5;
    let of_rounding = PLACE_OF_ROUNDING * reach_px(samples, ROUNDING_PX + CORNER_GAP_PX, left, right);
    let allowed = PLACE_PX + of_rounding.at_most(PLACE_OF_SIDE * before.length.at_most(after.length));
    match meet(left, right) {
        Some(corner) if (corner - sample).length() <= allowed => corner,
        _ => middle,
    }
}

/// The polygon with its sides' lines and its corners.
#[derive(Default)]
pub(crate) struct PolygonFrame {
    pub vertices: Vec<Vertex>,
    pub sides: Vec<PolygonSide>,
    pub corners: Vec<bool>,
    /// The turn at the start of each side, in degrees; the two ends of an open outline turn by nothing.
    turns: Vec<f64>,
}

impl PolygonFrame {
    /// Finds what goes with the vertices.
    pub fn complete(&mut self, samples: &SampledOutline, threshold_deg: f64) {
        let PolygonFrame { vertices, sides, corners, turns } = self;
        list_sides(samples, vertices, sides);
        list_turns(samples, sides, turns);
        corners.clear();
        for vertex in 0..turns.len() {
            corners.push(is_corner(samples, (sides, turns), vertex, threshold_deg));
        }
        mark_straight(samples, sides, turns, corners);
        snap_to_axes(sides);
        add_line_corners(sides, turns, corners, threshold_deg);
    }
}
