//! Which region each pixel belongs to while paints, lines and strokes are found.

use crate::raster::Labels;

/// The region that each pixel belongs to: at first its own, later the paint it is given to.
///
/// A pixel is *open* as long as it belongs to its own region, the one its label names. *Giving* it to a paint says that an
/// explanation was found for it: it is a mixture with that paint, or an ink lies over that paint there. The steps that resolve an image
/// look at open pixels only, so the first explanation that holds is kept; a step that was wrong gives its pixels back.
///
/// # Guarantees
/// One entry a pixel, each a label of the map that it was made with.
pub(crate) struct Assignment {
    owners: Vec<u32>,
}

impl Assignment {
    /// Of each pixel to its own region, by a copy of the labels.
    pub fn new(owners: Vec<u32>) -> Self {
        Assignment { owners }
    }

    pub fn pixel_count(&self) -> usize {
        self.owners.len()
    }

    /// The region that pixel `i` belongs to.
    pub fn of(&self, i: usize) -> u32 {
        self.owners[i]
    }

    /// Whether pixel `i` lies in the image and belongs to `paint`.
    pub fn is_of(&self, i: usize, paint: u32) -> bool {
        self.owners.get(i) == Some(&paint)
    }

    /// Whether pixel `i` still belongs to its own region. Places after the last pixel count as open.
    pub fn is_open(&self, labels: &Labels, i: usize) -> bool {
        self.owners.get(i) == labels.ids.get(i)
    }

    pub fn give(&mut self, i: usize, paint: u32) {
        self.owners[i] = paint;
    }

    /// Makes pixel `i` belong to its own region again.
    pub fn give_back(&mut self, labels: &Labels, i: usize) {
        self.owners[i] = labels.ids[i];
    }

    /// Stretches of `length` pixels, in order, for threads to work on side by side.
    pub fn blocks_mut(&mut self, length: usize) -> impl Iterator<Item = AssignmentBlock<'_>> {
        let block = move |(k, owners)| AssignmentBlock { start: k * length, owners };
        self.owners.chunks_mut(length).enumerate().map(block)
    }

    /// The regions, one a pixel.
    pub fn regions(&self) -> &[u32] {
        &self.owners
    }

    pub fn into_regions(self) -> Vec<u32> {
        self.owners
    }
}

/// A stretch of an [`Assignment`].
pub(crate) struct AssignmentBlock<'a> {
    /// Its first pixel.
    pub start: usize,
    owners: &'a mut [u32],
}

impl AssignmentBlock<'_> {
    /// The pixels of the stretch.
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
