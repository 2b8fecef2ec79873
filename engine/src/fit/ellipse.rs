//! Whole ellipses, upright or turned: takes the samples of a closed outline and gives two half ellipses.
//!
//! The ellipse is the one with the area, the center and the second moments of what the outline encloses
//! (after M.-K. Hu, "Visual Pattern Recognition by Moment Invariants", 1962).

use super::circle::harmonic_noise_px;
use crate::fit::sampled::{
    Bound, CLEAN_DEVIATION_PX, FIT_RMS_NOISE, PLACED_PX, Vector, WORST_OF_RMS, WRITTEN_ROUNDING_PX,
    principal_axis, turn_deg,
};
use crate::geometry::{Curve, Ellipse, Point, Segment, Way};

/// Fewer samples lie on some ellipse whatever their shape.
///
/// Unit: count (samples). Source: tuned; more than twice the five numbers that determine an ellipse.
const ELLIPSE_MIN_SAMPLES: usize = 12;

struct EllipseAxes {
    center: Vector,
    /// Unit vector of the longer axis.
    along: Vector,
    /// The longer and the shorter half axis.
    a: f64,
    b: f64,
}

/// The ellipse on which the samples of a closed outline lie, as two halves.
pub(crate) fn ellipse(points: &[Point], noise_px: f64) -> Option<Curve> {
    if points.len() < ELLIPSE_MIN_SAMPLES {
        return None;
    }
    let origin = points[0];
    let (mut axes, twice_area) = by_moments(points, origin)?;
    let allowed = CLEAN_DEVIATION_PX.at_least(FIT_RMS_NOISE * noise_px);
    let worst = WORST_OF_RMS * allowed;
    // The moments are those of the polygon between the samples, which lies inside the ellipse: by no more than samples may lie off it.
    let correction = residuals(points, origin, &axes, 2.0 * worst)?;
    axes.a += correction.mean + correction.second;
    axes.b += correction.mean - correction.second;
    if axes.b <= 0.0 {
        return None;
    }
    snap_axes(&mut axes, noise_px);
    let left = residuals(points, origin, &axes, worst)?;
    // No ellipse has a third or fourth harmonic: an egg has the third, a rounded rectangle the fourth.
    let harmonic = PLACED_PX + harmonic_noise_px(noise_px, points.len() as f64);
    let fits = left.rms <= allowed && left.third <= harmonic && left.fourth <= harmonic;
    fits.then(|| halves(&axes, twice_area > 0.0, origin))
}

/// The ellipse with the area, the center and the second moments of the polygon between the samples, and twice
/// the polygon's signed area; `None` if it encloses nothing.
fn by_moments(points: &[Point], origin: Point) -> Option<(EllipseAxes, f64)> {
    let (mut twice_area, mut x, mut y, mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    let mut p = Vector::from_point(points[points.len() - 1], origin);
    for &point in points {
        let q = Vector::from_point(point, origin);
        let cross = p.cross(q);
        twice_area += cross;
        x += cross * (p.x + q.x);
        y += cross * (p.y + q.y);
        xx += cross * (p.x * p.x + p.x * q.x + q.x * q.x);
        yy += cross * (p.y * p.y + p.y * q.y + q.y * q.y);
        xy += cross * (2.0 * (p.x * p.y + q.x * q.y) + p.x * q.y + q.x * p.y);
        p = q;
    }
    if twice_area.abs() <= 0.0 {
        return None;
    }
    let center = Vector::new(x, y) * (1.0 / (3.0 * twice_area));
    let (xx, yy) =
        (xx / (6.0 * twice_area) - center.x * center.x, yy / (6.0 * twice_area) - center.y * center.y);
    let xy = xy / (12.0 * twice_area) - center.x * center.y;
    let (axis, spread) = principal_axis(xx, xy, yy);
    let along = axis.unit_or(Vector::new(1.0, 0.0));
    // An ellipse's second moment along an axis is a quarter of the square of that half axis.
    let (a, b) = ((2.0 * (xx + yy + spread)).sqrt(), (2.0 * (xx + yy - spread)).max(0.0).sqrt());
    Some((EllipseAxes { center, along, a, b }, twice_area))
}

/// How far the samples lie outside an ellipse: the mean, the RMS, and the amplitudes of the second to fourth
/// harmonic.
struct EllipseResiduals {
    mean: f64,
    rms: f64,
    second: f64,
    third: f64,
    fourth: f64,
}

/// The residuals of the samples; `None` if one of them exceeds `worst`.
fn residuals(points: &[Point], origin: Point, axes: &EllipseAxes, worst: f64) -> Option<EllipseResiduals> {
    let (mut sum, mut square, mut second) = (0.0, 0.0, 0.0);
    let (mut third, mut fourth) = (Vector::default(), Vector::default());
    for &point in points {
        let away = Vector::from_point(point, origin) - axes.center;
        let on_circle = Vector::new(axes.along.dot(away) / axes.a, axes.along.cross(away) / axes.b);
        let radius = on_circle.length();
        let gradient = Vector::new(on_circle.x / axes.a, on_circle.y / axes.b).length();
        // The distance from the ellipse to first order: its implicit function over the length of its
        // gradient.
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

/// Turns axes upright that nearly are.
fn snap_axes(axes: &mut EllipseAxes, noise_px: f64) {
    // The most by which turning the ellipse moves its outline.
    let moved = |sine: f64| sine.abs() * (axes.a - axes.b);
    let allowed = WRITTEN_ROUNDING_PX + noise_px;
    if moved(axes.along.y) <= allowed {
        axes.along = Vector::new(1.0, 0.0);
    } else if moved(axes.along.x) <= allowed {
        axes.along = Vector::new(0.0, 1.0);
    }
}

/// The ellipse as two halves, from one end of the longer axis to the other and back.
fn halves(axes: &EllipseAxes, clockwise: bool, origin: Point) -> Curve {
    let half_axis = axes.along * axes.a;
    let start = (axes.center + half_axis).to_point(origin);
    let opposite = (axes.center - half_axis).to_point(origin);
    let turn_deg = turn_deg(Vector::new(1.0, 0.0), axes.along) as f32;
    let shape = Ellipse { ratio: (axes.b / axes.a) as f32, turn_deg };
    let way = Way::HalfEllipse(shape, clockwise);
    Curve { start, segments: [opposite, start].map(|end| Segment { way, end }).to_vec(), closed: true }
}
