//! The drawing: what the last stage writes as SVG.

use super::curve::Curve;
use crate::color::StraightColor;

/// A filled shape of one color.
///
/// # Guarantees
/// Every curve is closed. Outer curves and holes run in opposite directions.
pub(crate) struct Shape {
    pub color: StraightColor,
    pub curves: Vec<Curve>,
}

/// The shapes in painting order, the lowest first.
pub(crate) struct Drawing {
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// Stretches the drawing by almost equal factors across and down.
    pub fn scale(&mut self, by: (f32, f32)) {
        self.shapes.iter_mut().flat_map(|shape| &mut shape.curves).for_each(|curve| curve.scale(by));
    }

    /// The shapes by path: consecutive opaque shapes of one color share one.
    pub fn paths(&self) -> impl Iterator<Item = &[Shape]> {
        self.shapes.chunk_by(|a, b| a.color == b.color && a.color.is_opaque())
    }
}
