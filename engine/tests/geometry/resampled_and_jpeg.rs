//! Downsampled and JPEG-compressed images: edges are less accurate, but lines stay straight and circles round.

use kurbo::Point;

use crate::ground_truth::{self, GroundTruth};
use crate::outline_distance::distances;
use crate::picture::{Color, Picture, WHITE};

const INK: Color = [40, 60, 120];
const CENTER: Point = Point::new(50.3, 49.6);

/// A way to degrade an image, and the RMS edge error in px that is accepted afterwards.
type Degradation = (&'static str, fn(&GroundTruth) -> Picture, f64);

fn draw(truth: &GroundTruth) -> Picture {
    Picture::new(100, 100, WHITE).paint(&truth.outline, INK)
}

/// Drawn at three times the size, then downsampled.
fn draw_downsampled(truth: &GroundTruth) -> Picture {
    let large = kurbo::Affine::scale(3.0) * truth.outline.clone();
    Picture::new(300, 300, WHITE).paint(&large, INK).downsampled(3)
}

const DEGRADATIONS: [Degradation; 3] = [
    ("downsampled", draw_downsampled, 0.1),
    ("jpeg 90", |truth| draw(truth).jpeg_compressed(90), 0.2),
    ("jpeg 75", |truth| draw(truth).jpeg_compressed(75), 0.2),
];

fn check(name: &str, truth: &GroundTruth, max_nodes: usize) {
    for (degradation, draw_degraded, max_rms) in DEGRADATIONS {
        let traced = draw_degraded(truth).trace();
        // Ringing may leave speckles; the shape is the largest path.
        let area = |path: &&crate::traced_svg::TracedPath| kurbo::Shape::area(&path.outline).abs() as i64;
        let shape = traced.paths[1..].iter().max_by_key(area).expect("a shape on the background");
        let found = distances(truth, shape);
        let nodes = found.lines + found.cubics + found.arcs;
        println!("{name} {degradation}: {found}");
        assert!(
            found.rms < max_rms && nodes <= max_nodes,
            "{name} {degradation}: {found} in {}",
            traced.text
        );
    }
}

#[test]
fn squares_stay_straight() {
    for degrees in [0.0, 30.0, 45.0] {
        check(&format!("square {degrees}"), &ground_truth::square(40.0, degrees, CENTER), 12);
    }
}

#[test]
fn circles_stay_round() {
    for radius in [20.0, 40.0] {
        check(&format!("circle {radius}"), &ground_truth::circle(radius, CENTER), 12);
    }
}

/// JPEG ringing overshoots the colors on both sides of an edge and must not be mistaken for a stroke.
#[test]
fn jpeg_compressed_outlines_have_no_speckles() {
    const GRAY: Color = [155, 155, 154];
    let center = Point::new(100.3, 99.6);
    let body = ground_truth::circle(70.2, center);
    let outline = ground_truth::ring(75.2, 64.9, center);
    let eyes = [-24.0, 24.0].map(|x| ground_truth::circle(9.3, Point::new(center.x + x, center.y - 14.0)));
    let picture = Picture::new(200, 200, WHITE).paint(&body.outline, GRAY).paint(&outline.outline, [0; 3]);
    let picture = eyes.iter().fold(picture, |picture, eye| picture.paint(&eye.outline, [0; 3]));
    for quality in [60, 70, 85] {
        let traced = picture.clone().jpeg_compressed(quality).trace();
        let elements: usize = traced.paths.iter().map(|path| path.outline.elements().len()).sum();
        println!("jpeg {quality}: {} paths, {elements} elements", traced.paths.len());
        assert!(traced.paths.len() <= 8 && elements < 150, "jpeg {quality}: {}", traced.text);
    }
}
