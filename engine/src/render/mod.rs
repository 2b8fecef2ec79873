//! Draws a drawing back as pixels: the reverse of tracing.
//!
//! Each path covers of a pixel the exact area that its outline encloses there, and paths are composited in painting order, as SVG
//! renderers do. Most pixels are covered fully by one path; only the others, which edges pass, are composited.
//!
//! The vertices of outlines are sums of the points of the drawing ([`Vertex`]). So it is known how the coverage of a pixel changes when
//! a point moves: by the length of the edge in that pixel, times how far the edge moves across itself.
mod canvas;
mod cells;
mod composite;
mod outline;
mod sweep;

pub(crate) use canvas::{Canvas, Piece};
pub(crate) use outline::{Outline, Vertex};
pub(crate) use sweep::{Covered, Sweep};
