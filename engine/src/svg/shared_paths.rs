//! Shapes of one paint share a path if nothing lies between them that either meets.

use crate::geometry::{Drawing, Shape};

/// So many shapes below and above a shape are looked at.
///
/// Unit: count. Source: bounds the time; looking at all of them changes none of 516 drawings.
const MOST_BETWEEN: usize = 256;

/// The box around a shape: its greatest coordinates, and those of the shape turned by half.
#[derive(Clone, Copy)]
struct Extent([f32; 4]);

impl Extent {
    fn of(shape: &Shape) -> Self {
        let (mut ends, mut points) = ([f32::NEG_INFINITY; 4], Vec::new());
        for curve in &shape.curves {
            curve.flatten(1.0, &mut points);
        }
        for point in points {
            for (end, at) in ends.iter_mut().zip([point.x, point.y, -point.x, -point.y]) {
                *end = if at > *end { at } else { *end };
            }
        }
        Extent(ends)
    }

    /// Whether both may show in one pixel: the boxes are less than a pixel apart.
    fn meets(&self, other: &Extent) -> bool {
        (0..4).all(|k| self.0[k] + other.0[k ^ 2] > -1.0)
    }
}

/// Moves opaque shapes, in painting order, to where they share a path with others of their paint. Nothing that is seen changes.
pub(crate) fn share_paths(drawing: &mut Drawing) {
    let shapes = &mut drawing.shapes[..];
    let mut extents: Vec<_> = shapes.iter().map(Extent::of).collect();
    for goes_up in [false, true] {
        let next = |place: usize| if goes_up { place + 1 } else { place.wrapping_sub(1) };
        for k in 0..shapes.len() {
            let mut place = if goes_up { shapes.len() - 1 - k } else { k };
            let (paint, extent) = (shapes[place].paint, extents[place]);
            if !paint.is_opaque() {
                continue;
            }
            let mut other = next(place);
            for _ in 1..MOST_BETWEEN {
                let is_between = shapes.get(other).is_some_and(|shape| shape.paint != paint);
                if !is_between || extents[other].meets(&extent) {
                    break;
                }
                other = next(other);
            }
            if shapes.get(other).is_some_and(|shape| shape.paint == paint) {
                while next(place) != other {
                    shapes.swap(place, next(place));
                    extents.swap(place, next(place));
                    place = next(place);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::StraightColor;
    use crate::geometry::{Curve, Paint, Point};

    const RED: [u8; 4] = [200, 0, 0, 255];
    const BLUE: [u8; 4] = [0, 0, 200, 255];

    /// What a drawing of squares of 4 px becomes, given their colors and their left sides.
    fn shared(squares: &[([u8; 4], f32)]) -> Vec<([u8; 4], f32)> {
        let shape = |&(color, left): &([u8; 4], f32)| {
            let corners = [Point::new(left, 3.0), Point::new(left + 4.0, 7.0)];
            Shape { paint: Paint::Flat(StraightColor(color)), curves: vec![Curve::rectangle(corners)] }
        };
        let mut drawing = Drawing { shapes: squares.iter().map(shape).collect(), gradients: Vec::new() };
        share_paths(&mut drawing);
        let found = |shape: &Shape| match shape.paint {
            Paint::Flat(StraightColor(color)) => (color, shape.curves[0].start.x),
            Paint::Gradient { .. } => panic!("a flat fill"),
        };
        drawing.shapes.iter().map(found).collect()
    }

    #[test]
    fn squares_of_one_color_come_together_past_what_does_not_meet_them() {
        let found = shared(&[(RED, 2.0), (BLUE, 20.0), (RED, 30.0), (BLUE, 40.0)]);
        assert_eq!(found.chunk_by(|a, b| a.0 == b.0).count(), 2, "{found:?}");
        let of = |color| found.iter().filter(move |square| square.0 == color).map(|square| square.1);
        assert!(of(RED).eq([2.0, 30.0]) && of(BLUE).eq([20.0, 40.0]), "{found:?}");
    }

    /// The third meets the second, but the first can go up to it.
    #[test]
    fn a_square_comes_up_to_another_that_cannot_come_down() {
        let found = shared(&[(RED, 2.0), (BLUE, 20.0), (RED, 22.0)]);
        assert_eq!(found, [(BLUE, 20.0), (RED, 2.0), (RED, 22.0)]);
    }

    #[test]
    fn squares_that_meet_stay_above_each_other() {
        // Each covers some of the one before it, or shares a pixel with it.
        for step in [3.0, 4.0, 4.9] {
            let squares = [RED, BLUE, RED, BLUE].into_iter().zip([0.0, step, 2.0 * step, 3.0 * step]);
            let squares: Vec<_> = squares.collect();
            assert_eq!(shared(&squares), squares, "{step}");
        }
    }

    #[test]
    fn translucent_squares_stay_apart() {
        let pale = [200, 0, 0, 90];
        let squares = [(pale, 2.0), (BLUE, 20.0), (pale, 30.0)];
        assert_eq!(shared(&squares), squares);
    }
}
