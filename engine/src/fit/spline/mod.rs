//! Curves along a sampled outline: takes the samples and the polygon with its corners, gives lines, arcs and
//! chains of cubics.
//!
//! `joint` finds where pieces end, `arc` tries one arc for a smooth stretch, `cubic_chain` the fewest cubics
//! (`cubic`, `cubic_error`), and `assemble` puts them together.
mod arc;
mod assemble;
mod contact;
mod cubic;
mod cubic_chain;
mod cubic_error;
mod cubic_samples;
mod free_circle;
mod joint;
mod piece;
mod stretch;
mod tangent;

pub(crate) use assemble::{SplineScratch, polyline, spline};
