//! How much colors change at each pixel.

use super::window_rows::{ROWS, WindowRows};
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
                chunk.iter_mut().zip(x..).for_each(|(slope, x)| *slope = slope_at(&windows, x));
            }
        }
    }
    Ok(slopes)
}

/// Slope of a change of `levels` in each channel of a gray over the width of a window.
pub(super) fn slope_of(levels: u8) -> u16 {
    3 * u16::from(levels) * (SUM_PER_LEVEL / 8) / (2 * ROWS as u16)
}

fn slope_at(windows: &WindowRows, x: usize) -> u16 {
    let halves = [0, 8].map(|shift| {
        // Two channels in a word, as signed numbers of 16 bits.
        let at = |row: usize, column: usize| {
            u32::from_le_bytes(windows.rows[row][x + column]) >> shift & EVEN_BYTES
        };
        let smooth = |at: &dyn Fn(usize) -> u32| {
            at(0)
                .wrapping_add(at(1).wrapping_add(at(3)) << 2)
                .wrapping_add(6u32.wrapping_mul(at(2)))
                .wrapping_add(at(4))
        };
        let differ = |at: &dyn Fn(usize) -> u32| {
            at(4).wrapping_sub(at(0)).wrapping_add(at(3).wrapping_sub(at(1)) << 1)
        };
        let across = differ(&|column| smooth(&|row| at(row, column)));
        let down = differ(&|row| smooth(&|column| at(row, column)));
        size(across) + size(down)
    });
    ((halves[0] + halves[1]) / 8) as u16
}

/// The sum of the sizes of both numbers of a word.
fn size(word: u32) -> u32 {
    let low = word as u16 as i16;
    let high = (word.wrapping_sub(low as u32) >> 16) as i16;
    u32::from(low.unsigned_abs()) + u32::from(high.unsigned_abs())
}
