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
const STILL: u8 = 2;

/// Undoes an unsharp mask: looks for the picture that gives this one when it is sharpened.
pub(crate) fn soften(
    pixels: &mut Pixels<'_>,
    sharpening: &Sharpening,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let amount = f32x4::splat(sharpening.amount);
    in_tiles(pixels, sharpening.deviation_px, meter, &|tile, kernel, meter| {
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
            tile.active.retain(|&i| differs(sharp, &mean, i, 0.25 * f32::from(STILL)));
            values.resize(tile.active.len(), [f32x4::ZERO, full]);
        }
        for &i in &tile.active {
            let color = (tile.blurred[i] + amount * mean[i]) / (f32x4::splat(1.0) + amount);
            found[i] = color.fast_max(f32x4::ZERO).fast_min(full);
        }
        if round % CORRECTIONS_PER_CUT == CORRECTIONS_PER_CUT - 1 {
            tile.active.iter().for_each(|&i| is_still[i] = !differs(&tile.sharp, &mean, i, STILL.into()));
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

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 64;

    /// A disk with a hole, anti-aliased, in levels of two paints.
    fn drawn([outside, inside]: [f64; 2]) -> Vec<f64> {
        let is_inside = |x: f64, y: f64| (8.2..20.6).contains(&(x - 30.3).hypot(y - 32.8));
        let at = |i: usize, k: usize| i as f64 + (k as f64 + 0.5) / 8.0;
        let share =
            |i: usize| (0..64).filter(|k| is_inside(at(i % SIDE, k % 8), at(i / SIDE, k / 8))).count();
        (0..SIDE * SIDE).map(|i| outside + (inside - outside) * share(i) as f64 / 64.0).collect()
    }

    fn mean(plane: &[f64], deviation: f64) -> Vec<f64> {
        let weight = |k: i32| (-f64::from(k * k) / (2.0 * deviation * deviation)).exp();
        let all: f64 = (-9..=9).map(weight).sum();
        let pass = |from: &[f64], (dx, dy): (i32, i32)| -> Vec<f64> {
            let clamped = |v: usize, d: i32| (v as i32 + d).clamp(0, SIDE as i32 - 1) as usize;
            let at = |i: usize, k: i32| clamped(i / SIDE, k * dy) * SIDE + clamped(i % SIDE, k * dx);
            (0..from.len()).map(|i| (-9..=9).map(|k| weight(k) * from[at(i, k)] / all).sum()).collect()
        };
        pass(&pass(plane, (1, 0)), (0, 1))
    }

    /// How far, at most, the pixels of a sharpened picture lie from those drawn: as it came, and softened. Pixels of `of` only.
    fn apart(paints: [f64; 2], amount: f64, of: impl Fn(f64) -> bool) -> [f64; 2] {
        let drawn = drawn(paints);
        let means = mean(&drawn, 1.5);
        let sharp = drawn.iter().zip(means).map(|(value, mean)| value + amount * (value - mean) + 0.5);
        let mut data: Vec<_> = sharp.map(|value| [value.clamp(0.0, 255.0) as u8, 90, 90, 255]).collect();
        let largest = |data: &[[u8; 4]]| {
            let apart = data.iter().zip(&drawn).map(|(color, value)| (f64::from(color[0]) - value).abs());
            apart.zip(&drawn).filter(|(_, value)| of(**value)).map(|(apart, _)| apart).fold(0.0, f64::max)
        };
        let before = largest(&data);
        let sharpening = Sharpening { amount: amount as f32, deviation_px: 1.5, is_sure: true };
        let mut pixels = Pixels { width: SIDE, height: SIDE, data: &mut data };
        soften(&mut pixels, &sharpening, &mut ProgressMeter::idle()).expect("no observer stops it");
        [before, largest(&data)]
    }

    #[test]
    fn what_was_not_cut_off_comes_back() {
        for amount in [0.5, 1.2, 2.0] {
            let [before, after] = apart([100.0, 150.0], amount, |_| true);
            assert!(before > 8.0 && after < 0.25 * before, "{after} of {before} by {amount}");
        }
    }

    /// The rim of the light paint is white, that of the dark one black.
    #[test]
    fn cut_rims_get_the_colors_of_paints() {
        for paints in [[30.0, 228.0], [0.0, 228.0], [40.0, 255.0]] {
            let [before, after] = apart(paints, 1.2, |value| value == paints[0] || value == paints[1]);
            assert!(before > 20.0 && after < 9.0, "{after} of {before} in {paints:?}");
        }
    }
}
