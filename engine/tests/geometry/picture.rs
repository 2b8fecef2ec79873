//! Pictures drawn exactly: each pixel holds the area that a shape covers of it, and what happens to pictures afterwards.
use ab_glyph_rasterizer::{Rasterizer, point};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{ExtendedColorType, ImageFormat, RgbaImage};
use kurbo::{BezPath, PathEl, Point, Rect, Shape};
use tracesmith::{Image, Options, trace};

use crate::traced::Traced;

pub type Color = [u8; 3];

pub const WHITE: Color = [255, 255, 255];
pub const BLACK: Color = [0, 0, 0];

/// Curves are cut into lines that pass this near to them, px.
const FLATNESS_PX: f64 = 0.001;

/// The share of each pixel that a path covers, by area, 0 to 1. The path may leave the picture.
pub fn coverage(path: &BezPath, width: usize, height: usize) -> Vec<f32> {
    // The rasterizer wants room for all of it.
    let room = path.bounding_box().union(Rect::new(0.0, 0.0, width as f64, height as f64)).expand();
    let (left, top) = (-room.x0 as usize, -room.y0 as usize);
    let mut raster = Rasterizer::new(room.width() as usize, room.height() as usize);
    rasterize(&mut raster, path, FLATNESS_PX, |p| point((p.x - room.x0) as f32, (p.y - room.y0) as f32));
    let mut covered = vec![0.0; width * height];
    raster.for_each_pixel_2d(|x, y, share| {
        let (x, y) = ((x as usize).wrapping_sub(left), (y as usize).wrapping_sub(top));
        if x < width && y < height {
            covered[y * width + x] = share.abs().min(1.0);
        }
    });
    covered
}

/// Draws a path of closed parts, cut into lines that pass within `flatness` of it, `at` the places of the raster.
pub fn rasterize(
    raster: &mut Rasterizer,
    path: &BezPath,
    flatness: f64,
    at: impl Fn(Point) -> ab_glyph_rasterizer::Point,
) {
    let (mut start, mut from) = (Point::ZERO, Point::ZERO);
    kurbo::flatten(path, flatness, |element| match element {
        PathEl::MoveTo(p) => (start, from) = (p, p),
        PathEl::LineTo(p) => {
            raster.draw_line(at(from), at(p));
            from = p;
        }
        _ => {
            raster.draw_line(at(from), at(start));
            from = start;
        }
    });
}

/// A picture and what is done to it.
#[derive(Clone)]
pub struct Picture {
    pub pixels: RgbaImage,
}

impl Picture {
    pub fn new(width: usize, height: usize, ground: Color) -> Self {
        let [r, g, b] = ground;
        Picture { pixels: RgbaImage::from_pixel(width as u32, height as u32, [r, g, b, 255].into()) }
    }

    pub fn transparent(width: usize, height: usize) -> Self {
        Picture { pixels: RgbaImage::new(width as u32, height as u32) }
    }

    /// Paints a shape over what is there, mixed in sRGB as browsers and editors do.
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

    /// Paints bars over what is there.
    pub fn paint_bars(self, bars: &[Rect], color: Color) -> Self {
        bars.iter().fold(self, |picture, bar| picture.paint(&bar.to_path(0.1), color))
    }

    /// Shapes side by side, each pixel mixed by area at once: where painting one after the other would let the ground through.
    pub fn mosaic(mut self, shapes: &[(BezPath, Color)]) -> Self {
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
            let bare = (1.0 - sum[3] / 255.0).max(0.0);
            for (channel, total) in pixel.0.iter_mut().zip(sum) {
                *channel = (f32::from(*channel) * bare + total).round().min(255.0) as u8;
            }
        }
        self
    }

    /// Made smaller by a whole factor, each pixel the weighted mean of those it lies on.
    pub fn shrunk(mut self, factor: u32) -> Self {
        let (width, height) = (self.pixels.width() / factor, self.pixels.height() / factor);
        self.pixels = imageops::resize(&self.pixels, width, height, FilterType::Triangle);
        self
    }

    /// Saved as JPEG and read again.
    pub fn through_jpeg(mut self, quality: u8) -> Self {
        let rgb: Vec<u8> = self.pixels.pixels().flat_map(|p| [p.0[0], p.0[1], p.0[2]]).collect();
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        encoder
            .encode(&rgb, self.pixels.width(), self.pixels.height(), ExtendedColorType::Rgb8)
            .expect("a small picture can be encoded");
        self.pixels = image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg)
            .expect("what was just encoded can be decoded")
            .to_rgba8();
        self
    }

    pub fn trace(&self) -> Traced {
        self.trace_with(|_| {})
    }

    pub fn trace_with(&self, change: impl Fn(&mut Options)) -> Traced {
        let mut options = Options::default();
        change(&mut options);
        let image = Image::new(self.pixels.width(), self.pixels.height(), self.pixels.as_raw())
            .expect("the buffer has the size it says");
        Traced::parse(&trace(&image, &options).expect("the options are in range"))
    }
}

/// A path's outline as points, each subpath closed.
pub fn polylines(path: &BezPath) -> Vec<Vec<Point>> {
    let mut lines: Vec<Vec<Point>> = Vec::new();
    kurbo::flatten(path, FLATNESS_PX, |element| match element {
        PathEl::MoveTo(p) => lines.push(vec![p]),
        PathEl::LineTo(p) => lines.last_mut().expect("a path begins with a move").push(p),
        _ => {
            let line = lines.last_mut().expect("a path begins with a move");
            line.push(line[0]);
        }
    });
    lines
}
