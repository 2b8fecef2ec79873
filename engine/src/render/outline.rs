//! Outlines as polylines whose vertices are sums of the points of the drawing.

use std::ops::Range;

use crate::color::{plus, times};
use crate::geometry::{Curve, FLATNESS_PX, Point, Segment, Way};

/// The most edges of a cubic.
///
/// Unit: count. Source: bounds the work for a cubic of any length; at [`FLATNESS_PX`] it is enough for quarter circles of 100 px.
const MOST_EDGES: f32 = 32.0;

/// The vertices of a segment without its start; or the start of a curve.
pub(crate) struct Stretch {
    /// The places of its points in the drawing, in the order of its curves: of a cubic all four, of others the first and three times the last.
    pub slots: [u32; 4],
    /// Whether it is turned and scaled as its ends move, and keeps its shape: so do arcs.
    turns: bool,
    pub vertices: Range<u32>,
}

impl Stretch {
    pub fn is_start(&self) -> bool {
        self.slots[0] == self.slots[3]
    }

    pub fn is_line(&self) -> bool {
        self.slots[1] == self.slots[3] && !self.is_start() && self.vertices.len() == 1
    }
}

/// The x of each point of a stretch, and the y of each.
pub(crate) type OfStretch = [[f32; 4]; 2];

/// The polylines of curves. An edge runs to each vertex, from the one before it, but not to the first of a curve; it has the vertex's number.
#[derive(Default)]
pub(crate) struct Outline {
    pub vertices: Vec<Point>,
    /// What each point of its segment weighs in a vertex. A vertex of an arc is the first point plus the vector from that to the last one,
    /// multiplied by the complex number that comes first here: turned and scaled.
    weights: Vec<[f32; 4]>,
    /// The stretch of each vertex.
    pub stretch_of: Vec<u32>,
    pub stretches: Vec<Stretch>,
}

/// The weights of the first and the last vertex of a segment that is no arc.
const AT_START: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
const AT_END: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

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
                Way::Cubic(a, b) => {
                    let is_quadratic = segment.quadratic_control(at).is_some();
                    self.push_cubic([at, a, b, segment.end], is_quadratic);
                }
                Way::Arc(..) | Way::HalfEllipse(..) => self.push_arc(at, segment),
            }
            let slots = if last > next { [from, next, next + 1, last] } else { [from, last, last, last] };
            self.end_stretch(slots, matches!(segment.way, Way::Arc(..) | Way::HalfEllipse(..)));
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
    fn end_stretch(&mut self, slots: [u32; 4], turns: bool) {
        let vertices = self.stretch_of.len() as u32..self.vertices.len() as u32;
        self.stretch_of.resize(self.vertices.len(), self.stretches.len() as u32);
        self.stretches.push(Stretch { slots, turns, vertices });
    }

    fn push_cubic(&mut self, [p0, p1, p2, p3]: [Point; 4], is_quadratic: bool) {
        let steps = cubic_steps([p0, p1, p2, p3]);
        let (linear, square) = ((p1 - p0) * 3.0, (p0 - p1 * 2.0 + p2) * 3.0);
        let cube = p3 - p0 + (p1 - p2) * 3.0;
        let step = 1.0 / steps;
        let places = (1..steps as usize).map(|k| k as f32 * step);
        self.vertices.extend(places.clone().map(|t| p0 + (linear + (square + cube * t) * t) * t));
        self.weights
            .extend(places.map(|t| if is_quadratic { quadratic_weights(t) } else { cubic_weights(t) }));
        self.push_vertex(p3, AT_END);
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
        self.weights.extend(added.map(|&place| {
            let Point { x, y } = complex_product(place - from, inverse);
            [x, y, 0.0, 0.0]
        }));
    }

    /// Of each point of its stretch, the vector whose product with a move of that point is the area that the outline gains beside a piece of an
    /// edge. `shares`: by how much the middle of the piece moves with each end of the edge, times the piece's share of the edge's length.
    #[inline]
    pub fn pulls(&self, stretch: &Stretch, edge: u32, shares: [f32; 2]) -> OfStretch {
        let edge = edge as usize;
        let [from, to] = [self.vertices[edge - 1], self.vertices[edge]];
        let first = match (edge == stretch.vertices.start as usize, stretch.turns) {
            (true, true) => [0.0; 4],
            (true, false) => AT_START,
            (false, _) => self.weights[edge - 1],
        };
        let weights = plus(times(shares[0], first), shares[1], self.weights[edge]);
        stretch.passed_on(Point::new(from.y - to.y, to.x - from.x), weights, shares[0] + shares[1])
    }

    /// How a pull on one vertex pulls the points of its stretch.
    pub fn pulled_by(&self, vertex: u32, pull: Point) -> [(u32, Point); 4] {
        let stretch = &self.stretches[self.stretch_of[vertex as usize] as usize];
        let [x, y] = stretch.passed_on(pull, self.weights[vertex as usize], 1.0);
        [0, 1, 2, 3].map(|k| (stretch.slots[k], Point::new(x[k], y[k])))
    }
}

impl Stretch {
    /// How a pull on vertices pulls the points, if it is multiplied by shares: these weights are the sum of the vertices' weights, each
    /// multiplied by its share.
    fn passed_on(&self, pull: Point, weights: [f32; 4], sum_of_shares: f32) -> OfStretch {
        if !self.turns {
            return [times(pull.x, weights), times(pull.y, weights)];
        }
        let last = complex_product(pull, Point::new(weights[0], -weights[1]));
        let first = pull * sum_of_shares - last;
        [[first.x, 0.0, 0.0, last.x], [first.y, 0.0, 0.0, last.y]]
    }
}

/// What each point of a cubic weighs in its point at `t`.
fn cubic_weights(t: f32) -> [f32; 4] {
    let u = 1.0 - t;
    let (uu, tt) = (u * u, t * t);
    [u * uu, 3.0 * uu * t, 3.0 * u * tt, t * tt]
}

/// What each point of a quadratic weighs in its point at `t`. Its control point counts as two, which lie at one place.
fn quadratic_weights(t: f32) -> [f32; 4] {
    let u = 1.0 - t;
    [u * u, u * t, u * t, t * t]
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
