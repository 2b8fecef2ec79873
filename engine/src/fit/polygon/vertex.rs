use crate::fit::sampled::{FitLine, SampledOutline, Vector};

/// Two lines turning by less than this (its sine squared: 2 degrees) meet nowhere in particular.
const PARALLEL_SINE: f64 = 0.035;

/// A vertex of the polygon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vertex {
    /// The sample nearest to it.
    pub index: usize,
    /// How many samples before it the side before it ends, and after it the side after it begins.
    pub back: usize,
    pub ahead: usize,
}

pub(crate) fn nearest(samples: &SampledOutline, first: usize, last: usize, to: Vector) -> (usize, f64) {
    let mut best = (first, f64::INFINITY);
    for (step, &point) in samples.run(first, last).iter().enumerate() {
        let distance_sq = (point - to).length_sq();
        if distance_sq < best.1 {
            best = (first + step, distance_sq);
        }
    }
    (best.0, best.1.sqrt())
}

/// Where two lines cross, unless they are nearly parallel.
pub(crate) fn meet(left: &FitLine, right: &FitLine) -> Option<Vector> {
    let sine = left.direction.cross(right.direction);
    if sine.abs() < PARALLEL_SINE {
        return None;
    }
    let along = (right.center - left.center).cross(right.direction) / sine;
    let mut point = left.center + left.direction * along;
    // A line snapped to an axis keeps its coordinate exactly.
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
