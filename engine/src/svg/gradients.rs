//! Gradients as elements in `<defs>`.

use super::attributes::{write_color, write_opacity, write_thousandths};
use super::path_data::{push, push_number, to_steps};
use crate::color::StraightColor;
use crate::geometry::{Gradient, GradientShape, Paint, Point, Shape};

/// The steps of offsets: thousandths.
///
/// Unit: steps. Source: a layout constant: over 255 levels, a thousandth is a quarter of a level.
const OFFSET_STEPS: u16 = 1000;

/// Letters and digits of an identifier: the first 52 begin one.
const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// The gradients of a drawing, each once, in the order in which shapes use them.
pub(super) struct Gradients<'a> {
    found: Vec<&'a Gradient>,
    /// Begins the identifiers. It follows from what the gradients are, so in a page that shows two drawings inline, gradients of one name are
    /// equal.
    prefix: [u8; 5],
}

impl<'a> Gradients<'a> {
    /// Writes the gradients of shapes, if there are any.
    pub fn write(svg: &mut String, shapes: &'a [Shape]) -> Self {
        let mut found: Vec<&Gradient> = Vec::new();
        for shape in shapes {
            if let Paint::Gradient(gradient, _) = &shape.paint
                && !found.contains(&&**gradient)
            {
                found.push(gradient);
            }
        }
        let mut gradients = Gradients { found, prefix: [b'a'; 5] };
        if gradients.found.is_empty() {
            return gradients;
        }
        let mut text = String::new();
        gradients.write_all(&mut text);
        // FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo.
        let mut hash = text
            .bytes()
            .fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        for (k, letter) in gradients.prefix.iter_mut().enumerate() {
            let count = if k == 0 { 52 } else { LETTERS.len() as u32 };
            *letter = LETTERS[(hash % count) as usize];
            hash /= count;
        }
        svg.push_str("<defs>");
        gradients.write_all(svg);
        svg.push_str("</defs>");
        gradients
    }

    fn write_all(&self, svg: &mut String) {
        for (k, gradient) in self.found.iter().enumerate() {
            self.write_one(svg, k, gradient);
        }
    }

    fn write_one(&self, svg: &mut String, number: usize, gradient: &Gradient) {
        let (name, close) = match gradient.shape {
            GradientShape::Linear(_) => ("<linearGradient id=\"", "</linearGradient>"),
            GradientShape::Radial { .. } => ("<radialGradient id=\"", "</radialGradient>"),
        };
        svg.push_str(name);
        self.write_name(svg, number);
        svg.push_str("\" gradientUnits=\"userSpaceOnUse\"");
        match gradient.shape {
            GradientShape::Linear([from, to]) => {
                let values = [(" x1=\"", from.x), (" y1=\"", from.y), (" x2=\"", to.x), (" y2=\"", to.y)];
                write_lengths(svg, &values);
            }
            GradientShape::Radial { center, axes: [a, b] } if is_circle(a, b) => {
                write_lengths(svg, &[(" cx=\"", center.x), (" cy=\"", center.y), (" r=\"", a.length())]);
            }
            GradientShape::Radial { center, axes: [a, b] } => {
                svg.push_str(" cx=\"0\" cy=\"0\" r=\"1\" gradientTransform=\"matrix(");
                for (k, value) in [a.x, a.y, b.x, b.y, center.x, center.y].into_iter().enumerate() {
                    push_number(svg, to_steps(value), k > 0);
                }
                svg.push_str(")\"");
            }
        }
        push(svg, b'>');
        for stop in &gradient.stops {
            svg.push_str("<stop");
            write_offset(svg, stop.offset);
            let StraightColor([r, g, b, alpha]) = stop.color;
            write_color(svg, " stop-color=\"#", [r, g, b]);
            if alpha < u8::MAX {
                write_opacity(svg, " stop-opacity=\"", alpha);
            }
            svg.push_str("/>");
        }
        svg.push_str(close);
    }

    fn write_name(&self, svg: &mut String, number: usize) {
        self.prefix.iter().for_each(|&letter| push(svg, letter));
        let mut left = number;
        while left > 0 {
            push(svg, LETTERS[left % LETTERS.len()]);
            left /= LETTERS.len();
        }
    }

    /// Writes `fill` with a gradient that was found.
    pub fn write_fill(&self, svg: &mut String, gradient: &Gradient) {
        svg.push_str(" fill=\"url(#");
        self.write_name(svg, self.found.iter().position(|&found| found == gradient).unwrap_or(0));
        svg.push_str(")\"");
    }
}

/// Whether two axes are those of a circle, as far as tenths of a pixel show.
fn is_circle(a: Point, b: Point) -> bool {
    let off = Point::new(b.x + a.y, b.y - a.x);
    to_steps(off.length()) == 0
}

fn write_lengths(svg: &mut String, values: &[(&str, f32)]) {
    for &(name, value) in values {
        svg.push_str(name);
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
    svg.push_str(" offset=\"");
    if thousandths >= u64::from(OFFSET_STEPS) {
        push(svg, b'1');
    } else {
        write_thousandths(svg, thousandths);
    }
    push(svg, b'"');
}
