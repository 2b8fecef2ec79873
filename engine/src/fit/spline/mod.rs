//! Lines, arcs and chains of cubics along a sampled outline, and the joints between them.
mod arc;
mod assemble;
mod cubic;
mod cubic_chain;
mod joint;

pub(crate) use assemble::{SplineRoom, polyline, spline};
