//! Whole circles: takes the samples of a closed outline and gives two arcs if they lie on a circle.
//!
//! The second to fourth harmonic of the residuals tell a circle from other round shapes.

use crate::fit::sampled::{
    Bound, CLEAN_DEVIATION_PX, FIT_RMS_NOISE, FitCircle, PLACED_PX, SampledOutline, Vector, WORST_OF_RMS,
};
use crate::geometry::{Curve, Segment};

/// The area enclosed by the samples is at least this share of the circle's.
///
/// Unit: share (ratio). Source: tuned; rejects outlines that go around less or more than once.
const LEAST_AREA: f64 = 0.8;

/// The circle on which the samples of a closed outline lie, as two arcs; at least six samples.
pub(crate) fn circle(samples: &SampledOutline) -> Option<Curve> {
    let run = samples.run(0, samples.count - 1);
    let circle = FitCircle::of(run)?;
    let clockwise = clockwise_if_followed(&circle, run, samples.noise_px)?;
    let to_start = Vector::new(circle.radius, 0.0);
    let start = (circle.center + to_start).to_point(samples.origin);
    let opposite = (circle.center - to_start).to_point(samples.origin);
    // A radius of zero stands for half a turn.
    let segments = [opposite, start].map(|end| Segment::arc(0.0, clockwise, end)).to_vec();
    Some(Curve { start, segments, closed: true })
}

/// The RMS amplitude that noise alone gives to a harmonic of `count` samples: its sine and its cosine
/// coefficient each have the variance 2/n of the noise's.
pub(crate) fn harmonic_noise_px(noise_px: f64, count: f64) -> f64 {
    2.0 * noise_px / count.sqrt()
}

/// Whether the outline runs clockwise around a circle; `None` if its samples do not follow the circle.
fn clockwise_if_followed(circle: &FitCircle, run: &[Vector], noise_px: f64) -> Option<bool> {
    let allowed_rms = CLEAN_DEVIATION_PX.at_least(FIT_RMS_NOISE * noise_px);
    let (mut square, mut twice_area) = (0.0, 0.0);
    let mut harmonics = [Vector::default(); 3];
    let mut before = run[run.len() - 1] - circle.center;
    for &point in run {
        let away = point - circle.center;
        let residual = away.length() - circle.radius;
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
    let count = run.len() as f64;
    // The second harmonic is that of an ellipse, the third of a triangle, the fourth of a square.
    let amplitude = PLACED_PX + harmonic_noise_px(noise_px, count);
    let is_other_shape = harmonics.iter().any(|harmonic| harmonic.length() * 2.0 > amplitude * count);
    let goes_round =
        twice_area.abs() > 2.0 * LEAST_AREA * std::f64::consts::PI * circle.radius * circle.radius;
    let follows = square <= allowed_rms * allowed_rms * count;
    (goes_round && !is_other_shape && follows).then_some(twice_area > 0.0)
}
