use super::region_stats::Region;
use crate::api::{ColorMode, Options};
use crate::color::{Channels, ColorMetric};

/// A boundary is worth its length when it keeps this much squared error (four channels, 8-bit levels) a pixel side
/// from being made, in squared layer differences: the constant of Mumford and Shah's functional.
pub(crate) const BOUNDARY_WORTH: f32 = 9.0;
/// Where no noise makes differences that nobody drew.
pub(crate) const BOUNDARY_WORTH_IN_FLAT_ART: f32 = 8.0;
/// Between the bands of a clean ramp: such a boundary is smooth, and costs few bytes.
pub(crate) const BOUNDARY_WORTH_ON_RAMPS: f32 = 4.5;
/// Screens and charts, which have so many straight lines along their pixels, show much in little room, like icons: there a boundary is worth
/// its length at such a part of this.
pub(crate) const LINES_OF_A_SCREEN: usize = 3;
pub(crate) const WORTH_ON_SCREENS: f32 = 0.5;

/// What the neighbors of a region go by.
#[derive(Clone, Copy)]
pub(crate) struct RegionSummary {
    pub mean: Channels,
    pub area: f32,
    /// The label that the region had at first.
    pub name: u32,
    pub is_speckle: bool,
    is_flat: bool,
    /// It does not join another that stays.
    pub stays: bool,
}

/// Which neighbors may join.
pub(crate) struct Criterion<'a> {
    metric: &'a ColorMetric,
    pub color_mode: ColorMode,
    pub speckle_px: f32,
    /// Squared error that a pixel side of boundary must be worth.
    least_worth: f32,
    /// Colors whose squared distance is larger are not one layer.
    largest_of_layer_sq: f32,
}

impl<'a> Criterion<'a> {
    pub fn new(metric: &'a ColorMetric, options: &Options, boundary_worth: f32) -> Self {
        let least_worth = boundary_worth * metric.layer_difference * metric.layer_difference;
        Criterion {
            metric,
            color_mode: options.color_mode,
            speckle_px: options.filter_speckle_px as f32,
            least_worth,
            largest_of_layer_sq: metric.largest_of_layer_sq(),
        }
    }

    /// As in pixel art.
    pub fn is_every_boundary_meant(&self) -> bool {
        self.least_worth == 0.0
    }

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

    /// What is seen of two regions that have joined, by the name of the first, which takes in the other.
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

    /// Whether two regions are one layer, or the boundary between them is not worth its length: painting both in their
    /// common mean adds the harmonic mean of their areas times their squared distance to the error. What is flat on both
    /// sides was drawn, and stays. `cost`: that distance.
    pub fn is_one(&self, (a, b): (&RegionSummary, &RegionSummary), cost: f32, length: u32) -> bool {
        if a.stays && b.stays {
            return false;
        }
        let is_worthless = || cost * (a.area * b.area / (a.area + b.area)) < self.least_worth * length as f32;
        let is_one_layer = || cost <= self.largest_of_layer_sq && self.metric.same_layer(a.mean, b.mean);
        !(a.is_flat && b.is_flat) && is_worthless() || is_one_layer()
    }
}
