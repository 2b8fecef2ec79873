//! The stage Fit: takes sampled outlines and gives the fewest lines, arcs and cubics within a tolerance of
//! them.
//!
//! Whole circles and ellipses are tried first (`circle`, `ellipse`). Otherwise a coarse polygon is laid under
//! the samples (`polygon`). Vertices that turn enough are corners; each is put where the lines through the
//! trusted samples of both sides meet, since the pixel rounds off the samples beside it. Sides that the
//! samples follow are lines. The smooth stretches between are arcs where one fits, else the fewest
//! tangent-continuous cubics (`spline`). All tolerances grow with the expected error of the samples, so that
//! noise is not traced.
//!
//! `edges` fits arcs that run on through junctions as one edge, as if there were no junction, and cuts the
//! curve where it passes nearest to them: a shape whose outline passes several neighbors has the curve that
//! was drawn. `contours` fits the outlines of coverage fields.
//!
//! # Cost
//! Linear in samples, apart from splitting the polygon and the search for cubics. Lists are kept from one
//! outline to the next. WebAssembly has no conditional move for floats, and `max` and `min` are calls there;
//! loops over samples therefore copy signs, compare lanes, and use [`Bound`](sampled::Bound).
mod circle;
mod contours;
mod edges;
mod ellipse;
mod fitted_edge;
mod fitter;
mod line_outline;
mod polygon;
mod sampled;
mod spline;
mod strands;

pub(crate) use contours::ContourFitter;
pub(crate) use edges::{ArcStep, Edges, STACK_UNITS, SampledArcs, fit_edges, straight_edges};
pub(crate) use fitter::{FIT_UNITS, FitStyle};

#[cfg(test)]
mod tests;
