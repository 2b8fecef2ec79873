//! Sub-pixel rendered text: the channels are a third of a pixel apart.

use kurbo::{Affine, BezPath, Point, Rect, Shape};

use crate::ground_truth;
use crate::picture::{BLACK, Color, Picture, WHITE, coverage};

const WIDTH: usize = 120;
const HEIGHT: usize = 60;

/// How much the mean coverage error may exceed that of the same text rendered in gray.
const ADDED_ERROR: f32 = 0.01;

/// The area in other colors than the text's: where bars meet rings, a few pixels keep the color that they show.
const MOST_OTHER_PX: f32 = 3.0;

/// Words of stems, bars and rings, at various positions within a pixel.
fn words() -> BezPath {
    let mut words = BezPath::new();
    for (row, y) in [6.3, 26.0, 45.6].into_iter().enumerate() {
        for letter in 0..10 {
            let x = 6.0 + 10.4 * f64::from(letter) + 0.37 * row as f64;
            let bar = |x0: f64, y0: f64, x1: f64, y1: f64| Rect::new(x0, y0, x1, y1).to_path(0.1);
            words.extend(bar(x, y - 3.0, x + 1.5, y + 8.0));
            match letter % 3 {
                0 => words.extend(bar(x + 1.5, y + 2.0, x + 6.0, y + 3.4)),
                _ => words.extend(ground_truth::ring(3.6, 2.1, Point::new(x + 5.5, y + 4.4)).outline),
            }
        }
    }
    words
}

/// Renders the words with the usual filter of five sub-pixels.
fn render_subpixels(words: &BezPath, [background, ink]: [Color; 2], order: [usize; 3]) -> Picture {
    const FILTER: [f32; 5] = [1.0 / 9.0, 2.0 / 9.0, 3.0 / 9.0, 2.0 / 9.0, 1.0 / 9.0];
    let wide = coverage(&(Affine::scale_non_uniform(3.0, 1.0) * words), 3 * WIDTH, HEIGHT);
    let mut picture = Picture::new(WIDTH, HEIGHT, background);
    for (i, pixel) in picture.pixels.pixels_mut().enumerate() {
        for (subpixel, &channel) in order.iter().enumerate() {
            // The image has a margin, so that the filter does not reach into another row.
            let share: f32 = (0..5)
                .map(|k| FILTER[k] * wide.get((3 * i + subpixel + k).wrapping_sub(2)).copied().unwrap_or(0.0))
                .sum();
            let [background, ink] = [background, ink].map(|color| f32::from(color[channel]));
            pixel.0[channel] = (background + share * (ink - background)).round() as u8;
        }
    }
    picture
}

/// The mean error of the coverage over all pixels that text or paths touch, and the area in colors besides background and ink.
fn coverage_error(picture: &Picture, words: &BezPath, colors: [Color; 2]) -> (f32, f32) {
    let traced = picture.trace();
    let is_close = |found: Color, color: Color| (0..3).all(|c| found[c].abs_diff(color[c]) <= 4);
    let (mut covered, mut others) = (vec![0.0; WIDTH * HEIGHT], 0.0);
    for path in traced.paths.iter().filter(|path| !is_close(path.color(), colors[0])) {
        let of_path = coverage(&path.outline, WIDTH, HEIGHT);
        if is_close(path.color(), colors[1]) {
            covered.iter_mut().zip(of_path).for_each(|(sum, share)| *sum += share);
        } else {
            others += of_path.iter().sum::<f32>();
        }
    }
    let drawn = coverage(words, WIDTH, HEIGHT);
    let touched = drawn.iter().zip(&covered).filter(|(drawn, found)| **drawn + **found > 0.0);
    let error = touched.clone().map(|(drawn, found)| (drawn - found).abs()).sum::<f32>();
    (error / touched.count() as f32, others)
}

#[test]
fn subpixel_text_is_traced_in_one_color() {
    let words = words();
    let [light, dark] = [[[40, 44, 52], [220, 223, 228]], [[0xee, 0xee, 0xee], [0x2f, 0x4f, 0x6e]]];
    for (colors, order) in
        [([WHITE, BLACK], [0, 1, 2]), ([WHITE, BLACK], [2, 1, 0]), (light, [0, 1, 2]), (dark, [0, 1, 2])]
    {
        let gray = Picture::new(WIDTH, HEIGHT, colors[0]).paint(&words, colors[1]);
        let [(error, others), (gray_error, _)] = [render_subpixels(&words, colors, order), gray]
            .map(|picture| coverage_error(&picture, &words, colors));
        assert!(others < MOST_OTHER_PX, "{colors:?} {order:?}: {others} px² in other colors");
        assert!(
            error < gray_error + ADDED_ERROR,
            "{colors:?} {order:?}: error {error}, in gray {gray_error}"
        );
    }
}

/// Dots and hyphens are too small to be recognized as sub-pixel rendered without the text beside them.
#[test]
fn dots_and_hyphens_have_the_color_of_the_text_beside_them() {
    let words = words();
    // Between the lines of text, two to four pixels from a letter.
    let marks = [(14.0, 18.0, 15.0), (35.3, 40.3, 15.0), (71.7, 73.4, 18.0), (90.0, 92.0, 35.0)];
    let marks = marks.map(|(x0, x1, y)| Rect::new(x0, y + 2.0, x1, y + 3.0));
    let [background, ink]: [Color; 2] = [[0x48; 3], WHITE];
    let mut all = words.clone();
    marks.iter().for_each(|mark| all.extend(mark.to_path(0.1)));
    let traced = render_subpixels(&all, [background, ink], [0, 1, 2]).trace();
    for mark in marks {
        let found = traced.color_at(mark.center()).expect("a background");
        assert!(found.iter().all(|&level| level > 0xf0), "{mark:?}: {found:?} in {}", traced.text);
    }
}

/// Sharpens each channel, as software that downsamples screenshots does.
fn sharpen(picture: &Picture) -> Picture {
    const AMOUNT: f32 = 0.5;
    let mut sharpened = picture.clone();
    for (x, y, pixel) in sharpened.pixels.enumerate_pixels_mut() {
        for channel in 0..3 {
            let level = |x: u32, y: u32| f32::from(picture.pixels.get_pixel(x, y).0[channel]);
            let columns = x.saturating_sub(1)..=(x + 1).min(WIDTH as u32 - 1);
            let rows = y.saturating_sub(1)..=(y + 1).min(HEIGHT as u32 - 1);
            let count = columns.clone().count() * rows.clone().count();
            let sum: f32 = rows.flat_map(|y| columns.clone().map(move |x| level(x, y))).sum();
            let own = level(x, y);
            pixel.0[channel] = (own + AMOUNT * (own - sum / count as f32)).round().clamp(0.0, 255.0) as u8;
        }
    }
    sharpened
}

#[test]
fn sharpened_text_keeps_its_color() {
    const MAX_DIFFERENCE: u8 = 40;
    let words = words();
    let [background, ink]: [Color; 2] = [[0xdd; 3], [0x40; 3]];
    let traced = sharpen(&render_subpixels(&words, [background, ink], [0, 1, 2])).trace();
    let text = traced.paths.iter().find(|path| path.color()[0] < 0x90).expect("a path for the text");
    assert!(text.color().iter().all(|level| level.abs_diff(ink[0]) <= MAX_DIFFERENCE), "{:?}", text.color());
    let covered = coverage(&text.outline, WIDTH, HEIGHT);
    let drawn = coverage(&words, WIDTH, HEIGHT);
    let ratio = covered.iter().sum::<f32>() / drawn.iter().sum::<f32>();
    assert!((0.85..1.25).contains(&ratio), "{ratio} of the text is covered: {}", traced.text);
}
