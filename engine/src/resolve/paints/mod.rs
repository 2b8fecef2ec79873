//! Finds the paints of an image, and explains the pixels between them as mixtures of two or three paints.
//!
//! A mixed pixel looks along four axes for the paints on either side ([`PaintMap::paints_across`]). If its color lies near the line
//! between two of them, the one that covers more of the pixel gets it ([`explain_by_two`]). Along the image's border, where a flat edge
//! leaves the image, the paint beyond may be seen only farther along ([`image_border`]). What neither two paints nor an ink explain may be
//! a mixture of three ([`explain_by_three`]): of those around it, where three shapes meet; or of two around it and, by a small
//! part, one of the image's largest paints, which shows between two shapes that were drawn side by side.
//!
//! Strokes mix paints with an ink; their pixels are asked the same question with [`InkMixtures`].
mod assignment;
mod image_border;
mod ink_over_paints;
mod paint_map;
mod photograph;
mod three_paints;
mod two_paints;

pub(crate) use assignment::Assignment;
pub(crate) use ink_over_paints::{InkMixtures, NearestMixture, best_mixture};
pub(crate) use paint_map::{CoredRegions, EXPLAIN_PIXEL_UNITS, PaintMap, is_paint, is_thin};
pub(crate) use photograph::is_photograph;
pub(crate) use three_paints::{are_of_three, explain_by_three};
pub(crate) use two_paints::{UnpaintedPixels, explain_by_two, explain_pixel};
