use crate::algorithms::ordered;
use crate::api::{ProgressMeter, Stopped};
use crate::color::unpremultiplied;
use crate::coverage::{Contour, contours};
use crate::fit::{ContourFitter, FitStyle};
use crate::geometry::{Curve, Shape};
use crate::resolve::{Hairline, Overlay, SolvedInkLayer};

/// The straight lines over all else, in their order, one shape for those of one color.
pub(crate) fn line_shapes(lines: &[Hairline]) -> Vec<Shape> {
    let curve = |line: &Hairline| Curve::rectangle(line.corners);
    let shape = |same: &[Hairline]| Shape {
        color: unpremultiplied(same[0].ink),
        curves: same.iter().map(curve).collect(),
    };
    lines.chunk_by(|a, b| a.ink == b.ink).map(shape).collect()
}

/// The shapes of what is drawn over the paints, one for each color of a sheet.
pub(crate) fn ink_shapes(
    inks: &Overlay,
    style: &FitStyle,
    watch: &mut ProgressMeter<'_>,
) -> Result<Vec<Shape>, Stopped> {
    let mut shapes = Vec::new();
    for sheet in &inks.sheets {
        shapes.extend(shapes_of_layer((sheet, &inks.colors), style, watch)?);
    }
    Ok(shapes)
}

fn shapes_of_layer(
    (sheet, colors): (&SolvedInkLayer, &[[u8; 4]]),
    style: &FitStyle,
    watch: &mut ProgressMeter<'_>,
) -> Result<Vec<Shape>, Stopped> {
    let pen = ContourFitter { antialiased: true, grain: 0.0, style };
    let mut outlines = contours(&sheet.field);
    let ink = |outline: &Contour| sheet.ink_at[outline.first_pixel] as usize;
    outlines.retain(|outline| ink(outline) > 0);
    let color = |k: u32| colors[ink(&outlines[k as usize]) - 1];
    let by_color = ordered(0..outlines.len() as u32, |k| u32::from_be_bytes(color(k)));
    let drawn: Vec<&Contour> = by_color.iter().map(|&k| &outlines[k as usize]).collect();
    let mut curves = pen.curves(&drawn, watch)?.into_iter();
    let same_color = by_color.chunk_by(|&a, &b| color(a) == color(b));
    let shape = |same: &[u32]| Shape {
        color: unpremultiplied(color(same[0])),
        curves: curves.by_ref().take(same.len()).collect(),
    };
    Ok(same_color.map(shape).collect())
}
