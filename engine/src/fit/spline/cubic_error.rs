//! How far samples lie from a cubic, and which handles would bring it nearer.
//!
//! Takes the ends and tangents of a cubic and its samples. The handles that start the search hold each sample
//! to its own point of the curve (P. J. Schneider, "An Algorithm for Automatically Fitting Digitized Curves",
//! *Graphics Gems*, 1990). They are improved by the distances across the curve alone, those to its tangents
//! (A. Blake and M. Isard, *Active Contours*, 1998): Schneider's rounds would take many times as many. Sums
//! run over four samples at a time with `wide`'s vectors, which give the same result on every target.

use wide::f32x4;

use super::cubic_samples::CubicSamples;
use super::stretch::Knot;
use crate::fit::sampled::{Bound, NEXT_TO_ZERO, Vector, largest};

/// The error that mostly remains after the next round, against what the normal equations predict.
///
/// Unit: share (ratio), squared. Source: tuned; a round mostly leaves a little less than its predecessor
/// predicts.
const OF_EXPECTED_SQ: f64 = 0.97 * 0.97;

/// Levenberg's damping: holds a handle back that hardly moves the curve across itself.
///
/// Unit: weight per sample. Source: tuned; no derivation is known.
const DAMPING: f64 = 1e-3;

/// The shortest handle; a shorter one vanishes.
///
/// Unit: share of the chord (ratio). Source: tuned; no derivation is known.
const SHORTEST_HANDLE: f64 = 0.02;

/// The longest handle; a longer one leads away from the samples.
///
/// Unit: share of the length along the samples (ratio). Source: tuned; the handles of half a circle have
/// 0.42.
const LONGEST_HANDLE: f64 = 0.6;

/// The least determinant of the normal equations by which two handles are told apart.
///
/// Unit: share of the product of the diagonal (ratio). Source: tuned; single precision leaves about seven
/// digits.
const LEAST_DETERMINANT: f64 = 1e-5;

/// Newton's divisor for a sample's parameter is replaced by Gauss and Newton's if it is less than this share
/// of it.
///
/// Unit: share (ratio). Source: tuned; keeps the step finite beyond the curve's center of curvature.
const LEAST_NEWTON_SHARE: f32 = 0.25;

/// The lengths of a cubic's two handles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Handles {
    pub from: f64,
    pub to: f64,
}

/// The error of a cubic, and the handles that would reduce it.
pub(crate) struct CubicStep {
    /// The mean and the largest of the squared distances.
    pub mean_sq: f64,
    pub worst_sq: f64,
    pub better: Handles,
    /// The mean that is expected with the better handles.
    pub expected_sq: f64,
}

/// The normal equations of the distances across the curve when its handles move by `a` and `b`.
struct NormalEquations {
    aa: f64,
    ab: f64,
    bb: f64,
    ra: f64,
    rb: f64,
}

impl NormalEquations {
    /// The moves that leave the least error.
    fn least(&self) -> (f64, f64) {
        let NormalEquations { aa, ab, bb, ra, rb } = *self;
        let inverse = 1.0 / (aa * bb - ab * ab);
        ((ra * bb - rb * ab) * inverse, (rb * aa - ra * ab) * inverse)
    }

    /// The best move of one handle when that of the other is given.
    fn least_a(&self, b: f64) -> f64 {
        (self.ra - self.ab * b) / self.aa
    }

    fn least_b(&self, a: f64) -> f64 {
        (self.rb - self.ab * a) / self.bb
    }

    /// By how much moves reduce the sum of squares.
    fn gain(&self, a: f64, b: f64) -> f64 {
        let NormalEquations { aa, ab, bb, ra, rb } = *self;
        a * (2.0 * (ra - b * ab) - a * aa) + b * (2.0 * rb - b * bb)
    }
}

/// What is given of a cubic: its end relative to its start, its unit tangents at both, and the bounds of its
/// handles.
pub(crate) struct CubicEnds {
    end: Vector,
    from: Vector,
    to: Vector,
    shortest: f64,
    longest: f64,
    chord: f64,
    length: f64,
}

impl CubicEnds {
    pub fn new(from: &Knot, to: &Knot, length: f64) -> Self {
        let end = to.point - from.point;
        let chord = end.length();
        let (shortest, longest) = (SHORTEST_HANDLE * chord, LONGEST_HANDLE * length);
        CubicEnds { end, from: from.tangent, to: to.tangent, shortest, longest, chord, length }
    }

    /// The least-squares lengths of the two handles for given parameters of the samples.
    #[inline(never)]
    pub fn handles(&self, cubic_samples: &mut CubicSamples) -> Handles {
        let (end_x, end_y) = (f32x4::splat(self.end.x as f32), f32x4::splat(self.end.y as f32));
        let (from_x, from_y) = (f32x4::splat(self.from.x as f32), f32x4::splat(self.from.y as f32));
        let (to_x, to_y) = (f32x4::splat(self.to.x as f32), f32x4::splat(self.to.y as f32));
        let (one, three) = (f32x4::splat(1.0), f32x4::splat(3.0));
        let [mut aa, mut ab, mut bb, mut ra, mut rb] = [f32x4::ZERO; 5];
        for (x, y, t) in cubic_samples.groups() {
            let [x, y, t] = [x, y, t].map(|&mut four| f32x4::new(four));
            let u = one - t;
            let (uu, tt) = (u * u, t * t);
            let (b1, b2) = (three * uu * t, three * u * tt);
            let along = b2 + tt * t;
            let (rest_x, rest_y) = (x - end_x * along, y - end_y * along);
            aa += b1 * b1;
            ab += b1 * b2;
            bb += b2 * b2;
            ra += b1 * (rest_x * from_x + rest_y * from_y);
            rb += b2 * (rest_x * to_x + rest_y * to_y);
        }
        let ([aa, ab, bb, ra], [rb, ..]) = (sums([aa, ab, bb, ra]), sums([rb; 4]));
        let (ab, rb) = (-ab * self.from.dot(self.to), -rb);
        let determinant = aa * bb - ab * ab;
        if determinant > LEAST_DETERMINANT * aa * bb {
            let inverse = 1.0 / determinant;
            let (a, b) = ((ra * bb - rb * ab) * inverse, (rb * aa - ra * ab) * inverse);
            if self.is_allowed(a) && self.is_allowed(b) {
                return Handles { from: a, to: b };
            }
        }
        // One length for both handles is always well determined.
        let both = aa + bb + 2.0 * ab;
        let handle = if both > NEXT_TO_ZERO { (ra + rb) / both } else { self.length / 3.0 };
        let handle = if self.is_allowed(handle) { handle } else { self.chord / 3.0 };
        Handles { from: handle, to: handle }
    }

    /// One Newton step of every parameter toward the nearest point, and one Gauss–Newton step of the handles.
    /// To first order, the distance across the curve does not depend on the parameters, so both steps start
    /// from the same place.
    pub fn project(&self, handles: Handles, cubic_samples: &mut CubicSamples) -> CubicStep {
        let (p1, p3) = (self.from * handles.from, self.end);
        let p2 = p3 - self.to * handles.to;
        let both = |vector: Vector| (f32x4::splat(vector.x as f32), f32x4::splat(vector.y as f32));
        let (c1_x, c1_y) = both(p1 * 3.0);
        let (c2_x, c2_y) = both((p2 - p1 * 2.0) * 3.0);
        let (c3_x, c3_y) = both(p3 + (p1 - p2) * 3.0);
        let ((from_x, from_y), (to_x, to_y)) = (both(self.from), both(self.to));
        let (one, two, three) = (f32x4::ONE, f32x4::splat(2.0), f32x4::splat(3.0));
        let newton_share = f32x4::splat(LEAST_NEWTON_SHARE);
        let least = f32x4::splat(f32::MIN_POSITIVE);
        let (mut squares, mut worst) = (f32x4::ZERO, f32x4::ZERO);
        let [mut aa, mut ab, mut bb, mut ra, mut rb] = [f32x4::ZERO; 5];
        for (x, y, time) in cubic_samples.groups() {
            let [x, y, t] = [*x, *y, *time].map(f32x4::new);
            let (c3t_x, c3t_y) = (c3_x * t, c3_y * t);
            let away_x = (c1_x + (c2_x + c3t_x) * t) * t - x;
            let away_y = (c1_y + (c2_y + c3t_y) * t) * t - y;
            let slope_x = c1_x + (two * c2_x + three * c3t_x) * t;
            let slope_y = c1_y + (two * c2_y + three * c3t_y) * t;
            let bend_x = two * (c2_x + three * c3t_x);
            let bend_y = two * (c2_y + three * c3t_y);
            let speed_sq = slope_x * slope_x + slope_y * slope_y;
            let curvature = speed_sq + away_x * bend_x + away_y * bend_y;
            let is_newton = curvature.simd_gt(newton_share * speed_sq);
            let divisor = is_newton.bitselect(curvature, speed_sq).fast_max(least);
            let along = away_x * slope_x + away_y * slope_y;
            let moved = (t - along / divisor).fast_max(f32x4::ZERO).fast_min(f32x4::ONE);
            *time = moved.to_array();
            // The distance across the curve, and how it changes with the handles.
            let weight = one / speed_sq.fast_max(least);
            let across = slope_x * away_y - slope_y * away_x;
            let u = one - t;
            let beside = three * u * t;
            let by_from = (slope_x * from_y - slope_y * from_x) * beside * u;
            let by_to = (slope_x * to_y - slope_y * to_x) * beside * t;
            let (weighted_from, weighted_to) = (weight * by_from, weight * by_to);
            aa += weighted_from * by_from;
            ab += weighted_from * by_to;
            bb += weighted_to * by_to;
            ra += weighted_from * across;
            rb += weighted_to * across;
            let across_sq = weight * across * across;
            squares += across_sq;
            worst = worst.fast_max(across_sq);
        }
        let count = cubic_samples.count as f64;
        let damping = DAMPING * count;
        let ([aa, ab, bb, ra], [rb, squares, ..]) =
            (sums([aa, ab, bb, ra]), sums([rb, squares, f32x4::ZERO, f32x4::ZERO]));
        let normal = NormalEquations { aa: aa + damping, ab, bb: bb + damping, ra, rb };
        let better = self.better(handles, &normal);
        let expected = squares - normal.gain(handles.from - better.from, better.to - handles.to);
        let inverse = 1.0 / count;
        CubicStep {
            mean_sq: squares * inverse,
            worst_sq: f64::from(largest(worst)),
            better,
            expected_sq: OF_EXPECTED_SQ * expected.at_least(0.0) * inverse,
        }
    }

    /// The best handles within their bounds. The handle at the end points backward.
    fn better(&self, handles: Handles, normal: &NormalEquations) -> Handles {
        let (a, b) = normal.least();
        let free = Handles { from: handles.from - a, to: handles.to + b };
        if self.is_allowed(free.from) && self.is_allowed(free.to) {
            return free;
        }
        // One handle at its bound, the other at its best for that, then the first again.
        let from = self.bounded(free.from);
        let to = self.bounded(handles.to + normal.least_b(handles.from - from));
        Handles { from: self.bounded(handles.from - normal.least_a(to - handles.to)), to }
    }

    fn bounded(&self, handle: f64) -> f64 {
        handle.at_least(self.shortest).at_most(self.longest)
    }

    fn is_allowed(&self, handle: f64) -> bool {
        self.shortest <= handle && handle <= self.longest
    }
}

// Not inlined: it has several callers, and each copy would grow the WebAssembly module.
/// The sums of the lanes of four vectors, added in a fixed order: it decides the last digits.
#[inline(never)]
fn sums(vectors: [f32x4; 4]) -> [f64; 4] {
    let [a, b, c, d] = f32x4::transpose(vectors);
    ((a + b) + (c + d)).to_array().map(f64::from)
}
