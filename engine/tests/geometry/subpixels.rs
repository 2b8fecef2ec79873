//! Print rendered in sub-pixels, each channel a third of a pixel from the next one.
use kurbo::{Affine, BezPath, Point, Rect, Shape};

use crate::picture::{BLACK, Color, Picture, WHITE, coverage};
use crate::truth;

const WIDTH: usize = 120;
const HEIGHT: usize = 60;

/// What a pixel may be off the coverage that was drawn, on average over those that either of the two touches: more than of the same print
/// rendered in gray.
const FARTHER_OFF: f32 = 0.01;

/// Words of stems, bars and rings, at all places within a pixel.
fn words() -> BezPath {
    let mut words = BezPath::new();
    for (row, y) in [6.3, 26.0, 45.6].into_iter().enumerate() {
        for letter in 0..10 {
            let x = 6.0 + 10.4 * f64::from(letter) + 0.37 * row as f64;
            let bar = |x0: f64, y0: f64, x1: f64, y1: f64| Rect::new(x0, y0, x1, y1).to_path(0.1);
            words.extend(bar(x, y - 3.0, x + 1.5, y + 8.0));
            match letter % 3 {
                0 => words.extend(bar(x + 1.5, y + 2.0, x + 6.0, y + 3.4)),
                _ => words.extend(truth::ring(3.6, 2.1, Point::new(x + 5.5, y + 4.4)).outline),
            }
        }
    }
    words
}

/// The words, filtered as usual over five sub-pixels.
fn rendered(words: &BezPath, [paper, ink]: [Color; 2], order: [usize; 3]) -> Picture {
    const FILTER: [f32; 5] = [1.0 / 9.0, 2.0 / 9.0, 3.0 / 9.0, 2.0 / 9.0, 1.0 / 9.0];
    let wide = coverage(&(Affine::scale_non_uniform(3.0, 1.0) * words), 3 * WIDTH, HEIGHT);
    let mut picture = Picture::new(WIDTH, HEIGHT, paper);
    for (i, pixel) in picture.pixels.pixels_mut().enumerate() {
        for (place, &channel) in order.iter().enumerate() {
            // The words leave a margin, so that nothing comes from another row.
            let share: f32 = (0..5)
                .map(|k| FILTER[k] * wide.get((3 * i + place + k).wrapping_sub(2)).copied().unwrap_or(0.0))
                .sum();
            let [paper, ink] = [paper, ink].map(|color| f32::from(color[channel]));
            pixel.0[channel] = (paper + share * (ink - paper)).round() as u8;
        }
    }
    picture
}

/// How far a pixel is off what was drawn, where all of the drawing is of paper and ink.
fn off(picture: &Picture, words: &BezPath, colors: [Color; 2]) -> f32 {
    let traced = picture.trace();
    let is = |found: Color, color: Color| (0..3).all(|c| found[c].abs_diff(color[c]) <= 4);
    let mut covered = vec![0.0; WIDTH * HEIGHT];
    for path in &traced.paths {
        let color = path.color();
        assert!(colors.iter().any(|&one| is(color, one)), "{colors:?}: {color:?} in {}", traced.text);
        if is(color, colors[1]) {
            let of_path = coverage(&path.outline, WIDTH, HEIGHT);
            covered.iter_mut().zip(of_path).for_each(|(sum, share)| *sum += share);
        }
    }
    let drawn = coverage(words, WIDTH, HEIGHT);
    let touched = drawn.iter().zip(&covered).filter(|(drawn, found)| **drawn + **found > 0.0);
    touched.clone().map(|(drawn, found)| (drawn - found).abs()).sum::<f32>() / touched.count() as f32
}

#[test]
fn print_rendered_in_subpixels_comes_out_in_one_ink() {
    let words = words();
    let [light, dark] = [[[40, 44, 52], [220, 223, 228]], [[0xee, 0xee, 0xee], [0x2f, 0x4f, 0x6e]]];
    for (colors, order) in
        [([WHITE, BLACK], [0, 1, 2]), ([WHITE, BLACK], [2, 1, 0]), (light, [0, 1, 2]), (dark, [0, 1, 2])]
    {
        let gray = Picture::new(WIDTH, HEIGHT, colors[0]).paint(&words, colors[1]);
        let [off, of_gray] =
            [rendered(&words, colors, order), gray].map(|picture| off(&picture, &words, colors));
        assert!(off < of_gray + FARTHER_OFF, "{colors:?} {order:?}: off by {off}, in gray {of_gray}");
    }
}

/// Too small to show by themselves how they were rendered.
#[test]
fn dots_and_hyphens_are_of_the_print_beside_them() {
    let words = words();
    // Between the rows of words, two to four pixels from a letter.
    let marks = [(14.0, 18.0, 15.0), (35.3, 40.3, 15.0), (71.7, 73.4, 18.0), (90.0, 92.0, 35.0)];
    let marks = marks.map(|(x0, x1, y)| Rect::new(x0, y + 2.0, x1, y + 3.0));
    let [paper, ink]: [Color; 2] = [[0x48; 3], WHITE];
    let mut all = words.clone();
    marks.iter().for_each(|mark| all.extend(mark.to_path(0.1)));
    let traced = rendered(&all, [paper, ink], [0, 1, 2]).trace();
    for mark in marks {
        let found = traced.color_at(mark.center()).expect("paper, at least");
        assert!(found.iter().all(|&level| level > 0xf0), "{mark:?}: {found:?} in {}", traced.text);
    }
}

/// As by a program that made a screenshot smaller, or for a manual: in every channel away from the mean of the pixels around.
fn sharpened(picture: &Picture) -> Picture {
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
fn sharpened_print_is_of_its_own_ink() {
    const MOST_OFF: u8 = 40;
    let words = words();
    let [paper, ink]: [Color; 2] = [[0xdd; 3], [0x40; 3]];
    let traced = sharpened(&rendered(&words, [paper, ink], [0, 1, 2])).trace();
    let print = traced.paths.iter().find(|path| path.color()[0] < 0x90).expect("there are words");
    assert!(print.color().iter().all(|level| level.abs_diff(ink[0]) <= MOST_OFF), "{:?}", print.color());
    let covered = coverage(&print.outline, WIDTH, HEIGHT);
    let drawn = coverage(&words, WIDTH, HEIGHT);
    let ratio = covered.iter().sum::<f32>() / drawn.iter().sum::<f32>();
    assert!((0.85..1.25).contains(&ratio), "{ratio} of the words is covered: {}", traced.text);
}
