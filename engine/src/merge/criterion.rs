//! Which neighboring regions join: the rules of merging.
//!
//! Whether a boundary is worth its length is the question of D. Mumford and J. Shah, "Optimal Approximations by Piecewise Smooth Functions
//! and Associated Variational Problems", Communications on Pure and Applied Mathematics 42, 1989: of their functional, with one color for
//! each region, the squared error and the weighted length of the boundaries remain. Two regions join where that lowers the sum.

use super::region_stats::Region;
use crate::api::{ColorMode, Options};
use crate::classify::BoundaryWorth;
use crate::color::{Channels, ColorMetric};
use crate::resolve::Overlay;

/// On screenshots and charts a boundary must be worth only this part of what it must be worth elsewhere: like icons, they show much in
/// little room.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const WORTH_SHARE_ON_SCREENS: f32 = 0.5;

/// What the decision about two neighbors depends on.
#[derive(Clone, Copy)]
pub(crate) struct RegionSummary {
    pub mean: Channels,
    pub area: f32,
    /// The label that the region had before regions joined.
    pub name: u32,
    pub is_speckle: bool,
    is_flat: bool,
    /// Whether it joins no other region that stays.
    pub stays: bool,
}

/// Two regions and the boundary between them.
pub(crate) struct NeighborPair<'a> {
    pub regions: [&'a RegionSummary; 2],
    /// The squared distance of their mean colors.
    pub distance_sq: f32,
    /// The length of the boundary, in sides of pixels.
    pub length: u32,
}

/// Decides which neighbors may join.
pub(crate) struct Criterion<'a> {
    metric: &'a ColorMetric,
    pub color_mode: ColorMode,
    pub speckle_px: f32,
    /// The squared error (four channels, 0–255) that a boundary must avoid for each pixel side of its length; none if every boundary is meant.
    least_worth: Option<f32>,
}

impl<'a> Criterion<'a> {
    pub fn new(
        metric: &'a ColorMetric,
        boundary_worth: BoundaryWorth,
        overlay: &Overlay,
        options: &Options,
    ) -> Self {
        let least_worth = match boundary_worth {
            BoundaryWorth::AllMeant => None,
            BoundaryWorth::AtLeast(worth) => {
                let worth = worth * if overlay.is_of_screen() { WORTH_SHARE_ON_SCREENS } else { 1.0 };
                // With a layer difference of 0, every difference is meant.
                Some(worth * metric.layer_difference * metric.layer_difference).filter(|&worth| worth > 0.0)
            }
        };
        Criterion {
            metric,
            color_mode: options.color_mode,
            speckle_px: options.filter_speckle_px as f32,
            least_worth,
        }
    }

    /// Whether no boundary is given up because it is not worth its length, as in pixel art.
    pub fn is_every_boundary_meant(&self) -> bool {
        self.least_worth.is_none()
    }

    /// The summary of a region.
    pub fn summary(&self, region: &Region, name: u32, stays: bool) -> RegionSummary {
        RegionSummary {
            mean: region.mean(),
            area: region.area as f32,
            name,
            is_speckle: !stays && region.smaller_than(self.speckle_px),
            is_flat: region.is_flat(),
            stays,
        }
    }

    /// Joins the other region with the first, which keeps its name. Returns the summary of both.
    pub fn joined(
        &self,
        regions: &mut [Region],
        first: &RegionSummary,
        other: &RegionSummary,
    ) -> RegionSummary {
        let absorbed = regions[other.name as usize];
        let region = &mut regions[first.name as usize];
        region.absorb(&absorbed);
        self.summary(region, first.name, first.stays || other.stays)
    }

    /// Whether two regions are of one layer, or the boundary between them is not worth its length.
    ///
    /// Without the boundary, both are painted in their common mean, which adds `distance_sq · a · b / (a + b)` to the squared error, where a and
    /// b are their areas. A boundary between two flat regions was drawn, so it is kept unless they are of one layer.
    pub fn is_one(&self, neighbors: &NeighborPair<'_>) -> bool {
        let &NeighborPair { regions: [a, b], distance_sq, length } = neighbors;
        if a.stays && b.stays {
            return false;
        }
        let is_worthless = || {
            self.least_worth.is_some_and(|least_worth| {
                distance_sq * (a.area * b.area / (a.area + b.area)) < least_worth * length as f32
            })
        };
        !(a.is_flat && b.is_flat) && is_worthless() || self.metric.same_layer(a.mean, b.mean)
    }
}
