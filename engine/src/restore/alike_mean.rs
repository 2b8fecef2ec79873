//! Smooths within paints: the sigma filter (J.-S. Lee, "Digital Image Smoothing and the Sigma Filter", 1983).

use wide::{bytemuck, u8x16, u32x4};

use super::window_rows::{REACH, ROWS, WindowRows};
use crate::algorithms::{CHUNK, EVEN_BYTES};
use crate::api::{ProgressMeter, Stopped};

/// Pixels of a vector.
const LANES: usize = 4;

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
    let lanes = |four: &[[u8; 4]]| -> u8x16 {
        bytemuck::cast::<[[u8; 4]; LANES], _>(four.first_chunk().copied().unwrap_or_default())
    };
    let here = lanes(&spans[REACH][REACH..]);
    let (even_bytes, range) = (u32x4::splat(EVEN_BYTES), u8x16::splat(range));
    let [mut even, mut odd, mut count] = [u32x4::ZERO; 3];
    for span in spans {
        for there in span.windows(LANES).map(lanes) {
            // One of the two is 0.
            let apart = here.saturating_sub(there) | there.saturating_sub(here);
            let beyond: u32x4 = bytemuck::cast(apart.saturating_sub(range));
            let is_alike = beyond.simd_eq(u32x4::ZERO);
            let alike = bytemuck::cast::<_, u32x4>(there) & is_alike;
            even += alike & even_bytes;
            odd += (alike >> 8) & even_bytes;
            count -= is_alike;
        }
    }
    let half = u32x4::splat(1 << 15);
    let per_pixel = u32x4::new(count.to_array().map(|count| (1 << 16) / count.max(1)));
    let mean = |sum: u32x4| (sum * per_pixel + half) >> 16;
    let both = |sums: u32x4| mean(sums & u32x4::splat(0xFFFF)) | mean(sums >> 16) << 16;
    bytemuck::cast(both(even) | both(odd) << 8)
}
