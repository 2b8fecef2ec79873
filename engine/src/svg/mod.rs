//! Last stage: writes the SVG document.
//!
//! Shapes are `<path>` elements in painting order. Path data uses relative commands and the shortest form of every number, with
//! coordinates rounded once, to tenths of a pixel.
mod path_data;

use crate::api::{push_integer, push_numbers};
use crate::color::StraightColor;
use crate::geometry::{Drawing, Shape};
use path_data::{PathData, push};

/// Writes the SVG document. Consecutive opaque shapes of one color share a path.
pub(crate) fn emit(drawing: &Drawing, width: usize, height: usize) -> String {
    let (width, height) = (width as u64, height as u64);
    let mut svg = String::new();
    let start = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 "#;
    let size = [(start, width), (" ", height), (r#"" width=""#, width), (r#"" height=""#, height)];
    push_numbers(&mut svg, &size);
    svg.push_str(r#"">"#);
    let mut data = PathData::new();
    for path in drawing.paths() {
        write_path(&mut svg, path, &mut data);
    }
    svg.push_str("</svg>");
    svg
}

/// The length of a shape's path element.
pub(crate) fn bytes_of(shape: &Shape) -> usize {
    let mut text = String::new();
    write_path(&mut text, std::slice::from_ref(shape), &mut PathData::new());
    text.len()
}

/// Writes one path with the curves of all `shapes`, which have one color. `data` is a buffer.
fn write_path(svg: &mut String, shapes: &[Shape], data: &mut PathData) {
    data.begin();
    for curve in shapes.iter().flat_map(|shape| &shape.curves) {
        data.move_to(curve.start);
        curve.segments.iter().for_each(|segment| data.segment(segment));
        data.close();
    }
    if data.text().is_empty() {
        return;
    }
    let StraightColor([r, g, b, a]) = shapes[0].color;
    svg.push_str("<path");
    write_color(svg, [r, g, b]);
    if a < 255 {
        write_opacity(svg, a);
    }
    svg.push_str(r#" d=""#);
    svg.push_str(data.text());
    svg.push_str(r#""/>"#);
}

/// Writes `fill`, with three digits if they are enough. Black, the default of SVG, is left out.
fn write_color(svg: &mut String, rgb: [u8; 3]) {
    if rgb == [0; 3] {
        return;
    }
    svg.push_str(r##" fill="#"##);
    let are_pairs = rgb.iter().all(|c| c % 17 == 0);
    let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
    for channel in rgb {
        if !are_pairs {
            push(svg, digit(channel / 16));
        }
        push(svg, digit(channel % 16));
    }
    push(svg, b'"');
}

/// Writes `fill-opacity` in thousandths, which give back the same 8-bit alpha.
fn write_opacity(svg: &mut String, alpha: u8) {
    let mut thousandths = (u64::from(alpha) * 1000 + 127) / 255;
    svg.push_str(r#" fill-opacity="."#);
    while thousandths > 0 {
        push_integer(svg, thousandths / 100);
        thousandths = thousandths % 100 * 10;
    }
    push(svg, b'"');
}
