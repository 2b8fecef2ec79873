//! Whole circles: the commonest shape that no cubic draws exactly.

use crate::fit::sampled::{Bound, FIT_RMS_NOISE, Vector};
use crate::geometry::{Curve, Point, Segment};

/// Fewer samples than this lie on some circle whatever they are.
const CIRCLE_MIN_SAMPLES: usize = 6;
/// RMS distance allowed on clean art: half of what placement by coverage leaves.
pub(crate) const ROUND_RMS_PX: f64 = 0.06;
/// The worst sample allowed, in RMS allowed.
pub(crate) const ROUND_WORST_OF_RMS: f64 = 4.0;
/// The amplitude allowed to one harmonic (ellipse 2, triangle 3, square 4): a fixed part, a part of the radius
/// and the noise that an average over all samples leaves. A square's fourth is 0.12 of its mean radius.
const CIRCLE_HARMONIC_PX: f64 = 0.03;
const CIRCLE_HARMONIC_RADIUS: f64 = 0.01;

struct WholeCircle {
    center: Vector,
    radius: f64,
}

/// The circle the samples of a closed outline lie on, as two arcs.
pub(crate) fn circle(points: &[Point], noise_px: f64) -> Option<Curve> {
    if points.len() < CIRCLE_MIN_SAMPLES {
        return None;
    }
    let origin = points[0];
    let circle = least_squares(points, origin)?;
    let area = lies_on(points, origin, &circle, noise_px)?;
    let reach = Vector::new(circle.radius, 0.0);
    let start = (circle.center + reach).to_point(origin);
    let opposite = (circle.center - reach).to_point(origin);
    // Half a turn each.
    let radius = 0.0;
    let clockwise = area > 0.0;
    let segments = vec![Segment::Arc(radius, clockwise, opposite), Segment::Arc(radius, clockwise, start)];
    Some(Curve { start, segments, closed: true })
}

/// Kåsa's algebraic fit; its bias vanishes when the samples go all the way round.
fn least_squares(points: &[Point], origin: Point) -> Option<WholeCircle> {
    let count = points.len() as f64;
    let mut mean = Vector::default();
    for &point in points {
        mean = mean + Vector::from_point(point, origin);
    }
    mean = mean * (1.0 / count);
    let (mut xx, mut xy, mut yy, mut xz, mut yz) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &point in points {
        let away = Vector::from_point(point, origin) - mean;
        let square = away.dot(away);
        xx += away.x * away.x;
        xy += away.x * away.y;
        yy += away.y * away.y;
        xz += away.x * square;
        yz += away.y * square;
    }
    let determinant = xx * yy - xy * xy;
    // Far from round, or on a line.
    if determinant <= 0.16 * (xx + yy) * (xx + yy) {
        return None;
    }
    let shift = Vector::new(xz * yy - yz * xy, yz * xx - xz * xy) * (0.5 / determinant);
    let radius = ((xx + yy) / count + shift.dot(shift)).sqrt();
    Some(WholeCircle { center: mean + shift, radius })
}

/// The signed area twice over when every sample is near enough to the circle.
fn lies_on(points: &[Point], origin: Point, circle: &WholeCircle, noise_px: f64) -> Option<f64> {
    let allowed = ROUND_RMS_PX.at_most(0.04 * circle.radius).at_least(FIT_RMS_NOISE * noise_px);
    let (mut square, mut area) = (0.0, 0.0);
    let mut harmonics = [Vector::default(); 3];
    let mut before = Vector::from_point(points[points.len() - 1], origin) - circle.center;
    for &point in points {
        let away = Vector::from_point(point, origin) - circle.center;
        let distance = away.length();
        let residual = distance - circle.radius;
        if residual.abs() > ROUND_WORST_OF_RMS * allowed {
            return None;
        }
        square += residual * residual;
        area += before.cross(away);
        before = away;
        let unit = away.unit_or(Vector::default());
        let mut power = unit;
        for harmonic in &mut harmonics {
            power = Vector::new(power.x * unit.x - power.y * unit.y, power.x * unit.y + power.y * unit.x);
            *harmonic = *harmonic + power * residual;
        }
    }
    let count = points.len() as f64;
    let amplitude = CIRCLE_HARMONIC_PX
        + CIRCLE_HARMONIC_RADIUS * circle.radius.at_most(2.0)
        + 2.0 * noise_px / count.sqrt();
    let bent = harmonics.iter().any(|harmonic| harmonic.length() * 2.0 > amplitude * count);
    let round = area.abs() > 1.6 * std::f64::consts::PI * circle.radius * circle.radius;
    (round && !bent && square <= allowed * allowed * count).then_some(area)
}
