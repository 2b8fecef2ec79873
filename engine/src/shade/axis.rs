//! Where the offsets of a gradient lie: along a line, or around a center.

use crate::geometry::Point;

/// The most unknowns of an axis.
pub(super) const MOST_UNKNOWNS: usize = 4;

/// The longest ellipse has one axis so many times as long as the other.
///
/// Unit: ratio. Source: bounds the solutions; of a longer one, an image shows about a linear gradient.
const LONGEST_ELLIPSE: u8 = 10;

/// An offset and its derivatives by the unknowns.
pub(super) struct Offset {
    pub value: f32,
    pub slopes: [f32; MOST_UNKNOWNS],
}

/// Says for each point its offset, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    /// The offset is the distance along a direction.
    Linear(Point),
    /// The squared offset of a vector (x, y) from the center is (1 + a) x² + 2 b xy + (1 - a) y².
    Radial { center: Point, bend: Point },
}

impl Axis {
    /// How many numbers may change: an ellipse has two more than a circle.
    pub fn unknowns(&self, is_ellipse: bool) -> usize {
        match self {
            Axis::Linear(_) => 1,
            Axis::Radial { .. } if is_ellipse => 4,
            Axis::Radial { .. } => 2,
        }
    }

    pub fn at(&self, point: Point) -> Offset {
        match *self {
            Axis::Linear(along) => {
                let across = Point::new(-along.y, along.x);
                Offset { value: along.dot(point), slopes: [across.dot(point), 0.0, 0.0, 0.0] }
            }
            Axis::Radial { center, bend: Point { x: a, y: b } } => {
                let from = point - center;
                let bent = Point::new((1.0 + a) * from.x + b * from.y, b * from.x + (1.0 - a) * from.y);
                let value = bent.dot(from).max(0.0).sqrt();
                let by = 1.0 / value.max(0.5);
                let of_bend = Point::new(0.5 * (from.x * from.x - from.y * from.y), from.x * from.y) * by;
                Offset { value, slopes: [-bent.x * by, -bent.y * by, of_bend.x, of_bend.y] }
            }
        }
    }

    /// The axis after its unknowns changed.
    pub fn moved(&self, by: &[f32]) -> Self {
        match *self {
            Axis::Linear(along) => Axis::Linear((along + Point::new(-along.y, along.x) * by[0]).unit()),
            Axis::Radial { center, bend } => {
                let mut bend = bend + if by.len() > 2 { Point::new(by[2], by[3]) } else { Point::default() };
                let length = bend.length();
                let square = f32::from(LONGEST_ELLIPSE) * f32::from(LONGEST_ELLIPSE);
                let most = (square - 1.0) / (square + 1.0);
                if length > most {
                    bend = bend * (most / length);
                }
                Axis::Radial { center: center + Point::new(by[0], by[1]), bend }
            }
        }
    }

    /// The vectors from the center to the ends of two axes of the ellipse of offset 1.
    pub fn radii(bend: Point) -> [Point; 2] {
        // The inverse root of the matrix [[1 + a, b], [b, 1 - a]].
        let Point { x: a, y: b } = bend;
        let area = (1.0 - a * a - b * b).max(0.0).sqrt().max(f32::MIN_POSITIVE);
        let by = 1.0 / (area * (2.0 + 2.0 * area).sqrt());
        [Point::new((1.0 - a) + area, -b) * by, Point::new(-b, (1.0 + a) + area) * by]
    }
}
