//! Puts the pieces together: lines and smooth stretches, and the joints between them.
use super::arc::{Arc, arc, circle_under};
use super::corner::{Frame, place};
use super::cubic::{Cubic, Stop};
use super::curve::{Cutting, cubics, stop_at};
use super::local::{Parabola, cross, parabola};
use super::samples::Samples;
use super::vector::Vector;
use crate::geometry::{Curve, Segment};

/// The run believed next to a corner: from where the pixel no longer rounds it off, over at most the length of
/// the side there (which shrinks with the radius), within these bounds.
const APPROACH_FROM_PX: f64 = 1.5;
const APPROACH_PX: (f64, f64) = (4.0, 9.0);
const APPROACH_NOISE: f64 = 20.0;
const APPROACH_COUNT: usize = 4;
/// A smooth corner between two lines is rounded over so much of each, and not over more than this part of it.
const ROUND_PX: f64 = 1.5;
const ROUND_PART: f64 = 0.4;
/// Handles of that round, as a part of its length on the line: those of a circle for a right angle.
const ROUND_HANDLE: f64 = 0.552;
/// A line runs on while the samples stay this near to it.
const RUN_PX: f64 = 0.04;
const RUN_NOISE: f64 = 2.2;
/// The search for where a curve has left its tangent ends after so many samples.
const CONTACT_COUNT: usize = 40;
/// How far a line may pass by the circle it touches, and a corner move to where line and circle cross.
const SETTLE_PX: f64 = 0.12;
const SETTLE_MOST_PX: f64 = 0.6;
/// A crossing of two extrapolations is believed this far from the sample nearest to it.
const CROSSING_PX: f64 = 3.5;
/// Handles nearer than this to their chord make a line of a cubic.
const FLAT_PX: f64 = 0.04;
const FLAT_NOISE: f64 = 0.4;

/// One line, or one smooth stretch of sides.
#[derive(Clone, Copy)]
struct Piece {
    side: usize,
    count: usize,
    straight: bool,
    /// Samples at its ends; beyond `samples.count` past the seam.
    first: usize,
    last: usize,
}

/// Where a piece ends and the next begins; the two points differ where a corner is rounded.
#[derive(Clone, Copy)]
struct Joint {
    before: Stop,
    after: Stop,
    corner: Vector,
    round: bool,
}

/// The polygon itself, its vertices where its sides' lines meet.
pub(super) fn polyline(samples: &Samples, frame: &Frame) -> Curve {
    let place_of = |vertex: usize| {
        let index = frame.vertices[vertex];
        if !samples.closed && (vertex == 0 || vertex + 1 == frame.vertices.len()) {
            return samples.at(index);
        }
        let before = (vertex + frame.sides.len() - 1) % frame.sides.len();
        place(samples, &frame.sides[before].line, &frame.sides[vertex].line, index)
    };
    let mut points: Vec<_> =
        (0..frame.vertices.len()).map(|v| place_of(v).to_point(samples.origin)).collect();
    let start = points[0];
    if samples.closed {
        points.push(start);
    }
    let segments = points[1..].iter().map(|&point| Segment::Line(point)).collect();
    Curve { start, segments, closed: samples.closed }
}

/// Lines where the outline is straight, cubics elsewhere.
pub(super) fn spline(samples: &Samples, frame: &Frame, splice_deg: f64) -> Curve {
    let Some(pieces) = pieces(samples, frame) else { return smooth_loop(samples, frame, splice_deg) };
    let mut joints = joints(samples, frame, &pieces);
    settle(samples, frame, &pieces, &mut joints);
    let mut writer = Writer { samples, segments: Vec::with_capacity(pieces.len() + 2) };
    for (index, piece) in pieces.iter().enumerate() {
        let (from, to) = (&joints[index].after, &joints[index + 1]);
        if piece.straight {
            writer.line(to.before.point);
        } else {
            let mut from = *from;
            from.index = from.index.max(piece.first);
            writer.curve(frame, piece, (from, to.before), splice_deg);
        }
        if to.round {
            writer.round(to);
        }
    }
    let start = joints[0].after.point.to_point(samples.origin);
    Curve { start, segments: writer.segments, closed: samples.closed }
}

/// The pieces in order from a corner or the start of a line; `None` for a closed outline that has neither.
fn pieces(samples: &Samples, frame: &Frame) -> Option<Vec<Piece>> {
    let sides = &frame.sides;
    let begins = |side: usize| {
        let before = &sides[(side + sides.len() - 1) % sides.len()];
        frame.corners[side] || sides[side].straight || before.straight
    };
    let start = if samples.closed {
        let corner = (0..sides.len()).find(|&side| frame.corners[side]);
        corner.or_else(|| (0..sides.len()).find(|&side| begins(side)))?
    } else {
        0
    };
    let mut pieces: Vec<Piece> = Vec::new();
    for step in 0..sides.len() {
        let index = (start + step) % sides.len();
        let offset = if index < start { samples.count } else { 0 };
        let (side, last) = (&sides[index], sides[index].last + offset);
        if step == 0 || begins(index) {
            let first = side.first + offset;
            pieces.push(Piece { side: index, count: 1, straight: side.straight, first, last });
        } else if let Some(piece) = pieces.last_mut() {
            piece.count += 1;
            piece.last = last;
        }
    }
    Some(pieces)
}

/// The joints before each piece and after the last.
fn joints(samples: &Samples, frame: &Frame, pieces: &[Piece]) -> Vec<Joint> {
    let mut joints = Vec::with_capacity(pieces.len() + 1);
    if samples.closed {
        let around = joint(samples, frame, &pieces[pieces.len() - 1], &pieces[0]);
        joints.push(shifted(around, samples.count));
        joints.extend(pieces.windows(2).map(|pair| joint(samples, frame, &pair[0], &pair[1])));
        joints.push(around);
    } else {
        joints.push(node(samples, frame, &pieces[0], true));
        joints.extend(pieces.windows(2).map(|pair| joint(samples, frame, &pair[0], &pair[1])));
        joints.push(node(samples, frame, &pieces[pieces.len() - 1], false));
    }
    joints
}

/// Moves the joints between a line and a circle to where they touch or cross.
fn settle(samples: &Samples, frame: &Frame, pieces: &[Piece], joints: &mut [Joint]) {
    let last = pieces.len();
    for (index, piece) in pieces.iter().enumerate().filter(|(_, piece)| !piece.straight) {
        let (from, to) = (joints[index].after.index + 1, joints[index + 1].before.index.saturating_sub(1));
        let Some(circle) = circle_under(samples, from.max(piece.first), to.min(piece.last)) else { continue };
        for (joint, other) in [(index, index.checked_sub(1)), (index + 1, Some(index + 1))] {
            let inner = joint > 0 && joint < last;
            if !inner && !samples.closed {
                continue;
            }
            let neighbor = &pieces[other.unwrap_or(last - 1) % last];
            let corner = frame.corners[if joint == index { piece.side } else { neighbor.side }];
            if !neighbor.straight {
                continue;
            }
            let line = &frame.sides[neighbor.side].line;
            let slack = SETTLE_PX + samples.noise_px;
            let point = if corner {
                circle.cross(line, joints[joint].after.point, SETTLE_MOST_PX)
            } else {
                circle.touch(line, slack)
            };
            let Some(point) = point else { continue };
            // A closed outline's first joint is its last one too.
            for joint in if inner { [joint, joint] } else { [0, last] } {
                joints[joint].before.point = point;
                joints[joint].after.point = point;
            }
        }
    }
}

/// The joint after the last piece, one turn earlier.
fn shifted(mut joint: Joint, count: usize) -> Joint {
    joint.after.index = joint.after.index.saturating_sub(count);
    joint
}

/// The fixed end of an open outline.
fn node(samples: &Samples, frame: &Frame, piece: &Piece, start: bool) -> Joint {
    let index = if start { piece.first } else { piece.last };
    let tangent = approach(samples, frame, piece, start).direction(0.0);
    let stop = Stop { index, point: samples.at(index), tangent };
    Joint { before: stop, after: stop, corner: stop.point, round: false }
}

fn joint(samples: &Samples, frame: &Frame, left: &Piece, right: &Piece) -> Joint {
    let index = left.last;
    let corner = frame.corners[right.side];
    let last_side = (left.side + left.count - 1) % frame.sides.len();
    let (before, after) = (&frame.sides[last_side].line, &frame.sides[right.side].line);
    let sharp = |point, left_tangent, right_tangent| Joint {
        before: Stop { index, point, tangent: left_tangent },
        after: Stop { index, point, tangent: right_tangent },
        corner: point,
        round: false,
    };
    if left.straight && right.straight {
        let point = place(samples, before, after, index);
        let mut joint = sharp(point, before.direction, after.direction);
        if !corner {
            let shorter = frame.sides[last_side].length.min(frame.sides[right.side].length);
            let back = ROUND_PX.min(ROUND_PART * shorter);
            joint.before.point = point - before.direction * back;
            joint.after.point = point + after.direction * back;
            joint.round = true;
        }
        return joint;
    }
    if corner {
        let (l, r) = (approach(samples, frame, left, false), approach(samples, frame, right, true));
        return match cross(&l, &r, CROSSING_PX + 2.0 * samples.noise_px) {
            Some((point, u, v)) => sharp(point, l.direction(u), r.direction(v)),
            None => sharp(place(samples, before, after, index), l.direction(0.0), r.direction(0.0)),
        };
    }
    let (line, end) = if left.straight {
        (before, run_end(samples, frame, left, false))
    } else {
        let end = run_end(samples, frame, right, true);
        // After the last piece comes the first, a lap later.
        (after, if end < left.first { end + samples.count } else { end })
    };
    let stop = Stop { index: end, point: line.project(samples.at(end)), tangent: line.direction };
    Joint { before: stop, after: stop, corner: stop.point, round: false }
}

/// The outline next to an end of a piece, s counted from the sample there.
fn approach(samples: &Samples, frame: &Frame, piece: &Piece, start: bool) -> Parabola {
    let side_index = if start { piece.side } else { (piece.side + piece.count - 1) % frame.sides.len() };
    let side = &frame.sides[side_index];
    let apex = if start { piece.first } else { piece.last };
    let center = samples.at(apex);
    if piece.straight {
        return Parabola::of_line(&side.line, center);
    }
    let most = APPROACH_PX.1 + APPROACH_NOISE * samples.noise_px;
    let reach = (1.3 * side.length).clamp(APPROACH_PX.0 + APPROACH_NOISE * samples.noise_px, most);
    let step = |index: usize| if start { index + 1 } else { index - 1 };
    let end = if start { piece.last } else { piece.first };
    let away = |index: usize| (samples.at(index) - center).length();
    let mut near = apex;
    while near != end && away(near) < APPROACH_FROM_PX {
        near = step(near);
    }
    let mut far = near;
    while far != end && away(step(far)) <= reach {
        far = step(far);
    }
    let (first, last) = (near.min(far), near.max(far));
    if last + 1 < first + APPROACH_COUNT {
        return Parabola::of_line(&side.line, center);
    }
    parabola(samples, first, last, apex)
}

/// The sample where a straight piece ends toward one end and its neighboring curve begins.
///
/// A curve leaves its tangent by s²/2r: where it is four times as far as what passes for noise it is twice as far
/// from the point of contact, which therefore lies as far back again.
fn run_end(samples: &Samples, frame: &Frame, piece: &Piece, start: bool) -> usize {
    let side = &frame.sides[piece.side];
    let offset = piece.first - side.first;
    let allowed = RUN_PX + RUN_NOISE * samples.noise_px;
    let away = |index: usize| side.line.offset(samples.at(index)).abs();
    let middle = (piece.first + piece.last) / 2;
    let step = |index: usize| if start { index.checked_sub(1) } else { Some(index + 1) };
    let back = |index: usize, by: usize| if start { index + by } else { index.saturating_sub(by) };
    let believed = if start { side.believed.0 } else { side.believed.1 } + offset;
    let mut end = if start { believed.min(middle) } else { believed.max(middle) };
    while end != middle && away(end) > allowed {
        end = back(end, 1);
    }
    let bound = if start { piece.first } else { piece.last };
    while let Some(next) = step(end)
        && end != bound
        && away(next) <= allowed
    {
        end = next;
    }
    let mut far = end;
    let farthest = if start {
        end.saturating_sub(CONTACT_COUNT)
    } else {
        (end + CONTACT_COUNT).min(samples.last_index())
    };
    while far != farthest && away(far) < 4.0 * allowed {
        far = if start { far - 1 } else { far + 1 };
    }
    let contact = back(end, if away(far) >= 4.0 * allowed { far.abs_diff(end).saturating_sub(1) } else { 0 });
    if start { contact.min(middle) } else { contact.max(middle) }
}

/// The cubics of a smooth stretch.
fn curve(
    samples: &Samples,
    frame: &Frame,
    piece: &Piece,
    (from, to): (Stop, Stop),
    cutting: &Cutting,
) -> Vec<Cubic> {
    let mut stops = vec![from];
    for step in 1..piece.count {
        let side = &frame.sides[(piece.side + step) % frame.sides.len()];
        let index = if side.first < piece.first { side.first + samples.count } else { side.first };
        if index > from.index + 2 && index + 2 < to.index {
            let before = &frame.sides[(piece.side + step - 1) % frame.sides.len()];
            stops.push(stop_at(samples, index, side.length.min(before.length), cutting.believed));
        }
    }
    stops.push(to);
    cubics(samples, &stops, cutting)
}

/// A closed outline without corner or line, from the sample farthest from its middle.
fn smooth_loop(samples: &Samples, frame: &Frame, splice_deg: f64) -> Curve {
    let everything = (0, samples.last_index());
    let stop = |vertex: usize| {
        let (before, after) = ((vertex + frame.sides.len() - 1) % frame.sides.len(), vertex);
        let side_px = frame.sides[before].length.min(frame.sides[after].length);
        stop_at(samples, frame.vertices[vertex] + samples.count, side_px, everything)
    };
    let mut stops: Vec<Stop> = (0..frame.vertices.len()).map(stop).collect();
    for stop in &mut stops {
        stop.index -= samples.count;
    }
    let mut end = stops[0];
    end.index += samples.count;
    stops.push(end);
    let cubics = cubics(samples, &stops, &Cutting { splice_deg, believed: everything });
    let mut writer = Writer { samples, segments: Vec::with_capacity(cubics.len()) };
    writer.cubics(&cubics);
    Curve { start: stops[0].point.to_point(samples.origin), segments: writer.segments, closed: true }
}

struct Writer<'a> {
    samples: &'a Samples,
    segments: Vec<Segment>,
}

impl Writer<'_> {
    fn line(&mut self, end: Vector) {
        self.segments.push(Segment::Line(end.to_point(self.samples.origin)));
    }

    /// One arc if there is one, else cubics.
    fn curve(&mut self, frame: &Frame, piece: &Piece, (from, mut to): (Stop, Stop), splice_deg: f64) {
        let samples = self.samples;
        to.index = to.index.clamp(from.index, samples.last_index());
        let corner = |vertex: usize| frame.corners[vertex % frame.corners.len()];
        let (sharp, sharp_end) = (corner(piece.side), corner(piece.side + piece.count));
        // The samples at a corner are rounded off.
        let believed = (from.index + usize::from(sharp), to.index.saturating_sub(usize::from(sharp_end)));
        match arc(samples, (&from, &to), (!sharp, !sharp_end), believed) {
            Some(arc) => self.arc(&arc, to.point),
            None => self.cubics(&curve(samples, frame, piece, (from, to), &Cutting { splice_deg, believed })),
        }
    }

    fn arc(&mut self, arc: &Arc, end: Vector) {
        for point in arc.cut.into_iter().chain([end]) {
            let point = point.to_point(self.samples.origin);
            self.segments.push(Segment::Arc(arc.radius as f32, arc.clockwise, point));
        }
    }

    fn cubics(&mut self, cubics: &[Cubic]) {
        for cubic in cubics {
            let [_, p1, p2, p3] = cubic.controls;
            if self.is_flat(&cubic.controls) {
                self.line(p3);
            } else {
                let point = |vector: Vector| vector.to_point(self.samples.origin);
                self.segments.push(Segment::Cubic(point(p1), point(p2), point(p3)));
            }
        }
    }

    fn is_flat(&self, [p0, p1, p2, p3]: &[Vector; 4]) -> bool {
        let along = (*p3 - *p0).unit_or(Vector::new(1.0, 0.0));
        let allowed = FLAT_PX + FLAT_NOISE * self.samples.noise_px;
        let off = |point: Vector| along.cross(point - *p0).abs();
        let forward = along.dot(*p1 - *p0) >= 0.0 && along.dot(*p3 - *p2) >= 0.0;
        forward && off(*p1) <= allowed && off(*p2) <= allowed
    }

    /// The round of a smooth corner between two lines.
    fn round(&mut self, joint: &Joint) {
        let toward = |from: Vector| from + (joint.corner - from) * ROUND_HANDLE;
        let (p0, p3) = (joint.before.point, joint.after.point);
        let point = |vector: Vector| vector.to_point(self.samples.origin);
        self.segments.push(Segment::Cubic(point(toward(p0)), point(toward(p3)), point(p3)));
    }
}
