//! Whole circles: takes the samples of a closed outline and gives two arcs if they lie on a circle.
//!
//! The circle is I. Kåsa's algebraic fit ("A circle fitting procedure and its error analysis", 1976). The
//! second to fourth harmonic of its residuals tell a circle from other round shapes.

use crate::fit::sampled::{Bound, CLEAN_DEVIATION_PX, FIT_RMS_NOISE, PLACED_PX, Vector, WORST_OF_RMS};
use crate::geometry::{Curve, Point, Segment};

/// The area enclosed by the samples is at least this share of the circle's.
///
/// Unit: share (ratio). Source: tuned; rejects outlines that go around less or more than once.
const LEAST_AREA: f64 = 0.8;

struct WholeCircle {
    center: Vector,
    radius: f64,
}

/// The circle on which the samples of a closed outline lie, as two arcs; at least six samples.
pub(crate) fn circle(points: &[Point], noise_px: f64) -> Option<Curve> {
    let origin = points[0];
    let circle = least_squares(points, origin)?;
    let clockwise = circle.clockwise_if_followed(points, origin, noise_px)?;
    let to_start = Vector::new(circle.radius, 0.0);
    let start = (circle.center + to_start).to_point(origin);
    let opposite = (circle.center - to_start).to_point(origin);
    // A radius of zero stands for half a turn.
    let radius = 0.0;
    let segments = [opposite, start].map(|end| Segment::arc(radius, clockwise, end)).to_vec();
    Some(Curve { start, segments, closed: true })
}

/// The RMS amplitude that noise alone gives to a harmonic of `count` samples: its sine and its cosine
/// coefficient each have the variance 2/n of the noise's.
fn harmonic_noise_px(noise_px: f64, count: f64) -> f64 {
    2.0 * noise_px / count.sqrt()
}

/// Kåsa's fit. It is biased for short arcs, but not for samples all the way round.
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
    if determinant <= 0.0 {
        return None;
    }
    let shift = Vector::new(xz * yy - yz * xy, yz * xx - xz * xy) * (0.5 / determinant);
    let radius = ((xx + yy) / count + shift.dot(shift)).sqrt();
    Some(WholeCircle { center: mean + shift, radius })
}

impl WholeCircle {
    /// Whether the outline runs clockwise around the circle; `None` if its samples do not follow the circle.
    fn clockwise_if_followed(&self, points: &[Point], origin: Point, noise_px: f64) -> Option<bool> {
        let allowed_rms = CLEAN_DEVIATION_PX.at_least(FIT_RMS_NOISE * noise_px);
        let (mut square, mut twice_area) = (0.0, 0.0);
        let mut harmonics = [Vector::default(); 3];
        let mut before = Vector::from_point(points[points.len() - 1], origin) - self.center;
        for &point in points {
            let away = Vector::from_point(point, origin) - self.center;
            let residual = away.length() - self.radius;
            if residual.abs() > WORST_OF_RMS * allowed_rms {
                return None;
            }
            square += residual * residual;
            twice_area += before.cross(away);
            before = away;
            let unit = away.unit_or(Vector::default());
            let mut power = unit;
            for harmonic in &mut harmonics {
                power = Vector::new(power.x * unit.x - power.y * unit.y, power.x * unit.y + power.y * unit.x);
                *harmonic = *harmonic + power * residual;
            }
        }
        let count = points.len() as f64;
        // The second harmonic is that of an ellipse, the third of a triangle, the fourth of a square.
        let amplitude = PLACED_PX + harmonic_noise_px(noise_px, count);
        let is_other_shape = harmonics.iter().any(|harmonic| harmonic.length() * 2.0 > amplitude * count);
        let goes_round =
            twice_area.abs() > 2.0 * LEAST_AREA * std::f64::consts::PI * self.radius * self.radius;
        let follows = square <= allowed_rms * allowed_rms * count;
        (goes_round && !is_other_shape && follows).then_some(twice_area > 0.0)
    }
}
