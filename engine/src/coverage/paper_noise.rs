//! Binary mode: measures the noise of paper and ink.

use super::binary_levels::{ENOUGH_ROWS, is_one_level};
use super::darkness::Darkness;
use crate::algorithms::CHUNK;

/// Darkness of pixels that may belong to an edge between paper and ink. They are not measured.
///
/// Unit: luma levels. Source: tuned; no derivation is known. About 0.3 to 0.7 of the range.
const EDGE_LEVELS: std::ops::Range<u8> = 77..178;

/// The standard deviation of the noise of darkness away from edges, 0 to 1, from the median deviation of a pixel from the mean of its two
/// neighbors in the row.
pub(crate) fn paper_noise(darkness: &Darkness) -> f32 {
    /// Least distance of the rows that are read.
    ///
    /// Unit: pixels. Source: tuned; no derivation is known.
    const ROWS_APART: usize = 4;
    /// The median deviation for normal noise with the standard deviation 1.
    ///
    /// Unit: noise (standard deviations). Source: the median of |x| for a standard normal x, times √(1 + ½) for the noise of the neighbors.
    const MEDIAN_DEVIATION: f32 = 0.6745 * 1.2247;
    let mut counts = [0u32; 512];
    let apart = ROWS_APART.max(darkness.height / ENOUGH_ROWS);
    for row in darkness.data.chunks_exact(darkness.width).step_by(apart) {
        let mut start = 0;
        while let Some(windows) = row.get(start..start + CHUNK + 2) {
            match windows.first_chunk::<CHUNK>() {
                Some(block) if is_one_level(block) && windows.ends_with(&[block[0]; 2]) => {
                    counts[0] += if EDGE_LEVELS.contains(&block[0]) { 0 } else { CHUNK as u32 };
                }
                _ => count_deviations(windows, &mut counts),
            }
            start += CHUNK;
        }
        count_deviations(&row[start..], &mut counts);
    }
    let total: u32 = counts.iter().sum();
    let mut below = 0;
    let median = counts.iter().position(|count| {
        below += count;
        2 * below > total
    });
    median.unwrap_or(0) as f32 / (2.0 * 255.0 * MEDIAN_DEVIATION)
}

/// Counts twice the deviation of each pixel from the mean of its two neighbors.
fn count_deviations(row: &[u8], counts: &mut [u32; 512]) {
    let level_and_edge = |level: u8| (i32::from(level), EDGE_LEVELS.contains(&level));
    let [first, second, rest @ ..] = row else { return };
    let (mut before, mut here) = (level_and_edge(*first), level_and_edge(*second));
    for after in rest.iter().map(|&level| level_and_edge(level)) {
        if !(before.1 | here.1 | after.1) {
            counts[(2 * here.0 - before.0 - after.0).unsigned_abs() as usize] += 1;
        }
        (before, here) = (here, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_that_of_the_paper() {
        let mut state = 1u32;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            20 + (state >> 24) as u8 % 11
        });
        let paper = |data: Vec<u8>| Darkness { width: 64, height: data.len() / 64, data };
        let deviation = paper_noise(&paper(noise.take(4096).collect())) * 255.0;
        assert!((2.0..4.5).contains(&deviation), "{deviation}");
        assert_eq!(paper_noise(&paper(vec![0; 4096])), 0.0);
    }
}
