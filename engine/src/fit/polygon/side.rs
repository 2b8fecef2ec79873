//! The sides of the polygon: the line under each, and whether the outline is straight there.

use super::vertex::Vertex;
use crate::fit::sampled::{Bound, FitLine, SampledOutline, Vector, turn_deg, wrapped};

/// Samples nearer than this to a corner or node are rounded off by the pixel and are not believed.
const BELIEVED: [(f64, usize, f64); 2] = [(1.5, 3, 2.0), (1.0, 3, 1.8)];
/// Shortest side that can be a line where the outline is smooth at one of its ends.
const STRAIGHT_SIDE_PX: f64 = 4.0;
/// A side between two corners this short is rounded off from end to end: its samples tell of no bend.
const ROUNDED_SIDE_PX: f64 = 2.6;
/// RMS error of a straight side: what placement leaves on clean art, and the noise.
const STRAIGHT_RMS_PX: f64 = 0.06;
const STRAIGHT_RMS_NOISE: f64 = 1.3;
/// Of fewer samples none tells that a side is bent.
const FEWEST_OF_LINE: usize = 4;
/// A bow below this is invisible; one within 3.2 standard deviations of its estimate is noise. The estimate from
/// n samples scatters by 3.35 / √n of the noise (the norm of the quadratic Legendre polynomial).
const BOW_PX: f64 = 0.06;
const BOW_NOISE: f64 = 3.2 * 3.35;
/// A side bowed by less than this part of what its neighbors' turns ask of a curve is a line.
const BOW_OF_CURVE: f64 = 0.4;
/// A line next to a curve is longer than the chords of that curve by this.
const LINE_OF_CHORD: f64 = 1.6;
/// Where the curve bends the other way, chords are straight and longer.
const LINE_OF_INFLECTION: f64 = 2.5;
const RAD_PER_DEG: f64 = std::f64::consts::PI / 180.0;

#[derive(Debug, Clone, Copy)]
pub(crate) struct PolygonSide {
    pub first: usize,
    pub last: usize,
    /// Its samples that are believed.
    pub believed: (usize, usize),
    pub line: FitLine,
    pub length: f64,
    believed_length: f64,
    /// Sagitta of the believed part, signed.
    bow: f64,
    rms: f64,
    /// Whether it looks straight by itself, and whether it is among those beside it.
    may_be_straight: bool,
    pub straight: bool,
}

impl PolygonSide {
    /// Whether the believed samples show nothing of a bend, though the side turns by so much at one end.
    pub fn is_line(&self, turn_deg: f64) -> bool {
        let most = BOW_PX.at_least(BOW_OF_CURVE * curve_bow(self, turn_deg));
        let tells = self.believed.1 - self.believed.0 >= FEWEST_OF_LINE - 1;
        tells && self.rms <= STRAIGHT_RMS_PX && self.bow.abs() <= most
    }
}

/// The sides between consecutive vertices; a closed outline's last side runs over the seam.
pub(crate) fn list_sides(samples: &SampledOutline, vertices: &[Vertex], sides: &mut Vec<PolygonSide>) {
    sides.clear();
    sides.extend(vertices.windows(2).map(|pair| side(samples, pair[0], pair[1])));
    if samples.closed {
        let mut next = vertices[0];
        next.index += samples.count;
        sides.push(side(samples, vertices[vertices.len() - 1], next));
    }
}

fn side(samples: &SampledOutline, from: Vertex, to: Vertex) -> PolygonSide {
    let (first, last) = (from.index, to.index);
    let believed = believed(samples, first + from.ahead, last - to.back);
    let (line, error_sq) = samples.line_and_error_sq(believed.0, believed.1);
    let length = (samples.at(last) - samples.at(first)).length();
    let believed_length = (samples.at(believed.1) - samples.at(believed.0)).length();
    let bow = bow(samples, believed, &line, 0.5 * believed_length);
    let rms = (error_sq / (believed.1 + 1 - believed.0) as f64).sqrt();
    let (may_be_straight, straight) = (false, false);
    PolygonSide { first, last, believed, believed_length, line, length, bow, rms, may_be_straight, straight }
}

/// The run between two vertices without the samples that are rounded off, where enough others remain.
fn believed(samples: &SampledOutline, first: usize, last: usize) -> (usize, usize) {
    let (start, end) = (samples.at(first), samples.at(last));
    for (rounded, count, length) in BELIEVED {
        let (mut low, mut high) = (first, last);
        while low < last && (samples.at(low) - start).length_sq() < rounded * rounded {
            low += 1;
        }
        while high > first && (samples.at(high) - end).length_sq() < rounded * rounded {
            high -= 1;
        }
        if high + 1 >= low + count && (samples.at(high) - samples.at(low)).length_sq() >= length * length {
            return (low, high);
        }
    }
    if last >= first + 3 { (first + 1, last - 1) } else { (first, last) }
}

/// The line through the believed samples of the run between two vertices.
pub(crate) fn believed_line(samples: &SampledOutline, first: usize, last: usize) -> FitLine {
    let (low, high) = believed(samples, first, last);
    samples.line(low, high)
}

/// The sagitta of the run against its line: the least squares coefficient of u² − mean(u²), u from −1 to 1 over twice `half`.
fn bow(samples: &SampledOutline, (first, last): (usize, usize), line: &FitLine, half: f64) -> f64 {
    if last < first + 2 || half <= 0.0 {
        return 0.0;
    }
    let inverse = 1.0 / half;
    let (mut s1, mut s2, mut product) = (0.0, 0.0, 0.0);
    for &point in samples.run(first, last) {
        let along = line.direction.dot(point - line.center) * inverse;
        let square = along * along;
        s1 += square;
        s2 += square * square;
        product += square * line.offset(point);
    }
    let count = (last + 1 - first) as f64;
    let norm = s2 - s1 * s1 / count;
    if norm > 0.0 { product / norm } else { 0.0 }
}

/// Marks the straight sides. `turns[k]` is the turn at the start of side k, `corners[k]` whether it is a corner.
pub(crate) fn mark_straight(
    samples: &SampledOutline,
    sides: &mut [PolygonSide],
    turns: &[f64],
    corners: &[bool],
) {
    for index in 0..sides.len() {
        let next = wrapped(index + 1, corners.len());
        let free = corners[index] && corners[next];
        // A curve that ends in a corner turns on to there.
        let ends = match (corners[index], corners[next]) {
            (true, true) => (0.0, 0.0),
            (true, false) => (turns[next], turns[next]),
            (false, true) => (turns[index], turns[index]),
            (false, false) => (turns[index], turns[next]),
        };
        let side = &sides[index];
        let short = free && side.length < ROUNDED_SIDE_PX;
        sides[index].may_be_straight =
            short || is_near(samples, side) && (free || is_unbent(samples, side, ends));
    }
    let count = sides.len();
    for index in 0..count {
        let (start, end) = (index, wrapped(index + 1, corners.len()));
        let (before, after) = (wrapped(index + count - 1, count), wrapped(index + 1, count));
        let chord = |vertex: usize, other: usize| {
            if corners[vertex] || sides[other].may_be_straight { 0.0 } else { sides[other].length }
        };
        let inflected = !corners[start] && !corners[end] && turns[start] * turns[end] < 0.0;
        let factor = if inflected { LINE_OF_INFLECTION } else { LINE_OF_CHORD };
        let longest = chord(start, before).at_least(chord(end, after));
        sides[index].straight = sides[index].may_be_straight && sides[index].length >= factor * longest;
    }
}

/// Whether the samples of a side scatter about its line as noise does.
fn is_near(samples: &SampledOutline, side: &PolygonSide) -> bool {
    side.rms <= STRAIGHT_RMS_PX.at_least(STRAIGHT_RMS_NOISE * samples.noise_px)
        && side.bow.abs() <= noise_bow(samples, side)
}

fn noise_bow(samples: &SampledOutline, side: &PolygonSide) -> f64 {
    let believed = (side.believed.1 + 1 - side.believed.0) as f64;
    BOW_PX.at_least(BOW_NOISE * samples.noise_px / believed.sqrt())
}

/// Whether a side with a smooth end is long enough to tell a line from a chord, and is a line.
fn is_unbent(samples: &SampledOutline, side: &PolygonSide, (turn_before, turn_after): (f64, f64)) -> bool {
    if side.length < STRAIGHT_SIDE_PX + STRAIGHT_SIDE_PX * samples.noise_px {
        return false;
    }
    let curve_bow = curve_bow(side, turn_before.abs() + turn_after.abs());
    curve_bow >= noise_bow(samples, side) && side.bow.abs() <= BOW_OF_CURVE * curve_bow
}

/// The bow of the believed part of a side that is the chord of a curve turning by half of `turns_deg` along it.
fn curve_bow(side: &PolygonSide, turns_deg: f64) -> f64 {
    0.0625 * RAD_PER_DEG * turns_deg * side.believed_length * side.believed_length / side.length.at_least(0.1)
}

/// The turn at the start of each side, in degrees; the two ends of an open outline turn by nothing.
pub(crate) fn list_turns(samples: &SampledOutline, sides: &[PolygonSide], turns: &mut Vec<f64>) {
    turns.clear();
    let mut before = &sides[sides.len() - 1];
    for side in sides {
        turns.push(turn_deg(before.line.direction, side.line.direction));
        before = side;
    }
    if !samples.closed {
        turns[0] = 0.0;
        turns.push(0.0);
    }
}

/// A side bent as the turns at its ends ask: part of a curve.
pub(crate) fn is_bent(side: &PolygonSide, turn_before: f64, turn_after: f64) -> bool {
    let bow = side.bow.abs();
    bow > BOW_PX && bow > BOW_OF_CURVE * curve_bow(side, turn_before.abs() + turn_after.abs())
}

/// A line within this of an axis at both its ends lies along it: placement's error, and that of a line's end
/// estimated from n samples, two standard deviations (2·√3/√n of the noise).
const SIDE_SNAP_PX: f64 = 0.05;
const SIDE_SNAP_NOISE: f64 = 3.5;

/// Turns the lines of straight sides that are nearly axis-parallel exactly so.
pub(crate) fn snap_to_axes(sides: &mut [PolygonSide]) {
    for side in sides.iter_mut().filter(|side| side.straight) {
        let count = (side.believed.1 + 1 - side.believed.0) as f64;
        snap_line(
            &mut side.line,
            0.5 * side.length,
            SIDE_SNAP_PX + SIDE_SNAP_NOISE * side.rms / count.sqrt(),
        );
    }
}

fn snap_line(line: &mut FitLine, half: f64, allowed: f64) {
    let direction = &mut line.direction;
    if direction.x.abs() * half <= allowed && direction.x.abs() < 0.2 {
        *direction = Vector::new(0.0, if direction.y < 0.0 { -1.0 } else { 1.0 });
    } else if direction.y.abs() * half <= allowed && direction.y.abs() < 0.2 {
        *direction = Vector::new(if direction.x < 0.0 { -1.0 } else { 1.0 }, 0.0);
    }
}
