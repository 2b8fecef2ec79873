//! The colors of regions, also where a gradient fills them.

use super::Layers;
use crate::color::Channels;
use crate::geometry::{HAS_GRADIENTS, Point, Shading};

/// What regions are filled with, made ready to tell the colors of many points.
pub(crate) struct RegionPaints {
    width: usize,
    means: Vec<Channels>,
    shadings: Vec<Shading>,
    /// As in [`Layers`].
    gradient_of: Vec<u32>,
}

impl RegionPaints {
    pub fn of(layers: &Layers) -> Self {
        RegionPaints {
            width: layers.width,
            means: layers.fills.iter().map(|fill| fill.channels()).collect(),
            shadings: Shading::all(&layers.gradients),
            gradient_of: layers.gradient_of.clone(),
        }
    }

    /// Regions of one color each.
    pub fn flat(means: Vec<Channels>) -> Self {
        RegionPaints { width: 0, means, shadings: Vec::new(), gradient_of: Vec::new() }
    }

    /// The color of a region; where a gradient fills it, the mean.
    pub fn mean(&self, region: u32) -> Channels {
        self.means[region as usize]
    }

    /// Whether a gradient fills a region.
    pub fn is_shaded(&self, region: u32) -> bool {
        self.shading(region).is_some()
    }

    /// Whether the boundary between two regions may settle. With gradients, that between two of them: the others did before, when no mixed
    /// pixels were there.
    pub fn may_settle(&self, one: u32, other: u32) -> bool {
        let are_flat = !HAS_GRADIENTS || self.gradient_of.is_empty();
        are_flat || self.is_shaded(one) && self.is_shaded(other)
    }

    /// The color of a region at a point.
    pub fn at(&self, region: u32, point: Point) -> Channels {
        self.shading(region).map_or(self.mean(region), |shading| shading.at(point))
    }

    /// The color of a region in a pixel.
    pub fn in_pixel(&self, region: u32, pixel: usize) -> Channels {
        self.shading(region).map_or(self.mean(region), |shading| shading.in_pixel(pixel, self.width))
    }

    fn shading(&self, region: u32) -> Option<&Shading> {
        Shading::find(&self.shadings, &self.gradient_of, region)
    }
}
