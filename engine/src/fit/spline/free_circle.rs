//! The circle under a stretch whose ends are not fixed: takes a run of samples, gives the circle they lie on.

use crate::fit::sampled::{
    FIT_RMS_NOISE, FitCircle, FitLine, SampleRange, SampledOutline, Vector, WORST_SAMPLE_NOISE,
};

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

/// The circle on which the samples of a run lie.
pub(crate) fn circle_under(samples: &SampledOutline, range: SampleRange) -> Option<FitCircle> {
    let SampleRange { first, last } = range;
    if last < first + CIRCLE_MIN_SAMPLES {
        return None;
    }
    let run = samples.run(first, last);
    let circle = FitCircle::of(run)?;
    let is_long = (samples.at(last) - samples.at(first)).length() >= CIRCLE_CHORD_RADII * circle.radius;
    (is_long && circle.is_followed(run, samples.noise_px)).then_some(circle)
}

impl FitCircle {
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
