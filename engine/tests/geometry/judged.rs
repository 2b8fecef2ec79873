//! Drawings that no rule fits: the drawing is compared with the image, and what is missing comes back.

use kurbo::{Affine, BezPath, Point, Rect, Shape, Stroke, StrokeOpts, Vec2};

use crate::ground_truth;
use crate::outline_distance::distances;
use crate::picture::{BLACK, Color, Picture, WHITE, polylines};
use crate::traced_svg::TracedSvg;

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> BezPath {
    Rect::new(x0, y0, x1, y1).to_path(0.1)
}

/// The drawing at a multiple of its size, each path by the exact area that it covers.
fn drawn(traced: &TracedSvg, scale: usize) -> Picture {
    let blank = Picture::new(traced.width * scale, traced.height * scale, WHITE);
    traced.paths.iter().fold(blank, |picture, path| {
        picture.paint(&(Affine::scale(scale as f64) * path.outline.clone()), path.color())
    })
}

/// The signal-to-noise ratio of one picture compared with another, in dB.
fn psnr(picture: &Picture, truth: &Picture) -> f64 {
    let (a, b) = (picture.pixels.as_raw(), truth.pixels.as_raw());
    let sum: f64 = a.iter().zip(b).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2)).sum();
    20.0 * 255f64.log10() - 10.0 * (sum / (0.75 * a.len() as f64)).log10()
}

/// What was drawn at a multiple of the size, beside which the SVG is compared.
fn fidelity(scene: impl Fn(usize) -> Picture) -> (f64, TracedSvg) {
    const SCALE: usize = 4;
    let traced = scene(1).trace();
    (psnr(&drawn(&traced, SCALE), &scene(SCALE)), traced)
}

fn scaled(shape: &BezPath, scale: usize) -> BezPath {
    Affine::scale(scale as f64) * shape.clone()
}

#[test]
fn a_white_plus_in_a_small_disc_keeps_its_arms() {
    let arms = [rect(33.2, 30.1, 35.9, 42.3), rect(28.4, 34.8, 40.7, 37.5)];
    let book = ground_truth::rounded_rect(Rect::new(5.3, 3.2, 36.4, 43.7), 3.0).outline;
    let page = rect(11.2, 9.4, 30.1, 26.8);
    let disc = ground_truth::circle(9.4, Point::new(34.6, 36.1)).outline;
    let (decibels, traced) = fidelity(|scale| {
        let picture = Picture::new(48 * scale, 48 * scale, WHITE)
            .paint(&scaled(&book, scale), [0x6a, 0x4b, 0x35])
            .paint(&scaled(&page, scale), [0xe8, 0xe0, 0xd0])
            .paint(&scaled(&disc, scale), [0x2e, 0x9e, 0x48]);
        arms.iter().fold(picture, |picture, arm| picture.paint(&scaled(arm, scale), WHITE))
    });
    println!("plus: {decibels:.1} dB");
    let ends = [(34.55, 31.0), (34.55, 41.4), (29.3, 36.15), (39.8, 36.15), (34.55, 36.15)];
    for (x, y) in ends {
        let color = traced.color_at(Point::new(x, y)).expect("a background");
        assert!(color.iter().all(|&level| level > 0xd0), "({x}, {y}): {color:?} in {}", traced.text);
    }
    for (x, y) in [(31.0, 32.3), (38.2, 32.3), (31.0, 40.0), (38.2, 40.0)] {
        let color = traced.color_at(Point::new(x, y)).expect("a background");
        assert!(color[0] < 0x80, "({x}, {y}): {color:?} in {}", traced.text);
    }
    assert!(decibels > 24.0, "{decibels:.1} dB: {}", traced.text);
}

#[test]
fn a_small_square_keeps_its_round_corners() {
    for (offset, radius) in [(0.0, 3.0), (0.3, 3.0), (0.5, 3.4)] {
        let square = Rect::new(2.0, 2.0, 30.0, 30.0) + Vec2::new(offset, offset);
        let truth = ground_truth::rounded_rect(square, radius);
        let traced = Picture::new(32, 32, WHITE).paint(&truth.outline, [0x30, 0x70, 0xc0]).trace();
        let found = distances(&truth, traced.top());
        println!("round corners {offset} {radius}: {found}");
        // A square corner is 0.41 radii off; a bevel, 0.12.
        assert!(found.worst < 0.3, "{offset} {radius}: {found} in {}", traced.text);
        assert_eq!(traced.paths.len(), 2, "{}", traced.text);
    }
}

#[test]
fn gray_lines_of_a_pixel_are_whole_in_line_art_of_many_colors() {
    const SIDE: f64 = 240.0;
    let petal = |k: usize| {
        let turn = Affine::rotate_about(0.449 * k as f64, Point::new(120.3, 119.6));
        turn * ground_truth::ellipse((11.0, 42.0), 0.0, Point::new(120.3, 62.0)).outline
    };
    let line = |path: &BezPath| {
        let style = Stroke::new(1.0);
        kurbo::stroke(path.iter(), &style, &StrokeOpts::default(), 0.001)
    };
    let mut picture = Picture::new(SIDE as usize, SIDE as usize, WHITE);
    // Nearly each cell of the ground has a color of its own.
    for cell in 0..144u8 {
        let (x, y) = (f64::from(cell % 12) * 20.0, f64::from(cell / 12) * 20.0);
        let color = [200 + cell % 12 * 4, 190 + cell / 12 * 5, 255 - cell % 7 * 9];
        picture = picture.paint(&rect(x, y, x + 20.0, y + 20.0), color);
    }
    let gray = [0x70; 3];
    let petals: Vec<BezPath> = (0..14).map(petal).collect();
    let picture = petals.iter().fold(picture, |picture, petal| picture.paint(&line(petal), gray));
    let traced = picture.trace();
    let (mut seen, mut count) = (0, 0);
    for petal in &petals {
        for points in polylines(petal) {
            for point in points.iter().step_by(3) {
                let near = [-0.3, 0.0, 0.3].into_iter().flat_map(|dx| [-0.3, 0.0, 0.3].map(|dy| (dx, dy)));
                let is_gray = |(dx, dy)| {
                    let color = traced.color_at(*point + Vec2::new(dx, dy)).expect("a background");
                    color[0] < 0xa8 && color[0].abs_diff(color[2]) < 0x28
                };
                seen += usize::from(near.into_iter().any(is_gray));
                count += 1;
            }
        }
    }
    println!("gray lines: {seen} of {count} points, {} bytes", traced.text.len());
    assert!(50 * seen >= 49 * count, "{seen} of {count} points are on a line");
}

#[test]
fn an_outline_of_a_pixel_without_antialiasing_stays() {
    const RED: Color = [0xd0, 0x30, 0x20];
    let mut picture = Picture::new(100, 100, WHITE);
    for y in 0..100u32 {
        for x in 0..100u32 {
            let distance = (f64::from(x) + 0.5 - 50.2).hypot(f64::from(y) + 0.5 - 49.7);
            if distance < 30.0 {
                let [r, g, b] = if distance >= 29.0 { RED } else { [0x18, 0x20, 0x30] };
                picture.pixels.put_pixel(x, y, [r, g, b, 255].into());
            }
        }
    }
    let traced = picture.trace();
    let is_red = |k: u32| {
        let direction = Vec2::from_angle(f64::from(k) * std::f64::consts::TAU / 90.0);
        [29.2, 29.5, 29.8].into_iter().any(|radius| {
            let color = traced.color_at(Point::new(50.2, 49.7) + direction * radius).expect("a background");
            color[0] > 0x90 && color[1] < 0x90
        })
    };
    let seen = (0..90).filter(|&k| is_red(k)).count();
    println!("outline: {seen} of 90 directions");
    assert!(seen >= 85, "{seen} of 90 directions: {}", traced.text);
}

#[test]
fn a_thin_line_below_a_disc_stays_at_any_offset() {
    for width in [0.4, 0.5, 0.6, 0.75] {
        for step in 0..8 {
            let x = 32.0 + 0.125 * f64::from(step);
            let disc = ground_truth::circle(10.3, Point::new(x, 20.4)).outline;
            let line = rect(x - width / 2.0, 28.0, x + width / 2.0, 56.2);
            let picture = Picture::new(64, 64, WHITE).paint(&disc, BLACK).paint(&line, BLACK);
            let traced = picture.trace();
            let below = |picture: &Picture| -> f64 {
                let rows = (33..54).flat_map(|y| (0..64).map(move |x| (x, y)));
                rows.map(|(x, y)| f64::from(255 - picture.pixels.get_pixel(x, y).0[0]) / 255.0).sum()
            };
            let (found, truth) = (below(&drawn(&traced, 1)), below(&picture));
            println!("line {width} {step}: {found:.1} of {truth:.1}");
            assert!(
                (found / truth - 1.0).abs() < 0.25,
                "{width} {step}: {found} of {truth}: {}",
                traced.text
            );
        }
    }
}

#[test]
fn a_flag_of_three_stripes_is_three_shapes_with_straight_sides() {
    for (first, second) in [(85.33, 170.67), (85.5, 170.5), (85.2, 170.8)] {
        let sides = [0.0, first, second, 256.0];
        let colors: [Color; 3] = [BLACK, [0xff, 0xd9, 0x0c], [0xf3, 0x18, 0x30]];
        let picture = Picture::new(256, 192, WHITE);
        let traced = (0..3)
            .fold(picture, |picture, k| picture.paint(&rect(sides[k], 0.0, sides[k + 1], 192.0), colors[k]))
            .trace();
        assert_eq!(traced.paths.len(), 3, "{first}: {}", traced.text);
        assert!(
            traced.paths.iter().all(|path| path.segments.iter().all(|segment| segment.is_line())),
            "{first}: {}",
            traced.text
        );
        for (side, colors) in [(first, [0, 1]), (second, [1, 2])].map(|(s, k)| (s, k.map(|k| colors[k]))) {
            for y in [1.0, 60.0, 130.0, 191.0] {
                let beside = [-0.4, 0.4].map(|dx| traced.color_at(Point::new(side + dx, y)));
                let is_close =
                    |a: Option<Color>, b: Color| a.is_some_and(|a| (0..3).all(|c| a[c].abs_diff(b[c]) < 16));
                assert!(
                    beside.into_iter().zip(colors).all(|(a, b)| is_close(a, b)),
                    "{side} {y}: {beside:?} in {}",
                    traced.text
                );
            }
        }
    }
}

#[test]
fn a_white_square_over_bands_keeps_its_sides_and_corners() {
    const RADIUS_PX: f64 = 6.0;
    let bounds = Rect::new(24.3, 22.7, 72.6, 71.2);
    let square = ground_truth::rounded_rect(bounds, RADIUS_PX);
    let mut picture = Picture::new(96, 96, WHITE);
    for band in 0..12u8 {
        let y = f64::from(band) * 8.0;
        picture =
            picture.paint(&rect(0.0, y, 96.0, y + 8.0), [40 + 12 * band, 90 + 8 * band, 200 - 4 * band]);
    }
    let traced = picture.paint(&square.outline, WHITE).trace();
    // White is the lowest shape, so its outline is that of the bands.
    for (off, is_inside) in [(-0.35, true), (0.35, false)] {
        let beside = ground_truth::rounded_rect(bounds.inflate(off, off), RADIUS_PX + off).outline;
        for point in polylines(&beside).concat() {
            let color = traced.color_at(point).expect("a background");
            assert_eq!(color == WHITE, is_inside, "{off} {point:?}: {color:?} in {}", traced.text);
        }
    }
}

/// Each step is worth fewer bytes than its path takes, but all of them together are the picture.
#[test]
fn a_small_ramp_is_not_drawn_in_one_color() {
    for (width, height) in [(20, 22), (32, 22), (40, 22), (40, 40)] {
        let mut picture = Picture::new(width, height, BLACK);
        for (x, _, pixel) in picture.pixels.enumerate_pixels_mut() {
            let level = (x * 255 / (width as u32 - 1)) as u8;
            pixel.0 = [level, level, level, 255];
        }
        let error = psnr(&drawn(&picture.trace(), 1), &picture);
        println!("{width} × {height}: {error:.1} dB");
        assert!(error > 30.0, "{width} × {height}: {error} dB");
    }
}
