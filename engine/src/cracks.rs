use std::ops::Range;

use crate::runs::{CHUNK, changes, differing, ones};
use crate::watch::{Stopped, Watch};

/// Where the sides between pixels of different regions are: which chunks of rows have any on the right of a pixel or below one.
/// It stays true when regions join, and tells those who look for boundaries what they can pass over.
pub(crate) struct Cracks {
    width: usize,
    /// A bit a chunk, from the lowest; every row begins a word. The last chunk of a row is always taken to have some.
    bits: Vec<u64>,
    words: usize,
}

const WORD: usize = u64::BITS as usize;

impl Cracks {
    /// Linear in pixels, of which `ids` has the regions.
    pub fn find(ids: &[u32], width: usize, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let words = width.div_ceil(CHUNK * WORD);
        let chunks = width.div_ceil(CHUNK);
        let all =
            |word: usize| if chunks - word * WORD < WORD { (1 << (chunks % WORD)) - 1 } else { u64::MAX };
        let row: Vec<u64> = (0..words).map(all).collect();
        let mut cracks = Cracks { width, bits: row.repeat(ids.len() / width), words };
        cracks.refine(ids, watch)?;
        Ok(cracks)
    }

    /// Looks again where there may be some: regions have joined.
    pub fn refine(&mut self, ids: &[u32], watch: &mut Watch<'_>) -> Result<(), Stopped> {
        for (y, row) in ids.chunks_exact(self.width).enumerate() {
            watch.advance(self.width)?;
            let below = ids.get((y + 1) * self.width..(y + 2) * self.width).unwrap_or(row);
            for (k, word) in self.bits[y * self.words..(y + 1) * self.words].iter_mut().enumerate() {
                for bit in ones(*word) {
                    let x = (k * WORD + bit) * CHUNK;
                    if !changes(&row[x..], &below[x..]) {
                        *word &= !(1 << bit);
                    }
                }
            }
        }
        Ok(())
    }

    /// The pixel at a place has changed hands: there may be cracks all around it.
    pub fn add(&mut self, x: usize, y: usize) {
        for (x, y) in [(x, y), (x.saturating_sub(1), y), (x, y.saturating_sub(1))] {
            let chunk = x / CHUNK;
            self.bits[y * self.words + chunk / WORD] |= 1 << (chunk % WORD);
        }
    }

    /// Which chunks of a row have cracks.
    pub fn row(&self, y: usize) -> Row<'_> {
        Row(&self.bits[y * self.words..(y + 1) * self.words])
    }

    /// Visits the chunks in some rows that have cracks.
    pub fn for_each_chunk(&self, ids: &[u32], rows: Range<usize>, mut visit: impl FnMut(Chunk)) {
        for y in rows {
            let (start, end) = (y * self.width, (y + 1) * self.width);
            for (k, &word) in self.bits[y * self.words..(y + 1) * self.words].iter().enumerate() {
                for bit in ones(word) {
                    let first = start + (k * WORD + bit) * CHUNK;
                    visit(Chunk::of(ids, first..(first + CHUNK).min(end), (end, self.width)));
                }
            }
        }
    }

    /// Visits every stretch of a side that parts the same two regions, with its length: sides of pixels in some rows, and those below.
    pub fn for_each(&self, ids: &[u32], rows: Range<usize>, mut visit: impl FnMut(u32, u32, u32)) {
        self.for_each_chunk(ids, rows, |chunk| {
            for i in chunk.places(chunk.right) {
                visit(ids[i], ids[i + 1], 1);
            }
            let mut below = chunk.below;
            while below != 0 {
                let first = chunk.pixels.start + below.trailing_zeros() as usize;
                let pair = |i: usize| (ids[i], ids[i + self.width]);
                let mut length = 0;
                while below >> (first + length - chunk.pixels.start) & 1 == 1
                    && pair(first + length) == pair(first)
                {
                    below &= below - 1;
                    length += 1;
                }
                visit(pair(first).0, pair(first).1, length as u32);
            }
        });
    }
}

/// Some pixels side by side.
pub(crate) struct Chunk {
    pub pixels: Range<usize>,
    /// Which of them have another region on their right, and below, a bit for each.
    pub right: u32,
    pub below: u32,
}

impl Chunk {
    /// Told many at a time, for in photographs none can be foretold.
    #[inline(never)]
    fn of(ids: &[u32], pixels: Range<usize>, (row_end, width): (usize, usize)) -> Self {
        let (start, within) = (pixels.start, (1 << pixels.len()) - 1);
        let within_row = within >> u32::from(pixels.end == row_end);
        let right = differing(&ids[start..], &ids[start + 1..]) & within_row;
        let below = differing(&ids[start..], ids.get(start + width..).unwrap_or(&[])) & within;
        Chunk { pixels, right, below }
    }

    /// The indices of pixels that bits stand for.
    pub fn places(&self, bits: u32) -> impl Iterator<Item = usize> + use<> {
        let start = self.pixels.start;
        ones(bits.into()).map(move |k| start + k)
    }
}

/// What is known of a row's chunks.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a>(&'a [u64]);

impl Row<'_> {
    /// How many chunks in a row, from the one that begins at `x` on, have no cracks.
    pub fn quiet_from(self, x: usize) -> usize {
        let (first, mut at) = (x / CHUNK, x / CHUNK);
        while let Some(word) = self.0.get(at / WORD) {
            let quiet = (word >> (at % WORD)).trailing_zeros() as usize;
            at += quiet.min(WORD - at % WORD);
            if at % WORD != 0 || quiet == 0 {
                break;
            }
        }
        at - first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = CHUNK * WORD + 2 * CHUNK + 5;

    /// The sides between different regions, as their pixels' indices.
    fn sides(ids: &[u32]) -> Vec<[usize; 2]> {
        let pairs = (0..ids.len()).flat_map(|i| {
            let right = ((i + 1) % WIDTH > 0).then_some([i, i + 1]);
            right.into_iter().chain((i + WIDTH < ids.len()).then_some([i, i + WIDTH]))
        });
        pairs.filter(|[i, j]| ids[*i] != ids[*j]).collect()
    }

    fn found(ids: &[u32]) -> Cracks {
        Cracks::find(ids, WIDTH, &mut Watch::idle()).expect("nobody stops it")
    }

    fn agree(cracks: &Cracks, ids: &[u32]) {
        let mut places = Vec::new();
        cracks.for_each_chunk(ids, 0..ids.len() / WIDTH, |chunk| places.extend(chunk.pixels));
        let sides = sides(ids);
        assert!(sides.iter().all(|side| places.contains(&side[0])));
        let mut length = 0;
        cracks.for_each(ids, 0..ids.len() / WIDTH, |a, b, stretch| {
            assert_ne!(a, b);
            length += stretch;
        });
        assert_eq!(length as usize, sides.len());
        for y in 0..ids.len() / WIDTH {
            for chunk in 0..WIDTH.div_ceil(CHUNK) {
                let quiet = cracks.row(y).quiet_from(chunk * CHUNK);
                let expected = (chunk..).position(|k| places.contains(&(y * WIDTH + k * CHUNK)));
                assert_eq!(Some(quiet), expected);
            }
        }
    }

    #[test]
    fn every_side_is_found_when_pixels_change_hands_and_when_regions_join() {
        let mut ids = vec![0; 3 * WIDTH];
        let mut cracks = found(&ids);
        for (region, i) in (1..).zip([0, CHUNK, WIDTH - 1, WIDTH + 3 * CHUNK, 3 * WIDTH - CHUNK]) {
            ids[i] = region;
            cracks.add(i % WIDTH, i / WIDTH);
            agree(&cracks, &ids);
            agree(&found(&ids), &ids);
        }
        ids[CHUNK] = 0;
        cracks.refine(&ids, &mut Watch::idle()).expect("nobody stops it");
        agree(&cracks, &ids);
        assert_eq!(cracks.bits, found(&ids).bits);
    }
}
