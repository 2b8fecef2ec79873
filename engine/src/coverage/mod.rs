//! Coverage fields: how much of each pixel an ink covers, solved to half a pixel along edges, and the contours around what is covered.
//!
//! The coverage of an ink, or the darkness in binary mode, is known for each pixel; an edge needs it finer. So every pixel near an edge gets four
//! samples. They begin as interpolated coverage and are corrected four times by what their pixel lacks (back-projection: M. Irani and S. Peleg,
//! "Improving Resolution by Image Registration", 1991), measured by a soft step at one half. The contours are the level set of one half,
//! walked between covered and bare samples.
//!
//! A line narrower than the samples are apart has no contour that holds together. It is found by its cross sections and taken out of the field.
//!
//! In binary mode, paper and ink are first stretched to bare and covered; the threshold stays where it is. Paper, ink and noise are measured in
//! at most 128 rows.
mod binary_levels;
mod contour;
mod darkness;
mod field;
mod near_edge;
mod paper_noise;
mod sections;
mod supersample;
mod thin_lines;

pub(crate) use contour::{Contour, contours};
pub(crate) use darkness::Darkness;
pub(crate) use field::{Field, HALF_COVERED};
pub(crate) use paper_noise::paper_noise;
pub(crate) use thin_lines::take_lines;
