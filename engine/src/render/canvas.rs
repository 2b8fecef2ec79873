//! The plane of the image, on which paths are painted.

use std::ops::Range;

use super::outline::Outline;
use super::sweep::{Covered, NEGLIGIBLE, Sweep};
use crate::color::Channels;
use crate::geometry::Point;

/// Set in an entry of the plane that is the number of a fragment; the others are numbers of paths.
pub(super) const FRAGMENT: u32 = 1 << 31;

/// What a path covers of a pixel that it does not cover fully, or that its edges pass.
pub(super) struct Fragment {
    pub pixel: u32,
    pub path: u32,
    /// What is below it: another fragment, or the path that covers the pixel fully.
    pub below: u32,
    pub coverage: f32,
    /// By how much the coverage grows with the area that the outline encloses: 1, or -1 if it runs the other way, or 0 where it covers
    /// twice.
    pub sign: f32,
    /// The first of its pieces; the pieces of the next fragment follow.
    pub first_piece: u32,
}

/// What of an edge lies in a pixel.
pub(crate) struct Piece {
    /// The vertices that the edge ends in.
    pub ends: [u32; 2],
    /// For each end, the vector whose product with a move of that end is the area that the path gains in the pixel.
    pub pulls: [Point; 2],
}

/// A pixel that edges pass.
pub(crate) struct DrawnPixel {
    pub pixel: u32,
    pub color: Channels,
    /// Its fragments.
    pub fragments: Range<usize>,
}

/// What can be seen of a path in a pixel.
pub(crate) struct VisibleFragment {
    /// The number of the path, from 1 on.
    pub path: u32,
    /// The color that the pixel gains if the area within the outline grows by all of the pixel.
    pub gain: Channels,
    /// The pieces of edges in it.
    pub pieces: Range<usize>,
}

/// The paths of a drawing in painting order, as pixels. After [`composite`](Canvas::composite), what can be seen of them.
#[derive(Default)]
pub(crate) struct Canvas {
    pub size: (usize, usize),
    /// What is uppermost in each pixel: a path that covers all of it, or [`FRAGMENT`] and a fragment's number; after compositing, instead of the
    /// latter, the number of the pixel among `pixels`.
    pub(super) plane: Vec<u32>,
    /// The color of each path. Path 0 is the empty canvas.
    pub(super) colors: Vec<Channels>,
    pub(super) painted: Vec<Fragment>,
    pub pieces: Vec<Piece>,
    pub outline: Outline,
    /// The pixels that edges pass.
    pub pixels: Vec<DrawnPixel>,
    /// What can be seen of the paths in these, pixel by pixel.
    pub fragments: Vec<VisibleFragment>,
    sweep: Sweep,
}

impl Canvas {
    /// Empties the canvas, and keeps its memory.
    pub fn clear(&mut self, size: (usize, usize)) {
        self.size = size;
        self.plane.clear();
        self.plane.resize(size.0 * size.1, 0);
        self.colors.clear();
        self.colors.push([0.0; 4]);
        self.painted.clear();
        self.pieces.clear();
        self.outline.clear();
        self.pixels.clear();
        self.fragments.clear();
    }

    /// Paints a path. `append` adds its curves to the outlines of all paths.
    pub fn paint(&mut self, color: Channels, append: impl FnOnce(&mut Outline)) {
        let Canvas { size, plane, painted, pieces, outline, sweep, .. } = self;
        let path = self.colors.len() as u32;
        self.colors.push(color);
        let first = outline.edges.len();
        append(outline);
        let mut cover = |pixel: usize, area: f32, first_piece: usize, plane: &mut [u32]| {
            let sign = if area.abs() > 1.0 + NEGLIGIBLE { 0.0 } else { 1f32.copysign(area) };
            let below = std::mem::replace(&mut plane[pixel], FRAGMENT | painted.len() as u32);
            let (pixel, coverage, first_piece) = (pixel as u32, area.abs().min(1.0), first_piece as u32);
            painted.push(Fragment { pixel, path, below, coverage, sign, first_piece });
        };
        sweep.run(outline, first, *size, |covered| match covered {
            Covered::Span(pixels, area) if color[3] == 255.0 && area.abs() > 1.0 - NEGLIGIBLE => {
                plane[pixels].fill(path);
            }
            Covered::Span(pixels, area) => pixels.for_each(|pixel| cover(pixel, area, pieces.len(), plane)),
            Covered::Pixel(pixel, area, cells) => {
                cover(pixel, area, pieces.len(), plane);
                pieces.extend(cells.iter().map(|&(cell, edge)| {
                    let ends = outline.edges[edge as usize].ends;
                    let [from, to] = ends.map(|vertex| outline.vertices[vertex as usize].at);
                    let normal = Point::new(from.y - to.y, to.x - from.x);
                    Piece { ends, pulls: cell.pull.map(|share| normal * share) }
                }));
            }
        });
    }
}
