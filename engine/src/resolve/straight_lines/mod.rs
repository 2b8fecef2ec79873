//! Straight lines along rows or columns of pixels, such as frames and grids.
mod find;
mod interpret;
mod line;
mod pixel_rows;

pub(crate) use find::{FoundLines, Hairline, find_lines};
