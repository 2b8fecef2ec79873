//! Equal neighbors in a row, passed over many at a time: most pixels of drawn art lie inside runs of one color, and no
//! stage looks at those one by one.

use std::ops::Range;

/// So many entries are compared at once; a few vector instructions' worth.
pub(crate) const CHUNK: usize = 16;

/// Where the run of equal values that begins at `start` ends.
pub(crate) fn run_end<T: Copy + PartialEq>(row: &[T], start: usize) -> usize {
    let value = row[start];
    let mut end = start + 1;
    // In photographs nearly all runs end here.
    if end == row.len() || row[end] != value {
        return end;
    }
    let equal = |chunk: &&[T; CHUNK]| chunk.iter().fold(true, |equal, &other| equal & (other == value));
    end += CHUNK * row[end..].as_chunks().0.iter().take_while(equal).count();
    while end < row.len() && row[end] == value {
        end += 1;
    }
    end
}

/// Where a row differs from the row `below`, of the same length, or changes from one place to the next: ranges that hold
/// every such place, and few others.
pub(crate) fn changing<T: Copy + PartialEq>(row: &[T], below: &[T]) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..row.len()).step_by(CHUNK);
    let ranges = starts.map(|start| start..(start + CHUNK).min(row.len()));
    ranges.filter(|range| changes(&row[range.start..], &below[range.start..]))
}

/// Whether anything changes within the first chunk; at a row's end it is taken to.
fn changes<T: Copy + PartialEq>(row: &[T], below: &[T]) -> bool {
    let chunks = (row.first_chunk::<CHUNK>(), row[1..].first_chunk::<CHUNK>(), below.first_chunk::<CHUNK>());
    let (Some(here), Some(next), Some(below)) = chunks else { return true };
    (0..CHUNK).fold(false, |changes, x| changes | (here[x] != next[x]) | (here[x] != below[x]))
}

/// The places where two lists of the same length differ.
pub(crate) fn differing<'a, T: Copy + PartialEq>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = usize> + 'a {
    let chunks = a.chunks(CHUNK).zip(b.chunks(CHUNK)).enumerate();
    let unequal = chunks.filter(|(_, (a, b))| match (a.as_array::<CHUNK>(), b.as_array::<CHUNK>()) {
        (Some(a), Some(b)) => (0..CHUNK).fold(false, |differs, x| differs | (a[x] != b[x])),
        _ => true,
    });
    unequal.flat_map(|(k, (a, b))| (0..a.len()).filter(|&x| a[x] != b[x]).map(move |x| k * CHUNK + x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_where_values_change_and_at_the_end_of_the_row() {
        for length in 1..3 * CHUNK {
            let mut row = vec![7u32; length];
            assert_eq!(run_end(&row, length / 3), length);
            row.extend([8; CHUNK]);
            assert_eq!(run_end(&row, length / 3), length);
        }
    }

    #[test]
    fn every_change_lies_in_a_range() {
        let row = vec![1u8; 50];
        for place in 0..row.len() {
            let mut other = row.clone();
            other[place] = 2;
            let within = |ranges: Vec<Range<usize>>| ranges.iter().any(|range| range.contains(&place));
            assert!(within(changing(&row, &other).collect()));
            assert!(differing(&row, &other).eq([place]));
            assert!(within(changing(&other, &other).collect()));
        }
        assert!(changing(&row, &row).eq(std::iter::once(48..50)));
    }
}
