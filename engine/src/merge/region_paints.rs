//! The colors of regions, also where a gradient fills them.

use super::Layers;
use crate::color::{Channels, distance_sq, projection};
use crate::geometry::{HAS_GRADIENTS, Point, Shading};
use crate::raster::{Labels, Pixels, neighborhood};

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
        self.are_flat() || self.is_shaded(one) && self.is_shaded(other)
    }

    /// Whether no gradients are known, and no pixels are mixed.
    pub fn are_flat(&self) -> bool {
        !HAS_GRADIENTS || self.gradient_of.is_empty()
    }

    /// How much nearer a pixel's color is to one of two regions than to the other, as a difference of squared distances. If more regions
    /// touch the pixel, with sides or corners, each may be mixed with one of these. Also tells whether there are any.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn nearer_by(
        &self,
        pixels: &Pixels,
        labels: &Labels,
        pixel: usize,
        regions: [u32; 2],
    ) -> (f32, bool) {
        let value = pixels.channels(pixel);
        let paints = regions.map(|region| self.in_pixel(region, pixel));
        let mut least = paints.map(|paint| distance_sq(value, paint));
        let mut met = regions[0];
        for row in neighborhood(pixel as u32, (pixels.width, pixels.height), 1) {
            for &id in &labels.ids[row.start as usize..row.end as usize] {
                if id == met || regions.contains(&id) {
                    continue;
                }
                met = id;
                let other = self.in_pixel(id, pixel);
                for (least, paint) in least.iter_mut().zip(paints) {
                    *least = least.min(projection(value, paint, other).0);
                }
            }
        }
        (least[1] - least[0], met != regions[0])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_at_an_edge_is_as_near_to_the_regions_that_it_may_be_mixed_of() {
        let paints =
            RegionPaints::flat([60.0, 80.0, 255.0].map(|level| [level, level, level, 255.0]).to_vec());
        let mut data: Vec<_> =
            [60, 60, 60, 80, 60, 80, 170, 255, 255].map(|level| [level, level, level, 255]).to_vec();
        let pixels = Pixels { width: 3, height: 3, data: &mut data };
        let labels = Labels { ids: vec![0, 0, 0, 1, 1, 1, 1, 2, 2], count: 3 };
        let nearer_by = |pixel| paints.nearer_by(&pixels, &labels, pixel, [0, 1]);
        assert_eq!(nearer_by(0), (1200.0, false));
        assert_eq!(nearer_by(6).0, 0.0, "a mixture of white and either");
        assert_eq!(nearer_by(4), (1200.0, true), "darker than any mixture of the second and white");
    }
}
