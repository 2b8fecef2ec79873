//! Coverage of an ink, solved to half a pixel along edges, and the contours of such a field.
mod binary_levels;
mod contour;
mod darkness;
mod field;
mod near_edge;
mod paper_noise;
mod supersample;

pub(crate) use contour::{Contour, contours};
pub(crate) use darkness::Darkness;
pub(crate) use field::{Field, HALF_COVERED};
pub(crate) use paper_noise::paper_noise;
