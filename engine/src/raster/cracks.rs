//! Cracks: the pixel sides between two regions, as bits.
//!
//! A stage that looks for boundaries reads 64 pixels at once, and mostly passes over them.

use std::ops::Range;

use super::labels::Labels;
use crate::algorithms::{CHUNK, are_equal, differing_bits, set_bits};
use crate::api::{ProgressMeter, Stopped};

/// The pixel sides between different regions: two bits per pixel.
///
/// # Guarantees
/// A bit is set for every side between two regions. After regions have joined, and until [`regroup`](Cracks::regroup), bits between the joined
/// regions may be set too.
pub(crate) struct Cracks {
    pub width: usize,
    /// For each [`WORD`] pixels of each row.
    sides: Vec<SideBits>,
    /// Entries of `sides` per row.
    words: usize,
}

/// Pixels of a row in one word, the leftmost in the lowest bit.
pub(crate) const WORD: usize = u64::BITS as usize;

/// The pixels of a word that have another region on their right, and those that have one below. The border of the image is no crack.
#[derive(Clone, Copy, Default)]
pub(crate) struct SideBits {
    pub right: u64,
    pub below: u64,
}

impl SideBits {
    /// The cracks of `pixels`, which lie in one row of `width` pixels that ends at `row_end`. `candidates`: the pixels that may have cracks.
    ///
    /// Compares many values at once, because branches on each would be mispredicted in photographs.
    #[inline(never)]
    fn of(values: &[u32], pixels: Range<usize>, (row_end, width): (usize, usize), candidates: u64) -> Self {
        const CHUNK_BITS: u64 = (1 << CHUNK) - 1;
        let here = &values[pixels.start..];
        let (next, below) = (&here[1..], here.get(width..).unwrap_or(here));
        let (mut right, mut down) = (0, 0);
        let mut whole = here.as_chunks().0.iter().zip(next.as_chunks().0).zip(below.as_chunks().0);
        for start in (0..pixels.len()).step_by(CHUNK) {
            let is_quiet = whole.next().is_some_and(|((here, next), below)| are_equal(here, next, below));
            if is_quiet || candidates >> start & CHUNK_BITS == 0 {
                continue;
            }
            let here = &here[start..];
            let [next, below] = [next, below].map(|others| others.get(start..).unwrap_or_default());
            right |= u64::from(differing_bits(here, next)) << start;
            down |= u64::from(differing_bits(here, below)) << start;
        }
        let within = u64::MAX >> (WORD - pixels.len());
        right &= within >> u32::from(pixels.end == row_end);
        SideBits { right, below: down & within }
    }
}

impl Cracks {
    /// Finds the cracks between pixels of different values. Linear in pixels.
    pub fn find(values: &[u32], width: usize, meter: &mut ProgressMeter<'_>) -> Result<Self, Stopped> {
        let words = width.div_ceil(WORD);
        let mut sides = Vec::with_capacity(words * (values.len() / width));
        for first in (0..values.len()).step_by(width) {
            meter.advance(width)?;
            let end = first + width;
            let word =
                |start: usize| SideBits::of(values, start..(start + WORD).min(end), (end, width), u64::MAX);
            sides.extend((first..end).step_by(WORD).map(word));
        }
        Ok(Cracks { width, sides, words })
    }

    pub fn height(&self) -> usize {
        self.sides.len() / self.words
    }

    /// Replaces the labels by their groups and updates the cracks. Each row is updated as soon as the one below it is relabeled, while both
    /// are in the cache.
    pub fn regroup(
        &mut self,
        labels: &mut Labels,
        groups: &Labels,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let width = self.width;
        labels.count = groups.count;
        groups.apply_to(&mut labels.ids[..width]);
        for (y, row) in self.sides.chunks_exact_mut(self.words).enumerate() {
            meter.advance(2 * width)?;
            let (first, end) = (y * width, (y + 1) * width);
            groups.apply_to(labels.ids.get_mut(end..end + width).unwrap_or_default());
            for (start, sides) in (first..).step_by(WORD).zip(row) {
                let candidates = sides.right | sides.below;
                if candidates != 0 {
                    *sides =
                        SideBits::of(&labels.ids, start..(start + WORD).min(end), (end, width), candidates);
                }
            }
        }
        Ok(())
    }

    /// Sets the cracks of one pixel: whether each of its sides, left, right, above and below, lies between two regions.
    pub fn set(&mut self, x: usize, y: usize, [left, right, above, below]: [bool; 4]) {
        let (words, bit) = (self.words, |x: usize| 1 << (x % WORD));
        let index = |x: usize, y: usize| y * words + x / WORD;
        let set =
            |word: &mut u64, bit: u64, is_crack: bool| *word = *word & !bit | if is_crack { bit } else { 0 };
        let here = &mut self.sides[index(x, y)];
        set(&mut here.right, bit(x), right);
        set(&mut here.below, bit(x), below);
        if x > 0 {
            set(&mut self.sides[index(x - 1, y)].right, bit(x - 1), left);
        }
        if y > 0 {
            set(&mut self.sides[index(x, y - 1)].below, bit(x), above);
        }
    }

    /// The words of a row.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn row(&self, y: usize) -> &[SideBits] {
        &self.sides[y * self.words..(y + 1) * self.words]
    }

    /// Visits the runs of a row: the pixels between two cracks.
    pub fn for_each_run(&self, y: usize, mut visit: impl FnMut(Range<usize>)) {
        let mut start = 0;
        for (first, sides) in (0..).step_by(WORD).zip(self.row(y)) {
            // The last run ends at the border, which is no crack. Visited after the loop, it would be a second copy of `visit`.
            let border = if self.width - first <= WORD { 1 << (self.width - first - 1) } else { 0 };
            for end in set_bits(sides.right | border).map(|k| first + k + 1) {
                visit(start..end);
                start = end;
            }
        }
    }

    /// Visits the words of these rows that have cracks, with their first pixel.
    pub fn for_each_word(&self, rows: Range<usize>, mut visit: impl FnMut(usize, SideBits)) {
        for y in rows {
            for (first, &sides) in (y * self.width..).step_by(WORD).zip(self.row(y)) {
                if sides.right | sides.below != 0 {
                    visit(first, sides);
                }
            }
        }
    }

    /// Visits the right and lower sides of the pixels of these rows that lie between two regions, as the two regions and a length. Neighboring
    /// lower sides between the same regions are visited as one.
    pub fn for_each(&self, ids: &[u32], rows: Range<usize>, mut visit: impl FnMut(u32, u32, u32)) {
        self.for_each_word(rows, |first, SideBits { mut right, mut below }| {
            while right | below != 0 {
                let (step, start) = if right != 0 {
                    (1, right.trailing_zeros())
                } else {
                    (self.width, below.trailing_zeros())
                };
                let pair = |k: u32| (ids[first + k as usize], ids[first + k as usize + step]);
                let (a, b) = pair(start);
                let mut end = start + 1;
                if right != 0 {
                    right &= right - 1;
                } else {
                    below &= below - 1;
                    while end < u64::BITS && below >> end & 1 == 1 && pair(end) == (a, b) {
                        below &= below - 1;
                        end += 1;
                    }
                }
                visit(a, b, end - start);
            }
        });
    }
}

/// The position of the first bit that is set, from `start` on, after all words are xored with `inverted`. Beyond all words if no bit is set.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(crate) fn next_set_bit(words: &[u64], start: usize, inverted: u64) -> usize {
    let first = start / WORD;
    let mut shift = start % WORD;
    for (word, bits) in (first..).zip(&words[first..]) {
        let bits = (bits ^ inverted) >> shift << shift;
        if bits != 0 {
            return word * WORD + bits.trailing_zeros() as usize;
        }
        shift = 0;
    }
    words.len() * WORD
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 2 * WORD + 2 * CHUNK + 5;

    /// The sides between different regions, as their pixels' indices.
    fn sides(ids: &[u32]) -> Vec<[usize; 2]> {
        let pairs = (0..ids.len()).flat_map(|i| {
            let right = ((i + 1) % WIDTH > 0).then_some([i, i + 1]);
            right.into_iter().chain((i + WIDTH < ids.len()).then_some([i, i + WIDTH]))
        });
        pairs.filter(|[i, j]| ids[*i] != ids[*j]).collect()
    }

    fn found(ids: &[u32]) -> Cracks {
        Cracks::find(ids, WIDTH, &mut ProgressMeter::idle()).expect("an idle meter never stops")
    }

    fn agree(cracks: &Cracks, ids: &[u32]) {
        let mut found = Vec::new();
        cracks.for_each_word(0..cracks.height(), |first, sides| {
            found.extend(set_bits(sides.right).map(|k| [first + k, first + k + 1]));
            found.extend(set_bits(sides.below).map(|k| [first + k, first + k + WIDTH]));
        });
        found.sort_unstable();
        let mut expected = sides(ids);
        expected.sort_unstable();
        assert_eq!(found, expected);
        let mut length = 0;
        cracks.for_each(ids, 0..cracks.height(), |a, b, stretch| {
            assert_ne!(a, b);
            length += stretch;
        });
        assert_eq!(length as usize, found.len());
        for y in 0..cracks.height() {
            let mut next = 0;
            cracks.for_each_run(y, |run| {
                assert_eq!(run.start, next);
                assert!(ids[y * WIDTH..][run.clone()].iter().all(|&id| id == ids[y * WIDTH + run.start]));
                next = run.end;
            });
            assert_eq!(next, WIDTH);
        }
    }

    #[test]
    fn every_side_is_found_when_pixels_change_hands_and_when_regions_join() {
        let mut ids = vec![0; 3 * WIDTH];
        let mut cracks = found(&ids);
        for (region, i) in (1..).zip([0, CHUNK, WIDTH - 1, WIDTH + 3 * CHUNK, 3 * WIDTH - CHUNK]) {
            ids[i] = region;
            let (x, y) = (i % WIDTH, i / WIDTH);
            let other = |is_there: bool, j: usize| is_there && ids[j] != region;
            let sides = [
                other(x > 0, i.wrapping_sub(1)),
                other(x + 1 < WIDTH, i + 1),
                other(y > 0, i.wrapping_sub(WIDTH)),
                other(y + 1 < cracks.height(), i + WIDTH),
            ];
            cracks.set(x, y, sides);
            agree(&cracks, &ids);
            agree(&found(&ids), &ids);
        }
        let mut labels = Labels { ids, count: 6 };
        let groups = Labels { ids: vec![0, 1, 0, 2, 3, 4], count: 5 };
        cracks.regroup(&mut labels, &groups, &mut ProgressMeter::idle()).expect("an idle meter never stops");
        assert_eq!(labels.count, 5);
        agree(&cracks, &labels.ids);
        agree(&found(&labels.ids), &labels.ids);
    }

    #[test]
    fn the_next_set_bit_may_be_words_away() {
        let words = [1 << 3, 0, 1 << 9];
        for (start, inverted, expected) in
            [(0, 0, 3), (3, 0, 3), (4, 0, 137), (138, 0, 192), (3, u64::MAX, 4), (64, u64::MAX, 64)]
        {
            assert_eq!(next_set_bit(&words, start, inverted), expected);
        }
    }
}
