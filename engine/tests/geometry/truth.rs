//! True outlines.
use kurbo::{Affine, BezPath, Circle, Ellipse, Point, Rect, RoundedRect, Shape};

/// How near shapes made of arcs come to them, px.
const SHAPE_PX: f64 = 1e-5;

/// An outline as it was drawn, and where its corners are.
#[derive(Clone)]
pub struct Truth {
    pub outline: BezPath,
    pub corners: Vec<Point>,
}

impl Truth {
    fn smooth(shape: impl Shape) -> Self {
        Truth { outline: shape.to_path(SHAPE_PX), corners: Vec::new() }
    }

    /// Turned about a point.
    pub fn turned(mut self, degrees: f64, about: Point) -> Self {
        let turn = Affine::rotate_about(degrees.to_radians(), about);
        self.outline = turn * self.outline;
        self.corners.iter_mut().for_each(|corner| *corner = turn * *corner);
        self
    }
}

impl Truth {
    /// A convex polygon's part inside a square picture.
    pub fn within(&self, side: f64) -> BezPath {
        let mut corners = self.corners.clone();
        let inside: [fn(Point, f64) -> f64; 4] =
            [|p, _| p.x, |p, _| p.y, |p, side| side - p.x, |p, side| side - p.y];
        for depth in inside {
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

pub fn polygon(corners: &[(f64, f64)]) -> Truth {
    let corners: Vec<Point> = corners.iter().map(|&corner| corner.into()).collect();
    let mut outline = BezPath::new();
    outline.move_to(corners[0]);
    corners[1..].iter().for_each(|&corner| outline.line_to(corner));
    outline.close_path();
    Truth { outline, corners }
}

pub fn square(side: f64, degrees: f64, middle: Point) -> Truth {
    let (left, top) = (middle.x - 0.5 * side, middle.y - 0.5 * side);
    let (right, bottom) = (left + side, top + side);
    polygon(&[(left, top), (right, top), (right, bottom), (left, bottom)]).turned(degrees, middle)
}

pub fn circle(radius: f64, middle: Point) -> Truth {
    Truth::smooth(Circle::new(middle, radius))
}

pub fn ellipse(radii: (f64, f64), degrees: f64, middle: Point) -> Truth {
    Truth::smooth(Ellipse::new(middle, radii, degrees.to_radians()))
}

pub fn rounded(rect: Rect, radius: f64) -> Truth {
    Truth::smooth(RoundedRect::from_rect(rect, radius))
}

/// Two circles, the inner one a hole.
pub fn ring(outer: f64, inner: f64, middle: Point) -> Truth {
    let mut truth = circle(outer, middle);
    truth.outline.extend(circle(inner, middle).outline.reverse_subpaths());
    truth
}

/// A wedge of the given angle and length, its tip pointing left.
pub fn wedge(degrees: f64, length: f64, tip: Point) -> Truth {
    let half = length * (0.5 * degrees.to_radians()).tan();
    polygon(&[(tip.x, tip.y), (tip.x + length, tip.y - half), (tip.x + length, tip.y + half)])
}

pub fn star(radius: f64, middle: Point) -> Truth {
    let corners: Vec<(f64, f64)> = (0..10)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::PI / 5.0 + 0.1;
            let reach = if i % 2 == 0 { radius } else { radius * 0.382 };
            (middle.x + reach * angle.sin(), middle.y - reach * angle.cos())
        })
        .collect();
    polygon(&corners)
}

/// A capital letter E of strokes as wide as `stem`.
pub fn letter_e(stem: f64, at: Point) -> Truth {
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
