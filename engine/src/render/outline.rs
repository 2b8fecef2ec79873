//! Outlines as polylines whose vertices are sums of the points of the drawing.

use crate::geometry::{Curve, Point, Segment};

/// How far a polyline may lie off its curve.
///
/// Unit: pixels. Source: less than half of the 0.05 px by which rounding coordinates to tenths of a pixel may move an edge.
const FLATNESS_PX: f32 = 0.02;

/// The most edges of a cubic.
///
/// Unit: count. Source: bounds the work for a cubic of any length; at [`FLATNESS_PX`] it is enough for quarter circles of 100 px.
const MOST_EDGES: f32 = 32.0;

/// A vertex of a polyline: the sum of up to four points of the drawing, each multiplied by a complex weight. A complex number multiplies a
/// vector by turning and scaling it, so points of circular and elliptical arcs are such sums as well.
pub(crate) struct Vertex {
    pub at: Point,
    /// The places of the points in the drawing, in the order of its curves.
    pub slots: [u32; 4],
    pub weights: [Point; 4],
}

/// An edge of a polyline, from vertex to vertex.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub ends: [u32; 2],
}

/// The polylines of curves.
#[derive(Default)]
pub(crate) struct Outline {
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
}

const ONE: Point = Point::new(1.0, 0.0);
const NONE: Point = Point::new(0.0, 0.0);

impl Outline {
    /// Empties the outline, and keeps its memory.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.edges.clear();
    }

    /// Appends a closed curve, the first point of which has the place `slot`. Returns the place after its last point.
    pub fn push(&mut self, curve: &Curve, slot: u32) -> u32 {
        self.vertices.push(Vertex { at: curve.start, slots: [slot; 4], weights: [ONE, NONE, NONE, NONE] });
        let (mut from, mut at) = (slot, curve.start);
        let mut next = slot + 1;
        for segment in &curve.segments {
            match *segment {
                Segment::Line(end) => self.line_to(end, [next; 4], [ONE, NONE, NONE, NONE]),
                Segment::Cubic(a, b, end) => {
                    let steps = cubic_steps([at, a, b, end]);
                    let slots = [from, next, next + 1, next + 2];
                    for step in 1..=steps as usize {
                        let t = step as f32 / steps;
                        let u = 1.0 - t;
                        let weights = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
                        let place = at * weights[0] + a * weights[1] + b * weights[2] + end * weights[3];
                        let place = if step == steps as usize { end } else { place };
                        self.line_to(place, slots, weights.map(|weight| Point::new(weight, 0.0)));
                    }
                }
                Segment::Arc(..) | Segment::HalfEllipse(..) => self.arc_to(at, segment, [from, next]),
            }
            next += segment.point_count();
            (from, at) = (next - 1, segment.end());
        }
        next
    }

    fn line_to(&mut self, at: Point, slots: [u32; 4], weights: [Point; 4]) {
        let to = self.vertices.len() as u32;
        self.edges.push(Edge { ends: [to - 1, to] });
        self.vertices.push(Vertex { at, slots, weights });
    }

    /// An arc of fixed shape is turned and scaled with its chord.
    fn arc_to(&mut self, from: Point, segment: &Segment, [first, last]: [u32; 2]) {
        let chord = segment.end() - from;
        let inverse = Point::new(chord.x, -chord.y) * (1.0 / chord.dot(chord).max(f32::MIN_POSITIVE));
        let mut points = Vec::new();
        // A chord of length s lies s²/8r off a circle of radius r, which is at least half of the arc's chord.
        segment.flatten(from, (4.0 * FLATNESS_PX * chord.length()).sqrt().max(FLATNESS_PX), &mut points);
        for place in points {
            let share = complex_product(place - from, inverse);
            self.line_to(place, [first, last, last, last], [ONE - share, share, NONE, NONE]);
        }
    }
}

/// The edges for a cubic: their distance from it is an eighth of the second derivative, over the square of their number.
fn cubic_steps([p0, p1, p2, p3]: [Point; 4]) -> f32 {
    let (d, e) = (p0 - p1 * 2.0 + p2, p1 - p2 * 2.0 + p3);
    let bend = d.dot(d).max(e.dot(e)).sqrt();
    (0.75 * bend / FLATNESS_PX).sqrt().ceil().clamp(1.0, MOST_EDGES)
}

/// The product of two points as complex numbers: `a` turned and scaled by `b`.
pub(crate) fn complex_product(a: Point, b: Point) -> Point {
    Point::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}
