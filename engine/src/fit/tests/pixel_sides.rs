//! Fits outlines along the sides of pixels, like those of images that are not anti-aliased.
use super::*;

/// The middles of the cracks around the pixels whose centers are inside, clockwise.
fn cracks(inside: impl Fn(i32, i32) -> bool, size: i32) -> Vec<Point> {
    let start = (0..size * size).map(|i| (i % size, i / size)).find(|&(x, y)| inside(x, y)).expect("a pixel");
    // At a lattice point, heading along `d`: the pixel to the right is inside, the one to the left outside.
    let (mut at, mut d) = (start, (1, 0));
    let mut points = Vec::new();
    loop {
        points.push(Point::new(at.0 as f32 + 0.5 * d.0 as f32, at.1 as f32 + 0.5 * d.1 as f32));
        at = (at.0 + d.0, at.1 + d.1);
        let pixel = |forward: (i32, i32), side: (i32, i32)| {
            let twice = (2 * at.0 + forward.0 + side.0 - 1, 2 * at.1 + forward.1 + side.1 - 1);
            inside(twice.0.div_euclid(2), twice.1.div_euclid(2))
        };
        let (right, left) = ((-d.1, d.0), (d.1, -d.0));
        if !pixel(d, right) {
            d = right;
        } else if pixel(d, left) {
            d = left;
        }
        if at == start && d == (1, 0) {
            return points;
        }
    }
}

#[test]
fn pixel_squares_stay_squares() {
    for side in 3..9 {
        let points = cracks(|x, y| (2..2 + side).contains(&x) && (2..2 + side).contains(&y), 20);
        let curve = fit(&points, true, 0.3, &STYLE);
        let part = area(&flatten(&curve)) / f64::from(side * side);
        println!("small pixel square {side}: {:?} area {part:.3}", count(&curve));
        assert!(
            count(&curve) == (4, 0, 0) && (part - 1.0).abs() < 0.02,
            "{side}: {:?} {part}",
            count(&curve)
        );
    }
}

#[test]
fn pixel_disks_come_out_round() {
    for radius in [3.0, 5.0, 8.0, 20.0] {
        let inside = |x: i32, y: i32| (f64::from(x) - 24.7).hypot(f64::from(y) - 24.9) < radius;
        let points = cracks(inside, 50);
        let curve = fit(&points, true, 0.3, &STYLE);
        let part = area(&flatten(&curve)) / (std::f64::consts::PI * radius * radius);
        println!("small pixel disk {radius}: {:?} area {part:.3}", count(&curve));
        assert!(
            curve.segments.len() <= 8 && (part - 1.0).abs() < 0.08,
            "{radius}: {:?} {part}",
            count(&curve)
        );
    }
}

#[test]
fn a_half_disk_keeps_its_two_corners() {
    for radius in [6.0, 20.0] {
        let mut outline: Vec<Xy> = (0..=200)
            .map(|i| {
                let angle = std::f64::consts::PI * f64::from(i) / 200.0 + 0.3;
                (60.0 + radius * angle.cos(), 60.0 + radius * angle.sin())
            })
            .collect();
        let corners = [outline[0], outline[200]];
        outline.dedup();
        print!("small half disk {radius}: ");
        let (curve, _, worst, text) = measure(&Truth::polygon(&outline, true), NOISE_PX, &STYLE);
        let off = corner_error(&curve, &corners);
        println!("  corner {off:.3}");
        assert!(count(&curve) == (1, 0, 1) && worst < 0.15 && off < 0.15, "{radius}: {text} {off}");
    }
}

fn turned(corners: &[Xy], degrees: f64) -> Vec<Xy> {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    corners.iter().map(|&(x, y)| (80.3 + x * cosine - y * sine, 40.6 + x * sine + y * cosine)).collect()
}

#[test]
fn strokes_and_letters_keep_their_corners() {
    let letter = [
        (0.0, 0.0),
        (14.0, 0.0),
        (14.0, 3.0),
        (3.5, 3.0),
        (3.5, 8.0),
        (11.0, 8.0),
        (11.0, 11.0),
        (3.5, 11.0),
        (3.5, 16.0),
        (14.0, 16.0),
        (14.0, 19.0),
        (0.0, 19.0),
    ];
    let octagon: Vec<Xy> = (0..8)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::FRAC_PI_4;
            (15.0 * angle.cos(), 15.0 * angle.sin())
        })
        .collect();
    for degrees in [0.0, 10.0, 45.0] {
        for width in [1.6, 2.0, 3.0] {
            let corners = turned(&[(0.0, 0.0), (40.0, 0.0), (40.0, width), (0.0, width)], degrees);
            print!("small stroke {width} {degrees}: ");
            let (curve, _, worst, text) = measure(&Truth::polygon(&corners, true), NOISE_PX, &STYLE);
            assert!(
                (width < 2.0 || count(&curve) == (4, 0, 0)) && curve.segments.len() <= 5 && worst < 0.35,
                "{width} {degrees}: {text}"
            );
        }
        for shape in [&letter[..], &octagon] {
            let corners = turned(shape, degrees);
            print!("small letter {degrees}: ");
            let (curve, _, worst, text) = measure(&Truth::polygon(&corners, true), NOISE_PX, &STYLE);
            assert!(count(&curve) == (shape.len(), 0, 0) && worst < 0.3, "{degrees}: {text}");
        }
    }
}
