//! The shapes over all regions: straight lines and inks. Takes the overlay, gives its shapes.

use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{LEAST_DIFFERENCE_SQ, PremultipliedColor, distance_sq};
use crate::coverage::{Contour, contours};
use crate::fit::{ContourFitter, FitStyle};
use crate::geometry::{Curve, Paint, Shape};
use crate::resolve::{Overlay, SolvedInkLayer};

/// The shapes of the ink layers, one for each color of a layer, and over them those of the straight lines. Consecutive lines of one color
/// share a shape. Colors of a layer that hardly differ count as one.
pub(crate) fn overlay_shapes(
    overlay: &Overlay,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Shape>, Stopped> {
    let mut shapes = Vec::new();
    for ink_layer in &overlay.inks.layers {
        shapes.append(&mut shapes_of_layer((ink_layer, &overlay.inks.colors), style, meter)?);
    }
    let mut lines = Vec::new();
    for line in &overlay.lines {
        add_curve(&mut lines, line.ink, Curve::rectangle(line.corners));
    }
    shapes.append(&mut lines);
    Ok(shapes)
}

/// Adds a curve to the last shape, or to a new one if that has a color that differs.
fn add_curve(shapes: &mut Vec<Shape>, color: PremultipliedColor, curve: Curve) {
    match shapes.last_mut() {
        Some(Shape { paint: Paint::Flat(last), curves })
            if distance_sq(last.premultiplied().channels(), color.channels()) <= LEAST_DIFFERENCE_SQ =>
        {
            curves.push(curve);
        }
        _ => shapes.push(Shape { paint: Paint::Flat(color.straight()), curves: vec![curve] }),
    }
}

fn shapes_of_layer(
    (ink_layer, colors): (&SolvedInkLayer, &[PremultipliedColor]),
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Shape>, Stopped> {
    let contour_fitter = ContourFitter { antialiased: true, paper_noise: 0.0, style };
    let closed = contours(&ink_layer.field);
    let contours: Vec<&Contour> = closed.iter().chain(&ink_layer.lines).collect();
    let ink = |k: u32| ink_layer.ink_at[contours[k as usize].first_pixel] as usize;
    let color = |k: u32| colors[ink(k) - 1];
    let inked = (0..contours.len() as u32).filter(|&k| ink(k) > 0);
    let by_color = sorted_by_key(inked, |k| color(k).sort_key());
    let drawn: Vec<&Contour> = by_color.iter().map(|&k| contours[k as usize]).collect();
    let mut shapes = Vec::new();
    for (&k, curve) in by_color.iter().zip(contour_fitter.curves(&drawn, meter)?) {
        add_curve(&mut shapes, color(k), curve);
    }
    Ok(shapes)
}
