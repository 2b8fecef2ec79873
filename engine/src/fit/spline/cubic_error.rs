//! How far samples lie from a cubic, and which handles leave less.
use wide::f32x4;

use super::stretch::{Knot, Stretch};
use crate::fit::sampled::{Bound, Vector, largest};

/// Samples looked at per cubic: a cubic has two unknowns here, so a few dozen samples settle it.
const CUBIC_SAMPLES: usize = 24;

const OF_EXPECTED_SQ: f64 = 0.97 * 0.97;

/// What holds a handle back that hardly moves the curve across itself, for each sample.
const DAMPING: f64 = 1e-3;

/// A handle shorter than this part of the chord vanishes; one longer than this part of the way along the samples
/// leads somewhere else (half a circle's are 0.42 of it).
const SHORTEST_HANDLE: f64 = 0.02;
const LONGEST_HANDLE: f64 = 0.6;

/// The samples looked at, relative to the first stop, and where along the curve each lies. What is left of the last lanes rests at
/// the curve's start, where it weighs nothing. One serves for all candidates: to make it anew would take longer than to fill it.
#[derive(Default)]
pub(crate) struct CubicSamples {
    x: [f32; CUBIC_SAMPLES],
    y: [f32; CUBIC_SAMPLES],
    time: [f32; CUBIC_SAMPLES],
    pub count: usize,
    /// Along the samples, from stop to stop.
    pub length: f64,
}

type CubicLanes = [f32; 4];

impl CubicSamples {
    /// Looks at a stretch. The times are set by length along the samples.
    pub fn take(&mut self, stretch: &Stretch<'_>) {
        let Stretch { samples, from, to, believed } = stretch;
        let first = (from.index + 1).max(believed.0);
        let last = (to.index.saturating_sub(1)).min(believed.1);
        let inside = (last + 1).saturating_sub(first);
        let count = inside.min(CUBIC_SAMPLES);
        self.count = count;
        if count == 0 {
            self.length = (to.point - from.point).length();
            return;
        }
        let (points, lengths) = (samples.run(first, last), samples.lengths(first, last));
        let before = (samples.at(first) - from.point).length() - lengths[0];
        self.length = before + lengths[inside - 1] + (to.point - samples.at(last)).length();
        let inverse = 1.0 / self.length.at_least(f64::MIN_POSITIVE);
        let places = self.x.iter_mut().zip(&mut self.y).zip(&mut self.time);
        let put = |((x, y), time): ((&mut f32, &mut f32), &mut f32), point: Vector, length: f64| {
            let away = point - from.point;
            (*x, *y) = (away.x as f32, away.y as f32);
            *time = ((before + length) * inverse) as f32;
        };
        if inside == count {
            let along = points.iter().zip(lengths);
            places.zip(along).for_each(|(place, (&point, &length))| put(place, point, length));
        } else {
            places.enumerate().for_each(|(look, place)| {
                // A constant divisor is a multiplication.
                let index = (2 * look + 1) * inside / (2 * CUBIC_SAMPLES);
                put(place, points[index], lengths[index]);
            });
        }
        for look in count..count.next_multiple_of(4).min(CUBIC_SAMPLES) {
            (self.x[look], self.y[look], self.time[look]) = (0.0, 0.0, 0.0);
        }
    }

    /// Places and times, four at a time.
    fn groups(&mut self) -> impl Iterator<Item = (&mut CubicLanes, &mut CubicLanes, &mut CubicLanes)> {
        let count = self.count.div_ceil(4);
        let [x, y, time] = [&mut self.x, &mut self.y, &mut self.time].map(|list| list.as_chunks_mut().0);
        x.iter_mut().zip(y).zip(time).take(count).map(|((x, y), time)| (x, y, time))
    }
}

/// What a cubic leaves, the handles that would leave less, and how much is expected with them.
pub(crate) struct CubicStep {
    pub mean_sq: f64,
    pub worst_sq: f64,
    pub better: (f64, f64),
    pub expected_sq: f64,
}

/// The normal equations of what is left across the curve when its handles move by `a` and `b`.
pub(crate) struct NormalEquations {
    aa: f64,
    ab: f64,
    bb: f64,
    ra: f64,
    rb: f64,
}

impl NormalEquations {
    /// The moves that leave least.
    fn least(&self) -> (f64, f64) {
        let NormalEquations { aa, ab, bb, ra, rb } = *self;
        let inverse = 1.0 / (aa * bb - ab * ab);
        ((ra * bb - rb * ab) * inverse, (rb * aa - ra * ab) * inverse)
    }

    /// The one that leaves least, the other given.
    fn least_a(&self, b: f64) -> f64 {
        (self.ra - self.ab * b) / self.aa
    }

    fn least_b(&self, a: f64) -> f64 {
        (self.rb - self.ab * a) / self.bb
    }

    /// By how much moves lessen the sum of squares.
    fn gain(&self, a: f64, b: f64) -> f64 {
        let NormalEquations { aa, ab, bb, ra, rb } = *self;
        a * (2.0 * (ra - b * ab) - a * aa) + b * (2.0 * rb - b * bb)
    }
}

/// What a cubic is given: where it ends, relative to its start, and its directions there.
pub(crate) struct CubicEnds {
    end: Vector,
    from: Vector,
    to: Vector,
    /// Shortest and longest handle.
    allowed: (f64, f64),
    chord: f64,
    length: f64,
}

impl CubicEnds {
    pub fn new(from: &Knot, to: &Knot, length: f64) -> Self {
        let end = to.point - from.point;
        let chord = end.length();
        let allowed = (SHORTEST_HANDLE * chord, LONGEST_HANDLE * length);
        CubicEnds { end, from: from.tangent, to: to.tangent, allowed, chord, length }
    }

    /// The least squares lengths of the two handles, the times given.
    #[inline(never)]
    pub fn handles(&self, cubic_samples: &mut CubicSamples) -> (f64, f64) {
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
        if determinant > 1e-5 * aa * bb {
            let inverse = 1.0 / determinant;
            let (a, b) = ((ra * bb - rb * ab) * inverse, (rb * aa - ra * ab) * inverse);
            if self.is_allowed(a) && self.is_allowed(b) {
                return (a, b);
            }
        }
        // One number for both handles is always well determined.
        let both = aa + bb + 2.0 * ab;
        let handle = if both > 1e-9 { (ra + rb) / both } else { self.length / 3.0 };
        let handle = if self.is_allowed(handle) { handle } else { self.chord / 3.0 };
        (handle, handle)
    }

    /// One Newton step of every time toward the nearest point, and one of Gauss and Newton for the handles: what is left across the
    /// curve, to first order, does not depend on the times, so both steps start from the same place.
    pub fn project(&self, handles: (f64, f64), cubic_samples: &mut CubicSamples) -> CubicStep {
        let (p1, p3) = (self.from * handles.0, self.end);
        let p2 = p3 - self.to * handles.1;
        let both = |vector: Vector| (f32x4::splat(vector.x as f32), f32x4::splat(vector.y as f32));
        let (c1_x, c1_y) = both(p1 * 3.0);
        let (c2_x, c2_y) = both((p2 - p1 * 2.0) * 3.0);
        let (c3_x, c3_y) = both(p3 + (p1 - p2) * 3.0);
        let ((from_x, from_y), (to_x, to_y)) = (both(self.from), both(self.to));
        let (one, two, three, quarter) =
            (f32x4::ONE, f32x4::splat(2.0), f32x4::splat(3.0), f32x4::splat(0.25));
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
            let divisor =
                curvature.simd_gt(quarter * speed_sq).bitselect(curvature, speed_sq).fast_max(least);
            let along = away_x * slope_x + away_y * slope_y;
            let moved = (t - along / divisor).fast_max(f32x4::ZERO).fast_min(f32x4::ONE);
            *time = moved.to_array();
            // What is left across the curve, and how that changes with the handles.
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
        let expected = squares - normal.gain(handles.0 - better.0, better.1 - handles.1);
        let inverse = 1.0 / count;
        CubicStep {
            mean_sq: squares * inverse,
            worst_sq: f64::from(largest(worst)),
            better,
            expected_sq: OF_EXPECTED_SQ * expected.at_least(0.0) * inverse,
        }
    }

    /// The handles that leave least of those that are allowed. The one at the end points backward.
    fn better(&self, handles: (f64, f64), normal: &NormalEquations) -> (f64, f64) {
        let (a, b) = normal.least();
        let free = (handles.0 - a, handles.1 + b);
        if self.is_allowed(free.0) && self.is_allowed(free.1) {
            return free;
        }
        // One at its bound, and the other as is best then.
        let from = self.bounded(free.0);
        let to = self.bounded(handles.1 + normal.least_b(handles.0 - from));
        (self.bounded(handles.0 - normal.least_a(to - handles.1)), to)
    }

    fn bounded(&self, handle: f64) -> f64 {
        handle.at_least(self.allowed.0).at_most(self.allowed.1)
    }

    fn is_allowed(&self, handle: f64) -> bool {
        self.allowed.0 <= handle && handle <= self.allowed.1
    }
}

/// The sum of each of four vectors' lanes; its order is part of the result.
fn sums(vectors: [f32x4; 4]) -> [f64; 4] {
    let [a, b, c, d] = f32x4::transpose(vectors);
    ((a + b) + (c + d)).to_array().map(f64::from)
}
