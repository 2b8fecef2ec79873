//! The coarse polygon below an outline: its vertices, sides and corners.
mod bump;
mod corner;
mod side;
mod simplify;
mod tip;
mod vertex;

pub(crate) use bump::without_bumps;
pub(crate) use corner::{PolygonFrame, corner_position, corner_reach_px, sharpen};
pub(crate) use simplify::{Polygon, tolerance_px};
