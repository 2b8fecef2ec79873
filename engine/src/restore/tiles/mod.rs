//! Undoes blurs and sharpening, in tiles, so that it takes little memory.

mod blocks;
mod cut_off;
mod sharpen;
mod soften;
mod steepen;
mod tile;

use wide::f32x4;

use crate::api::{ProgressMeter, Stopped};
use crate::formation::normal_weights;
use crate::raster::Pixels;
pub(super) use sharpen::sharpen;
pub(super) use soften::soften;
use tile::Tile;

/// How many pixels a tile is wide and high, without its margin.
///
/// Unit: pixels. Source: large beside the margin, and small enough that a tile takes few megabytes.
const TILE_PX: usize = 160;

/// Restores a tile by a kernel.
type Restore<'a> = dyn Fn(&mut Tile, &[f32x4], &mut ProgressMeter<'_>) -> Result<(), Stopped> + 'a;

/// Restores each tile of the picture. `deviation_px`: of the kernel that made each pixel of those around it.
fn in_tiles(
    pixels: &mut Pixels<'_>,
    deviation_px: f32,
    meter: &mut ProgressMeter<'_>,
    restore: &Restore<'_>,
) -> Result<(), Stopped> {
    let mut copy = pixels.data.to_vec();
    let came = Pixels { data: &mut copy, ..*pixels };
    let kernel: Vec<_> = normal_weights(deviation_px).into_iter().map(f32x4::splat).collect();
    // What lies within the kernel's reach of a pixel, and as much around it that stays as it is.
    let margin = 2 * kernel.len();
    let side = TILE_PX + 2 * margin;
    for top in (0..pixels.height).step_by(TILE_PX) {
        for left in (0..pixels.width).step_by(TILE_PX) {
            meter.advance(side * side)?;
            let place = [left, top].map(|first| first as isize - margin as isize);
            if let Some(mut tile) = Tile::cut(&came, place, side, &kernel) {
                restore(&mut tile, &kernel, meter)?;
                tile.paste(pixels, place, margin);
            }
        }
    }
    Ok(())
}
