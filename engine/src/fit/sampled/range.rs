//! Runs of samples, and indices past the end of a ring.

/// An unbroken run of samples, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SampleRange {
    pub first: usize,
    pub last: usize,
}

impl SampleRange {
    pub fn new(first: usize, last: usize) -> Self {
        SampleRange { first, last }
    }

    pub fn count(self) -> usize {
        self.last + 1 - self.first
    }
}

/// The index of an element of a ring of `count`, for a number that runs past the end by less than one lap.
///
/// It compares: a remainder takes ten times as long.
pub(crate) fn wrapped(number: usize, count: usize) -> usize {
    if number < count { number } else { number - count }
}
