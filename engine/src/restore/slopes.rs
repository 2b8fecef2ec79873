//! How much colors change at each pixel.

use wide::{bytemuck, i32x4, u32x4};

use super::window_rows::{LANES, REACH, ROWS, WindowRows, lanes};
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
                write_slopes(windows.spans(x, CHUNK), chunk);
            }
        }
    }
    Ok(slopes)
}

/// Slope of a change of `levels` in each channel of a gray over the width of a window.
pub(super) fn slope_of(levels: u8) -> u16 {
    3 * u16::from(levels) * (SUM_PER_LEVEL / 8) / (2 * ROWS as u16)
}

/// The slopes of a chunk, of which the last pixels may be missing.
#[inline(never)]
fn write_slopes(spans: [&[[u8; 4]]; ROWS], slopes: &mut [u16]) {
    const VECTORS: usize = CHUNK / LANES;
    let mut sums = [u32x4::ZERO; VECTORS];
    for shift in [0, 8] {
        // Two channels in a word, as signed numbers of 16 bits.
        let mut columns = [[u32x4::ZERO; VECTORS + 2 * REACH / LANES]; 2];
        for k in 0..columns[0].len() {
            let even_bytes = u32x4::splat(EVEN_BYTES);
            let four = spans.map(|span| bytemuck::cast::<_, u32x4>(lanes(&span[k * LANES..])));
            let four = four.map(|words| words >> shift & even_bytes);
            [columns[0][k], columns[1][k]] = [smooth(four), change(four)];
        }
        let [smoothed, changes]: [[u32; CHUNK + 2 * REACH]; 2] = bytemuck::cast(columns);
        for (k, sum) in sums.iter_mut().enumerate() {
            let window = |words: &[u32]| -> [u32x4; ROWS] {
                std::array::from_fn(|x| u32x4::new(std::array::from_fn(|n| words[k * LANES + x + n])))
            };
            *sum += (size(change(window(&smoothed))) + size(smooth(window(&changes)))) >> 3;
        }
    }
    let sums: [u32; CHUNK] = bytemuck::cast(sums);
    slopes.iter_mut().zip(sums).for_each(|(slope, sum)| *slope = sum as u16);
}

/// The weighted sum of [`ROWS`] words.
fn smooth(five: [u32x4; ROWS]) -> u32x4 {
    let sides = five[1] + five[3];
    five[0] + five[4] + (sides << 2) + (five[2] << 2) + (five[2] << 1)
}

/// The weighted change over [`ROWS`] words.
fn change(five: [u32x4; ROWS]) -> u32x4 {
    five[4] - five[0] + ((five[3] - five[1]) << 1)
}

/// The sum of the sizes of both numbers of each word.
fn size(words: u32x4) -> u32x4 {
    let words: i32x4 = bytemuck::cast(words);
    let low: i32x4 = (words << 16) >> 16;
    let high: i32x4 = (words - low) >> 16;
    bytemuck::cast(low.abs() + high.abs())
}
