//! Recognizes ordered dither: a value between two levels becomes the upper one where it exceeds a matrix of thresholds that repeats (B. E. Bayer,
//! "An Optimum Method for Two-Level Rendition of Continuous-Tone Pictures", 1973).
//!
//! Bayer's matrix puts its least thresholds into one of four squares' pixels, and in turn into one of four of these. So whatever the paint,
//! the pixels at the upper level fill such sets one after the other; and as all paints meet the same thresholds, those of a brighter one
//! are those of a darker one and more. Neither edges nor patterns that were drawn do both.

use super::sample_blocks::{Block, SIDE};

/// Every second pixel of every second row of a block.
const EVERY_SECOND: u64 = 0x0055_0055_0055_0055;

/// Every fourth pixel of every fourth row.
const EVERY_FOURTH: u64 = 0x0000_0011_0000_0011;

/// How many pixels of a block are at the upper level, and how many at the lower one, at least.
///
/// Unit: pixels. Source: one pixel in every square of 4 × 4; fewer may be specks.
const FEWEST_PIXELS: u32 = 4;

/// One of how many blocks shows a set, at least, and one of how many sets may not fit to the first, at most.
///
/// Unit: count. Source: blocks with an edge show none, and in icons, nearly all have one; where two paints meet in a block, the set that they
/// show together is wrong. In 417 clean drawings, screens and photographs, no block showed any.
const BLOCKS_PER_SET: usize = 16;

/// By how many levels of a channel the values lie apart between which the picture was dithered, in the mean. `None` if it was not. A pattern
/// that was drawn may show one set, but not two that contain each other.
#[inline(never)]
pub(super) fn dither_step(blocks: &[Block]) -> Option<u8> {
    let (mut first, mut others, mut wrong) = (0, 0, 0);
    let (mut found, mut steps) = (0, 0);
    for block in blocks {
        for channel in 0..3 {
            let Some((set, step)) = upper_pixels(block, channel).filter(|&(set, _)| is_threshold(set)) else {
                continue;
            };
            if found == 0 {
                first = set;
            }
            found += 1;
            steps += usize::from(step);
            others += usize::from(set != first);
            wrong += usize::from(set & first != set && set & first != first);
        }
    }
    let is_dithered = others > 0 && found * BLOCKS_PER_SET >= blocks.len() && wrong * BLOCKS_PER_SET <= found;
    is_dithered.then(|| (steps / found) as u8)
}

/// The pixels with the greater of the two values that a channel has in a block, and how far these are apart. `None` if there are not two.
#[inline(never)]
fn upper_pixels(block: &Block, channel: usize) -> Option<(u64, u8)> {
    let first = block[0][0][channel];
    let (mut other, mut set) = (first, 0u64);
    for (k, color) in block.as_flattened().iter().enumerate() {
        let value = color[channel];
        if value != first {
            if other != first && value != other {
                return None;
            }
            other = value;
            set |= 1 << k;
        }
    }
    Some((if other < first { !set } else { set }, other.abs_diff(first)))
}

/// Whether a value may exceed the thresholds of Bayer's matrix in just these pixels, and whether that says anything: a matrix of 2 × 2 pixels
/// is not told from a pattern.
fn is_threshold(set: u64) -> bool {
    let is_between = set.count_ones().min(set.count_zeros()) >= FEWEST_PIXELS;
    is_between && partly_filled(set, EVERY_SECOND, 2) == 1 && partly_filled(set, EVERY_FOURTH, 4) <= 1
}

/// How many of the lattices of a step hold pixels of a set and others. `lattice`: the one from the first pixel on.
#[inline(never)]
fn partly_filled(set: u64, lattice: u64, step: usize) -> usize {
    let lattices = (0..step * step).map(|k| lattice << (k / step * SIDE + k % step));
    lattices.filter(|&pixels| set & pixels != 0 && set & pixels != pixels).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bayer's matrix of 8 × 8 pixels, from 0 to 63.
    fn threshold(x: usize, y: usize) -> usize {
        (0..3).map(|bit| (2 * ((x ^ y) >> bit & 1) + (y >> bit & 1)) << (4 - 2 * bit)).sum()
    }

    fn blocks(upper: impl Fn(usize, usize, usize) -> bool) -> Vec<Block> {
        let block = |n: usize| {
            std::array::from_fn(|y| {
                std::array::from_fn(|x| if upper(n, x, y) { [170, 90, 40, 255] } else { [85, 90, 40, 255] })
            })
        };
        (0..12).map(block).collect()
    }

    #[test]
    fn the_levels_of_ordered_dither_are_found() {
        let dithered = blocks(|n, x, y| threshold(x, y) < 5 * n);
        assert_eq!(dither_step(&dithered), Some(85));
        let shifted = blocks(|n, x, y| threshold((x + 3) % SIDE, (y + 6) % SIDE) < 5 * n);
        assert_eq!(dither_step(&shifted), Some(85));
        let of_4_by_4 = blocks(|n, x, y| threshold(x % 4, y % 4) < 5 * n);
        assert_eq!(dither_step(&of_4_by_4), Some(85));
    }

    #[test]
    fn patterns_and_edges_are_not_dither() {
        assert_eq!(dither_step(&blocks(|_, x, y| (x ^ y) & 1 == 0)), None, "checkerboard");
        assert_eq!(dither_step(&blocks(|n, x, y| x % 4 == n % 4 && y % 4 == n / 4)), None, "dots aside");
        assert_eq!(dither_step(&blocks(|_, x, y| (x | y) & 3 == 0)), None, "dots");
        assert_eq!(dither_step(&blocks(|n, x, y| 3 * x + 2 * y < 4 * n)), None, "edges");
        assert_eq!(dither_step(&blocks(|n, x, _| x % 4 < n % 4)), None, "lines");
        assert_eq!(dither_step(&[]), None);
    }
}
