//! Blurred, compressed and noisy images: edges lie where they were drawn, to a fraction of how wide the wear made them.

use image::imageops;
use kurbo::{Point, Rect};

use crate::ground_truth::{self, GroundTruth};
use crate::outline_distance::distances;
use crate::picture::{Color, Picture, WHITE};

const SIDE: usize = 128;

const INKS: [Color; 3] = [[40, 60, 120], [240, 170, 40], [20, 20, 20]];

/// Wear, and how wide an edge is afterwards in px.
///
/// A blur of deviation σ makes it √(2π) σ wide: the width of a ramp as steep as the edge's middle.
type Wear = (&'static str, f64, fn(Picture) -> Picture);

/// Accepted RMS error of edges, as a share of their width.
const MAX_RMS: f64 = 0.05;

/// The same after two kinds of wear.
const MAX_RMS_OF_TWO: f64 = 0.08;

const WEAR: [Wear; 7] = [
    ("blurred by 0.6", 1.5, |picture| blurred(picture, 0.6)),
    ("blurred by 1", 2.5, |picture| blurred(picture, 1.0)),
    ("blurred by 2", 5.0, |picture| blurred(picture, 2.0)),
    ("noise of 4 levels", 1.0, |picture| noisy(picture, 4.0)),
    ("noise of 12 levels", 1.0, |picture| noisy(picture, 12.0)),
    ("JPEG 90", 1.0, |picture| picture.jpeg_compressed(90)),
    ("JPEG 50", 1.0, |picture| picture.jpeg_compressed(50)),
];

const WEAR_ON_WEAR: [Wear; 2] = [
    ("blurred by 1, then JPEG 75", 2.5, |picture| blurred(picture, 1.0).jpeg_compressed(75)),
    ("blurred by 1, then noise of 4 levels", 2.5, |picture| noisy(blurred(picture, 1.0), 4.0)),
];

fn blurred(mut picture: Picture, deviation: f32) -> Picture {
    picture.pixels = imageops::blur(&picture.pixels, deviation);
    picture
}

/// Adds noise of about a normal distribution to each channel: the sum of four uniform values.
fn noisy(mut picture: Picture, deviation: f32) -> Picture {
    let mut state = 1u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    for pixel in picture.pixels.pixels_mut() {
        for value in &mut pixel.0[..3] {
            let normal = (0..4).map(|_| uniform()).sum::<f32>() * 3.0f32.sqrt();
            *value = (f32::from(*value) + deviation * normal).round().clamp(0.0, 255.0) as u8;
        }
    }
    picture
}

fn truths() -> [GroundTruth; 3] {
    [
        ground_truth::circle(21.4, Point::new(36.3, 34.6)),
        ground_truth::square(34.0, 20.0, Point::new(88.4, 84.1)),
        ground_truth::rounded_rect(Rect::new(18.3, 82.7, 49.9, 110.2), 7.0),
    ]
}

/// The edges of all shapes, and no more than a path of ringing.
fn check((name, width, wear): Wear, max_rms: f64) {
    let truths = truths();
    let paper = Picture::new(SIDE, SIDE, WHITE);
    let drawn =
        truths.iter().zip(INKS).fold(paper, |picture, (truth, ink)| picture.paint(&truth.outline, ink));
    let traced = wear(drawn).trace();
    assert!(traced.paths.len() <= truths.len() + 2, "{name}: {}", traced.text);
    for (truth, ink) in truths.iter().zip(INKS) {
        let unlike = |color: Color| (0..3).map(|c| u32::from(color[c].abs_diff(ink[c]))).sum::<u32>();
        let shape = traced.paths[1..].iter().min_by_key(|path| unlike(path.color())).expect("three shapes");
        let found = distances(truth, shape);
        println!("{name}: {found}, {:.1} % of the width", 100.0 * found.rms / width);
        assert!(found.rms < max_rms * width, "{name}: {found} in {}", traced.text);
    }
}

#[test]
fn edges_lie_where_they_were_drawn() {
    WEAR.into_iter().for_each(|wear| check(wear, MAX_RMS));
}

#[test]
fn edges_worn_twice_lie_near_where_they_were_drawn() {
    WEAR_ON_WEAR.into_iter().for_each(|wear| check(wear, MAX_RMS_OF_TWO));
}
