//! What kind of image it is: pixel art, flat art, clean ramps, or noise.
mod pixel_art;
mod surface;

pub(crate) use pixel_art::is_pixel_art;
pub(crate) use surface::{Surface, surface};
