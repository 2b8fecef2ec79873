//! Anti-aliased shapes: edges are accurate to a tenth of a pixel, straight edges are lines, circles are arcs.

use kurbo::{CircleSegment, Point, Rect, Shape};

use crate::ground_truth::{self, GroundTruth};
use crate::outline_distance::{Distances, distances};
use crate::picture::{BLACK, Color, Picture, WHITE};

/// The accepted RMS error of edges.
const EDGE_PX: f64 = 0.1;
/// The accepted error of corners of at least 45 degrees.
const CORNER_PX: f64 = 0.3;
/// The accepted error of corners of at least 15 degrees.
const TIP_PX: f64 = 1.0;
const BLUE: Color = [0x1d, 0xa1, 0xf2];
/// Neither a pixel's center nor its corner.
const CENTER: Point = Point::new(50.3, 49.6);

/// Traces a shape on white, in two colors, and checks what must hold for every shape.
fn check(name: &str, truth: &GroundTruth, size: usize) -> Vec<Distances> {
    [BLACK, BLUE]
        .map(|ink| {
            let traced = Picture::new(size, size, WHITE).paint(&truth.outline, ink).trace();
            let found = distances(truth, traced.top());
            println!("{name:24} {found}");
            assert!(
                traced.paths.len() == 2,
                "{name}: expected one shape and the background in {}",
                traced.text
            );
            assert!(found.rms < EDGE_PX, "{name}: {found} in {}", traced.text);
            found
        })
        .into()
}

/// Checks that each side is one line and that the corners are accurate.
fn check_polygon(name: &str, truth: &GroundTruth, corner_px: f64) {
    for found in check(name, truth, 100) {
        let only_lines = found.cubics == 0 && found.arcs == 0 && found.lines == truth.corners.len();
        assert!(only_lines && found.corner < corner_px, "{name}: {found}");
    }
}

#[test]
fn squares_at_every_angle_are_four_lines() {
    for side in [8.0, 20.0, 60.0] {
        for degrees in [0.0, 1.0, 3.0, 5.0, 10.0, 15.0, 22.5, 30.0, 40.0, 45.0, 52.0, 60.0] {
            check_polygon(
                &format!("square {side} {degrees}"),
                &ground_truth::square(side, degrees, CENTER),
                CORNER_PX,
            );
        }
    }
}

#[test]
fn wedges_keep_their_tips() {
    for degrees in [0.0, 30.0, 77.0] {
        for angle in [45.0, 60.0, 90.0] {
            let truth = ground_truth::wedge(angle, 20.0, CENTER).rotated(degrees, CENTER);
            check_polygon(&format!("wedge {angle} {degrees}"), &truth, CORNER_PX);
        }
    }
}

#[test]
fn stars_and_letters_keep_their_corners() {
    for radius in [20.0, 40.0] {
        check_polygon(&format!("star {radius}"), &ground_truth::star(radius, CENTER), 0.4);
    }
    for degrees in [0.0, 12.0, 45.0] {
        let letter = ground_truth::letter_e(6.0, Point::new(30.3, 30.6)).rotated(degrees, CENTER);
        check_polygon(&format!("letter {degrees}"), &letter, CORNER_PX);
    }
}

#[test]
fn small_stars_keep_their_tips() {
    // Where a tip is narrower than a pixel, no pixel has its full color.
    for degrees in (0..72).step_by(8) {
        for (radius, corner_px) in [(10.0, 1.2), (12.0, 0.6), (15.0, 0.6)] {
            let name = format!("star {radius} {degrees}");
            let star = ground_truth::star(radius, CENTER).rotated(degrees.into(), CENTER);
            for found in check(&name, &star, 100) {
                assert!(found.corner < corner_px, "{name}: {found}");
            }
        }
    }
}

#[test]
fn circles_are_two_arcs() {
    for diameter in [4.0, 5.0, 6.0, 8.0, 12.0, 20.0, 40.0, 80.0, 400.0] {
        let (size, center) = if diameter > 90.0 { (420, Point::new(210.2, 210.7)) } else { (100, CENTER) };
        for found in check(&format!("circle {diameter}"), &ground_truth::circle(0.5 * diameter, center), size)
        {
            let only_arcs = (found.lines, found.cubics, found.arcs) == (0, 0, 2);
            assert!(only_arcs && found.worst < EDGE_PX, "circle {diameter}: {found}");
        }
    }
}

#[test]
fn ellipses_are_two_arcs() {
    for radii in [(40.0, 20.0), (30.0, 26.0), (44.0, 30.0), (12.0, 5.0), (6.0, 4.0), (44.0, 8.0)] {
        for degrees in [0.0, 20.0, 45.0, 90.0, 117.0] {
            let name = format!("ellipse {radii:?} {degrees}");
            for found in check(&name, &ground_truth::ellipse(radii, degrees, CENTER), 100) {
                let only_arcs = (found.lines, found.cubics, found.arcs) == (0, 0, 2);
                assert!(only_arcs && found.worst < 0.12, "{name}: {found}");
            }
        }
    }
}

#[test]
fn rounded_rectangles_keep_straight_sides() {
    for (width, height, radius) in
        [(60.0, 40.0, 8.0), (80.0, 30.0, 4.0), (40.0, 40.0, 15.0), (70.0, 20.0, 10.0)]
    {
        for degrees in [0.0, 17.0] {
            let rect = Rect::from_center_size(CENTER, (width, height));
            let truth = ground_truth::rounded_rect(rect, radius).rotated(degrees, CENTER);
            let name = format!("rounded {width} {height} {radius} {degrees}");
            for found in check(&name, &truth, 100) {
                assert!(
                    found.worst < 0.25 && found.lines + found.cubics + found.arcs <= 10,
                    "{name}: {found}"
                );
            }
        }
    }
}

#[test]
fn rings_are_two_circles() {
    for (outer, inner) in
        [(40.0, 38.5), (40.0, 38.0), (40.0, 37.0), (20.0, 18.0), (10.0, 8.0), (40.0, 20.0), (6.0, 3.0)]
    {
        let truth = ground_truth::ring(outer, inner, CENTER);
        // On a transparent background, the ring is one path with a hole.
        let traced = Picture::transparent(100, 100).paint(&truth.outline, BLUE).trace();
        let found = distances(&truth, traced.top());
        println!("ring {outer} {inner}: {found}");
        let only_arcs = (found.lines, found.cubics, found.arcs) == (0, 0, 4);
        assert!(
            only_arcs && found.worst < EDGE_PX && traced.paths.len() == 1,
            "ring {outer} {inner}: {found}"
        );
    }
}

#[test]
fn strokes_are_straight_on_both_sides() {
    for width in [1.5, 2.0, 3.0] {
        for degrees in [0.0, 10.0, 30.0, 45.0] {
            let (x, y) = (CENTER.x, CENTER.y);
            let stroke = ground_truth::polygon(&[
                (x - 35.0, y),
                (x + 35.0, y),
                (x + 35.0, y + width),
                (x - 35.0, y + width),
            ]);
            let traced =
                Picture::new(100, 100, WHITE).paint(&stroke.rotated(degrees, CENTER).outline, BLACK).trace();
            let long = |segment: &&crate::traced_svg::Segment| segment.length() > 60.0;
            let sides: Vec<_> = traced.top().segments.iter().filter(long).collect();
            assert_eq!(sides.len(), 2, "stroke {width} {degrees}: {}", traced.text);
            for side in sides {
                let slope = (side.to - side.from).atan2().to_degrees().rem_euclid(180.0);
                let error = (slope - degrees).abs().min(180.0 - (slope - degrees).abs());
                assert!(error < 0.2, "stroke {width} {degrees}: a side at {slope} in {}", traced.text);
            }
        }
    }
}

#[test]
fn a_straight_boundary_between_junctions_is_one_line() {
    // Three fills with straight boundaries meet in one point.
    for degrees in [0.0, 20.0, 45.0, 75.0] {
        let center = Point::new(33.4, 42.7);
        let half = ground_truth::polygon(&[(-100.0, 42.7), (180.0, 42.7), (180.0, 180.0), (-100.0, 180.0)]);
        let quarter = ground_truth::polygon(&[(33.4, -100.0), (180.0, -100.0), (180.0, 42.7), (33.4, 42.7)]);
        let clip = |truth: GroundTruth| truth.rotated(degrees, center).clipped(80.0);
        let traced = Picture::new(80, 80, BLUE)
            .paint_adjacent(&[(clip(half), [200, 60, 40]), (clip(quarter), [250, 220, 90])])
            .trace();
        assert_eq!(traced.paths.len(), 3, "{degrees}: {}", traced.text);
        let curves =
            traced.paths.iter().flat_map(|path| &path.segments).filter(|segment| !segment.is_line()).count();
        let error = crate::outline_distance::corner_error(&[center], &traced.paths[2]);
        println!("junction {degrees}: off by {error:.3}");
        assert!(curves == 0 && error < CORNER_PX, "{degrees}: {error} in {}", traced.text);
    }
}

#[test]
fn a_shared_edge_is_straight_although_the_lower_color_bleeds_through() {
    // Both shapes have the same outline, so the edge pixels of the upper one contain some of the lower one's color: that of a share s of a
    // pixel is s (1 - s), which is 1/6 on average. So far out may the edge lie.
    const BLED_PX: f64 = 1.0 / 6.0;
    const GREEN: Color = [0x77, 0xb2, 0x55];
    const RED: Color = [0xea, 0x59, 0x6e];
    for degrees in [3.0, 10.0, 22.0, 40.0] {
        let square = ground_truth::square(44.0, degrees, CENTER);
        let dot = ground_truth::circle(9.0, Point::new(12.2, 11.7));
        let lower = Picture::new(100, 100, WHITE).paint(&dot.outline, GREEN).paint(&square.outline, GREEN);
        let traced = lower.paint(&square.outline, RED).trace();
        let red = traced.paths.iter().find(|path| path.fill == "#ea596e").expect("the upper square");
        let found = distances(&square, red);
        println!("shared edge {degrees}: {found}");
        assert!(red.segments.iter().all(|segment| segment.is_line()), "{degrees}: {}", traced.text);
        // One side may have a needless node.
        assert!(found.rms < BLED_PX && red.segments.len() <= 5, "{degrees}: {found} in {}", traced.text);
    }
}

#[test]
fn a_shared_round_edge_has_no_slivers() {
    // Where a shadow ends at its disk's edge, the edge pixels contain some of the disk's color.
    const YELLOW: Color = [0xfc, 0xe2, 0x65];
    const SLATE: Color = [0x4b, 0x60, 0x71];
    for radius in [60.0, 83.0, 92.0] {
        for start in [0.3, 1.1, 2.0, 2.9] {
            let center = Point::new(100.3, 99.6);
            let disk = ground_truth::circle(radius, center);
            let shadow = CircleSegment::new(center, radius, 0.0, start, 2.4).to_path(1e-3);
            let traced =
                Picture::new(200, 200, WHITE).paint(&disk.outline, YELLOW).paint(&shadow, SLATE).trace();
            assert_eq!(traced.paths.len(), 3, "{radius} {start}: {}", traced.text);
        }
    }
}

#[test]
fn a_dot_on_the_edge_of_two_backgrounds_keeps_its_area() {
    // The dot is so small that every pixel of its outline, near the junctions, contains a third color.
    let mut worst = 0.0f64;
    for radius in [1.6, 2.0, 2.5, 3.0, 4.0] {
        for step in 0..8 {
            let center = Point::new(16.0 + 0.13 * f64::from(step), 16.4 - 0.11 * f64::from(step));
            let half =
                ground_truth::polygon(&[(-60.0, center.y), (90.0, center.y), (90.0, 90.0), (-60.0, 90.0)]);
            let half = half.rotated(11.25 * f64::from(step), center).clipped(32.0);
            let dot = ground_truth::circle(radius, center);
            let picture = Picture::new(32, 32, WHITE).paint(&half, BLUE).paint(&dot.outline, [200, 30, 40]);
            let traced = picture.trace();
            let found = traced.top();
            let share = found.outline.area().abs() / dot.outline.area().abs();
            let offset = (found.outline.bounding_box().center() - center).hypot();
            println!("dot {radius} {step}: {share:.3} of its area, offset {offset:.3} in {}", found.fill);
            worst = worst.max((share - 1.0).abs());
            assert!(traced.paths.len() == 3 && offset < 0.5, "dot {radius} {step}: {}", traced.text);
        }
    }
    assert!(worst < 0.25, "the largest error of an area is {worst:.2}");
}

#[test]
fn slits_open_to_the_background_keep_its_color() {
    // The image is so small that the background is not much larger than the slits, which look like thin strokes of its color.
    const ORANGE: Color = [0xee, 0x78, 0x4b];
    const PALE: Color = [0xb4, 0xcd, 0xea];
    let ring = ground_truth::ring(19.0, 17.9, Point::new(24.0, 20.3)).outline;
    let comb = Rect::new(14.2, 14.0, 34.6, 46.0).to_path(0.1);
    let background = Picture::new(48, 48, WHITE).paint(&ring, PALE).paint(&comb, ORANGE);
    for (width, slant) in (0..10).flat_map(|k| (0..8).map(move |m| (0.1 * f64::from(k), 0.25 * f64::from(m))))
    {
        let slit = |x: f64| {
            let (top, mouth) = (x + 0.7 + width, x + slant + 0.3 + 0.8 * width);
            ground_truth::polygon(&[(x, 30.0), (top, 30.0), (mouth, 47.0), (x + slant, 47.0)]).outline
        };
        let slits = [16.4, 20.6, 24.8, 29.0].map(slit);
        let picture = slits.iter().fold(background.clone(), |picture, slit| picture.paint(slit, WHITE));
        let traced = picture.trace();
        for (x, y) in [(3, 3), (24, 8), (16, 20), (44, 44), (9, 44)] {
            let [drawn @ .., _] = picture.pixels.get_pixel(x, y).0;
            let found = traced.color_at(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
            assert_eq!(found, Some(drawn), "{width} {slant} at {x}, {y}: {}", traced.text);
        }
    }
}

#[test]
fn an_absorbed_speckle_leaves_no_tint() {
    let eye = ground_truth::circle(6.2, Point::new(20.3, 20.1)).outline;
    let pupil = Rect::new(19.0, 19.0, 22.0, 22.0).to_path(0.1);
    let picture = Picture::new(40, 40, BLUE).paint(&eye, WHITE).paint(&pupil, BLACK);
    let traced = picture.trace();
    assert_eq!(traced.top().color(), WHITE, "{}", traced.text);
}

#[test]
fn a_diagonally_connected_tip_is_traced_to_its_end() {
    // A crescent's coverage in sixteenths of a pixel; its tips are at 0.5, 4.1 and 9.9, 13.5. The last mostly covered pixel of the upper tip
    // has only half covered pixels at its sides.
    const SIXTEENTHS: [[u8; 14]; 14] = [
        [0, 0, 0, 2, 10, 15, 16, 16, 15, 10, 2, 0, 0, 0],
        [0, 0, 6, 16, 16, 16, 16, 16, 16, 16, 16, 7, 0, 0],
        [0, 7, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 7, 0],
        [2, 12, 8, 8, 8, 13, 16, 16, 16, 16, 16, 16, 16, 2],
        [0, 0, 0, 0, 0, 0, 2, 12, 16, 16, 16, 16, 16, 10],
        [0, 0, 0, 0, 0, 0, 0, 0, 10, 16, 16, 16, 16, 15],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 16, 16, 16, 16],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 16, 16, 16, 16],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 16, 16, 14],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 16, 16, 10],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 16, 16, 2],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 16, 6, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 7, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0],
    ];
    let mut picture = Picture::new(30, 30, [85, 172, 238]);
    for (y, row) in SIXTEENTHS.iter().enumerate() {
        for (x, &coverage) in row.iter().enumerate() {
            let pixel = picture.pixels.get_pixel_mut(x as u32 + 8, y as u32 + 8);
            for channel in &mut pixel.0[..3] {
                *channel = (f32::from(*channel) * (1.0 - f32::from(coverage) / 16.0)).round() as u8;
            }
        }
    }
    let traced = picture.trace();
    let tips = [Point::new(8.5, 12.1), Point::new(17.9, 21.5)];
    let error = crate::outline_distance::corner_error(&tips, traced.top());
    println!("tips of a crescent: off by {error:.3}");
    // The tip may end a pixel and a half early, but not at the width of the crescent.
    assert!(error < 1.5, "off by {error}: {}", traced.text);
}

#[test]
fn acute_tips_are_traced_to_their_ends() {
    for (angle, degrees) in [(15.0, 0.0), (15.0, 11.0), (20.0, 0.0), (20.0, 30.0), (30.0, 52.0), (30.0, 77.0)]
    {
        let truth = ground_truth::wedge(angle, 30.0, CENTER).rotated(degrees, CENTER);
        check_polygon(&format!("tip {angle} {degrees}"), &truth, TIP_PX);
    }
}
