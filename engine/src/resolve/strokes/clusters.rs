//! Groups open pixels that are near to each other.

use super::patch::Candidate;
use crate::algorithms::set_bits;
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::raster::column_and_row;
use crate::resolve::paints::{EXPLAIN_PIXEL_UNITS, PaintMap};

/// How far pixels of one candidate may be from the next, in columns and in rows.
///
/// Unit: pixels. Source: the strokes of a letter in small print, and its dot, are this near to each other; tuned.
const PATCH_REACH_PX: u32 = 2;

/// Groups pixels with all that are near to them.
pub(crate) fn cluster_pixels(
    paint_map: &PaintMap<'_>,
    unexplained: &[u32],
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Candidate>, Stopped> {
    let mut waiting = PixelSet::new(paint_map, unexplained);
    let mut candidates = Vec::new();
    for &first in unexplained {
        if !waiting.take(first) {
            continue;
        }
        let mut pixels = vec![first];
        let mut next = 0;
        while next < pixels.len() {
            if next % PIXELS_PER_ADVANCE == 0 {
                meter.advance(EXPLAIN_PIXEL_UNITS * (pixels.len() - next).min(PIXELS_PER_ADVANCE))?;
            }
            waiting.take_near(pixels[next], &mut pixels);
            next += 1;
        }
        candidates.push(Candidate { pixels });
    }
    Ok(candidates)
}

/// A set of pixels, one bit for each, with a margin all around. Each row begins at a word.
struct PixelSet {
    width: u32,
    words_per_row: usize,
    words: Vec<u64>,
}

impl PixelSet {
    fn new(paint_map: &PaintMap<'_>, pixels: &[u32]) -> Self {
        let (width, height) = (paint_map.pixels.width, paint_map.pixels.height + 2 * PATCH_REACH_PX as usize);
        // One word more, so that two words can be read anywhere.
        let words_per_row = (width + 2 * PATCH_REACH_PX as usize).div_ceil(64) + 1;
        let mut waiting =
            PixelSet { width: width as u32, words_per_row, words: vec![0; words_per_row * height] };
        for &i in pixels {
            let (word, bit) = waiting.position(i);
            waiting.words[word] |= bit;
        }
        waiting
    }

    /// The word of a pixel's bit, and the bit in it.
    fn position(&self, i: u32) -> (usize, u64) {
        let (x, y) = column_and_row(i, self.width);
        let (x, y) = (x + PATCH_REACH_PX, y + PATCH_REACH_PX);
        (y as usize * self.words_per_row + x as usize / 64, 1 << (x % 64))
    }

    /// Takes a pixel out; returns whether it was in the set.
    fn take(&mut self, i: u32) -> bool {
        let (word, bit) = self.position(i);
        let found = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        found
    }

    /// Takes out the pixels near to one and adds them to `near`.
    fn take_near(&mut self, i: u32, near: &mut Vec<u32>) {
        const CLUSTER_ROWS: u32 = 2 * PATCH_REACH_PX + 1;
        const CLUSTER_WINDOW: u64 = (1 << CLUSTER_ROWS) - 1;
        // By the margin, a pixel's column and row are those of its window's corner.
        let (x, y) = column_and_row(i, self.width);
        let shift = x % 64;
        let is_in_one = shift + CLUSTER_ROWS <= 64;
        let start = y as usize * self.words_per_row + x as usize / 64;
        let rows = self.words[start..].chunks_mut(self.words_per_row).take(CLUSTER_ROWS as usize);
        for (row, words) in rows.enumerate() {
            let found = match (is_in_one, &mut *words) {
                (true, [word, ..]) => {
                    let found = *word >> shift & CLUSTER_WINDOW;
                    *word &= !(found << shift);
                    found
                }
                (false, [word, next, ..]) => {
                    let found = (*word >> shift | *next << (64 - shift)) & CLUSTER_WINDOW;
                    *word &= !(found << shift);
                    *next &= !(found >> (64 - shift));
                    found
                }
                _ => 0,
            };
            if found != 0 {
                // Only pixels in the image are in the set, so the sum does not stay below 0.
                let first = (i + row as u32 * self.width).wrapping_sub(PATCH_REACH_PX * (self.width + 1));
                near.extend(set_bits(found).map(|place| first.wrapping_add(place as u32)));
            }
        }
    }
}
