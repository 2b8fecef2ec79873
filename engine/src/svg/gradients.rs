//! Gradients as elements in `<defs>`.

use super::attributes::{write_color, write_opacity, write_thousandths};
use super::path_data::{push, push_number, to_steps};
use crate::api::push_text;
use crate::color::StraightColor;
use crate::geometry::{Gradient, GradientShape, Paint, Point, Shape};

/// The steps of offsets: thousandths.
///
/// Unit: steps. Source: a layout constant: over 255 levels, a thousandth is a quarter of a level.
const OFFSET_STEPS: u16 = 1000;

/// Letters and digits of an identifier: the first 52 begin one.
const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// The gradients that fill shapes.
pub(super) struct Gradients {
    /// Each as an element: what stands before its identifier, and behind. No two are equal.
    elements: Vec<(&'static str, String)>,
    /// The numbers of the gradients, and which element each is.
    numbers: Vec<(u32, usize)>,
    /// Begins the identifiers. It follows from what the gradients are, and which paths are painted again, so in a page that shows two drawings
    /// inline, what has one name is equal.
    prefix: [u8; 5],
}

impl Gradients {
    /// Writes those of `all` gradients that fill shapes, in the order in which shapes use them.
    pub fn write(svg: &mut String, shapes: &[Shape], all: &[Gradient]) -> Self {
        let mut gradients = Gradients { elements: Vec::new(), numbers: Vec::new(), prefix: [b'a'; 5] };
        for shape in shapes {
            if let Paint::Gradient { number, .. } = shape.paint
                && gradients.elements_of(number).next().is_none()
            {
                let gradient = &all[number as usize];
                for gradient in std::iter::once(gradient).chain(&gradient.over) {
                    gradients.add(number, element(gradient));
                }
            }
        }
        if gradients.elements.is_empty() {
            return gradients;
        }
        // FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo.
        let fold = |hash: u32, value: u32| (hash ^ value).wrapping_mul(0x0100_0193);
        let bytes = gradients.elements.iter().flat_map(|(start, rest)| start.bytes().chain(rest.bytes()));
        let mut hash = bytes.map(u32::from).fold(0x811C_9DC5, fold);
        for shape in shapes.iter().filter(|shape| gradients.paints_again(shape)) {
            let segments = shape.curves.iter().flat_map(|curve| &curve.segments);
            hash = segments
                .map(|segment| [segment.end.x, segment.end.y].map(f32::to_bits))
                .fold(hash, |hash, [x, y]| fold(fold(hash, x), y));
        }
        for (k, letter) in gradients.prefix.iter_mut().enumerate() {
            let count = if k == 0 { 52 } else { LETTERS.len() as u32 };
            *letter = LETTERS[(hash % count) as usize];
            hash /= count;
        }
        push_text(svg, "<defs>");
        for (k, (start, rest)) in gradients.elements.iter().enumerate() {
            push_text(svg, start);
            gradients.write_name(svg, k);
            push_text(svg, rest);
        }
        push_text(svg, "</defs>");
        gradients
    }

    fn add(&mut self, number: u32, element: (&'static str, String)) {
        let place = self.elements.iter().position(|other| *other == element).unwrap_or(self.elements.len());
        if place == self.elements.len() {
            self.elements.push(element);
        }
        self.numbers.push((number, place));
    }

    /// The elements of a gradient and of those over it.
    fn elements_of(&self, number: u32) -> impl Iterator<Item = usize> + Clone {
        self.numbers.iter().filter(move |known| known.0 == number).map(|known| known.1)
    }

    /// Whether the path of a shape is painted again, with gradients over the lowest.
    fn paints_again(&self, shape: &Shape) -> bool {
        matches!(shape.paint, Paint::Gradient { number, .. } if self.elements_of(number).nth(1).is_some())
    }

    fn write_name(&self, svg: &mut String, element: usize) {
        self.prefix.iter().for_each(|&letter| push(svg, letter));
        let mut left = element;
        while left > 0 {
            push(svg, LETTERS[left % LETTERS.len()]);
            left /= LETTERS.len();
        }
    }

    /// Writes the path of some number with a gradient that was written, and again with what lies over it.
    pub fn write_path(&self, svg: &mut String, path: usize, gradient: u32, data: &str) {
        let mut elements = self.elements_of(gradient);
        let lowest = elements.next().unwrap_or(0);
        let is_covered = elements.clone().next().is_some();
        push_text(svg, if is_covered { "<g" } else { "<path" });
        self.write_fill(svg, lowest);
        if is_covered {
            push_text(svg, "><path id=\"");
            self.write_name(svg, self.elements.len() + path);
            push(svg, b'"');
        }
        push_text(svg, " d=\"");
        push_text(svg, data);
        push_text(svg, "\"/>");
        if is_covered {
            push_text(svg, "</g>");
        }
        for over in elements {
            push_text(svg, "<use href=\"#");
            self.write_name(svg, self.elements.len() + path);
            push(svg, b'"');
            self.write_fill(svg, over);
            push_text(svg, "/>");
        }
    }

    /// Writes `fill` with an element.
    fn write_fill(&self, svg: &mut String, element: usize) {
        push_text(svg, " fill=\"url(#");
        self.write_name(svg, element);
        push_text(svg, ")\"");
    }
}

/// A gradient as an element: what stands before its identifier, and behind.
fn element(gradient: &Gradient) -> (&'static str, String) {
    let mut svg = String::new();
    let (start, end) = match gradient.shape {
        GradientShape::Linear(_) => ("<linearGradient id=\"", "</linearGradient>"),
        GradientShape::Radial { .. } => ("<radialGradient id=\"", "</radialGradient>"),
    };
    push_text(&mut svg, "\" gradientUnits=\"userSpaceOnUse\"");
    match gradient.shape {
        GradientShape::Linear([from, to]) => {
            let values = [(" x1=\"", from.x), (" y1=\"", from.y), (" x2=\"", to.x), (" y2=\"", to.y)];
            write_lengths(&mut svg, &values);
        }
        GradientShape::Radial { focus, axes: [a, b], lean } if is_circle(a, b) => {
            let center = focus + a * lean.x + b * lean.y;
            write_lengths(&mut svg, &[(" cx=\"", center.x), (" cy=\"", center.y), (" r=\"", a.length())]);
            for (name, focus, center) in [(" fx=\"", focus.x, center.x), (" fy=\"", focus.y, center.y)] {
                if to_steps(focus) != to_steps(center) {
                    write_lengths(&mut svg, &[(name, focus)]);
                }
            }
        }
        GradientShape::Radial { focus, axes: [a, b], lean } => {
            let center = focus + a * lean.x + b * lean.y;
            push_text(&mut svg, " cx=\"0\" cy=\"0\" r=\"1");
            for (name, lean) in [("\" fx=\"", lean.x), ("\" fy=\"", lean.y)] {
                let thousandths = (lean.abs() * f32::from(OFFSET_STEPS) + 0.5) as u64;
                if thousandths > 0 {
                    push_text(&mut svg, name);
                    if lean > 0.0 {
                        push(&mut svg, b'-');
                    }
                    write_thousandths(&mut svg, thousandths);
                }
            }
            push_text(&mut svg, "\" gradientTransform=\"matrix(");
            for (k, value) in [a.x, a.y, b.x, b.y, center.x, center.y].into_iter().enumerate() {
                push_number(&mut svg, to_steps(value), k > 0);
            }
            push_text(&mut svg, ")\"");
        }
    }
    push(&mut svg, b'>');
    for stop in &gradient.stops {
        push_text(&mut svg, "<stop");
        write_offset(&mut svg, stop.offset);
        let StraightColor([r, g, b, alpha]) = stop.color;
        write_color(&mut svg, " stop-color=\"#", [r, g, b]);
        if alpha < u8::MAX {
            write_opacity(&mut svg, " stop-opacity=\"", alpha);
        }
        push_text(&mut svg, "/>");
    }
    push_text(&mut svg, end);
    (start, svg)
}

/// Whether two axes are those of a circle, as far as tenths of a pixel show.
fn is_circle(a: Point, b: Point) -> bool {
    let off = Point::new(b.x + a.y, b.y - a.x);
    to_steps(off.length()) == 0
}

fn write_lengths(svg: &mut String, values: &[(&str, f32)]) {
    for &(name, value) in values {
        push_text(svg, name);
        push_number(svg, to_steps(value), false);
        push(svg, b'"');
    }
}

/// Writes `offset`; 0, the default of SVG, is left out.
fn write_offset(svg: &mut String, offset: f32) {
    let thousandths = (offset * f32::from(OFFSET_STEPS) + 0.5) as u64;
    if thousandths == 0 {
        return;
    }
    push_text(svg, " offset=\"");
    if thousandths >= u64::from(OFFSET_STEPS) {
        push(svg, b'1');
    } else {
        write_thousandths(svg, thousandths);
    }
    push(svg, b'"');
}

#[cfg(feature = "gradients")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Curve, GradientStop};

    /// A square that a ramp fills, and over it a translucent one if `is_covered`; and the identifiers in its SVG.
    fn names(side: f32, is_covered: bool) -> Vec<String> {
        let ramp = |colors: [[u8; 4]; 2]| {
            let stops = [0.0, 1.0].into_iter().zip(colors);
            let stops = stops.map(|(offset, color)| GradientStop { offset, color: StraightColor(color) });
            Gradient::new(
                GradientShape::Linear([Point::new(0.0, 0.0), Point::new(9.0, 0.0)]),
                stops.collect(),
            )
        };
        let mut lowest = ramp([[200, 0, 0, 255], [0, 0, 90, 255]]);
        if is_covered {
            lowest.over.push(ramp([[255, 255, 255, 120], [255, 255, 255, 0]]));
        }
        let curves = vec![Curve::rectangle([Point::new(0.0, 0.0), Point::new(side, side)])];
        let shape = Shape { paint: Paint::Gradient { number: 0, is_opaque: true, exists: () }, curves };
        let mut svg = String::new();
        let gradients = Gradients::write(&mut svg, std::slice::from_ref(&shape), &[lowest]);
        gradients.write_path(&mut svg, 0, 0, "M0 0h9v9z");
        svg.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_path_that_is_painted_again_shares_its_name_with_no_other() {
        let (small, large) = (names(9.0, true), names(12.0, true));
        assert_eq!(small.len(), 3, "two gradients and a path: {small:?}");
        assert!(small.iter().all(|name| !large.contains(name)), "{small:?} {large:?}");
        assert_eq!(small, names(9.0, true));
    }

    #[test]
    fn equal_gradients_have_one_name_whatever_they_fill() {
        assert_eq!(names(9.0, false), names(12.0, false));
    }
}
