//! Classifies the image by a few of its rows: pixel art or not; and if not, flat art, clean ramps, or noise.
mod pixel_art;
mod price;
mod surface;
mod tuning;

pub(crate) use pixel_art::is_pixel_art;
pub(crate) use price::{QUARTER_OF_SQUARES, byte_price, variances};
pub(crate) use surface::Surface;
pub(crate) use tuning::{BoundaryWorth, Tuning};
