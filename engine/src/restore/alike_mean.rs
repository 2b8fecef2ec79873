//! Smooths within paints: the sigma filter (J.-S. Lee, "Digital Image Smoothing and the Sigma Filter", 1983).

use wide::{bytemuck, u8x16, u16x8, u32x4};

use super::window_rows::{LANES, REACH, ROWS, WindowRows, lanes};
use crate::algorithms::CHUNK;
use crate::api::{ProgressMeter, Stopped};

/// Each pixel becomes the mean of those in its window that differ from it by at most `range` levels in each channel.
pub(super) fn average_alike(
    data: &mut [[u8; 4]],
    width: usize,
    range: u8,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let mut windows = WindowRows::new(data, width);
    for first in (0..data.len()).step_by(width) {
        meter.advance(width)?;
        windows.advance(data);
        for x in (0..width).step_by(CHUNK).filter(|&x| !windows.is_uniform(x)).collect::<Vec<_>>() {
            for x in (x..width.min(x + CHUNK)).step_by(LANES) {
                let count = LANES.min(width - x);
                data[first + x..][..count]
                    .copy_from_slice(&mean_of_alike(windows.spans(x, LANES), range)[..count]);
            }
        }
    }
    Ok(())
}

#[inline(never)]
fn mean_of_alike(spans: [&[[u8; 4]]; ROWS], range: u8) -> [[u8; 4]; LANES] {
    let here = lanes(&spans[REACH][REACH..]);
    let range = u8x16::splat(range);
    let (least, most) = (here.saturating_sub(range), here.saturating_add(range));
    // The sums of every second channel and of all, 16 bits for each; those of all without what exceeds these.
    let [mut odd, mut all] = [u16x8::ZERO; 2];
    let mut count = u32x4::ZERO;
    for span in spans {
        for there in span.windows(LANES).map(lanes) {
            let words: u32x4 = bytemuck::cast(there);
            let is_alike = words.simd_eq(bytemuck::cast::<_, u32x4>(there.max(least).min(most)));
            let alike: u16x8 = bytemuck::cast(words & is_alike);
            odd += alike >> 8;
            all += alike;
            count -= is_alike;
        }
    }
    let half = u32x4::splat(1 << 15);
    let per_pixel = u32x4::new(count.to_array().map(|count| (1 << 16) / count.max(1)));
    let mean = |sum: u32x4| (sum * per_pixel + half) >> 16;
    let both = |sums: u16x8| {
        let sums: u32x4 = bytemuck::cast(sums);
        mean(sums & u32x4::splat(0xFFFF)) | mean(sums >> 16) << 16
    };
    bytemuck::cast(both(all - (odd << 8)) | both(odd) << 8)
}
