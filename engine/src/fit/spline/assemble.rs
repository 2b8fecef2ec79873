//! Puts pieces and joints together: takes the samples and the polygon, gives the curve of lines, arcs and
//! cubics, or of lines alone.

use super::arc::{CircularArc, SmoothEnds, arc};
use super::cubic::UNSEEN_PX;
use super::cubic_chain::{CubicChainScratch, CubicChainSearch};
use super::joint::{Joint, list_joints};
use super::piece::{OutlinePiece, list_pieces};
use super::stretch::{Knot, Stretch};
use super::tangent::knot_at;
use crate::fit::polygon::{PolygonFrame, corner_position};
use crate::fit::sampled::{Bound, SampleRange, SampledOutline, Vector, wrapped};
use crate::geometry::{Curve, Segment};

/// The length of the handles that round a smooth corner between two lines.
///
/// Unit: share of the rounded length of each line (ratio). Source: the cubic nearest to a quarter of a
/// circle, 4(√2 − 1)/3.
const ROUND_HANDLE: f64 = 0.552;

/// What the noise adds to the distance up to which a cubic is written as a line.
///
/// Unit: noise (standard deviations). Source: tuned; no derivation is known.
const FLAT_NOISE: f64 = 0.4;

/// The lists for assembling one outline; their memory is reused for the next one.
#[derive(Default)]
pub(crate) struct SplineScratch {
    search: CubicChainScratch,
    pieces: Vec<OutlinePiece>,
    joints: Vec<Joint>,
}

/// The polygon itself, with its vertices where the lines of its sides meet.
pub(crate) fn polyline(samples: &SampledOutline, frame: &PolygonFrame) -> Curve {
    let position = |vertex: usize| {
        let index = frame.vertices[vertex].index;
        if !samples.closed && (vertex == 0 || vertex + 1 == frame.vertices.len()) {
            return samples.at(index);
        }
        let before = wrapped(vertex + frame.sides.len() - 1, frame.sides.len());
        corner_position(samples, &frame.sides[before], &frame.sides[vertex], index)
    };
    let points: Vec<_> = (0..frame.vertices.len()).map(|v| position(v).to_point(samples.origin)).collect();
    Curve::polyline(&points, samples.closed)
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
            writer.curve(frame, piece, from, to.before);
        }
        if to.round {
            writer.round(to);
        }
    }
    let start = joints[0].after.point.to_point(samples.origin);
    Curve { start, segments: writer.segments, closed: samples.closed }
}

/// A closed outline without corners and lines; its curve starts at the first vertex.
fn smooth_loop(samples: &SampledOutline, frame: &PolygonFrame, search: CubicChainSearch<'_>) -> Curve {
    let everything = SampleRange::new(0, samples.last_index());
    let knot = |vertex: usize| {
        let (before, after) = (wrapped(vertex + frame.sides.len() - 1, frame.sides.len()), vertex);
        let side_px = frame.sides[before].length.at_most(frame.sides[after].length);
        knot_at(samples, frame.vertices[vertex].index + samples.count, side_px, everything)
    };
    let count = frame.vertices.len();
    let mut writer = SplineWriter::new(samples, search, count);
    let mut start = Vector::default();
    for step in 0..=count {
        let mut knot = knot(wrapped(step, count));
        if step < count {
            knot.index -= samples.count;
        } else {
            start = knot.point;
        }
        writer.search.add(knot);
    }
    writer.cubics(everything);
    Curve { start: start.to_point(samples.origin), segments: writer.segments, closed: true }
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
        self.segments.push(Segment::line(end.to_point(self.samples.origin)));
    }

    /// One arc if the samples follow one, else cubics.
    fn curve(&mut self, frame: &PolygonFrame, piece: &OutlinePiece, from: Knot, mut to: Knot) {
        let samples = self.samples;
        to.index = to.index.clamp(from.index, samples.last_index());
        let corner = |vertex: usize| frame.corners[wrapped(vertex, frame.corners.len())];
        let smooth = SmoothEnds { from: !corner(piece.side), to: !corner(piece.side + piece.count) };
        // The samples at a corner are rounded off.
        let first = from.index + usize::from(!smooth.from);
        let trusted = SampleRange::new(first, to.index.saturating_sub(usize::from(!smooth.to)));
        match arc(&Stretch { samples, from: &from, to: &to, trusted }, smooth) {
            Some(arc) => self.arc(&arc, to.point),
            None => {
                self.search.add(from);
                self.add_between(frame, piece, SampleRange::new(from.index, to.index), trusted);
                self.search.add(to);
                self.cubics(trusted);
            }
        }
    }

    /// Adds the knots at the vertices within a piece that are not too near to the ends of `range`.
    fn add_between(
        &mut self,
        frame: &PolygonFrame,
        piece: &OutlinePiece,
        range: SampleRange,
        trusted: SampleRange,
    ) {
        let samples = self.samples;
        for step in 1..piece.count {
            let side = &frame.sides[wrapped(piece.side + step, frame.sides.len())];
            let index = if side.first < piece.first { side.first + samples.count } else { side.first };
            if index > range.first + 2 && index + 2 < range.last {
                let before = &frame.sides[wrapped(piece.side + step - 1, frame.sides.len())];
                let side_px = side.length.at_most(before.length);
                self.search.add(knot_at(samples, index, side_px, trusted));
            }
        }
    }

    fn arc(&mut self, arc: &CircularArc, end: Vector) {
        for point in arc.cuts.iter().copied().chain([end]) {
            let point = point.to_point(self.samples.origin);
            self.segments.push(Segment::arc(arc.radius as f32, arc.clockwise, point));
        }
    }

    /// The cubics through the knots that were added; flat ones as lines.
    fn cubics(&mut self, trusted: SampleRange) {
        let samples = self.samples;
        let point = |vector: Vector| vector.to_point(samples.origin);
        let segment = |controls: &[Vector; 4]| match *controls {
            [_, _, _, end] if is_flat(samples, controls) => Segment::line(point(end)),
            [_, a, b, end] => Segment::cubic(point(a), point(b), point(end)),
        };
        self.segments.extend(self.search.cubics(trusted).iter().map(segment));
    }

    /// The cubic that rounds a smooth corner between two lines.
    fn round(&mut self, joint: &Joint) {
        let toward = |from: Vector| from + (joint.corner - from) * ROUND_HANDLE;
        let (p0, p3) = (joint.before.point, joint.after.point);
        let point = |vector: Vector| vector.to_point(self.samples.origin);
        self.segments.push(Segment::cubic(point(toward(p0)), point(toward(p3)), point(p3)));
    }
}

/// Whether a cubic may be written as a line.
fn is_flat(samples: &SampledOutline, [p0, p1, p2, p3]: &[Vector; 4]) -> bool {
    let along = (*p3 - *p0).unit_or(Vector::new(1.0, 0.0));
    let allowed_px = UNSEEN_PX + FLAT_NOISE * samples.noise_px;
    let off = |point: Vector| along.cross(point - *p0).abs();
    let is_forward = along.dot(*p1 - *p0) >= 0.0 && along.dot(*p3 - *p2) >= 0.0;
    is_forward && off(*p1) <= allowed_px && off(*p2) <= allowed_px
}
