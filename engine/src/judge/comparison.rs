//! The drawing beside the image.

use crate::color::{Channels, dot, minus};
use crate::geometry::Drawing;
use crate::raster::Pixels;
use crate::render::{Canvas, Rendering};

/// A drawing, drawn, beside the image.
pub(crate) struct Comparison<'a> {
    pub pixels: &'a Pixels<'a>,
    pub rendering: Rendering,
    /// The squared error: over all pixels, in four channels.
    pub error: f64,
}

impl<'a> Comparison<'a> {
    pub fn new(drawing: &Drawing, pixels: &'a Pixels<'a>) -> Self {
        let mut canvas = Canvas::new((pixels.width, pixels.height));
        let mut slot = 0;
        for path in drawing.paths() {
            canvas.paint(path[0].color.premultiplied().channels(), |outline| {
                for curve in path.iter().flat_map(|shape| &shape.curves) {
                    slot = outline.push(curve, slot);
                }
            });
        }
        let rendering = Rendering::new(canvas);
        let mut comparison = Comparison { pixels, rendering, error: 0.0 };
        comparison.error = comparison.squared_error();
        comparison
    }

    #[inline(never)]
    fn squared_error(&self) -> f64 {
        let mut error = 0.0;
        let mut add = |lacking: Channels| error += f64::from(dot(lacking, lacking));
        for drawn in &self.rendering.pixels {
            add(minus(self.pixels.channels(drawn.pixel as usize), drawn.color));
        }
        for pixel in 0..self.pixels.data.len() {
            if let Some(color) = self.rendering.flat_color(pixel) {
                add(minus(self.pixels.channels(pixel), color));
            }
        }
        error
    }

    /// What the image has more than the drawing in a pixel.
    #[inline(never)]
    pub fn lacking(&self, pixel: usize) -> Channels {
        minus(self.pixels.channels(pixel), self.rendering.color(pixel))
    }
}
