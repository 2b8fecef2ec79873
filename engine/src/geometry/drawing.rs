//! The drawing: what the last stage writes as SVG.

use super::curve::{Curve, Segment, Way};
use super::paint::{Gradient, Paint};
use super::point::Point;

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

    /// The points, in the order of the curves. The one control point of a quadratic counts as two, which move together.
    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    pub fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for curve in self.shapes.iter().flat_map(|shape| &shape.curves) {
            let mut from = curve.start;
            points.push(from);
            for segment in &curve.segments {
                if let Way::Cubic(a, b) = segment.way {
                    let control = segment.quadratic_control(from);
                    points.extend([control.unwrap_or(a), control.unwrap_or(b)]);
                }
                from = segment.end;
                points.push(from);
            }
        }
        points
    }

    /// Moves each of the [`points`](Self::points) by one of these vectors.
    pub fn shift(&mut self, by: &[Point]) {
        let mut moves = by.iter();
        let mut moved = |point: Point| moves.next().map_or(point, |&by| point + by);
        for curve in self.shapes.iter_mut().flat_map(|shape| &mut shape.curves) {
            let mut before = curve.start;
            curve.start = moved(curve.start);
            let mut from = curve.start;
            for segment in &mut curve.segments {
                let old = segment.end;
                let control = segment.quadratic_control(before);
                if let Way::Cubic(a, b) = &mut segment.way {
                    (*a, *b) = (moved(control.unwrap_or(*a)), moved(control.unwrap_or(*b)));
                }
                segment.end = moved(old);
                if let (Some(_), Way::Cubic(control, _)) = (control, segment.way) {
                    *segment = Segment::quadratic(from, control, segment.end);
                }
                let [chord, new_chord] = [old - before, segment.end - from];
                match &mut segment.way {
                    Way::Line | Way::Cubic(..) => {}
                    Way::Arc(radius, _) if chord.length() > 0.0 => {
                        *radius *= new_chord.length() / chord.length();
                    }
                    Way::Arc(..) => {}
                    // Of a small angle, the sine is the angle in radians.
                    Way::HalfEllipse(shape, _) => {
                        shape.turn_deg += chord.unit().cross(new_chord.unit()).to_degrees();
                    }
                }
                (before, from) = (old, segment.end);
            }
        }
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
