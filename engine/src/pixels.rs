use std::ops::Range;

use wide::f32x4;

use crate::Options;
use crate::order::ordered;
use crate::runs::{CHUNK, are_opaque_or_transparent};

/// Four channels of one pixel or color: R, G, B premultiplied by alpha, then alpha, 0 to 255.
///
/// Premultiplied values are linear in coverage, so a mixture of two colors lies on the line between them, whether
/// the mixture is of two paints or of a paint and transparency.
pub(crate) type Channels = [f32; 4];

/// The picture as the pipeline compares it.
///
/// # Guarantees
/// `width × height` pixels, each `[r, g, b, a]` with r, g, b premultiplied (never above a); all fully transparent pixels
/// are equal.
pub(crate) struct Pixels<'a> {
    pub width: usize,
    pub height: usize,
    /// In the caller's memory, where that was given.
    pub data: &'a mut [[u8; 4]],
}

/// The bytes of a picture.
pub(crate) enum Rgba<'a> {
    /// To be read.
    Lent(&'a [u8]),
    /// To be worked in.
    Given(&'a mut [u8]),
}

impl Rgba<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Rgba::Lent(bytes) => bytes,
            Rgba::Given(bytes) => bytes,
        }
    }
}

impl<'a> Pixels<'a> {
    /// Converts once, at the door; into `copy` what is only lent.
    pub fn new(rgba: Rgba<'a>, copy: &'a mut Vec<[u8; 4]>, width: usize) -> Self {
        let data = match rgba {
            Rgba::Lent(bytes) => {
                *copy = bytes.as_chunks().0.to_vec();
                copy
            }
            Rgba::Given(bytes) => bytes.as_chunks_mut().0,
        };
        premultiply(data);
        Pixels { width, height: data.len() / width, data }
    }

    /// The same pixels, for a while.
    pub fn lent(&mut self) -> Pixels<'_> {
        Pixels { width: self.width, height: self.height, data: self.data }
    }

    /// The rows, some at a time: so much of them is looked at before a watch is asked.
    pub fn bands(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        const BAND_PX: usize = 1 << 18;
        let (height, rows) = (self.height, (BAND_PX / self.width).max(1));
        (0..height).step_by(rows).map(move |first| first..(first + rows).min(height))
    }

    pub fn channels(&self, index: usize) -> Channels {
        self.data[index].map(f32::from)
    }
}

/// Of drawn art nearly all is opaque or fully transparent, and passed over many at a time; hardly any is written.
fn premultiply(quads: &mut [[u8; 4]]) {
    let (chunks, rest) = quads.as_chunks_mut::<CHUNK>();
    for chunk in chunks {
        match are_opaque_or_transparent(chunk) {
            [true, _] => {}
            [_, true] => *chunk = [[0; 4]; CHUNK],
            _ => *chunk = chunk.map(premultiplied),
        }
    }
    rest.iter_mut().for_each(|quad| *quad = premultiplied(*quad));
}

pub(crate) fn premultiplied([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    match a {
        255 => [r, g, b, a],
        0 => [0; 4],
        _ => {
            let scale = |c: u8| ((u32::from(c) * u32::from(a) + 127) / 255) as u8;
            [scale(r), scale(g), scale(b), a]
        }
    }
}

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
        const ROUNDING: f32 = 1.01;
        let slack = self.slack as f32;
        ROUNDING * (self.layer_difference * self.layer_difference + 4.0 * slack * slack)
    }

    /// Whether a pixel is of the band whose mean is given, when it differs by `pixel_step` from one of it.
    pub fn same_band(&self, mean: Channels, value: Channels, pixel_step: u16) -> bool {
        /// Where neighbors differ by more, a ramp is so steep that its bands are a few pixels wide.
        const LARGEST_STEP: u16 = 1;
        let is_ramp = pixel_step <= LARGEST_STEP;
        self.is_within(if is_ramp { self.band_difference } else { self.layer_difference }, mean, value)
    }

    fn is_within(&self, difference: f32, a: Channels, b: Channels) -> bool {
        let step = self.step(a, b);
        step < difference || (step == 0.0 && self.slack > 0)
    }

    /// No [`pixel_step`](Self::pixel_step) above this can belong to one layer.
    pub fn largest_joining_step(&self) -> u32 {
        (self.layer_difference as u32).max(4 * self.slack)
    }
}

/// The color nearest to a mean or a mixture.
pub(crate) fn rounded(color: Channels) -> [u8; 4] {
    color.map(|v| (v + 0.5) as u8)
}

/// The largest by their areas, of different colors.
pub(crate) fn largest_unlike(ids: Vec<u32>, areas: &[u32], colors: &[Channels], most: usize) -> Vec<u32> {
    /// As near as this (Euclidean, 8-bit levels) two colors are one.
    const SAME_SQ: f32 = 20.0 * 20.0;
    let color = |id: u32| colors[id as usize];
    let mut largest = Vec::with_capacity(most);
    for id in ordered(ids.into_iter(), |id| !areas[id as usize]) {
        if largest.len() < most && largest.iter().all(|&other| distance_sq(color(other), color(id)) > SAME_SQ)
        {
            largest.push(id);
        }
    }
    largest
}

/// Squared Euclidean distance.
pub(crate) fn distance_sq(a: Channels, b: Channels) -> f32 {
    let apart = minus(a, b);
    dot(apart, apart)
}

/// The way from `b` to `a`.
pub(crate) fn minus(a: Channels, b: Channels) -> Channels {
    (f32x4::new(a) - f32x4::new(b)).to_array()
}

pub(crate) fn times(share: f32, color: Channels) -> Channels {
    (f32x4::new(color) * f32x4::splat(share)).to_array()
}

/// `a`, and so much of `b`.
pub(crate) fn plus(a: Channels, share: f32, b: Channels) -> Channels {
    (f32x4::new(a) + f32x4::new(b) * f32x4::splat(share)).to_array()
}

pub(crate) fn dot(a: Channels, b: Channels) -> f32 {
    let [r, g, b, alpha] = (f32x4::new(a) * f32x4::new(b)).to_array();
    r + g + b + alpha
}
