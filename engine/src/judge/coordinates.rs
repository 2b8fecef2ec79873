//! The coordinates of a drawing that can move.

use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::geometry::{Drawing, Point, Segment};

/// The coordinates of a drawing that can move, numbered.
///
/// # Guarantees
/// Points that coincide move together, lines and handles along rows or columns of pixels stay along them, and what lies on the border of the
/// image stays on it.
pub(crate) struct Coordinates {
    /// For each point of the drawing, in the order of its curves, the numbers of its x and its y. All coordinates that stay where they are
    /// have the number `count`.
    pub of_point: Vec<[u32; 2]>,
    pub count: usize,
    /// The points that follow each other along a curve.
    pub beside: Vec<[u32; 2]>,
}

impl Coordinates {
    pub fn of(drawing: &Drawing, (width, height): (usize, usize)) -> Self {
        /// Stands for the number of a coordinate that stays, until their count is known.
        const FIXED: u32 = u32::MAX;
        let mut points: Vec<Point> = Vec::new();
        let mut beside: Vec<[u32; 2]> = Vec::new();
        // Ends of lines, and of handles, which may be along a row or column.
        let mut straight: Vec<[u32; 2]> = Vec::new();
        for curve in drawing.shapes.iter().flat_map(|shape| &shape.curves) {
            points.push(curve.start);
            for segment in &curve.segments {
                let from = points.len() as u32 - 1;
                match *segment {
                    Segment::Line(end) => {
                        straight.push([from, from + 1]);
                        points.push(end);
                    }
                    Segment::Cubic(a, b, end) => {
                        straight.extend([[from, from + 1], [from + 2, from + 3]]);
                        points.extend([a, b, end]);
                    }
                    Segment::Arc(_, _, end) | Segment::HalfEllipse(_, _, end) => points.push(end),
                }
                beside.extend((from..points.len() as u32 - 1).map(|point| [point, point + 1]));
            }
        }
        let mut sets = DisjointSets::new(2 * points.len());
        let by_y = sorted_by_key(0..points.len() as u32, |k| points[k as usize].y.to_bits());
        let in_order = sorted_by_key(by_y.into_iter(), |k| points[k as usize].x.to_bits());
        for pair in in_order.windows(2) {
            if points[pair[0] as usize] == points[pair[1] as usize] {
                sets.union(2 * pair[0], 2 * pair[1]);
                sets.union(2 * pair[0] + 1, 2 * pair[1] + 1);
            }
        }
        for &[a, b] in &straight {
            let (from, to) = (points[a as usize], points[b as usize]);
            if from.x == to.x {
                sets.union(2 * a, 2 * b);
            }
            if from.y == to.y {
                sets.union(2 * a + 1, 2 * b + 1);
            }
        }
        let is_on_border = |k: u32| {
            let point = points[k as usize / 2];
            let (at, end) = if k.is_multiple_of(2) { (point.x, width) } else { (point.y, height) };
            at <= 0.0 || at >= end as f32
        };
        let (mut count, mut numbers) = (0, vec![0; 2 * points.len()]);
        for k in (0..2 * points.len() as u32).filter(|&k| is_on_border(k)) {
            numbers[sets.find(k) as usize] = FIXED;
        }
        // The root of a set is its smallest element.
        for k in 0..numbers.len() {
            let root = sets.find(k as u32) as usize;
            if root != k {
                numbers[k] = numbers[root];
            } else if numbers[k] != FIXED {
                numbers[k] = count;
                count += 1;
            }
        }
        let of_point =
            numbers.as_chunks().0.iter().map(|pair: &[u32; 2]| pair.map(|k| k.min(count))).collect();
        Coordinates { of_point, count: count as usize, beside }
    }

    /// How each point moves if the coordinates move so; the last one is for those that stay, and zero.
    pub fn spread(&self, by: &[f32], points: &mut [Point]) {
        for (point, &[x, y]) in points.iter_mut().zip(&self.of_point) {
            *point = Point::new(by[x as usize], by[y as usize]);
        }
    }

    /// How the coordinates are pulled if each point is pulled so: the transpose of [`spread`](Self::spread).
    pub fn collect(&self, points: &mut [Point], pulls: &mut [f32]) {
        pulls.fill(0.0);
        for (point, &[x, y]) in points.iter().zip(&self.of_point) {
            pulls[x as usize] += point.x;
            pulls[y as usize] += point.y;
        }
    }

    /// Whether each point moves, if the coordinates with a scale above zero do.
    pub fn moving(&self, scale: &[f32]) -> Vec<bool> {
        self.of_point.iter().map(|&[x, y]| scale[x as usize] > 0.0 || scale[y as usize] > 0.0).collect()
    }

    /// Moves the points of the drawing.
    pub fn apply(&self, drawing: &mut Drawing, by: &[f32]) {
        let mut points = vec![Point::default(); self.of_point.len()];
        self.spread(by, &mut points);
        let mut moves = points.into_iter();
        let mut moved = |point: Point| point + moves.next().unwrap_or_default();
        for curve in drawing.shapes.iter_mut().flat_map(|shape| &mut shape.curves) {
            let mut before = curve.start;
            curve.start = moved(curve.start);
            let mut from = curve.start;
            for segment in &mut curve.segments {
                let old = segment.end();
                *segment = match *segment {
                    Segment::Line(end) => Segment::Line(moved(end)),
                    Segment::Cubic(a, b, end) => Segment::Cubic(moved(a), moved(b), moved(end)),
                    Segment::Arc(radius, clockwise, end) => {
                        let end = moved(end);
                        let scale = (end - from).length() / (old - before).length().max(f32::MIN_POSITIVE);
                        Segment::Arc(radius * scale, clockwise, end)
                    }
                    Segment::HalfEllipse(mut shape, clockwise, end) => {
                        let end = moved(end);
                        let (old, new) = ((old - before).unit(), (end - from).unit());
                        // Of a small angle, the sine is the angle in radians.
                        shape.turn_deg += old.cross(new).to_degrees();
                        Segment::HalfEllipse(shape, clockwise, end)
                    }
                };
                (before, from) = (old, segment.end());
            }
        }
    }
}
