//! Tells what was found from what was drawn by what compression keeps.
//!
//! Compression moves color by a few pixels, and hardly changes its mean over a block. Where the colors found have another mean, they are not
//! those that were drawn: a fine pattern was taken for grain.

use wide::f32x4;

use crate::formation::Grain;
use crate::raster::Pixels;

/// From the middle of a window to the next. A window reaches as far to all sides, and its weight falls to zero there: so that what blur moves
/// across its border weighs little.
///
/// Unit: pixels. Source: a window is as wide as two of the blocks in which JPEG keeps colors at half the size. In half as wide ones, blur moves
/// a hundredth of an edge's contrast, as much as some tables leave; drawings in JPEG of quality 75 then take a fifth more bytes.
const STEP: usize = 16;

/// Quantization changes means by one of so many parts of the grain's range.
///
/// Unit: count. Source: by a twelfth of the range at most, which is half of the least step of a block, and about as much by the lowest waves,
/// which windows let pass in part.
const RANGE_PARTS: u8 = 6;

/// What else means may differ by: the paints are means of few pixels, rounded.
///
/// Unit: levels of one channel (0–255). Source: with none, drawings in JPEG of quality 90 take 4 % more bytes; with 2, as many as if all colors
/// found were taken.
const ROUNDING: u8 = 2;

/// Gives the picture the colors found, except about the middle of windows in which these have another mean than the picture.
pub(super) fn replace_where_means_agree(pixels: &mut Pixels<'_>, found: &[[u8; 4]], grain: &Grain) {
    let width = pixels.width;
    // One window more than pixels have around them at each side.
    let columns = width / STEP + 3;
    let mut sums = vec![[f32x4::ZERO; 2]; columns * (found.len() / width / STEP + 3)];
    for i in (0..found.len()).filter(|&i| pixels.data[i] != found[i]) {
        let (x, y) = (i % width + STEP / 2, i / width + STEP / 2);
        let (across, down) = (past_middle(x), past_middle(y));
        let window = y / STEP * columns + x / STEP;
        let missing = missing(pixels.data[i], found[i]);
        for (window, down) in [(window, 1.0 - down), (window + columns, down)] {
            for (window, weight) in [(window, down * (1.0 - across)), (window + 1, down * across)] {
                let weight = f32x4::splat(weight);
                sums[window][0] += missing[0] * weight;
                sums[window][1] += missing[1] * weight;
            }
        }
    }
    let most = f32::from(grain.range) / f32::from(RANGE_PARTS) + f32::from(ROUNDING);
    let most = f32x4::splat(most * (STEP * STEP) as f32);
    let agree = |i: usize| {
        let [least, greatest] = sums[(i / width / STEP + 1) * columns + i % width / STEP + 1];
        !(least.simd_gt(most) | greatest.simd_lt(-most)).any()
    };
    for (i, (color, &found)) in pixels.data.iter_mut().zip(found).enumerate() {
        if *color != found && agree(i) {
            *color = found;
        }
    }
}

/// How far a pixel lies past the middle of the last window, as a share of the way to the next.
fn past_middle(at: usize) -> f32 {
    ((at % STEP) as f32 + 0.5) / STEP as f32
}

/// What the picture has more than the color found, at least and at most: it may have been cut off at the limits of a channel.
fn missing(came: [u8; 4], found: [u8; 4]) -> [f32x4; 2] {
    let [came, found] = [came, found].map(|color| f32x4::new(color.map(f32::from)));
    let (missing, full) = (came - found, f32x4::splat(255.0));
    [came.simd_eq(f32x4::ZERO).select(-full, missing), came.simd_eq(full).select(full, missing)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 96;

    /// What the picture becomes, beside what was found.
    fn replaced(came: impl Fn(usize) -> u8, found: impl Fn(usize) -> u8) -> [Vec<[u8; 4]>; 2] {
        let picture = |value: &dyn Fn(usize) -> u8| -> Vec<_> {
            (0..SIDE * SIDE).map(|i| [value(i % SIDE), 90, 40, 255]).collect()
        };
        let (mut data, found) = (picture(&came), picture(&found));
        let grain = Grain { range: 15, apart: 22, has_coarse_colors: true, ..Grain::NONE };
        let mut pixels = Pixels { width: SIDE, height: SIDE, data: &mut data };
        replace_where_means_agree(&mut pixels, &found, &grain);
        [data, found]
    }

    #[test]
    fn colors_that_blur_has_moved_are_replaced() {
        for edge in 40..56 {
            let side = |x: usize| (x + 2).saturating_sub(edge);
            let sharp = |[dark, light]: [u8; 2]| move |x: usize| if x < edge { dark } else { light };
            let blurred = |x| [30, 50, 95, 145, 190, 210][(side(x) + 1).min(5) * usize::from(x + 2 >= edge)];
            // Beyond the edge, 285 and 260 were cut off.
            let cut = |x| [120, 95, 255, 255, 250][side(x).min(4)];
            let before = |x| if x + 2 < edge { 130 } else { cut(x) };
            for [replaced, found] in
                [replaced(blurred, sharp([30, 210])), replaced(before, sharp([130, 250]))]
            {
                assert!(replaced == found, "edge at {edge}");
            }
        }
    }

    #[test]
    fn a_pattern_that_was_taken_for_grain_stays() {
        let pattern = |x: usize| if x < 48 { 100 } else { [90, 150][x % 2] };
        let [replaced, _] = replaced(pattern, |x| if x < 48 { 103 } else { 90 });
        for (x, color) in replaced.iter().enumerate().take(SIDE) {
            let expected = if x < 48 { 103 } else { pattern(x) };
            assert!(color[0] == expected || (32..64).contains(&x), "{} at {x}", color[0]);
        }
    }
}
