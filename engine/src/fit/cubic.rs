//! One cubic through a run of samples, its ends and end tangents given.
use super::samples::Samples;
use super::vector::{Vector, turn_deg};

/// A place where one cubic may end and the next begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    /// The sample it stands for.
    pub index: usize,
    pub point: Vector,
    pub tangent: Vector,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Cubic {
    pub controls: [Vector; 4],
    pub rms: f64,
    pub worst: f64,
}

/// Samples looked at per cubic: a cubic has two unknowns here, so a few dozen samples settle it.
const LOOKS: usize = 24;
/// Rounds of least squares and projection; each removes most of what the parameters were off by.
const ROUNDS: usize = 3;
/// Fits this far out of tolerance, or within it, are not improved further.
const HOPELESS: f64 = 5.0;
const GOOD: f64 = 0.3;
/// A handle shorter than this part of the chord vanishes; one longer than this part of the way along the samples
/// leads somewhere else (half a circle's are 0.42 of it).
const SHORTEST_HANDLE: f64 = 0.02;
const LONGEST_HANDLE: f64 = 0.6;

/// The least squares cubic from `from` to `to` through the samples between.
pub(super) fn cubic(
    samples: &Samples,
    from: &Stop,
    to: &Stop,
    believed: (usize, usize),
    rms_allowed: f64,
) -> Cubic {
    let mut points = [Vector::default(); LOOKS];
    let mut times = [0.0; LOOKS];
    let first = (from.index + 1).max(believed.0);
    let last = (to.index.saturating_sub(1)).min(believed.1);
    let inside = (last + 1).saturating_sub(first);
    let count = inside.min(LOOKS);
    for (look, point) in points[..count].iter_mut().enumerate() {
        *point = samples.at(first + (2 * look + 1) * inside / (2 * count));
    }
    let length = chord_lengths(from.point, to.point, &points[..count], &mut times);
    let mut controls = default_handles(from, to, length);
    let (mut rms, mut worst) = (0.0, 0.0);
    if count > 0 {
        for _ in 0..ROUNDS {
            controls = handles(from, to, &points[..count], &times[..count], length);
            (rms, worst) = project(&controls, &points[..count], &mut times);
            if rms > HOPELESS * rms_allowed || rms < GOOD * rms_allowed {
                break;
            }
        }
    }
    Cubic { controls, rms, worst }
}

/// Sets the times by length along the samples; returns that length.
fn chord_lengths(start: Vector, end: Vector, points: &[Vector], times: &mut [f64; LOOKS]) -> f64 {
    let (mut length, mut before) = (0.0, start);
    for (time, &point) in times.iter_mut().zip(points) {
        length += (point - before).length();
        *time = length;
        before = point;
    }
    length += (end - before).length();
    if length > 0.0 {
        let inverse = 1.0 / length;
        times.iter_mut().for_each(|time| *time *= inverse);
    }
    length
}

/// Handles for a curve without samples, those of a circle for the turn it makes.
pub(super) fn default_handles(from: &Stop, to: &Stop, length: f64) -> [Vector; 4] {
    let handle = length / 3.0;
    [from.point, from.point + from.tangent * handle, to.point - to.tangent * handle, to.point]
}

fn handles(from: &Stop, to: &Stop, points: &[Vector], times: &[f64], length: f64) -> [Vector; 4] {
    let (mut aa, mut ab, mut bb, mut ra, mut rb) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let cosine = from.tangent.dot(to.tangent);
    for (&point, &t) in points.iter().zip(times) {
        let u = 1.0 - t;
        let (b0, b1, b2, b3) = (u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t);
        let rest = point - from.point * (b0 + b1) - to.point * (b2 + b3);
        aa += b1 * b1;
        ab -= b1 * b2 * cosine;
        bb += b2 * b2;
        ra += b1 * rest.dot(from.tangent);
        rb -= b2 * rest.dot(to.tangent);
    }
    let determinant = aa * bb - ab * ab;
    let chord = (to.point - from.point).length();
    let allowed = SHORTEST_HANDLE * chord..=LONGEST_HANDLE * length;
    if determinant > 1e-6 * aa * bb {
        let (a, b) = ((ra * bb - rb * ab) / determinant, (rb * aa - ra * ab) / determinant);
        if allowed.contains(&a) && allowed.contains(&b) {
            return [from.point, from.point + from.tangent * a, to.point - to.tangent * b, to.point];
        }
    }
    // One number for both handles is always well determined.
    let both = aa + bb + 2.0 * ab;
    let handle = if both > 1e-9 { (ra + rb) / both } else { length / 3.0 };
    let handle = if allowed.contains(&handle) { handle } else { chord / 3.0 };
    [from.point, from.point + from.tangent * handle, to.point - to.tangent * handle, to.point]
}

/// One Newton step of every time toward the nearest point; returns RMS and worst distance.
fn project(controls: &[Vector; 4], points: &[Vector], times: &mut [f64; LOOKS]) -> (f64, f64) {
    let [p0, p1, p2, p3] = *controls;
    let c1 = (p1 - p0) * 3.0;
    let c2 = (p0 + p2 - p1 * 2.0) * 3.0;
    let c3 = p3 - p0 + (p1 - p2) * 3.0;
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    for (&point, time) in points.iter().zip(times.iter_mut()) {
        let t = *time;
        let away = p0 + (c1 + (c2 + c3 * t) * t) * t - point;
        let slope = c1 + (c2 * 2.0 + c3 * (3.0 * t)) * t;
        let bend = c2 * 2.0 + c3 * (6.0 * t);
        let speed_sq = slope.dot(slope);
        let curvature = speed_sq + away.dot(bend);
        let divisor = if curvature > 0.25 * speed_sq { curvature } else { speed_sq };
        if divisor > 0.0 {
            let along = away.dot(slope);
            *time = (t - along / divisor).clamp(0.0, 1.0);
            // What is left across the curve, to first order.
            let across = away.dot(away) - along * along / speed_sq.max(f64::MIN_POSITIVE);
            sum += across.max(0.0);
            worst = worst.max(across);
        }
    }
    ((sum / points.len() as f64).sqrt(), worst.max(0.0).sqrt())
}

/// The turn from one tangent to the other by way of the chord, so that more than half a turn is seen as such.
pub(super) fn turn_between_deg(from: &Stop, to: &Stop) -> f64 {
    let chord = to.point - from.point;
    turn_deg(from.tangent, chord) + turn_deg(chord, to.tangent)
}
