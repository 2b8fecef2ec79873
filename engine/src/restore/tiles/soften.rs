//! Takes the rims that sharpening has made beside edges.

use wide::f32x4;

use super::cut_off::{is_cut, uncut};
use super::in_tiles;
use super::tile::Tile;
use crate::api::{ProgressMeter, Stopped};
use crate::formation::Sharpening;
use crate::raster::Pixels;

/// How often the picture is corrected.
///
/// Unit: count. Source: a correction leaves of an error what the mask's weight is of both; after twelve, that is a level for amounts of up to
/// twice the picture.
const CORRECTIONS: usize = 12;

/// After how many corrections it is found again what was cut off at the limits of channels.
///
/// Unit: count. Source: by then, colors that were not cut off are within a few levels.
const CORRECTIONS_PER_CUT: usize = 4;

/// Pixels that differ by as much from the mean of those around are of no edge.
///
/// Unit: levels of one channel (0–255). Source: rounding by half a level, four times.
const STILL: f32 = 2.0;

/// Undoes an unsharp mask: looks for the picture that gives this one when it is sharpened.
pub(crate) fn soften(
    pixels: &mut Pixels<'_>,
    sharpening: &Sharpening,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let amount = f32x4::splat(sharpening.amount);
    in_tiles(pixels, sharpening.deviation_px, meter, |tile, kernel, meter| {
        soften_tile(tile, amount, kernel, meter)
    })
}

/// Each pixel shows itself, and is compared with the mean of those around. So it is the mean of what is seen, with a weight of 1, and of that
/// mean, with one of `amount`.
fn soften_tile(
    tile: &mut Tile,
    amount: f32x4,
    kernel: &[f32x4],
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let [mut halfway, mut mean, mut found] = std::mem::take(&mut tile.scratch);
    let (side, full) = (tile.side, f32x4::splat(255.0));
    let inside = kernel.len()..side - kernel.len();
    tile.active = inside.clone().flat_map(|y| inside.clone().map(move |x| y * side + x)).collect();
    let mut is_still = vec![false; tile.sharp.len()];
    tile.active.iter().for_each(|&i| is_still[i] = true);
    let mut values = Vec::new();
    for round in 0..CORRECTIONS {
        meter.advance(tile.active.len() * kernel.len())?;
        tile.blur(&tile.sharp, &mut halfway, kernel, 1);
        tile.blur(&halfway, &mut mean, kernel, side);
        let differs = |sharp: &[f32x4], mean: &[f32x4], i: usize, most: f32| {
            (sharp[i] - mean[i]).abs().simd_gt(f32x4::splat(most)).any()
        };
        if round == 0 {
            // Far from edges, sharpening changes nothing.
            let sharp = &tile.sharp;
            tile.active.retain(|&i| differs(sharp, &mean, i, STILL / 4.0));
            values.resize(tile.active.len(), [f32x4::ZERO, full]);
        }
        for &i in &tile.active {
            let color = (tile.blurred[i] + amount * mean[i]) / (f32x4::splat(1.0) + amount);
            found[i] = color.fast_max(f32x4::ZERO).fast_min(full);
        }
        if round % CORRECTIONS_PER_CUT == CORRECTIONS_PER_CUT - 1 {
            tile.active.iter().for_each(|&i| is_still[i] = !differs(&tile.sharp, &mean, i, STILL));
            values = uncut(tile, &found, &is_still, kernel.len());
        }
        for (&i, &[below, above]) in tile.active.iter().zip(&values) {
            let [is_below, is_above] = is_cut(tile.blurred[i]);
            tile.sharp[i] = is_below
                .select(below.fast_min(found[i]), is_above.select(above.fast_max(found[i]), found[i]));
        }
    }
    Ok(())
}
