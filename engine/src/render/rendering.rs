//! The colors of a painted canvas.

use std::ops::Range;

use super::canvas::{Canvas, FRAGMENT, Fragment, Piece};
use super::outline::Outline;
use crate::color::{Channels, minus, plus, times};

/// A drawing as pixels, and how they depend on its points.
pub(crate) struct Rendering {
    /// For each pixel, the path that covers it fully, or [`FRAGMENT`] and its number among `pixels`.
    plane: Vec<u32>,
    colors: Vec<Channels>,
    /// The pixels that edges pass.
    pub pixels: Vec<DrawnPixel>,
    /// What can be seen of the paths in these, pixel by pixel.
    pub fragments: Vec<VisibleFragment>,
    pub pieces: Vec<Piece>,
    pub outline: Outline,
}

/// A pixel that edges pass.
pub(crate) struct DrawnPixel {
    pub pixel: u32,
    pub color: Channels,
    /// Its fragments.
    pub fragments: Range<u32>,
}

/// What can be seen of a path in a pixel.
pub(crate) struct VisibleFragment {
    /// The color that the pixel gains if the area within the outline grows by all of the pixel.
    pub gain: Channels,
    /// The pieces of edges in it.
    pub pieces: Range<u32>,
}

impl Rendering {
    /// Composites the fragments of a canvas.
    pub fn new(canvas: Canvas) -> Self {
        let Canvas { mut plane, colors, mut fragments, pieces, outline, .. } = canvas;
        let first_piece = pieces.len() as u32;
        let end = Fragment { pixel: 0, path: 0, below: 0, coverage: 0.0, sign: 0.0, first_piece };
        fragments.push(end);
        let mut pixels = Vec::new();
        let mut visible: Vec<VisibleFragment> = Vec::with_capacity(fragments.len());
        let mut chain: Vec<u32> = Vec::new();
        for (top, pair) in (0..).zip(fragments.windows(2)) {
            let pixel = pair[0].pixel;
            let mut entry = FRAGMENT | top;
            if plane[pixel as usize] != entry {
                continue;
            }
            plane[pixel as usize] = FRAGMENT | pixels.len() as u32;
            chain.clear();
            while entry & FRAGMENT != 0 {
                chain.push(entry ^ FRAGMENT);
                entry = fragments[(entry ^ FRAGMENT) as usize].below;
            }
            let first = visible.len();
            let mut color = colors[entry as usize];
            for &number in chain.iter().rev() {
                let fragment = &fragments[number as usize];
                let paint = colors[fragment.path as usize];
                let gain = minus(paint, times(paint[3] / 255.0, color));
                color = plus(color, fragment.coverage, gain);
                let pieces = fragment.first_piece..fragments[number as usize + 1].first_piece;
                visible.push(VisibleFragment { gain, pieces });
            }
            let mut shows = 1.0;
            for (&number, seen) in chain.iter().zip(visible[first..].iter_mut().rev()) {
                let fragment = &fragments[number as usize];
                seen.gain = times(shows * fragment.sign, seen.gain);
                shows *= 1.0 - fragment.coverage * colors[fragment.path as usize][3] / 255.0;
            }
            pixels.push(DrawnPixel { pixel, color, fragments: first as u32..visible.len() as u32 });
        }
        Rendering { plane, colors, pixels, fragments: visible, pieces, outline }
    }

    /// The color of a pixel.
    pub fn color(&self, pixel: usize) -> Channels {
        self.flat_color(pixel).unwrap_or_else(|| self.pixels[(self.plane[pixel] ^ FRAGMENT) as usize].color)
    }

    /// The color of a pixel that no edge passes.
    pub fn flat_color(&self, pixel: usize) -> Option<Channels> {
        self.colors.get(self.plane[pixel] as usize).copied()
    }
}
