//! Recognizes pictures whose colors were kept at half the size, as JPEG and WebP do.
//!
//! Their decoders put two pixels of chroma where there was one, by linear interpolation. So in rows and columns, the change within a pair is
//! the mean of the changes to the pairs on both sides. In luma it is not, nor a pixel aside.

use super::quantization::luma;
use super::sample_blocks::{Block, SIDE};

/// How many more times chroma deviates from linear interpolation a pixel aside, at least.
///
/// Unit: count. Source: in clean drawings it does 0.7 to 1.6 times as much as on the pair, in WebP of quality 75 and JPEG of quality 50 to 90
/// from 2.3 times on.
const LEAST_RATIO: u8 = 2;

/// Most that chroma deviates on the pair, in the mean.
///
/// Unit: levels of one channel (0–255). Source: rounding makes 1.6 to 3.8 in WebP of quality 75. Where the edges of a blurred drawing lie along
/// a grid, it may seem to have pairs, but deviates by 4.3 and more.
const MOST_DEVIATION: u8 = 4;

/// Least sum of the changes between four pixels that counts.
///
/// Unit: levels of one channel (0–255). Source: rounding makes six.
const LEAST_CHANGE: u8 = 24;

/// Fewest places with such changes.
///
/// Unit: count. Source: as many pixels as an edge through four blocks changes.
const FEWEST_PLACES: u32 = 64;

/// How far values lie from linear interpolation between pairs, summed up.
#[derive(Default)]
struct Deviations {
    /// Of four pixels that begin at an even one, and at an odd one: the middle ones are a pair.
    sums: [f32; 2],
    places: [u32; 2],
}

impl Deviations {
    /// Adds four pixels of a row or column.
    fn add(&mut self, start: usize, [a, b, c, d]: [f32; 4]) {
        let [first, between, second] = [b - a, c - b, d - c];
        if first.abs() + between.abs() + second.abs() > f32::from(LEAST_CHANGE) {
            self.sums[start % 2] += (2.0 * between - first - second).abs();
            self.places[start % 2] += 1;
        }
    }

    fn are_of_pairs(&self) -> bool {
        let [even, odd] = self.sums;
        let is_rounding = odd <= f32::from(MOST_DEVIATION) * self.places[1] as f32;
        let are_many = self.places[0] + self.places[1] >= FEWEST_PLACES;
        are_many && is_rounding && f32::from(LEAST_RATIO) * odd < even
    }
}

/// `blocks`: some that have edges.
pub(super) fn has_coarse_chroma(blocks: &[Block]) -> bool {
    let (mut chroma, mut light) = (Deviations::default(), Deviations::default());
    for block in blocks {
        for k in 0..SIDE {
            for line in [block[k], block.map(|row| row[k])] {
                // As many that begin at even pixels as at odd ones.
                for (start, four) in line.array_windows::<4>().take(4).enumerate() {
                    if four.iter().all(|color| color == &four[0]) {
                        continue;
                    }
                    // Where a channel was cut off, it says nothing about chroma.
                    if four
                        .iter()
                        .all(|[r, g, b, _]| [r, g, b].iter().all(|&&value| value > 0 && value < 255))
                    {
                        let four = four.map(|color| color.map(f32::from));
                        chroma.add(start, four.map(|[r, g, ..]| r - g));
                        chroma.add(start, four.map(|[_, g, b, _]| b - g));
                        light.add(start, four.map(luma));
                    }
                }
            }
        }
    }
    chroma.are_of_pairs() && !light.are_of_pairs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks cut by slanted edges between a red and a blue, as colors of `coarseness` pixels and luma of one.
    fn blocks(chroma_pixels: usize, luma_pixels: usize) -> Vec<Block> {
        let share = |n: usize, x: f32, y: f32| {
            let (across, down) = ((n as f32 * 0.7).cos(), (n as f32 * 0.7).sin());
            ((x - 4.0) * across + (y - 4.0) * down + 0.5).clamp(0.0, 1.0)
        };
        // The value at a pixel between those of pixels so many times as large, in whose middle they were drawn.
        let seen = |n: usize, (x, y): (usize, usize), size: usize| {
            let at = |v: usize| (v as f32 + 0.5) / size as f32 - 0.5;
            let [(x, right), (y, below)] = [x, y].map(|v| (at(v).floor(), at(v) - at(v).floor()));
            let middle = |k: f32| (k + 0.5) * size as f32 - 0.5;
            let value = |x: f32, y: f32| share(n, middle(x), middle(y));
            let row = |y: f32| (1.0 - right) * value(x, y) + right * value(x + 1.0, y);
            (1.0 - below) * row(y) + below * row(y + 1.0)
        };
        let color = |n: usize, place: (usize, usize)| {
            let (chroma, light) = (seen(n, place, chroma_pixels), seen(n, place, luma_pixels));
            let [red, blue] = [160.0 - 110.0 * chroma, 50.0 + 110.0 * chroma];
            let green = 100.0 + 60.0 * light;
            [red + 60.0 * light, green, blue + 60.0 * light, 255.0].map(|value| (value + 0.5) as u8)
        };
        let row = |n: usize, y: usize| std::array::from_fn(|x| color(n, (x, y)));
        (0..40).map(|n| std::array::from_fn(|y| row(n, y))).collect()
    }

    #[test]
    fn only_colors_at_half_the_size_are_coarse() {
        assert!(has_coarse_chroma(&blocks(2, 1)));
        assert!(!has_coarse_chroma(&blocks(1, 1)));
        assert!(!has_coarse_chroma(&blocks(2, 2)), "the whole picture was enlarged");
        assert!(!has_coarse_chroma(&[]));
    }
}
