//! What is told of how an image was made.

use tracesmith::{Formation, Image, formation};

const SIDE: usize = 40;

/// Rings and a bar, anti-aliased.
fn drawing(x: usize, y: usize) -> f32 {
    let inside = |k: usize| {
        let (x, y) = (x as f32 + (k % 8) as f32 / 8.0, y as f32 + (k / 8) as f32 / 8.0);
        let radius = (x - 16.3).hypot(y - 15.1);
        (5.2..9.4).contains(&radius) || (x * 0.8 + y * 0.6 - 38.7).abs() < 2.3
    };
    (0..64).filter(|&k| inside(k)).count() as f32 / 64.0
}

fn found(side: usize, share: impl Fn(usize, usize) -> f32) -> Formation {
    let color = |i: usize| {
        let share = share(i % side, i / side);
        [(230.0 - 200.0 * share + 0.5) as u8, 120, (40.0 + 150.0 * share + 0.5) as u8, 255]
    };
    let rgba: Vec<u8> = (0..side * side).flat_map(color).collect();
    let side = side as u32;
    formation(&Image::new(side, side, &rgba).expect("the buffer has the image's size"))
        .expect("no error so far")
}

#[test]
fn an_enlarged_drawing_tells_its_size() {
    let source = |x: usize, y: usize| drawing(x.min(SIDE - 1), y.min(SIDE - 1));
    // A pixel lies a quarter of a source pixel beside the middle of its own.
    let own_and_other =
        |x: usize| (x / 2, if x.is_multiple_of(2) { (x / 2).saturating_sub(1) } else { x / 2 + 1 });
    let enlarged = found(2 * SIDE, |x, y| {
        let ((x, other_x), (y, other_y)) = (own_and_other(x), own_and_other(y));
        let row = |y: usize| 0.75 * source(x, y) + 0.25 * source(other_x, y);
        0.75 * row(y) + 0.25 * row(other_y)
    });
    assert_eq!((enlarged.enlarged_from, enlarged.kernel.is_some()), (Some((SIDE, SIDE)), true));
    let clean = found(SIDE, drawing);
    assert_eq!((clean.enlarged_from, clean.blur_px, clean.grain_levels), (None, None, None));
    assert_eq!(clean.sharpened_percent, None);
}

#[test]
fn a_sharpened_drawing_tells_by_how_much() {
    let side = 2 * SIDE;
    let disk = |x: usize, y: usize| {
        let radius =
            |k: usize| (x as f32 + (k % 8) as f32 / 8.0 - 38.3).hypot(y as f32 + (k / 8) as f32 / 8.0 - 40.6);
        (0..64).filter(|&k| radius(k) < 24.7).count() as f32 / 64.0
    };
    // The mean of 3 × 3 pixels, weighted by 1, 2 and 1.
    let mean = |x: usize, y: usize| {
        let near = |v: usize| [v.saturating_sub(1), v, v, (v + 1).min(side - 1)];
        near(y).iter().map(|&y| near(x).iter().map(|&x| disk(x, y)).sum::<f32>()).sum::<f32>() / 16.0
    };
    // In fewer levels than there are, so that nothing is cut off.
    let sharpened = found(side, |x, y| 0.2 + 0.5 * (1.8 * disk(x, y) - 0.8 * mean(x, y)));
    assert!(sharpened.sharpened_percent.is_some_and(|percent| (50..120).contains(&percent)), "{sharpened:?}");
    assert_eq!((sharpened.enlarged_from, sharpened.blur_px), (None, None));
}

#[test]
fn a_drawing_in_few_colors_tells_how_many() {
    let steps = found(SIDE, |x, y| (drawing(x, y) * 2.0).round() / 2.0);
    assert_eq!((steps.colors, steps.was_reduced, steps.is_pixel_art), (Some(3), false, false));
}
