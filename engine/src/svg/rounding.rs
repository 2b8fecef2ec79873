//! Rounds the points of a drawing to the grid of the output so that its edges stay where they are, as nearly as the grid allows.
//!
//! Of a point's move, only what goes across the edges beside it can be seen, and the points that follow can take back much of that. So each
//! point in turn goes to the one of the four places of the grid around it that moves these edges least, given where the points before went.
//! Beside rounding each coordinate to the nearest step, this lowers what edges are off by a quarter.
//!
//! Equal coordinates stay equal: points that coincide, and the ends of lines along rows and columns. Lines that are too short to be written stay
//! so.

use wide::{bytemuck, f32x4, u32x4};

use super::path_data::{STEPS_PER_PX, to_steps};
use crate::algorithms::sorted_by_key;
use crate::color::dot;
use crate::geometry::{Drawing, Point};
use crate::render::{OfStretch, Outline, Stretch};

/// A move of a point counts, whichever way it goes, as much as one part in so many of the same move across the edges beside it.
///
/// Unit: count (parts). Source: edges bend and end, so no move is free; with 20 and 30, edges are off as much.
const PARTS_OF_MOVE: u8 = 10;

/// A coordinate that lies less than one part in so many of a step off the grid lies on it.
///
/// Unit: count (parts). Source: chosen: what stretching a drawing to the size of its image leaves of coordinates on the border is less.
const PARTS_OF_STEP: u8 = 64;

/// The points of a larger drawing go to the nearest places of the grid when they are written.
///
/// Unit: count. Source: bounds the memory, at some 150 bytes for each.
const MOST_POINTS: usize = 1 << 16;

/// Where each edge of a segment of few edges is looked at: by how much these places move with the ends of the edge, times a half.
///
/// Unit: share of the edge. Source: derived: the two places whose mean is exact for cubics (C. F. Gauss, 1814).
const PLACES: [[f32; 2]; 2] = [[0.394_337_6, 0.105_662_4], [0.105_662_4, 0.394_337_6]];

/// A piece of an edge.
struct Piece {
    /// The numbers of the coordinates of its segment's points: of x and of y.
    numbers: [[u32; 4]; 2],
    /// By how much the area beside it grows with each of these coordinates, and with those that are decided at present.
    pull: OfStretch,
    pull_now: [f32; 2],
    /// By how much that area has grown.
    area: f32,
    /// The square of that area counts so much: the inverse of the piece's length.
    weight: f32,
}

/// Rounds the points of a drawing.
pub(crate) fn round_points(drawing: &mut Drawing) {
    let points = drawing.points();
    let is_on_grid = |at: f32| (STEPS_PER_PX * at).fract() == 0.0;
    let are_on_grid = points.iter().all(|point| is_on_grid(point.x) && is_on_grid(point.y));
    if points.len() > MOST_POINTS || are_on_grid {
        return;
    }
    let (mut outline, mut slot) = (Outline::default(), 0);
    for curve in drawing.shapes.iter().flat_map(|shape| &shape.curves) {
        slot = outline.push(curve, slot);
    }
    let mut rounding = Rounding::new(points);
    rounding.decide_all(&outline);
    let by = rounding.numbers.as_chunks().0.iter().map(|&[x, y]| Point::new(rounding.by(x), rounding.by(y)));
    drawing.shift(&by.collect::<Vec<_>>());
}

/// Where the points of a drawing go.
struct Rounding {
    points: Vec<Point>,
    /// Of each point's x and y in turn: which is the first that is equal.
    numbers: Vec<u32>,
    /// By how much the first coordinate of each value moves; not a number until that is decided.
    by: Vec<f32>,
}

impl Rounding {
    fn new(points: Vec<Point>) -> Self {
        let mut numbers: Vec<u32> = (0..2 * points.len() as u32).collect();
        // The sign tells x from y: no point lies so far beyond the border that its own matters.
        let key = |k: u32| {
            let Point { x, y } = points[k as usize / 2];
            if k.is_multiple_of(2) { x.to_bits() } else { y.to_bits() | 1 << 31 }
        };
        for &[before, k] in sorted_by_key(0..numbers.len() as u32, key).array_windows() {
            if key(before) == key(k) {
                numbers[k as usize] = numbers[before as usize];
            }
        }
        Rounding { points, by: vec![f32::NAN; numbers.len()], numbers }
    }

    /// By how much coordinates of a value move, as far as it is decided.
    fn by(&self, number: u32) -> f32 {
        let by = self.by[number as usize];
        if by.is_nan() { 0.0 } else { by }
    }

    /// Decides where all points go.
    fn decide_all(&mut self, outline: &Outline) {
        let (mut pieces, mut before) = (Vec::new(), 0);
        for stretch in &outline.stretches {
            if stretch.is_start() {
                pieces.clear();
                before = 0;
                continue;
            }
            let first = pieces.len();
            self.add_pieces(outline, stretch, &mut pieces);
            let [from, a, b, to] = stretch.slots;
            self.decide(from, &mut pieces[before..]);
            if stretch.is_line() {
                self.join(from, to);
            }
            if a != to {
                self.decide(a, &mut pieces[first..]);
                self.decide(b, &mut pieces[first..]);
            }
            // The last one ends where the first one began.
            before = first;
        }
    }

    /// Takes the end of a line to where it begins if both are nearest to one place of the grid: such a line is not written.
    fn join(&mut self, from: u32, to: u32) {
        let [from_at, to_at] = [from, to].map(|slot| self.points[slot as usize]);
        let are_near = |from: f32, to: f32| to_steps(from) == to_steps(to);
        if !are_near(from_at.x, to_at.x) || !are_near(from_at.y, to_at.y) {
            return;
        }
        for (axis, apart) in [(0, from_at.x - to_at.x), (1, from_at.y - to_at.y)] {
            let [from, to] = [from, to].map(|slot| self.numbers[2 * slot as usize + axis]);
            if self.by[to as usize].is_nan() {
                self.by[to as usize] = self.by(from) + apart;
            }
        }
    }

    fn add_pieces(&self, outline: &Outline, stretch: &Stretch, pieces: &mut Vec<Piece>) {
        let numbers = [0, 1].map(|axis| stretch.slots.map(|slot| self.numbers[2 * slot as usize + axis]));
        let moves = numbers.map(|numbers| numbers.map(|number| self.by(number)));
        // Of many edges, each is looked at in its middle.
        let places = if stretch.vertices.len() > PLACES.len() { &[[0.5; 2]][..] } else { &PLACES };
        for edge in stretch.vertices.clone() {
            let [from, to] = [edge - 1, edge].map(|vertex| outline.vertices[vertex as usize]);
            let weight = places.len() as f32 / (to - from).length().max(1.0 / STEPS_PER_PX);
            for &shares in places {
                let pull = outline.pulls(stretch, edge, shares);
                let area = dot(pull[0], moves[0]) + dot(pull[1], moves[1]);
                pieces.push(Piece { numbers, pull, pull_now: [0.0; 2], area, weight });
            }
        }
    }

    /// Decides where a point goes, beside these pieces.
    #[inline(never)]
    fn decide(&mut self, slot: u32, pieces: &mut [Piece]) {
        let Point { x, y } = self.points[slot as usize];
        let numbers = [0, 1].map(|axis| self.numbers[2 * slot as usize + axis]);
        let is_open = numbers.map(|number| self.by[number as usize].is_nan());
        let [[left, right], [up, down]] = [ways(x, is_open[0]), ways(y, is_open[1])];
        let (by_x, by_y) = ([left, right, left, right], [up, up, down, down]);
        let [x, y] = [by_x, by_y].map(f32x4::new);
        let (mut errors, mut squares) = (f32x4::ZERO, f32::EPSILON);
        for piece in &mut *pieces {
            let now = [0, 1].map(|axis| pull_of(piece.numbers[axis], numbers[axis], piece.pull[axis]));
            let area = f32x4::splat(piece.area) + x * now[0] + y * now[1];
            errors += area * area * piece.weight;
            squares += piece.weight * (now[0] * now[0] + now[1] * now[1]);
            piece.pull_now = now;
        }
        errors += (x * x + y * y) * (squares / f32::from(PARTS_OF_MOVE));
        let errors = errors.to_array();
        let best = (1..4).fold(0, |best, k| if errors[k] < errors[best] { k } else { best });
        let by = [by_x[best], by_y[best]];
        for piece in pieces {
            piece.area += piece.pull_now[0] * by[0] + piece.pull_now[1] * by[1];
        }
        for axis in (0..2).filter(|&axis| is_open[axis]) {
            self.by[numbers[axis] as usize] = by[axis];
        }
    }
}

/// By how much a coordinate moves to the steps of the grid below and above it, if it is open where it goes.
fn ways(at: f32, is_open: bool) -> [f32; 2] {
    let (at, near) = (STEPS_PER_PX * at, 1.0 / f32::from(PARTS_OF_STEP));
    let steps = [(at + near).floor(), (at - near).ceil()];
    steps.map(|step| if is_open { (step - at) / STEPS_PER_PX } else { 0.0 })
}

/// How much coordinates of one number pull.
fn pull_of(numbers: [u32; 4], number: u32, pull: [f32; 4]) -> f32 {
    let is_of: f32x4 = bytemuck::cast(u32x4::new(numbers).simd_eq(u32x4::splat(number)));
    (is_of & f32x4::new(pull)).reduce_add()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::StraightColor;
    use crate::geometry::{Curve, Paint, Segment, Shape, Way};

    fn drawing(curves: Vec<Curve>) -> Drawing {
        let shapes = vec![Shape { paint: Paint::Flat(StraightColor::BLACK), curves }];
        Drawing { shapes, gradients: Vec::new() }
    }

    fn rounded(curve: &Curve) -> Curve {
        let mut drawing = drawing(vec![curve.clone()]);
        round_points(&mut drawing);
        drawing.shapes.remove(0).curves.remove(0)
    }

    fn nearest(point: Point) -> Point {
        let [x, y] = [point.x, point.y].map(|at| (STEPS_PER_PX * at).round() / STEPS_PER_PX);
        Point::new(x, y)
    }

    /// A circle of four cubics, turned somewhat.
    fn circle(center: Point, radius: f32, turn: f32) -> Curve {
        let on_circle = |angle: f32| Point::new(angle.cos(), angle.sin()) * radius;
        let angle = |k: usize| turn + k as f32 * std::f32::consts::FRAC_PI_2;
        let handle = |point: Point, by: f32| center + point + Point::new(-point.y, point.x) * by;
        let segments = (0..4).map(|k| {
            let [from, to] = [on_circle(angle(k)), on_circle(angle((k + 1) % 4))];
            Segment::cubic(handle(from, 0.5523), handle(to, -0.5523), center + to)
        });
        Curve { start: center + on_circle(turn), segments: segments.collect(), closed: true }
    }

    /// The mean square of what a curve of cubics moves across itself.
    fn off_sq(before: &Curve, after: &Curve) -> f32 {
        let mut sum = 0.0;
        for k in 0..before.segments.len() {
            let at = |curve: &Curve, t: f32| curve.segments[k].at(curve.start_of(k), t);
            for t in (0..20).map(|k| (k as f32 + 0.5) / 20.0) {
                let along = (at(before, t + 0.01) - at(before, t - 0.01)).unit();
                let off = along.cross(at(after, t) - at(before, t));
                sum += off * off / (20 * before.segments.len()) as f32;
            }
        }
        sum
    }

    #[test]
    fn edges_are_off_by_less_than_if_each_coordinate_goes_to_the_nearest_step() {
        let [mut by_edges, mut one_by_one] = [0.0, 0.0];
        for k in 0..40 {
            let k = k as f32;
            let curve = circle(Point::new(20.0 + 0.37 * k, 20.0 + 0.59 * k), 5.0 + 0.31 * k, 0.23 * k);
            let mut plain = curve.clone();
            plain.start = nearest(plain.start);
            for segment in &mut plain.segments {
                let Way::Cubic(a, b) = segment.way else { panic!("a cubic") };
                *segment = Segment::cubic(nearest(a), nearest(b), nearest(segment.end));
            }
            by_edges += off_sq(&curve, &rounded(&curve));
            one_by_one += off_sq(&curve, &plain);
        }
        assert!(by_edges < 0.5 * one_by_one, "{by_edges} {one_by_one}");
    }

    #[test]
    fn all_points_come_onto_the_grid_and_equal_coordinates_stay_equal() {
        let corners = [(4.34, 5.67), (14.81, 5.67), (14.81, 12.12), (9.03, 17.58), (4.34, 12.12)];
        let points = corners.map(|(x, y)| Point::new(x, y));
        let curve = rounded(&Curve::polyline(&points, true));
        let ends: Vec<_> = curve.segments.iter().map(|segment| segment.end).collect();
        assert_eq!(ends.last(), Some(&curve.start));
        assert_eq!(
            [ends[0].y, ends[1].x, ends[3].x, ends[3].y],
            [curve.start.y, ends[0].x, curve.start.x, ends[1].y]
        );
        for (end, drawn) in ends.iter().zip(points.iter().cycle().skip(1)) {
            assert!((nearest(*end) - *end).length() < 1e-4, "{end:?} is not on the grid");
            assert!((end.x - drawn.x).abs() < 0.1 && (end.y - drawn.y).abs() < 0.1, "{end:?} {drawn:?}");
        }
    }

    #[test]
    fn a_line_that_is_too_short_to_be_written_stays_so() {
        let corners = [(4.34, 5.67), (14.81, 6.12), (14.79, 6.09), (9.03, 17.58)];
        let points = corners.map(|(x, y)| Point::new(x, y));
        let curve = rounded(&Curve::polyline(&points, true));
        assert_eq!(nearest(curve.segments[0].end), nearest(curve.segments[1].end));
    }

    #[test]
    fn what_lies_on_the_grid_stays_there() {
        let border = [Point::default(), Point::new(20.0, 10.3)];
        let curves = [Curve::rectangle(border), circle(Point::new(10.0, 5.0), 2.77, 0.3)];
        let mut drawing = drawing(curves.into());
        round_points(&mut drawing);
        assert_eq!(drawing.shapes[0].curves[0], Curve::rectangle(border));
    }

    #[test]
    fn a_quadratic_stays_one() {
        let (from, to) = (Point::new(3.33, 4.44), Point::new(12.87, 7.21));
        let segments = vec![Segment::quadratic(from, Point::new(9.18, 1.06), to), Segment::line(from)];
        let curve = rounded(&Curve { start: from, segments, closed: true });
        let control = curve.segments[0].quadratic_control(curve.start).expect("a quadratic");
        assert!((nearest(control) - control).length() < 1e-4, "{control:?} is not on the grid");
    }
}
