//! Gives mixed pixels the colors that they had before the picture was reduced to a palette.

use std::iter::StepBy;
use std::ops::Range;

use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, MIXTURE_RESIDUAL_SQ, PremultipliedColor, mixture, projection};
use crate::formation::Palette;
use crate::raster::Pixels;

/// How far from a mixed pixel its paints are looked for, on both sides.
///
/// Unit: pixels. Source: a sharp edge at 45° to the grid mixes two pixels of a row.
const REACH: isize = 2;

/// A picture was reduced to a palette if one in so many mixed pixels, or more, has no mixture but a color that stands for one.
///
/// Unit: count. Source: of 90 clean drawings with at most 64 colors, one has more, and that one was reduced; copies in 16 colors with three paints
/// and more have one in 2 to 8.
const MIXED_PER_REPLACED: usize = 8;

/// About how many rows decide.
///
/// Unit: count. Source: as many as decide whether a picture is pixel art.
const DECIDING_ROWS: usize = 64;

/// The directions in which an edge may cross a pixel.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A mixed pixel.
struct Mixed {
    /// A mixture of two colors beside it: one that it is, or the nearest.
    mixture: Channels,
    /// Its squared distance.
    residual_sq: f32,
}

/// Makes each pixel whose color stands for a mixture of colors beside it this mixture. Returns whether the picture was reduced to the palette;
/// if it was not, it stays as it is.
pub(crate) fn restore_mixtures(
    pixels: &mut Pixels<'_>,
    palette: &Palette,
    meter: &mut ProgressMeter<'_>,
) -> Result<bool, Stopped> {
    let height = pixels.height;
    let few = (0..height).step_by(height.div_ceil(DECIDING_ROWS));
    let (all, replaced) = find(pixels, palette, few, meter)?;
    let was_reduced = all > 0 && replaced.len() * MIXED_PER_REPLACED >= all;
    if was_reduced {
        for (i, color) in find(pixels, palette, (0..height).step_by(1), meter)?.1 {
            pixels.replace(i, color);
        }
    }
    Ok(was_reduced)
}

/// How many pixels of some rows are mixed, and those of them that stand for a mixture, with it.
fn find(
    pixels: &Pixels<'_>,
    palette: &Palette,
    rows: StepBy<Range<usize>>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(usize, Vec<(usize, PremultipliedColor)>), Stopped> {
    let width = pixels.width;
    let mut all = 0;
    let mut replaced = Vec::new();
    for y in rows {
        meter.advance(width)?;
        for x in (0..width).filter(|&x| has_unlike_neighbor(pixels, (x, y))) {
            if let Some(Mixed { mixture, residual_sq }) = mixed(pixels, palette, (x, y)) {
                all += 1;
                if residual_sq > MIXTURE_RESIDUAL_SQ {
                    replaced.push((y * width + x, PremultipliedColor::nearest(mixture)));
                }
            }
        }
    }
    Ok((all, replaced))
}

/// Whether a pixel differs from one of those beside, above and below it. No if one of these lies beyond the border.
fn has_unlike_neighbor(pixels: &Pixels<'_>, (x, y): (usize, usize)) -> bool {
    let i = y * pixels.width + x;
    let is_inside = x > 0 && y > 0 && x + 1 < pixels.width && y + 1 < pixels.height;
    is_inside
        && [i - 1, i + 1, i - pixels.width, i + pixels.width]
            .iter()
            .any(|&k| pixels.data[k] != pixels.data[i])
}

/// What a pixel is a mixture of, of the colors on opposite sides of it.
fn mixed(pixels: &Pixels<'_>, palette: &Palette, place: (usize, usize)) -> Option<Mixed> {
    let color = |step: isize, (dx, dy): (isize, isize)| {
        let (x, y) = (place.0.checked_add_signed(step * dx)?, place.1.checked_add_signed(step * dy)?);
        (x < pixels.width && y < pixels.height).then(|| pixels.data[y * pixels.width + x])
    };
    let here = color(0, (0, 0))?;
    let unlike = |step: isize, way: (isize, isize)| color(step, way).filter(|&color| color != here);
    let here = here.map(f32::from);
    let mut best: Option<Mixed> = None;
    for way in DIRECTIONS {
        for (before, after) in (1..=REACH).flat_map(|before| (1..=REACH).map(move |after| (-before, after))) {
            let (Some(from), Some(to)) = (unlike(before, way), unlike(after, way)) else { continue };
            let [from, to] = [from, to].map(|color| color.map(f32::from));
            let (residual_sq, share) = projection(here, from, to);
            let is_better = best.as_ref().is_none_or(|best| residual_sq < best.residual_sq);
            if share <= 0.0 || share >= 1.0 || !is_better {
                continue;
            }
            let mixture = mixture(from, to, share);
            if residual_sq <= MIXTURE_RESIDUAL_SQ {
                return Some(Mixed { mixture, residual_sq });
            }
            if palette.has_none_nearer(here, mixture) {
                best = Some(Mixed { mixture, residual_sq });
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart_sq(a: &[u8; 4], b: &[u8; 4]) -> u32 {
        (0..4).map(|c| u32::from(a[c].abs_diff(b[c])).pow(2)).sum()
    }

    /// Three paints, anti-aliased, in the nearest colors of a palette.
    fn reduced(palette: &[[u8; 4]]) -> (Vec<[u8; 4]>, Vec<[u8; 4]>) {
        let (side, paints) = (48, [[250.0, 250.0, 240.0], [30.0, 60.0, 200.0], [220.0, 40.0, 50.0]]);
        let drawn = |i: usize| {
            let (x, y) = ((i % side) as f32, (i / side) as f32);
            let [blue, red] = [0.3 * x + y - 20.2, 0.9 * x - 0.4 * y - 15.7].map(|v| v.clamp(0.0, 1.0));
            let under: [f32; 3] =
                std::array::from_fn(|c| paints[0][c] + blue * (paints[1][c] - paints[0][c]));
            let [r, g, b] = std::array::from_fn(|c| (under[c] + red * (paints[2][c] - under[c])) as u8);
            [r, g, b, 255]
        };
        let drawn: Vec<[u8; 4]> = (0..side * side).map(drawn).collect();
        let nearest = |color| *palette.iter().min_by_key(|other| apart_sq(other, color)).expect("a color");
        (drawn.iter().map(nearest).collect(), drawn)
    }

    fn restored(data: &mut [[u8; 4]]) -> bool {
        let mut pixels = Pixels { width: 48, height: data.len() / 48, data };
        let palette = Palette::of(&pixels).expect("few colors");
        restore_mixtures(&mut pixels, &palette, &mut ProgressMeter::idle()).expect("no observer stops it")
    }

    const PAINTS: [[u8; 4]; 3] = [[250, 250, 240, 255], [30, 60, 200, 255], [220, 40, 50, 255]];

    #[test]
    fn colors_of_a_palette_become_the_mixtures_they_stand_for() {
        let between = [[150, 160, 210, 255], [240, 130, 160, 255], [140, 70, 100, 255]];
        let (mut data, drawn) = reduced(&[&PAINTS[..], &between].concat());
        let came = data.clone();
        let far = |data: &[[u8; 4]]| {
            let pairs = [[0, 1], [1, 2], [0, 2]].map(|pair| pair.map(|k: usize| PAINTS[k].map(f32::from)));
            let residual_sq = |color: Channels| pairs.map(|[a, b]| projection(color, a, b).0);
            let is_far = |color: &&[u8; 4]| residual_sq(color.map(f32::from)).iter().all(|&sq| sq > 9.0);
            data.iter().filter(is_far).count()
        };
        let before = far(&data);
        assert!(before > 30 && restored(&mut data), "{before}");
        // Where three paints meet, some pixels are mixtures of all.
        assert!(far(&data) < before / 8, "{} of {before}", far(&data));
        let error_sq =
            |data: &[[u8; 4]]| -> u32 { data.iter().zip(&drawn).map(|(a, b)| apart_sq(a, b)).sum() };
        assert!(error_sq(&data) < error_sq(&came), "nearer to what was drawn");
    }

    #[test]
    fn true_mixtures_and_pure_paints_stay() {
        let halves = [[140, 155, 220, 255], [235, 145, 145, 255], [125, 50, 125, 255]];
        for palette in [&PAINTS[..], &[&PAINTS[..], &halves].concat()] {
            let (mut data, _) = reduced(palette);
            let before = data.clone();
            assert!(!restored(&mut data));
            assert_eq!(data, before);
        }
    }
}
