//! Planes of pixels and of labels, and what is read from them: connected components, boundaries, neighborhoods.
mod components;
mod cracks;
mod distinct_colors;
mod labels;
mod neighborhood;
mod partition;
mod pixels;

pub(crate) use components::{Components, connected};
pub(crate) use cracks::{Cracks, SideBits, WORD, next_set_bit};
pub(crate) use distinct_colors::largest_of_distinct_colors;
pub(crate) use labels::Labels;
pub(crate) use neighborhood::{column_and_row, neighborhood, side_neighbors, within_reach};
pub(crate) use partition::Partition;
pub(crate) use pixels::{Pixels, Rgba};
