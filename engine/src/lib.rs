//! Turns a raster image into the SVG drawing it could have come from: few, clean lines, arcs and curves in the image's own colors, placed
//! more finely than the pixel grid where the image is anti-aliased.
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
//!
//! # Images
//! An [`Image`] borrows decoded pixels: 8-bit RGBA, straight alpha, sRGB. Decoding files is left to the caller; the `image` crate's
//! `into_rgba8()` returns pixels in this form.
//!
//! # Options
//! [`Options::default()`](Options) has the defaults. Every option also has a name, under which command lines and other languages set it;
//! [`OPTION_TABLE`] lists these names with type, range, default and meaning.
//!
//! ```
//! use tracesmith::{Options, PathMode};
//!
//! let mut options = Options::default();
//! options.filter_speckle_px = 8.0;
//! options.mode = PathMode::Polygon;
//!
//! let mut same = Options::default();
//! same.set("filterSpeckle", "8")?;
//! same.set("mode", "polygon")?;
//! assert_eq!(options, same);
//! # Ok::<(), tracesmith::Error>(())
//! ```
//!
//! # Features
//! - `gradients` (off by default): the option of this name, which draws smooth shading as gradients. Without the feature, it is an error.
//! - `parallel` (off by default): a large image is traced on several threads.
//!
//! # Progress and cancellation
//! [`trace_with`] reports progress to an observer, which can stop the trace.
//!
//! # Threads
//! A trace runs on the calling thread. With the feature `parallel`, stages that consist of independent pieces of work start
//! helper threads if there is much to do: as many as the process has cores, less the threads that trace already, since all traces of
//! a process share its cores. For small images no thread is started, and if none can be started, the calling thread does the work.
//! Helper threads end with their stage. `limit_threads` limits their number.
//!
//! # Memory
//! A trace frees all memory that it allocates. Programs that trace many images should use an allocator that keeps freed memory for the
//! next trace, such as the crate `mimalloc`: on Linux with glibc, traces then take less time.
//!
//! # Guarantees
//! - The same image and options give the same bytes: on every machine, natively and in WebAssembly, with any number of threads.
//! - No image and no options cause a panic; invalid input is an [`Error`].
//! - The crate uses no files, clock or randomness, and without `parallel` no threads and no global state, so traces can run on any
//!   number of threads at once.
//! - The SVG is well-formed, consists of `<path>` elements with fills, and stays within its `viewBox`. With the option
//!   `gradients`, it begins with the gradients that fill some of them, and `<use>` may paint a path in a `<g>` again.
//!
//! # Versions
//! The interface follows semantic versioning. Types that may gain fields or variants are `#[non_exhaustive]`. The curves that an image
//! becomes are not part of the interface: any version may draw better.
#![forbid(unsafe_code)]

mod algorithms;
mod api;
mod classify;
mod color;
mod coverage;
mod fit;
mod formation;
mod geometry;
mod judge;
mod merge;
mod outline;
mod parallel;
mod raster;
mod render;
mod resolve;
mod restore;
mod segment;
mod shade;
mod stack;
mod svg;
mod trace;

pub use api::{
    ColorMode, Error, Image, OPTION_TABLE, OptionKind, OptionSpec, Options, PathMode, Progress, Stage,
};
// For the bindings alone, which write numbers into their own messages.
#[doc(hidden)]
pub use api::push_numbers;
pub use formation::Formation;
#[cfg(feature = "parallel")]
pub use parallel::limit_threads;
pub use trace::{formation, trace, trace_in_place, trace_with};

/// Compiles the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
