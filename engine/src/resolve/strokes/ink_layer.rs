//! One layer of inks: how much they cover of each pixel, and the finer coverage solved from that.

use std::ops::Range;

use crate::api::{ProgressMeter, Stopped};
use crate::coverage::{Contour, Field, take_lines};
use crate::raster::{neighborhood, within_reach};

/// Inks of several strokes. Those that touch have the same color, because a layer yields one outline for all of them; only on the last of
/// three layers, which takes what no other has room for, they may differ.
pub(crate) struct InkLayer {
    /// How much of each pixel the inks cover, 0 to 255.
    pub coverage: Vec<u8>,
    /// For each pixel, the number of its ink, from 1; 0 where there is none.
    pub ink_at: Vec<u32>,
    /// The pixels with an ink.
    inked_pixels: Vec<u32>,
}

/// An ink layer whose coverage is known at four points per pixel, finely enough to follow its outlines.
pub(crate) struct SolvedInkLayer {
    pub field: Field,
    /// The thin lines that were taken out of the field.
    pub lines: Vec<Contour>,
    /// As in an [`InkLayer`].
    pub ink_at: Vec<u32>,
}

/// The work of looking at a pixel and those around it, in the units of [`ProgressMeter`].
pub(crate) const INK_LAYER_PIXEL_UNITS: usize = 4;

impl InkLayer {
    pub fn new(pixels: usize) -> Self {
        InkLayer { coverage: vec![0; pixels], ink_at: vec![0; pixels], inked_pixels: Vec::new() }
    }

    /// Covers a pixel with an ink.
    pub fn cover(&mut self, pixel: u32, ink: u32, coverage: u8) {
        self.coverage[pixel as usize] = coverage;
        self.ink_at[pixel as usize] = ink;
        self.inked_pixels.push(pixel);
    }

    /// Solves the coverage of the pixels with an ink and of those beside them, except for pixels that are covered all around.
    pub fn solved(
        self,
        size: (usize, usize),
        meter: &mut ProgressMeter<'_>,
    ) -> Result<SolvedInkLayer, Stopped> {
        meter.advance(INK_LAYER_PIXEL_UNITS * self.inked_pixels.len())?;
        let is_full = |i: u32| self.coverage[i as usize] == u8::MAX;
        let is_row_full = |mut row: Range<u32>| row.all(is_full);
        let mut near = within_reach(&self.inked_pixels, size, 1);
        meter.advance(INK_LAYER_PIXEL_UNITS * near.len())?;
        near.retain(|&i| !(is_full(i) && neighborhood(i, size, 1).all(is_row_full)));
        near.shrink_to_fit();
        let mut field = Field::solved(self.coverage, size.0, near, meter)?;
        meter.advance(INK_LAYER_PIXEL_UNITS * field.near.len())?;
        let lines = take_lines(&mut field);
        Ok(SolvedInkLayer { field, lines, ink_at: self.ink_at })
    }
}

impl SolvedInkLayer {
    /// Removes an ink from a pixel.
    pub fn erase(&mut self, pixel: usize, ink: u32) {
        if self.ink_at[pixel] == ink {
            self.ink_at[pixel] = 0;
            self.field.erase(pixel);
        }
    }
}
