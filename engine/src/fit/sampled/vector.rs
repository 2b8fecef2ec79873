//! Double-precision vectors relative to an outline's own origin, and the stage's only angle function.

use std::ops::{Add, Mul, Sub};
use wide::f32x4;

use crate::geometry::Point;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Vector {
    pub x: f64,
    pub y: f64,
}

impl Vector {
    pub const fn new(x: f64, y: f64) -> Self {
        Vector { x, y }
    }

    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub fn length_sq(self) -> f64 {
        self.dot(self)
    }

    /// The unit vector of the same direction; `otherwise` for a vector without a direction.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn unit_or(self, otherwise: Self) -> Self {
        self.unit().unwrap_or(otherwise)
    }

    /// The unit vector of the same direction; `None` for zero and for infinite vectors.
    pub fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0 && length.is_finite()).then(|| self * (1.0 / length))
    }

    pub fn from_point(point: Point, origin: Point) -> Self {
        Vector::new(f64::from(point.x) - f64::from(origin.x), f64::from(point.y) - f64::from(origin.y))
    }

    /// The point in the image, rounded to single precision once.
    pub fn to_point(self, origin: Point) -> Point {
        Point::new((self.x + f64::from(origin.x)) as f32, (self.y + f64::from(origin.y)) as f32)
    }
}

impl Add for Vector {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Vector::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vector {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Vector::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Vector {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Vector::new(self.x * factor, self.y * factor)
    }
}

/// The direction of the largest second moment, of any length, and the spread: the largest less the smallest
/// moment.
#[inline]
pub(crate) fn principal_axis(xx: f64, xy: f64, yy: f64) -> (Vector, f64) {
    let difference = xx - yy;
    let spread = (difference * difference + 4.0 * xy * xy).sqrt();
    let axis = if difference >= 0.0 {
        Vector::new(difference + spread, 2.0 * xy)
    } else {
        Vector::new(2.0 * xy, spread - difference)
    };
    (axis, spread)
}

/// The signed turn from one direction to another in degrees, −180 to 180, positive clockwise on the screen.
///
/// Uses a polynomial, since `atan2` differs between targets; the error is below 0.001 degrees (Abramowitz and
/// Stegun, *Handbook of Mathematical Functions*, 4.4.49).
// Not inlined: it has several callers, and each copy would grow the WebAssembly module.
#[inline(never)]
pub(crate) fn turn_deg(from: Vector, to: Vector) -> f64 {
    let (sine, cosine) = (from.cross(to), from.dot(to));
    let (small, large) =
        if sine.abs() < cosine.abs() { (sine.abs(), cosine.abs()) } else { (cosine.abs(), sine.abs()) };
    if large <= 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    let sq = ratio * ratio;
    let octant = ratio.to_degrees()
        * (0.999_866_0 + sq * (-0.330_299_5 + sq * (0.180_141_0 + sq * (-0.085_133_0 + sq * 0.020_835_1))));
    let quadrant = if sine.abs() < cosine.abs() { octant } else { 90.0 - octant };
    let half = if cosine < 0.0 { 180.0 - quadrant } else { quadrant };
    // A choice by sign would compile to a jump that is mispredicted in WebAssembly. Adding zero turns −0 into
    // +0.
    half.copysign(sine + 0.0)
}

/// The larger and the smaller of two numbers. `f64::max` and `f64::min` compile to calls in WebAssembly;
/// these do not.
pub(crate) trait Bound {
    fn at_least(self, bound: Self) -> Self;
    fn at_most(self, bound: Self) -> Self;
}

impl Bound for f64 {
    #[inline]
    fn at_least(self, bound: f64) -> f64 {
        if bound > self { bound } else { self }
    }

    #[inline]
    fn at_most(self, bound: f64) -> f64 {
        if bound < self { bound } else { self }
    }
}

/// The largest of four numbers.
pub(crate) fn largest(lanes: f32x4) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    let pairs = lanes.fast_max(f32x4::new([c, d, a, b]));
    let [a, b, c, d] = pairs.to_array();
    pairs.fast_max(f32x4::new([b, a, d, c])).to_array()[0]
}
