//! Drawings with gradients and soft shadows are traced, drawn back and compared with the truth.

use deltae::{DEMethod, DeltaE, LabValue};
use resvg::{tiny_skia, usvg};
use tracesmith::{Image, Options, trace};

use crate::drawings::{Truth, with_gradients, with_shadows};

const SIDES: [u32; 2] = [128, 512];

/// Draws an SVG as straight RGBA.
fn draw(svg: &str, side: u32) -> Vec<u8> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).unwrap();
    let mut pixmap = tiny_skia::Pixmap::new(side, side).unwrap();
    let scale = side as f32 / tree.size().width();
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let straight = |pixel: &tiny_skia::PremultipliedColorU8| {
        let color = pixel.demultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    };
    pixmap.pixels().iter().flat_map(straight).collect()
}

fn on_white(rgba: &[u8]) -> Vec<[u8; 3]> {
    let pixel = |pixel: &[u8]| {
        let alpha = u32::from(pixel[3]);
        [0, 1, 2].map(|c| ((u32::from(pixel[c]) * alpha + 255 * (255 - alpha) + 127) / 255) as u8)
    };
    rgba.chunks_exact(4).map(pixel).collect()
}

fn lab(rgb: [u8; 3]) -> LabValue {
    let [r, g, b] = rgb.map(|c| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let x = f((0.412_456 * r + 0.357_576 * g + 0.180_438 * b) / 0.950_47);
    let y = f(0.212_673 * r + 0.715_152 * g + 0.072_175 * b);
    let z = f((0.019_334 * r + 0.119_192 * g + 0.950_304 * b) / 1.088_83);
    LabValue { l: (116.0 * y - 16.0) as f32, a: (500.0 * (x - y)) as f32, b: (200.0 * (y - z)) as f32 }
}

/// The mean color difference of two images over white, by CIEDE2000.
fn difference(one: &[[u8; 3]], other: &[[u8; 3]]) -> f64 {
    let both = one.iter().zip(other).filter(|(a, b)| a != b);
    let sum: f64 =
        both.map(|(&a, &b)| f64::from(*DeltaE::new(lab(a), lab(b), DEMethod::DE2000).value())).sum();
    sum / one.len() as f64
}

fn traced(rgba: &[u8], side: u32) -> String {
    let mut options = Options::default();
    options.gradients = true;
    trace(&Image::new(side, side, rgba).unwrap(), &options).unwrap()
}

fn as_jpeg(rgba: &[u8], side: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, 75);
    let rgb = on_white(rgba).concat();
    image::ImageEncoder::write_image(encoder, &rgb, side, side, image::ExtendedColorType::Rgb8).unwrap();
    image::load_from_memory(&file).unwrap().to_rgba8().into_raw()
}

/// Means over drawings of both sizes; or the most that these may be.
#[derive(Debug, Default)]
struct Report {
    difference: f64,
    bytes: f64,
    /// Shapes, over those of the truth.
    shapes: f64,
    difference_of_jpeg: f64,
}

impl Report {
    fn assert_within(&self, most: &Report) {
        let pairs = [
            (self.difference, most.difference),
            (self.bytes, most.bytes),
            (self.shapes, most.shapes),
            (self.difference_of_jpeg, most.difference_of_jpeg),
        ];
        assert!(pairs.iter().all(|(found, most)| found <= most), "{self:?} instead of at most {most:?}");
    }
}

fn report(truths: &[Truth]) -> Report {
    let mut sum = Report::default();
    for (k, truth) in truths.iter().enumerate() {
        for side in SIDES {
            let rgba = draw(&truth.svg, side);
            let drawn = on_white(&rgba);
            let [clean, worn] = [&rgba, &as_jpeg(&rgba, side)].map(|rgba| {
                let svg = traced(rgba, side);
                (difference(&drawn, &on_white(&draw(&svg, side))), svg)
            });
            let shapes = ["<path", "<use"].map(|name| clean.1.matches(name).count()).iter().sum::<usize>();
            let ratio = shapes as f64 / truth.shapes as f64;
            println!(
                "{k:2} {side}: {:.3}, {} bytes, {shapes} shapes for {}; as JPEG {:.3}",
                clean.0,
                clean.1.len(),
                truth.shapes,
                worn.0
            );
            sum.difference += clean.0;
            sum.bytes += clean.1.len() as f64;
            sum.shapes += ratio;
            sum.difference_of_jpeg += worn.0;
        }
    }
    let count = (truths.len() * SIDES.len()) as f64;
    let Report { difference, bytes, shapes, difference_of_jpeg } = sum;
    Report {
        difference: difference / count,
        bytes: bytes / count,
        shapes: shapes / count,
        difference_of_jpeg: difference_of_jpeg / count,
    }
}

// The limits are at most a tenth above what was measured.

#[test]
fn gradients_come_back_near_and_short() {
    let most = Report { difference: 0.149, bytes: 940.0, shapes: 1.56, difference_of_jpeg: 0.41 };
    let found = report(&with_gradients());
    println!("{found:?}");
    found.assert_within(&most);
}

#[test]
fn soft_shadows_come_back_near_and_short() {
    let most = Report { difference: 0.157, bytes: 1650.0, shapes: 2.0, difference_of_jpeg: 0.48 };
    let found = report(&with_shadows());
    println!("{found:?}");
    found.assert_within(&most);
}
