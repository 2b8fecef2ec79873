use wide::u8x16;

use crate::algorithms::CHUNK;

/// So many rows of a picture tell of its paper and ink as well as more.
pub(crate) const ENOUGH_ROWS: usize = 64;

/// From darkness to coverage: the paper's darkness covers nothing and the ink's everything, if most paper or ink is of one; one half
/// stays where it is.
pub(crate) fn stretch_levels(levels: &mut [u8], width: usize) {
    let counts = histogram(levels, width);
    let bare = main_level(&counts[..128]).unwrap_or(0) as u8;
    let full = 128 + main_level(&counts[128..]).unwrap_or(127) as u8;
    if (bare, full) != (0, 255) {
        let coverage = coverage_by_level(f32::from(bare), f32::from(full));
        levels.iter_mut().for_each(|level| *level = coverage[*level as usize]);
    }
}

/// How many pixels are of each level, in so many rows as tell. Paper and ink are counted many at a time, others in turns: one by one,
/// each pixel would wait for the count of the one before.
fn histogram(levels: &[u8], width: usize) -> [u32; 256] {
    const TURNS: usize = 4;
    let apart = (levels.len() / width / ENOUGH_ROWS).max(1);
    let mut counts = [[0u32; 256]; TURNS];
    for block in levels.chunks_exact(width).step_by(apart).flat_map(|row| row.chunks(CHUNK)) {
        match block.first_chunk() {
            Some(all) if is_one_level(all) => counts[0][all[0] as usize] += CHUNK as u32,
            _ => block.iter().enumerate().for_each(|(k, &level)| counts[k % TURNS][level as usize] += 1),
        }
    }
    std::array::from_fn(|level| counts.iter().map(|counts| counts[level]).sum())
}

pub(crate) fn is_one_level(block: &[u8; CHUNK]) -> bool {
    u8x16::new(*block).simd_eq(u8x16::splat(block[0])).all()
}

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

/// The level about which a fifth of the pixels lie; of equals, the highest.
fn main_level(counts: &[u32]) -> Option<usize> {
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
    (around * 5 > total).then_some(level)
}
