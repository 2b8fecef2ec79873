//! The shapes over all regions: straight lines and inks. Takes the overlay, gives its shapes.

use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;
use crate::coverage::{Contour, contours};
use crate::fit::{ContourFitter, FitStyle};
use crate::geometry::{Curve, Shape};
use crate::resolve::{Hairline, Overlay, SolvedInkLayer};

/// The shapes of straight lines, in order. Consecutive lines of one color share a shape.
pub(crate) fn line_shapes(lines: &[Hairline]) -> Vec<Shape> {
    let curve = |line: &Hairline| Curve::rectangle(line.corners);
    let shape =
        |same: &[Hairline]| Shape { color: same[0].ink.straight(), curves: same.iter().map(curve).collect() };
    lines.chunk_by(|a, b| a.ink == b.ink).map(shape).collect()
}

/// The shapes of the ink layers, one for each color of a layer.
pub(crate) fn ink_shapes(
    overlay: &Overlay,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Shape>, Stopped> {
    let mut shapes = Vec::new();
    for ink_layer in &overlay.inks.layers {
        shapes.extend(shapes_of_layer((ink_layer, &overlay.inks.colors), style, meter)?);
    }
    Ok(shapes)
}

fn shapes_of_layer(
    (ink_layer, colors): (&SolvedInkLayer, &[PremultipliedColor]),
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Shape>, Stopped> {
    let contour_fitter = ContourFitter { antialiased: true, paper_noise: 0.0, style };
    let mut contours = contours(&ink_layer.field);
    let ink = |contour: &Contour| ink_layer.ink_at[contour.first_pixel] as usize;
    contours.retain(|contour| ink(contour) > 0);
    let color = |k: u32| colors[ink(&contours[k as usize]) - 1];
    let by_color = sorted_by_key(0..contours.len() as u32, |k| color(k).sort_key());
    let drawn: Vec<&Contour> = by_color.iter().map(|&k| &contours[k as usize]).collect();
    let mut curves = contour_fitter.curves(&drawn, meter)?.into_iter();
    let same_color = by_color.chunk_by(|&a, &b| color(a) == color(b));
    let shape = |same: &[u32]| Shape {
        color: color(same[0]).straight(),
        curves: curves.by_ref().take(same.len()).collect(),
    };
    Ok(same_color.map(shape).collect())
}
