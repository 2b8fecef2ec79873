//! The public interface: the image and the options of a trace, its errors, and its progress.
mod error;
mod image;
mod options;
mod progress;

pub use error::Error;
pub use image::Image;
pub use options::{ColorMode, OPTION_TABLE, OptionKind, OptionSpec, Options, PathMode};
pub(crate) use progress::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
pub use progress::{Progress, Stage};
