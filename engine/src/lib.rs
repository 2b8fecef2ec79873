//! Turns a raster image into the SVG drawing it could have come from: the fewest, cleanest lines, arcs and curves, in the
//! picture's own colors, placed more finely than the pixel grid where the picture is anti-aliased.
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
//! # Pictures
//! An [`Image`] borrows decoded pixels: 8-bit RGBA, straight alpha, sRGB. Decoding a file is the caller's; the `image` crate's
//! `into_rgba8()` gives what is wanted here.
//!
//! # Options
//! [`Options`] begin with their defaults, and every one has a name by which command lines and other languages know it.
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
//! # Progress, and stopping
//! [`trace_with`] tells an observer how far it has come, and stops where that says so.
//!
//! # Threads
//! A trace works on the calling thread. With the feature `parallel` (off by default) the stages that fall apart into independent
//! pieces call others to help, where there is much to do: as many as the cores that this process may use, less those that trace
//! already, for the cores are shared by all traces of the process. Small pictures call nobody, and where no thread can be had, the
//! caller does the work. Helpers are begun for a stage and end with it: nothing is begun beforehand, and nothing stays.
//! `limit_threads` bounds their number.
//!
//! # Memory
//! A trace gives back all memory that it took. Programs that trace picture after picture do well to choose an allocator that keeps
//! it for the next, such as the crate `mimalloc`: on Linux with the C library of GNU, traces then take about a seventh less time.
//!
//! # What holds
//! - The same picture and options give the same bytes: on every machine, natively and in WebAssembly, on however many threads.
//! - No picture and no options make it panic; what cannot be traced is an [`Error`].
//! - No files, clock or randomness, and without `parallel` no threads or global state: as many traces may run at once as there
//!   are threads.
//! - The SVG is well-formed, holds only `<path>` elements with fills, and stays within its `viewBox`.
//!
//! # Versions
//! Semantic versioning of the interface. Types that may gain fields or cases are `#[non_exhaustive]`. Which curves a picture
//! becomes is no part of the interface: any version may draw better.
#![forbid(unsafe_code)]

mod algorithms;
mod api;
mod classify;
mod color;
mod coverage;
mod fit;
mod geometry;
mod merge;
mod outline;
mod parallel;
mod raster;
mod resolve;
mod segment;
mod stack;
mod svg;
mod trace;

pub use api::{
    ColorMode, Error, Image, OPTION_TABLE, OptionKind, OptionSpec, Options, PathMode, Progress, Stage,
};
#[cfg(feature = "parallel")]
pub use parallel::limit_threads;
pub use trace::{trace, trace_in_place, trace_with};

/// The example of the README compiles, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
