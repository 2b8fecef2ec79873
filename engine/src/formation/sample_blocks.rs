//! Blocks of 8 × 8 pixels from all over a picture, to measure.

use crate::raster::Pixels;

/// The side of a block.
///
/// Unit: pixels. Source: that of JPEG.
pub(super) const SIDE: usize = 8;

/// How many blocks are measured.
///
/// Unit: count. Source: in 64 blocks, chance and the tables of JPEG are far apart; an icon of 64 px has as many.
const MOST_BLOCKS: usize = 64;

/// How many blocks are looked at to choose from.
///
/// Unit: count. Source: in large drawings, one block in twenty has an edge.
const MOST_CANDIDATES: usize = 4096;

/// Largest difference in a channel from the first pixel of a block without an edge.
///
/// Unit: levels of one channel (0–255). Source: the ripples that compression leaves in flat parts are smaller.
const LARGEST_FLAT_STEP: u8 = 4;

/// A block, row by row.
pub(super) type Block = [[[u8; 4]; SIDE]; SIDE];

/// Opaque blocks on the grid from the picture's first pixel, spread evenly: from all, or from those that have an edge.
#[inline(never)]
pub(super) fn sample_blocks(pixels: &Pixels, with_edges: bool) -> Vec<Block> {
    let (columns, rows) = (pixels.width / SIDE, pixels.height / SIDE);
    let count = columns * rows;
    let rows_of = |place: usize| {
        let first = place / columns * SIDE * pixels.width + place % columns * SIDE;
        (0..SIDE).map(move |y| &pixels.data[first + y * pixels.width..][..SIDE])
    };
    let fits = |&place: &usize| {
        let all = || rows_of(place).flatten();
        let Some(&first) = all().next() else { return false };
        if rows_of(place).all(|row| row == [first; SIDE]) {
            return first[3] == 255 && !with_edges;
        }
        let is_step = |color: &[u8; 4]| (0..3).any(|c| color[c].abs_diff(first[c]) > LARGEST_FLAT_STEP);
        all().all(|color| color[3] == 255) && (!with_edges || all().any(is_step))
    };
    // A step of odd length, so that the blocks do not share a column.
    let step = count.div_ceil(MOST_CANDIDATES) | 1;
    let places: Vec<usize> = (0..count).step_by(step).filter(fits).collect();
    let every = places.len().div_ceil(MOST_BLOCKS).max(1);
    let block = |&place: &usize| -> Block {
        let mut rows = rows_of(place);
        std::array::from_fn(|_| rows.next().and_then(|row| row.first_chunk().copied()).unwrap_or_default())
    };
    places.iter().step_by(every).map(block).collect()
}
