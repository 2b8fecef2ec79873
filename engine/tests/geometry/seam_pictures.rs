//! Images in which many shapes meet, for `seams`.

use kurbo::{BezPath, Point};

use crate::ground_truth::{self, GroundTruth};
use crate::picture::{Color, Picture, coverage};

const SAND: Color = [236, 214, 160];
const SEA: Color = [20, 90, 170];
const GRASS: Color = [60, 150, 60];
const BRICK: Color = [180, 50, 40];
const NIGHT: Color = [25, 25, 40];

fn sector(from_deg: f64, to_deg: f64, center: Point, radius: f64) -> BezPath {
    let mut path = BezPath::new();
    path.move_to(center);
    let steps = ((to_deg - from_deg) / 3.0).ceil() as usize;
    for step in 0..=steps {
        let angle = (from_deg + (to_deg - from_deg) * step as f64 / steps as f64).to_radians();
        path.line_to(center + radius * kurbo::Vec2::from_angle(angle));
    }
    path.close_path();
    path
}

/// Three sectors that meet in one point.
pub fn three_sectors(turn_deg: f64) -> Picture {
    let center = Point::new(40.3, 39.8);
    let rotated_sector = |from: f64, to: f64| sector(turn_deg + from, turn_deg + to, center, 30.0);
    Picture::new(80, 80, SAND).paint_adjacent(&[
        (rotated_sector(0.0, 130.0), SEA),
        (rotated_sector(130.0, 250.0), GRASS),
        (rotated_sector(250.0, 360.0), BRICK),
    ])
}

fn wave(height: f64, base: f64, period: f64) -> BezPath {
    let mut path = BezPath::new();
    path.move_to((0.0, 90.0));
    for x in 0..=180 {
        let x = f64::from(x) * 0.5;
        path.line_to((x, base + height * (x / period).sin()));
    }
    path.line_to((90.0, 90.0));
    path.close_path();
    path
}

/// Overlapping waves with a tower in front of one and a disc behind all of them.
pub fn waves() -> Picture {
    let tower = ground_truth::polygon(&[(30.2, 8.3), (41.7, 10.1), (44.4, 85.0), (27.1, 85.0)]);
    Picture::new(90, 90, SAND)
        .paint(&ground_truth::circle(17.3, Point::new(62.0, 24.0)).outline, BRICK)
        .paint(&wave(4.0, 30.0, 9.0), SEA)
        .paint(&tower.outline, NIGHT)
        .paint(&wave(6.0, 55.0, 14.0), GRASS)
        .paint(&wave(2.5, 74.0, 5.0), SEA)
}

/// A gradient, which is traced as bands, with a square and a ring on it. `share` is the second color's share at a position.
fn gradient(
    colors: [[f64; 3]; 2],
    share: impl Fn(f64, f64) -> f64,
    square: &GroundTruth,
    ring: &GroundTruth,
) -> Picture {
    let mut picture = Picture::new(90, 60, SAND);
    for (x, y, pixel) in picture.pixels.enumerate_pixels_mut() {
        let t = share(f64::from(x), f64::from(y)).clamp(0.0, 1.0);
        let mixed = |c: usize| (colors[0][c] + (colors[1][c] - colors[0][c]) * t) as u8;
        pixel.0 = [mixed(0), mixed(1), mixed(2), 255];
    }
    picture.paint(&square.outline, SAND).paint(&ring.outline, NIGHT)
}

pub fn linear_gradient() -> Picture {
    let colors = [[30.0, 60.0, 160.0], [230.0, 120.0, 60.0]];
    let square = ground_truth::square(18.0, 20.0, Point::new(30.0, 30.0));
    let ring = ground_truth::ring(14.0, 9.0, Point::new(62.0, 30.0));
    gradient(colors, |x, y| (x + 0.4 * y) / 114.0, &square, &ring)
}

/// Gradients of many colors and directions; every other one is radial.
pub fn any_gradient(index: u32) -> Picture {
    let number = |kind: u32| {
        // Multiples of irrational square roots, modulo 1, are evenly distributed.
        (f64::from(index + 1) * f64::from(4 * kind + 3).sqrt()).fract()
    };
    let color = |first: u32| [0, 1, 2].map(|channel| number(first + channel) * 255.0);
    let (across, down) = (number(6) * 2.0 - 1.0, number(7) * 2.0 - 1.0);
    let share = |x: f64, y: f64| {
        let (x, y) = (x - 45.0, y - 30.0);
        if index.is_multiple_of(2) { 0.5 + (across * x + down * y) / 150.0 } else { x.hypot(y) / 54.0 }
    };
    let square = ground_truth::square(
        10.0 + 10.0 * number(8),
        90.0 * number(9),
        Point::new(20.0 + 20.0 * number(10), 30.0),
    );
    let ring = ground_truth::ring(14.0, 6.0 + 5.0 * number(11), Point::new(60.0 + 5.0 * number(12), 30.0));
    gradient([color(0), color(3)], share, &square, &ring)
}

/// Tiles of several colors with irregular corners.
pub fn tiles() -> Picture {
    let colors = [SAND, SEA, GRASS, BRICK, [120, 60, 140], [240, 240, 240], [250, 180, 40]];
    let corner = |i: i32, j: i32| {
        let (x, y) = (f64::from(i), f64::from(j));
        let edge = |k: i32, along: f64| {
            if k == 0 {
                0.0
            } else if k == 6 {
                96.0
            } else {
                along
            }
        };
        (
            edge(i, x * 16.0 + 3.1 * (1.7 * x + 2.3 * y).sin()),
            edge(j, y * 16.0 + 3.3 * (2.9 * x - 1.1 * y).cos()),
        )
    };
    let tile = |i: i32, j: i32| {
        let corners = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        (ground_truth::polygon(&corners).outline, colors[((i * 3 + j * 5) % 7) as usize])
    };
    let all: Vec<_> = (0..36).map(|k| tile(k % 6, k / 6)).collect();
    Picture::new(96, 96, NIGHT).paint_adjacent(&all)
}

pub fn from_file(name: &str, (x, y, width, height): (u32, u32, u32, u32)) -> Picture {
    let path = format!("{}/../test/pictures/{name}", env!("CARGO_MANIFEST_DIR"));
    let pixels = image::open(path).expect("an image file of the test set").to_rgba8();
    Picture { pixels: image::imageops::crop_imm(&pixels, x, y, width, height).to_image() }
}

/// Circles on a gradient, whose bands meet them at all angles.
pub fn circles_on_gradient(index: u32) -> Picture {
    let number = |kind: u32| (f64::from(index + 1) * f64::from(4 * kind + 3).sqrt()).fract();
    let color = |first: u32| [0, 1, 2].map(|channel| (number(first + channel) * 255.0) as u8);
    let circle = |first: u32| {
        let center = Point::new(10.0 + 70.0 * number(first + 1), 10.0 + 40.0 * number(first + 2));
        ground_truth::circle(5.0 + 12.0 * number(first), center).outline
    };
    [21, 24, 27]
        .into_iter()
        .fold(any_gradient(index), |picture, first| picture.paint(&circle(first), color(first + 19)))
}

/// Circles on a gradient, clipped to a rotated square: along its edge, translucent pixels are beside opaque ones.
pub fn cutout(index: u32) -> Picture {
    let number = |kind: u32| (f64::from(index + 1) * f64::from(4 * kind + 3).sqrt()).fract();
    let mut picture = circles_on_gradient(index);
    let center = Point::new(40.0 + 10.0 * number(50), 30.0);
    let shape = ground_truth::square(26.0 + 16.0 * number(51), 90.0 * number(52), center).outline;
    let shares = coverage(&shape, picture.pixels.width() as usize, picture.pixels.height() as usize);
    for (pixel, share) in picture.pixels.pixels_mut().zip(shares) {
        pixel.0[3] = (share * 255.0).round() as u8;
    }
    picture
}
