//! The color difference of the options `layerDifference` and `colorPrecision`.

use wide::f32x4;

use super::channels::Channels;
use crate::api::Options;

/// Band difference of images with clean ramps, as a share of `layerDifference`.
///
/// A band grows until a pixel is too far from the mean, which lies in the middle of the band. With a whole layer difference, bands would
/// be twice as wide as it and the means of two neighbors as far apart.
///
/// Unit: share (ratio). Source: tuned on drawings: at 1, clip art loses 0.2 dB at its edges and a
/// point of SSIMULACRA2; narrower bands cost bytes.
const CLEAN_RAMP_BAND: f32 = 0.65;

/// Largest step between neighbors on a ramp that is cut into the bands of clean ramps.
///
/// Unit: sum of absolute channel differences (0–255 each). Source: on a steeper ramp, a band would be only a few pixels wide.
const LARGEST_RAMP_STEP: u16 = 1;

/// The squared layer difference is so many times the variance of one channel within a layer.
///
/// Unit: count (parts). Source: derived: a channel differs by a third of it at most, and by a third of the square of that on average.
const SHADE_PARTS: u8 = 27;

/// Measures color differences with the significant bits of `colorPrecision`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColorMetric {
    /// Channel differences up to this are below the significant bits and count as 0.
    slack: u32,
    /// Colors at least this far apart belong to different layers.
    pub layer_difference: f32,
    /// A region that grows along a ramp takes in pixels nearer to its mean than this.
    band_difference: f32,
}

impl ColorMetric {
    pub fn new(options: &Options) -> Self {
        let bits = (options.color_precision_bits + 0.5) as u32;
        let layer_difference = options.layer_difference as f32;
        ColorMetric { slack: (256 >> bits) - 1, layer_difference, band_difference: layer_difference }
    }

    /// The metric for an image with clean ramps, which are cut into narrower bands.
    pub fn of_clean_ramps(self) -> Self {
        ColorMetric { band_difference: CLEAN_RAMP_BAND * self.layer_difference, ..self }
    }

    /// The sum of the significant absolute channel differences.
    pub fn step(&self, a: Channels, b: Channels) -> f32 {
        let apart = (f32x4::new(a) - f32x4::new(b)).abs();
        let significant = apart.simd_gt(f32x4::splat(self.slack as f32));
        let [r, g, b, alpha] = (apart & significant).to_array();
        r + g + b + alpha
    }

    /// Whether two colors belong to one layer.
    pub fn same_layer(&self, a: Channels, b: Channels) -> bool {
        self.is_within(self.layer_difference, a, b)
    }

    /// Whether a pixel belongs to the band with this mean. `pixel_step`: its difference from the neighbor in the band.
    pub fn same_band(&self, mean: Channels, value: Channels, pixel_step: u16) -> bool {
        let is_ramp = pixel_step <= LARGEST_RAMP_STEP;
        self.is_within(if is_ramp { self.band_difference } else { self.layer_difference }, mean, value)
    }

    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn is_within(&self, difference: f32, a: Channels, b: Channels) -> bool {
        let step = self.step(a, b);
        step < difference || (step == 0.0 && self.slack > 0)
    }

    /// The variance of one channel within a layer, if the three channels differ alike, and evenly up to the layer difference in all.
    pub fn shades_sq(&self) -> f32 {
        self.layer_difference * self.layer_difference / f32::from(SHADE_PARTS)
    }

    /// Two colors of one layer differ by no more than this in the sum of their absolute channel differences.
    pub fn largest_joining_step(&self) -> u32 {
        (self.layer_difference as u32).max(4 * self.slack)
    }
}
