//! What channels were before they were cut off at a limit of their range.
//!
//! Of a channel that was cut off, a sharpened picture says only that it was at most, or at least, so much. Beside an edge it was that of a paint:
//! one that stands still nearby, or one that shows at the rim of the cut. Where neither can be, as in thin lines, it is the limit itself.

use wide::f32x4;

use super::super::possible_color::possible;
use super::blocks::{Blocks, ROUNDING};
use super::tile::{Tile, around};

/// How many of the eight pixels around one are alike if it shows a paint, and no mixture.
///
/// Unit: count. Source: along a straight edge, two are alike; beside the rim of a cut, five.
const ALIKE: usize = 4;

const FULL: f32x4 = f32x4::splat(255.0);

/// For each active pixel of a tile, the values that its channels have if they were cut off below, and if above. `found` are the colors that agree
/// with the sharpened ones, as near to the middle of the range as possible; `is_still` those that sharpening does not change.
pub(super) fn uncut(tile: &Tile, found: &[f32x4], is_still: &[bool], reach: usize) -> Vec<[f32x4; 2]> {
    let nearby = still_colors(tile, is_still, reach);
    let rims =
        [f32x4::splat(-1.0), f32x4::splat(1.0)].map(|sign| beside_cut(tile, found, is_still, reach, sign));
    let rounding = f32x4::splat(ROUNDING.into());
    let values = |&i: &usize| {
        let (here, place) = (found[i], [i % tile.side, i / tile.side]);
        let [least, greatest] = nearby.bounds(place);
        let below = rims[0][i].simd_le(here + rounding).select(rims[0][i], f32x4::ZERO);
        let above = (rims[1][i].simd_ge(here - rounding)).select(rims[1][i], FULL);
        [
            least.simd_le(here + rounding).select(least, below).fast_min(here),
            greatest.simd_ge(here - rounding).select(greatest, above).fast_max(here),
        ]
    };
    tile.active.iter().map(values).collect()
}

/// The colors of still pixels around each.
fn still_colors(tile: &Tile, is_still: &[bool], reach: usize) -> Blocks {
    let mut blocks = Blocks::new(tile.side, reach.ilog2() + 1);
    for (i, &color) in tile.sharp.iter().enumerate() {
        if is_still[i] {
            blocks.add([i % tile.side, i / tile.side], possible(color), true);
        }
    }
    blocks.join_neighbors();
    blocks
}

/// The greatest value of a paint that shows beside the part that was cut off, for `sign` 1; the least for −1. Where there is none, beyond the
/// range on the other side.
#[inline(never)]
fn beside_cut(tile: &Tile, found: &[f32x4], is_still: &[bool], reach: usize, sign: f32x4) -> Vec<f32x4> {
    let none = f32x4::splat(-512.0);
    let mut best: Vec<_> =
        (0..found.len()).map(|i| if is_still[i] { sign * tile.sharp[i] } else { none }).collect();
    let one = f32x4::splat(1.0);
    let alike = f32x4::splat((3 * ROUNDING).into());
    for &i in tile.active.iter().filter(|&&i| !is_still[i]) {
        let count = around(i, tile.side).into_iter().fold(f32x4::ZERO, |count, j| {
            let is_alike = (found[j] - found[i]).abs().simd_le(alike) & !is_any_cut(tile, j);
            count + (is_alike & one)
        });
        let is_paint = count.simd_ge(f32x4::splat(ALIKE as f32)) & !is_any_cut(tile, i);
        best[i] = is_paint.select(sign * found[i], none);
    }
    for _ in 2..reach {
        let next = |&i: &usize| {
            let greatest = around(i, tile.side).into_iter().fold(none, |most, j| most.fast_max(best[j]));
            (is_any_cut(tile, i) & best[i].simd_le(none)).select(greatest, best[i])
        };
        let next: Vec<_> = tile.active.iter().map(next).collect();
        tile.active.iter().zip(next).for_each(|(&i, value)| best[i] = value);
    }
    best.iter_mut().for_each(|value| *value *= sign);
    best
}

/// The channels of a color that may have been cut off below and above.
pub(super) fn is_cut(color: f32x4) -> [f32x4; 2] {
    [color.simd_le(f32x4::ZERO), color.simd_ge(FULL)]
}

#[inline(never)]
fn is_any_cut(tile: &Tile, i: usize) -> f32x4 {
    let [below, above] = is_cut(tile.blurred[i]);
    below | above
}
