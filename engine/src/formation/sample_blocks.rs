//! Blocks of 8 × 8 pixels from all over a picture, to measure.

use wide::{bytemuck, u8x16};

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
    let columns = pixels.width / SIDE;
    let count = columns * (pixels.height / SIDE);
    // An odd number, so that not all blocks lie in few columns.
    let step = count.div_ceil(MOST_CANDIDATES) | 1;
    let first = |place: usize| place / columns * SIDE * pixels.width + place % columns * SIDE;
    let mut places = Vec::new();
    let mut place = 0;
    while place < count {
        if fits(&pixels.data[first(place)..], pixels.width, with_edges) {
            places.push(place);
        }
        place += step;
    }
    let mut blocks = Vec::new();
    let every = places.len().div_ceil(MOST_BLOCKS).max(1);
    for place in places.into_iter().step_by(every) {
        let mut block = Block::default();
        for (y, row) in block.iter_mut().enumerate() {
            row.copy_from_slice(&pixels.data[first(place) + y * pixels.width..][..SIDE]);
        }
        blocks.push(block);
    }
    blocks
}

/// Whether the block at the beginning of `data` is opaque, and has an edge if it must.
fn fits(data: &[[u8; 4]], width: usize, with_edge: bool) -> bool {
    let first: u8x16 = bytemuck::cast([data[0]; 4]);
    let [mut common, mut apart] = [u8x16::splat(u8::MAX), u8x16::ZERO];
    for y in 0..SIDE {
        let row: [[u8; 4]; SIDE] = data[y * width..].first_chunk().copied().unwrap_or_default();
        for four in bytemuck::cast::<_, [u8x16; 2]>(row) {
            common &= four;
            // One of the two is 0.
            let difference = four.saturating_sub(first) | first.saturating_sub(four);
            apart |= difference.saturating_sub(u8x16::splat(LARGEST_FLAT_STEP));
        }
    }
    let alphas: [[u8; 4]; 4] = bytemuck::cast(common);
    let is_opaque = alphas.iter().all(|color| color[3] == u8::MAX);
    is_opaque && (!with_edge || apart != u8x16::ZERO)
}
