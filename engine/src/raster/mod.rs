//! Planes of pixels and labels, and what is read from them: connected components, boundaries, neighborhoods.
//!
//! At 16 megapixels, each plane of one number per pixel is larger than the caches, and going through it takes as long as much other work.
//! So labels are regrouped row by row where the next stage reads them, and loops go along runs of equal labels, not pixels.
mod bounds;
mod components;
mod cracks;
mod distinct_colors;
mod labels;
mod neighborhood;
mod partition;
mod pixels;

pub(crate) use bounds::{Bounds, column_and_row};
pub(crate) use components::{Components, connected_components};
pub(crate) use cracks::{Cracks, SideBits, WORD, next_set_bit};
pub(crate) use distinct_colors::largest_of_distinct_colors;
pub(crate) use labels::Labels;
pub(crate) use neighborhood::{is_among, neighborhood, side_neighbors, within_reach};
pub(crate) use partition::Partition;
pub(crate) use pixels::{Pixels, Rgba};
