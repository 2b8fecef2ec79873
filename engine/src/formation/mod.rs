//! How the picture was made: what happened to a drawing's pixels on their way here, measured from the pixels themselves.
//!
//! The model: a drawing, seen through the pixel's box, then perhaps enlarged by a kernel, blurred or sharpened, compressed or
//! dithered, with noise. Each estimator says what it finds, and nothing on a clean picture: a wrong belief there is the worst fault.
//! The room [`restore`](crate::restore) undoes what is found here.

mod coarse_chroma;
mod edge_width;
mod enlargement;
mod findings;
mod grain;
mod kernel;
mod ordered_dither;
mod palette;
mod profile;
mod quantization;
mod sample_blocks;
mod sharpening;

pub(crate) use edge_width::EdgeWidth;
pub(crate) use enlargement::{Enlargement, Inverse, Resampling};
pub use findings::Formation;
pub(crate) use grain::Grain;
pub(crate) use kernel::{KernelTable, normal_weights};
pub(crate) use palette::Palette;
pub(crate) use quantization::luma;
pub(crate) use sharpening::Sharpening;
