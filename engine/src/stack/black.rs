//! Binary mode: the dark parts of the image as one black shape. Takes the darkness of each pixel, gives the drawing.

use crate::api::{ProgressMeter, Stage, Stopped};
use crate::color::StraightColor;
use crate::coverage::{Contour, Darkness, Field, contours, paper_noise};
use crate::fit::{ContourFitter, FIT_UNITS, FitStyle};
use crate::geometry::{Drawing, Paint, Point, Shape};

/// Most of an outline's extent that is no whole pixel but a mixed one's share.
///
/// Unit: pixels. Source: an outline at coverage one half leaves up to half a pixel of a speckle's mixed pixels inside.
const SPECKLE_MARGIN_PX: f32 = 0.5;

/// The dark parts of an image as one black shape, with outlines at the sub-pixel crossing of the threshold. Outlines, of holes too, that
/// are smaller than `speckle_px` in width and in height are left out.
pub(crate) fn black_shape(
    darkness: Darkness,
    speckle_px: f32,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    meter.begin(Stage::Resolve, 1)?;
    let paper_noise = paper_noise(&darkness);
    let field = Field::of_darkness(darkness, meter)?;
    meter.begin(Stage::Outline, 1)?;
    let contour_fitter = ContourFitter { antialiased: field.antialiased, paper_noise, style };
    let contours = contours(&field);
    meter
        .begin(Stage::Fit, FIT_UNITS * contours.iter().map(|contour| contour.points.len()).sum::<usize>())?;
    let drawn: Vec<&Contour> =
        contours.iter().filter(|contour| !is_speckle(&contour.points, speckle_px)).collect();
    let curves = contour_fitter.curves(&drawn, meter)?;
    let shapes = vec![Shape { paint: Paint::Flat(StraightColor::BLACK), curves }];
    Ok(Drawing { shapes, gradients: Vec::new() })
}

/// Whether an outline is smaller than `size_px` in width and in height, apart from the share of mixed pixels.
fn is_speckle(points: &[Point], size_px: f32) -> bool {
    let most = size_px - SPECKLE_MARGIN_PX;
    let (mut low, mut high) = (points[0], points[0]);
    for point in points {
        // Not by `min` and `max`, which are calls in WebAssembly.
        low.x = if point.x < low.x { point.x } else { low.x };
        low.y = if point.y < low.y { point.y } else { low.y };
        high.x = if point.x > high.x { point.x } else { high.x };
        high.y = if point.y > high.y { point.y } else { high.y };
    }
    high.x - low.x < most && high.y - low.y < most
}
