//! Images with both pixel-aligned and anti-aliased shapes, such as screenshots: the aligned ones keep their corners.

use kurbo::{BezPath, ParamCurve, PathEl, Point, Rect, Shape};

use crate::ground_truth;
use crate::picture::{BLACK, Color, Picture, WHITE, coverage};
use crate::traced_svg::TracedPath;

const GRAY: Color = [0xd8, 0xd8, 0xd4];
const BLUE: Color = [0x30, 0x60, 0xb0];

fn rect(x: f64, y: f64, width: f64, height: f64) -> Rect {
    Rect::new(x, y, x + width, y + height)
}

/// An image with circles, so that it counts as anti-aliased.
fn with_circles() -> Picture {
    let circle = |x: f64| ground_truth::circle(9.3, Point::new(x, 14.2)).outline;
    [90.4, 114.7].into_iter().fold(Picture::new(130, 60, GRAY), |picture, x| picture.paint(&circle(x), BLUE))
}

fn is_on_grid(path: &TracedPath) -> bool {
    let is_whole = |point: &Point| point.x.fract() == 0.0 && point.y.fract() == 0.0;
    path.outline.elements().iter().all(|element| match element {
        PathEl::MoveTo(point) | PathEl::LineTo(point) => is_whole(point),
        PathEl::ClosePath => true,
        _ => false,
    })
}

fn area(path: &TracedPath) -> f64 {
    path.outline.area().abs()
}

#[test]
fn symbols_one_pixel_thick_keep_every_corner() {
    let plus = [rect(6.0, 8.0, 5.0, 1.0), rect(8.0, 6.0, 1.0, 5.0)];
    let large_plus = [rect(20.0, 10.0, 9.0, 1.0), rect(24.0, 6.0, 1.0, 9.0)];
    let letter = [rect(40.0, 6.0, 1.0, 12.0), rect(40.0, 6.0, 7.0, 1.0), rect(40.0, 11.0, 5.0, 1.0)];
    let bracket = [rect(60.0, 6.0, 2.0, 14.0), rect(60.0, 6.0, 6.0, 2.0)];
    let symbols = [&plus[..], &large_plus, &letter, &bracket].concat();
    let traced = with_circles().paint_rects(&symbols, BLACK).trace();
    let black: Vec<_> = traced.paths.iter().filter(|path| path.color() == BLACK).collect();
    assert!(black.iter().all(|path| is_on_grid(path)), "{}", traced.text);
    assert_eq!(black.iter().map(|path| area(path)).sum::<f64>(), 9.0 + 17.0 + 22.0 + 36.0, "{}", traced.text);
}

/// A button: light at the top and on the left, dark at the bottom and on the right.
#[test]
fn bevels_meet_in_sharp_corners() {
    let light = [rect(10.0, 30.0, 41.0, 1.0), rect(10.0, 30.0, 1.0, 21.0)];
    let dark = [rect(10.0, 50.0, 41.0, 1.0), rect(50.0, 30.0, 1.0, 21.0)];
    let traced = with_circles().paint_rects(&light, WHITE).paint_rects(&dark, BLACK).trace();
    for color in [WHITE, BLACK] {
        let path = traced.paths.iter().find(|path| path.color() == color);
        assert!(path.is_some_and(is_on_grid), "{color:?}: {}", traced.text);
    }
}

/// Digits whose stems are hinted to whole pixels, so that few of their pixels are partly covered.
fn hinted_text(top: f64) -> Vec<Rect> {
    let five = |x: f64| {
        [
            rect(x, top, 4.0, 1.0),
            rect(x, top + 1.0, 1.0, 1.85),
            rect(x, top + 2.85, 3.15, 1.0),
            rect(x + 3.15, top + 3.85, 1.0, 2.15),
            rect(x, top + 6.0, 3.15, 1.15),
        ]
    };
    (0..3).flat_map(|k| five(6.0 + 6.0 * f64::from(k))).collect()
}

/// Hinted text has few mixed pixels from which to place its outlines.
#[test]
fn hinted_text_keeps_its_coverage() {
    const MAX_RMS: f32 = 0.1;
    let word = hinted_text(40.0);
    let outlines = |rects: &[Rect]| rects.iter().flat_map(|rect| rect.to_path(0.1)).collect::<BezPath>();
    let traced = with_circles().paint_rects(&word, BLACK).trace();
    let [print] = traced.paths.iter().filter(|path| path.color() == BLACK).collect::<Vec<_>>()[..] else {
        panic!("{}", traced.text)
    };
    let [drawn, found] = [&outlines(&word), &print.outline].map(|outline| coverage(outline, 30, 50));
    let errors_sq =
        drawn.iter().zip(&found).filter(|(drawn, _)| **drawn > 0.0).map(|(a, b)| (a - b) * (a - b));
    let count = drawn.iter().filter(|drawn| **drawn > 0.0).count() as f32;
    let rms = (errors_sq.sum::<f32>() / count).sqrt();
    assert!(rms < MAX_RMS, "{rms}: {}", traced.text);
}

/// A lighter color is not mistaken for thinner strokes of the darker one.
#[test]
fn text_in_two_colors_keeps_both() {
    const SLATE: Color = [0x3c, 0x46, 0x5a];
    let picture = with_circles().paint_rects(&hinted_text(6.0), BLACK);
    let traced = picture.paint_rects(&hinted_text(40.0), SLATE).trace();
    for ink in [BLACK, SLATE] {
        assert!(traced.paths.iter().any(|path| path.color() == ink), "{ink:?}: {}", traced.text);
    }
}

/// The dot of an i is kept although it is smaller than a speckle; the same dot away from text is absorbed.
#[test]
fn dots_of_letters_are_not_speckles() {
    let dotted = |x: f64| [rect(x, 36.0, 1.2, 1.0), rect(x, 39.2, 1.2, 7.0), rect(x + 3.0, 39.2, 1.2, 7.0)];
    let word: Vec<Rect> = (0..4).flat_map(|k| dotted(6.3 + 8.2 * f64::from(k))).collect();
    let speck = rect(60.3, 20.2, 1.2, 1.0);
    let traced = with_circles().paint_rects(&word, BLACK).paint_rects(&[speck], BLACK).trace();
    let black: BezPath = traced
        .paths
        .iter()
        .filter(|path| path.color() == BLACK)
        .flat_map(|path| path.outline.iter())
        .collect();
    let covered = coverage(&black, 130, 60);
    for rect in &word {
        let at = rect.y0 as usize * 130 + rect.x0 as usize;
        assert!(covered[at] + covered[at + 1] > 0.5, "{rect:?}: {}", traced.text);
    }
    assert_eq!(covered[20 * 130 + 60], 0.0, "{}", traced.text);
}

/// Pixel-aligned text without mixed pixels. The last dots of an ellipsis have only other dots beside them.
#[test]
fn dots_of_pixel_aligned_letters_are_not_speckles() {
    let stems = (0..4).map(|k| rect(6.0 + 8.0 * f64::from(k), 38.0, 1.0, 7.0));
    let letters: Vec<Rect> = stems.chain([rect(9.0, 41.0, 4.0, 1.0), rect(17.0, 44.0, 4.0, 1.0)]).collect();
    let dots = [(6.0, 35.0), (22.0, 35.0), (33.0, 44.0), (36.0, 44.0), (39.0, 44.0)];
    let dots = dots.map(|(x, y)| rect(x, y, 1.0, 1.0));
    // One is isolated; the others are beside a shape that is larger than a letter or has another color.
    let specks = [(60.0, 20.0), (58.0, 40.0), (6.0, 48.0)].map(|(x, y)| rect(x, y, 1.0, 1.0));
    const RED: Color = [0xc0, 0x20, 0x20];
    for ink in [BLACK, [0x80; 3]] {
        let picture = with_circles().paint_rects(&letters, ink).paint_rects(&dots, ink);
        let picture = picture.paint_rects(&[rect(60.0, 28.0, 64.0, 28.0)], ink);
        let traced = picture.paint_rects(&specks[..2], ink).paint_rects(&specks[2..], RED).trace();
        for dot in dots {
            assert_eq!(traced.color_at(dot.center()), Some(ink), "{dot:?}: {}", traced.text);
        }
        for speck in specks {
            assert_eq!(traced.color_at(speck.center()), Some(GRAY), "{speck:?}: {}", traced.text);
        }
    }
}

/// A button: a frame with round corners whose field and surroundings have different colors. Its straight sides are pixel-aligned.
#[test]
fn frames_with_round_corners_are_closed() {
    const SAND: Color = [0xa9, 0x99, 0x75];
    for (ink, side) in [SAND, [0x80; 3]].into_iter().flat_map(|ink| [12.0, 16.0].map(|side| (ink, side))) {
        let field = |inset: f64| {
            let rect = rect(10.0 + inset, 20.0 + inset, side - 2.0 * inset, side - 2.0 * inset);
            rect.to_rounded_rect(2.0 - inset).to_path(0.01)
        };
        let traced = with_circles().paint(&field(0.0), ink).paint(&field(1.0), WHITE).trace();
        for segment in field(0.5).segments() {
            let at = segment.eval(0.5);
            assert_eq!(traced.color_at(at), Some(ink), "{side} at {at:?}: {}", traced.text);
        }
    }
}

/// As on a disabled button: gray text over white text that is offset by one pixel to the bottom right.
#[test]
fn embossed_text_stays_legible() {
    let letters = hinted_text(36.0);
    let highlights: Vec<Rect> = letters.iter().map(|stem| *stem + kurbo::Vec2::new(1.0, 1.0)).collect();
    let [gray, white] = [[0x80; 3], WHITE];
    let picture = with_circles().paint_rects(&highlights, white).paint_rects(&letters, gray);
    let traced = picture.trace();
    let (mut wrong, mut count) = (0, 0);
    for (x, y, pixel) in picture.pixels.enumerate_pixels().filter(|(x, ..)| *x < 30) {
        let at = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let found = traced.color_at(at).expect("a background");
        let is_full = [gray, white].iter().any(|color| pixel.0[..3] == color[..]);
        count += u32::from(is_full);
        wrong += u32::from(is_full && found.iter().zip(pixel.0).any(|(a, b)| a.abs_diff(b) > 8));
    }
    assert!(wrong * 20 <= count, "{wrong} of {count}: {}", traced.text);
}

/// The sides are long enough to be found as straight lines; the corners that remain between them are smaller than a speckle.
#[test]
fn corners_of_long_frames_join_their_sides() {
    let (left, top, right, bottom) = (10.0, 20.0, 60.0, 50.0);
    let field = rect(left + 1.0, top + 1.0, right - left - 2.0, bottom - top - 2.0);
    let sides = [
        rect(left + 2.0, top, right - left - 4.0, 1.0),
        rect(left + 2.0, bottom - 1.0, right - left - 4.0, 1.0),
        rect(left, top + 2.0, 1.0, bottom - top - 4.0),
        rect(right - 1.0, top + 2.0, 1.0, bottom - top - 4.0),
    ];
    let corners = [
        (left + 1.0, top + 1.0),
        (right - 2.0, top + 1.0),
        (left + 1.0, bottom - 2.0),
        (right - 2.0, bottom - 2.0),
    ];
    let corners = corners.map(|(x, y)| rect(x, y, 1.0, 1.0));
    // The pixels beside each corner pixel are a quarter covered, because the corner is rounded.
    let pale = corners.map(|corner| {
        let (x, y) = (corner.x0, corner.y0);
        let outer_x = if x < 30.0 { x - 0.25 } else { x + 1.0 };
        let outer_y = if y < 30.0 { y - 0.25 } else { y + 1.0 };
        [rect(outer_x, y, 0.25, 1.0), rect(x, outer_y, 1.0, 0.25)]
    });
    let ink = [0x46; 3];
    let frame = [&sides[..], &corners, pale.as_flattened()].concat();
    let traced = with_circles().paint_rects(&[field], [0xc0; 3]).paint_rects(&frame, ink).trace();
    for part in sides.iter().chain(&corners) {
        assert_eq!(traced.color_at(part.center()), Some(ink), "{part:?}: {}", traced.text);
    }
}

#[test]
fn a_disk_without_antialiasing_has_few_slivers() {
    const MOST_SUBPATHS: usize = 5;
    let mut picture = Picture::new(200, 200, WHITE);
    for (x, y, pixel) in picture.pixels.enumerate_pixels_mut() {
        if (f64::from(x) - 99.5).hypot(f64::from(y) - 99.5) < 20.0 {
            pixel.0 = [0, 0, 0, 255];
        }
    }
    let traced = picture.trace();
    let starts = |path: &TracedPath| {
        path.outline.elements().iter().filter(|element| matches!(element, PathEl::MoveTo(_))).count()
    };
    let count: usize = traced.paths.iter().map(starts).sum();
    assert!(count <= MOST_SUBPATHS, "{count} subpaths in {}", traced.text);
}
