//! Which numbers of an axis may change while a gradient is fitted, and how offsets change with them.

use crate::geometry::{Axis, Point};

/// The longest ellipse has one axis so many times as long as the other.
///
/// Unit: ratio. Source: bounds the solutions; of a longer one, an image shows about a linear gradient.
const LONGEST_ELLIPSE: u8 = 10;

/// The most numbers that may change at once.
pub(super) const MOST_UNKNOWNS: usize = 4;

/// Which numbers of an axis may change. The others stay.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Freedom {
    /// The direction of a linear gradient.
    Direction,
    /// The focus of circles or ellipses.
    Center,
    /// The focus of ellipses, their length and turn.
    Ellipse,
    /// The focus of circles or ellipses, and where it lies in them.
    Focus,
}

impl Freedom {
    /// How many numbers may change.
    pub fn unknowns(self) -> usize {
        match self {
            Freedom::Direction => 1,
            Freedom::Center => 2,
            Freedom::Ellipse | Freedom::Focus => MOST_UNKNOWNS,
        }
    }

    /// By how much each of them changes the offset of a point. A step of the focus is as long as the axis, of some `length`.
    #[inline(never)]
    pub fn slopes(self, axis: &Axis, at: Point, length: f32) -> [f32; MOST_UNKNOWNS] {
        let from = at - axis.origin;
        let [one, other] = axis.rows;
        if self == Freedom::Direction {
            return [one.cross(from), 0.0, 0.0, 0.0];
        }
        // From the center of the circle of this offset. The offset grows along it, by its length over that without what it leans.
        let offset = axis.offset(at);
        let along = Point::new(one.dot(from), other.dot(from)) - axis.lean * offset;
        let toward = along * (1.0 / (offset + axis.lean.dot(along)).max(f32::MIN_POSITIVE));
        let center = (one * toward.x + other * toward.y) * -length;
        let [first, second] = if self == Freedom::Focus {
            [toward.x, toward.y].map(|part| -offset * part)
        } else {
            [Point::new(from.x, -from.y), Point::new(from.y, from.x)].map(|change| toward.dot(change))
        };
        [center.x, center.y, first, second]
    }

    /// Changes one of them: turns, shares of a `length`, bends or leans.
    pub fn change(self, axis: &mut Axis, unknown: usize, by: f32, length: f32) {
        let along =
            |by: f32| if unknown.is_multiple_of(2) { Point::new(by, 0.0) } else { Point::new(0.0, by) };
        let [one, _] = &mut axis.rows;
        match self {
            Freedom::Direction => *one = (*one + Point::new(-one.y, one.x) * by).unit(),
            _ if unknown < 2 => axis.origin = axis.origin + along(by * length),
            Freedom::Focus => axis.lean = shortened(axis.lean + along(by)),
            _ => {
                let bend = shortened(Point::new(one.x - 1.0, one.y) + along(by));
                axis.rows = bent(bend);
            }
        }
    }
}

/// The rows of an ellipse: the symmetric matrix [[1 + a, b], [b, 1 - a]] of a bend (a, b).
pub(super) fn bent(bend: Point) -> [Point; 2] {
    [Point::new(1.0 + bend.x, bend.y), Point::new(bend.y, 1.0 - bend.x)]
}

/// A bend or a lean, at most so long that one way across becomes [`LONGEST_ELLIPSE`] times as long as another.
#[inline(never)]
fn shortened(by: Point) -> Point {
    let most = f32::from(LONGEST_ELLIPSE - 1) / f32::from(LONGEST_ELLIPSE + 1);
    let length = by.length();
    if length > most { by * (most / length) } else { by }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slopes beside differences of offsets.
    #[test]
    fn offsets_change_by_the_slopes() {
        let [rows, at] =
            [[Point::new(1.2, 0.3), Point::new(0.3, 0.8)], [Point::new(30.0, 11.0), Point::new(3.0, -4.0)]];
        let axis = Axis { origin: Point::new(9.0, 2.0), rows, is_radial: true, lean: Point::new(0.4, -0.3) };
        let (step, length) = (1.0 / 256.0, 10.0);
        for freedom in [Freedom::Center, Freedom::Ellipse, Freedom::Focus] {
            for (at, unknown) in at.into_iter().flat_map(|at| (0..freedom.unknowns()).map(move |k| (at, k))) {
                let mut changed = axis;
                freedom.change(&mut changed, unknown, step, length);
                let found = (changed.offset(at) - axis.offset(at)) / step;
                let slope = freedom.slopes(&axis, at, length)[unknown];
                assert!((found - slope).abs() < 0.02 * slope.abs() + 0.1, "{unknown}: {found} {slope}");
            }
        }
    }

    #[test]
    fn an_axis_leans_less_than_its_length() {
        let mut axis = Axis { rows: Axis::CIRCLE, is_radial: true, ..Axis::default() };
        (0..9).for_each(|_| Freedom::Focus.change(&mut axis, 2, 0.5, 1.0));
        assert!(axis.lean.x < 1.0 && axis.offset(Point::new(-3.0, 0.0)).is_finite(), "{axis:?}");
    }
}
