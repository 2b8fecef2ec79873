//! Binary mode: stretches darkness to coverage, between the levels of paper and ink.

use wide::u8x16;

use crate::algorithms::CHUNK;

/// Rows that are read, at least, to measure paper, ink and noise. Up to twice as many are.
///
/// Unit: count. Source: tuned on drawings: more rows do not change what is measured.
pub(crate) const ENOUGH_ROWS: usize = 64;

/// Least share of the pixels of paper, or of ink, that lie near one level for it to be their main level, as one in so many.
///
/// Unit: count. Source: tuned; no derivation is known.
const MAIN_LEVEL_ONE_IN: u32 = 5;

/// Converts darkness to coverage, in place: the main level of the paper becomes 0, that of the ink 255, and one half stays where it is. A side
/// without a main level is not stretched.
pub(crate) fn stretch_levels(levels: &mut [u8], width: usize) {
    let counts = histogram(levels, width);
    let bare = main_level(&counts[..128]).unwrap_or(0) as u8;
    let full = 128 + main_level(&counts[128..]).unwrap_or(127) as u8;
    if (bare, full) != (0, 255) {
        let coverage = coverage_by_level(f32::from(bare), f32::from(full));
        levels.iter_mut().for_each(|level| *level = coverage[*level as usize]);
    }
}

/// Counts the pixels of each level, in about [`ENOUGH_ROWS`] rows. Blocks of one level are counted at once. Other pixels are counted in four
/// tables in turn, because otherwise each would wait for the count of the one before.
fn histogram(levels: &[u8], width: usize) -> [u32; 256] {
    const TABLES: usize = 4;
    let apart = (levels.len() / width / ENOUGH_ROWS).max(1);
    let mut counts = [[0u32; 256]; TABLES];
    for block in levels.chunks_exact(width).step_by(apart).flat_map(|row| row.chunks(CHUNK)) {
        match block.first_chunk() {
            Some(all) if is_one_level(all) => counts[0][all[0] as usize] += CHUNK as u32,
            _ => block.iter().enumerate().for_each(|(k, &level)| counts[k % TABLES][level as usize] += 1),
        }
    }
    std::array::from_fn(|level| counts.iter().map(|counts| counts[level]).sum())
}

/// Whether all pixels of a block have one level.
pub(crate) fn is_one_level(block: &[u8; CHUNK]) -> bool {
    u8x16::new(*block).simd_eq(u8x16::splat(block[0])).all()
}

/// The coverage of each level, given those of the paper and of the ink.
fn coverage_by_level(bare: f32, full: f32) -> [u8; 256] {
    std::array::from_fn(|level| {
        let level = level as f32;
        let share = if level < 128.0 {
            0.5 * (level - bare) / (128.0 - bare)
        } else {
            0.5 + 0.5 * (level - 127.5) / (full - 127.5)
        };
        (share * 255.0 + 0.5).clamp(0.0, 255.0) as u8
    })
}

/// The level with most pixels near it, the highest of equals; `None` if these are a fifth of all pixels or less.
fn main_level(counts: &[u32]) -> Option<usize> {
    /// Distance of levels that count as near.
    ///
    /// Unit: luma levels. Source: tuned; no derivation is known.
    const NEAR_LEVELS: usize = 2;
    let mut around: u32 = counts[..NEAR_LEVELS].iter().sum();
    let (mut best, mut total) = ((0, 0, 0), 0);
    for (level, &count) in counts.iter().enumerate() {
        around += counts.get(level + NEAR_LEVELS).unwrap_or(&0);
        best = best.max((around, count, level));
        around -= level.checked_sub(NEAR_LEVELS).map_or(0, |level| counts[level]);
        total += count;
    }
    let (around, _, level) = best;
    (around * MAIN_LEVEL_ONE_IN > total).then_some(level)
}
