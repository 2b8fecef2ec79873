//! Makes wide edges a pixel wide.

use super::tile::{Area, Tile};
use crate::api::{ProgressMeter, Stopped};
use crate::formation::EdgeWidth;
use crate::raster::Pixels;

/// How many pixels a tile is wide and high, without its margin.
///
/// Unit: pixels. Source: large beside the margin, and small enough that a tile takes few megabytes.
const TILE_PX: usize = 128;

/// How many deviations of the blur the margin of a tile is wide.
///
/// Unit: count. Source: the kernel's three, and one more for what corrections carry farther: with ten, no pixel changes by a level.
const MARGIN_DEVIATIONS: usize = 4;

/// Undoes a blur: looks for the picture that gives this one when it is blurred.
///
/// Where the picture is flat, it stays as it is, and takes no time. The work is done in tiles, so that it takes little memory.
pub(super) fn sharpen(
    pixels: &mut Pixels<'_>,
    width: &EdgeWidth,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let blurred = pixels.data.to_vec();
    let margin = MARGIN_DEVIATIONS * width.deviation_px.ceil() as usize;
    for top in (0..pixels.height).step_by(TILE_PX) {
        for left in (0..pixels.width).step_by(TILE_PX) {
            let target = Area {
                columns: left..(left + TILE_PX).min(pixels.width),
                rows: top..(top + TILE_PX).min(pixels.height),
            };
            let area = Area {
                columns: left.saturating_sub(margin)..(target.columns.end + margin).min(pixels.width),
                rows: top.saturating_sub(margin)..(target.rows.end + margin).min(pixels.height),
            };
            meter.advance(area.columns.len() * area.rows.len())?;
            if let Some(mut tile) = Tile::cut(&blurred, pixels.width, &area, width.deviation_px) {
                tile.sharpen(meter)?;
                tile.paste(&area, &target, pixels);
            }
        }
    }
    Ok(())
}
