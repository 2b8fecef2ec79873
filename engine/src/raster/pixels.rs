//! The pixel plane that the stages work on, and its conversion from the RGBA of the caller.

use std::ops::Range;

use crate::algorithms::{CHUNK, are_opaque_or_transparent};
use crate::color::{Channels, PremultipliedColor, StraightColor};

/// The image in the colors that the pipeline compares: premultiplied.
///
/// # Guarantees
/// `data` has `width × height` entries, each the bytes of a [`PremultipliedColor`]. After [`Pixels::new`], R, G and B are not above alpha,
/// and all fully transparent pixels are equal.
pub(crate) struct Pixels<'a> {
    pub width: usize,
    pub height: usize,
    /// Row by row. Plain bytes, not [`PremultipliedColor`], for vector instructions; in the memory of the caller if it was given.
    pub data: &'a mut [[u8; 4]],
}

/// The RGBA bytes of an image.
pub(crate) enum Rgba<'a> {
    /// To be read only.
    Borrowed(&'a [u8]),
    /// To be worked in: their content is lost.
    InPlace(&'a mut [u8]),
}

impl Rgba<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Rgba::Borrowed(bytes) => bytes,
            Rgba::InPlace(bytes) => bytes,
        }
    }
}

impl<'a> Pixels<'a> {
    /// Converts to premultiplied colors: in place, or in `copy` if the bytes are borrowed.
    pub fn new(rgba: Rgba<'a>, copy: &'a mut Vec<[u8; 4]>, width: usize) -> Self {
        let data = match rgba {
            Rgba::Borrowed(bytes) => {
                *copy = bytes.as_chunks().0.to_vec();
                copy
            }
            Rgba::InPlace(bytes) => bytes.as_chunks_mut().0,
        };
        premultiply(data);
        Pixels { width, height: data.len() / width, data }
    }

    /// The rows in bands of about 262,144 pixels, between which the progress meter is called.
    pub fn bands(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        /// Pixels of a band.
        ///
        /// Unit: pixels. Source: few enough for a report in time, many enough that a helper thread pays.
        const BAND_PX: usize = 1 << 18;
        let (height, rows) = (self.height, (BAND_PX / self.width).max(1));
        (0..height).step_by(rows).map(move |first| first..(first + rows).min(height))
    }

    /// From a row to the next of those that tell what kind of image it is.
    pub fn deciding_rows_step(&self) -> usize {
        /// About how many rows are read.
        ///
        /// Unit: count. Source: tuned; no derivation is known.
        const DECIDING_ROWS: usize = 64;
        // An odd number: enlarged pixels mostly have even sides.
        self.height.div_ceil(DECIDING_ROWS) | 1
    }

    pub fn color(&self, index: usize) -> PremultipliedColor {
        PremultipliedColor(self.data[index])
    }

    #[inline]
    pub fn channels(&self, index: usize) -> Channels {
        self.color(index).channels()
    }

    /// Sets the color of a pixel and returns the color it had.
    pub fn replace(&mut self, index: usize, color: PremultipliedColor) -> PremultipliedColor {
        PremultipliedColor(std::mem::replace(&mut self.data[index], color.0))
    }
}

/// Premultiplies in chunks: in drawn art nearly all pixels are opaque or fully transparent, and hardly any must be written.
fn premultiply(quads: &mut [[u8; 4]]) {
    let (chunks, rest) = quads.as_chunks_mut::<CHUNK>();
    for chunk in chunks {
        match are_opaque_or_transparent(chunk) {
            [true, _] => {}
            [_, true] => *chunk = [[0; 4]; CHUNK],
            _ => premultiply_each(chunk),
        }
    }
    premultiply_each(rest);
}

// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
fn premultiply_each(quads: &mut [[u8; 4]]) {
    quads.iter_mut().for_each(|quad| *quad = StraightColor(*quad).premultiplied().0);
}
