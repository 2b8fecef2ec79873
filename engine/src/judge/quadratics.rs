//! Cubics that quadratics replace, which take two numbers less.

use super::coordinates::Coordinates;
use super::normal_equations::{LONGEST_STEP_PX, NormalEquations};
use crate::algorithms::sorted_by_key;
use crate::geometry::{Drawing, Point, Segment, Way};

/// A cubic of the drawing that a quadratic may replace.
struct Candidate {
    /// The place of the point where it begins.
    slot: usize,
    /// The control point of the quadratic, and by how much those of the cubic move.
    control: Point,
    moves: [Point; 2],
    /// The middle of its control points, times two: the same for cubics that coincide, in whichever direction they run.
    middle: Point,
}

/// Replaces the cubics by quadratics that add less error than `saved`, which is what the bytes are worth that each saves. Returns how much
/// error they add, if there are any. The equations are those of the step that moved the drawing to where its error is least.
pub(crate) fn reduce_cubics(
    drawing: &mut Drawing,
    coordinates: &Coordinates,
    equations: &NormalEquations<'_>,
    saved: f32,
) -> Option<f32> {
    let mut candidates = Vec::new();
    for_each_cubic(drawing, |slot, from, segment| candidates.extend(candidate(slot, from, segment)));
    if candidates.is_empty() {
        return None;
    }
    let mut moves = vec![Point::default(); coordinates.point_count()];
    for Candidate { slot, moves: by, .. } in &candidates {
        moves[slot + 1..slot + 3].copy_from_slice(by);
    }
    // What does not move has no equations; it stays as it is.
    let mut errors = vec![f32::INFINITY; moves.len()];
    for (slot, error) in equations.errors(&moves) {
        errors[slot as usize] = error;
    }
    let mut added = None;
    let mut controls = vec![None; moves.len()];
    moves.fill(Point::default());
    let of = |k: u32| &candidates[k as usize];
    // Cubics that coincide stay together.
    let by_y = sorted_by_key(0..candidates.len() as u32, |k| of(k).middle.y.to_bits());
    let by_x = sorted_by_key(by_y.into_iter(), |k| of(k).middle.x.to_bits());
    for group in by_x.chunk_by(|&a, &b| of(a).middle == of(b).middle) {
        let group = group.iter().map(|&k| of(k));
        let error: f32 = group.clone().map(|candidate| errors[candidate.slot]).sum();
        if error < saved * group.len() as f32 {
            added = Some(added.unwrap_or(0.0) + error);
            for Candidate { slot, control, moves: by, .. } in group {
                controls[*slot] = Some(*control);
                moves[slot + 1..slot + 3].copy_from_slice(by);
            }
        }
    }
    added?;
    coordinates.carry(&mut moves);
    drawing.shift(&moves);
    for_each_cubic(drawing, |slot, from, segment| {
        if let Some(control) = controls[slot] {
            *segment = Segment::quadratic(from, control, segment.end);
        }
    });
    added
}

/// Visits the cubics, with the place of the point where each begins, and that point.
fn for_each_cubic(drawing: &mut Drawing, mut visit: impl FnMut(usize, Point, &mut Segment)) {
    let mut slot = 0;
    for curve in drawing.shapes.iter_mut().flat_map(|shape| &mut shape.curves) {
        let mut from = curve.start;
        for segment in &mut curve.segments {
            if matches!(segment.way, Way::Cubic(..)) {
                visit(slot, from, segment);
            }
            from = segment.end;
            slot += segment.point_count() as usize;
        }
        slot += 1;
    }
}

/// If the cubic is no quadratic, and near enough to one.
fn candidate(slot: usize, from: Point, segment: &Segment) -> Option<Candidate> {
    let Way::Cubic(a, b) = segment.way else { return None };
    if segment.quadratic_control(from).is_some() {
        return None;
    }
    let control = nearest_control(from, [a, b], segment.end);
    let Way::Cubic(to_a, to_b) = Segment::quadratic(from, control, segment.end).way else { return None };
    let moves = [to_a - a, to_b - b];
    let is_near = moves.iter().all(|by| by.length() <= LONGEST_STEP_PX);
    is_near.then_some(Candidate { slot, control, moves, middle: a + b })
}

/// The control point of the quadratic that is nearest to a cubic. Tangents along rows and columns of pixels stay along them.
fn nearest_control(from: Point, [a, b]: [Point; 2], end: Point) -> Point {
    let free = (a + b) * 0.75 - (from + end) * 0.25;
    let along = |from, [a, b]: [f32; 2], end, free| match () {
        () if a == from => from,
        () if b == end => end,
        () => free,
    };
    Point::new(along(from.x, [a.x, b.x], end.x, free.x), along(from.y, [a.y, b.y], end.y, free.y))
}
