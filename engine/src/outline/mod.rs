//! The boundaries between regions: a planar map of arcs, whose points are placed more finely than the pixel grid.
mod bleed_through;
mod edge_crossing;
mod junctions;
mod lattice;
mod placement;
mod planar_map;
mod sample_noise;

pub(crate) use junctions::{ArcEnd, Continuations, join_at_junctions};
pub(crate) use lattice::{OUTSIDE, lattice_point};
pub(crate) use placement::{ArcSamples, pixel_corners, place};
pub(crate) use planar_map::{Arc, Loop, PlanarMap, planar_map};
pub(crate) use sample_noise::{NOISE_STAIRCASE_PX, roughness_px};
