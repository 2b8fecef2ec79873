//! Turns a raster image into the SVG drawing it could have come from.
//!
//! ```
//! use tracesmith::{Image, Options, trace};
//!
//! let white_pixel_row = [255u8; 4 * 3];
//! let image = Image::new(3, 1, &white_pixel_row)?;
//! let svg = trace(&image, &Options::default())?;
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), tracesmith::Error>(())
//! ```
#![forbid(unsafe_code)]

mod contact;
mod contour;
mod emit;
mod error;
mod field;
mod fit;
mod geometry;
mod image;
mod ink;
mod merge;
mod mixture;
mod nesting;
mod options;
mod order;
mod outline;
mod patch;
mod path_data;
mod pixels;
mod place;
mod region;
mod runs;
mod segment;
mod stack;
mod staircase;
mod stroke;
mod trace;
mod watch;

pub use error::Error;
pub use image::Image;
pub use options::{ColorMode, OPTION_TABLE, OptionKind, OptionSpec, Options, PathMode};
pub use trace::{trace, trace_with};
pub use watch::{Progress, Stage};
