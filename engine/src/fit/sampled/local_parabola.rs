//! The outline near one sample: a parabola through its neighbors gives place, tangent and bend.

use super::prefix_sums::{FitLine, SampledOutline};
use super::vector::{Bound, Vector};

/// Bend expected of an outline, 1/(2r) with r about 3 px: the prior against which noise is weighed.
const BEND_PRIOR: f64 = 0.15;

/// `constant + slope·s + bend·s²`, s being the length along the outline from the sample in question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parabola {
    constant: Vector,
    slope: Vector,
    bend: Vector,
}

impl Parabola {
    /// The line, s counted from the foot of `point`.
    pub fn of_line(line: &FitLine, point: Vector) -> Self {
        Parabola { constant: line.project(point), slope: line.direction, bend: Vector::default() }
    }

    pub fn at(&self, s: f64) -> Vector {
        self.constant + (self.slope + self.bend * s) * s
    }

    // Called, for its callers are several: it would be in the module as often.
    #[inline(never)]
    pub fn direction(&self, s: f64) -> Vector {
        let unit = (self.slope + self.bend * (2.0 * s)).unit().or_else(|| self.slope.unit());
        unit.unwrap_or(Vector::new(1.0, 0.0))
    }

    fn slope_at(&self, s: f64) -> Vector {
        self.slope + self.bend * (2.0 * s)
    }
}

/// Fits the samples `first..=last` about the sample `center`, which may lie outside the run.
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
    let doubt = samples.noise_px.at_least(0.01) / BEND_PRIOR;
    powers[4] += doubt * doubt;
    let mut result = solve(&powers, &moments);
    result.constant = result.constant + origin;
    result
}

/// The normal equations by Cholesky-like elimination; a run without extent gives its mean and no slope.
fn solve(p: &[f64; 5], m: &[Vector; 3]) -> Parabola {
    let inverse = |value: f64| if value > 1e-9 { 1.0 / value } else { 0.0 };
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

/// Where the two outlines, each extrapolated, cross near s = 0, with the s of each; `None` when farther than
/// `allowed` from there.
pub(crate) fn cross(left: &Parabola, right: &Parabola, allowed: f64) -> Option<(Vector, f64, f64)> {
    /// Newton steps; each doubles the digits and the bends are slight.
    const NEWTON_STEPS: usize = 5;
    /// The step after one so short changes nothing that is written.
    const SHORT_STEP: f64 = 1e-4;
    let (mut u, mut v) = (0.0, 0.0);
    for _ in 0..NEWTON_STEPS {
        let gap = right.at(v) - left.at(u);
        let (du, dv) = (left.slope_at(u), right.slope_at(v));
        let sine = du.cross(dv);
        if sine.abs() < 0.03 {
            return None;
        }
        let inverse = 1.0 / sine;
        let (more_u, more_v) = (gap.cross(dv) * inverse, gap.cross(du) * inverse);
        u += more_u;
        v += more_v;
        if !(u.abs() <= allowed && v.abs() <= allowed) {
            return None;
        }
        if more_u.abs() < SHORT_STEP && more_v.abs() < SHORT_STEP {
            break;
        }
    }
    let gap = right.at(v) - left.at(u);
    (gap.length() < 0.05).then(|| (left.at(u), u, v))
}
