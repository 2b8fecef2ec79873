//! The plane of the picture, on which shapes are painted.

use wide::f32x4;

use super::outline::Outline;
use super::sweep::{Covered, NEGLIGIBLE, Sweep};
use crate::color::Channels;

/// Set in an entry of the plane that is the number of a fragment; the others are numbers of paths.
const FRAGMENT: u32 = 1 << 31;

/// What a path covers of a pixel. What is below it is another fragment, or a path that covers the pixel fully.
pub(crate) struct Fragment {
    pub pixel: u32,
    pub path: u32,
    below: u32,
    pub coverage: f32,
    /// By how much the coverage grows with the area that the outline encloses: 1, or -1 if it runs the other way, or 0 where it covers
    /// twice.
    pub sign: f32,
    /// The color that the pixel gains if the path covers all of it: known after [`Canvas::composite`].
    pub gain: f32x4,
}

/// What of an edge lies in a pixel.
pub(crate) struct Piece {
    pub fragment: u32,
    pub edge: u32,
    /// How far the edge's two ends move it, as shares of the edge's length.
    pub pull: [f32; 2],
}

/// The paths of a picture in painting order, as pixels.
pub(crate) struct Canvas {
    pub width: usize,
    pub height: usize,
    /// What is uppermost in each pixel: a path that covers all of it, or a fragment.
    plane: Vec<u32>,
    /// Premultiplied colors by path. Path 0 is the empty picture.
    colors: Vec<Channels>,
    pub fragments: Vec<Fragment>,
    pub pieces: Vec<Piece>,
    pub outline: Outline,
    sweep: Sweep,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Self {
        Canvas {
            width,
            height,
            plane: vec![0; width * height],
            colors: vec![[0.0; 4]],
            fragments: Vec::new(),
            pieces: Vec::new(),
            outline: Outline::default(),
            sweep: Sweep::default(),
        }
    }

    /// Paints the edges of the outline from number `first` on as a path. Pixels in holes are those around which its curves run as often one way
    /// as the other.
    pub fn paint(&mut self, first: usize, color: Channels) {
        let path = self.colors.len() as u32;
        self.colors.push(color);
        let Canvas { plane, fragments, pieces, outline, sweep, .. } = self;
        let mut cover = |plane: &mut [u32], pixel: usize, area: f32| {
            let sign = if area.abs() > 1.0 + NEGLIGIBLE { 0.0 } else { 1f32.copysign(area) };
            let below = std::mem::replace(&mut plane[pixel], FRAGMENT | fragments.len() as u32);
            let (coverage, gain) = (area.abs().min(1.0), f32x4::ZERO);
            fragments.push(Fragment { pixel: pixel as u32, path, below, coverage, sign, gain });
            fragments.len() as u32 - 1
        };
        sweep.run(outline, first, (self.width, self.height), |covered| match covered {
            Covered::Span(pixels, sum) if color[3] == 255.0 && sum.abs() > 1.0 - NEGLIGIBLE => {
                plane[pixels].fill(path);
            }
            Covered::Span(pixels, sum) => pixels.for_each(|pixel| drop(cover(plane, pixel, sum))),
            Covered::Pixel(pixel, area, parts) => {
                let fragment = cover(plane, pixel, area);
                pieces.extend(parts.map(|(cell, edge)| Piece { fragment, edge, pull: cell.pull }));
            }
        });
    }

    /// Composites the fragments, and visits the pixels that have some: their number, and their color.
    pub fn composite(&mut self, mut visit: impl FnMut(u32, f32x4)) {
        let mut chain = Vec::new();
        for top in 0..self.fragments.len() as u32 {
            let pixel = self.fragments[top as usize].pixel;
            if self.plane[pixel as usize] != FRAGMENT | top {
                continue;
            }
            chain.clear();
            let mut entry = FRAGMENT | top;
            while entry & FRAGMENT != 0 {
                chain.push(entry ^ FRAGMENT);
                entry = self.fragments[(entry ^ FRAGMENT) as usize].below;
            }
            let mut color = f32x4::new(self.colors[entry as usize]);
            for &number in chain.iter().rev() {
                let fragment = &mut self.fragments[number as usize];
                let paint = self.colors[fragment.path as usize];
                fragment.gain = f32x4::new(paint) - color * f32x4::splat(paint[3] / 255.0);
                color += fragment.gain * f32x4::splat(fragment.coverage);
            }
            let mut shows = 1.0;
            for &number in &chain {
                let fragment = &mut self.fragments[number as usize];
                fragment.gain *= f32x4::splat(shows);
                shows *= 1.0 - fragment.coverage * self.colors[fragment.path as usize][3] / 255.0;
            }
            visit(pixel, color);
        }
    }

    /// The color of a pixel without fragments.
    pub fn flat_color(&self, pixel: usize) -> Option<Channels> {
        self.colors.get(self.plane[pixel] as usize).copied()
    }
}
