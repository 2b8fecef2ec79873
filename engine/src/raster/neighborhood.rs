//! The neighbors of pixels, clipped to the image.

use std::ops::Range;

use super::bounds::{Bounds, column_and_row};
use crate::algorithms::set_bits;

/// Whether a pixel is among others, given in order.
// Not inlined: each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(crate) fn is_among(pixels: &[u32], pixel: u32) -> bool {
    pixels.binary_search(&pixel).is_ok()
}

/// The pixels within `reach` columns and rows of any of the given pixels, in row order, each once.
///
/// The windows of neighboring pixels overlap nearly everywhere. So they are marked as bits of the bounding rectangle, not visited one by
/// one.
pub(crate) fn within_reach(pixels: &[u32], (width, height): (usize, usize), reach: u32) -> Vec<u32> {
    let (width, height) = (width as u32, height as u32);
    let mut bounds = Bounds::NONE;
    pixels.iter().for_each(|&pixel| bounds.add(pixel, width));
    let Bounds { left, top, right, bottom } = bounds;
    if pixels.is_empty() {
        return Vec::new();
    }
    let (left, top) = (left.saturating_sub(reach), top.saturating_sub(reach));
    let (right, bottom) = ((right + reach).min(width - 1), (bottom + reach).min(height - 1));
    // One word more, so that two words can be written anywhere.
    let words = ((right - left) / 64 + 2) as usize;
    let mut rows = vec![0u64; words * (bottom - top + 1) as usize];
    for i in pixels {
        let (x, y) = column_and_row(*i, width);
        let (first, last) = (x.saturating_sub(reach), (x + reach).min(right));
        let (window, shift) = ((1u64 << (last - first + 1)) - 1, (first - left) % 64);
        let word = (y - top) as usize * words + ((first - left) / 64) as usize;
        rows[word] |= window << shift;
        rows[word + 1] |= window >> 1 >> (63 - shift);
    }
    let mut found = Vec::with_capacity(2 * pixels.len());
    for y in top..=bottom {
        let near = y.saturating_sub(reach).max(top)..=(y + reach).min(bottom);
        // The extra word is written, but always 0.
        for word in 0..words - 1 {
            let row = |y: u32| rows[(y - top) as usize * words + word];
            let bits = near.clone().fold(0, |bits, y| bits | row(y));
            let first = y * width + left + 64 * word as u32;
            found.extend(set_bits(bits).map(|place| first + place as u32));
        }
    }
    found
}

/// The pixels within `reach` columns and rows of a pixel, which is one of them, as one range for each row. A flat iterator would test for
/// the end of the row at each pixel.
pub(crate) fn neighborhood(
    i: u32,
    (width, height): (usize, usize),
    reach: u32,
) -> impl Iterator<Item = Range<u32>> + use<> {
    let (width, height) = (width as u32, height as u32);
    let (x, y) = column_and_row(i, width);
    let (left, right) = (x.saturating_sub(reach), (x + reach + 1).min(width));
    let rows = y.saturating_sub(reach)..(y + reach + 1).min(height);
    rows.map(move |v| v * width + left..v * width + right)
}

/// The neighbors on the left, right, above and below. Beyond the border of the image, the pixel itself.
pub(crate) fn side_neighbors(i: usize, (width, height): (usize, usize)) -> [usize; 4] {
    let x = column_and_row(i as u32, width as u32).0 as usize;
    let or_itself = |is_inside, j| if is_inside { j } else { i };
    [
        or_itself(x > 0, i.wrapping_sub(1)),
        or_itself(x + 1 < width, i + 1),
        or_itself(i >= width, i.wrapping_sub(width)),
        or_itself(i + width < width * height, i + width),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_join_across_words_and_end_at_the_border() {
        let (width, height) = (150, 9);
        for (pixels, reach) in [
            (vec![], 2),
            (vec![0], 2),
            (vec![149, 1349], 1),
            (vec![63 + 150, 64 + 150, 130 + 450, 2 + 900], 2),
            ((0..150).map(|x| x * 7 % 150 + 150 * (x % 9)).collect(), 1),
        ] {
            let is_near = |i: &u32| {
                let near =
                    |j: &u32| (i % 150).abs_diff(j % 150) <= reach && (i / 150).abs_diff(j / 150) <= reach;
                pixels.iter().any(near)
            };
            let expected: Vec<u32> = (0..width * height).filter(is_near).collect();
            assert_eq!(within_reach(&pixels, (width as usize, height as usize), reach), expected);
        }
    }
}
