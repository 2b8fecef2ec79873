//! Each option has the effect that its description states.

use tracesmith::{Image, Options, trace};

struct Canvas {
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

impl Canvas {
    fn new(width: usize, height: usize, color: impl Fn(usize, usize) -> [u8; 4]) -> Self {
        let rgba = (0..width * height).flat_map(|i| color(i % width, i / width)).collect();
        Canvas { width, height, rgba }
    }

    /// A black shape on white, anti-aliased with 8 × 8 samples per pixel.
    fn shape(width: usize, height: usize, inside: impl Fn(f64, f64) -> bool) -> Self {
        Canvas::new(width, height, |x, y| {
            let hits = (0..64)
                .filter(|k| {
                    inside(x as f64 + (k % 8) as f64 / 8.0 + 0.0625, y as f64 + (k / 8) as f64 / 8.0 + 0.0625)
                })
                .count();
            let gray = (255.0 - 255.0 * hits as f64 / 64.0).round() as u8;
            [gray, gray, gray, 255]
        })
    }

    fn trace(&self, set_options: impl Fn(&mut Options)) -> String {
        let mut options = Options::default();
        set_options(&mut options);
        let image = Image::new(self.width as u32, self.height as u32, &self.rgba).unwrap();
        trace(&image, &options).unwrap()
    }
}

fn count(svg: &str, pattern: &str) -> usize {
    svg.matches(pattern).count()
}

/// Counts path commands in the path data.
fn commands(svg: &str, letters: &str) -> usize {
    svg.split(" d=\"")
        .skip(1)
        .flat_map(|part| part.split('"').next().unwrap().chars())
        .filter(|c| letters.contains(*c))
        .count()
}

const WHITE: [u8; 4] = [255, 255, 255, 255];

#[test]
fn flat_art_keeps_its_exact_colors() {
    let blue = [0x1d, 0xa1, 0xf2, 255];
    let canvas =
        Canvas::new(40, 40, |x, y| if (8..31).contains(&x) && (9..30).contains(&y) { blue } else { WHITE });
    let svg = canvas.trace(|_| {});
    assert!(svg.contains(r##"fill="#fff""##) && svg.contains(r##"fill="#1da1f2""##), "{svg}");
    assert_eq!(count(&svg, "<path"), 2);
    let starts = ["M8 9v21h23v-21z", "M8 30h23v-21h-23z", "M31 30v-21h-23v21z", "M31 9h-23v21h23z"];
    assert!(starts.iter().any(|path| svg.contains(path)), "not a rectangle on pixel boundaries: {svg}");
}

#[test]
fn color_mode_binary_draws_dark_pixels_in_black_only() {
    let canvas = Canvas::new(40, 40, |x, _| if x < 20 { [90, 40, 40, 255] } else { [240, 230, 60, 255] });
    let svg = canvas.trace(|o| o.set("colorMode", "binary").unwrap());
    assert_eq!(count(&svg, "<path"), 1);
    assert_eq!(count(&svg, "fill"), 0, "black is the default fill: {svg}");
    assert!(svg.contains(r#"d="M0 40h20v-40h-20z""#), "{svg}");
}

#[test]
fn filter_speckle_absorbs_shapes_smaller_in_width_and_height() {
    let black = [0, 0, 0, 255];
    // A square of 5 × 5 pixels, and a line that is thinner but longer.
    let canvas = Canvas::new(60, 60, |x, y| match (x, y) {
        (10..15, 10..15) => black,
        (5..55, 40..42) => black,
        _ => WHITE,
    });
    let subpaths = |px: f64| commands(&canvas.trace(|o| o.filter_speckle_px = px), "Mm");
    assert_eq!((subpaths(5.0), subpaths(6.0)), (3, 2));
    let pixel = Canvas::new(9, 9, |x, y| if (x, y) == (4, 4) { black } else { WHITE });
    assert_eq!(commands(&pixel.trace(|o| o.filter_speckle_px = 0.0), "Mm"), 2, "0 keeps every shape");
}

#[test]
fn color_precision_is_the_number_of_bits_compared() {
    let canvas = Canvas::new(40, 40, |x, _| if x < 20 { [100, 100, 100, 255] } else { [112, 112, 112, 255] });
    let colors = |bits: f64| {
        count(&canvas.trace(|o| (o.color_precision_bits, o.layer_difference) = (bits, 0.0)), "<path")
    };
    assert_eq!((colors(8.0), colors(5.0), colors(3.0)), (2, 2, 1));
}

#[test]
fn layer_difference_merges_similar_colors() {
    let canvas = Canvas::new(40, 40, |x, _| if x < 20 { [100, 100, 100, 255] } else { [110, 110, 110, 255] });
    let colors = |step: f64| count(&canvas.trace(|o| o.layer_difference = step), "<path");
    assert_eq!((colors(16.0), colors(30.0), colors(31.0)), (2, 2, 1));
}

#[test]
fn corner_threshold_is_the_smallest_angle_that_stays_sharp() {
    // An octagon's outline turns by 45° at each corner.
    let octagon = Canvas::shape(64, 64, |x, y| {
        let (x, y) = ((x - 32.0).abs(), (y - 32.0).abs());
        x <= 24.0 && y <= 24.0 && x + y <= 33.94
    });
    let sharp = octagon.trace(|o| o.corner_threshold_deg = 30.0);
    let round = octagon.trace(|o| o.corner_threshold_deg = 120.0);
    assert_eq!(commands(&sharp, "csqa"), 0, "not only lines: {sharp}");
    assert!(commands(&round, "csqa") > 0, "{round}");
}

#[test]
fn length_threshold_smooths_short_bumps() {
    let bumpy = Canvas::shape(80, 40, |x, y| y >= if (38.0..40.5).contains(&x) { 18.5 } else { 20.0 });
    let size = |px: f64| bumpy.trace(|o| o.length_threshold_px = px).len();
    assert!(size(0.0) > size(12.0), "{} {}", size(0.0), size(12.0));
}

#[test]
fn a_larger_splice_threshold_gives_fewer_curves() {
    let wave = Canvas::shape(160, 60, |x, y| y >= 30.0 + 14.0 * (x / 9.0).sin());
    let curves = |deg: f64| wave.trace(|o| o.splice_threshold_deg = deg).len();
    assert!(curves(0.0) > curves(180.0), "{} {}", curves(0.0), curves(180.0));
}

#[test]
fn mode_selects_the_segments_of_outlines() {
    let disc = Canvas::shape(64, 64, |x, y| (x - 32.0).hypot(y - 32.0) < 20.0);
    let with = |mode: &str| disc.trace(|o| o.set("mode", mode).unwrap());
    assert!(commands(&with("spline"), "csa") > 0);
    assert_eq!(commands(&with("polygon"), "csa"), 0);
    assert!(commands(&with("polygon"), "l") > 0);
    assert_eq!(commands(&with("none"), "lcsa"), 0, "pixel outlines have only horizontal and vertical lines");
}

#[test]
fn transparency_is_kept() {
    let canvas = Canvas::new(40, 40, |x, _| match x {
        0..10 => [0, 0, 0, 0],
        10..25 => [200, 30, 30, 128],
        _ => [30, 30, 200, 255],
    });
    let svg = canvas.trace(|_| {});
    assert_eq!(count(&svg, "<path"), 2, "a path for transparent pixels: {svg}");
    assert!(
        svg.contains(r##"fill="#c81e1e" fill-opacity=".502""##) || svg.contains("fill-opacity=\".502\""),
        "{svg}"
    );
    let empty = Canvas::new(8, 8, |_, _| [9, 9, 9, 0]);
    assert_eq!(count(&empty.trace(|_| {}), "<path"), 0);
}
