//! Last stage: writes the SVG document.
//!
//! Before, the judge lets [`share_paths`] bring shapes of one paint together, and [`round_points`] decides to which tenth of a pixel each
//! coordinate goes. Shapes are `<path>` elements in painting order. Path data uses relative commands and the shortest form of every number.
mod attributes;
mod gradients;
mod path_data;
mod rounding;
mod shared_paths;

use crate::api::{push_numbers, push_text};
use crate::color::StraightColor;
use crate::geometry::{Drawing, Gradient, Paint, Shape};
use attributes::{write_color, write_opacity};
use gradients::Gradients;
use path_data::PathData;
pub(crate) use rounding::round_points;
pub(crate) use shared_paths::share_paths;

/// Writes the SVG document. Consecutive opaque shapes of one color share a path.
pub(crate) fn emit(drawing: &Drawing, width: usize, height: usize) -> String {
    let (width, height) = (width as u64, height as u64);
    let mut svg = String::new();
    let start = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 "#;
    let size = [(start, width), (" ", height), (r#"" width=""#, width), (r#"" height=""#, height)];
    push_numbers(&mut svg, &size);
    push_text(&mut svg, r#"">"#);
    let gradients = Gradients::write(&mut svg, &drawing.shapes, &drawing.gradients);
    let mut data = PathData::new();
    for (number, path) in drawing.paths().enumerate() {
        write_path(&mut svg, number, path, &gradients, &mut data);
    }
    push_text(&mut svg, "</svg>");
    svg
}

/// How many bytes a shape takes.
pub(crate) struct ShapeBytes {
    /// Its path data. Consecutive shapes of one color share all else.
    pub data: usize,
    /// Its path element without the data, and its gradient.
    pub element: usize,
}

/// Of a shape whose gradient, if it has one, is one of `gradients`.
pub(crate) fn bytes_of(shape: &Shape, gradients: &[Gradient]) -> ShapeBytes {
    let (mut text, mut data) = (String::new(), PathData::new());
    let gradients = Gradients::write(&mut text, std::slice::from_ref(shape), gradients);
    write_path(&mut text, 0, std::slice::from_ref(shape), &gradients, &mut data);
    let data = data.text().len();
    ShapeBytes { data, element: text.len() - data }
}

/// Writes the path of some number with the curves of all `shapes`, which have one paint. `data` is a buffer.
fn write_path(svg: &mut String, number: usize, shapes: &[Shape], gradients: &Gradients, data: &mut PathData) {
    data.begin();
    for curve in shapes.iter().flat_map(|shape| &shape.curves) {
        data.closed_curve(curve);
    }
    if data.text().is_empty() {
        return;
    }
    if let Paint::Gradient { number: gradient, .. } = shapes[0].paint {
        return gradients.write_path(svg, number, gradient, data.text());
    }
    push_text(svg, "<path");
    if let Paint::Flat(StraightColor([r, g, b, a])) = shapes[0].paint {
        write_color(svg, " fill=\"#", [r, g, b]);
        if a < 255 {
            write_opacity(svg, " fill-opacity=\"", a);
        }
    }
    push_text(svg, r#" d=""#);
    push_text(svg, data.text());
    push_text(svg, r#""/>"#);
}
