//! Cores: whether a region has pixels away from its edges.

use wide::u32x4;

use crate::algorithms::run_end;
use crate::api::{ProgressMeter, Stopped};
use crate::raster::Labels;

/// Fewest of the eight neighbors that have the label of a pixel of a thin core.
///
/// Unit: count. Source: geometry: a pixel of a straight stroke two pixels wide has five.
const NEIGHBORS_OF_A_THIN_CORE: usize = 5;

/// The neighbors of a pixel: all have the label of a pixel of a full core.
const NEIGHBORS: usize = 8;

/// The core of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Core {
    /// No pixel has five neighbors of the region.
    None,
    /// A pixel has at least five neighbors of the region: it is as wide as a stroke that straddles two rows of pixels.
    Thin,
    /// A pixel has eight neighbors of the region: the region is a paint.
    Full,
}

/// Replaces the labels by their groups, and finds the core of each group. Both in one pass over the pixels.
pub(crate) fn cores(
    labels: &mut Labels,
    groups: &Labels,
    width: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Core>, Stopped> {
    let mut cores = vec![Core::None; groups.count];
    labels.count = groups.count;
    groups.apply_to(&mut labels.ids[..width]);
    for first in (0..labels.ids.len()).step_by(width) {
        meter.advance(width)?;
        let (known, below) = labels.ids.split_at_mut(first + width);
        let below = below.get_mut(..width).unwrap_or_default();
        groups.apply_to(below);
        let (above, row) = known.split_at(first);
        let around = [&above[first.saturating_sub(width)..], row, below];
        let mut x = 0;
        while x < width {
            if cores[row[x] as usize] == Core::Full {
                x = run_end(row, x);
                continue;
            }
            let (count, found) = match four_agreeing(&around, x) {
                Some(found) => (4, found),
                None => (1, [agreeing(&around, row[x], x), 0, 0, 0]),
            };
            for (&id, found) in row[x..x + count].iter().zip(found) {
                if found >= NEIGHBORS_OF_A_THIN_CORE {
                    let core = if found == NEIGHBORS { Core::Full } else { Core::Thin };
                    cores[id as usize] = core.max(cores[id as usize]);
                }
            }
            x += count;
        }
    }
    Ok(cores)
}

/// The number of neighbors with the label `id` around column `x`. `rows`: the row above, that of the pixel, and the row below; a row beyond
/// the image is empty.
fn agreeing(rows: &[&[u32]; 3], id: u32, x: usize) -> usize {
    let agreeing = |row: &&[u32]| {
        let near = row.get(x.saturating_sub(1)..(x + 2).min(row.len())).unwrap_or_default();
        near.iter().filter(|&&other| other == id).count()
    };
    // The pixel itself is counted as well.
    rows.iter().map(agreeing).sum::<usize>() - 1
}

/// The same for four pixels at once. `None` if a neighbor is beyond the image.
fn four_agreeing([above, row, below]: &[&[u32]; 3], x: usize) -> Option<[usize; 4]> {
    let start = x.checked_sub(1)?;
    let windows: [&[u32; 6]; 3] = [
        above.get(start..)?.first_chunk()?,
        row.get(start..)?.first_chunk()?,
        below.get(start..)?.first_chunk()?,
    ];
    // From slices: of single entries, the compiler would make one instruction each.
    let four =
        |row: usize, x: usize| u32x4::new(windows[row][x..].first_chunk().copied().unwrap_or_default());
    let ids = four(1, 1);
    // Equal lanes compare as -1. The pixels themselves are counted as well, so the sum begins at 1.
    let all = (0..9).fold(u32x4::ONE, |all, k| all + ids.simd_eq(four(k / 3, k % 3)));
    Some(all.to_array().map(|count| count.wrapping_neg() as usize))
}
