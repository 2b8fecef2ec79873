//! Takes noise, dither and what compression leaves from a picture.
//!
//! 1. Pixels become the mean of those around them that are alike, which shows the paints ([`average_alike`]).
//! 2. Each pixel of an edge finds its paint ([`PaintedPixels::of`]).
//! 3. Each pixel, as it came, becomes the nearest mixture of its paint and one beside it ([`PaintedPixels::mixture`]), where means stay
//!    as they came ([`replace_where_means_agree`]).

use super::alike_mean::average_alike;
use super::means::replace_where_means_agree;
use super::painted_pixels::PaintedPixels;
use crate::api::{ProgressMeter, Stopped};
use crate::formation::Grain;
use crate::raster::Pixels;

/// How often pixels become the mean of those around.
///
/// Unit: count. Source: a window thrice reaches as far as the ripples beside edges do, six pixels.
const ROUNDS: usize = 3;

/// Makes every pixel a paint, or a mixture of the paints beside it. What is neither stays as it is, and so do photographs.
pub(super) fn flatten(
    pixels: &mut Pixels<'_>,
    grain: &Grain,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let width = pixels.width;
    let mut smooth = pixels.data.to_vec();
    for _ in 0..ROUNDS {
        average_alike(&mut smooth, width, grain.range, meter)?;
    }
    let Some(painted) = PaintedPixels::of(smooth, pixels.data, width, grain, meter)? else { return Ok(()) };
    let mut found = pixels.data.to_vec();
    for (y, row) in found.chunks_exact_mut(width).enumerate() {
        meter.advance(width)?;
        row.iter_mut().enumerate().for_each(|(x, color)| *color = painted.mixture((x, y), *color));
    }
    drop(painted);
    replace_where_means_agree(pixels, &found, grain);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_goes_and_mixed_pixels_stay() {
        let (side, share) =
            (40, |x: usize, y: usize| (0.4 * x as f32 + 0.9 * y as f32 - 26.0).clamp(0.0, 1.0));
        let [dark, light] = [40.0, 210.0];
        let clean = |i: usize| dark + (light - dark) * share(i % side, i / side);
        let noise = |i: usize| ((i as u32).wrapping_mul(0x9E37_79B1) >> 16) as f32 / 5041.0 - 6.5;
        let mut data: Vec<_> = (0..side * side).map(|i| [(clean(i) + noise(i)) as u8; 4]).collect();
        data.iter_mut().for_each(|color| color[3] = 255);
        let mut pixels = Pixels { width: side, height: side, data: &mut data };
        let grain = Grain { range: 12, apart: 10, ..Grain::NONE };
        flatten(&mut pixels, &grain, &mut ProgressMeter::idle()).expect("no observer stops it");
        let off = |i: usize| (f32::from(data[i][0]) - clean(i)).abs();
        let is_mixed = |i: usize| share(i % side, i / side) > 0.0 && share(i % side, i / side) < 1.0;
        let largest = (0..side * side).map(off).fold(0.0, f32::max);
        let (flat, mixed): (Vec<_>, Vec<_>) = (0..side * side).partition(|&i| !is_mixed(i));
        let mean = |pixels: &[usize]| pixels.iter().map(|&i| off(i)).sum::<f32>() / pixels.len() as f32;
        assert!(largest < 8.0 && mean(&flat) < 1.5 && mean(&mixed) < 4.0, "{largest}");
    }

    /// A square of dots finer than paints on a flat paint, with a little noise.
    fn dotted(side: usize) -> Vec<[u8; 4]> {
        let noise = |i: usize| (i as u32).wrapping_mul(0x9E37_79B1) >> 16;
        let is_dotted = |i: usize| i % side < 40 && i / side < 40;
        let color = |i: usize| match is_dotted(i) {
            true => [(noise(i) % 2 * 200) as u8, (noise(i + 7) % 3 * 90) as u8, 60, 255],
            false => [150 + (noise(i) % 7) as u8, 90, 120, 255],
        };
        (0..side * side).map(color).collect()
    }

    #[test]
    fn details_of_a_compressed_picture_stay_and_its_flat_parts_become_clean() {
        let (side, grain) = (160, Grain { range: 12, apart: 10, has_coarse_colors: true, ..Grain::NONE });
        let flattened = |grain: Grain| {
            let mut data = dotted(side);
            let mut pixels = Pixels { width: side, height: side, data: &mut data };
            flatten(&mut pixels, &grain, &mut ProgressMeter::idle()).expect("no observer stops it");
            data
        };
        let (came, found) = (dotted(side), flattened(grain));
        for i in (0..side).flat_map(|y| (0..side).map(move |x| y * side + x)) {
            match (i % side, i / side) {
                (..38, ..38) => assert_eq!(found[i], came[i], "dot {i}"),
                (44.., _) | (_, 44..) => assert!(found[i][0].abs_diff(153) <= 2, "{i}: {:?}", found[i]),
                _ => {}
            }
        }
        assert_eq!(
            flattened(Grain { has_coarse_colors: false, ..grain }),
            came,
            "noise is not told from dots"
        );
    }
}
