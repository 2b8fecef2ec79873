//! Finds what an outline covers of each pixel, row by row.

use std::ops::Range;

use super::cells::{Cell, for_each_cell};
use super::outline::Outline;
use crate::algorithms::sort;

/// Covered by less than this, a pixel is bare; by more than one less this, it is fully covered.
///
/// Unit: coverage (0–1). Source: a quarter of half a level of the 255 of a channel.
pub(crate) const NEGLIGIBLE: f32 = 0.0005;

/// What an outline covers, as the area that it encloses, counted as often as it runs around it: negative if it runs the other way.
pub(crate) enum Covered<'a> {
    /// Each of some pixels of a row between edges.
    Span(Range<usize>, f32),
    /// A pixel that edges pass: the area, and the parts of the edges in it with their numbers.
    Pixel(usize, f32, &'a [(Cell, u32)]),
}

/// Buffers for [`Sweep::run`].
#[derive(Default)]
pub(crate) struct Sweep {
    cells: Vec<(Cell, u32)>,
    /// The cells of one pixel.
    of_pixel: Vec<(Cell, u32)>,
    /// The pixel of each cell, and its number.
    order: Vec<u64>,
}

impl Sweep {
    /// Visits what the edges of an outline from number `first` on cover, in the order of the pixels. Bare spans are left out.
    pub fn run(
        &mut self,
        outline: &Outline,
        first: usize,
        (width, height): (usize, usize),
        mut visit: impl FnMut(Covered),
    ) {
        let Sweep { cells, of_pixel, order } = self;
        cells.clear();
        order.clear();
        for (number, edge) in outline.edges.iter().enumerate().skip(first) {
            let ends = edge.ends.map(|vertex| outline.vertices[vertex as usize].at);
            for_each_cell(ends, (width, height), |cell| {
                order.push(u64::from(cell.pixel) << u32::BITS | cells.len() as u64);
                cells.push((cell, number as u32));
            });
        }
        sort(order, u32::BITS);
        // The sum of the edges on the left, the first pixel on their right that is not visited yet, and the end of its row.
        let (mut sum, mut next, mut row_end) = (0.0, 0, 0);
        for same in order.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
            let pixel = (same[0] >> u32::BITS) as usize;
            if pixel >= row_end {
                visit_span(&mut visit, next..row_end, sum);
                next = pixel - pixel % width;
                (row_end, sum) = (next + width, 0.0);
            }
            visit_span(&mut visit, next..pixel, sum);
            of_pixel.clear();
            of_pixel.extend(same.iter().map(|&entry| cells[entry as u32 as usize]));
            let area = of_pixel.iter().fold(sum, |area, (cell, _)| area + cell.area);
            sum = of_pixel.iter().fold(sum, |sum, (cell, _)| sum + cell.rise);
            visit(Covered::Pixel(pixel, area, of_pixel));
            next = pixel + 1;
        }
        visit_span(&mut visit, next..row_end, sum);
    }
}

fn visit_span(visit: &mut impl FnMut(Covered), pixels: Range<usize>, sum: f32) {
    if sum.abs() >= NEGLIGIBLE && !pixels.is_empty() {
        visit(Covered::Span(pixels, sum));
    }
}
