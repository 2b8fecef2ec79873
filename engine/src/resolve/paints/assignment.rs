//! Says which region each pixel belongs to while paints, lines and strokes are found.

use crate::raster::Labels;

/// The region that each pixel belongs to: at first its own, later the paint it is given to.
///
/// A pixel is *open* as long as it belongs to its own region, the one that its label names, whether that is a paint or not. It is *given* to a paint when something
/// explains it: it is a mixture that this paint covers most of, or a line or an ink lies over this paint there. An explanation that turns
/// out to be wrong is undone by *giving back* the pixel to its own region.
///
/// # Guarantees
/// There is one entry for each pixel, a label of the [`PaintMap`](super::PaintMap).
pub(crate) struct Assignment {
    /// One entry for each pixel.
    owners: Vec<u32>,
}

impl Assignment {
    /// Every pixel is open. `labels`: a copy of all labels.
    pub fn new(labels: Vec<u32>) -> Self {
        Assignment { owners: labels }
    }

    pub fn pixel_count(&self) -> usize {
        self.owners.len()
    }

    /// The region that pixel `i` belongs to.
    pub fn of(&self, i: usize) -> u32 {
        self.owners[i]
    }

    /// Whether pixel `i` belongs to its own region. Indices after the last pixel count as open.
    pub fn is_open(&self, labels: &Labels, i: usize) -> bool {
        self.owners.get(i) == labels.ids.get(i)
    }

    /// Gives pixel `i` to a paint.
    pub fn give(&mut self, i: usize, paint: u32) {
        self.owners[i] = paint;
    }

    /// Makes pixel `i` belong to its own region again.
    pub fn give_back(&mut self, labels: &Labels, i: usize) {
        self.owners[i] = labels.ids[i];
    }

    /// Blocks of `length` pixels, in order, on which threads can work side by side.
    pub fn blocks_mut(&mut self, length: usize) -> impl Iterator<Item = AssignmentBlock<'_>> {
        let block = move |(k, owners)| AssignmentBlock { start: k * length, owners };
        self.owners.chunks_mut(length).enumerate().map(block)
    }

    /// The region of each pixel.
    pub fn regions(&self) -> &[u32] {
        &self.owners
    }

    pub fn into_regions(self) -> Vec<u32> {
        self.owners
    }
}

/// A block of consecutive pixels of an [`Assignment`].
pub(crate) struct AssignmentBlock<'a> {
    /// Its first pixel.
    pub start: usize,
    owners: &'a mut [u32],
}

impl AssignmentBlock<'_> {
    /// The pixels of the block.
    pub fn pixels(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.owners.len()
    }

    pub fn of(&self, i: usize) -> u32 {
        self.owners[i - self.start]
    }

    pub fn give(&mut self, i: usize, paint: u32) {
        self.owners[i - self.start] = paint;
    }
}
