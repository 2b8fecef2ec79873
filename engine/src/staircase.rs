use crate::mixture::{MIXTURE_RESIDUAL_SQ, projection};
use crate::pixels::{Channels, Pixels, distance_sq};

/// Neighbors farther apart than this (Euclidean, 8-bit levels) have an edge between them.
const EDGE_SQ: f32 = 40.0 * 40.0;

/// A pixel is a mixture of two others when it lies this part of the way from the one to the other.
const BETWEEN: std::ops::Range<f32> = 0.08..0.92;

/// Drawings that were anti-aliased have at least a third as many mixtures along rows and columns as edges; pixel art a tenth.
const MOST_MIXTURES: f32 = 0.2;

/// Fewer edges a pixel side than this are outlines of larger shapes, whose stairs are no drawing's intent.
const LEAST_EDGES: f32 = 0.04;

/// More changes a pixel side are noise, of which no pixel is meant.
const MOST_CHANGES: f32 = 0.6;

/// Rows that are looked at, at most.
const MOST_ROWS: usize = 512;

/// Whether a picture was drawn pixel by pixel: rich in edges, and none of them anti-aliased. Its outlines are the sides of its pixels.
pub(crate) fn is_pixel_art(pixels: &Pixels) -> bool {
    let (width, height) = (pixels.width, pixels.height);
    let (mut sides, mut changes, mut edges, mut mixtures) = (0u32, 0u32, 0u32, 0u32);
    let mut look = |before: Option<usize>, here: usize, after: usize| {
        sides += 1;
        if pixels.data[here] == pixels.data[after] {
            return;
        }
        changes += 1;
        let (color, next) = (pixels.channels(here), pixels.channels(after));
        edges += u32::from(distance_sq(color, next) > EDGE_SQ);
        mixtures += u32::from(before.is_some_and(|before| is_between(pixels.channels(before), color, next)));
    };
    for y in (0..height).step_by(height.div_ceil(MOST_ROWS)) {
        for x in 0..width {
            let i = y * width + x;
            if x + 1 < width {
                look((x > 0).then(|| i - 1), i, i + 1);
            }
            if y + 1 < height {
                look((y > 0).then(|| i - width), i, i + width);
            }
        }
    }
    edges as f32 >= LEAST_EDGES * sides as f32
        && changes as f32 <= MOST_CHANGES * sides as f32
        && (mixtures as f32) < MOST_MIXTURES * edges as f32
}

fn is_between(before: Channels, color: Channels, after: Channels) -> bool {
    if distance_sq(before, after) <= EDGE_SQ {
        return false;
    }
    let (residual, share) = projection(color, before, after);
    residual <= MIXTURE_RESIDUAL_SQ && BETWEEN.contains(&share)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: [u8; 4] = [20, 30, 200, 255];
    const PAPER: [u8; 4] = [250, 240, 230, 255];

    fn picture(color: impl Fn(usize, usize) -> [u8; 4]) -> Pixels {
        let data = (0..32 * 32).map(|i| color(i % 32, i / 32)).collect();
        Pixels { width: 32, height: 32, data }
    }

    #[test]
    fn small_blocks_of_pure_color_are_pixel_art() {
        assert!(is_pixel_art(&picture(|x, y| if (x / 2 * 7 + y / 2 * 5) % 11 < 4 { INK } else { PAPER })));
    }

    #[test]
    fn antialiased_lines_are_not() {
        let mixture = std::array::from_fn(|c| INK[c] / 2 + PAPER[c] / 2);
        assert!(!is_pixel_art(&picture(|x, y| match (x + y) % 8 {
            0..3 => INK,
            3 | 7 => mixture,
            _ => PAPER,
        })));
    }

    #[test]
    fn noise_is_not() {
        let noise = |x: usize, y: usize| ((x * 7919 + y * 104_729) ^ (x * y * 31)) as u8;
        assert!(!is_pixel_art(&picture(|x, y| [noise(x, y), noise(y, x + 3), noise(x + 5, y), 255])));
    }

    #[test]
    fn one_large_shape_is_not() {
        assert!(!is_pixel_art(&picture(|x, y| if x > y { INK } else { PAPER })));
    }
}
