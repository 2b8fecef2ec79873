//! First stage: joins neighboring pixels of similar color into regions.
//!
//! Pixels join in the order of their differences, each pair only while the *means* of both regions belong to one layer. So a smooth ramp
//! becomes bands instead of one region. There is no palette: quantizing colors would cut one paint in two at the border of a bin, and fills
//! would lose their true colors.
//!
//! Nothing is sorted. Four rounds go through the image in row order, each with larger differences than the one before. In the first round,
//! each pixel joins the region above it or on its left, so the elements of the union-find forest are regions, not pixels. One round would be
//! enough for most images, but the ringing of a JPEG must join its surroundings before it joins an edge.
//!
//! The family of methods: P. F. Felzenszwalb and D. P. Huttenlocher, "Efficient Graph-Based Image Segmentation", 2004; R. Nock and
//! F. Nielsen, "Statistical Region Merging", 2004. The criterion here, the distance of the means, is simpler than theirs.
mod cores;
mod pixel_steps;
mod region_growing;
mod region_sums;

pub(crate) use cores::{Core, cores};
pub(crate) use region_growing::{Segments, segment};
pub(crate) use region_sums::ColorSums;
