use std::ops::Range;

use crate::algorithms::{CHUNK, are_opaque_or_transparent};
use crate::color::{Channels, PremultipliedColor, StraightColor};

/// The picture as the pipeline compares it.
///
/// # Guarantees
/// `width × height` pixels, each `[r, g, b, a]` with r, g, b premultiplied (never above a); all fully transparent pixels
/// are equal.
pub(crate) struct Pixels<'a> {
    pub width: usize,
    pub height: usize,
    /// In the caller's memory, where that was given.
    pub data: &'a mut [[u8; 4]],
}

/// The bytes of a picture.
pub(crate) enum Rgba<'a> {
    /// To be read.
    Borrowed(&'a [u8]),
    /// To be worked in.
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
    /// Converts once, at the door; into `copy` what is only lent.
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

    /// The same pixels, for a while.
    pub fn reborrow(&mut self) -> Pixels<'_> {
        Pixels { width: self.width, height: self.height, data: self.data }
    }

    /// The rows, some at a time: so much of them is looked at before the progress meter is asked.
    pub fn bands(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        const BAND_PX: usize = 1 << 18;
        let (height, rows) = (self.height, (BAND_PX / self.width).max(1));
        (0..height).step_by(rows).map(move |first| first..(first + rows).min(height))
    }

    pub fn color(&self, index: usize) -> PremultipliedColor {
        PremultipliedColor(self.data[index])
    }

    pub fn channels(&self, index: usize) -> Channels {
        self.color(index).channels()
    }

    /// Gives a pixel another color and returns the one that it had.
    pub fn replace(&mut self, index: usize, color: PremultipliedColor) -> PremultipliedColor {
        PremultipliedColor(std::mem::replace(&mut self.data[index], color.0))
    }
}

/// Of drawn art nearly all is opaque or fully transparent, and passed over many at a time; hardly any is written.
fn premultiply(quads: &mut [[u8; 4]]) {
    let (chunks, rest) = quads.as_chunks_mut::<CHUNK>();
    for chunk in chunks {
        match are_opaque_or_transparent(chunk) {
            [true, _] => {}
            [_, true] => *chunk = [[0; 4]; CHUNK],
            _ => *chunk = chunk.map(premultiplied),
        }
    }
    rest.iter_mut().for_each(|quad| *quad = premultiplied(*quad));
}

fn premultiplied(straight: [u8; 4]) -> [u8; 4] {
    StraightColor(straight).premultiplied().0
}
