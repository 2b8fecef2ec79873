//! Pictures that were resampled or saved as JPEG: edges less exact, but still straight and round.
use kurbo::Point;

use crate::distance::distances;
use crate::picture::{Color, Picture, WHITE};
use crate::truth::{self, Truth};

const INK: Color = [40, 60, 120];
const MIDDLE: Point = Point::new(50.3, 49.6);

/// What is done to a picture, and the RMS error of edges that it leaves, px.
type Damage = (&'static str, fn(&Truth) -> Picture, f64);

fn drawn(truth: &Truth) -> Picture {
    Picture::new(100, 100, WHITE).paint(&truth.outline, INK)
}

/// Drawn three times larger and made smaller, as pictures mostly are.
fn resampled(truth: &Truth) -> Picture {
    let large = kurbo::Affine::scale(3.0) * truth.outline.clone();
    Picture::new(300, 300, WHITE).paint(&large, INK).shrunk(3)
}

const DAMAGES: [Damage; 3] = [
    ("resampled", resampled, 0.1),
    ("jpeg 90", |truth| drawn(truth).through_jpeg(90), 0.2),
    ("jpeg 75", |truth| drawn(truth).through_jpeg(75), 0.2),
];

fn check(name: &str, truth: &Truth, most_nodes: usize) {
    for (damage, damaged, allowed) in DAMAGES {
        let traced = damaged(truth).trace();
        // Ringing may leave specks: the shape is what was drawn last of its size.
        let area = |path: &&crate::traced::TracedPath| kurbo::Shape::area(&path.outline).abs() as i64;
        let shape = traced.paths[1..].iter().max_by_key(area).expect("a shape on its ground");
        let found = distances(truth, shape);
        let nodes = found.lines + found.cubics + found.arcs;
        println!("{name} {damage}: {found}");
        assert!(found.rms < allowed && nodes <= most_nodes, "{name} {damage}: {found} in {}", traced.text);
    }
}

#[test]
fn squares_stay_straight() {
    for degrees in [0.0, 30.0, 45.0] {
        check(&format!("square {degrees}"), &truth::square(40.0, degrees, MIDDLE), 12);
    }
}

#[test]
fn circles_stay_round() {
    for radius in [20.0, 40.0] {
        check(&format!("circle {radius}"), &truth::circle(radius, MIDDLE), 12);
    }
}

/// Ringing goes beyond the colors that meet at an edge: it is no stroke of one over the other.
#[test]
fn thick_outlines_through_jpeg_have_no_specks() {
    const GREY: Color = [155, 155, 154];
    let middle = Point::new(100.3, 99.6);
    let body = truth::circle(70.2, middle);
    let outline = truth::ring(75.2, 64.9, middle);
    let eyes = [-24.0, 24.0].map(|x| truth::circle(9.3, Point::new(middle.x + x, middle.y - 14.0)));
    let picture = Picture::new(200, 200, WHITE).paint(&body.outline, GREY).paint(&outline.outline, [0; 3]);
    let picture = eyes.iter().fold(picture, |picture, eye| picture.paint(&eye.outline, [0; 3]));
    for quality in [60, 70, 85] {
        let traced = picture.clone().through_jpeg(quality).trace();
        let elements: usize = traced.paths.iter().map(|path| path.outline.elements().len()).sum();
        println!("jpeg {quality}: {} paths, {elements} elements", traced.paths.len());
        assert!(traced.paths.len() <= 8 && elements < 150, "jpeg {quality}: {}", traced.text);
    }
}
