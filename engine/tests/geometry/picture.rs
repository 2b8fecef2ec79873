//! Draws images with exact pixel coverage, and degrades them: downsampling and JPEG compression.

use ab_glyph_rasterizer::{Rasterizer, point};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{ExtendedColorType, ImageFormat, RgbaImage};
use kurbo::{BezPath, PathEl, Point, Rect, Shape};
use tracesmith::{Image, Options, trace};

use crate::traced_svg::TracedSvg;

pub type Color = [u8; 3];

pub const WHITE: Color = [255, 255, 255];
pub const BLACK: Color = [0, 0, 0];

/// The accuracy of the lines that replace curves, px.
const FLATNESS_PX: f64 = 0.001;

/// The share of each pixel's area that a path covers, 0 to 1. The path may extend beyond the image.
pub fn coverage(path: &BezPath, width: usize, height: usize) -> Vec<f32> {
    // The rasterizer's canvas must contain the whole path.
    let canvas = path.bounding_box().union(Rect::new(0.0, 0.0, width as f64, height as f64)).expand();
    let (left, top) = (-canvas.x0 as usize, -canvas.y0 as usize);
    let mut raster = Rasterizer::new(canvas.width() as usize, canvas.height() as usize);
    rasterize(&mut raster, path, FLATNESS_PX, |p| point((p.x - canvas.x0) as f32, (p.y - canvas.y0) as f32));
    let mut shares = vec![0.0; width * height];
    raster.for_each_pixel_2d(|x, y, share| {
        let (x, y) = ((x as usize).wrapping_sub(left), (y as usize).wrapping_sub(top));
        if x < width && y < height {
            shares[y * width + x] = share.abs().min(1.0);
        }
    });
    shares
}

/// Draws a path of closed subpaths as lines that deviate from it by at most `flatness`. `to_raster` maps its points to the raster.
pub fn rasterize(
    raster: &mut Rasterizer,
    path: &BezPath,
    flatness: f64,
    to_raster: impl Fn(Point) -> ab_glyph_rasterizer::Point,
) {
    let (mut start, mut from) = (Point::ZERO, Point::ZERO);
    kurbo::flatten(path, flatness, |element| match element {
        PathEl::MoveTo(p) => (start, from) = (p, p),
        PathEl::LineTo(p) => {
            raster.draw_line(to_raster(from), to_raster(p));
            from = p;
        }
        _ => {
            raster.draw_line(to_raster(from), to_raster(start));
            from = start;
        }
    });
}

/// An image to trace.
#[derive(Clone)]
pub struct Picture {
    pub pixels: RgbaImage,
}

impl Picture {
    pub fn new(width: usize, height: usize, background: Color) -> Self {
        let [r, g, b] = background;
        Picture { pixels: RgbaImage::from_pixel(width as u32, height as u32, [r, g, b, 255].into()) }
    }

    pub fn transparent(width: usize, height: usize) -> Self {
        Picture { pixels: RgbaImage::new(width as u32, height as u32) }
    }

    /// Paints a shape over the image. Edge pixels are mixed in sRGB, as in browsers and editors.
    pub fn paint(mut self, shape: &BezPath, color: Color) -> Self {
        let (width, height) = (self.pixels.width() as usize, self.pixels.height() as usize);
        for (pixel, share) in self.pixels.pixels_mut().zip(coverage(shape, width, height)) {
            let below = f32::from(pixel.0[3]) / 255.0;
            let alpha = share + below * (1.0 - share);
            for (channel, value) in pixel.0.iter_mut().zip(color) {
                let mixed = f32::from(value) * share + f32::from(*channel) * below * (1.0 - share);
                *channel = (mixed / alpha.max(1e-6)).round() as u8;
            }
            pixel.0[3] = (alpha * 255.0).round() as u8;
        }
        self
    }

    pub fn paint_rects(self, rects: &[Rect], color: Color) -> Self {
        rects.iter().fold(self, |picture, rect| picture.paint(&rect.to_path(0.1), color))
    }

    /// Paints adjacent shapes. Each pixel is mixed by area in one step; painting one shape after the other would let the background
    /// show through between them.
    pub fn paint_adjacent(mut self, shapes: &[(BezPath, Color)]) -> Self {
        let (width, height) = (self.pixels.width() as usize, self.pixels.height() as usize);
        let mut sums = vec![[0.0f32; 4]; width * height];
        for (shape, color) in shapes {
            for (sum, share) in sums.iter_mut().zip(coverage(shape, width, height)) {
                for (total, value) in sum.iter_mut().zip([color[0], color[1], color[2], 255]) {
                    *total += f32::from(value) * share;
                }
            }
        }
        for (pixel, sum) in self.pixels.pixels_mut().zip(sums) {
            let uncovered = (1.0 - sum[3] / 255.0).max(0.0);
            for (channel, total) in pixel.0.iter_mut().zip(sum) {
                *channel = (f32::from(*channel) * uncovered + total).round().min(255.0) as u8;
            }
        }
        self
    }

    /// Downsamples by an integer factor; each pixel is the weighted mean of those below it.
    pub fn downsampled(mut self, factor: u32) -> Self {
        let (width, height) = (self.pixels.width() / factor, self.pixels.height() / factor);
        self.pixels = imageops::resize(&self.pixels, width, height, FilterType::Triangle);
        self
    }

    /// Enlarges to a width and height by a kernel.
    pub fn enlarged(mut self, (width, height): (u32, u32), kernel: FilterType) -> Self {
        self.pixels = imageops::resize(&self.pixels, width, height, kernel);
        self
    }

    /// Encodes and decodes the image as JPEG.
    pub fn jpeg_compressed(mut self, quality: u8) -> Self {
        let rgb: Vec<u8> = self.pixels.pixels().flat_map(|p| [p.0[0], p.0[1], p.0[2]]).collect();
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        encoder
            .encode(&rgb, self.pixels.width(), self.pixels.height(), ExtendedColorType::Rgb8)
            .expect("a small image can be encoded");
        self.pixels = image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg)
            .expect("the encoded image can be decoded")
            .to_rgba8();
        self
    }

    pub fn trace(&self) -> TracedSvg {
        self.trace_with(|_| {})
    }

    pub fn trace_with(&self, set_options: impl Fn(&mut Options)) -> TracedSvg {
        let mut options = Options::default();
        set_options(&mut options);
        let image = Image::new(self.pixels.width(), self.pixels.height(), self.pixels.as_raw())
            .expect("the buffer matches the size");
        TracedSvg::parse(&trace(&image, &options).expect("the options are in range"))
    }
}

/// The subpaths of a path as closed polylines.
pub fn polylines(path: &BezPath) -> Vec<Vec<Point>> {
    let mut lines: Vec<Vec<Point>> = Vec::new();
    kurbo::flatten(path, FLATNESS_PX, |element| match element {
        PathEl::MoveTo(p) => lines.push(vec![p]),
        PathEl::LineTo(p) => lines.last_mut().expect("a path starts with a move").push(p),
        _ => {
            let line = lines.last_mut().expect("a path starts with a move");
            line.push(line[0]);
        }
    });
    lines
}
