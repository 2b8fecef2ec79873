//! The circle under a stretch whose ends are not fixed: takes a run of samples, gives the circle they lie on.

use crate::fit::sampled::{FIT_RMS_NOISE, FitLine, SampleRange, SampledOutline, Vector, WORST_SAMPLE_NOISE};

/// The RMS distance from an arc to the samples up to which it is accepted; its square and that of the noise
/// are added.
///
/// Unit: pixels, RMS. Source: tuned; between what is allowed to cubics and to whole circles.
const ARC_RMS_PX: f64 = 0.05;

/// Shorter runs do not determine a circle.
///
/// Unit: count (samples after the first). Source: tuned; three points always lie on a circle.
const CIRCLE_MIN_SAMPLES: usize = 5;

/// A run that turns by less than about this does not determine a circle: the least length of its chord.
///
/// Unit: radii. Source: tuned; the chord of a turn of a radian is 0.96 radii.
const CIRCLE_CHORD_RADII: f64 = 0.9;

/// A circle that was fitted without fixed ends.
pub(crate) struct FreeCircle {
    pub center: Vector,
    pub radius: f64,
}

/// The circle on which the samples of a run lie, by I. Kåsa's fit.
pub(crate) fn circle_under(samples: &SampledOutline, range: SampleRange) -> Option<FreeCircle> {
    let SampleRange { first, last } = range;
    if last < first + CIRCLE_MIN_SAMPLES {
        return None;
    }
    let run = samples.run(first, last);
    let inverse = 1.0 / run.len() as f64;
    let mean = run.iter().fold(Vector::default(), |sum, &point| sum + point) * inverse;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    let mut moment = Vector::default();
    for &point in run {
        let away = point - mean;
        xx += away.x * away.x;
        xy += away.x * away.y;
        yy += away.y * away.y;
        moment = moment + away * away.dot(away);
    }
    let determinant = xx * yy - xy * xy;
    if determinant <= 0.0 {
        return None;
    }
    let shift =
        Vector::new(moment.x * yy - moment.y * xy, moment.y * xx - moment.x * xy) * (0.5 / determinant);
    let radius = ((xx + yy) * inverse + shift.dot(shift)).sqrt();
    let circle = FreeCircle { center: mean + shift, radius };
    let is_long = (samples.at(last) - samples.at(first)).length() >= CIRCLE_CHORD_RADII * radius;
    (is_long && circle.is_followed(run, samples.noise_px)).then_some(circle)
}

impl FreeCircle {
    /// Where a line touches the circle, if it passes within `slack_px` of doing so: at the foot of the
    /// center.
    pub fn touch(&self, line: &FitLine, slack_px: f64) -> Option<Vector> {
        ((line.offset(self.center).abs() - self.radius).abs() <= slack_px).then(|| line.project(self.center))
    }

    /// The crossing of a line and the circle on the side of a point, if within `slack_px` of the point.
    pub fn cross(&self, line: &FitLine, near: Vector, slack_px: f64) -> Option<Vector> {
        let foot = line.project(self.center);
        let off = line.offset(self.center);
        let reach = (self.radius * self.radius - off * off).max(0.0).sqrt();
        let side = if line.direction.dot(near - foot) < 0.0 { -reach } else { reach };
        let point = foot + line.direction * side;
        ((point - near).length() <= slack_px).then_some(point)
    }

    /// Whether samples lie on the circle within the tolerance of arcs.
    pub fn is_followed(&self, run: &[Vector], noise_px: f64) -> bool {
        let noise = FIT_RMS_NOISE * noise_px;
        let allowed_sq = ARC_RMS_PX * ARC_RMS_PX + noise * noise;
        let mut sum = 0.0;
        for &point in run {
            let residual = (point - self.center).length() - self.radius;
            let square = residual * residual;
            if square > WORST_SAMPLE_NOISE * WORST_SAMPLE_NOISE * allowed_sq {
                return false;
            }
            sum += square;
        }
        sum <= allowed_sq * run.len() as f64
    }
}
