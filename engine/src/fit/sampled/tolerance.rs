//! Tolerances that several fits share.

/// The RMS distance from the samples to a line, a circle or an ellipse up to which it is accepted on clean
/// art.
///
/// Unit: pixels, RMS. Source: tuned; half again the 0.04 px that placing leaves on anti-aliased edges
/// (`outline/sample_noise.rs`).
pub(crate) const CLEAN_RMS_PX: f64 = 0.06;

/// The RMS distance from the samples to a curve that is still noise.
///
/// Unit: noise (standard deviations). Source: the RMS of n normal samples scatters by 1/√(2n) of itself, 14 %
/// for the two dozen samples that a cubic is judged by.
pub(crate) const FIT_RMS_NOISE: f64 = 1.15;

/// The distance from one sample to a curve up to which the curve is accepted, against the RMS distance
/// allowed.
///
/// Unit: share of the RMS distance allowed (ratio). Source: of normal noise, one sample in 16,000 lies beyond
/// four standard deviations.
pub(crate) const WORST_OF_RMS: f64 = 4.0;

/// How far the end of a line or of an ellipse's axis may lie from the horizontal or the vertical to be set on
/// it.
///
/// Unit: pixels; the noise is added. Source: tuned; about the 0.04 px that placing leaves on anti-aliased
/// edges.
pub(crate) const AXIS_SNAP_PX: f64 = 0.05;
