//! Finds what an outline covers of each pixel, row by row.

use std::ops::Range;

use super::cells::{Cell, append_cells};
use super::outline::Outline;

/// Covered by less than this, a pixel is bare; by more than one less this, it is fully covered.
///
/// Unit: coverage (0–1). Source: a quarter of half a level of the 255 of a channel.
pub(crate) const NEGLIGIBLE: f32 = 0.0005;

/// Pixels of a row that an outline covers alike.
pub(crate) struct Covered {
    pub pixels: Range<u32>,
    /// The area that it encloses in each, counted as often as it runs around it: negative if it runs the other way.
    pub area: f32,
    /// The cells of the pixel, if edges pass it.
    pub cells: Range<u32>,
}

/// Buffers for [`Sweep::run`], and what it found.
#[derive(Default)]
pub(crate) struct Sweep {
    /// In the order of the pixels.
    pub cells: Vec<Cell>,
    /// In the order of the pixels. Bare pixels between edges are left out.
    pub covered: Vec<Covered>,
    unsorted: Vec<Cell>,
    places: Vec<u32>,
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
        self.unsorted.resize(self.cells.len(), Cell::default());
        scatter(&self.cells, &mut self.unsorted, &mut self.places, |cell| cell.column);
        scatter(&self.unsorted, &mut self.cells, &mut self.places, |cell| cell.row);
        self.cover(width);
    }

    fn cover(&mut self, width: u32) {
        let Sweep { cells, covered, .. } = self;
        covered.clear();
        // The sum of the edges on the left, the first pixel on their right that is not visited yet, and the end of its row.
        let (mut sum, mut next, mut row_end) = (0f32, 0, 0);
        let cover_span = |pixels: Range<u32>, sum: f32, covered: &mut Vec<Covered>| {
            if sum.abs() >= NEGLIGIBLE && !pixels.is_empty() {
                covered.push(Covered { pixels, area: sum, cells: 0..0 });
            }
        };
        let mut first = 0;
        while let Some(&Cell { column, row, .. }) = cells.get(first) {
            let pixel = row * width + column;
            if pixel >= row_end {
                cover_span(next..row_end, sum, covered);
                next = row * width;
                (row_end, sum) = (next + width, 0.0);
            }
            cover_span(next..pixel, sum, covered);
            let (mut end, mut area) = (first, sum);
            while let Some(cell) = cells.get(end).filter(|cell| cell.column == column && cell.row == row) {
                area += cell.area;
                sum += cell.rise;
                end += 1;
            }
            covered.push(Covered { pixels: pixel..pixel + 1, area, cells: first as u32..end as u32 });
            (next, first) = (pixel + 1, end);
        }
        cover_span(next..row_end, sum, covered);
    }
}

/// Copies the cells in the order of a number of theirs. Cells of equal numbers keep their order.
fn scatter(from: &[Cell], to: &mut [Cell], places: &mut Vec<u32>, number: fn(&Cell) -> u32) {
    let (least, most) = from.iter().map(number).fold((u32::MAX, 0), |(a, b), k| (a.min(k), b.max(k)));
    places.clear();
    places.resize((most.saturating_sub(least) + 2) as usize, 0);
    for cell in from {
        places[(number(cell) - least) as usize + 1] += 1;
    }
    for k in 1..places.len() {
        places[k] += places[k - 1];
    }
    for cell in from {
        let place = &mut places[(number(cell) - least) as usize];
        to[*place as usize] = *cell;
        *place += 1;
    }
}
