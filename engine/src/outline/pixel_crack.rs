//! The cracks of an arc, each with the pixels on both of its sides.

use super::planar_map::Arc;
use crate::geometry::Point;

/// One crack between a pixel of the left region and one of the right.
#[derive(Clone)]
pub(crate) struct PixelCrack {
    pub middle: Point,
    /// The step from the left to the right pixel.
    pub normal: (i32, i32),
    pub left: (i32, i32),
    pub right: (i32, i32),
}

impl PixelCrack {
    /// All cracks of an arc, in the order of its corners.
    pub fn all(arc: &Arc) -> impl Iterator<Item = PixelCrack> {
        let corners = &arc.corners;
        let onward = corners[1..].iter().chain(arc.closed.then_some(&corners[0]));
        corners.iter().zip(onward).map(|(&from, &to)| PixelCrack::new(from, to))
    }

    /// The crack between two neighboring lattice points.
    pub fn new(from: (u32, u32), to: (u32, u32)) -> Self {
        let (x, y) = (from.0 as i32, from.1 as i32);
        let (dx, dy) = (to.0 as i32 - x, to.1 as i32 - y);
        // Without branches on the direction, which is unpredictable. The left pixel lies above a step to the right and to the left of a
        // step up: one less in y for right and up, one less in x for left and up.
        let left = (x - i32::from(dx + dy < 0), y - i32::from(dx > dy));
        let normal = (-dy, dx);
        let middle = Point::new(x as f32 + dx as f32 * 0.5, y as f32 + dy as f32 * 0.5);
        PixelCrack { middle, normal, left, right: (left.0 + normal.0, left.1 + normal.1) }
    }
}
