//! Returns an enlarged picture to the size that it was drawn at.

use crate::api::{ProgressMeter, Stopped};
use crate::formation::Enlargement;
use crate::raster::Pixels;

/// The picture before it was enlarged, in the memory of the enlarged one.
pub(super) fn shrink<'a>(
    pixels: Pixels<'a>,
    enlargement: &Enlargement,
    _meter: &mut ProgressMeter<'_>,
) -> Result<Pixels<'a>, Stopped> {
    let (width, height) = enlargement.size;
    Ok(Pixels { width, height, data: &mut pixels.data[..width * height] })
}
