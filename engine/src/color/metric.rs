use wide::f32x4;

use super::channels::Channels;
use crate::api::Options;

/// How far apart two colors are, under `colorPrecision`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColorMetric {
    /// Channel differences up to this are below the significant bits.
    slack: u32,
    /// Colors at least this far apart belong to two layers.
    pub layer_difference: f32,
    /// A region that grows along a ramp takes in pixels less far from its mean than this.
    band_difference: f32,
}

impl ColorMetric {
    pub fn new(options: &Options) -> Self {
        let bits = (options.color_precision_bits + 0.5) as u32;
        let layer_difference = options.layer_difference as f32;
        ColorMetric { slack: (256 >> bits) - 1, layer_difference, band_difference: layer_difference }
    }

    /// For a picture with clean ramps. A band grows until its pixels are too far from its mean, which lies in its middle: were that
    /// a whole layer difference, bands would be twice as wide, and the means of two as far apart.
    pub fn of_clean_ramps(self) -> Self {
        const BAND: f32 = 0.65;
        ColorMetric { band_difference: BAND * self.layer_difference, ..self }
    }

    /// Sum of the significant absolute channel differences.
    pub fn step(&self, a: Channels, b: Channels) -> f32 {
        let apart = (f32x4::new(a) - f32x4::new(b)).abs();
        let significant = apart.simd_gt(f32x4::splat(self.slack as f32));
        let [r, g, b, alpha] = (apart & significant).to_array();
        r + g + b + alpha
    }

    /// Whether two colors are of one layer.
    pub fn same_layer(&self, a: Channels, b: Channels) -> bool {
        self.is_within(self.layer_difference, a, b)
    }

    /// The squared distance of two colors of one layer is no larger: their significant differences add up to less than a layer's, and
    /// each of the others is below the significant bits.
    pub fn largest_of_layer_sq(&self) -> f32 {
        const LAYER_ROUNDING: f32 = 1.01;
        let slack = self.slack as f32;
        LAYER_ROUNDING * (self.layer_difference * self.layer_difference + 4.0 * slack * slack)
    }

    /// Whether a pixel is of the band whose mean is given, when it differs by `pixel_step` from one of it.
    pub fn same_band(&self, mean: Channels, value: Channels, pixel_step: u16) -> bool {
        /// Where neighbors differ by more, a ramp is so steep that its bands are a few pixels wide.
        const LARGEST_RAMP_STEP: u16 = 1;
        let is_ramp = pixel_step <= LARGEST_RAMP_STEP;
        self.is_within(if is_ramp { self.band_difference } else { self.layer_difference }, mean, value)
    }

    fn is_within(&self, difference: f32, a: Channels, b: Channels) -> bool {
        let step = self.step(a, b);
        step < difference || (step == 0.0 && self.slack > 0)
    }

    /// No [`step`](Self::step) above this can belong to one layer.
    pub fn largest_joining_step(&self) -> u32 {
        (self.layer_difference as u32).max(4 * self.slack)
    }
}
