//! Rows and columns of pixels that lie on a paint, as straight lines along the pixels do.
use crate::patch::is_alike;
use crate::pixels::Channels;
use crate::segment::Labels;
use crate::view::{View, is_paint};

/// One or two rows or columns beside each other.
#[derive(Clone, Copy)]
pub(crate) struct Band<'a, 'v> {
    pub view: &'a View<'v>,
    pub rows: usize,
    /// From a pixel to the next along it, and to that in the next row.
    pub along: usize,
    pub across: usize,
}

impl<'a, 'v> Band<'a, 'v> {
    /// The pixel of each row at a place in the first.
    pub fn rows_at(self, i: usize) -> impl Iterator<Item = usize> {
        (0..self.rows).map(move |row| i + row * self.across)
    }

    /// From the first row to the last.
    pub fn thickness(&self) -> usize {
        (self.rows - 1) * self.across
    }

    pub fn colors(&self, i: usize) -> [[u8; 4]; 2] {
        [i, i + self.thickness()].map(|i| self.view.pixels.data[i])
    }

    /// Whether a place lies on a paint of the color of another.
    pub fn is_on(&self, i: usize, ground: u32) -> bool {
        let color = |paint: u32| self.view.colors[paint as usize];
        self.ground(i).is_some_and(|paint| is_alike(color(paint), color(ground)))
    }

    /// The paint on both sides of a place, where the pixels of the rows are of none.
    #[inline(never)]
    pub fn ground(&self, i: usize) -> Option<u32> {
        let (outer, other) = (i.checked_sub(self.across)?, i + self.thickness() + self.across);
        let View { labels: Labels { ids, .. }, colors, .. } = self.view;
        let [paint, opposite] = [*ids.get(outer)?, *ids.get(other)?];
        let is_ground = is_paint(paint)
            && is_paint(opposite)
            && is_alike(colors[paint as usize], colors[opposite as usize])
            && self.is_beside(outer, other)
            && !self.rows_at(i).any(|at| is_paint(ids[at]));
        is_ground.then_some(paint)
    }

    /// Whether pixels across columns lie in one row.
    fn is_beside(&self, outer: usize, other: usize) -> bool {
        let width = self.view.pixels.width;
        self.across == width || outer / width == other / width
    }

    pub fn after(&self, i: usize) -> Option<usize> {
        let width = self.view.pixels.width;
        let next = i + self.along;
        let is_there = next + self.thickness() < self.view.pixels.data.len();
        (is_there && (self.along == width || !next.is_multiple_of(width))).then_some(next)
    }

    pub fn before(&self, i: usize) -> Option<usize> {
        let starts = self.along == 1 && i.is_multiple_of(self.view.pixels.width);
        i.checked_sub(self.along).filter(|_| !starts)
    }

    /// What begins with a pixel of the first row.
    #[inline(never)]
    pub fn straight(self, first: usize) -> Option<Straight<'a, 'v>> {
        let ground = self.ground(first)?;
        let colors = self.colors(first);
        let is_part = |i: usize| self.colors(i) == colors && self.is_on(i, ground);
        if self.before(first).is_some_and(is_part) {
            return None;
        }
        let mut last = first;
        while let Some(next) = self.after(last).filter(|&next| is_part(next)) {
            last = next;
        }
        Some(Straight { band: self, first, last, ground })
    }

    /// Whether nothing tells at first sight that what begins there is shorter.
    pub fn may_be_long(self, first: usize, least_px: usize) -> bool {
        let data = &self.view.pixels.data;
        let color = data[first];
        [1, least_px - 1].iter().all(|&steps| data.get(first + steps * self.along) == Some(&color))
    }
}

/// Pixels of the same color, or the same two, on the same ground.
#[derive(Clone, Copy)]
pub(crate) struct Straight<'a, 'v> {
    pub band: Band<'a, 'v>,
    /// In the first row.
    pub first: usize,
    pub last: usize,
    pub ground: u32,
}

impl Straight<'_, '_> {
    pub fn length(&self) -> usize {
        (self.last - self.first) / self.band.along + 1
    }

    pub fn ground_color(&self) -> Channels {
        self.band.view.colors[self.ground as usize]
    }
}
