//! One to three rows or columns of pixels on a paint or between two, and stretches of these that are the same all along.

use crate::color::{Channels, is_alike};
use crate::raster::Labels;
use crate::resolve::paints::{PaintMap, is_paint};

/// How many rows or columns a band has, at most.
///
/// Unit: pixels. Source: a line a pixel wide reaches over two rows, one that is a little wider over three; a button's frame, shade and light are
/// three.
pub(crate) const MOST_ROWS: usize = 3;

/// One to three rows beside each other. What is said of rows holds for columns as well: `along` and `across` are the other way round.
#[derive(Clone, Copy)]
pub(crate) struct RowBand<'a, 'v> {
    pub paint_map: &'a PaintMap<'v>,
    pub rows: usize,
    /// The step from a pixel to the next one in its row.
    pub along: usize,
    /// The step from a pixel to the one in the next row.
    pub across: usize,
}

impl<'a, 'v> RowBand<'a, 'v> {
    /// The pixel of each row at a place in the first.
    pub fn rows_at(self, i: usize) -> impl Iterator<Item = usize> {
        (0..self.rows).map(move |row| i + row * self.across)
    }

    /// The step from the first row to the last.
    pub fn thickness(&self) -> usize {
        (self.rows - 1) * self.across
    }

    /// The colors of the first row, the middle one and the last at a place; of two rows, the last is the middle one.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn colors(&self, i: usize) -> [[u8; 4]; 3] {
        [i, i + self.rows / 2 * self.across, i + self.thickness()].map(|i| self.paint_map.pixels.data[i])
    }

    /// Whether a place lies between paints that are alike to `grounds`.
    pub fn is_between(&self, i: usize, grounds: [u32; 2]) -> bool {
        self.grounds(i).is_some_and(|own| (0..2).all(|side| self.are_alike(own[side], grounds[side])))
    }

    /// Whether two paints are of one color.
    pub fn are_alike(&self, a: u32, b: u32) -> bool {
        let colors = &self.paint_map.colors;
        a == b || is_alike(colors[a as usize], colors[b as usize])
    }

    /// The paints before the first row and after the last at a place; none if one of the two is no paint, or a pixel of the rows is one's.
    #[inline(never)]
    pub fn grounds(&self, i: usize) -> Option<[u32; 2]> {
        let (outer, other) = (i.checked_sub(self.across)?, i + self.thickness() + self.across);
        let Labels { ids, .. } = &self.paint_map.labels;
        let grounds = [*ids.get(outer)?, *ids.get(other)?];
        let are_grounds = grounds.into_iter().all(is_paint)
            && self.are_in_line(outer, other)
            && !self.rows_at(i).any(|at| is_paint(ids[at]));
        are_grounds.then_some(grounds)
    }

    /// Whether pixels before and after a band of columns lie in one row of the image.
    fn are_in_line(&self, outer: usize, other: usize) -> bool {
        let width = self.paint_map.pixels.width;
        self.across == width || outer / width == other / width
    }

    /// The next pixel of the first row.
    pub fn after(&self, i: usize) -> Option<usize> {
        let width = self.paint_map.pixels.width;
        let next = i + self.along;
        let is_there = next + self.thickness() < self.paint_map.pixels.data.len();
        (is_there && (self.along == width || !next.is_multiple_of(width))).then_some(next)
    }

    /// The pixel of the first row before one.
    pub fn before(&self, i: usize) -> Option<usize> {
        let starts = self.along == 1 && i.is_multiple_of(self.paint_map.pixels.width);
        i.checked_sub(self.along).filter(|_| !starts)
    }

    /// The run that begins at a pixel of the first row where at least one row is open, or shortly before it where all rows are closed, so
    /// that each run is found once.
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
            if self.rows_at(first).any(&is_open) {
                return None;
            }
        }
        let mut last = from;
        while let Some(next) = self.after(last).filter(|&next| is_part(next)) {
            last = next;
        }
        Some(UniformRun { band: self, first, last, grounds })
    }

    /// Whether two pixels have the color of the first one, so that a run of this length may begin there.
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
    /// Its first pixel, in the first row.
    pub first: usize,
    /// Its last pixel, in the first row.
    pub last: usize,
    /// The paints before the first row and after the last.
    pub grounds: [u32; 2],
}

impl UniformRun<'_, '_> {
    pub fn length(&self) -> usize {
        (self.last - self.first) / self.band.along + 1
    }

    pub fn ground_color(&self) -> Channels {
        self.band.paint_map.colors[self.grounds[0] as usize]
    }

    /// Whether it lies between paints of different colors.
    pub fn parts_paints(&self) -> bool {
        !self.band.are_alike(self.grounds[0], self.grounds[1])
    }
}
