//! Draws a drawing back as pixels: the reverse of tracing.
//!
//! Each path covers of a pixel the exact area that its outline encloses there, and paths are composited in painting order, as SVG
//! renderers do. Most pixels are covered fully by one path; only the others, which edges pass, are composited.
//!
//! The vertices of outlines are sums of the points of the drawing ([`Stretch`]). So it is known how the coverage of a pixel changes when
//! a point moves: by the length of the edge in that pixel, times how far the edge moves across itself.
mod canvas;
mod cells;
mod composite;
mod fragment;
mod outline;
mod pixel_set;
mod sweep;

pub(crate) use canvas::{Canvas, KnownRun};
pub(crate) use composite::VisibleFragment;
pub(crate) use outline::{OfStretch, Outline, Stretch};
pub(crate) use sweep::{Covered, Sweep};

#[cfg(test)]
mod tests {
    use super::fragment::Piece;
    use super::*;
    use crate::color::StraightColor;
    use crate::geometry::{Curve, Paint, Point, Segment};

    const BLACK: Paint = Paint::Flat(StraightColor::BLACK);
    const WHITE: Paint = Paint::Flat(StraightColor([255; 4]));

    /// The canvas of black curves over white.
    fn canvas(size: (usize, usize), curves: &[Curve]) -> Canvas {
        let mut canvas = Canvas::new(&[]);
        canvas.clear(size);
        let border = [Point::default(), Point::new(size.0 as f32, size.1 as f32)];
        canvas.paint(WHITE, |outline| {
            outline.push(&Curve::rectangle(border), 0);
        });
        canvas.paint(BLACK, |outline| {
            curves.iter().fold(5, |slot, curve| outline.push(curve, slot));
        });
        canvas
    }

    /// How much of each pixel black covers.
    fn coverage(size: (usize, usize), curves: &[Curve]) -> Vec<f32> {
        let canvas = canvas(size, curves);
        (0..size.0 * size.1).map(|pixel| 1.0 - canvas.color(pixel)[0] / 255.0).collect()
    }

    fn polygon(points: &[(f32, f32)]) -> Curve {
        let points: Vec<Point> = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
        Curve::polyline(&points, true)
    }

    fn assert_near(found: &[f32], expected: &[f32]) {
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
        assert!(found.iter().zip(expected).all(is_near), "{found:?} {expected:?}");
    }

    #[test]
    fn a_slanted_edge_covers_the_area_below_it() {
        // From (0, 0) to (4, 2): triangles and trapezoids of slope 1/2.
        let found = coverage((4, 2), &[polygon(&[(0.0, 0.0), (4.0, 2.0), (0.0, 2.0)])]);
        assert_near(&found, &[0.75, 0.25, 0.0, 0.0, 1.0, 1.0, 0.75, 0.25]);
    }

    #[test]
    fn a_rectangle_between_pixels_covers_shares_of_rows_and_columns() {
        let found = coverage((3, 3), &[polygon(&[(0.25, 0.5), (2.5, 0.5), (2.5, 1.75), (0.25, 1.75)])]);
        assert_near(&found, &[0.375, 0.5, 0.25, 0.5625, 0.75, 0.375, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_stroke_of_a_tenth_of_a_pixel_keeps_its_area() {
        let found = coverage((8, 3), &[polygon(&[(1.0, 1.4), (7.0, 1.4), (7.0, 1.5), (1.0, 1.5)])]);
        assert_near(&found[8..16], &[0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0]);
    }

    #[test]
    fn circles_of_arcs_have_the_area_of_circles() {
        for radius in [0.4, 2.0, 9.3] {
            let (left, right) = (Point::new(10.2 - radius, 9.9), Point::new(10.2 + radius, 9.9));
            let segments = vec![Segment::arc(0.0, true, right), Segment::arc(0.0, true, left)];
            let found = coverage((20, 20), &[Curve { start: left, segments, closed: true }]);
            let (area, circle) = (found.iter().sum::<f32>(), std::f32::consts::PI * radius * radius);
            // A chord lies at most the flatness off the circle, so a ring of two thirds of that width is missing.
            assert!((circle - area) / (2.0 * std::f32::consts::PI * radius) < 0.02, "{area} {circle}");
            assert!(area < circle + 1e-4);
        }
    }

    #[test]
    fn holes_are_left_out_and_overlaps_count_once() {
        let outer = polygon(&[(1.0, 1.0), (1.0, 5.0), (5.0, 5.0), (5.0, 1.0)]);
        let inner = [(2.0, 2.0), (2.0, 4.0), (4.0, 4.0), (4.0, 2.0)];
        let twice = coverage((6, 6), &[outer.clone(), polygon(&inner)]);
        assert_eq!(twice.iter().sum::<f32>(), 16.0);
        let holed = coverage((6, 6), &[outer, polygon(&inner).reversed()]);
        assert_eq!(holed.iter().sum::<f32>(), 12.0);
    }

    #[test]
    fn what_lies_outside_of_the_image_is_cut_off() {
        let found = coverage((3, 2), &[polygon(&[(-5.0, -4.0), (1.5, -4.0), (1.5, 9.0), (-5.0, 9.0)])]);
        assert_near(&found, &[1.0, 0.5, 0.0, 1.0, 0.5, 0.0]);
        assert_near(&coverage((2, 1), &[polygon(&[(3.0, 0.0), (9.0, 0.0), (9.0, 1.0)])]), &[0.0, 0.0]);
    }

    #[test]
    fn translucent_paths_mix_with_what_is_below() {
        let mut canvas = Canvas::new(&[]);
        canvas.clear((1, 1));
        let all = Curve::rectangle([Point::default(), Point::new(1.0, 1.0)]);
        canvas.paint(WHITE, |outline| {
            outline.push(&all, 0);
        });
        canvas.paint(Paint::Flat(StraightColor([0, 0, 0, 35])), |outline| {
            outline.push(&all, 5);
        });
        assert_eq!(canvas.color(0), [220.0, 220.0, 220.0, 255.0]);
    }

    #[test]
    fn an_upright_edge_on_the_left_of_the_image_pulls_nothing() {
        let canvas = canvas((4, 4), &[polygon(&[(-2.0, 0.5), (2.5, 0.5), (2.5, 3.5), (-2.0, 3.5)])]);
        let mut found = Vec::new();
        canvas.find_visible(4, &mut found);
        let pieces = found.iter().flat_map(|fragment| canvas.pieces_of(fragment.number));
        let outline = &canvas.outline;
        let stretch_of = |piece: &Piece| &outline.stretches[outline.stretch_of[piece.edge as usize] as usize];
        let pulls: Vec<_> =
            pieces.map(|piece| outline.pulls(stretch_of(piece), piece.edge, piece.shares)).collect();
        assert!(!pulls.is_empty() && pulls.iter().all(|&pull| pull == [[0.0; 4]; 2]), "{pulls:?}");
    }

    #[test]
    fn runs_of_pixels_are_covered_if_each_of_them_is() {
        // Path 1 is white and path 2 black.
        let canvas = canvas((24, 3), &[polygon(&[(2.5, 0.0), (22.4, 0.0), (19.0, 3.0), (2.7, 3.0)])]);
        let mut found = [0; 2];
        for paths in [1..2, 2..3, 1..3] {
            for first in 0..72 {
                for end in first..=(first / 24 + 1) * 24 {
                    let is_covered = |pixel: u32| {
                        let middle = Point::new((pixel % 24) as f32 + 0.5, (pixel / 24) as f32 + 0.5);
                        canvas.is_covered(middle, 0.0, paths.clone())
                    };
                    let expected = (first..end).all(is_covered);
                    assert_eq!(canvas.are_covered(first..end, paths.clone()), expected, "{first}..{end}");
                    found[usize::from(expected)] += 1;
                }
            }
        }
        assert!(found.iter().all(|&count| count > 500), "{found:?}");
    }

    #[test]
    fn pulls_are_the_derivatives_of_coverage() {
        let step = 1.0 / 64.0;
        let ends = |moved: f32| {
            let cubic =
                Segment::cubic(Point::new(1.5, 4.5), Point::new(5.5, 5.5), Point::new(6.5 + moved, 2.5));
            Curve {
                start: Point::new(1.5, 1.5),
                segments: vec![cubic, Segment::line(Point::new(1.5, 1.5))],
                closed: true,
            }
        };
        let [before, after] = [-step, step].map(|moved| coverage((8, 8), &[ends(moved)]));
        let canvas = canvas((8, 8), &[ends(0.0)]);
        // The end of the cubic is the last of its points.
        let mut found = Vec::new();
        for pixel in 0..64 {
            found.clear();
            canvas.find_visible(pixel, &mut found);
            let mut gained = 0.0;
            for fragment in &found {
                for piece in canvas.pieces_of(fragment.number) {
                    let stretch = canvas.outline.stretch_of[piece.edge as usize];
                    let stretch = &canvas.outline.stretches[stretch as usize];
                    let [pull, _] = canvas.outline.pulls(stretch, piece.edge, piece.shares);
                    let moved = stretch.slots.iter().zip(pull);
                    let by: f32 = moved.filter(|(slot, _)| **slot == 8).map(|(_, by)| by).sum();
                    gained += fragment.gain[0].signum() * by;
                }
            }
            let measured = (after[pixel] - before[pixel]) / (2.0 * step);
            assert!((gained.abs() - measured.abs()).abs() < 0.02, "{pixel}: {gained} {measured}");
        }
    }
}
