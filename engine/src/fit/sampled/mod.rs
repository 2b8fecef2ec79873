//! A sampled outline: its points, sums over any run of them, and local fits.
//!
//! # Units
//! Lengths are in the unit of the samples: a pixel, or a third of one where a small outline is fitted
//! enlarged (`fit/contours.rs`). [`SampledOutline::pixel`] says how many of these units make a pixel.
//! Constants whose unit is given as `pixels` are in the unit of the samples unless they are multiplied by it.
mod fit_circle;
mod local_parabola;
mod prefix_sums;
mod range;
mod tolerance;
mod vector;

pub(crate) use fit_circle::FitCircle;
pub(crate) use local_parabola::{Parabola, parabola};
pub(crate) use prefix_sums::{FitLine, SampledOutline};
pub(crate) use range::{SampleRange, wrapped};
pub(crate) use tolerance::{
    CLEAN_DEVIATION_PX, FIT_RMS_NOISE, HALF_STEP_PX, NEAR_NOISE, NEXT_TO_ZERO, OFF_NOISE, PLACED_PX,
    WORST_OF_RMS, WORST_SAMPLE_NOISE, WRITTEN_ROUNDING_PX,
};
pub(crate) use vector::{Bound, Vector, largest, principal_axis, turn_deg};
