//! Gradients that were drawn come back as gradients, in place, and flat art stays as it is.

use roxmltree::{Document, Node};
use tracesmith::{Image, Options, trace};

type Color = [f64; 4];

const WHITE: Color = [255.0; 4];

/// Samples along each side of a pixel.
const SAMPLES: usize = 8;

/// Width, height and RGBA of an image.
struct Picture(usize, usize, Vec<u8>);

impl Picture {
    /// Every pixel is the mean of what `color` says within it.
    fn new(width: usize, height: usize, color: impl Fn(f64, f64) -> Color) -> Self {
        let mut rgba = Vec::with_capacity(4 * width * height);
        for i in 0..width * height {
            let mut sum = [0.0; 4];
            for k in 0..SAMPLES * SAMPLES {
                let within = |k: usize| (k as f64 + 0.5) / SAMPLES as f64;
                let of =
                    color((i % width) as f64 + within(k % SAMPLES), (i / width) as f64 + within(k / SAMPLES));
                (0..3).for_each(|c| sum[c] += of[c] * of[3]);
                sum[3] += of[3];
            }
            let alpha = sum[3] / (SAMPLES * SAMPLES) as f64;
            rgba.extend((0..3).map(|c| (sum[c] / sum[3].max(1e-9)).round() as u8));
            rgba.push(alpha.round() as u8);
        }
        Picture(width, height, rgba)
    }

    fn trace(&self, gradients: bool) -> String {
        let mut options = Options::default();
        options.gradients = gradients;
        trace(&Image::new(self.0 as u32, self.1 as u32, &self.2).unwrap(), &options).unwrap()
    }
}

/// The color at an offset, between stops.
fn mixed(stops: &[(f64, Color)], offset: f64) -> Color {
    let next = stops.iter().position(|stop| stop.0 > offset).unwrap_or(stops.len());
    let (before, after) = (stops[next.max(1) - 1], stops[next.min(stops.len() - 1)]);
    let share =
        if after.0 > before.0 { ((offset - before.0) / (after.0 - before.0)).clamp(0.0, 1.0) } else { 0.0 };
    std::array::from_fn(|c| before.1[c] + share * (after.1[c] - before.1[c]))
}

/// A gradient element.
struct Gradient {
    is_radial: bool,
    /// x1, y1, x2 and y2; or cx, cy, r, fx and fy.
    lengths: Vec<f64>,
    matrix: [f64; 6],
    stops: Vec<(f64, Color)>,
}

impl Gradient {
    fn of(element: Node<'_, '_>) -> Self {
        let is_radial = element.tag_name().name() == "radialGradient";
        assert_eq!(element.attribute("gradientUnits"), Some("userSpaceOnUse"));
        let number = |name: &str| {
            // The focus is the center where it is not said.
            let value = element.attribute(name).or(element.attribute(name.replace('f', "c").as_str()));
            value.unwrap_or("0").parse().unwrap()
        };
        let names: &[&str] =
            if is_radial { &["cx", "cy", "r", "fx", "fy"] } else { &["x1", "y1", "x2", "y2"] };
        let mut matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        if let Some(transform) = element.attribute("gradientTransform") {
            let numbers = transform.strip_prefix("matrix(").unwrap().strip_suffix(')').unwrap();
            matrix
                .iter_mut()
                .zip(svgtypes::NumberListParser::from(numbers))
                .for_each(|(to, n)| *to = n.unwrap());
        }
        let stop = |stop: Node<'_, '_>| {
            let color: svgtypes::Color = stop.attribute("stop-color").unwrap_or("#000").parse().unwrap();
            let opacity: f64 = stop.attribute("stop-opacity").unwrap_or("1").parse().unwrap();
            let offset = stop.attribute("offset").unwrap_or("0").parse().unwrap();
            (offset, [f64::from(color.red), f64::from(color.green), f64::from(color.blue), 255.0 * opacity])
        };
        Gradient {
            is_radial,
            lengths: names.iter().copied().map(number).collect(),
            matrix,
            stops: element.children().map(stop).collect(),
        }
    }

    fn at(&self, x: f64, y: f64) -> Color {
        let [a, b, c, d, e, f] = self.matrix;
        let (x, y) = (x - e, y - f);
        let (x, y) = ((d * x - c * y) / (a * d - b * c), (a * y - b * x) / (a * d - b * c));
        let offset = match self.lengths[..] {
            [cx, cy, r, fx, fy] => offset_around([fx, fy], [cx, cy, r], [x, y]),
            [x1, y1, x2, y2] => {
                ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1).powi(2) + (y2 - y1).powi(2))
            }
            _ => panic!("not a gradient"),
        };
        mixed(&self.stops, offset)
    }
}

/// How far a point lies on the way from a focus, offset 0, to a circle of some center and radius, offset 1: it lies on the circle around
/// focus + offset · (center − focus), of offset · radius.
fn offset_around([fx, fy]: [f64; 2], [cx, cy, r]: [f64; 3], [x, y]: [f64; 2]) -> f64 {
    let (mut within, mut beyond) = (0.0, 1e3);
    for _ in 0..60 {
        let offset = 0.5 * (within + beyond);
        let is_outside = (x - fx - offset * (cx - fx)).hypot(y - fy - offset * (cy - fy)) > offset * r;
        (if is_outside { within = offset } else { beyond = offset });
    }
    within
}

/// The gradients of an SVG, after a check that each path that refers to one finds it.
fn gradients(svg: &str) -> Vec<Gradient> {
    let document = Document::parse(svg).unwrap();
    let is_gradient = |node: &Node<'_, '_>| node.tag_name().name().ends_with("Gradient");
    let ids: Vec<_> =
        document.descendants().filter(is_gradient).map(|node| node.attribute("id").unwrap()).collect();
    let mut used: Vec<&str> = Vec::new();
    for path in document.descendants() {
        used.extend(path.attribute("fill").and_then(|fill| fill.strip_prefix("url(#")?.strip_suffix(')')));
    }
    assert!(used.iter().all(|id| ids.contains(id)) && ids.iter().all(|id| used.contains(id)), "{svg}");
    document.descendants().filter(is_gradient).map(Gradient::of).collect()
}

/// The only gradient of an SVG of so many paths.
fn only_gradient(svg: &str, paths: usize) -> Gradient {
    assert_eq!(svg.matches("<path").count(), paths, "{svg}");
    let mut found = gradients(svg);
    assert_eq!(found.len(), 1, "{svg}");
    found.remove(0)
}

fn data_of_last_path(svg: &str) -> &str {
    svg.rsplit(" d=\"").next().unwrap().split('"').next().unwrap()
}

/// Checks that a gradient is within `levels` of what was drawn, at all pixels' middles within some part of the image.
fn assert_near(
    found: &Gradient,
    picture: &Picture,
    drawn: impl Fn(f64, f64) -> Color,
    is_within: impl Fn(f64, f64) -> bool,
    levels: f64,
) {
    for i in 0..picture.0 * picture.1 {
        let (x, y) = ((i % picture.0) as f64 + 0.5, (i / picture.0) as f64 + 0.5);
        if is_within(x, y) {
            let (found, drawn) = (found.at(x, y), drawn(x, y));
            let off = (0..4).map(|c| (found[c] - drawn[c]).abs()).fold(0.0, f64::max);
            assert!(off <= levels, "at {x} {y}: {found:?} instead of {drawn:?}");
        }
    }
}

const RED: Color = [255.0, 80.0, 40.0, 255.0];
const BLUE: Color = [60.0, 40.0, 200.0, 255.0];
const GREEN: Color = [40.0, 160.0, 120.0, 255.0];

#[test]
fn a_linear_gradient_comes_back_beneath_a_shape_with_sharp_corners() {
    let offset = |x: f64, y: f64| ((x + 10.0) * 0.8 + (y + 5.0) * 0.6) / 230.0;
    let ramp = |x: f64, y: f64| mixed(&[(0.0, RED), (1.0, BLUE)], offset(x, y));
    let is_bare = |x: f64, y: f64| !(40.3..120.2).contains(&x) || !(38.6..89.4).contains(&y);
    let picture = Picture::new(160, 128, |x, y| if is_bare(x, y) { ramp(x, y) } else { WHITE });
    let svg = picture.trace(true);
    let found = only_gradient(&svg, 2);
    assert!(!found.is_radial && found.stops.len() == 2, "{svg}");
    assert_near(&found, &picture, ramp, |_, _| true, 2.0);
    let [x1, y1, x2, y2] = found.lengths[..] else { panic!("{svg}") };
    let (along, length) = (((x2 - x1) * 0.8 + (y2 - y1) * 0.6), (x2 - x1).hypot(y2 - y1));
    assert!(along > 0.9999 * length, "{svg}");
    // The offsets that were drawn, from the colors of the stops.
    for ((x, y), (_, color)) in [(x1, y1), (x2, y2)].into_iter().zip(&found.stops) {
        let drawn = (color[0] - RED[0]) / (BLUE[0] - RED[0]);
        assert!((offset(x, y) - drawn).abs() < 0.01, "{svg}");
    }
    let data = data_of_last_path(&svg);
    assert_eq!(data.matches(['h', 'v', 'z']).count() + 1, data.matches(char::is_alphabetic).count(), "{svg}");
}

#[test]
fn a_radial_gradient_in_a_disc_comes_back_with_a_round_rim() {
    let ramp = |x: f64, y: f64| {
        mixed(&[(0.0, [255.0, 240.0, 180.0, 255.0]), (1.0, RED)], (x - 60.0).hypot(y - 48.0) / 70.0)
    };
    let is_inside = |x: f64, y: f64| (x - 70.3).hypot(y - 60.6) < 50.0;
    let picture = Picture::new(160, 128, |x, y| if is_inside(x, y) { ramp(x, y) } else { WHITE });
    let svg = picture.trace(true);
    let found = only_gradient(&svg, 2);
    assert!(found.is_radial && found.stops.len() == 2, "{svg}");
    assert!((found.lengths[0] - 60.0).hypot(found.lengths[1] - 48.0) < 1.0, "{svg}");
    assert_near(&found, &picture, ramp, is_inside, 2.0);
    let commands: String = data_of_last_path(&svg).chars().filter(|c| c.is_ascii_alphabetic()).collect();
    assert_eq!(commands, "Maz", "{svg}");
}

#[test]
fn an_elliptic_gradient_of_three_stops_comes_back() {
    let ramp = |x: f64, y: f64| {
        let (u, v) = ((x - 80.0) * 0.8 + (y - 64.0) * 0.6, (y - 64.0) * 0.8 - (x - 80.0) * 0.6);
        mixed(&[(0.0, [250.0, 250.0, 100.0, 255.0]), (0.5, GREEN), (1.0, BLUE)], (u / 90.0).hypot(v / 45.0))
    };
    let picture = Picture::new(160, 128, ramp);
    let svg = picture.trace(true);
    let found = only_gradient(&svg, 1);
    assert!(found.is_radial && found.stops.len() == 3, "{svg}");
    assert!((found.matrix[4] - 80.0).hypot(found.matrix[5] - 64.0) < 1.0, "{svg}");
    // Twice the area of the ellipse of offset 1, over that of the unit circle.
    let area = found.matrix[0] * found.matrix[3] - found.matrix[1] * found.matrix[2];
    assert!((area - 90.0 * 45.0).abs() < 0.02 * 90.0 * 45.0, "{svg}");
    assert_near(&found, &picture, ramp, |_, _| true, 2.0);
}

#[test]
fn a_radial_gradient_comes_back_with_its_focus() {
    let (focus, circle) = ([62.0, 40.0], [82.0, 60.0, 64.0]);
    let light = [255.0, 240.0, 180.0, 255.0];
    let ramp = |x: f64, y: f64| mixed(&[(0.0, light), (1.0, RED)], offset_around(focus, circle, [x, y]));
    let is_inside = |x: f64, y: f64| (x - 82.0).hypot(y - 60.0) < 50.0;
    let picture = Picture::new(160, 128, |x, y| if is_inside(x, y) { ramp(x, y) } else { WHITE });
    let svg = picture.trace(true);
    let found = only_gradient(&svg, 2);
    assert!(found.is_radial && found.stops.len() == 2, "{svg}");
    let [cx, cy, r, fx, fy] = found.lengths[..] else { panic!("{svg}") };
    assert!((fx - 62.0).hypot(fy - 40.0) < 1.0, "{svg}");
    // Where the colors begin and end may differ, not how far the center lies from the focus, over the radius.
    assert!(((cx - fx) / r - 20.0 / 64.0).hypot((cy - fy) / r - 20.0 / 64.0) < 0.01, "{svg}");
    assert_near(&found, &picture, ramp, is_inside, 2.0);
}

#[test]
fn an_elliptic_gradient_comes_back_with_its_focus() {
    let ramp = |x: f64, y: f64| {
        let at = [((x - 80.0) * 0.8 + (y - 64.0) * 0.6) / 90.0, ((y - 64.0) * 0.8 - (x - 80.0) * 0.6) / 50.0];
        mixed(
            &[(0.0, [250.0, 250.0, 100.0, 255.0]), (1.0, BLUE)],
            offset_around([0.1, -0.4], [0.0, 0.0, 1.0], at),
        )
    };
    let picture = Picture::new(160, 128, ramp);
    let svg = picture.trace(true);
    let found = only_gradient(&svg, 1);
    let ([.., e, f], [fx, fy]) = (found.matrix, [found.lengths[3], found.lengths[4]]);
    assert!(found.stops.len() == 2 && (e - 80.0).hypot(f - 64.0) < 1.0, "{svg}");
    // The matrix is symmetric: the focus turns with the axes.
    assert!((fx - 0.32).hypot(fy + 0.26) < 0.02, "{svg}");
    assert_near(&found, &picture, ramp, |_, _| true, 4.0);
}

/// A color over another.
fn over([r, g, b, alpha]: Color, below: Color) -> Color {
    let mix = |above: f64, below: f64| below + alpha / 255.0 * (above - below);
    [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 255.0]
}

/// In an image of 160 × 128 pixels, compares two gradients over each other with what was drawn.
fn assert_over_each_other(
    found: &[Gradient],
    drawn: impl Fn(f64, f64) -> Color,
    is_compared: impl Fn(f64, f64) -> bool,
) {
    let centers = (0..160 * 128).map(|i| (f64::from(i % 160) + 0.5, f64::from(i / 160) + 0.5));
    for (x, y) in centers.filter(|&(x, y)| is_compared(x, y)) {
        let (traced, drawn) = (over(found[1].at(x, y), found[0].at(x, y)), drawn(x, y));
        let off = (0..3).map(|c| (traced[c] - drawn[c]).abs()).fold(0.0, f64::max);
        assert!(off <= 6.0, "at {x} {y}: {traced:?} instead of {drawn:?}");
    }
}

#[test]
fn a_highlight_over_a_ramp_comes_back_as_two_gradients_of_one_shape() {
    let ramp = |x: f64, y: f64| mixed(&[(0.0, RED), (1.0, BLUE)], (x + y) / 288.0);
    let highlight = |x: f64, y: f64| {
        let stops = [(0.0, [255.0, 255.0, 255.0, 200.0]), (1.0, [255.0, 255.0, 255.0, 0.0])];
        mixed(&stops, (x - 60.0).hypot(y - 50.0) / 45.0)
    };
    let drawn = |x: f64, y: f64| over(highlight(x, y), ramp(x, y));
    let picture = Picture::new(160, 128, drawn);
    let svg = picture.trace(true);
    let found = gradients(&svg);
    assert_eq!((found.len(), svg.matches("<path").count(), svg.matches("<use").count()), (2, 1, 1), "{svg}");
    assert!(!found[0].is_radial && found[1].is_radial, "{svg}");
    // The circle may be written as an ellipse.
    let ([a, b, c, d, e, f], [x, y]) = (found[1].matrix, [found[1].lengths[0], found[1].lengths[1]]);
    assert!((a * x + c * y + e - 60.0).hypot(b * x + d * y + f - 50.0) < 2.0, "{svg}");
    assert!(a / d < 1.05 && d / a < 1.05 && (b.hypot(c) / a) < 0.05, "{svg}");
    assert_over_each_other(&found, drawn, |_, _| true);
}

/// It fades across and along at once, which one gradient cannot.
#[test]
fn the_soft_shadow_of_a_card_comes_back_as_two_gradients() {
    let within = |at: f64, from: f64, to: f64| 1.0 / (1.0 + (from - at).exp2()) / (1.0 + (at - to).exp2());
    let dark = |x: f64, y: f64| within(x / 5.0, 8.8, 23.2) * within(y / 5.0, 8.0, 19.2);
    let shadow = |x: f64, y: f64| [0.0, 0.0, 0.0, 200.0 * dark(x, y)];
    let is_card = |x: f64, y: f64| (44.0..116.0).contains(&x) && (36.0..92.0).contains(&y);
    let drawn = |x: f64, y: f64| if is_card(x, y) { RED } else { over(shadow(x, y), WHITE) };
    let svg = Picture::new(160, 128, drawn).trace(true);
    let found = gradients(&svg);
    assert_eq!((found.len(), svg.matches("<path").count(), svg.matches("<use").count()), (2, 2, 1), "{svg}");
    assert_over_each_other(&found, drawn, |x, y| !is_card(x, y));
}

#[test]
fn a_gradient_fades_to_nothing() {
    let ramp = |x: f64, _: f64| mixed(&[(0.0, RED), (1.0, [255.0, 80.0, 40.0, 60.0])], (x - 20.0) / 80.0);
    let is_inside = |x: f64, y: f64| (20.0..100.0).contains(&x) && (16.0..80.0).contains(&y);
    let picture = Picture::new(120, 96, |x, y| if is_inside(x, y) { ramp(x, y) } else { [0.0; 4] });
    let svg = picture.trace(true);
    let found = only_gradient(&svg, 1);
    assert_near(&found, &picture, ramp, is_inside, 3.0);
}

#[test]
fn an_image_with_two_gradients_names_both_and_another_image_names_its_own() {
    let two = |x: f64, y: f64| match x < 64.0 {
        true => mixed(&[(0.0, RED), (1.0, WHITE)], y / 96.0),
        false => mixed(&[(0.0, BLUE), (1.0, GREEN)], y / 96.0),
    };
    let svg = Picture::new(128, 96, two).trace(true);
    assert_eq!(gradients(&svg).len(), 2, "{svg}");
    let other = Picture::new(128, 96, |x, y| two(x, 96.0 - y)).trace(true);
    let names = |svg: &str| {
        svg.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(names(&svg).iter().all(|name| !names(&other).contains(name)), "{svg} {other}");
    assert_eq!(Picture::new(128, 96, two).trace(true), svg);
}

#[test]
fn without_the_option_and_in_flat_art_there_are_none() {
    let ramp = |x: f64, y: f64| mixed(&[(0.0, RED), (1.0, BLUE)], (x + y) / 256.0);
    assert!(!Picture::new(160, 96, ramp).trace(false).contains("Gradient"));
    let flat = Picture::new(160, 96, |x, y| match (x - 70.0).hypot(y - 50.0) {
        ..20.0 => RED,
        20.0..37.0 => GREEN,
        _ if x + y < 60.0 => BLUE,
        _ => WHITE,
    });
    assert_eq!(flat.trace(true), flat.trace(false));
}

#[test]
fn mode_none_and_binary_ignore_the_option() {
    let picture = Picture::new(96, 64, |x, y| mixed(&[(0.0, RED), (1.0, BLUE)], (x + y) / 160.0));
    for (name, value) in [("mode", "none"), ("colorMode", "binary")] {
        let with = |gradients: &str| {
            let mut options = Options::default();
            options.set(name, value).unwrap();
            options.set("gradients", gradients).unwrap();
            trace(&Image::new(96, 64, &picture.2).unwrap(), &options).unwrap()
        };
        assert_eq!(with("true"), with("false"), "{name}");
    }
}

/// A speck that its region took in is no shade of it. The first pixel of a region is always looked at.
#[test]
fn a_speck_makes_no_gradient() {
    for side in [48, 96, 192] {
        let is_speck = |x: f64, y: f64| x < 1.0 && y < 1.0;
        let picture = Picture::new(side, side, |x, y| if is_speck(x, y) { [0.0; 4] } else { BLUE });
        assert_eq!(picture.trace(true), picture.trace(false), "{side}");
    }
}

/// Only boundaries between gradients move to where these agree.
#[test]
fn a_flat_shape_beside_a_gradient_keeps_its_outline() {
    let drawn = |x: f64, y: f64| match (x - 40.0).hypot(y - 48.0) / 40.0 {
        _ if y > 95.9 => [0.0; 4],
        offset if (0.7..1.0).contains(&offset) => [0.0, 0.0, 0.0, 255.0],
        _ if x > 84.0 => mixed(&[(0.0, RED), (1.0, BLUE)], y / 96.0),
        _ => [0.0; 4],
    };
    // A ring that touches the border.
    let picture = Picture::new(112, 96, drawn);
    let arcs_of_ring = |gradients: bool| {
        let svg = picture.trace(gradients);
        let document = Document::parse(&svg).unwrap();
        let is_black = |node: &Node<'_, '_>| node.tag_name().name() == "path" && !node.has_attribute("fill");
        let ring = document.descendants().find(is_black).unwrap();
        ring.attribute("d").unwrap().matches('a').count()
    };
    assert_eq!(gradients(&picture.trace(true)).len(), 1);
    assert_eq!([true, false].map(arcs_of_ring), [2, 2]);
}
