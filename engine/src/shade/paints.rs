//! The colors of regions, pixel by pixel.

use crate::color::Channels;
use crate::geometry::{Gradient, Shading};
use crate::merge::Layers;

/// The paints of regions.
pub(super) struct Paints {
    width: usize,
    colors: Vec<Channels>,
    /// The gradient of each region, if it has one; empty if no region has.
    shadings: Vec<Option<Shading>>,
}

impl Paints {
    pub fn of(layers: &Layers) -> Self {
        let shading = |gradient: &Option<Box<Gradient>>| gradient.as_deref().map(Shading::new);
        Paints {
            width: layers.width,
            colors: layers.fills.iter().map(|fill| fill.channels()).collect(),
            shadings: layers.gradients.iter().map(shading).collect(),
        }
    }

    /// The color of a region in a pixel.
    pub fn at(&self, region: u32, pixel: usize) -> Channels {
        match self.shadings.get(region as usize) {
            Some(Some(shading)) => shading.in_pixel(pixel, self.width),
            _ => self.colors[region as usize],
        }
    }
}
