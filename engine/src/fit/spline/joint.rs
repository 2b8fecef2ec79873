//! The joints between the pieces of an outline: corners, points of contact, and the ends of open outlines.

use super::arc::circle_under;
use super::stretch::Knot;
use crate::fit::polygon::{PolygonFrame, corner_position, corner_reach_px};
use crate::fit::sampled::{Bound, Parabola, SampledOutline, Vector, cross, parabola, wrapped};

/// The run believed next to a corner: from where the pixel no longer rounds it off, over at most the length of
/// the side there (which shrinks with the radius), within these bounds.
const APPROACH_FROM_PX: f64 = 1.5;
const APPROACH_PX: (f64, f64) = (4.0, 9.0);
const APPROACH_NOISE: f64 = 20.0;
const APPROACH_COUNT: usize = 4;
/// A smooth corner between two lines is rounded over so much of each, and not over more than this part of it.
const ROUND_PX: f64 = 1.5;
const ROUND_PART: f64 = 0.4;
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

/// Where a piece ends and the next begins; the two points differ where a corner is rounded.
#[derive(Clone, Copy)]
pub(crate) struct Joint {
    pub before: Knot,
    pub after: Knot,
    pub corner: Vector,
    pub round: bool,
}

/// The joints before each piece and after the last.
pub(crate) fn list_joints(
    samples: &SampledOutline,
    frame: &PolygonFrame,
    pieces: &[OutlinePiece],
    joints: &mut Vec<Joint>,
) {
    joints.clear();
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
    settle_joint(samples, frame, pieces, joints);
}

/// Moves the joints between a line and a circle to where they touch or cross.
fn settle_joint(
    samples: &SampledOutline,
    frame: &PolygonFrame,
    pieces: &[OutlinePiece],
    joints: &mut [Joint],
) {
    let last = pieces.len();
    let is_inner = |joint: usize| joint > 0 && joint < last;
    for (index, piece) in pieces.iter().enumerate().filter(|(_, piece)| !piece.straight) {
        let line_beyond = |joint: usize| {
            let neighbor = &pieces[wrapped(if joint == index { joint + last - 1 } else { joint }, last)];
            (neighbor.straight && (is_inner(joint) || samples.closed)).then_some((joint, neighbor))
        };
        let ends = [index, index + 1].map(line_beyond);
        if ends.iter().all(Option::is_none) {
            continue;
        }
        let (from, to) = (joints[index].after.index + 1, joints[index + 1].before.index.saturating_sub(1));
        let Some(circle) = circle_under(samples, from.max(piece.first), to.min(piece.last)) else { continue };
        for (joint, neighbor) in ends.into_iter().flatten() {
            let line = &frame.sides[neighbor.side].line;
            let point = if frame.corners[if joint == index { piece.side } else { neighbor.side }] {
                circle.cross(line, joints[joint].after.point, SETTLE_MOST_PX)
            } else {
                circle.touch(line, SETTLE_PX + samples.noise_px)
            };
            let Some(point) = point else { continue };
            // A closed outline's first joint is its last one too.
            for joint in if is_inner(joint) { [joint, joint] } else { [0, last] } {
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
fn node(samples: &SampledOutline, frame: &PolygonFrame, piece: &OutlinePiece, start: bool) -> Joint {
    let index = if start { piece.first } else { piece.last };
    let tangent = approach(samples, frame, piece, start).direction(0.0);
    let knot = Knot { index, point: samples.at(index), tangent };
    Joint { before: knot, after: knot, corner: knot.point, round: false }
}

fn joint(samples: &SampledOutline, frame: &PolygonFrame, left: &OutlinePiece, right: &OutlinePiece) -> Joint {
    let index = left.last;
    let corner = frame.corners[right.side];
    let last_side = wrapped(left.side + left.count - 1, frame.sides.len());
    let (before, after) = (&frame.sides[last_side], &frame.sides[right.side]);
    let sharp = |point, left_tangent, right_tangent| Joint {
        before: Knot { index, point, tangent: left_tangent },
        after: Knot { index, point, tangent: right_tangent },
        corner: point,
        round: false,
    };
    if left.straight && right.straight {
        let point = corner_position(samples, before, after, index);
        let mut joint = sharp(point, before.line.direction, after.line.direction);
        if !corner {
            let back = ROUND_PX.at_most(ROUND_PART * before.length.at_most(after.length));
            joint.before.point = point - before.line.direction * back;
            joint.after.point = point + after.line.direction * back;
            joint.round = true;
        }
        return joint;
    }
    if corner {
        let (l, r) = (approach(samples, frame, left, false), approach(samples, frame, right, true));
        let near = |point: Vector, turn: f64| {
            let (low, high) = (index.saturating_sub(1), (index + 1).min(samples.last_index()));
            let reach = corner_reach_px(samples, turn).at_most(CROSSING_PX);
            samples.run(low, high).iter().any(|&sample| (sample - point).length() <= reach)
        };
        return match cross(&l, &r, CROSSING_PX + 2.0 * samples.noise_px) {
            Some((point, u, v)) if near(point, l.direction(u).dot(r.direction(v))) => {
                sharp(point, l.direction(u), r.direction(v))
            }
            _ => sharp(corner_position(samples, before, after, index), l.direction(0.0), r.direction(0.0)),
        };
    }
    let (line, end) = if left.straight {
        (&before.line, straight_run_end(samples, frame, left, false))
    } else {
        let end = straight_run_end(samples, frame, right, true);
        // After the last piece comes the first, a lap later.
        (&after.line, if end < left.first { end + samples.count } else { end })
    };
    let knot = Knot { index: end, point: line.project(samples.at(end)), tangent: line.direction };
    Joint { before: knot, after: knot, corner: knot.point, round: false }
}

/// The outline next to an end of a piece, s counted from the sample there.
fn approach(samples: &SampledOutline, frame: &PolygonFrame, piece: &OutlinePiece, start: bool) -> Parabola {
    let ahead = if start { 0 } else { piece.count - 1 };
    let side_index = wrapped(piece.side + ahead, frame.sides.len());
    let side = &frame.sides[side_index];
    let apex = if start { piece.first } else { piece.last };
    let center = samples.at(apex);
    if piece.straight {
        return Parabola::of_line(&side.line, center);
    }
    let most = APPROACH_PX.1 + APPROACH_NOISE * samples.noise_px;
    let reach = (1.3 * side.length).at_least(APPROACH_PX.0 + APPROACH_NOISE * samples.noise_px).at_most(most);
    let step = |index: usize| if start { index + 1 } else { index - 1 };
    let end = if start { piece.last } else { piece.first };
    let away_sq = |index: usize| (samples.at(index) - center).length_sq();
    let mut near = apex;
    while near != end && away_sq(near) < APPROACH_FROM_PX * APPROACH_FROM_PX {
        near = step(near);
    }
    let mut far = near;
    while far != end && away_sq(step(far)) <= reach * reach {
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
fn straight_run_end(
    samples: &SampledOutline,
    frame: &PolygonFrame,
    piece: &OutlinePiece,
    start: bool,
) -> usize {
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

/// One line, or one smooth stretch of sides.
#[derive(Clone, Copy)]
pub(crate) struct OutlinePiece {
    pub side: usize,
    pub count: usize,
    pub straight: bool,
    /// Samples at its ends; beyond `samples.count` past the seam.
    pub first: usize,
    pub last: usize,
}
