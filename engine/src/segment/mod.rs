//! First stage: joins neighboring pixels of like color into regions.
mod cores;
mod pixel_steps;
mod region_growing;
mod region_sums;

pub(crate) use cores::{Core, cores};
pub(crate) use region_growing::{Segments, segment};
pub(crate) use region_sums::ColorSums;
