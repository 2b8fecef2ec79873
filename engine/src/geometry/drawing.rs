use super::curve::Curve;

/// A filled shape.
///
/// # Guarantees
/// Every curve is closed. Outer curves and holes run in opposite senses.
pub(crate) struct Shape {
    /// Straight (not premultiplied) color and alpha.
    pub color: [u8; 4],
    pub curves: Vec<Curve>,
}

/// Shapes in painting order, the lowest first.
pub(crate) struct Drawing {
    pub shapes: Vec<Shape>,
}
