use crate::algorithms::ordered;
use crate::api::{Stopped, Watch};
use crate::color::straight;
use crate::coverage::{Outline, outlines};
use crate::fit::{FitStyle, Pen};
use crate::geometry::{Curve, Shape};
use crate::resolve::{Hairline, Inks, Solved};

/// The straight lines over all else, in their order, one shape for those of one color.
pub(crate) fn ruled(lines: &[Hairline]) -> Vec<Shape> {
    let curve = |line: &Hairline| Curve::rectangle(line.corners);
    let shape =
        |same: &[Hairline]| Shape { color: straight(same[0].ink), curves: same.iter().map(curve).collect() };
    lines.chunk_by(|a, b| a.ink == b.ink).map(shape).collect()
}

/// The shapes of what is drawn over the paints, one for each color of a sheet.
pub(crate) fn inked(inks: &Inks, style: &FitStyle, watch: &mut Watch<'_>) -> Result<Vec<Shape>, Stopped> {
    let mut shapes = Vec::new();
    for sheet in &inks.sheets {
        shapes.extend(shapes_of((sheet, &inks.colors), style, watch)?);
    }
    Ok(shapes)
}

fn shapes_of(
    (sheet, colors): (&Solved, &[[u8; 4]]),
    style: &FitStyle,
    watch: &mut Watch<'_>,
) -> Result<Vec<Shape>, Stopped> {
    let pen = Pen { antialiased: true, grain: 0.0, style };
    let mut outlines = outlines(&sheet.field);
    let ink = |outline: &Outline| sheet.ink_at[outline.first_pixel] as usize;
    outlines.retain(|outline| ink(outline) > 0);
    let color = |k: u32| colors[ink(&outlines[k as usize]) - 1];
    let by_color = ordered(0..outlines.len() as u32, |k| u32::from_be_bytes(color(k)));
    let drawn: Vec<&Outline> = by_color.iter().map(|&k| &outlines[k as usize]).collect();
    let mut curves = pen.curves(&drawn, watch)?.into_iter();
    let same_color = by_color.chunk_by(|&a, &b| color(a) == color(b));
    let shape = |same: &[u32]| Shape {
        color: straight(color(same[0])),
        curves: curves.by_ref().take(same.len()).collect(),
    };
    Ok(same_color.map(shape).collect())
}
