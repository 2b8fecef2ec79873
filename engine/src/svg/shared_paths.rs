//! Shapes of one paint share a path if nothing lies between them that either meets. So do shapes whose fills may change, if that costs less
//! than a path.

use crate::geometry::{Drawing, Shape};

/// So many shapes below and above a shape are looked at.
///
/// Unit: count. Source: bounds the time; looking at all of them changes none of 516 drawings.
const MOST_BETWEEN: usize = 256;

/// The bytes of a path element without its data: `<path fill="#123456" d=""/>`.
///
/// Unit: bytes. Source: derived.
const ELEMENT_BYTES: u8 = 27;

/// Where a shape is.
#[derive(Clone, Copy)]
struct Extent {
    /// Its greatest coordinates, and those of the shape turned by half.
    ends: [f32; 4],
    area_px: f32,
}

impl Extent {
    fn of(shape: &Shape) -> Self {
        let mut extent = Extent { ends: [f32::NEG_INFINITY; 4], area_px: 0.0 };
        let mut points = Vec::new();
        for curve in &shape.curves {
            points.clear();
            curve.flatten(1.0, &mut points);
            let mut before = curve.start;
            for &point in &points {
                extent.area_px += 0.5 * (before - curve.start).cross(point - curve.start);
                before = point;
                for (end, at) in extent.ends.iter_mut().zip([point.x, point.y, -point.x, -point.y]) {
                    *end = if at > *end { at } else { *end };
                }
            }
        }
        // Outer curves run either way.
        extent.area_px = extent.area_px.abs();
        extent
    }

    /// Whether both may show in one pixel: the boxes are less than a pixel apart.
    // Not inlined: it has two callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    fn meets(&self, other: &Extent) -> bool {
        (0..4).all(|k| self.ends[k] + other.ends[k ^ 2] > -1.0)
    }
}

/// Moves opaque shapes, in painting order, to where they share a path with others of their paint. Nothing that is seen changes.
///
/// Then shapes whose fills are not known for sure, being none of `paints`, take the fills of paths that they can share, if the squared error
/// that this adds is less than the bytes of a path, at their price, are worth. None takes the fill of a shape that it meets: they would merge.
pub(crate) fn share_paths(drawing: &mut Drawing, paints: &[u64], price: f32) {
    let shapes = &mut drawing.shapes[..];
    let mut extents: Vec<_> = shapes.iter().map(Extent::of).collect();
    for pass in 0..4 {
        let (goes_up, changes_fills) = (pass % 2 > 0, pass > 1);
        // Down is up by so many, since numbers wrap around.
        let step = if goes_up { 1 } else { usize::MAX };
        for k in 0..shapes.len() {
            let mut place = if goes_up { shapes.len() - 1 - k } else { k };
            let paint = shapes[place].paint;
            if !paint.is_opaque() {
                continue;
            }
            let is_shared = shapes.get(place.wrapping_sub(step)).is_some_and(|shape| shape.paint == paint);
            let is_fixed = !changes_fills || is_shared || paint.is_among(paints);
            let most = if is_fixed { 0.0 } else { price * f32::from(ELEMENT_BYTES) };
            let Some(partner) = partner(shapes, &extents, (place, step), most) else { continue };
            shapes[place].paint = shapes[partner].paint;
            let end = partner.wrapping_sub(step);
            while place != end {
                let next = place.wrapping_add(step);
                shapes.swap(place, next);
                extents.swap(place, next);
                place = next;
            }
        }
    }
}

/// The shape, `step` by `step` from a place, that the one there can come to and share a path with: the first of its paint, or before it the one
/// whose fill adds the least error, less than `most`.
fn partner(
    shapes: &[Shape],
    extents: &[Extent],
    (place, step): (usize, usize),
    mut most: f32,
) -> Option<usize> {
    let (paint, extent) = (shapes[place].paint, &extents[place]);
    let mut found = None;
    let mut other = place.wrapping_add(step);
    for _ in 1..MOST_BETWEEN {
        let Some(shape) = shapes.get(other) else { break };
        if shape.paint == paint {
            return Some(other);
        }
        if extents[other].meets(extent) {
            break;
        }
        let error = extent.area_px * shape.paint.distance_sq(paint);
        let meets = |(near, at): (&Shape, &Extent)| near.paint == shape.paint && at.meets(extent);
        if error < most && shape.paint.is_opaque() && !shapes.iter().zip(extents).any(meets) {
            (found, most) = (Some(other), error);
        }
        other = other.wrapping_add(step);
    }
    found
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
        shared_at(0.0, &[], squares)
    }

    /// The same, at a price of bytes, if only these colors are known for sure.
    fn shared_at(price: f32, paints: &[[u8; 4]], squares: &[([u8; 4], f32)]) -> Vec<([u8; 4], f32)> {
        let mut paints: Vec<_> = paints.iter().map(|&color| u32::from_le_bytes(color).into()).collect();
        paints.sort_unstable();
        let shape = |&(color, left): &([u8; 4], f32)| {
            let corners = [Point::new(left, 3.0), Point::new(left + 4.0, 7.0)];
            Shape { paint: Paint::Flat(StraightColor(color)), curves: vec![Curve::rectangle(corners)] }
        };
        let mut drawing = Drawing { shapes: squares.iter().map(shape).collect(), gradients: Vec::new() };
        share_paths(&mut drawing, &paints, price);
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

    #[test]
    fn a_fill_that_is_not_sure_changes_if_that_costs_less_than_a_path() {
        let [near, nearer, far] = [[210, 0, 0, 255], [203, 0, 0, 255], [200, 0, 90, 255]];
        let squares = [(RED, 2.0), (BLUE, 20.0), (near, 40.0), (far, 60.0)];
        // 16 pixels that differ by 10 each: as much as 27 bytes at 60 each.
        let found = shared_at(60.0, &[RED, BLUE], &squares);
        assert_eq!(found, [(RED, 2.0), (RED, 40.0), (BLUE, 20.0), (far, 60.0)]);
        assert_eq!(shared_at(59.0, &[RED, BLUE], &squares), squares);
        assert_eq!(shared_at(60.0, &[RED, BLUE, near], &squares), squares, "known for sure");
        let found = shared_at(60.0, &[RED, nearer], &[(RED, 2.0), (nearer, 20.0), (near, 40.0)]);
        assert_eq!(found, [(RED, 2.0), (nearer, 20.0), (nearer, 40.0)], "the least error");
    }

    #[test]
    fn a_fill_does_not_change_to_that_of_a_path_that_cannot_be_shared() {
        let near = [210, 0, 0, 255];
        let squares = [(RED, 2.0), (BLUE, 20.0), (near, 22.0)];
        assert_eq!(shared_at(60.0, &[RED, BLUE], &squares), squares);
    }
}
