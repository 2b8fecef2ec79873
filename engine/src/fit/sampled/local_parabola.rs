//! The outline near one sample: a least-squares parabola gives its position, tangent and bend.

use super::prefix_sums::{FitLine, SampledOutline};
use super::tolerance::{NEXT_TO_ZERO, WRITTEN_ROUNDING_PX};
use super::vector::Vector;

/// Newton steps toward a crossing.
///
/// Unit: count. Source: each step doubles the number of correct digits, and the bends are slight.
const NEWTON_STEPS: usize = 5;

/// `constant + slope·s + bend·s²`, where s is the length along the outline from the sample in question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parabola {
    constant: Vector,
    slope: Vector,
    bend: Vector,
}

/// Where two parabolas cross.
pub(crate) struct Crossing {
    pub point: Vector,
    /// The parameter s of the crossing on each of the two.
    pub left: f64,
    pub right: f64,
}

impl Parabola {
    /// A straight line; s starts at the foot of `point`.
    pub fn of_line(line: &FitLine, point: Vector) -> Self {
        Parabola { constant: line.project(point), slope: line.direction, bend: Vector::default() }
    }

    pub fn at(&self, s: f64) -> Vector {
        self.constant + (self.slope + self.bend * s) * s
    }

    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    pub fn direction(&self, s: f64) -> Vector {
        let unit = self.slope_at(s).unit().or_else(|| self.slope.unit());
        unit.unwrap_or(Vector::new(1.0, 0.0))
    }

    fn slope_at(&self, s: f64) -> Vector {
        self.slope + self.bend * (2.0 * s)
    }

    /// Where the two outlines, both extrapolated, cross near s = 0; `None` if that is farther away than
    /// `limit_px` on either of them.
    pub fn crossing(&self, right: &Parabola, limit_px: f64) -> Option<Crossing> {
        let left = self;
        let (mut u, mut v) = (0.0, 0.0);
        for _ in 0..NEWTON_STEPS {
            let gap = right.at(v) - left.at(u);
            let (du, dv) = (left.slope_at(u), right.slope_at(v));
            let sine = du.cross(dv);
            let inverse = 1.0 / sine;
            u += gap.cross(dv) * inverse;
            v += gap.cross(du) * inverse;
            // Not the negation with `>`: NaN, where the two are parallel, has to return as well.
            if !(u.abs() <= limit_px && v.abs() <= limit_px) {
                return None;
            }
        }
        let gap = right.at(v) - left.at(u);
        (gap.length() < WRITTEN_ROUNDING_PX).then(|| Crossing { point: left.at(u), left: u, right: v })
    }
}

/// Fits a parabola to the samples `first..=last`; s starts at the sample `center`, which may lie outside the
/// run.
pub(crate) fn parabola(samples: &SampledOutline, first: usize, last: usize, center: usize) -> Parabola {
    let (origin, length) = (samples.at(center), samples.lengths(center, center)[0]);
    let mut powers = [0.0; 5];
    let mut moments = [Vector::default(); 3];
    for (&point, &along) in samples.run(first, last).iter().zip(samples.lengths(first, last)) {
        let (point, s) = (point - origin, along - length);
        let square = s * s;
        powers[0] += 1.0;
        powers[1] += s;
        powers[2] += square;
        powers[3] += square * s;
        powers[4] += square * square;
        moments[0] = moments[0] + point;
        moments[1] = moments[1] + point * s;
        moments[2] = moments[2] + point * square;
    }
    let mut result = solve(&powers, &moments);
    result.constant = result.constant + origin;
    result
}

/// Solves the normal equations by symmetric elimination. `p`: sums of powers of s; `m`: sums of the points
/// times 1, s, s². A run without extent gives its mean and no slope.
fn solve(p: &[f64; 5], m: &[Vector; 3]) -> Parabola {
    let inverse = |value: f64| if value > NEXT_TO_ZERO { 1.0 / value } else { 0.0 };
    let i0 = inverse(p[0]);
    let (r1, r2) = (p[1] * i0, p[2] * i0);
    let (a11, a12, a22) = (p[2] - p[1] * r1, p[3] - p[2] * r1, p[4] - p[2] * r2);
    let (b1, b2) = (m[1] - m[0] * r1, m[2] - m[0] * r2);
    let i1 = inverse(a11);
    let bend = (b2 - b1 * (a12 * i1)) * inverse(a22 - a12 * a12 * i1);
    let slope = (b1 - bend * a12) * i1;
    let constant = (m[0] - slope * p[1] - bend * p[2]) * i0;
    Parabola { constant, slope, bend }
}
