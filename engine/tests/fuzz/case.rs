//! A test case, an image with options, made of random choices; and what must be true of its trace. The fuzz target and the tests share it.

use kurbo::BezPath;
use roxmltree::{Document, Node};
use tracesmith::{Image, OPTION_TABLE, OptionKind, Options, trace};

const WITH_GRADIENTS: &str = if cfg!(feature = "gradients") { "true" } else { "false" };
const SVG: &str = "http://www.w3.org/2000/svg";

/// Where choices come from.
pub enum Choices<'a> {
    /// The state of a xorshift generator: the same choices in every run.
    #[allow(dead_code, reason = "only the tests have one")]
    Seeded(u64),
    /// The input of a fuzzer, which mutates it byte by byte. After its end, each choice is 0.
    #[allow(dead_code, reason = "only the fuzz target has one")]
    Bytes(&'a [u8]),
}

impl Choices<'_> {
    /// A number below `end`, which takes as many bytes of an input as `end - 1` has.
    fn below(&mut self, end: u64) -> u64 {
        match self {
            Choices::Seeded(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                (*state >> 11) % end
            }
            Choices::Bytes(bytes) => {
                let used = ((u64::BITS - (end - 1).leading_zeros()).div_ceil(8) as usize).min(bytes.len());
                let (read, rest) = bytes.split_at(used);
                *bytes = rest;
                read.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)) % end
            }
        }
    }

    fn any_color(&mut self) -> [u8; 4] {
        (self.below(1 << 32) as u32).to_le_bytes()
    }

    /// Most colors are opaque, some are transparent, few are translucent.
    fn color(&mut self) -> [u8; 4] {
        let mut color = self.any_color();
        color[3] = match self.below(5) {
            0 => color[3],
            1 => 0,
            _ => 255,
        };
        color
    }
}

/// An image with options.
pub struct Case {
    size: (u32, u32),
    rgba: Vec<u8>,
    options: Options,
}

impl Case {
    pub fn new(mut choices: Choices<'_>) -> Self {
        let choices = &mut choices;
        // The pixels last: a fuzzer that inserts or deletes some of them keeps the other choices.
        let options = options(choices);
        let (width, height) = size(choices);
        let rgba = pixels(choices, width, height);
        Case { size: (width as u32, height as u32), rgba, options }
    }

    /// Traces the case.
    ///
    /// # Panics
    /// If the engine panics, two traces differ, or the SVG is not well-formed or holds anything but paths, painted once or more, and their gradients.
    pub fn check(&self) {
        let (width, height) = self.size;
        let image = Image::new(width, height, &self.rgba).expect("the buffer matches the size");
        let svg = trace(&image, &self.options).expect("the options are in range");
        assert_eq!(svg, trace(&image, &self.options).expect("the options are in range"), "two traces differ");
        let document = Document::parse(&svg).expect("a well-formed document");
        let root = document.root_element();
        assert!(root.has_tag_name((SVG, "svg")), "{svg}");
        assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {width} {height}").as_str()));
        let (defs, shapes): (Vec<_>, Vec<_>) =
            root.children().partition(|child| child.has_tag_name((SVG, "defs")));
        assert!(defs.len() <= usize::from(self.options.gradients), "{svg}");
        let gradients: Vec<_> = defs.into_iter().flat_map(|defs| defs.children()).collect();
        gradients.iter().for_each(|gradient| check_gradient(*gradient));
        let ids: Vec<_> = gradients.iter().filter_map(|gradient| gradient.attribute("id")).collect();
        let mut painted_again = None;
        for shape in shapes {
            let fill = shape.attribute("fill").and_then(|fill| fill.strip_prefix("url(#")?.strip_suffix(')'));
            assert!(fill.is_none_or(|id| ids.contains(&id)), "{svg}");
            if shape.has_tag_name((SVG, "use")) {
                let href = shape.attribute("href").and_then(|href| href.strip_prefix('#'));
                assert!(fill.is_some() && href.is_some() && href == painted_again, "{svg}");
            } else if shape.has_tag_name((SVG, "g")) {
                let path = shape.first_child().expect("a path in a group");
                assert!(fill.is_some() && shape.last_child() == Some(path), "{svg}");
                check_path(path);
                painted_again = path.attribute("id");
            } else {
                check_path(shape);
            }
        }
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} px, {:?}", self.size, self.options)
    }
}

/// A gradient has at least two stops, in order, and no other number than finite ones.
fn check_gradient(gradient: Node<'_, '_>) {
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|error| panic!("{error}: {text}"));
    for name in ["x1", "y1", "x2", "y2", "cx", "cy", "r"] {
        assert!(gradient.attribute(name).is_none_or(|text| number(text).is_finite()), "{gradient:?}");
    }
    let transform = gradient
        .attribute("gradientTransform")
        .map_or("", |text| text.trim_matches(|c| "matrix()".contains(c)));
    assert!(
        transform.is_empty()
            || svgtypes::NumberListParser::from(transform).filter_map(Result::ok).count() == 6
    );
    let offsets: Vec<f64> =
        gradient.children().map(|stop| number(stop.attribute("offset").unwrap_or("0"))).collect();
    assert!(
        offsets.len() > 1 && offsets.is_sorted() && offsets.iter().all(|offset| (0.0..=1.0).contains(offset)),
        "{offsets:?}"
    );
}

fn check_path(path: Node<'_, '_>) {
    assert!(path.has_tag_name((SVG, "path")), "{path:?}");
    let data = path.attribute("d").expect("path data");
    let outline = BezPath::from_svg(data).unwrap_or_else(|error| panic!("{error}: {data}"));
    assert!(outline.is_finite(), "{data}");
}

fn size(choices: &mut Choices<'_>) -> (usize, usize) {
    let long = 1 + choices.below(700) as usize;
    match choices.below(8) {
        0 => (1, long),
        1 => (long, 1),
        2 => (2, long),
        3 => (long, 3),
        4 => (1 + choices.below(250) as usize, 1 + choices.below(100) as usize),
        _ => (1 + choices.below(60) as usize, 1 + choices.below(60) as usize),
    }
}

/// Pixels of one of seven kinds: any colors, noise of a palette, blocks of it, anti-aliased discs, gradients, lines one pixel wide, marks
/// over each other.
fn pixels(choices: &mut Choices<'_>, width: usize, height: usize) -> Vec<u8> {
    let palette: Vec<[u8; 4]> = (0..1 + choices.below(7)).map(|_| choices.color()).collect();
    let kind = choices.below(10);
    if kind > 5 {
        return marks(choices, &palette, (width, height));
    }
    let pick = |index: u64| palette[index as usize % palette.len()];
    let (step, slope) = (2 + choices.below(9), 1 + choices.below(5));
    let (cx, cy, radius) =
        (choices.below(60) as f64, choices.below(60) as f64, 1.0 + choices.below(30) as f64);
    let mut rgba = Vec::with_capacity(width * height * 4);
    for y in 0..height as u64 {
        for x in 0..width as u64 {
            let color = match kind {
                0 => choices.any_color(),
                1 => pick(choices.below(64)),
                2 => pick((x / step + y / slope) * (1 + choices.below(12) / 11)),
                3 => {
                    let distance = (x as f64 - cx).hypot(y as f64 - cy);
                    mix(pick(0), pick(1), (radius + 0.5 - distance).clamp(0.0, 1.0))
                }
                4 => mix(pick(0), pick(1), (x * slope + y) as f64 / (slope * 700 + 700) as f64),
                _ => pick(u64::from((x * slope + y) % step == 0)),
            };
            rgba.extend(color);
        }
    }
    rgba
}

/// Bars, lines, noise, every second row of it, soft edges and print, over each other and over a background: what lines and strokes are
/// searched for in.
fn marks(choices: &mut Choices<'_>, palette: &[[u8; 4]], (width, height): (usize, usize)) -> Vec<u8> {
    let mut rgba: Vec<[u8; 4]> = vec![palette[0]; width * height];
    for _ in 0..1 + choices.below(12) {
        let color = palette[choices.below(palette.len() as u64) as usize];
        let start = [width, height].map(|side| choices.below(side as u64) as usize);
        let kind = choices.below(8);
        let long = 1 + choices.below(width.max(height) as u64) as usize;
        let thin = 1 + choices.below(3) as usize;
        let extent = match kind {
            0 => [long, thin],
            1 => [thin, long],
            _ => [long, 1 + choices.below(24) as usize],
        };
        let end = [0, 1].map(|axis| (start[axis] + extent[axis]).min([width, height][axis]));
        let (least, range) = (choices.below(100), 1 + choices.below(156));
        let (column_step, row_step) = (1 + choices.below(3) as usize, 1 + choices.below(3) as usize);
        for y in (start[1]..end[1]).step_by(if kind > 3 { row_step } else { 1 }) {
            for x in (start[0]..end[0]).step_by(if kind > 5 { column_step } else { 1 }) {
                let share = match kind {
                    0..=2 => 255,
                    // The same all along, as antialiased lines are.
                    3 => least + range - 1,
                    4 | 6 => least + choices.below(range),
                    // Print: mostly either the color or what lies below.
                    5 => [0, 0, 255, 255, least][choices.below(5) as usize],
                    _ => least + range / 2 * (x + y) as u64 % 2,
                };
                let below = &mut rgba[y * width + x];
                *below = mix(*below, color, share as f64 / 255.0);
            }
        }
    }
    rgba.into_flattened()
}

fn mix(a: [u8; 4], b: [u8; 4], share: f64) -> [u8; 4] {
    [0, 1, 2, 3].map(|c| (f64::from(a[c]) + (f64::from(b[c]) - f64::from(a[c])) * share) as u8)
}

fn options(choices: &mut Choices<'_>) -> Options {
    let mut options = Options::default();
    for spec in OPTION_TABLE {
        if choices.below(2) == 0 {
            continue;
        }
        match spec.kind {
            OptionKind::Number { min, max, .. } => {
                let value = min + (max - min) * choices.below(9) as f64 / 8.0;
                options.set(spec.name, &value.to_string()).expect("a number in range");
            }
            OptionKind::Choice { choices: names, .. } => {
                let choice = names[choices.below(names.len() as u64) as usize];
                options.set(spec.name, choice).expect("a valid choice");
            }
            // The only flag needs the feature of its name.
            OptionKind::Flag => options.set(spec.name, WITH_GRADIENTS).expect("a flag"),
            other => panic!("this test has no values for {other:?}"),
        }
    }
    options
}
