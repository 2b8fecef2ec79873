//! The coarse polygon of an outline: takes the samples, gives vertices, sides, corners and which sides are
//! straight.
//!
//! Order: `simplify` splits and merges, `chamfer` replaces chamfers and `tip` the ends of acute tips by one
//! vertex, `bump` finds short bumps, `side` fits a line to each side, `corners` says which vertices are corners,
//! and `corner_position` where these lie.
mod bump;
mod chamfer;
mod corner_position;
mod corners;
mod farthest;
mod side;
mod simplify;
mod straight;
mod tip;
mod vertex;

pub(crate) use bump::without_bumps;
pub(crate) use chamfer::sharpen;
pub(crate) use corner_position::{corner_position, corner_reach_px};
pub(crate) use corners::PolygonFrame;
pub(crate) use side::{PolygonSide, ROUNDED_PX};
pub(crate) use simplify::{Polygon, tolerance_px};
