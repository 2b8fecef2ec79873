//! Draws shapes back as pixels: the reverse of tracing.
//!
//! Every shape covers of each pixel the exact area that its outline encloses there, and shapes are composited in painting order, as SVG
//! renderers do. Outlines are polylines ([`Outline`]) whose vertices are sums of the points of the drawing, so that it is known how the
//! coverage of a pixel changes when a point moves: by the length of the edge in that pixel.
mod canvas;
mod cells;
mod outline;
mod sweep;

pub(crate) use canvas::Canvas;
pub(crate) use outline::{Outline, Vertex};
pub(crate) use sweep::{Covered, Sweep};
