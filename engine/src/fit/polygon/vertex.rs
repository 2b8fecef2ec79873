//! Vertices of the polygon, and where the lines of two sides meet.

use crate::fit::sampled::{FitLine, SampleRange, SampledOutline, Vector};

/// Two lines that differ in direction by less have no defined crossing.
///
/// Unit: sine of the angle (2 degrees). Source: tuned; no derivation is known.
const PARALLEL_SINE: f64 = 0.035;

/// A vertex of the polygon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vertex {
    /// The sample nearest to it.
    pub index: usize,
    /// How many samples before the vertex the side before it ends, and how many after it the next side
    /// begins.
    pub back: usize,
    pub ahead: usize,
}

/// The sample of a run nearest to a point, and its distance.
pub(crate) fn nearest(samples: &SampledOutline, range: SampleRange, to: Vector) -> (usize, f64) {
    let SampleRange { first, last } = range;
    let mut best = (first, f64::INFINITY);
    for (step, &point) in samples.run(first, last).iter().enumerate() {
        let distance_sq = (point - to).length_sq();
        if distance_sq < best.1 {
            best = (first + step, distance_sq);
        }
    }
    (best.0, best.1.sqrt())
}

/// Where two lines cross; `None` if they are nearly parallel.
pub(crate) fn meet(left: &FitLine, right: &FitLine) -> Option<Vector> {
    let sine = left.direction.cross(right.direction);
    if sine.abs() < PARALLEL_SINE {
        return None;
    }
    let along = (right.center - left.center).cross(right.direction) / sine;
    let mut point = left.center + left.direction * along;
    // A line that was set on an axis keeps its coordinate exactly.
    for line in [left, right] {
        if line.direction.x == 0.0 {
            point.x = line.center.x;
        }
        if line.direction.y == 0.0 {
            point.y = line.center.y;
        }
    }
    Some(point)
}
