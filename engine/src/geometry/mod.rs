//! Points and curves in pixel coordinates, and the drawing that is made of them.
mod curve;
mod drawing;
mod point;
mod split;

pub(crate) use curve::{Curve, Ellipse, Segment};
pub(crate) use drawing::{Drawing, Shape};
pub(crate) use point::Point;
pub(crate) use split::{Cut, find_cuts, into_cuttable, open_at, subcurve};
