//! The only sort of the engine: a radix sort of 64-bit entries by bytes, lowest first. It is linear and stable.
//!
//! The standard library's sort is compiled anew for each type and order: ten of them were a fifth of the WebAssembly module.

/// Up to this many entries are sorted by insertion.
///
/// Unit: count. Source: tuned; no derivation is known.
const MOST_INSERTED: usize = 32;

/// The values of a byte.
const BYTE_VALUES: usize = 256;

/// Sorts by the bits from `lowest` up. Entries that are equal in these bits keep their order.
pub(crate) fn sort(entries: &mut [u64], lowest: u32) {
    if entries.len() <= MOST_INSERTED {
        return insert_each(entries, lowest);
    }
    let differing = entries.windows(2).fold(0, |bits, pair| bits | (pair[0] ^ pair[1]));
    let mut other = entries.to_vec();
    let mut is_in_other = false;
    for shift in (lowest..u64::BITS).step_by(8).filter(|shift| (differing >> shift) & 0xFF != 0) {
        if is_in_other {
            scatter(&other, entries, shift);
        } else {
            scatter(entries, &mut other, shift);
        }
        is_in_other = !is_in_other;
    }
    if is_in_other {
        entries.copy_from_slice(&other);
    }
}

/// Copies the entries in the order of the byte at `shift`.
fn scatter(from: &[u64], to: &mut [u64], shift: u32) {
    let digit = |entry: u64| (entry >> shift) as usize % BYTE_VALUES;
    let mut places = [0; BYTE_VALUES];
    for &entry in from {
        places[digit(entry)] += 1;
    }
    let mut first = 0;
    for place in &mut places {
        (*place, first) = (first, first + *place);
    }
    for &entry in from {
        let place = &mut places[digit(entry)];
        to[*place] = entry;
        *place += 1;
    }
}

/// Insertion sort.
fn insert_each(entries: &mut [u64], lowest: u32) {
    for next in 1..entries.len() {
        let entry = entries[next];
        let mut place = next;
        while place > 0 && entries[place - 1] >> lowest > entry >> lowest {
            entries[place] = entries[place - 1];
            place -= 1;
        }
        entries[place] = entry;
    }
}

/// The numbers in the order of their keys. Numbers with equal keys keep their order.
pub(crate) fn sorted_by_key(numbers: impl Iterator<Item = u32>, key: impl Fn(u32) -> u32) -> Vec<u32> {
    // Not `collect`, which is a longer loop, compiled for each key.
    let mut keyed = KeyedNumbers(Vec::new());
    for number in numbers {
        keyed.add(key(number), number);
    }
    keyed.sorted()
}

/// Numbers below their keys. Its functions are not inlined, so that they are not compiled for each key.
struct KeyedNumbers(Vec<u64>);

impl KeyedNumbers {
    #[inline(never)]
    fn add(&mut self, key: u32, number: u32) {
        self.0.push(u64::from(key) << u32::BITS | u64::from(number));
    }

    #[inline(never)]
    fn sorted(mut self) -> Vec<u32> {
        sort(&mut self.0, u32::BITS);
        self.0.iter().map(|&entry| entry as u32).collect()
    }
}

/// The number at position `rank` of the sorted list; all numbers must be at least 0. Those that differ from it in the highest bit in which
/// any differ are left out, again and again: the representations of non-negative floats are in the order of the numbers.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(crate) fn kth_smallest(numbers: &[f32], mut rank: usize) -> f32 {
    let mut left: Vec<u32> = numbers.iter().map(|number| number.to_bits()).collect();
    loop {
        let Some(&first) = left.first() else { return 0.0 };
        let differing = left.iter().fold(0, |bits, number| bits | (number ^ first));
        if differing == 0 {
            return f32::from_bits(first);
        }
        let bit = differing.ilog2();
        let is_high = |number: u32| number >> bit & 1 == 1;
        let low = left.iter().filter(|number| !is_high(**number)).count();
        let is_found_high = rank >= low;
        if is_found_high {
            rank -= low;
        }
        left.retain(|number| is_high(*number) == is_found_high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(count: u64) -> Vec<u64> {
        (0..count).map(|i| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (i % 60)).collect()
    }

    #[test]
    fn entries_of_any_size_are_put_in_order() {
        for count in [0, 1, 2, 31, 32, 33, 1000] {
            let mut entries = scattered(count);
            let mut expected = entries.clone();
            expected.sort_unstable();
            sort(&mut entries, 0);
            assert_eq!(entries, expected);
        }
    }

    #[test]
    fn numbers_of_one_key_stay_in_their_order() {
        for count in [20, 200] {
            let numbers: Vec<u32> = scattered(count).iter().map(|&number| number as u32).collect();
            let mut expected = numbers.clone();
            expected.sort_by_key(|number| number % 7);
            assert_eq!(sorted_by_key(numbers.into_iter(), |number| number % 7), expected);
        }
    }

    #[test]
    fn the_ranked_number_is_that_of_the_sorted_list() {
        let numbers: Vec<f32> = scattered(99).iter().map(|&key| (key % 50) as f32 * 0.37).collect();
        let mut sorted = numbers.clone();
        sorted.sort_by(f32::total_cmp);
        for rank in [0, 1, 50, 98] {
            assert_eq!(kth_smallest(&numbers, rank), sorted[rank]);
        }
    }
}
