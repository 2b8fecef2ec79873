//! Seventh stage: draws the drawing back, compares it with the image, and repairs it where they differ. Takes the drawing and the image,
//! gives a better drawing.
//!
//! One price decides: the bytes that a repair adds against the squared error that it removes. It follows from the noise of pixels
//! ([`variances`](Comparison::variances)): by the principle of the shortest description, n bytes are worth as much error as makes the image
//! 256ⁿ times as likely. Pixels that no edge is near are surer than others, and say more about shapes that are missing.
//!
//! Beside an edge without anti-aliasing, what rounding explains is no error: such pixels say no more than on which side of it they lie.
//!
//! 1. [`remove_needless`] takes away what is not worth its bytes.
//! 2. [`shorten_hidden`] takes bytes from edges that shapes above hide.
//! 3. [`move_nodes`] moves the points of the drawing to where it resembles the image most, and changes the fills that are not known for sure.
//! 4. [`Additions`] finds where the image still differs, adds the shapes that are worth their bytes, and cuts away what the image does not show
//!    ([`cuts`]); then the points move again. This twice, if the first time lowers the error by more than little.
//! 5. [`share_paths`] brings shapes of one paint together, in as few paths as that takes.
mod additions;
mod bar;
mod comparison;
mod coordinates;
mod cuts;
mod edge_ends;
mod fills;
mod hidden;
mod nodes;
mod normal_equations;
mod patches;
mod quadratics;
mod removals;

pub(crate) use comparison::Depicted;

use crate::api::{Options, ProgressMeter, Stage, Stopped};
use crate::classify::byte_price;
use crate::color::ColorMetric;
use crate::fit::FitStyle;
use crate::geometry::Drawing;
use crate::raster::Pixels;
use crate::svg::share_paths;
use additions::{Additions, Change};
use comparison::{Comparison, SEGMENT_UNITS};
use hidden::shorten_hidden;
use nodes::{is_little, move_nodes};
use patches::PatchLimits;
use removals::remove_needless;

/// How often shapes are added, and points move after that, unless the first round lowers the error by little.
///
/// Unit: count. Source: tuned; with one, drawings come .03 dB less near to the truth at their edges; a third gains next to nothing.
const MOST_ROUNDS: usize = 2;

/// A drawing of more segments is not repaired.
///
/// Unit: count. Source: bounds the memory, at some 600 bytes for each.
const MOST_SEGMENTS: usize = 20_000;

/// Repairs a drawing of the image.
pub(crate) fn repair(
    drawing: &mut Drawing,
    image: Depicted<'_>,
    options: &Options,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let curves = drawing.shapes.iter().flat_map(|shape| &shape.curves);
    let segments = curves.map(|curve| curve.segments.len()).sum();
    meter.begin(Stage::Repair, expected_units(segments, &image.pixels))?;
    if segments > MOST_SEGMENTS {
        return Ok(());
    }
    let was_worn = image.was_worn;
    let mut comparison = Comparison::new(drawing, image, meter)?;
    let metric = ColorMetric::new(options);
    let variances @ [noise_sq, _] = comparison.variances(was_worn, &metric);
    let price = byte_price(noise_sq);
    let limits = PatchLimits { price, speckle_px: options.filter_speckle_px as f32, metric };
    let is_kept = remove_needless(drawing, &mut comparison, price, meter)?;
    shorten_hidden(drawing, &mut comparison.canvas);
    move_nodes(drawing, &mut comparison, price, noise_sq, true, meter)?;
    let mut is_kept = is_kept.into_iter();
    drawing.shapes.retain(|_| is_kept.next().unwrap_or(true));
    comparison.is_absent.clear();
    let additions = Additions { limits, variances, was_worn, style };
    let first = drawing.shapes.len();
    for round in 1..=MOST_ROUNDS {
        let change = additions.add(drawing, first, &mut comparison, meter)?;
        if change == Change::None {
            break;
        }
        let before = comparison.error;
        if change == Change::Added {
            comparison.update(drawing, meter)?;
        }
        let is_last = round == MOST_ROUNDS || is_little(before - comparison.error, before);
        move_nodes(drawing, &mut comparison, price, noise_sq, !is_last, meter)?;
        if is_last {
            break;
        }
    }
    share_paths(drawing, &comparison.paints, price);
    Ok(())
}

/// About the work of a repair, in the units of [`ProgressMeter`]: the drawing is drawn and compared some six times.
fn expected_units(segments: usize, pixels: &Pixels) -> usize {
    6 * (pixels.data.len() + 2 * SEGMENT_UNITS * segments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::StraightColor;
    use crate::geometry::{Curve, Paint, Point, Segment, Shape};

    const WHITE: StraightColor = StraightColor([255; 4]);

    const STYLE: FitStyle = FitStyle::DEFAULT;

    fn rectangle(color: StraightColor, from: (f32, f32), to: (f32, f32)) -> Shape {
        let corners = [Point::new(from.0, from.1), Point::new(to.0, to.1)];
        Shape { paint: Paint::Flat(color), curves: vec![Curve::rectangle(corners)] }
    }

    /// A white image of 20 × 20 pixels with rectangles over it.
    fn drawing(over: Vec<Shape>) -> Drawing {
        let mut shapes = vec![rectangle(WHITE, (0.0, 0.0), (20.0, 20.0))];
        shapes.extend(over);
        Drawing { shapes, gradients: Vec::new() }
    }

    fn depicted(pixels: Pixels<'_>) -> Depicted<'_> {
        Depicted { pixels, was_worn: false, rounded: Vec::new(), first_ink: usize::MAX }
    }

    /// The pixels of a drawing.
    fn colors(drawing: &Drawing) -> Vec<[f32; 4]> {
        let mut blank = vec![[0; 4]; 400];
        let blank = Pixels { width: 20, height: 20, data: &mut blank };
        let drawn = Comparison::new(drawing, depicted(blank), &mut ProgressMeter::idle()).unwrap();
        (0..400).map(|pixel| drawn.canvas.color(pixel)).collect()
    }

    /// The image that a drawing gives, and what the judge makes of another drawing beside it.
    fn repaired(truth: &Drawing, mut other: Drawing) -> Drawing {
        let drawn = colors(truth).into_iter();
        let mut data: Vec<_> = drawn.map(|color| color.map(|channel| (channel + 0.5) as u8)).collect();
        let pixels = Pixels { width: 20, height: 20, data: &mut data };
        repair(&mut other, depicted(pixels), &Options::default(), &STYLE, &mut ProgressMeter::idle())
            .unwrap();
        other
    }

    fn corners(curve: &Curve) -> [f32; 4] {
        let mut points = vec![curve.start];
        points.extend(curve.segments.iter().map(|segment| segment.end));
        let least = |of: fn(&Point) -> f32| points.iter().map(of).fold(f32::INFINITY, f32::min);
        [least(|p| p.x), least(|p| p.y), -least(|p| -p.x), -least(|p| -p.y)]
    }

    #[test]
    fn a_rectangle_moves_to_where_it_was_drawn_and_stays_one() {
        let truth = drawing(vec![rectangle(StraightColor::BLACK, (4.3, 5.6), (14.8, 12.1))]);
        let near = drawing(vec![rectangle(StraightColor::BLACK, (4.0, 6.0), (15.0, 12.5))]);
        let found = repaired(&truth, near);
        assert_eq!(found.shapes.len(), 2);
        for (found, drawn) in corners(&found.shapes[1].curves[0]).into_iter().zip([4.3, 5.6, 14.8, 12.1]) {
            assert!((found - drawn).abs() < 0.02, "{found} {drawn}");
        }
        assert_eq!(corners(&found.shapes[0].curves[0]), [0.0, 0.0, 20.0, 20.0], "the border stays");
    }

    #[test]
    fn a_missing_shape_is_added_in_its_color() {
        let red = StraightColor([220, 20, 40, 255]);
        let found = repaired(&drawing(vec![rectangle(red, (5.0, 6.5), (13.0, 12.0))]), drawing(Vec::new()));
        assert_eq!(found.shapes.len(), 2);
        assert_eq!(found.shapes[1].paint, Paint::Flat(red));
        for (found, drawn) in corners(&found.shapes[1].curves[0]).into_iter().zip([5.0, 6.5, 13.0, 12.0]) {
            assert!((found - drawn).abs() < 0.3, "{found} {drawn}");
        }
    }

    /// No pixel shows only the ink, so its color and its width follow from each other.
    #[test]
    fn the_fill_of_a_thin_shape_is_found() {
        let ink = StraightColor([30, 90, 180, 255]);
        let truth =
            drawing(vec![rectangle(ink, (3.0, 5.4), (17.0, 6.9)), rectangle(ink, (8.3, 2.0), (9.7, 18.0))]);
        let pale = StraightColor([90, 140, 200, 255]);
        let near = [rectangle(pale, (3.0, 5.2), (17.0, 7.2)), rectangle(pale, (8.2, 2.0), (9.9, 18.0))];
        let found = repaired(&truth, drawing(near.into()));
        let Paint::Flat(StraightColor(color)) = found.shapes[1].paint else { panic!("a flat fill") };
        let off = color.iter().zip(ink.0).map(|(a, b)| a.abs_diff(b)).max();
        assert!(off <= Some(12), "{color:?}");
    }

    #[test]
    fn a_fill_that_pixels_show_stays() {
        let gray = StraightColor([200, 200, 200, 255]);
        let truth = drawing(vec![rectangle(gray, (4.3, 5.6), (14.8, 12.1))]);
        let found = repaired(&truth, drawing(vec![rectangle(gray, (4.0, 6.0), (15.0, 12.5))]));
        assert_eq!(found.shapes[1].paint, Paint::Flat(gray));
    }

    /// How opaque some pixels are, in what the judge makes of a red rectangle beside an image of these rectangles over nothing.
    fn opacities(rectangles: &[[f32; 4]], pixels: &[(usize, usize)]) -> Vec<f32> {
        let red = StraightColor([220, 20, 40, 255]);
        let red = |&[left, top, right, bottom]: &[f32; 4]| rectangle(red, (left, top), (right, bottom));
        let over_nothing = |shapes| Drawing { shapes, gradients: Vec::new() };
        let truth = over_nothing(rectangles.iter().map(red).collect());
        let found = colors(&repaired(&truth, over_nothing(vec![red(&[2.0, 3.0, 17.0, 16.0])])));
        pixels.iter().map(|(column, row)| found[20 * row + column][3]).collect()
    }

    #[test]
    fn holes_and_notches_of_nothing_are_cut() {
        let around = [[2.0, 3.0, 17.0, 7.0], [2.0, 12.0, 17.0, 16.0], [2.0, 7.0, 6.0, 12.0]];
        let hole = [&around[..], &[[12.0, 7.0, 17.0, 12.0]]].concat();
        for (rectangles, right) in [(&hole[..], 255.0), (&around[..], 0.0)] {
            let found = opacities(rectangles, &[(9, 9), (7, 8), (3, 9), (9, 4), (9, 14), (15, 9)]);
            for (found, drawn) in found.into_iter().zip([0.0, 0.0, 255.0, 255.0, 255.0, right]) {
                assert!((found - drawn).abs() < 32.0, "{found} {drawn}");
            }
        }
    }

    #[test]
    fn nothing_is_cut_off_a_shape_that_the_image_shows() {
        let found = opacities(&[[2.0, 3.0, 17.0, 16.0]], &[(2, 3), (16, 15), (9, 9), (1, 9)]);
        assert_eq!(found, [255.0, 255.0, 255.0, 0.0]);
    }

    #[test]
    fn a_shape_that_is_added_does_not_cut_a_hole_into_one_of_its_color() {
        let red = StraightColor([220, 20, 40, 255]);
        let wide = drawing(vec![rectangle(red, (4.0, 5.0), (15.0, 12.0))]);
        let narrow = drawing(vec![rectangle(red, (4.0, 5.0), (10.0, 12.0))]);
        let found = repaired(&wide, narrow);
        let [drawn, meant] = [found, wide].map(|drawing| colors(&drawing));
        for (pixel, (drawn, meant)) in drawn.into_iter().zip(meant).enumerate() {
            let off = drawn.into_iter().zip(meant).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < 20.0, "{pixel}: {drawn:?} {meant:?}");
        }
    }

    #[test]
    fn a_black_shape_on_nothing_is_added() {
        let shapes = vec![rectangle(StraightColor::BLACK, (5.0, 6.5), (13.0, 12.0))];
        let missing = Drawing { shapes, gradients: Vec::new() };
        let found = repaired(&missing, Drawing { shapes: Vec::new(), gradients: Vec::new() });
        assert_eq!(found.shapes.len(), 1);
        assert_eq!(found.shapes[0].paint, Paint::Flat(StraightColor::BLACK));
    }

    #[test]
    fn two_shapes_that_touch_are_added_each_in_its_color() {
        let colors = [[220, 20, 40, 255], [20, 20, 220, 255]].map(StraightColor);
        let truth = drawing(vec![
            rectangle(colors[0], (4.0, 5.0), (10.0, 13.0)),
            rectangle(colors[1], (10.0, 5.0), (16.0, 13.0)),
        ]);
        let found = repaired(&truth, drawing(Vec::new()));
        let paints: Vec<_> = found.shapes[1..].iter().map(|shape| shape.paint).collect();
        assert_eq!(paints, [colors[1], colors[0]].map(Paint::Flat));
        let [blue, red] = [1, 2].map(|k| &found.shapes[k]);
        // What red covers of blue does not matter.
        let ([red_left, _, red_right, _], [_, _, blue_right, _]) =
            (corners(&red.curves[0]), corners(&blue.curves[0]));
        for (found, drawn) in [(red_left, 4.0), (red_right, 10.0), (blue_right, 16.0)] {
            assert!((found - drawn).abs() < 0.3, "{found} {drawn}");
        }
    }

    #[test]
    fn of_two_slivers_that_show_nothing_new_both_go_and_of_two_alike_one_stays() {
        let gray = StraightColor([120, 120, 120, 255]);
        let truth = drawing(vec![rectangle(gray, (4.0, 4.0), (16.0, 16.0))]);
        let sliver = |x: f32, color| rectangle(color, (x, 6.0), (x + 0.3, 12.0));
        let near = StraightColor([126, 120, 120, 255]);
        let mut needless = drawing(vec![rectangle(gray, (4.0, 4.0), (16.0, 16.0))]);
        needless.shapes.extend([sliver(6.2, near), sliver(9.4, near)]);
        assert_eq!(repaired(&truth, needless).shapes.len(), 2);
        let line = |color| rectangle(color, (3.3, 9.0), (17.0, 9.6));
        let [black, dark] = [[0, 0, 0, 255], [1, 0, 0, 255]].map(StraightColor);
        let twice = drawing(vec![line(black), line(dark)]);
        assert_eq!(repaired(&drawing(vec![line(black)]), twice).shapes.len(), 2);
    }

    #[test]
    fn a_speckle_and_a_faint_step_are_not_added() {
        let over = |color, to| drawing(vec![rectangle(color, (5.0, 5.0), to)]);
        let found = repaired(&over(StraightColor::BLACK, (8.0, 8.0)), drawing(Vec::new()));
        assert_eq!(found.shapes.len(), 1, "smaller than filterSpeckle");
        let found = repaired(&over(StraightColor([250, 250, 250, 255]), (15.0, 15.0)), drawing(Vec::new()));
        assert_eq!(found.shapes.len(), 1, "less than layerDifference");
    }

    #[test]
    fn a_bump_smaller_than_a_speckle_is_added_to_a_shape_but_not_alone() {
        let body = || rectangle(StraightColor::BLACK, (3.0, 7.0), (17.0, 15.0));
        let bump = || rectangle(StraightColor::BLACK, (8.0, 4.0), (11.0, 7.0));
        let shade = |truth, near| colors(&repaired(&drawing(truth), drawing(near)))[20 * 5 + 9][0];
        assert!(shade(vec![body(), bump()], vec![body()]) < 55.0);
        assert_eq!(shade(vec![bump()], Vec::new()), 255.0);
    }

    /// A black triangle on white.
    fn triangle(right: f32) -> Drawing {
        let corners = [Point::new(4.0, 3.0), Point::new(4.0, 17.0), Point::new(right, 17.0)];
        let curves = vec![Curve::polyline(&corners, true)];
        drawing(vec![Shape { paint: Paint::Flat(StraightColor::BLACK), curves }])
    }

    /// What the judge makes of a triangle in an image without anti-aliasing that shows another one.
    fn repaired_triangle(truth: &Drawing, mut other: Drawing, is_rounded: bool) -> Vec<Curve> {
        let rounded = |[red, ..]: [f32; 4]| if red < 127.5 { [0, 0, 0, 255] } else { WHITE.0 };
        let mut data: Vec<_> = colors(truth).into_iter().map(rounded).collect();
        let pixels = Pixels { width: 20, height: 20, data: &mut data };
        let rounded = if is_rounded { (0..400).collect() } else { Vec::new() };
        let image = Depicted { pixels, was_worn: false, rounded, first_ink: usize::MAX };
        repair(&mut other, image, &Options::default(), &STYLE, &mut ProgressMeter::idle()).unwrap();
        other.shapes.into_iter().flat_map(|shape| shape.curves).collect()
    }

    #[test]
    fn an_edge_without_anti_aliasing_stays_where_it_gives_its_pixels() {
        let truth = triangle(15.0);
        let drawn: Vec<_> = truth.shapes.iter().flat_map(|shape| shape.curves.clone()).collect();
        assert_eq!(repaired_triangle(&truth, triangle(15.0), true), drawn);
        assert_ne!(repaired_triangle(&truth, triangle(15.0), false), drawn, "else its steps are followed");
    }

    #[test]
    fn an_edge_without_anti_aliasing_moves_to_pixels_that_it_misses() {
        let found = repaired_triangle(&triangle(15.0), triangle(13.0), true);
        let [_, _, right, _] = corners(&found[1]);
        assert!(right > 13.25, "{right}");
    }

    #[test]
    fn points_that_coincide_move_together() {
        let [red, blue] = [[200, 0, 0, 255], [0, 0, 200, 255]].map(StraightColor);
        let pair = |x: f32| {
            drawing(vec![rectangle(red, (3.0, 3.0), (x, 16.0)), rectangle(blue, (x, 3.0), (17.0, 16.0))])
        };
        let found = repaired(&pair(9.4), pair(9.0));
        let [_, _, right, _] = corners(&found.shapes[1].curves[0]);
        let [left, ..] = corners(&found.shapes[2].curves[0]);
        assert_eq!(left, right);
        assert!((left - 9.4).abs() < 0.05, "{left}");
    }

    /// A gray shape whose upper side is a segment from left to right.
    fn dome(upper: Segment) -> Shape {
        let corners = [Point::new(16.0, 16.0), Point::new(3.0, 16.0)];
        let mut curve = Curve::polyline(&[Point::new(3.0, 9.0)], true);
        curve.segments = vec![upper];
        curve.segments.extend(corners.into_iter().chain([curve.start]).map(Segment::line));
        Shape { paint: Paint::Flat(StraightColor([90, 90, 90, 255])), curves: vec![curve] }
    }

    #[test]
    fn a_cubic_that_a_quadratic_replaces_becomes_one() {
        let (from, control, end) = (Point::new(3.0, 9.0), Point::new(8.5, 1.5), Point::new(16.0, 9.0));
        let truth = drawing(vec![dome(Segment::quadratic(from, control, end))]);
        let near = Segment::cubic(Point::new(6.6, 3.7), Point::new(11.1, 3.9), end);
        let found = repaired(&truth, drawing(vec![dome(near)]));
        let curve = &found.shapes[1].curves[0];
        let found = curve.segments[0].quadratic_control(curve.start).expect("a quadratic");
        assert!((found - control).length() < 0.2, "{found:?}");
    }

    #[test]
    fn a_cubic_that_no_quadratic_replaces_stays_one() {
        let end = Point::new(16.0, 9.0);
        let wave = Segment::cubic(Point::new(7.0, 3.0), Point::new(12.0, 15.0), end);
        let truth = drawing(vec![dome(wave)]);
        let curve = &repaired(&truth, drawing(vec![dome(wave)])).shapes[1].curves[0];
        assert_eq!(curve.segments[0].quadratic_control(curve.start), None);
    }

    /// The second shape shows the other side of the same edge.
    #[test]
    fn cubics_that_coincide_become_quadratics_together() {
        let (from, control, end) = (Point::new(3.0, 9.0), Point::new(8.5, 1.5), Point::new(16.0, 9.0));
        let pair = |upper: Segment| {
            let mut above = dome(upper);
            above.paint = Paint::Flat(StraightColor([220, 20, 40, 255]));
            let corners = [(16.0, 1.0), (3.0, 1.0), (3.0, 9.0)].map(|(x, y)| Segment::line(Point::new(x, y)));
            above.curves[0].segments.splice(1.., corners);
            drawing(vec![dome(upper), above])
        };
        let near = Segment::cubic(Point::new(6.6, 3.7), Point::new(11.1, 3.9), end);
        let found = repaired(&pair(Segment::quadratic(from, control, end)), pair(near));
        let [one, other] = [1, 2].map(|k| found.shapes[k].curves[0].segments[0]);
        assert_eq!(one, other);
        assert!(one.quadratic_control(found.shapes[1].curves[0].start).is_some());
    }
}
