//! Rows and columns of pixels that lie on a paint or between two, as straight lines along the pixels do.

use crate::color::{Channels, is_alike};
use crate::raster::Labels;
use crate::resolve::paints::{PaintMap, is_paint};

/// At the beginning of a line at most so many pixels may be explained, as what lies beside print is.
const MOST_CLOSED: usize = 8;

/// As many rows or columns have lines of their own beside each other, or one line across them.
pub(crate) const MOST_ROWS: usize = 3;

/// One to three rows or columns beside each other.
#[derive(Clone, Copy)]
pub(crate) struct RowBand<'a, 'v> {
    pub paint_map: &'a PaintMap<'v>,
    pub rows: usize,
    /// From a pixel to the next along it, and to that in the next row.
    pub along: usize,
    pub across: usize,
}

impl<'a, 'v> RowBand<'a, 'v> {
    /// The pixel of each row at a place in the first.
    pub fn rows_at(self, i: usize) -> impl Iterator<Item = usize> {
        (0..self.rows).map(move |row| i + row * self.across)
    }

    /// From the first row to the last.
    pub fn thickness(&self) -> usize {
        (self.rows - 1) * self.across
    }

    /// Of the first row, the one in the middle, and the last; of two, the last is in the middle.
    pub fn colors(&self, i: usize) -> [[u8; 4]; 3] {
        [i, i + self.rows / 2 * self.across, i + self.thickness()].map(|i| self.paint_map.pixels.data[i])
    }

    /// Whether a place lies between paints of the colors of two others.
    pub fn is_between(&self, i: usize, grounds: [u32; 2]) -> bool {
        self.grounds(i).is_some_and(|own| (0..2).all(|side| self.are_alike(own[side], grounds[side])))
    }

    pub fn are_alike(&self, a: u32, b: u32) -> bool {
        let colors = &self.paint_map.colors;
        a == b || is_alike(colors[a as usize], colors[b as usize])
    }

    /// The paints before the first row and after the last at a place, where the pixels of the rows are of none.
    #[inline(never)]
    pub fn grounds(&self, i: usize) -> Option<[u32; 2]> {
        let (outer, other) = (i.checked_sub(self.across)?, i + self.thickness() + self.across);
        let Labels { ids, .. } = &self.paint_map.labels;
        let grounds = [*ids.get(outer)?, *ids.get(other)?];
        let are_grounds = grounds.into_iter().all(is_paint)
            && self.is_beside(outer, other)
            && !self.rows_at(i).any(|at| is_paint(ids[at]));
        are_grounds.then_some(grounds)
    }

    /// Whether pixels across columns lie in one row.
    fn is_beside(&self, outer: usize, other: usize) -> bool {
        let width = self.paint_map.pixels.width;
        self.across == width || outer / width == other / width
    }

    pub fn after(&self, i: usize) -> Option<usize> {
        let width = self.paint_map.pixels.width;
        let next = i + self.along;
        let is_there = next + self.thickness() < self.paint_map.pixels.data.len();
        (is_there && (self.along == width || !next.is_multiple_of(width))).then_some(next)
    }

    pub fn before(&self, i: usize) -> Option<usize> {
        let starts = self.along == 1 && i.is_multiple_of(self.paint_map.pixels.width);
        i.checked_sub(self.along).filter(|_| !starts)
    }

    /// What begins with a pixel of the first row, or with one shortly before where those between are not `open`; each is found once, and
    /// not where all of its rows there are closed.
    #[inline(never)]
    pub fn run(self, from: usize, is_open: impl Fn(usize) -> bool) -> Option<UniformRun<'a, 'v>> {
        if !self.rows_at(from).any(&is_open) {
            return None;
        }
        let grounds = self.grounds(from)?;
        let colors = self.colors(from);
        let is_part = |i: usize| self.colors(i) == colors && self.is_between(i, grounds);
        let mut first = from;
        while let Some(before) = self.before(first).filter(|&i| is_part(i)) {
            first = before;
            if self.rows_at(first).any(&is_open) || from - first > MOST_CLOSED * self.along {
                return None;
            }
        }
        let mut last = from;
        while let Some(next) = self.after(last).filter(|&next| is_part(next)) {
            last = next;
        }
        Some(UniformRun { band: self, first, last, grounds })
    }

    /// Whether nothing tells at first sight that what begins there is shorter.
    pub fn may_be_long(self, first: usize, least_px: usize) -> bool {
        let data = &self.paint_map.pixels.data;
        let color = data[first];
        [1, least_px - 1].iter().all(|&steps| data.get(first + steps * self.along) == Some(&color))
    }
}

/// Pixels of the same color in each row, between the same paints.
#[derive(Clone, Copy)]
pub(crate) struct UniformRun<'a, 'v> {
    pub band: RowBand<'a, 'v>,
    /// In the first row.
    pub first: usize,
    pub last: usize,
    /// Before the first row and after the last.
    pub grounds: [u32; 2],
}

impl UniformRun<'_, '_> {
    pub fn length(&self) -> usize {
        (self.last - self.first) / self.band.along + 1
    }

    pub fn ground_color(&self) -> Channels {
        self.band.paint_map.colors[self.grounds[0] as usize]
    }

    /// Whether it parts paints of different colors.
    pub fn parts_paints(&self) -> bool {
        !self.band.are_alike(self.grounds[0], self.grounds[1])
    }
}
