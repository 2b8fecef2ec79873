//! Paints are regions with a core. Explains the pixels between them as mixtures of two or three paints.
mod assignment;
mod image_border;
mod ink_over_paints;
mod paint_map;
mod photograph;
mod three_paints;
mod two_paints;

pub(crate) use assignment::Assignment;
pub(crate) use ink_over_paints::{InkMixtures, best_mixture};
pub(crate) use paint_map::{EXPLAIN_PIXEL_UNITS, PaintMap, is_paint, is_thin};
pub(crate) use photograph::is_photograph;
pub(crate) use three_paints::{are_of_three, explain_by_three, paints_beneath};
pub(crate) use two_paints::{attach_tips, explain_by_two, explain_pixel};
