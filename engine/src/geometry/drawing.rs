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
    /// The shapes by path: consecutive opaque shapes of one color share one.
    pub fn paths(&self) -> impl Iterator<Item = &[Shape]> {
        self.shapes.chunk_by(|a, b| a.color == b.color && a.color.is_opaque())
    }
}
