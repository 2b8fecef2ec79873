//! The joints between the pieces of an outline: takes the pieces, gives the point and the tangents at each
//! corner, at each contact of a line with a curve, and at the ends of an open outline.

use super::contact::straight_run_end;
use super::free_circle::circle_under;
use super::piece::OutlinePiece;
use super::stretch::Knot;
use super::tangent::{TANGENT_REACH_NOISE, tangent_reach_px};
use crate::fit::polygon::{PolygonFrame, PolygonSide, ROUNDED_PX, corner_position, corner_reach_px};
use crate::fit::sampled::{
    Bound, CLEAN_DEVIATION_PX, OFF_NOISE, Parabola, SampleRange, SampledOutline, Vector, parabola, wrapped,
};

/// How far from a corner the samples lie at most that give its tangent; `TANGENT_REACH_NOISE` is added.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const APPROACH_MAX_PX: f64 = 9.0;

/// How far they lie between the reach of a tangent and that bound: the sides of the polygon get shorter with the radius of curvature.
///
/// Unit: share of the side's length (ratio). Source: tuned; no derivation is known.
const APPROACH_OF_SIDE: f64 = 1.3;

/// With fewer samples, the side's line gives the tangent.
///
/// Unit: count (samples). Source: a parabola passes through any three.
const APPROACH_MIN_SAMPLES: usize = 4;

/// How far a corner may move to where a line and a circle cross.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const MOVE_TO_CROSSING_PX: f64 = 0.6;

/// A crossing of two extrapolated curves is accepted this far from the corner's sample; along the curves,
/// `OFF_NOISE` is added.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const CROSSING_PX: f64 = 3.5;

/// Where a piece ends and the next begins. The two points differ where a corner is rounded.
#[derive(Clone, Copy)]
pub(crate) struct Joint {
    pub before: Knot,
    pub after: Knot,
    /// Where the lines of a rounded corner meet.
    pub corner: Vector,
    pub round: bool,
}

impl Joint {
    /// A joint in one knot.
    fn at(knot: Knot) -> Self {
        Joint { before: knot, after: knot, corner: knot.point, round: false }
    }

    /// A corner.
    fn sharp(index: usize, point: Vector, tangent_before: Vector, tangent_after: Vector) -> Self {
        let before = Knot { index, point, tangent: tangent_before };
        Joint { after: Knot { tangent: tangent_after, ..before }, ..Joint::at(before) }
    }

    /// The same joint one lap earlier.
    fn one_lap_earlier(mut self, lap: usize) -> Self {
        self.after.index = self.after.index.saturating_sub(lap);
        self
    }
}

/// Lists the joints before each piece and after the last.
pub(crate) fn list_joints(
    samples: &SampledOutline,
    frame: &PolygonFrame,
    pieces: &[OutlinePiece],
    joints: &mut Vec<Joint>,
) {
    let last = &pieces[pieces.len() - 1];
    let ends = if samples.closed {
        let seam = joint(samples, frame, last, &pieces[0]);
        [seam.one_lap_earlier(samples.count), seam]
    } else {
        [open_end(samples, frame, &pieces[0], true), open_end(samples, frame, last, false)]
    };
    joints.clear();
    joints.push(ends[0]);
    joints.extend(pieces.windows(2).map(|pair| joint(samples, frame, &pair[0], &pair[1])));
    joints.push(ends[1]);
    move_to_circles(samples, frame, pieces, joints);
}

/// Moves the joints between a line and a circle to where they touch or cross.
fn move_to_circles(
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
        let range = SampleRange::new(from.max(piece.first), to.min(piece.last));
        let Some(circle) = circle_under(samples, range) else { continue };
        for (joint, neighbor) in ends.into_iter().flatten() {
            let line = &frame.sides[neighbor.side].line;
            let point = if frame.corners[if joint == index { piece.side } else { neighbor.side }] {
                circle.cross(line, joints[joint].after.point, MOVE_TO_CROSSING_PX)
            } else {
                circle.touch(line, 2.0 * CLEAN_DEVIATION_PX + samples.noise_px)
            };
            let Some(point) = point else { continue };
            // The first joint of a closed outline is also its last.
            for joint in if is_inner(joint) { [joint, joint] } else { [0, last] } {
                joints[joint].before.point = point;
                joints[joint].after.point = point;
            }
        }
    }
}

/// The fixed end of an open outline.
fn open_end(samples: &SampledOutline, frame: &PolygonFrame, piece: &OutlinePiece, start: bool) -> Joint {
    let index = if start { piece.first } else { piece.last };
    let tangent = approach(samples, frame, piece, start).direction(0.0);
    Joint::at(Knot { index, point: samples.at(index), tangent })
}

fn joint(samples: &SampledOutline, frame: &PolygonFrame, left: &OutlinePiece, right: &OutlinePiece) -> Joint {
    let index = left.last;
    let is_corner = frame.corners[right.side];
    let last_side = wrapped(left.side + left.count - 1, frame.sides.len());
    let (before, after) = (&frame.sides[last_side], &frame.sides[right.side]);
    if left.straight && right.straight {
        let point = corner_position(samples, before, after, index);
        let sharp = Joint::sharp(index, point, before.line.direction, after.line.direction);
        return if is_corner { sharp } else { rounded(sharp, before, after) };
    }
    if is_corner {
        let (l, r) = (approach(samples, frame, left, false), approach(samples, frame, right, true));
        return curved_corner(samples, index, [&l, &r]).unwrap_or_else(|| {
            let point = corner_position(samples, before, after, index);
            Joint::sharp(index, point, l.direction(0.0), r.direction(0.0))
        });
    }
    let (line, end) = if left.straight {
        (&before.line, straight_run_end(samples, frame, left, false))
    } else {
        let end = straight_run_end(samples, frame, right, true);
        // The piece after the last one is the first, one lap later.
        (&after.line, if end < left.first { end + samples.count } else { end })
    };
    Joint::at(Knot { index: end, point: line.project(samples.at(end)), tangent: line.direction })
}

/// A corner between two lines that is below the threshold.
fn rounded(mut joint: Joint, before: &PolygonSide, after: &PolygonSide) -> Joint {
    // As much of each line as the pixel rounds off, and no more than half of it.
    let back = ROUNDED_PX.at_most(0.5 * before.length.at_most(after.length));
    joint.before.point = joint.corner - before.line.direction * back;
    joint.after.point = joint.corner + after.line.direction * back;
    joint.round = true;
    joint
}

/// A corner where two extrapolated curves cross, if they do so near its sample.
fn curved_corner(samples: &SampledOutline, index: usize, [left, right]: [&Parabola; 2]) -> Option<Joint> {
    let crossing = left.crossing(right, CROSSING_PX + OFF_NOISE * samples.noise_px)?;
    let (before, after) = (left.direction(crossing.left), right.direction(crossing.right));
    let reach_px = corner_reach_px(samples, before.dot(after)).at_most(CROSSING_PX);
    let (first, last) = (index.saturating_sub(1), (index + 1).min(samples.last_index()));
    let is_near = |&sample: &Vector| (sample - crossing.point).length() <= reach_px;
    let is_corner = samples.run(first, last).iter().any(is_near);
    is_corner.then(|| Joint::sharp(index, crossing.point, before, after))
}

/// The outline next to an end of a piece; s starts at the sample there.
fn approach(samples: &SampledOutline, frame: &PolygonFrame, piece: &OutlinePiece, start: bool) -> Parabola {
    let ahead = if start { 0 } else { piece.count - 1 };
    let side = &frame.sides[wrapped(piece.side + ahead, frame.sides.len())];
    let apex = if start { piece.first } else { piece.last };
    let center = samples.at(apex);
    if piece.straight {
        return Parabola::of_line(&side.line, center);
    }
    let max_reach = APPROACH_MAX_PX + TANGENT_REACH_NOISE * samples.noise_px;
    let reach =
        (APPROACH_OF_SIDE * side.length).at_least(tangent_reach_px(samples.noise_px)).at_most(max_reach);
    let step = |index: usize| if start { index + 1 } else { index - 1 };
    let end = if start { piece.last } else { piece.first };
    let away_sq = |index: usize| (samples.at(index) - center).length_sq();
    let mut near = apex;
    while near != end && away_sq(near) < ROUNDED_PX * ROUNDED_PX {
        near = step(near);
    }
    let mut far = near;
    while far != end && away_sq(step(far)) <= reach * reach {
        far = step(far);
    }
    let range = SampleRange::new(near.min(far), near.max(far));
    if range.count() < APPROACH_MIN_SAMPLES {
        return Parabola::of_line(&side.line, center);
    }
    parabola(samples, range.first, range.last, apex)
}
