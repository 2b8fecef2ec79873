//! A set of pixels that are visited in order, without sorting them.

/// How many bits a word has, as a power of two.
const WORD_LOG2: u32 = u64::BITS.ilog2();

/// A bit for each pixel, and a bit for each word of those.
#[derive(Default)]
pub(super) struct PixelSet {
    pixels: Vec<u64>,
    words: Vec<u64>,
}

impl PixelSet {
    /// Makes room for the pixels below `count`.
    pub fn make_room(&mut self, count: usize) {
        let count = count.div_ceil(u64::BITS as usize);
        if self.pixels.len() < count {
            self.pixels.resize(count, 0);
            self.words.resize(count.div_ceil(u64::BITS as usize), 0);
        }
    }

    pub fn insert(&mut self, pixel: u32) {
        let word = pixel >> WORD_LOG2;
        self.pixels[word as usize] |= 1 << (pixel % u64::BITS);
        self.words[(word >> WORD_LOG2) as usize] |= 1 << (word % u64::BITS);
    }

    /// Visits the pixels in order, and empties the set.
    pub fn take_each(&mut self, mut visit: impl FnMut(u32)) {
        for (words, of_word) in self.words.iter_mut().zip((0..).step_by(u64::BITS as usize)) {
            let mut words_left = std::mem::take(words);
            while words_left != 0 {
                let word = of_word + words_left.trailing_zeros();
                words_left &= words_left - 1;
                let mut left = std::mem::take(&mut self.pixels[word as usize]);
                while left != 0 {
                    visit((word << WORD_LOG2) + left.trailing_zeros());
                    left &= left - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_visited_once_and_in_order() {
        let mut set = PixelSet::default();
        set.make_room(10_000);
        let pixels = [9_999, 63, 64, 4_096, 0, 4_095, 64, 4_097];
        for _ in 0..2 {
            pixels.iter().for_each(|&pixel| set.insert(pixel));
            let mut visited = Vec::new();
            set.take_each(|pixel| visited.push(pixel));
            assert_eq!(visited, [0, 63, 64, 4_095, 4_096, 4_097, 9_999]);
        }
        set.take_each(|pixel| panic!("{pixel}"));
    }
}
