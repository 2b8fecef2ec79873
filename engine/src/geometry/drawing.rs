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
