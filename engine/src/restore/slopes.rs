//! How much colors change at each pixel.

use super::window_rows::{REACH, ROWS, WindowRows};
use crate::algorithms::{CHUNK, EVEN_BYTES};
use crate::api::{ProgressMeter, Stopped};

/// What a gradient of one level per pixel, in one channel, is in the sums of the filter.
///
/// Unit: count. Source: the weights of [`slope`].
const SUM_PER_LEVEL: u16 = 96;

/// The size of the gradient at each pixel: of Sobel's filter over the means of 3 × 3 pixels (with weights), the sum of both directions and all
/// channels, in twelfths of a level per pixel.
pub(super) fn slopes(
    data: &[[u8; 4]],
    width: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<u16>, Stopped> {
    let mut windows = WindowRows::new(data, width);
    let mut slopes = vec![0; data.len()];
    for row in slopes.chunks_exact_mut(width) {
        meter.advance(width)?;
        windows.advance(data);
        for (x, chunk) in (0..).step_by(CHUNK).zip(row.chunks_mut(CHUNK)) {
            if !windows.is_uniform(x) {
                write_slopes(windows.spans(x, chunk.len()), chunk);
            }
        }
    }
    Ok(slopes)
}

/// Slope of a change of `levels` in each channel of a gray over the width of a window.
pub(super) fn slope_of(levels: u8) -> u16 {
    3 * u16::from(levels) * (SUM_PER_LEVEL / 8) / (2 * ROWS as u16)
}

#[inline(never)]
fn write_slopes(spans: [&[[u8; 4]]; ROWS], slopes: &mut [u16]) {
    for shift in [0, 8] {
        // Two channels in a word, as signed numbers of 16 bits.
        let column = |x: usize| spans.map(|span| u32::from_le_bytes(span[x]) >> shift & EVEN_BYTES);
        let mut columns = [[0; 2]; CHUNK + 2 * REACH];
        for x in 0..spans[0].len().min(columns.len()) {
            columns[x] = [smooth(column(x)), change(column(x))];
        }
        for (slope, window) in slopes.iter_mut().zip(columns.array_windows::<ROWS>()) {
            let [across, down] = [change(window.map(|sums| sums[0])), smooth(window.map(|sums| sums[1]))];
            *slope += (size(across) + size(down)) / 8;
        }
    }
}

/// The weighted sum of [`ROWS`] words.
#[inline(never)]
fn smooth(five: [u32; ROWS]) -> u32 {
    let sides = five[1].wrapping_add(five[3]);
    let around = five[0].wrapping_add(five[4]).wrapping_add(sides << 2);
    around.wrapping_add(five[2] << 2).wrapping_add(five[2] << 1)
}

/// The weighted change over [`ROWS`] words.
#[inline(never)]
fn change(five: [u32; ROWS]) -> u32 {
    five[4].wrapping_sub(five[0]).wrapping_add(five[3].wrapping_sub(five[1]) << 1)
}

/// The sum of the sizes of both numbers of a word.
fn size(word: u32) -> u16 {
    let low = word as u16 as i16;
    let high = (word.wrapping_sub(low as u32) >> 16) as i16;
    low.unsigned_abs() + high.unsigned_abs()
}
