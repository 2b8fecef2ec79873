//! The public types: image, options, errors and progress. The public functions are in `trace.rs`.
mod error;
mod image;
mod numbers;
mod options;
mod progress;

pub use error::Error;
pub use image::Image;
pub use numbers::push_numbers;
pub(crate) use numbers::{push_integer, push_text};
pub use options::{ColorMode, OPTION_TABLE, OptionKind, OptionSpec, Options, PathMode};
pub(crate) use progress::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
pub use progress::{Progress, Stage};
