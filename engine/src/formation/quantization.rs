//! Recognizes JPEG by its quantization: the DCT coefficients of each 8 × 8 block are multiples of the steps of a table.

use std::ops::Range;

use wide::{bytemuck, f32x4};

use super::sample_blocks::{Block, SIDE};
use crate::algorithms::sort;
use crate::color::Channels;

/// The luminance table of JPEG, row by row (ITU-T T.81, table K.1). Nearly all encoders scale it by their quality.
///
/// Unit: levels of a DCT coefficient at a scale of 100. Source: the standard.
const STEPS: [u8; SIDE * SIDE] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78,
    87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];

/// Largest scale of the table that is looked for, in percent.
///
/// Unit: percent. Source: quality 20 of the Independent JPEG Group's encoder; stronger copies are read as this one.
const LARGEST_SCALE: u32 = 250;

/// Smallest scale of the table that is looked for, in percent.
///
/// Unit: percent. Source: quality 96; above, the rounding of pixels hides the steps, and there is nothing to undo.
pub(super) const SMALLEST_SCALE: u32 = 8;

/// The next scale is smaller by this part.
///
/// Unit: count (one part of so many). Source: with half of such a step off, the second multiple is an eighth of a step off.
const SCALE_PARTS: u32 = 8;

/// A coefficient's unit.
///
/// Unit: count (parts of a level). Source: equal coefficients, of patterns that repeat, count once; noise of rounding parts all others.
const PARTS_OF_LEVEL: u32 = 16;

/// cos(kπ/16) for k = 0 to 8.
///
/// Unit: parts of 16,384. Source: computed.
const COSINES: [i16; SIDE + 1] = [16384, 16069, 15137, 13623, 11585, 9102, 6270, 3196, 0];

/// How surely coefficients are multiples of a table's steps.
///
/// Unit: standard deviations. Source: chance reached 4 in 528 clean drawings; JPEG from 64 × 64 pixels on has 7 and more.
const LEAST_EVIDENCE: u8 = 6;

/// The scale of the quantization table in percent, or `None` if the blocks were not in a JPEG file.
pub(super) fn quantization_scale(blocks: &[Block]) -> Option<u32> {
    let mut waves = [0.0; SIDE * SIDE];
    for (k, wave) in waves.iter_mut().enumerate() {
        *wave = self::wave(k / SIDE, k % SIDE);
    }
    // The number of the frequency in the upper half of a word, and the size in parts of a level.
    let mut coefficients = Vec::new();
    for block in blocks {
        for (frequency, size) in frequencies(block, &waves).into_iter().enumerate() {
            // The lowest are the same in many blocks of a ramp, so they tell nothing.
            if frequency / SIDE + frequency % SIDE < 2 {
                continue;
            }
            let parts = (size.abs() * PARTS_OF_LEVEL as f32 + 0.5) as u64;
            // Smaller ones are 0 in every table that is looked for.
            if parts > PARTS_OF_LEVEL.into() {
                coefficients.push((frequency as u64) << 32 | parts);
            }
        }
    }
    sort(&mut coefficients, 0);
    coefficients.dedup();
    let mut found = Vec::new();
    let mut scale = LARGEST_SCALE;
    while scale >= SMALLEST_SCALE {
        found.push((scale, Evidence { sum: 0.0, count: 0 }));
        scale -= (scale / SCALE_PARTS).max(1);
    }
    let mut sizes = Vec::new();
    for group in coefficients.chunk_by(|a, b| a >> 32 == b >> 32) {
        let step = u32::from(STEPS[(group[0] >> 32) as usize]);
        sizes.clear();
        sizes.extend(group.iter().map(|&entry| entry as u32 as f32));
        let mut near = sizes.len()..sizes.len();
        for (scale, evidence) in &mut found {
            evidence.add(&sizes, &mut near, PARTS_OF_LEVEL * ((step * *scale + 50) / 100));
        }
    }
    let mut best = (f32::from(LEAST_EVIDENCE), None);
    for (scale, evidence) in found {
        if evidence.deviations() > best.0 {
            best = (evidence.deviations(), Some(scale));
        }
    }
    best.1
}

/// How much nearer coefficients lie to once or twice a step than chance puts them.
struct Evidence {
    /// For each coefficient from 1 at a multiple down to −1 between two. Of chance, the mean is 0 and the variance ⅓.
    sum: f32,
    count: u32,
}

impl Evidence {
    /// Adds the coefficients of one frequency, in order. `near` are those beside a step that is not smaller, and becomes those beside this one:
    /// below half a step, coefficients are 0 in any table.
    #[inline(never)]
    fn add(&mut self, sizes: &[f32], near: &mut Range<usize>, step: u32) {
        // Steps of one level are those of rounding.
        if step <= PARTS_OF_LEVEL {
            return;
        }
        let step = step as f32;
        while near.start > 0 && 2.0 * sizes[near.start - 1] > step {
            near.start -= 1;
        }
        while near.end > 0 && 2.0 * sizes[near.end - 1] >= 5.0 * step {
            near.end -= 1;
        }
        let (fours, rest) = sizes[near.clone()].as_chunks();
        let off = |size: f32x4| {
            let beside = size - f32x4::splat(step);
            beside.abs().min((beside - f32x4::splat(step)).abs())
        };
        let mut sum = f32x4::ZERO;
        for &four in fours {
            sum += off(f32x4::new(four));
        }
        // All are whole numbers, so their order does not matter.
        let rest: f32 = rest.iter().map(|&size| off(f32x4::splat(size)).to_array()[0]).sum();
        self.count += near.len() as u32;
        self.sum += near.len() as f32 - 4.0 * (sum.reduce_add() + rest) / step;
    }

    /// In standard deviations of chance.
    fn deviations(&self) -> f32 {
        self.sum / (self.count.max(1) as f32 / 3.0).sqrt()
    }
}

/// The luma of a color as JPEG has it (ITU-R BT.601).
pub(crate) fn luma([r, g, b, _]: Channels) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

/// The DCT of a block's luma, frequencies row by row.
fn frequencies(block: &Block, waves: &[f32; SIDE * SIDE]) -> [f32; SIDE * SIDE] {
    let mut luma = [0.0; SIDE * SIDE];
    for (sample, color) in luma.iter_mut().zip(block.as_flattened()) {
        *sample = self::luma(color.map(f32::from));
    }
    transform(&transform(&luma, waves), waves)
}

/// The DCT of each row, as the columns of the result.
#[inline(never)]
fn transform(rows: &[f32; SIDE * SIDE], waves: &[f32; SIDE * SIDE]) -> [f32; SIDE * SIDE] {
    let mut columns = [[0.0; SIDE]; SIDE];
    for (k, &sample) in rows.iter().enumerate() {
        columns[k % SIDE][k / SIDE] = sample;
    }
    let columns: [[f32x4; 2]; SIDE] = bytemuck::cast(columns);
    let mut sums = [[f32x4::ZERO; 2]; SIDE];
    for (sums, wave) in sums.iter_mut().zip(waves.chunks_exact(SIDE)) {
        for (&wave, column) in wave.iter().zip(&columns) {
            *sums = [0, 1].map(|k| sums[k] + f32x4::splat(wave) * column[k]);
        }
    }
    bytemuck::cast(sums)
}

/// The basis of the DCT: half a cosine of frequency `u` at pixel `x`, all with the same norm.
fn wave(u: usize, x: usize) -> f32 {
    let turn = if u == 0 { SIDE / 2 } else { (2 * x + 1) * u % (4 * SIDE) };
    let from_half = turn.abs_diff(2 * SIDE);
    let cosine = if from_half < SIDE { -COSINES[from_half] } else { COSINES[2 * SIDE - from_half] };
    f32::from(cosine) / f32::from(COSINES[0]) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks cut by slanted edges of a gray, quantized by the table at a scale in percent; at 0, as they were.
    fn blocks(scale: u32) -> Vec<Block> {
        let shade = |n: usize, x: usize, y: usize| {
            let past =
                (x as f32 - 4.0) * (n as f32 * 0.37).sin() + (y as f32 - 3.6) * (n as f32 * 0.37).cos();
            60.0 + 9.0 * (n % 7) as f32 + 90.0 * (past + 0.5).clamp(0.0, 1.0)
        };
        (0..48)
            .map(|n| {
                let mut plane: [[f32; SIDE]; SIDE] =
                    std::array::from_fn(|y| std::array::from_fn(|x| shade(n, x, y)));
                if scale > 0 {
                    plane = quantized(plane, scale);
                }
                plane.map(|row| row.map(|v| [(v + 0.5) as u8; 3]).map(|[r, g, b]| [r, g, b, 255]))
            })
            .collect()
    }

    fn quantized(plane: [[f32; SIDE]; SIDE], scale: u32) -> [[f32; SIDE]; SIDE] {
        let mut result = [[0.0; SIDE]; SIDE];
        for (k, &step) in STEPS.iter().enumerate() {
            let (v, u) = (k / SIDE, k % SIDE);
            let weight = |x, y| wave(u, x) * wave(v, y);
            let all = (0..SIDE * SIDE).map(|p| (p % SIDE, p / SIDE));
            let step = ((u32::from(step) * scale + 50) / 100) as f32;
            let size: f32 = all.clone().map(|(x, y)| plane[y][x] * weight(x, y)).sum();
            let size = (size / step).round() * step;
            all.for_each(|(x, y)| result[y][x] += size * weight(x, y));
        }
        result
    }

    #[test]
    fn the_scale_of_the_table_is_read_from_pixels() {
        for scale in [20, 50, 100] {
            let found = quantization_scale(&blocks(scale)).expect("quantized");
            assert!(found.abs_diff(scale) <= scale / 12 + 1, "{scale} was read as {found}");
        }
    }

    #[test]
    fn nothing_is_read_from_a_picture_that_was_not_quantized() {
        assert_eq!(quantization_scale(&blocks(0)), None);
        assert_eq!(quantization_scale(&[]), None);
    }
}
