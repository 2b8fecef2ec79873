//! Lines, arcs and chains of cubics along a sampled outline, and the joints between them.
mod arc;
mod assemble;
mod cubic;
mod cubic_chain;
mod cubic_error;
mod joint;
mod stretch;

pub(crate) use assemble::{SplineScratch, polyline, spline};
