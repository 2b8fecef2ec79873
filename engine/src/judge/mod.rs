//! Seventh stage: draws the drawing back, compares it with the image, and repairs it where they differ.
mod additions;
mod comparison;
mod coordinates;
mod nodes;

use crate::api::{ProgressMeter, Stopped};
use crate::fit::FitStyle;
use crate::geometry::Drawing;
use crate::raster::Pixels;

pub(crate) fn repair(
    drawing: &mut Drawing,
    pixels: &Pixels,
    (speckle_px, layer_difference): (f32, f32),
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    use nodes::param;
    nodes::move_nodes(drawing, pixels, param("STEPS", 3.0) as usize);
    for _ in 0..param("ADDS", 1.0) as usize {
        let added = additions::add_shapes(drawing, pixels, (speckle_px, layer_difference), style, meter)?;
        if added == 0 {
            break;
        }
        nodes::move_nodes(drawing, pixels, param("STEPS2", 2.0) as usize);
    }
    Ok(())
}
