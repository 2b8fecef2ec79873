//! Gives mixed pixels the colors that they had before the picture was reduced to a palette.

use crate::algorithms::{CHUNK, differing_bits, set_bits};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, MIXTURE_RESIDUAL_SQ, PremultipliedColor, mixture, projection};
use crate::formation::Palette;
use crate::raster::Pixels;

/// A picture was reduced to a palette if one in so many mixed pixels, or more, has no mixture but a color that stands for one.
///
/// Unit: count. Source: of 90 clean drawings with at most 64 colors, one has more, and that one was reduced; copies in 16 colors with three paints
/// and more have one in 2 to 8.
const MIXED_PER_REPLACED: usize = 8;

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
    let step = pixels.deciding_rows_step();
    let (all, mut replaced) = find(pixels, palette, step, meter)?;
    let was_reduced = all > 0 && replaced.len() * MIXED_PER_REPLACED >= all;
    if !was_reduced {
        return Ok(false);
    }
    if step > 1 {
        replaced = find(pixels, palette, 1, meter)?.1;
    }
    for (i, color) in replaced {
        pixels.replace(i, color);
    }
    Ok(true)
}

/// How many pixels of every `step`th row are mixed, and those of them that stand for a mixture, with it.
fn find(
    pixels: &Pixels<'_>,
    palette: &Palette,
    step: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<(usize, Vec<(usize, PremultipliedColor)>), Stopped> {
    let (width, data) = (pixels.width, &*pixels.data);
    let mut all = 0;
    let mut replaced = Vec::new();
    for y in (0..pixels.height).step_by(step) {
        meter.advance(width)?;
        // Beyond the border, nothing is known.
        if y == 0 || y + 1 == pixels.height {
            continue;
        }
        let [above, row, below] = [y - 1, y, y + 1].map(|y| &data[y * width..][..width]);
        let mut before = 0;
        for first in (0..width).step_by(CHUNK) {
            let after = differing_bits(&row[first..], &row[first + 1..]);
            let beside = after | after << 1 | before;
            before = after >> (CHUNK - 1);
            let across = differing_bits(&row[first..], &above[first..])
                | differing_bits(&row[first..], &below[first..]);
            let unlike = set_bits(((beside | across) & 0xFFFF).into()).map(|k| first + k);
            for x in unlike.filter(|&x| x > 0 && x + 1 < width) {
                if let Some(Mixed { mixture, residual_sq }) = mixed(pixels, palette, (x, y)) {
                    all += 1;
                    if residual_sq > MIXTURE_RESIDUAL_SQ {
                        replaced.push((y * width + x, PremultipliedColor::nearest(mixture)));
                    }
                }
            }
        }
    }
    Ok((all, replaced))
}

/// What a pixel is a mixture of, of the colors on opposite sides of it: one of two on each, as a sharp edge at 45° to the grid mixes two pixels
/// of a row.
#[inline(never)]
fn mixed(pixels: &Pixels<'_>, palette: &Palette, (x, y): (usize, usize)) -> Option<Mixed> {
    let here = pixels.data[y * pixels.width + x];
    // Beyond the border, there is no other color.
    let color = |step: isize, (dx, dy): (isize, isize)| {
        let (x, y) = (x.wrapping_add_signed(step * dx), y.wrapping_add_signed(step * dy));
        if x < pixels.width && y < pixels.height { pixels.data[y * pixels.width + x] } else { here }
    };
    let mut best: Option<Mixed> = None;
    for way in DIRECTIONS {
        let before = [color(-1, way), color(-2, way)];
        let after = [color(1, way), color(2, way)];
        for pair in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let (from, to) = (before[pair[0]], after[pair[1]]);
            if from == here || to == here {
                continue;
            }
            let [here, from, to] = [here, from, to].map(|color| color.map(f32::from));
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
    use crate::color::byte_distance_sq;

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
        let nearest = |color: &[u8; 4]| {
            *palette.iter().min_by_key(|other| byte_distance_sq(**other, *color)).expect("a color")
        };
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
        let error_sq = |data: &[[u8; 4]]| -> u32 {
            data.iter().zip(&drawn).map(|(a, b)| byte_distance_sq(*a, *b)).sum()
        };
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
