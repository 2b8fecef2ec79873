//! Horizontal and vertical lines about one pixel wide, at any position within a pixel.

use kurbo::{BezPath, PathEl, Point, Rect, Shape};

use crate::ground_truth;
use crate::picture::{BLACK, Color, Picture, WHITE};
use crate::traced_svg::TracedSvg;

/// The accuracy of a line's sides; coordinates in the SVG are rounded to tenths.
const SIDE_PX: f64 = 0.08;
/// The accuracy of a line's ends, which may be hidden under another line.
const END_PX: f64 = 1.1;
const GRAY: Color = [0xdf, 0xdf, 0xdf];

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect {
    Rect::new(x0, y0, x1, y1)
}

/// The bounding boxes of all subpaths whose fill is close to a color.
fn boxes(traced: &TracedSvg, fill: Color) -> Vec<Rect> {
    let of_color = traced.paths.iter().filter(|path| (0..3).all(|c| path.color()[c].abs_diff(fill[c]) <= 2));
    let bounds = |part: &[PathEl]| BezPath::from_vec(part.to_vec()).bounding_box();
    let parts =
        of_color.flat_map(|path| path.outline.elements().split_inclusive(|e| *e == PathEl::ClosePath));
    parts.map(bounds).collect()
}

fn matches_line(found: &Rect, line: &Rect) -> bool {
    let near = |a: f64, b: f64, tolerance: f64| (a - b).abs() < tolerance;
    let (across, along) = if line.width() > line.height() { (END_PX, SIDE_PX) } else { (SIDE_PX, END_PX) };
    near(found.x0, line.x0, across)
        && near(found.x1, line.x1, across)
        && near(found.y0, line.y0, along)
        && near(found.y1, line.y1, along)
}

/// A chart: a frame that is not pixel-aligned, its ticks, a gray grid below them, and rings as data points.
fn chart(dx: f64, dy: f64) -> (Picture, Vec<Rect>, Vec<Rect>) {
    let (left, top, right, bottom) = (20.0 + dx, 10.0 + dy, 150.0 + dx, 100.0 + dy);
    let mut frame = vec![
        rect(left, top, left + 1.0, bottom),
        rect(right, top, right + 1.0, bottom),
        rect(left, top, right + 1.0, top + 1.0),
        rect(left, bottom, right + 1.0, bottom + 1.0),
    ];
    let ticks = [50.0, 80.0, 110.0].map(|x| rect(x, bottom, x + 1.0, bottom + 6.0));
    let grid = [40.0, 70.0].map(|y| rect(left, y, right, y + 1.0));
    let picture = Picture::new(180, 120, WHITE).paint_rects(&grid, GRAY);
    let picture = picture.paint_rects(&frame, BLACK);
    let picture = picture.paint_rects(&ticks, BLACK);
    frame.extend(ticks);
    let rings = |row: f64| {
        (0..9).map(move |k| ground_truth::ring(5.3, 3.6, Point::new(29.4 + 13.1 * f64::from(k), row)))
    };
    let curves: Vec<_> = [24.6, 55.3, 86.2].into_iter().flat_map(rings).collect();
    let picture = curves.iter().fold(picture, |picture, ring| picture.paint(&ring.outline, BLACK));
    (picture, frame, grid.to_vec())
}

#[test]
fn frames_ticks_and_grids_are_rectangles_where_they_were_drawn() {
    for (dx, dy) in [(0.5, 0.5), (0.25, 0.75), (0.0, 0.3), (0.6, 0.0)] {
        let (picture, frame, grid) = chart(dx, dy);
        let traced = picture.trace();
        for (lines, fill) in [(frame, BLACK), (grid, GRAY)] {
            let found = boxes(&traced, fill);
            for line in lines {
                let is_found = found.iter().any(|found| matches_line(found, &line));
                assert!(is_found, "{dx} {dy}: {line:?} among {found:?} in {}", traced.text);
            }
        }
    }
}

/// Cells of several colors, separated by white lines.
fn heat_map(dx: f64, dy: f64) -> (Picture, Vec<Rect>) {
    const CELLS: [[Color; 4]; 3] = [
        [[0x69, 0xcd, 0x5b], [0x3d, 0x4e, 0x8a], [0x21, 0x91, 0x8c], [0x48, 0x1c, 0x6e]],
        [[0x29, 0x79, 0x8e], [0x47, 0x2c, 0x7a], [0xfd, 0xe7, 0x25], [0x2d, 0xb2, 0x7d]],
        [[0x33, 0x63, 0x8d], [0x44, 0x01, 0x54], [0x9b, 0xd9, 0x3c], [0x25, 0x83, 0x8e]],
    ];
    const CELL_PX: f64 = 40.0;
    let (left, top) = (20.0 + dx, 15.0 + dy);
    let (right, bottom) = (left + 4.0 * CELL_PX, top + 3.0 * CELL_PX);
    let cells = CELLS.iter().zip(0u8..).flat_map(|(row, y)| {
        row.iter().zip(0u8..).map(move |(&color, x)| {
            let (x, y) = (left + CELL_PX * f64::from(x), top + CELL_PX * f64::from(y));
            (rect(x, y, x + CELL_PX, y + CELL_PX).to_path(0.1), color)
        })
    });
    let picture = Picture::new(200, 150, WHITE).paint_adjacent(&cells.collect::<Vec<_>>());
    let columns = [1, 2, 3].map(|k| left + CELL_PX * f64::from(k) - 0.5);
    let rows = [1, 2].map(|k| top + CELL_PX * f64::from(k) - 0.5);
    let columns = columns.map(|x| rect(x, top, x + 1.0, bottom));
    let lines = [&columns[..], &rows.map(|y| rect(left, y, right, y + 1.0))].concat();
    (picture.paint_rects(&lines, WHITE), lines)
}

#[test]
fn lines_between_cells_of_several_colors_run_across_all_of_them() {
    for (dx, dy) in [(0.3, 0.3), (0.1, 0.8), (0.7, 0.25)] {
        let (picture, lines) = heat_map(dx, dy);
        let traced = picture.trace();
        let found = boxes(&traced, WHITE);
        for line in lines {
            let is_found = found.iter().any(|found| matches_line(found, &line));
            assert!(is_found, "{dx} {dy}: {line:?} among {found:?} in {}", traced.text);
        }
    }
}

/// The frame keeps its own color, although text in a color that could explain it is beside it.
#[test]
fn a_frame_between_two_fills_is_found_beside_print() {
    const OUTER: Color = [0x45; 3];
    const INNER: Color = [0x30; 3];
    const FRAME: Color = [0x87; 3];
    for (left, top) in [(8.0, 12.0), (15.0, 30.0)] {
        let (right, bottom) = (left + 120.0, top + 20.0);
        let picture = Picture::new(150, 60, OUTER).paint_rects(&[rect(left, top, right, bottom)], FRAME);
        let inside = rect(left + 1.0, top + 1.0, right - 1.0, bottom - 1.0);
        let picture = picture.paint_rects(&[inside], INNER);
        let letters =
            [7.3, 18.2, 29.8].map(|x| ground_truth::ring(4.9, 3.5, Point::new(left + x, top + 9.4)));
        let picture =
            letters.iter().fold(picture, |picture, ring| picture.paint(&ring.outline, [0xdc, 0xdd, 0xde]));
        let traced = picture.trace();
        let found = boxes(&traced, FRAME);
        for line in [
            rect(left, top, right, top + 1.0),
            rect(left, bottom - 1.0, right, bottom),
            rect(left, top, left + 1.0, bottom),
            rect(right - 1.0, top, right, bottom),
        ] {
            let is_found = found.iter().any(|found| matches_line(found, &line));
            assert!(is_found, "{left} {top}: {line:?} among {found:?} in {}", traced.text);
        }
    }
}

/// Where two shapes share an edge within a pixel row, that row shows the color below both.
#[test]
fn a_shared_edge_is_not_a_line() {
    const GREEN: Color = [0x77, 0xb2, 0x55];
    const RED: Color = [0xea, 0x59, 0x6e];
    for part in [0.3, 0.5, 0.7] {
        let square = rect(20.0 + part, 20.0 + part, 70.0 + part, 70.0 + part);
        let dot = ground_truth::circle(7.0, Point::new(12.2, 11.7));
        let lower = Picture::new(100, 100, WHITE).paint(&dot.outline, GREEN).paint_rects(&[square], GREEN);
        let traced = lower.paint_rects(&[square], RED).trace();
        let is_thin = |found: &Rect| found.width().min(found.height()) < 1.5;
        let thin = traced.paths.iter().map(|path| path.outline.bounding_box()).find(is_thin);
        assert!(thin.is_none(), "{part}: {thin:?} in {}", traced.text);
    }
}

/// An isolated line that is shorter than `filterSpeckle` is absorbed like any other shape.
#[test]
fn short_lines_are_speckles() {
    let picture = Picture::new(100, 100, WHITE).paint_rects(&[rect(10.0, 20.0, 50.0, 21.0)], BLACK);
    let picture = picture.paint(&ground_truth::circle(20.3, Point::new(60.4, 65.7)).outline, GRAY);
    for (speckle_px, is_found) in [(39.0, true), (41.0, false)] {
        let traced = picture.trace_with(|options| options.filter_speckle_px = speckle_px);
        assert!(boxes(&traced, BLACK).is_empty() != is_found, "{speckle_px}: {}", traced.text);
    }
}

/// Two rows are not one thin line if its color is found nowhere else in the image, or if no other line has that color.
#[test]
fn bevels_and_bands_stay_two_pixels_wide() {
    let [upper, lower] = [[0xc0, 0xc8, 0xd0], [0x80, 0x88, 0x90]];
    let light = Picture::new(100, 40, WHITE).paint_rects(&[rect(10.0, 12.0, 90.0, 13.0)], upper);
    let bevel = light.paint_rects(&[rect(10.0, 13.0, 90.0, 14.0)], lower);
    let band = Picture::new(100, 40, WHITE).paint_rects(&[rect(10.0, 12.0, 90.0, 14.0)], [0x90; 3]);
    let band = band.paint(&ground_truth::circle(8.0, Point::new(50.3, 27.6)).outline, BLACK);
    for (picture, rows) in [(bevel, [upper, lower]), (band, [[0x90; 3]; 2])] {
        let traced = picture.trace();
        for x in [10.2, 50.0, 89.8] {
            let seen = [11.9, 12.1, 12.9, 13.1, 13.9, 14.1].map(|y| traced.color_at(Point::new(x, y)));
            let expected = [WHITE, rows[0], rows[0], rows[1], rows[1], WHITE].map(Some);
            assert_eq!(seen, expected, "{x} in {}", traced.text);
        }
    }
}

/// A slider or a button: a frame with a shadow along the inside of one side.
#[test]
fn a_frame_and_its_inner_shadow_are_two_lines() {
    const OUTER: Color = [0x3b; 3];
    const FRAME: Color = [0x87; 3];
    const INNER: Color = [0x55; 3];
    const PRINT: Color = [0xdd; 3];
    for (left, top, right, bottom) in [(5.0, 8.0, 135.0, 27.0), (9.0, 30.0, 60.0, 52.0)] {
        let picture = Picture::new(150, 60, OUTER).paint_rects(&[rect(left, top, right, bottom)], FRAME);
        let inside = rect(left + 1.0, top + 1.0, right - 1.0, bottom - 1.0);
        let shade = rect(left + 1.0, bottom - 2.0, right - 1.0, bottom - 1.0);
        let picture = picture.paint_rects(&[inside], INNER).paint_rects(&[shade], OUTER);
        let letter = ground_truth::ring(4.9, 3.5, Point::new(left + 20.3, bottom - 7.1));
        let traced = picture.paint(&letter.outline, PRINT).trace();
        for x in (0..(right - left) as u32 - 2).map(|x| left + 1.5 + f64::from(x)) {
            let seen = [2.5, 1.5, 0.5].map(|up| traced.color_at(Point::new(x, bottom - up)));
            let is_below_letter = (x - left - 20.3).abs() < 6.0;
            let expected = [INNER, OUTER, FRAME].map(Some);
            assert_eq!(seen[1..], expected[1..], "{x} {bottom} in {}", traced.text);
            assert!(is_below_letter || seen[0] == expected[0], "{x} {bottom} in {}", traced.text);
        }
    }
}

/// A histogram: two frames with a gap of one pixel, which has no pixel of a paint beside it.
#[test]
fn a_double_frame_is_three_lines_on_every_side() {
    const OUTER: Color = [0x61; 3];
    const INNER: Color = [0x78; 3];
    const FIELD: Color = [0xbd; 3];
    const PRINT: Color = [0x34; 3];
    let frame = rect(6.0, 5.0, 94.0, 55.0);
    let within = |by: f64| frame.inset(-by);
    let picture = Picture::new(100, 60, [0xdd; 3]).paint_rects(&[frame], OUTER);
    let picture = picture.paint_rects(&[within(1.0)], FIELD).paint_rects(&[within(2.0)], INNER);
    let histogram = [(30.0, 31.0), (40.0, 23.0), (50.0, 27.0)].map(|(x, y)| rect(x, y, x + 10.0, 52.0));
    let traced = picture.paint_rects(&[within(3.0)], FIELD).paint_rects(&histogram, PRINT).trace();
    for (row, color) in [OUTER, FIELD, INNER].into_iter().enumerate() {
        let side = within(row as f64 + 0.5);
        for along in (10..90).map(|along| f64::from(along) / 100.0) {
            let (x, y) = (side.x0 + along * side.width(), side.y0 + along * side.height());
            for place in [(x, side.y0), (x, side.y1), (side.x0, y), (side.x1, y)] {
                assert_eq!(traced.color_at(place.into()), Some(color), "{place:?} in {}", traced.text);
            }
        }
    }
}

/// A chart's legend: the lines are wider than a pixel, but none of their rows is fully covered.
#[test]
fn lines_across_three_rows_keep_their_width() {
    const BLUE: Color = [0x1f, 0x77, 0xb4];
    for (top, width) in [(12.4, 1.9), (12.7, 1.4), (12.25, 2.2), (12.8, 1.3)] {
        let line = rect(20.0, top, 70.0, top + width);
        let ring = ground_truth::ring(7.3, 5.6, Point::new(50.2, 29.4));
        let picture = Picture::new(100, 40, WHITE).paint_rects(&[line], BLUE);
        let traced = picture.paint(&ring.outline, BLACK).trace();
        let found = boxes(&traced, BLUE);
        assert!(
            matches!(&found[..], [found] if matches_line(found, &line)),
            "{line:?}: {found:?} in {}",
            traced.text
        );
        let [path] = &traced.paths.iter().filter(|path| path.color() == BLUE).collect::<Vec<_>>()[..] else {
            panic!("one line: {}", traced.text);
        };
        assert_eq!(path.outline.elements().len(), 5, "{}", traced.text);
    }
}

/// Shades too slight for a boundary of their own come back, whether or not lines mark the image as a screenshot.
#[test]
fn slight_shades_of_icons_are_kept() {
    const ICON: Color = [0x60, 0x80, 0xa0];
    let shades: Vec<Color> = (12..36).step_by(3).map(|by| ICON.map(|v| v + by)).collect();
    let kept = |lines: &[Rect]| {
        let ring = ground_truth::ring(9.3, 7.6, Point::new(90.2, 49.4));
        let picture = Picture::new(120, 70, WHITE).paint(&ring.outline, BLACK).paint_rects(lines, BLACK);
        let picture = picture.paint_rects(&[rect(5.0, 30.0, 75.0, 62.0)], ICON);
        let place = |k: usize| (10.0 + 16.0 * (k % 4) as f64, 36.0 + 14.0 * (k / 4) as f64);
        let shaded = shades.iter().enumerate().fold(picture, |picture, (k, &shade)| {
            let (x, y) = place(k);
            // Too few pixels to count as a flat area.
            picture.paint_rects(&[rect(x, y, x + 5.0, y + 3.0)], shade)
        });
        let traced = shaded.trace();
        let center = |k: usize| Point::new(place(k).0 + 2.5, place(k).1 + 1.5);
        (0..shades.len()).filter(|&k| traced.color_at(center(k)) == Some(shades[k])).count()
    };
    let lines = [5.0, 10.0, 15.0].map(|y| rect(5.0, y, 110.0, y + 1.0));
    let (alone, beside_lines) = (kept(&[]), kept(&lines));
    let most = shades.len();
    assert!(4 * alone.min(beside_lines) >= 3 * most, "{alone} and {beside_lines} of {most}");
}

/// A generator of the same numbers in every run.
struct Xorshift(u32);

impl Xorshift {
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % end
    }
}

/// A bar with a line along its top, and from its side rows of gray pixels. `choices` are the sizes and grays.
fn bar_with_noisy_rows(mut choices: Xorshift, line_color: Color) -> (Picture, Rect) {
    const LEFT: u32 = 20;
    const TOP: u32 = 20;
    let right = LEFT + 20 + choices.below(20);
    let bottom = TOP + 9 + 2 * choices.below(6);
    let lightest = 10 + choices.below(60);
    let range = 10 + choices.below(180);
    let length = 60 + choices.below(115);
    let [left_side, top, right_side, bottom_side] = [LEFT, TOP, right, bottom].map(f64::from);
    let line = rect(left_side, top - 1.0, right_side, top);
    let mut picture = Picture::new(220, 80, WHITE)
        .paint_rects(&[rect(left_side, top, right_side, bottom_side)], BLACK)
        .paint_rects(&[line], line_color);
    for y in (TOP..bottom).step_by(2) {
        for x in right..right + length {
            let gray = 255 - (lightest + choices.below(range)).min(255) as u8;
            let [r, g, b] = if x < right + 2 { [60, 60, 200] } else { [gray; 3] };
            picture.pixels.put_pixel(x, y, [r, g, b, 255].into());
        }
    }
    (picture, line)
}

/// A stroke between the rows takes in the bar and the line's pixels; when it is taken back, the line's must have their ground again.
#[test]
fn a_line_keeps_its_ground_where_a_stroke_beside_it_is_taken_back() {
    const RED: Color = [220, 30, 30];
    for seed in [170, 329, 374, 815].into_iter().chain(1..12) {
        let (picture, line) = bar_with_noisy_rows(Xorshift(seed * 7919), RED);
        let traced = picture.trace();
        let found = boxes(&traced, RED);
        assert!(found.iter().any(|found| matches_line(found, &line)), "{seed}: {found:?} in {}", traced.text);
    }
}
