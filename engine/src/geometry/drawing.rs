//! The drawing: what the last stage writes as SVG.

use super::curve::Curve;
use super::paint::{Gradient, Paint};

/// A filled shape.
///
/// # Guarantees
/// Every curve is closed. Outer curves and holes run in opposite directions.
pub(crate) struct Shape {
    pub paint: Paint,
    pub curves: Vec<Curve>,
}

/// The shapes in painting order, the lowest first.
pub(crate) struct Drawing {
    pub shapes: Vec<Shape>,
    /// The gradients that fill shapes, by their numbers.
    pub gradients: Vec<Gradient>,
}

impl Drawing {
    /// Stretches the drawing by almost equal factors across and down.
    pub fn scale(&mut self, by: (f32, f32)) {
        self.shapes.iter_mut().flat_map(|shape| &mut shape.curves).for_each(|curve| curve.scale(by));
        self.gradients.iter_mut().for_each(|gradient| gradient.scale(by));
    }

    /// The shapes by path: consecutive opaque shapes of one paint share one.
    pub fn paths(&self) -> impl Iterator<Item = &[Shape]> {
        self.shapes.chunk_by(|a, b| a.paint == b.paint && a.paint.is_opaque())
    }

    /// How many shapes each path has.
    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    pub fn shapes_of_paths(&self) -> Vec<usize> {
        self.paths().map(<[_]>::len).collect()
    }
}
