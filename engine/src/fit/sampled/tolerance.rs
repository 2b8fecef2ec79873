//! Tolerances that several fits share.

/// How far samples may deviate on clean art from what is fitted to them: the RMS distance from a line, a circle
/// or an ellipse, and the bow of a line.
///
/// Unit: pixels. Source: tuned; half again the 0.04 px that placing leaves on anti-aliased edges
/// (`outline/sample_noise.rs`).
pub(crate) const CLEAN_DEVIATION_PX: f64 = 0.06;

/// How far samples lie off on clean art without showing that a line has ended, or that an ellipse is none. The
/// noise is added.
///
/// Unit: pixels. Source: tuned; the 0.04 px that placing leaves on anti-aliased edges
/// (`outline/sample_noise.rs`).
pub(crate) const PLACED_PX: f64 = 0.04;

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

/// The distance from one sample to a line or an arc up to which it is accepted.
///
/// Unit: noise (standard deviations); for an arc, share of the RMS distance allowed. Source: tuned; one normal
/// sample in two thousand lies beyond 3.5 standard deviations.
pub(crate) const WORST_SAMPLE_NOISE: f64 = 3.5;

/// What noise adds to the distance within which a sample is near to a line.
///
/// Unit: noise (standard deviations). Source: tuned; one normal sample in 36 lies beyond 2.2 standard
/// deviations.
pub(crate) const NEAR_NOISE: f64 = 2.2;

/// What noise adds to the distance from which a point is off: a sample off a line, or a crossing off its
/// corner.
///
/// Unit: noise (standard deviations). Source: one normal sample in twenty lies beyond two standard deviations.
pub(crate) const OFF_NOISE: f64 = 2.0;

/// How far along the outline a corner may lie from the sample nearest to it.
///
/// Unit: pixels. Source: half the distance between two samples, which lie about 1 px apart.
pub(crate) const HALF_STEP_PX: f64 = 0.5;

/// A distance that is not seen in the drawing: two curves this near to each other cross, and the end of a line
/// or of an ellipse's axis this near to the horizontal or the vertical is set on it. The noise is added.
///
/// Unit: pixels. Source: half the tenth of a pixel to which positions are rounded.
pub(crate) const WRITTEN_ROUNDING_PX: f64 = 0.05;

/// A divisor of normal equations that is not larger counts as zero.
///
/// Unit: the divisor's own (count, weight, pixels² or pixels⁴). Source: below any run of two distinct samples,
/// above the rounding of their sums.
pub(crate) const NEXT_TO_ZERO: f64 = 1e-9;
