//! The plane of the picture, on which shapes are painted.

use wide::f32x4;

use super::cells::for_each_cell;
use super::outline::Outline;
use crate::algorithms::sort;
use crate::color::Channels;

/// Covered by less than this, a pixel is bare; by more than one less this, it is fully covered.
///
/// Unit: coverage (0–1). Source: half a level of the 255 of a channel is four times as much.
const NEGLIGIBLE: f32 = 0.0005;

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
    order: Vec<u64>,
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
            order: Vec::new(),
        }
    }

    /// Paints the edges of the outline from number `first` on as a path. Pixels in holes are those around which its curves run as often one way
    /// as the other.
    pub fn paint(&mut self, first: usize, color: Channels) {
        let path = self.colors.len() as u32;
        self.colors.push(color);
        let mut cells = Vec::new();
        self.order.clear();
        for (number, edge) in self.outline.edges.iter().enumerate().skip(first) {
            let ends = [edge.from, edge.to].map(|vertex| self.outline.vertices[vertex as usize].at);
            for_each_cell(ends, (self.width, self.height), |cell| {
                self.order.push(u64::from(cell.pixel) << u32::BITS | cells.len() as u64);
                cells.push((cell, number as u32));
            });
        }
        sort(&mut self.order, u32::BITS);
        let order = std::mem::take(&mut self.order);
        let opaque = color[3] == 255.0;
        // The sum of the edges on the left, the first pixel on their right that is not painted yet, and the end of its row.
        let (mut sum, mut next, mut row_end) = (0.0, 0, 0);
        for same in order.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
            let pixel = (same[0] >> u32::BITS) as usize;
            if pixel >= row_end {
                self.span(next..row_end, (sum, path, opaque));
                next = pixel - pixel % self.width;
                (row_end, sum) = (next + self.width, 0.0);
            }
            self.span(next..pixel, (sum, path, opaque));
            let mut area = sum;
            let fragment = self.fragments.len() as u32;
            for &entry in same {
                let (cell, edge) = cells[entry as u32 as usize];
                area += cell.area;
                sum += cell.rise;
                self.pieces.push(Piece { fragment, edge, pull: cell.pull });
            }
            self.cover(pixel, (area, path));
            next = pixel + 1;
        }
        self.span(next..row_end, (sum, path, opaque));
        self.order = order;
    }

    /// Covers a run of pixels between edges.
    fn span(&mut self, pixels: std::ops::Range<usize>, (sum, path, opaque): (f32, u32, bool)) {
        let coverage = sum.abs();
        if coverage < NEGLIGIBLE {
            return;
        }
        if opaque && coverage > 1.0 - NEGLIGIBLE {
            self.plane[pixels].fill(path);
        } else {
            pixels.for_each(|pixel| self.cover(pixel, (sum, path)));
        }
    }

    fn cover(&mut self, pixel: usize, (area, path): (f32, u32)) {
        let sign = if area.abs() > 1.0 + NEGLIGIBLE { 0.0 } else { 1f32.copysign(area) };
        let below = std::mem::replace(&mut self.plane[pixel], FRAGMENT | self.fragments.len() as u32);
        let (coverage, gain) = (area.abs().min(1.0), f32x4::ZERO);
        self.fragments.push(Fragment { pixel: pixel as u32, path, below, coverage, sign, gain });
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
