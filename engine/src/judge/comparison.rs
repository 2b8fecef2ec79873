//! The drawing beside the image.

use crate::algorithms::kth_smallest;
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::color::{Channels, PremultipliedColor, dot, minus};
use crate::geometry::Drawing;
use crate::raster::Pixels;
use crate::render::Canvas;

/// By how much the pixels of an edge differ from the area that the edge covers, as renderers draw it.
///
/// Unit: levels of one channel (0–255), RMS. Source: measured on the edges of resvg.
pub(crate) const PIXEL_NOISE: f32 = 5.0;

/// How many pixels are looked at to measure noise.
///
/// Unit: count. Source: the median of as many varies by about a fortieth.
const NOISE_SAMPLES: usize = 4096;

/// The median of the sum of three squared normal deviations.
///
/// Unit: variances. Source: the chi-squared distribution of three degrees of freedom.
const MEDIAN_OF_SQUARES: f32 = 2.366;

/// The work of drawing a segment, in the units of [`ProgressMeter`].
pub(crate) const SEGMENT_UNITS: usize = 64;

/// A drawing, drawn, beside the image.
pub(crate) struct Comparison<'a> {
    pub pixels: Pixels<'a>,
    pub canvas: Canvas,
    /// The squared error: over all pixels, in four channels.
    pub error: f64,
}

impl<'a> Comparison<'a> {
    pub fn new(
        drawing: &Drawing,
        pixels: Pixels<'a>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let mut comparison = Comparison { pixels, canvas: Canvas::default(), error: 0.0 };
        comparison.update(drawing, meter)?;
        Ok(comparison)
    }

    /// Compares another drawing with the image.
    pub fn update(&mut self, drawing: &Drawing, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        self.canvas.clear((self.pixels.width, self.pixels.height));
        let mut point = 0;
        for path in drawing.paths() {
            let curves = path.iter().flat_map(|shape| &shape.curves);
            meter.advance(SEGMENT_UNITS * curves.map(|curve| curve.segments.len()).sum::<usize>())?;
            self.canvas.paint(path[0].color.premultiplied().channels(), |outline| {
                for curve in path.iter().flat_map(|shape| &shape.curves) {
                    point = outline.push(curve, point);
                }
            });
        }
        self.canvas.composite();
        let mut error = 0.0;
        self.for_each_difference(meter, |_, lacking| error += f64::from(dot(lacking, lacking)))?;
        self.error = error;
        Ok(())
    }

    /// Compares with other colors of some pixels.
    pub fn replace(&mut self, colors: Vec<(usize, PremultipliedColor)>) {
        let square = |lacking: Channels| f64::from(dot(lacking, lacking));
        for (pixel, color) in colors {
            self.error -= square(self.lacking(pixel));
            self.pixels.replace(pixel, color);
            self.error += square(self.lacking(pixel));
        }
    }

    /// Visits the pixels that differ: first those that edges pass, then the others, each in their order.
    pub fn for_each_difference(
        &self,
        meter: &mut ProgressMeter<'_>,
        mut visit: impl FnMut(usize, Channels),
    ) -> Result<(), Stopped> {
        for part in self.canvas.pixels.chunks(PIXELS_PER_ADVANCE) {
            meter.advance(part.len())?;
            for drawn in part {
                let pixel = drawn.pixel as usize;
                visit(pixel, minus(self.pixels.channels(pixel), drawn.color));
            }
        }
        for (run, color) in self.canvas.flat_runs() {
            meter.advance(run.len())?;
            let flat = PremultipliedColor::nearest(color);
            for pixel in run.filter(|&pixel| self.pixels.color(pixel) != flat) {
                visit(pixel, minus(self.pixels.channels(pixel), color));
            }
        }
        Ok(())
    }

    /// The variance of one channel where no edge is, as half of the pixels show it.
    pub fn flat_noise_sq(&self) -> f32 {
        let step = self.pixels.data.len().div_ceil(NOISE_SAMPLES);
        let flat = (0..self.pixels.data.len()).step_by(step).filter(|&pixel| self.canvas.is_flat(pixel));
        let squares: Vec<f32> = flat.map(|pixel| dot(self.lacking(pixel), self.lacking(pixel))).collect();
        if squares.is_empty() { 0.0 } else { kth_smallest(&squares, squares.len() / 2) / MEDIAN_OF_SQUARES }
    }

    /// What the image has more than the drawing in a pixel.
    pub fn lacking(&self, pixel: usize) -> Channels {
        minus(self.pixels.channels(pixel), self.canvas.color(pixel))
    }
}
