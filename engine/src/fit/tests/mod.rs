//! Fits exact shapes from samples like those of an outline: about 1 px apart, with corners rounded off by the
//! pixel, with noise.
mod pixel_sides;
mod truth;

use super::fitter::{FitStyle, Fitter};
use crate::geometry::{Curve, Point, Way};
use truth::*;

const NOISE_PX: f64 = 0.03;

const STYLE: FitStyle = FitStyle::DEFAULT;

fn fit(points: &[Point], closed: bool, noise_px: f32, style: &FitStyle) -> Curve {
    Fitter::default().fit(points, closed, noise_px, style)
}

/// Fits a shape; gives the curve, its RMS and its worst error, and a text for the messages of assertions.
fn measure(truth: &Truth, sigma: f64, style: &FitStyle) -> (Curve, f64, f64, String) {
    let curve = fit(&truth.samples(sigma), truth.closed, sigma as f32, style);
    let (rms, worst) = truth.errors(&curve);
    let (lines, cubics, arcs) = count(&curve);
    let text = format!("rms {rms:.3} worst {worst:.3} lines {lines} cubics {cubics} arcs {arcs}");
    println!("{text}");
    (curve, rms, worst, text)
}

#[test]
fn rotated_squares_are_four_lines() {
    for side in [6.0, 10.0, 40.0] {
        for degrees in [0.0, 5.0, 17.0, 30.0, 45.0, 60.0] {
            let corners = square(side, degrees);
            print!("square {side} {degrees}: ");
            let (curve, _, worst, text) = measure(&Truth::polygon(&corners, true), NOISE_PX, &STYLE);
            let off = corner_error(&curve, &corners);
            println!("  corner {off:.3} area {:.3}", area(&flatten(&curve)) / (side * side));
            assert!(count(&curve) == (4, 0, 0) && worst < 0.2 && off < 0.2, "{side} {degrees}: {text} {off}");
        }
    }
}

#[test]
fn circles_are_two_arcs() {
    for radius in [2.0, 2.5, 5.0, 20.0, 200.0] {
        let tau = std::f64::consts::TAU;
        let at = |t: f64| (250.2 + radius * (t * tau).cos(), 250.4 + radius * (t * tau).sin());
        print!("circle {radius}: ");
        let (curve, _, worst, text) = measure(&Truth::function(radius * tau, true, at), NOISE_PX, &STYLE);
        assert!(count(&curve) == (0, 0, 2) && worst < 0.1, "{radius}: {text}");
    }
}

#[test]
fn ellipses_are_two_arcs() {
    for (a, b) in [(30.0, 18.0), (12.0, 5.0), (100.0, 90.0)] {
        let tau = std::f64::consts::TAU;
        let at = |t: f64| (150.2 + a * (t * tau).cos(), 150.4 + b * (t * tau).sin());
        print!("ellipse {a} {b}: ");
        let (curve, _, worst, text) = measure(&Truth::function((a + b) * 3.1, true, at), NOISE_PX, &STYLE);
        assert!(count(&curve) == (0, 0, 2) && worst < 0.1, "{a} {b}: {text}");
    }
}

fn rounded(width: f64, height: f64, radius: f64) -> Truth {
    let mut dense = Vec::new();
    let centers = [
        (width - radius, radius),
        (width - radius, height - radius),
        (radius, height - radius),
        (radius, radius),
    ];
    let mut outline = Vec::new();
    for (quarter, center) in centers.iter().enumerate() {
        for step in 0..=40 {
            let angle = (quarter as f64 - 1.0 + f64::from(step) / 40.0) * std::f64::consts::FRAC_PI_2;
            outline.push((10.3 + center.0 + radius * angle.cos(), 20.6 + center.1 + radius * angle.sin()));
        }
    }
    dense.append(&mut Truth::polygon(&outline, true).dense);
    Truth { dense, closed: true }
}

#[test]
fn a_rounded_rectangle_keeps_its_straight_sides() {
    for (width, height, radius) in [(60.0, 40.0, 8.0), (100.0, 30.0, 4.0), (40.0, 40.0, 15.0)] {
        print!("rounded {width} {height} {radius}: ");
        let (curve, _, worst, text) = measure(&rounded(width, height, radius), NOISE_PX, &STYLE);
        assert!(count(&curve) == (4, 0, 4) && worst < 0.1, "{width} {height} {radius}: {text}");
    }
}

#[test]
fn a_wedge_keeps_its_tip() {
    let reach = 60.0 * 7.5_f64.to_radians().tan();
    let corners = [(20.0, 50.0), (80.0, 50.0 - reach), (80.0, 50.0 + reach)];
    print!("wedge: ");
    let (curve, _, _, text) = measure(&Truth::polygon(&corners, true), NOISE_PX, &STYLE);
    let off = corner_error(&curve, &corners);
    assert!(count(&curve) == (3, 0, 0) && off < 0.5, "{text} {off}");
}

/// The middles of the pixel cracks along a line of the given slope.
fn staircase(run: usize, steps: usize) -> Vec<Point> {
    let mut points = Vec::new();
    for step in 0..steps {
        let x = (step * run) as f32;
        points.extend((0..run).map(|i| Point::new(x + i as f32 + 0.5, step as f32)));
        points.push(Point::new(x + run as f32, step as f32 + 0.5));
    }
    points
}

#[test]
fn a_staircase_is_one_line() {
    for run in [1, 2, 3, 7, 11] {
        let curve = fit(&staircase(run, 12), false, 0.3, &STYLE);
        println!("staircase {run}: {:?}", count(&curve));
        assert_eq!(count(&curve), (1, 0, 0), "1:{run}");
    }
}

#[test]
fn an_s_is_a_few_cubics() {
    let at = |t: f64| (10.0 + 80.0 * t, 50.0 + 20.0 * (t * std::f64::consts::TAU).sin());
    print!("s: ");
    let (curve, _, worst, text) = measure(&Truth::function(115.0, false, at), NOISE_PX, &STYLE);
    assert!(curve.segments.len() <= 7 && worst < 0.2, "{text}");
}

fn star(radius: f64) -> Vec<Xy> {
    (0..10)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::PI / 5.0 + 0.1;
            let reach = if i % 2 == 0 { radius } else { radius * 0.382 };
            (60.0 + reach * angle.sin(), 60.0 - reach * angle.cos())
        })
        .collect()
}

#[test]
fn a_star_keeps_ten_corners() {
    for radius in [12.0, 40.0] {
        print!("star {radius}: ");
        let corners = star(radius);
        let (curve, _, _, text) = measure(&Truth::polygon(&corners, true), NOISE_PX, &STYLE);
        let off = corner_error(&curve, &corners);
        println!("  corner {off:.3}");
        assert!(count(&curve) == (10, 0, 0) && off < 0.35, "{radius}: {text} {off}");
    }
}

/// A rectangle with a bump of the given width and height on its upper side.
fn bumped(width: f64, height: f64) -> Truth {
    let (x, y) = (40.3, 20.4);
    Truth::polygon(
        &[
            (10.3, y),
            (x, y),
            (x, y - height),
            (x + width, y - height),
            (x + width, y),
            (80.3, y),
            (80.3, 60.4),
            (10.3, 60.4),
        ],
        true,
    )
}

#[test]
fn length_threshold_smooths_bumps_and_spares_sides() {
    let truth = bumped(2.0, 1.0);
    let style = |length_threshold_px| FitStyle { length_threshold_px, ..STYLE };
    print!("bump kept: ");
    let (kept, _, _, text) = measure(&truth, NOISE_PX, &style(0.0));
    assert!(kept.segments.len() >= 6, "{text}");
    print!("bump smoothed: ");
    let (smoothed, _, _, text) = measure(&truth, NOISE_PX, &style(4.0));
    assert_eq!(count(&smoothed), (4, 0, 0), "{text}");
    let (whole, _, _, text) = measure(&Truth::polygon(&square(6.0, 20.0), true), NOISE_PX, &style(100.0));
    assert_eq!(count(&whole), (4, 0, 0), "{text}");
}

#[test]
fn corner_threshold_decides_what_stays_sharp() {
    let truth = Truth::polygon(&square(40.0, 17.0), true);
    let style = |corner_threshold_deg| FitStyle { corner_threshold_deg, ..STYLE };
    let (round, _, worst, text) = measure(&truth, NOISE_PX, &style(180.0));
    assert!(count(&round) == (4, 4, 0) && worst < 1.0, "{text}");
    let bent = Truth::function(260.0, false, |t| {
        let s = 2.0 * t - 1.0;
        (120.0 * t, 30.0 + 30.0 * s * s - 20.0 * s.abs())
    });
    let corners = |threshold| {
        let curve = fit(&bent.samples(NOISE_PX), false, NOISE_PX as f32, &style(threshold));
        kinks(&curve)
    };
    println!("corner: {} {} {}", corners(0.0), corners(30.0), corners(90.0));
    assert!(corners(0.0) >= corners(30.0) && corners(30.0) == 1 && corners(90.0) == 0);
}

/// Nodes between segments where the direction changes by more than 10 degrees.
fn kinks(curve: &Curve) -> usize {
    let mut at = curve.start;
    let mut before: Option<Point> = None;
    let mut kinks = 0;
    for segment in &curve.segments {
        let end = segment.end;
        let (leaving, arriving) = match segment.way {
            Way::Cubic(c, d) => (c - at, end - d),
            _ => (end - at, end - at),
        };
        if let Some(before) = before {
            let sine = before.unit().cross(leaving.unit());
            kinks += usize::from(sine.abs() > 0.17 || before.dot(leaving) < 0.0);
        }
        before = Some(arriving);
        at = end;
    }
    kinks
}

#[test]
fn splice_threshold_makes_fewer_and_longer_curves() {
    let tau = std::f64::consts::TAU;
    let at = |t: f64| {
        let reach = 60.0 + 9.0 * (3.0 * t * tau).sin() + 3.0 * (5.0 * t * tau).cos();
        (100.0 + reach * (t * tau).cos(), 100.0 + reach * (t * tau).sin())
    };
    let truth = Truth::function(420.0, true, at);
    let segments = |splice_threshold_deg| {
        print!("splice {splice_threshold_deg}: ");
        let (curve, ..) = measure(&truth, NOISE_PX, &FitStyle { splice_threshold_deg, ..STYLE });
        curve.segments.len()
    };
    let (small, middle, large) = (segments(0.0), segments(45.0), segments(180.0));
    assert!(small > middle && middle >= large, "{small} {middle} {large}");
}

#[test]
fn polygon_mode_draws_only_lines() {
    let style = FitStyle { polygon: true, ..STYLE };
    let corners = square(30.0, 17.0);
    print!("polygon square: ");
    let (curve, _, worst, text) = measure(&Truth::polygon(&corners, true), NOISE_PX, &style);
    assert!(count(&curve) == (4, 0, 0) && worst < 0.15, "{text}");
    let tau = std::f64::consts::TAU;
    let at = |t: f64| (50.2 + 40.0 * (t * tau).cos(), 50.4 + 40.0 * (t * tau).sin());
    print!("polygon circle: ");
    let (curve, _, worst, text) = measure(&Truth::function(40.0 * tau, true, at), NOISE_PX, &style);
    assert!(count(&curve).0 == curve.segments.len() && curve.segments.len() < 40 && worst < 0.5, "{text}");
}

#[test]
fn noisy_shapes_stay_clean() {
    for sigma in [0.1, 0.2, 0.3] {
        print!("noisy square {sigma}: ");
        let (curve, _, worst, text) = measure(&Truth::polygon(&square(40.0, 17.0), true), sigma, &STYLE);
        assert!(count(&curve) == (4, 0, 0) && worst < 2.0 * sigma + 0.1, "{sigma}: {text}");
        print!("noisy rounded {sigma}: ");
        let (curve, _, worst, text) = measure(&rounded(60.0, 40.0, 12.0), sigma, &STYLE);
        assert!(curve.segments.len() <= 12 && worst < 3.0 * sigma + 0.1, "{sigma}: {text}");
    }
}

#[test]
fn small_squares_keep_their_area() {
    for side in [3.0, 4.0, 5.0] {
        for degrees in [0.0, 20.0, 45.0] {
            let truth = Truth::polygon(&square(side, degrees), true);
            print!("small square {side} {degrees}: ");
            let (curve, _, worst, text) = measure(&truth, 0.02, &STYLE);
            let part = area(&flatten(&curve)) / (side * side);
            println!("  area {part:.3}");
            assert!(worst < 0.2 && (part - 1.0).abs() < 0.02, "{side} {degrees}: {text} {part}");
        }
    }
}

#[test]
fn any_samples_give_a_curve() {
    let mut noise = Noise(99);
    for count in (0..40).chain([100, 1000, 5000]) {
        for kind in 0..5 {
            let points: Vec<Point> = (0..count)
                .map(|i| match kind {
                    0 => Point::new(3.0, 4.0),
                    1 => Point::new(i as f32, 0.0),
                    2 => Point::new(noise.next(3.0) as f32, noise.next(3.0) as f32),
                    3 => Point::new((i / 2) as f32 * 0.7, (i % 3) as f32),
                    _ => Point::new(if i % 2 == 0 { 0.0 } else { 5.0 }, 0.0),
                })
                .collect();
            for (closed, noise_px, polygon) in
                [(true, 0.0, false), (false, 0.03, false), (true, 0.3, false), (true, 0.1, true)]
            {
                for threshold in [0.0, 60.0, 180.0] {
                    let style = FitStyle {
                        corner_threshold_deg: threshold,
                        length_threshold_px: threshold * 0.5,
                        splice_threshold_deg: threshold,
                        polygon,
                        pixel: 1.0,
                    };
                    let curve = fit(&points, closed, noise_px, &style);
                    check(&curve, &points);
                }
            }
        }
    }
}

fn check(curve: &Curve, points: &[Point]) {
    let end = curve.segments.last().expect("at least one segment").end;
    let bits = |point: Point| (point.x.to_bits(), point.y.to_bits());
    if curve.closed {
        assert_eq!(bits(end), bits(curve.start));
    } else if let (Some(&first), Some(&last)) = (points.first(), points.last()) {
        assert_eq!((bits(curve.start), bits(end)), (bits(first), bits(last)));
    }
    assert!(flatten(curve).iter().all(|point| point.0.is_finite() && point.1.is_finite()));
}
