//! Gates across a hidden edge, and the lines that pass several of them. The search for few lines follows L. J. Guibas, J. Hershberger,
//! J. S. B. Mitchell and J. S. Snoeyink, "Approximating Polygons and Subdivisions with Minimum-Link Paths", 1993.

use wide::f32x4;

use super::segment_grid::RelativeEnds;
use crate::geometry::Point;

/// A short line across a hidden edge, which that has to cross: from beside the visible edge outward, as far as the cover reaches.
#[derive(Clone, Copy)]
pub(crate) struct Gate {
    pub near: Point,
    pub far: Point,
    /// The direction of the edge there.
    pub along: Point,
}

impl Gate {
    /// A point of the gate, from 0 at its near end to 1 at its far end.
    pub fn point(&self, part: f32) -> Point {
        self.near + (self.far - self.near) * part
    }

    /// Whether the gate lies behind a point on its way along the edge.
    pub fn lies_behind(&self, point: Point) -> bool {
        self.along.dot(point - self.near) >= 0.0
    }
}

/// The directions in which lines from a point pass through all of some gates.
pub(crate) struct VisibleCone {
    from: Point,
    /// The two limits of the directions: toward the near and the far end of the gates.
    nearest: Point,
    farthest: Point,
    /// How many gates they pass, at least one.
    pub count: usize,
}

impl VisibleCone {
    /// The cone through as many of the gates, in order, as one line can pass.
    pub fn new(from: Point, gates: &[Gate]) -> Self {
        let mut cone =
            VisibleCone { from, nearest: gates[0].near - from, farthest: gates[0].far - from, count: 1 };
        for gate in &gates[1..] {
            let (near, far) = (gate.near - from, gate.far - from);
            let nearest = if cone.nearest.cross(near) > 0.0 { near } else { cone.nearest };
            let farthest = if cone.farthest.cross(far) < 0.0 { far } else { cone.farthest };
            let is_ahead = near.cross(far) >= 0.0 && (cone.nearest + cone.farthest).dot(near + far) > 0.0;
            if !is_ahead || nearest.cross(farthest) < 0.0 {
                break;
            }
            (cone.nearest, cone.farthest) = (nearest, farthest);
            cone.count += 1;
        }
        cone
    }

    /// Whether a point lies within the cone.
    pub fn contains(&self, point: Point) -> bool {
        let toward = point - self.from;
        let is_ahead = (self.nearest + self.farthest).dot(toward) > 0.0;
        is_ahead && self.nearest.cross(toward) >= 0.0 && toward.cross(self.farthest) >= 0.0
    }

    /// The part of a gate within the cone, from 0 at its near end to 1 at its far end.
    pub fn window(&self, gate: &Gate) -> [f32; 2] {
        let along = gate.far - gate.near;
        let crossed = |direction: Point, otherwise: f32| {
            let across = direction.cross(along);
            let part = direction.cross(self.from - gate.near) / across;
            if across > 0.0 { part.clamp(0.0, 1.0) } else { otherwise }
        };
        let low = crossed(self.nearest, 0.0);
        [low, crossed(self.farthest, 1.0).max(low)]
    }
}

/// Which of four lines cross a straight way of the given length, or touch it. One bit for each. The lines' ends are relative to the way's
/// start and direction.
pub(crate) fn crossing(ends: RelativeEnds, length: f32) -> u32 {
    let RelativeEnds { along: [start, end], aside: [a, b] } = ends;
    let [zero, length] = [0.0, length].map(f32x4::splat);
    let is_ahead = |start: f32x4, end: f32x4| {
        (start.simd_gt(zero) | end.simd_gt(zero)) & (start.simd_lt(length) | end.simd_lt(length))
    };
    let is_beside = (a.simd_ge(zero) | b.simd_ge(zero)) & (a.simd_le(zero) | b.simd_le(zero));
    if (is_beside & is_ahead(start, end)).to_bitmask() == 0 {
        return 0;
    }
    // Again for where each line crosses: its ends may overlap the way although it crosses before or after.
    let slope = (end - start) / (b - a);
    let on_way = |along: f32x4, aside: f32x4| aside.simd_eq(zero).select(along, start - a * slope);
    (is_beside & is_ahead(on_way(start, a), on_way(end, b))).to_bitmask()
}
