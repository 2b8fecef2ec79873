//! Shapes whose outline and corners are known exactly.

use kurbo::{Affine, BezPath, Circle, Ellipse, Point, Rect, RoundedRect, Shape};

/// The accuracy of the cubics that replace arcs, px.
const ARC_PX: f64 = 1e-5;

/// An outline and its corners.
#[derive(Clone)]
pub struct GroundTruth {
    pub outline: BezPath,
    pub corners: Vec<Point>,
}

impl GroundTruth {
    fn smooth(shape: impl Shape) -> Self {
        GroundTruth { outline: shape.to_path(ARC_PX), corners: Vec::new() }
    }

    /// Rotates the shape around a point.
    pub fn rotated(mut self, degrees: f64, center: Point) -> Self {
        let rotation = Affine::rotate_about(degrees.to_radians(), center);
        self.outline = rotation * self.outline;
        self.corners.iter_mut().for_each(|corner| *corner = rotation * *corner);
        self
    }

    /// Clips a convex polygon to a square image (Sutherland–Hodgman).
    pub fn clipped(&self, side: f64) -> BezPath {
        let mut corners = self.corners.clone();
        let depths: [fn(Point, f64) -> f64; 4] =
            [|p, _| p.x, |p, _| p.y, |p, side| side - p.x, |p, side| side - p.y];
        for depth in depths {
            let mut kept = Vec::new();
            for (index, &to) in corners.iter().enumerate() {
                let from = corners[(index + corners.len() - 1) % corners.len()];
                let (a, b) = (depth(from, side), depth(to, side));
                if (a < 0.0) != (b < 0.0) {
                    kept.push(from.lerp(to, a / (a - b)));
                }
                if b >= 0.0 {
                    kept.push(to);
                }
            }
            corners = kept;
        }
        let mut path = BezPath::new();
        path.move_to(corners[0]);
        corners[1..].iter().for_each(|&corner| path.line_to(corner));
        path.close_path();
        path
    }
}

pub fn polygon(corners: &[(f64, f64)]) -> GroundTruth {
    let corners: Vec<Point> = corners.iter().map(|&corner| corner.into()).collect();
    let mut outline = BezPath::new();
    outline.move_to(corners[0]);
    corners[1..].iter().for_each(|&corner| outline.line_to(corner));
    outline.close_path();
    GroundTruth { outline, corners }
}

pub fn square(side: f64, degrees: f64, center: Point) -> GroundTruth {
    let (left, top) = (center.x - 0.5 * side, center.y - 0.5 * side);
    let (right, bottom) = (left + side, top + side);
    polygon(&[(left, top), (right, top), (right, bottom), (left, bottom)]).rotated(degrees, center)
}

pub fn circle(radius: f64, center: Point) -> GroundTruth {
    GroundTruth::smooth(Circle::new(center, radius))
}

pub fn ellipse(radii: (f64, f64), degrees: f64, center: Point) -> GroundTruth {
    GroundTruth::smooth(Ellipse::new(center, radii, degrees.to_radians()))
}

pub fn rounded_rect(rect: Rect, radius: f64) -> GroundTruth {
    GroundTruth::smooth(RoundedRect::from_rect(rect, radius))
}

/// A circle with a circular hole.
pub fn ring(outer: f64, inner: f64, center: Point) -> GroundTruth {
    let mut truth = circle(outer, center);
    truth.outline.extend(circle(inner, center).outline.reverse_subpaths());
    truth
}

/// An isosceles triangle with the given angle at its tip, which points left.
pub fn wedge(degrees: f64, length: f64, tip: Point) -> GroundTruth {
    let half = length * (0.5 * degrees.to_radians()).tan();
    polygon(&[(tip.x, tip.y), (tip.x + length, tip.y - half), (tip.x + length, tip.y + half)])
}

/// A star with five tips.
pub fn star(radius: f64, center: Point) -> GroundTruth {
    let corners: Vec<(f64, f64)> = (0..10)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::PI / 5.0 + 0.1;
            let distance = if i % 2 == 0 { radius } else { radius * 0.382 };
            (center.x + distance * angle.sin(), center.y - distance * angle.cos())
        })
        .collect();
    polygon(&corners)
}

/// A capital E whose strokes have the width `stem`.
pub fn letter_e(stem: f64, at: Point) -> GroundTruth {
    let (w, arm) = (4.0 * stem, 3.2 * stem);
    let corners = [
        (0.0, 0.0),
        (w, 0.0),
        (w, stem),
        (stem, stem),
        (stem, 2.5 * stem),
        (arm, 2.5 * stem),
        (arm, 3.5 * stem),
        (stem, 3.5 * stem),
        (stem, 5.0 * stem),
        (w, 5.0 * stem),
        (w, 6.0 * stem),
        (0.0, 6.0 * stem),
    ];
    polygon(&corners.map(|(x, y)| (x + at.x, y + at.y)))
}
