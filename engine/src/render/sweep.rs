//! Finds what an outline covers of each pixel, row by row.

use std::ops::Range;

use super::cells::{Cell, append_cells};
use super::outline::Outline;
use crate::algorithms::sort;

/// Covered by less than this, a pixel is bare; by more than one less this, it is fully covered. What shows less than this through the paths
/// above it is not seen.
///
/// Unit: coverage (0–1). Source: a quarter of half a level of the 255 of a channel.
pub(crate) const NEGLIGIBLE: f32 = 0.0005;

/// Pixels of a row that an outline covers alike.
pub(crate) struct Covered {
    pub pixels: Range<u32>,
    /// The area that it encloses in each, counted as often as it runs around it: negative if it runs the other way.
    pub area: f32,
    /// The cells of the pixel, if edges pass it, as places in their order.
    pub cells: Range<u32>,
}

/// Buffers for [`Sweep::run`], and what it found.
#[derive(Default)]
pub(crate) struct Sweep {
    cells: Vec<Cell>,
    /// The columns and numbers of the cells, in the order of the pixels.
    order: Vec<u64>,
    /// In the order of the pixels. Bare pixels between edges are left out.
    pub covered: Vec<Covered>,
    /// Where the cells of each row end in their order.
    ends: Vec<u32>,
}

impl Sweep {
    /// Finds what the stretches of an outline from number `first` on cover.
    pub fn run(&mut self, outline: &Outline, first: usize, (width, height): (usize, usize)) {
        let (width, height) = (width as u32, height as u32);
        self.cells.clear();
        for stretch in outline.stretches[first..].iter().filter(|stretch| !stretch.is_start()) {
            for edge in stretch.vertices.clone() {
                let to = edge as usize;
                let ends = [outline.vertices[to - 1], outline.vertices[to]];
                append_cells(edge, ends, (width, height), &mut self.cells);
            }
        }
        self.sort();
        self.cover(width);
    }

    /// The cells in the order of the pixels.
    pub fn in_order(&self) -> impl Iterator<Item = &Cell> {
        self.order.iter().map(|&entry| &self.cells[entry as u32 as usize])
    }

    /// Orders the cells by rows, and those of each row by columns. Cells of one pixel keep their order.
    fn sort(&mut self) {
        let Sweep { cells, order, ends, .. } = self;
        let rows = cells.iter().map(|cell| cell.row);
        let (first, last) = rows.fold((u32::MAX, 0), |(first, last), row| (first.min(row), last.max(row)));
        // Where the cells of each row begin, one place further on.
        ends.clear();
        ends.resize((last.saturating_sub(first) + 2) as usize, 0);
        for cell in &*cells {
            ends[(cell.row - first) as usize + 1] += 1;
        }
        for k in 1..ends.len() {
            ends[k] += ends[k - 1];
        }
        order.resize(cells.len(), 0);
        for (cell, number) in cells.iter().zip(0..) {
            let end = &mut ends[(cell.row - first) as usize];
            order[*end as usize] = u64::from(cell.column) << u32::BITS | number;
            *end += 1;
        }
        let mut start = 0;
        for &end in &*ends {
            if end as usize > start + 1 {
                sort(&mut order[start..end as usize], u32::BITS);
            }
            start = end as usize;
        }
    }

    fn cover(&mut self, width: u32) {
        let Sweep { cells, order, covered, .. } = self;
        covered.clear();
        covered.reserve(order.len());
        // The sum of the edges on the left, the first pixel on their right that is not visited yet, and the end of its row.
        let (mut sum, mut next, mut row_end) = (0f32, 0, 0);
        let cover_span = |pixels: Range<u32>, sum: f32, covered: &mut Vec<Covered>| {
            if sum.abs() >= NEGLIGIBLE && !pixels.is_empty() {
                covered.push(Covered { pixels, area: sum, cells: 0..0 });
            }
        };
        let mut at = u32::MAX;
        for (&entry, place) in order.iter().zip(0..) {
            let Cell { column, row, area, rise, .. } = cells[entry as u32 as usize];
            let pixel = row * width + column;
            if pixel != at {
                if pixel >= row_end {
                    cover_span(next..row_end, sum, covered);
                    next = row * width;
                    (row_end, sum) = (next + width, 0.0);
                }
                cover_span(next..pixel, sum, covered);
                (at, next) = (pixel, pixel + 1);
                covered.push(Covered { pixels: pixel..next, area: sum, cells: place..place });
            }
            if let Some(covered) = covered.last_mut() {
                covered.area += area;
                covered.cells.end += 1;
            }
            sum += rise;
        }
        cover_span(next..row_end, sum, covered);
    }
}
