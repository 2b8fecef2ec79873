//! The coordinates of a drawing that can move.

use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::geometry::{Drawing, Point, Segment};

/// Stands for a coordinate that stays where it is.
pub(crate) const FIXED: u32 = u32::MAX;

/// The coordinates of a drawing that can move, numbered.
///
/// # Guarantees
/// Points that coincide move together, lines and handles along rows or columns of pixels stay along them, and what lies on the border of the
/// image stays on it.
pub(crate) struct Coordinates {
    /// For each point of the drawing, in the order of its curves, the numbers of its x and its y, or [`FIXED`].
    pub of_point: Vec<[u32; 2]>,
    pub count: usize,
    /// The points that follow each other along a curve.
    pub beside: Vec<[u32; 2]>,
}

impl Coordinates {
    pub fn of(drawing: &Drawing, (width, height): (usize, usize)) -> Self {
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
        let mut numbers = vec![FIXED; 2 * points.len()];
        let mut is_fixed = vec![false; 2 * points.len()];
        for (k, point) in points.iter().enumerate() {
            let root = [2 * k as u32, 2 * k as u32 + 1].map(|k| sets.find(k) as usize);
            is_fixed[root[0]] |= point.x <= 0.0 || point.x >= width as f32;
            is_fixed[root[1]] |= point.y <= 0.0 || point.y >= height as f32;
        }
        let mut count = 0;
        let mut number = |k: u32| {
            let root = sets.find(k) as usize;
            if is_fixed[root] {
                return FIXED;
            }
            if numbers[root] == FIXED {
                numbers[root] = count;
                count += 1;
            }
            numbers[root]
        };
        let of_point = (0..points.len() as u32).map(|k| [number(2 * k), number(2 * k + 1)]).collect();
        Coordinates { of_point, count: count as usize, beside }
    }

    /// Moves the points of the drawing by the given changes of its coordinates.
    pub fn apply(&self, drawing: &mut Drawing, by: &[f32]) {
        let change = |number: u32| by.get(number as usize).copied().unwrap_or(0.0);
        let mut moves = self.of_point.iter().map(|&[x, y]| Point::new(change(x), change(y)));
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
                        shape.turn_deg += old.cross(new) * DEGREES_PER_RADIAN;
                        Segment::HalfEllipse(shape, clockwise, end)
                    }
                };
                (before, from) = (old, segment.end());
            }
        }
    }
}

/// Degrees of a small angle per unit of its sine.
///
/// Unit: degrees. Source: 180/π.
const DEGREES_PER_RADIAN: f32 = 57.295_78;
