//! Dots of print without anti-aliasing: the dot of an i, colons, full stops. They are as small as speckles, but are kept.

use super::criterion::Criterion;
use super::region_stats::Region;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, distance_sq, ink_tolerance_sq, projection};
use crate::raster::Partition;
use crate::resolve::{DOT_REACH_PX, Overlay, ROUNDING_SQ};

/// Longest side of a letter.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const LARGEST_LETTER_PX: f32 = 48.0;

/// Least squared color distance of a dot from the region it lies on.
///
/// Unit: color levels², Euclidean. Source: tuned; no derivation is known.
const DOT_LEAST_CONTRAST_SQ: f32 = 48.0 * 48.0;

/// How many dots in a row are found, each beside the one before.
///
/// Unit: count. Source: the three dots of an ellipsis.
const MOST_IN_A_ROW: usize = 3;

/// Cost of checking one region, in the units of [`ProgressMeter`].
const REGION_UNITS: usize = 4;

/// The image in which dots of print are searched for.
pub(crate) struct DotSearch<'a> {
    pub partition: &'a Partition,
    pub regions: &'a [Region],
    pub overlay: &'a Overlay,
    pub criterion: &'a Criterion<'a>,
}

impl DotSearch<'_> {
    /// For each region, whether it is a dot of print: as small as a speckle, alone on one other region, and of the color of a letter or
    /// an ink nearby.
    #[inline(never)]
    pub fn dots(&self, meter: &mut ProgressMeter<'_>) -> Result<Vec<bool>, Stopped> {
        let mut dots = vec![false; self.regions.len()];
        let mut candidates = Vec::new();
        meter.advance(REGION_UNITS * self.regions.len())?;
        for (id, region) in (0..).zip(self.regions) {
            if region.smaller_than(self.criterion.speckle_px) {
                candidates.extend(self.ground(id).map(|ground| (id, ground)));
            }
        }
        for _ in 0..MOST_IN_A_ROW {
            if candidates.is_empty() {
                break;
            }
            meter.advance(REGION_UNITS * candidates.len())?;
            let known = dots.clone();
            candidates.retain(|&(id, ground)| {
                let is_dot = self.is_beside_print(id, ground, &known);
                dots[id as usize] = is_dot;
                !is_dot
            });
        }
        Ok(dots)
    }

    /// The region that a small one lies on, if it touches no other region and no ink, is no speckle itself, and differs enough.
    fn ground(&self, id: u32) -> Option<u32> {
        let mut ground = id;
        let is_alone = !self.is_any_near(id, 1, &mut |i| {
            let label = self.label(i);
            let is_other = label != id && label != ground && ground != id;
            if label != id {
                ground = label;
            }
            is_other || label != id && self.overlay.has_ink_at(i)
        });
        let [region, below] = [id, ground].map(|id| &self.regions[id as usize]);
        let is_visible = || distance_sq(region.mean(), below.mean()) >= DOT_LEAST_CONTRAST_SQ;
        (is_alone && !below.smaller_than(self.criterion.speckle_px) && is_visible()).then_some(ground)
    }

    /// Whether a letter, an ink or a known dot of the same color lies near enough to a small region on `ground`.
    fn is_beside_print(&self, id: u32, ground: u32, dots: &[bool]) -> bool {
        let [color, ground_color] = [id, ground].map(|id| self.regions[id as usize].mean());
        self.is_any_near(id, DOT_REACH_PX as usize, &mut |i| {
            let label = self.label(i);
            if label == ground {
                return self.overlay.inks_at(i).any(|ink| is_shade(color, ground_color, ink.channels()));
            }
            let region = &self.regions[label as usize];
            let is_letter = region.smaller_than(LARGEST_LETTER_PX)
                && (!region.smaller_than(self.criterion.speckle_px) || dots[label as usize]);
            is_letter && distance_sq(region.mean(), color) <= ROUNDING_SQ
        })
    }

    /// Whether the condition holds for any pixel within `reach` columns and rows of a region's bounds.
    fn is_any_near(&self, id: u32, reach: usize, condition: &mut dyn FnMut(usize) -> bool) -> bool {
        let (width, height) = (self.partition.cracks.width, self.partition.cracks.height());
        let [left, top, right, bottom] = self.regions[id as usize].bounds().map(usize::from);
        let columns = left.saturating_sub(reach)..(right + reach + 1).min(width);
        let mut rows = top.saturating_sub(reach)..(bottom + reach + 1).min(height);
        rows.any(|y| columns.clone().any(|x| condition(y * width + x)))
    }

    fn label(&self, pixel: usize) -> u32 {
        self.partition.labels.ids[pixel]
    }
}

/// Whether a color is a mixture of ground and ink, at least half of it ink.
fn is_shade(color: Channels, ground: Channels, ink: Channels) -> bool {
    let (residual_sq, share) = projection(color, ground, ink);
    share >= 0.5 && residual_sq <= ink_tolerance_sq(ground, ink)
}
