//! The sample farthest from a chord, found four samples at a time in single precision.

use wide::f32x4;

use crate::fit::sampled::{SampledOutline, largest};
use crate::geometry::Point;

/// The sample strictly between two that lies farthest from their chord, the first of equals, with its squared
/// distance before it.
pub(crate) fn farthest(samples: &SampledOutline, first: usize, last: usize) -> (f32, usize) {
    if last < first + 2 {
        return (-1.0, first);
    }
    let (x, y) = samples.columns(first, last);
    let chord = Chord::new(Point::new(x[0], y[0]), Point::new(x[x.len() - 1], y[y.len() - 1]));
    let (x, y) = (&x[1..x.len() - 1], &y[1..y.len() - 1]);
    let (mut best, mut best_at) = (f32x4::splat(-1.0), f32x4::ZERO);
    let mut compare = |x: f32x4, y: f32x4, at: f32x4| {
        let distance_sq = chord.distance_sq(x, y);
        best_at = distance_sq.simd_gt(best).bitselect(at, best_at);
        best = best.fast_max(distance_sq);
    };
    let first_four = f32x4::new([0.0, 1.0, 2.0, 3.0]);
    let mut at = first_four;
    for (&x, &y) in x.as_chunks::<4>().0.iter().zip(y.as_chunks::<4>().0) {
        compare(f32x4::new(x), f32x4::new(y), at);
        at += f32x4::splat(4.0);
    }
    // The last four, some of them for the second time; fewer than four are filled up with the first sample.
    if let (Some(&last_x), Some(&last_y)) = (x.last_chunk(), y.last_chunk()) {
        compare(f32x4::new(last_x), f32x4::new(last_y), first_four + f32x4::splat((x.len() - 4) as f32));
    } else {
        let fill = |rest: &[f32], start: f32| {
            f32x4::new(std::array::from_fn(|lane| rest.get(lane).copied().unwrap_or(start)))
        };
        compare(fill(x, chord.start.x), fill(y, chord.start.y), first_four);
    }
    let distance_sq = largest(best);
    let beyond = f32x4::splat(x.len() as f32 - 1.0);
    let at = -largest(-best.simd_eq(f32x4::splat(distance_sq)).bitselect(best_at, beyond));
    (distance_sq, first + 1 + (at as usize).min(x.len() - 1))
}

/// The line segment between two samples.
struct Chord {
    start: Point,
    across: Point,
    /// One over its squared length.
    inverse: f32,
}

impl Chord {
    fn new(start: Point, end: Point) -> Self {
        let across = end - start;
        let length_sq = across.dot(across);
        let inverse = if length_sq > 0.0 { 1.0 / length_sq } else { 0.0 };
        Chord { start, across, inverse }
    }

    /// The squared distances of four points from the segment.
    fn distance_sq(&self, x: f32x4, y: f32x4) -> f32x4 {
        let (across_x, across_y) = (f32x4::splat(self.across.x), f32x4::splat(self.across.y));
        let (x, y) = (x - f32x4::splat(self.start.x), y - f32x4::splat(self.start.y));
        let along = (x * across_x + y * across_y) * f32x4::splat(self.inverse);
        let along = along.fast_max(f32x4::ZERO).fast_min(f32x4::ONE);
        let (x, y) = (x - across_x * along, y - across_y * along);
        x * x + y * y
    }
}
