use super::curve::Curve;
use crate::color::StraightColor;

/// A filled shape.
///
/// # Guarantees
/// Every curve is closed. Outer curves and holes run in opposite senses.
pub(crate) struct Shape {
    pub color: StraightColor,
    pub curves: Vec<Curve>,
}

/// Shapes in painting order, the lowest first.
pub(crate) struct Drawing {
    pub shapes: Vec<Shape>,
}
