use crate::api::{Stage, Stopped, Watch};
use crate::coverage::{Darkness, Field, Outline, grain, outlines};
use crate::fit::{FIT_UNITS, FitStyle, Pen};
use crate::geometry::{Drawing, Point, Shape};

/// The dark parts of a picture as one black shape: outlines at the sub-pixel crossing of the threshold. Outlines of less than
/// `speckle_px` in width and in height are left out, those of holes too.
pub(crate) fn black(
    darkness: Darkness,
    speckle_px: f32,
    style: &FitStyle,
    watch: &mut Watch<'_>,
) -> Result<Drawing, Stopped> {
    watch.begin(Stage::Resolve, 1)?;
    let grain = grain(&darkness);
    let field = Field::of_darkness(darkness, watch)?;
    watch.begin(Stage::Outline, 1)?;
    let pen = Pen { antialiased: field.antialiased, grain, style };
    let outlines = outlines(&field);
    watch
        .begin(Stage::Fit, FIT_UNITS * outlines.iter().map(|outline| outline.points.len()).sum::<usize>())?;
    let drawn: Vec<&Outline> =
        outlines.iter().filter(|outline| !is_speckle(&outline.points, speckle_px)).collect();
    let curves = pen.curves(&drawn, watch)?;
    Ok(Drawing { shapes: vec![Shape { color: [0, 0, 0, 255], curves }] })
}

/// Whether an outline is smaller than `size_px` pixels both ways; up to half a pixel of its extent is a mixed pixel's share.
fn is_speckle(points: &[Point], size_px: f32) -> bool {
    let most = size_px - 0.5;
    let is_short = |of: fn(&Point) -> f32| {
        let (mut low, mut high) = (of(&points[0]), of(&points[0]));
        points.iter().all(|point| {
            // Not by `min` and `max`, which are calls in WebAssembly.
            let place = of(point);
            low = if place < low { place } else { low };
            high = if place > high { place } else { high };
            high - low < most
        })
    };
    is_short(|point| point.x) && is_short(|point| point.y)
}
