//! Whole ellipses, upright or turned, by the moments of the area that an outline encloses.

use super::circle::{ROUND_RMS_PX, ROUND_WORST_OF_RMS};
use crate::fit::sampled::{Bound, FIT_RMS_NOISE, Vector, principal_axis, turn_deg};
use crate::geometry::{Curve, Ellipse, Point, Segment};

/// Fewer samples than this lie on some ellipse whatever they are.
const ELLIPSE_MIN_SAMPLES: usize = 12;
/// The amplitude allowed to a harmonic that no ellipse has (3: egg; 4: rounded rectangle), and per pixel of noise and √samples.
const ELLIPSE_HARMONIC_PX: f64 = 0.04;
const ELLIPSE_HARMONIC_NOISE: f64 = 2.0;
/// Flatter or smaller ones are rather strokes and specks.
const LEAST_RADIUS_PX: f64 = 1.5;
const MOST_RATIO: f64 = 12.0;
/// An axis that ends this near to upright or level is so.
const ELLIPSE_SNAP_PX: f64 = 0.05;

/// An ellipse: its axes are at right angles.
struct EllipseAxes {
    center: Vector,
    /// Direction of the longer axis.
    along: Vector,
    a: f64,
    b: f64,
}

/// The ellipse the samples of a closed outline lie on, as two halves.
pub(crate) fn ellipse(points: &[Point], noise_px: f64) -> Option<Curve> {
    if points.len() < ELLIPSE_MIN_SAMPLES {
        return None;
    }
    let origin = points[0];
    let (mut axes, area) = by_moments(points, origin)?;
    // The moments are those of the polygon between the samples, which lies within.
    let correction = residuals(points, origin, &axes, f64::INFINITY)?;
    axes.a += correction.mean + correction.second;
    axes.b += correction.mean - correction.second;
    if axes.b < LEAST_RADIUS_PX || axes.a > MOST_RATIO * axes.b {
        return None;
    }
    snap_axes(&mut axes, noise_px);
    let allowed = ROUND_RMS_PX.at_least(FIT_RMS_NOISE * noise_px);
    let left = residuals(points, origin, &axes, ROUND_WORST_OF_RMS * allowed)?;
    let harmonic = ELLIPSE_HARMONIC_PX + ELLIPSE_HARMONIC_NOISE * noise_px / (points.len() as f64).sqrt();
    let fits = left.rms <= allowed && left.third <= harmonic && left.fourth <= harmonic;
    fits.then(|| halves(&axes, area > 0.0, origin))
}

/// Whether a closed outline may lie on an ellipse, or on a circle. Of all shapes with an area, an ellipse has the least product of
/// moments; a wave of a part `e` of the radius adds less than 8 e² to the product of the axes.
pub(crate) fn may_be_round(points: &[Point], noise_px: f64) -> bool {
    const EXCESS: f64 = 8.0;
    const MOMENT_ROUNDING: f64 = 0.01;
    /// So many samples tell as well as all.
    const ENOUGH_SAMPLES: usize = 64;
    if points.len() < ELLIPSE_MIN_SAMPLES {
        return true;
    }
    let thinned: Vec<Point>;
    let some = match points.len().div_ceil(ENOUGH_SAMPLES) {
        1 => points,
        apart => {
            thinned = points.iter().step_by(apart).copied().collect();
            &thinned
        }
    };
    by_moments(some, some[0]).is_none_or(|(axes, area)| {
        let product = std::f64::consts::PI * axes.a * axes.b;
        let part = ROUND_RMS_PX.at_least(FIT_RMS_NOISE * noise_px) / axes.b.at_least(f64::MIN_POSITIVE);
        product <= 0.5 * area.abs() * (1.0 + MOMENT_ROUNDING + EXCESS * part * part)
    })
}

/// The ellipse with the area, middle and second moments of the polygon between the samples, and twice its signed area.
fn by_moments(points: &[Point], origin: Point) -> Option<(EllipseAxes, f64)> {
    let (mut area, mut x, mut y, mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    let mut p = Vector::from_point(points[points.len() - 1], origin);
    for &point in points {
        let q = Vector::from_point(point, origin);
        let cross = p.cross(q);
        area += cross;
        x += cross * (p.x + q.x);
        y += cross * (p.y + q.y);
        xx += cross * (p.x * p.x + p.x * q.x + q.x * q.x);
        yy += cross * (p.y * p.y + p.y * q.y + q.y * q.y);
        xy += cross * (2.0 * (p.x * p.y + q.x * q.y) + p.x * q.y + q.x * p.y);
        p = q;
    }
    if area.abs() < 1.0 {
        return None;
    }
    let center = Vector::new(x, y) * (1.0 / (3.0 * area));
    let (xx, yy) = (xx / (6.0 * area) - center.x * center.x, yy / (6.0 * area) - center.y * center.y);
    let xy = xy / (12.0 * area) - center.x * center.y;
    let (axis, spread) = principal_axis(xx, xy, yy);
    let along = axis.unit_or(Vector::new(1.0, 0.0));
    // An ellipse's second moment along an axis is a quarter of that radius squared.
    let (a, b) = ((2.0 * (xx + yy + spread)).sqrt(), (2.0 * (xx + yy - spread)).max(0.0).sqrt());
    Some((EllipseAxes { center, along, a, b }, area))
}

/// How far the samples lie outside an ellipse: mean, RMS, and the amplitudes of the second to fourth harmonic.
struct EllipseResiduals {
    mean: f64,
    rms: f64,
    second: f64,
    third: f64,
    fourth: f64,
}

fn residuals(points: &[Point], origin: Point, axes: &EllipseAxes, worst: f64) -> Option<EllipseResiduals> {
    let (mut sum, mut square, mut second) = (0.0, 0.0, 0.0);
    let (mut third, mut fourth) = (Vector::default(), Vector::default());
    for &point in points {
        let away = Vector::from_point(point, origin) - axes.center;
        let on_circle = Vector::new(axes.along.dot(away) / axes.a, axes.along.cross(away) / axes.b);
        let radius = on_circle.length();
        let gradient = Vector::new(on_circle.x / axes.a, on_circle.y / axes.b).length();
        // The distance from the ellipse, to first order.
        let residual = 0.5 * (radius * radius - 1.0) / gradient.at_least(f64::MIN_POSITIVE);
        if residual.is_nan() || residual.abs() > worst {
            return None;
        }
        let unit = on_circle.unit_or(Vector::default());
        let times = |power: Vector| {
            Vector::new(power.x * unit.x - power.y * unit.y, power.x * unit.y + power.y * unit.x)
        };
        let (twice, thrice) = (times(unit), times(times(unit)));
        sum += residual;
        square += residual * residual;
        second += residual * twice.x;
        third = third + thrice * residual;
        fourth = fourth + times(thrice) * residual;
    }
    let count = points.len() as f64;
    Some(EllipseResiduals {
        mean: sum / count,
        rms: (square / count).sqrt(),
        second: 2.0 * second / count,
        third: 2.0 * third.length() / count,
        fourth: 2.0 * fourth.length() / count,
    })
}

/// Sets axes upright that nearly are.
fn snap_axes(axes: &mut EllipseAxes, noise_px: f64) {
    // What turning the ellipse moves its outline by, at most.
    let moved = |sine: f64| sine.abs() * (axes.a - axes.b);
    let allowed = ELLIPSE_SNAP_PX + noise_px;
    if moved(axes.along.y) <= allowed {
        axes.along = Vector::new(1.0, 0.0);
    } else if moved(axes.along.x) <= allowed {
        axes.along = Vector::new(0.0, 1.0);
    }
}

fn halves(axes: &EllipseAxes, clockwise: bool, origin: Point) -> Curve {
    let reach = axes.along * axes.a;
    let (start, opposite) = ((axes.center + reach).to_point(origin), (axes.center - reach).to_point(origin));
    let turn_deg = turn_deg(Vector::new(1.0, 0.0), axes.along) as f32;
    let shape = Ellipse { ratio: (axes.b / axes.a) as f32, turn_deg };
    let segments =
        vec![Segment::HalfEllipse(shape, clockwise, opposite), Segment::HalfEllipse(shape, clockwise, start)];
    Curve { start, segments, closed: true }
}
