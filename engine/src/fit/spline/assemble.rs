//! Puts the pieces together: lines and smooth stretches, and the joints between them.

use super::arc::{CircularArc, arc};
use super::cubic_chain::{CubicChainScratch, CubicChainSearch, knot_at};
use super::joint::{Joint, OutlinePiece, list_joints};
use super::stretch::Knot;
use crate::fit::polygon::{PolygonFrame, corner_position};
use crate::fit::sampled::{Bound, SampledOutline, Vector, wrapped};
use crate::geometry::{Curve, Segment};

/// Handles of that round, as a part of its length on the line: those of a circle for a right angle.
const ROUND_HANDLE: f64 = 0.552;
/// Handles nearer than this to their chord make a line of a cubic.
const FLAT_PX: f64 = 0.04;
const FLAT_NOISE: f64 = 0.4;

/// What putting the pieces of one outline after the other together needs room for.
#[derive(Default)]
pub(crate) struct SplineScratch {
    search: CubicChainScratch,
    pieces: Vec<OutlinePiece>,
    joints: Vec<Joint>,
}

/// The polygon itself, its vertices where its sides' lines meet.
pub(crate) fn polyline(samples: &SampledOutline, frame: &PolygonFrame) -> Curve {
    let place_of = |vertex: usize| {
        let index = frame.vertices[vertex].index;
        if !samples.closed && (vertex == 0 || vertex + 1 == frame.vertices.len()) {
            return samples.at(index);
        }
        let before = wrapped(vertex + frame.sides.len() - 1, frame.sides.len());
        corner_position(samples, &frame.sides[before], &frame.sides[vertex], index)
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
pub(crate) fn spline(
    samples: &SampledOutline,
    frame: &PolygonFrame,
    splice_deg: f64,
    scratch: &mut SplineScratch,
) -> Curve {
    let SplineScratch { search, pieces, joints } = scratch;
    let search = CubicChainSearch::new(samples, splice_deg, search);
    list_pieces(samples, frame, pieces);
    if pieces.is_empty() {
        return smooth_loop(samples, frame, search);
    }
    list_joints(samples, frame, pieces, joints);
    let mut writer = SplineWriter::new(samples, search, pieces.len() + 2);
    for (index, piece) in pieces.iter().enumerate() {
        let (from, to) = (&joints[index].after, &joints[index + 1]);
        if piece.straight {
            writer.line(to.before.point);
        } else {
            let mut from = *from;
            from.index = from.index.max(piece.first);
            writer.curve(frame, piece, (from, to.before));
        }
        if to.round {
            writer.round(to);
        }
    }
    let start = joints[0].after.point.to_point(samples.origin);
    Curve { start, segments: writer.segments, closed: samples.closed }
}

/// The pieces in order from a corner or the start of a line; none for a closed outline that has neither.
fn list_pieces(samples: &SampledOutline, frame: &PolygonFrame, pieces: &mut Vec<OutlinePiece>) {
    let sides = &frame.sides;
    let begins = |side: usize| {
        let before = &sides[wrapped(side + sides.len() - 1, sides.len())];
        frame.corners[side] || sides[side].straight || before.straight
    };
    pieces.clear();
    let corner = (0..sides.len()).find(|&side| frame.corners[side]);
    let start =
        if samples.closed { corner.or_else(|| (0..sides.len()).find(|&side| begins(side))) } else { Some(0) };
    let Some(start) = start else { return };
    for step in 0..sides.len() {
        let index = wrapped(start + step, sides.len());
        let offset = if index < start { samples.count } else { 0 };
        let (side, last) = (&sides[index], sides[index].last + offset);
        if step == 0 || begins(index) {
            let first = side.first + offset;
            pieces.push(OutlinePiece { side: index, count: 1, straight: side.straight, first, last });
        } else if let Some(piece) = pieces.last_mut() {
            piece.count += 1;
            piece.last = last;
        }
    }
}

/// A closed outline without corner or line, from the sample farthest from its middle.
fn smooth_loop(samples: &SampledOutline, frame: &PolygonFrame, search: CubicChainSearch<'_>) -> Curve {
    let everything = (0, samples.last_index());
    let knot = |vertex: usize| {
        let (before, after) = (wrapped(vertex + frame.sides.len() - 1, frame.sides.len()), vertex);
        let side_px = frame.sides[before].length.at_most(frame.sides[after].length);
        knot_at(samples, frame.vertices[vertex].index + samples.count, side_px, everything)
    };
    let mut writer = SplineWriter::new(samples, search, frame.vertices.len());
    let last = knot(0);
    let first = Knot { index: last.index - samples.count, ..last };
    writer.search.add(first);
    for vertex in 1..frame.vertices.len() {
        let knot = knot(vertex);
        writer.search.add(Knot { index: knot.index - samples.count, ..knot });
    }
    writer.search.add(last);
    writer.cubics(everything);
    Curve { start: first.point.to_point(samples.origin), segments: writer.segments, closed: true }
}

struct SplineWriter<'a> {
    samples: &'a SampledOutline,
    search: CubicChainSearch<'a>,
    segments: Vec<Segment>,
}

impl<'a> SplineWriter<'a> {
    fn new(samples: &'a SampledOutline, search: CubicChainSearch<'a>, count: usize) -> Self {
        SplineWriter { samples, search, segments: Vec::with_capacity(count) }
    }

    fn line(&mut self, end: Vector) {
        self.segments.push(Segment::Line(end.to_point(self.samples.origin)));
    }

    /// One arc if there is one, else cubics.
    fn curve(&mut self, frame: &PolygonFrame, piece: &OutlinePiece, (from, mut to): (Knot, Knot)) {
        let samples = self.samples;
        to.index = to.index.clamp(from.index, samples.last_index());
        let corner = |vertex: usize| frame.corners[wrapped(vertex, frame.corners.len())];
        let (sharp, sharp_end) = (corner(piece.side), corner(piece.side + piece.count));
        // The samples at a corner are rounded off.
        let believed = (from.index + usize::from(sharp), to.index.saturating_sub(usize::from(sharp_end)));
        match arc(samples, (&from, &to), (!sharp, !sharp_end), believed) {
            Some(arc) => self.arc(&arc, to.point),
            None => {
                self.search.add(from);
                self.add_between(frame, piece, (from.index, to.index), believed);
                self.search.add(to);
                self.cubics(believed);
            }
        }
    }

    /// The stops at the vertices within a piece.
    fn add_between(
        &mut self,
        frame: &PolygonFrame,
        piece: &OutlinePiece,
        (from, to): (usize, usize),
        believed: (usize, usize),
    ) {
        let samples = self.samples;
        for step in 1..piece.count {
            let side = &frame.sides[wrapped(piece.side + step, frame.sides.len())];
            let index = if side.first < piece.first { side.first + samples.count } else { side.first };
            if index > from + 2 && index + 2 < to {
                let before = &frame.sides[wrapped(piece.side + step - 1, frame.sides.len())];
                let side_px = side.length.at_most(before.length);
                self.search.add(knot_at(samples, index, side_px, believed));
            }
        }
    }

    fn arc(&mut self, arc: &CircularArc, end: Vector) {
        for point in arc.cuts.iter().copied().chain([end]) {
            let point = point.to_point(self.samples.origin);
            self.segments.push(Segment::Arc(arc.radius as f32, arc.clockwise, point));
        }
    }

    fn cubics(&mut self, believed: (usize, usize)) {
        let samples = self.samples;
        let point = |vector: Vector| vector.to_point(samples.origin);
        let segment = |controls: &[Vector; 4]| match *controls {
            [_, _, _, end] if is_flat(samples, controls) => Segment::Line(point(end)),
            [_, a, b, end] => Segment::Cubic(point(a), point(b), point(end)),
        };
        self.segments.extend(self.search.cubics(believed).iter().map(segment));
    }

    /// The round of a smooth corner between two lines.
    fn round(&mut self, joint: &Joint) {
        let toward = |from: Vector| from + (joint.corner - from) * ROUND_HANDLE;
        let (p0, p3) = (joint.before.point, joint.after.point);
        let point = |vector: Vector| vector.to_point(self.samples.origin);
        self.segments.push(Segment::Cubic(point(toward(p0)), point(toward(p3)), point(p3)));
    }
}

/// Whether a cubic is a line.
fn is_flat(samples: &SampledOutline, [p0, p1, p2, p3]: &[Vector; 4]) -> bool {
    let along = (*p3 - *p0).unit_or(Vector::new(1.0, 0.0));
    let allowed = FLAT_PX + FLAT_NOISE * samples.noise_px;
    let off = |point: Vector| along.cross(point - *p0).abs();
    let forward = along.dot(*p1 - *p0) >= 0.0 && along.dot(*p3 - *p2) >= 0.0;
    forward && off(*p1) <= allowed && off(*p2) <= allowed
}
