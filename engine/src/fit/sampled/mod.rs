//! A sampled outline: its points, sums over any stretch of them, and local fits.
mod local_parabola;
mod prefix_sums;
mod vector;

pub(crate) use local_parabola::{Parabola, cross, parabola};
pub(crate) use prefix_sums::{FitLine, SampleLists, SampledOutline, wrapped};
pub(crate) use vector::{Bound, Vector, largest, principal_axis, turn_deg};

/// RMS distance allowed to a curve for each pixel of RMS noise: 1, and what the RMS of a few dozen samples scatters by.
pub(crate) const FIT_RMS_NOISE: f64 = 1.15;
