//! Takes the pattern of ordered dither from a picture, as far as means of few pixels do.

use super::window_rows::{ROWS, WindowRows};
use crate::api::{ProgressMeter, Stopped};

/// The weights of a window's rows and columns, which are 16 in all: even places count as much as odd ones.
const WEIGHTS: [u32; ROWS] = [0, 1, 2, 1, 0];

/// Makes each pixel the mean of the 3 × 3 around it, weighted so that in every row and column as much comes from even places as from odd ones:
/// Bayer's matrix spreads thresholds most evenly over squares of 2 × 2 pixels, and what is left varies by a quarter of a step.
pub(super) fn blend(
    data: &mut [[u8; 4]],
    width: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let mut windows = WindowRows::new(data, width);
    for first in (0..data.len()).step_by(width) {
        meter.advance(width)?;
        windows.advance(data);
        for x in 0..width {
            data[first + x] = mean(windows.spans(x, 1));
        }
    }
    Ok(())
}

#[inline(never)]
fn mean(spans: [&[[u8; 4]]; ROWS]) -> [u8; 4] {
    let mut sums = [8u32; 4];
    for (span, down) in spans.iter().zip(WEIGHTS) {
        for (color, across) in span.iter().zip(WEIGHTS) {
            for (sum, &value) in sums.iter_mut().zip(color) {
                *sum += down * across * u32::from(value);
            }
        }
    }
    sums.map(|sum| (sum / 16) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_two_pixels_go() {
        let (width, height) = (20, 9);
        for upper in [|x: usize, y: usize| (x ^ y) & 1, |x, y| 1 - ((x | y) & 1), |x, _| x & 1] {
            let mut data: Vec<_> = (0..width * height)
                .map(|i| [[40, 90, 0, 255], [200, 90, 0, 255]][upper(i % width, i / width)])
                .collect();
            let mean = data.iter().take(2 * width).map(|color| u32::from(color[0])).sum::<u32>()
                / (2 * width as u32);
            blend(&mut data, width, &mut ProgressMeter::idle()).expect("no observer stops it");
            let inside =
                |i: &usize| (1..width - 1).contains(&(i % width)) && (1..height - 1).contains(&(i / width));
            assert!((0..data.len()).filter(inside).all(|i| data[i] == [mean as u8, 90, 0, 255]));
        }
    }
}
