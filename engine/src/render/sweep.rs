//! Finds what an outline covers of each pixel.

use std::ops::Range;

use super::cells::{Cell, for_each_cell};
use super::fragment::{FRAGMENT, Fragment, NEGLIGIBLE, NO_PIECE, Piece};
use super::outline::Outline;
use super::pixel_set::PixelSet;

/// What a sweep adds to.
pub(super) struct Ground<'a> {
    pub plane: &'a mut [u32],
    pub fragments: &'a mut Vec<Fragment>,
    pub pieces: &'a mut Vec<Piece>,
}

/// Pixels of a row that an outline covers alike.
pub(crate) struct Covered {
    pub pixels: Range<u32>,
    /// The area that it encloses in each, counted as often as it runs around it: negative if it runs the other way.
    pub area: f32,
    /// Whether edges pass the pixel.
    pub is_passed: bool,
}

/// Buffers for [`Sweep::run`], and what it found.
#[derive(Default)]
pub(crate) struct Sweep {
    /// The pixels that edges pass.
    passed: PixelSet,
    /// In the order of the pixels. Bare pixels between edges are left out.
    pub covered: Vec<Covered>,
}

impl Sweep {
    /// Finds what the stretches of an outline from number `first` on cover. Each pixel that their edges pass gets a fragment of path `path`,
    /// uppermost in the plane.
    // Not inlined: it has two callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    pub(super) fn run(
        &mut self,
        (outline, first): (&Outline, usize),
        path: u32,
        size: (usize, usize),
        Ground { plane, fragments, pieces }: Ground<'_>,
    ) {
        let (width, height) = (size.0 as u32, size.1 as u32);
        let first_entry = FRAGMENT | fragments.len() as u32;
        self.passed.make_room(plane.len());
        for stretch in outline.stretches[first..].iter().filter(|stretch| !stretch.is_start()) {
            let mut from = outline.vertices[stretch.vertices.start as usize - 1];
            for edge in stretch.vertices.clone() {
                let to = outline.vertices[edge as usize];
                for_each_cell([from, to], (width, height), |Cell { pixel, shares, rise, area }| {
                    let entry = &mut plane[pixel as usize];
                    if *entry < first_entry {
                        self.passed.insert(pixel);
                        let below = std::mem::replace(entry, FRAGMENT | fragments.len() as u32);
                        fragments.push(Fragment { path, below, area: 0.0, rise: 0.0, first_piece: NO_PIECE });
                    }
                    let fragment = &mut fragments[(*entry ^ FRAGMENT) as usize];
                    fragment.area += area;
                    fragment.rise += rise;
                    let next = std::mem::replace(&mut fragment.first_piece, pieces.len() as u32);
                    pieces.push(Piece { edge, shares, next });
                });
                from = to;
            }
        }
        self.cover(width, plane, fragments);
    }

    fn cover(&mut self, width: u32, plane: &[u32], fragments: &mut [Fragment]) {
        let Sweep { passed, covered } = self;
        covered.clear();
        // The sum of the edges on the left, the first pixel on their right that is not visited yet, and the end of its row.
        let (mut sum, mut next, mut row_end) = (0f32, 0, 0);
        let cover_span = |pixels: Range<u32>, sum: f32, covered: &mut Vec<Covered>| {
            if sum.abs() >= NEGLIGIBLE && !pixels.is_empty() {
                covered.push(Covered { pixels, area: sum, is_passed: false });
            }
        };
        passed.take_each(|pixel| {
            if pixel >= row_end {
                cover_span(next..row_end, sum, covered);
                next = pixel / width * width;
                (row_end, sum) = (next + width, 0.0);
            }
            cover_span(next..pixel, sum, covered);
            next = pixel + 1;
            let fragment = &mut fragments[(plane[pixel as usize] ^ FRAGMENT) as usize];
            fragment.area += sum;
            sum += fragment.rise;
            covered.push(Covered { pixels: pixel..next, area: fragment.area, is_passed: true });
        });
        cover_span(next..row_end, sum, covered);
    }
}
