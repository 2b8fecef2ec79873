//! Fourth stage: the boundaries between regions, as samples placed more finely than the pixel grid.
//!
//! The steps, in order:
//! 1. [`planar_map()`]: the junctions, arcs and loops on the lattice between pixels. Each stretch of boundary exists once, for both of its
//!    sides, and is fitted once: two fits of one edge would differ and leave gaps or overlaps.
//! 2. [`lowered_pixels`]: pixels beside edges that a filter made larger get the colors that they had before; then all begins again.
//! 3. [`place`]: samples along each arc, where the mixed pixels say that the edge runs. Along the row or column across a crack, the
//!    shares of the far paint in the near pixels and of the near paint in the far pixels are summed. Their difference is the distance of
//!    the edge from the crack. This counts area, so it holds for wide and slanted edges too, where interpolating a threshold between two
//!    pixels does not.
//!    Where an edge was drawn without anti-aliasing, pixels say no more than on which side of it they lie.
//! 4. [`join_at_junctions`]: arcs that meet end in one point, and it is decided which of them continue each other.
//!
//! Corners are found later, in `fit/polygon/corners.rs`.

mod edge_crossing;
mod junctions;
mod lattice;
mod mixture_line;
mod pixel_crack;
mod placement;
mod planar_map;
mod raised;
mod rounded;
mod sample_noise;

pub(crate) use junctions::{ArcEnd, Continuations, join_at_junctions};
pub(crate) use lattice::OUTSIDE;
pub(crate) use placement::{ArcSamples, pixel_corners, place, steps_across};
pub(crate) use planar_map::{Arc, Loop, PlanarMap, planar_map};
pub(crate) use raised::lowered_pixels;
pub(crate) use sample_noise::{NOISE_ANTIALIASED_PX, NOISE_STAIRCASE_PX, noise_of_ramp, roughness_px};
