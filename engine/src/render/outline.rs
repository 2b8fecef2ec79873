//! Outlines as polylines whose vertices are sums of the points of the drawing.

use std::ops::Range;

use crate::color::{plus, times};
use crate::geometry::{Curve, Point, Segment, Way};

/// How far a polyline may lie off its curve.
///
/// Unit: pixels. Source: less than half of the 0.05 px by which rounding coordinates to tenths of a pixel may move an edge.
const FLATNESS_PX: f32 = 0.02;

/// The most edges of a cubic.
///
/// Unit: count. Source: bounds the work for a cubic of any length; at [`FLATNESS_PX`] it is enough for quarter circles of 100 px.
const MOST_EDGES: f32 = 32.0;

/// The vertices of a segment without its start; or the start of a curve.
pub(crate) struct Stretch {
    /// The places of its points in the drawing, in the order of its curves: of a cubic all four, of others the first and the last.
    pub slots: [u32; 4],
    pub is_cubic: bool,
    pub vertices: Range<u32>,
}

impl Stretch {
    pub fn is_start(&self) -> bool {
        self.slots[0] == self.slots[3]
    }
}

/// The x of each point of a stretch, and the y of each.
pub(crate) type OfStretch = [[f32; 4]; 2];

/// The polylines of curves. An edge runs to each vertex, from the one before it, but not to the first of a curve; it has the vertex's number.
#[derive(Default)]
pub(crate) struct Outline {
    pub vertices: Vec<Point>,
    /// What each point of its segment weighs in a vertex, if it is a cubic. A vertex of another segment is the first point plus the vector
    /// from that to the last one, multiplied by the complex number that comes first here: turned and scaled, so an arc keeps its shape.
    weights: Vec<[f32; 4]>,
    /// The stretch of each vertex.
    pub stretch_of: Vec<u32>,
    pub stretches: Vec<Stretch>,
}

const WHOLE: Point = Point::new(1.0, 0.0);

/// The weights of the last vertex of a segment that is no cubic.
const AT_END: [f32; 4] = of_complex(WHOLE);

const fn of_complex(share: Point) -> [f32; 4] {
    [share.x, share.y, 0.0, 0.0]
}

impl Outline {
    /// Empties the outline, and keeps its memory.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.weights.clear();
        self.stretch_of.clear();
        self.stretches.clear();
    }

    /// Appends a closed curve, the first point of which has the place `slot`. Returns the place after its last point.
    pub fn push(&mut self, curve: &Curve, slot: u32) -> u32 {
        self.push_vertex(curve.start, AT_END);
        self.end_stretch([slot; 4], false);
        let (mut from, mut at) = (slot, curve.start);
        let mut next = slot + 1;
        for segment in &curve.segments {
            let last = next + segment.point_count() - 1;
            match segment.way {
                Way::Line => self.push_vertex(segment.end, AT_END),
                Way::Cubic(a, b) => self.push_cubic([at, a, b, segment.end]),
                Way::Arc(..) | Way::HalfEllipse(..) => self.push_arc(at, segment),
            }
            let is_cubic = last > next;
            self.end_stretch(
                if is_cubic { [from, next, next + 1, last] } else { [from, last, last, last] },
                is_cubic,
            );
            (from, at, next) = (last, segment.end, last + 1);
        }
        next
    }

    #[inline(never)]
    fn push_vertex(&mut self, at: Point, weights: [f32; 4]) {
        self.vertices.push(at);
        self.weights.push(weights);
    }

    /// Makes a stretch of the vertices that are in none.
    #[inline(never)]
    fn end_stretch(&mut self, slots: [u32; 4], is_cubic: bool) {
        let vertices = self.stretch_of.len() as u32..self.vertices.len() as u32;
        self.stretch_of.resize(self.vertices.len(), self.stretches.len() as u32);
        self.stretches.push(Stretch { slots, is_cubic, vertices });
    }

    fn push_cubic(&mut self, [p0, p1, p2, p3]: [Point; 4]) {
        let steps = cubic_steps([p0, p1, p2, p3]);
        let (linear, square) = ((p1 - p0) * 3.0, (p0 - p1 * 2.0 + p2) * 3.0);
        let cube = p3 - p0 + (p1 - p2) * 3.0;
        let step = 1.0 / steps;
        let places = (1..steps as usize).map(|k| k as f32 * step);
        self.vertices.extend(places.clone().map(|t| p0 + (linear + (square + cube * t) * t) * t));
        self.weights.extend(places.map(cubic_weights));
        self.push_vertex(p3, [0.0, 0.0, 0.0, 1.0]);
    }

    fn push_arc(&mut self, from: Point, segment: &Segment) {
        let chord = segment.end - from;
        let inverse = Point::new(chord.x, -chord.y) * (1.0 / chord.dot(chord).max(f32::MIN_POSITIVE));
        let radius = match segment.way {
            Way::Arc(radius, _) => radius.max(0.5 * chord.length()),
            // The smallest radius of curvature, at the ends of the longer axis.
            Way::HalfEllipse(shape, _) => 0.5 * chord.length() * shape.ratio * shape.ratio,
            Way::Line | Way::Cubic(..) => 0.0,
        };
        // A chord of length s lies s²/8r off a circle of radius r.
        let step_px = (8.0 * FLATNESS_PX * radius).sqrt().max(FLATNESS_PX);
        segment.flatten(from, step_px, &mut self.vertices);
        let added = self.vertices[self.weights.len()..].iter();
        self.weights.extend(added.map(|&place| complex_product(place - from, inverse)).map(of_complex));
    }

    /// How the points of a stretch are pulled if the ends of one of its edges are pulled so.
    pub fn passed_on(&self, stretch: u32, edge: u32, [from, to]: [Point; 2]) -> OfStretch {
        let stretch = &self.stretches[stretch as usize];
        let [mut x, mut y] = stretch.passed_on(to, self.weights[edge as usize]);
        if edge == stretch.vertices.start {
            x[0] += from.x;
            y[0] += from.y;
        } else {
            let others = stretch.passed_on(from, self.weights[edge as usize - 1]);
            [x, y] = [plus(x, 1.0, others[0]), plus(y, 1.0, others[1])];
        }
        [x, y]
    }

    /// How a pull on one vertex pulls the points of its stretch.
    pub fn pulled_by(&self, vertex: u32, pull: Point) -> [(u32, Point); 4] {
        let stretch = &self.stretches[self.stretch_of[vertex as usize] as usize];
        let [x, y] = stretch.passed_on(pull, self.weights[vertex as usize]);
        [0, 1, 2, 3].map(|k| (stretch.slots[k], Point::new(x[k], y[k])))
    }
}

impl Stretch {
    /// How a pull on a vertex of these weights pulls the points.
    fn passed_on(&self, pull: Point, weights: [f32; 4]) -> OfStretch {
        if self.is_cubic {
            return [times(pull.x, weights), times(pull.y, weights)];
        }
        let share = Point::new(weights[0], -weights[1]);
        let [first, last] = [WHOLE - share, share].map(|weight| complex_product(pull, weight));
        [[first.x, 0.0, 0.0, last.x], [first.y, 0.0, 0.0, last.y]]
    }
}

/// What each point of a cubic weighs in its point at `t`.
fn cubic_weights(t: f32) -> [f32; 4] {
    let u = 1.0 - t;
    let (uu, tt) = (u * u, t * t);
    [u * uu, 3.0 * uu * t, 3.0 * u * tt, t * tt]
}

/// The edges for a cubic: their distance from it is an eighth of the second derivative, over the square of their number.
fn cubic_steps([p0, p1, p2, p3]: [Point; 4]) -> f32 {
    let (d, e) = (p0 - p1 * 2.0 + p2, p1 - p2 * 2.0 + p3);
    let bend = d.dot(d).max(e.dot(e)).sqrt();
    let steps = (0.75 * bend / FLATNESS_PX).sqrt();
    (steps as i32 as f32 + 1.0).clamp(1.0, MOST_EDGES)
}

/// The product of two points as complex numbers: `a` turned and scaled by `b`.
fn complex_product(a: Point, b: Point) -> Point {
    Point::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}
