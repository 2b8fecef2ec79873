//! The drawing beside the image.

use wide::f32x4;

use crate::geometry::Drawing;
use crate::raster::Pixels;
use crate::render::Canvas;

/// Marks a pixel without fragments.
const FLAT: u32 = u32::MAX;

/// The drawing beside the image.
pub(crate) struct Comparison {
    pub canvas: Canvas,
    /// The squared error over all pixels.
    pub error: f64,
    /// What the image has more than the drawing, by fragment.
    pub lacking: Vec<f32x4>,
    /// For each fragment, the number of its pixel among those with fragments.
    pub place: Vec<u32>,
    pub places: usize,
    place_of: Vec<u32>,
}

/// Draws a drawing.
fn draw(drawing: &Drawing, (width, height): (usize, usize)) -> Canvas {
    let mut canvas = Canvas::new(width, height);
    let mut slot = 0;
    for group in drawing.shapes.chunk_by(|a, b| a.color == b.color && a.color.is_opaque()) {
        let first = canvas.outline.edges.len();
        for curve in group.iter().flat_map(|shape| &shape.curves) {
            slot = canvas.outline.push(curve, slot);
        }
        canvas.paint(first, group[0].color.premultiplied().channels());
    }
    canvas
}

pub(crate) fn compare(drawing: &Drawing, pixels: &Pixels) -> Comparison {
    let mut canvas = draw(drawing, (pixels.width, pixels.height));
    let mut error = 0.0f64;
    let mut place_of = vec![FLAT; pixels.data.len()];
    let mut lacking = Vec::new();
    canvas.composite(|pixel, color| {
        let lacks = f32x4::new(pixels.channels(pixel as usize)) - color;
        error += f64::from((lacks * lacks).reduce_add());
        place_of[pixel as usize] = lacking.len() as u32;
        lacking.push(lacks);
    });
    for (pixel, _) in place_of.iter().enumerate().filter(|(_, place)| **place == FLAT) {
        if let Some(color) = canvas.flat_color(pixel) {
            let lacks = f32x4::new(pixels.channels(pixel)) - f32x4::new(color);
            error += f64::from((lacks * lacks).reduce_add());
        }
    }
    let place: Vec<u32> = canvas.fragments.iter().map(|fragment| place_of[fragment.pixel as usize]).collect();
    Comparison { canvas, error, places: lacking.len(), lacking, place, place_of }
}

impl Comparison {
    /// What the image has more than the drawing in a pixel.
    pub fn lacking(&self, pixels: &Pixels, pixel: usize) -> f32x4 {
        match self.lacking.get(self.place_of[pixel] as usize) {
            Some(&lacking) => lacking,
            None => {
                let drawn = self.canvas.flat_color(pixel).unwrap_or_default();
                f32x4::new(pixels.channels(pixel)) - f32x4::new(drawn)
            }
        }
    }
}
