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
pub(super) fn sample_blocks(pixels: &Pixels, with_edges: bool) -> Vec<Block> {
    let (columns, rows) = (pixels.width / SIDE, pixels.height / SIDE);
    let count = columns * rows;
    let fits = |block: &Block| {
        let first = block[0][0];
        let all = || block.iter().flatten();
        let is_flat = || all().all(|color| (0..3).all(|c| color[c].abs_diff(first[c]) <= LARGEST_FLAT_STEP));
        all().all(|color| color[3] == 255) && !(with_edges && is_flat())
    };
    let at = |place: usize| -> Block {
        let first = place / columns * SIDE * pixels.width + place % columns * SIDE;
        std::array::from_fn(|y| std::array::from_fn(|x| pixels.data[first + y * pixels.width + x]))
    };
    // A step of odd length, so that the blocks do not share a column.
    let step = count.div_ceil(MOST_CANDIDATES) | 1;
    let mut places: Vec<usize> = (0..count).step_by(step).filter(|&place| fits(&at(place))).collect();
    let every = places.len().div_ceil(MOST_BLOCKS).max(1);
    places = places.into_iter().step_by(every).collect();
    places.into_iter().map(at).collect()
}
