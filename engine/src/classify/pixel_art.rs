//! Recognizes pixel art: images drawn pixel by pixel. They are rich in edges, and none of these is anti-aliased.
//!
//! Counts, in about 64 rows, the edges between neighboring pixels, the pixels that are mixtures of their neighbors, the corners of single
//! pixels, and the colored fringes of sub-pixel-rendered print.

use crate::algorithms::{CHUNK, differing_bits, set_bits};
use crate::color::{MIXTURE_RESIDUAL_SQ, byte_distance_sq, channel_order, mixture, projection};
use crate::formation::Palette;
use crate::raster::Pixels;

/// Distance of two neighboring pixels above which there is an edge between them.
///
/// Unit: color levels², Euclidean. Source: tuned; no derivation is known.
const EDGE_SQ: u32 = 40 * 40;

/// Share of the second color with which a pixel between two others counts as their mixture.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const MIXTURE_SHARES: std::ops::Range<f32> = 0.08..0.92;

/// Most mixtures, per edge, of pixel art.
///
/// Unit: share (ratio). Source: tuned on drawings: most anti-aliased ones have a third of a mixture per edge or more, pixel art a tenth.
const MOST_MIXTURES: f32 = 0.2;

/// Most mixtures, per corner of a single pixel among three of another color, of pixel art.
///
/// Anti-aliased shapes along rows and columns have few mixtures per edge, but at least one at each corner of an outline. The stairs of pixel art
/// are full of corners, and its mixtures are chance.
///
/// Unit: share (ratio). Source: tuned on drawings: without it, screenshots and icons drawn along pixels count as pixel art.
const MOST_MIXTURES_PER_CORNER: f32 = 0.8;

/// Most colored fringes of one channel order, in excess of those of the other order, per edge, of pixel art.
///
/// Unit: share (ratio). Source: tuned on drawings: sub-pixel-rendered print has at least 0.05, pixel art 0.01.
const MOST_FRINGES: f32 = 0.04;

/// Fewest edges, per pixel side, of pixel art. With fewer, shapes are so large that the stairs of their outlines were not intended.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const LEAST_EDGES: f32 = 0.04;

/// Whether the image is pixel art, whose outlines are the sides of its pixels.
pub(crate) fn is_pixel_art(pixels: &Pixels, palette: Option<&Palette>) -> bool {
    let (width, height) = (pixels.width, pixels.height);
    let rows = (0..height).step_by(pixels.deciding_rows_step());
    let sides =
        rows.clone().map(|y| width - 1 + if y + 1 < height { width } else { 0 }).sum::<usize>() as f32;
    let mut edges = 0;
    for y in rows.clone() {
        for_each_change(pixels, y, &mut |_, here, after| edges += u32::from(are_apart(here, after)));
    }
    if (edges as f32) < LEAST_EDGES * sides {
        return false;
    }
    // Checked after each row: most drawings have so many mixtures that a few rows decide.
    let (mut mixtures, mut fringes) = (0, 0i32);
    for y in rows.clone() {
        for_each_change(pixels, y, &mut |before, here, after| {
            let Some(before) = before.filter(|&before| before != here && are_apart(before, after)) else {
                return;
            };
            match is_between([before, here, after], palette) {
                true => mixtures += 1,
                false => fringes += channel_order([before, here, after]),
            }
        });
        if mixtures as f32 >= MOST_MIXTURES * edges as f32 {
            return false;
        }
    }
    let corners = || rows.map(|y| corners_below(pixels, y)).sum::<usize>();
    (fringes.unsigned_abs() as f32) < MOST_FRINGES * edges as f32
        && mixtures as f32 <= MOST_MIXTURES_PER_CORNER * corners() as f32
}

/// How many squares of two by two pixels in a row and the next have three similar pixels and one other.
fn corners_below(pixels: &Pixels, y: usize) -> usize {
    let start = y * pixels.width;
    let rows = &pixels.data[start..(start + 2 * pixels.width).min(pixels.data.len())];
    let (row, below) = rows.split_at(pixels.width);
    let is_corner = |(above, below): &(&[[u8; 4]], &[[u8; 4]])| {
        let square = [above[0], above[1], below[1], below[0]];
        let apart = [0, 1, 2, 3].map(|k| are_apart(square[k], square[(k + 1) % 4]));
        // Around the square are two edges, at neighboring sides; of its diagonals, one has an edge.
        let crossings = [[0, 2], [1, 3]].map(|[a, b]| are_apart(square[a], square[b]));
        apart.iter().filter(|&&apart| apart).count() == 2 && crossings[0] != crossings[1]
    };
    row.windows(2).zip(below.windows(2)).filter(is_corner).count()
}

/// Visits each pixel of a row that differs from the next one in its row or column, with the one before it, if any, and the next.
#[inline(never)]
fn for_each_change(pixels: &Pixels, y: usize, visit: &mut dyn FnMut(Option<[u8; 4]>, [u8; 4], [u8; 4])) {
    let (width, data) = (pixels.width, &pixels.data);
    let start = y * width;
    let row = &data[start..start + width];
    let below = data.get(start + width..start + 2 * width).unwrap_or(row);
    for first in (0..width).step_by(CHUNK) {
        let right = differing_bits(&row[first..], &row[first + 1..]);
        let down = differing_bits(&row[first..], &below[first..]);
        for x in set_bits((right | down).into()).map(|k| first + k) {
            if right >> (x - first) & 1 == 1 {
                visit((x > 0).then(|| row[x - 1]), row[x], row[x + 1]);
            }
            if down >> (x - first) & 1 == 1 {
                visit((y > 0).then(|| data[start + x - width]), row[x], below[x]);
            }
        }
    }
}

/// Whether there is an edge between two neighboring pixels.
fn are_apart(a: [u8; 4], b: [u8; 4]) -> bool {
    byte_distance_sq(a, b) > EDGE_SQ
}

/// Whether a pixel is a mixture of its two neighbors, or the color of the palette that is nearest to one.
fn is_between(three: [[u8; 4]; 3], palette: Option<&Palette>) -> bool {
    let [before, here, after] = three.map(|color| color.map(f32::from));
    let (residual_sq, share) = projection(here, before, after);
    let stands_for_it =
        || palette.is_some_and(|palette| palette.has_none_nearer(here, mixture(before, after, share)));
    MIXTURE_SHARES.contains(&share) && (residual_sq <= MIXTURE_RESIDUAL_SQ || stands_for_it())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: [u8; 4] = [20, 30, 200, 255];
    const PAPER: [u8; 4] = [250, 240, 230, 255];

    fn picture(color: impl Fn(usize, usize) -> [u8; 4]) -> Pixels<'static> {
        let data: Vec<_> = (0..32 * 32).map(|i| color(i % 32, i / 32)).collect();
        Pixels { width: 32, height: 32, data: data.leak() }
    }

    fn is_art(picture: Pixels) -> bool {
        is_pixel_art(&picture, Palette::of(&picture).as_ref())
    }

    #[test]
    fn small_blocks_of_pure_color_are_pixel_art() {
        assert!(is_art(picture(|x, y| if (x / 2 * 7 + y / 2 * 5) % 11 < 4 { INK } else { PAPER })));
    }

    #[test]
    fn antialiased_lines_are_not() {
        let mixture = std::array::from_fn(|c| INK[c] / 2 + PAPER[c] / 2);
        assert!(!is_art(picture(|x, y| match (x + y) % 8 {
            0..3 => INK,
            3 | 7 => mixture,
            _ => PAPER,
        })));
    }

    #[test]
    fn antialiased_lines_in_the_colors_of_a_palette_are_not() {
        let beside = [160, 160, 190, 255];
        assert!(!is_art(picture(|x, y| match (x + y) % 8 {
            0..3 => INK,
            3 | 7 => beside,
            _ => PAPER,
        })));
    }

    #[test]
    fn rounded_bars_along_the_axes_are_not() {
        let mixture = std::array::from_fn(|c| INK[c] / 2 + PAPER[c] / 2);
        let side = |x: usize| [x % 16 == 2 || x % 16 == 13, (2..14).contains(&(x % 16))];
        assert!(!is_art(picture(|x, y| match (side(x), side(y)) {
            ([true, _], [true, _]) => mixture,
            ([_, true], [_, true]) => INK,
            _ => PAPER,
        })));
    }

    #[test]
    fn noise_is_not() {
        let noise = |x: usize, y: usize| ((x * 7919 + y * 104_729) ^ (x * y * 31)) as u8;
        assert!(!is_art(picture(|x, y| [noise(x, y), noise(y, x + 3), noise(x + 5, y), 255])));
    }

    #[test]
    fn one_large_shape_is_not() {
        assert!(!is_art(picture(|x, y| if x > y { INK } else { PAPER })));
    }
}
