//! Explains mixed pixels by two paints.

use super::assignment::{Assignment, AssignmentBlock};
use super::image_border::explain_border;
use super::paint_map::{AXES, EXPLAIN_PIXEL_UNITS, PaintMap, for_each_mixed, is_coreless, is_paint};
use crate::api::{ProgressMeter, Stopped};
use crate::color::projection;
use crate::parallel::Work;

/// The pixels that are part of no paint when mixtures of two are looked for, in row order: mixed pixels, and those of thin
/// regions (small paints or strokes).
#[derive(Default)]
pub(crate) struct UnpaintedPixels {
    /// Those that were given to one of two paints.
    pub explained: Vec<u32>,
    /// Those that no two paints explain, and those of thin regions.
    pub unexplained: Vec<u32>,
}

/// Gives mixed pixels to their paints where two paints explain them.
pub(crate) fn explain_by_two(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    meter: &mut ProgressMeter<'_>,
) -> Result<UnpaintedPixels, Stopped> {
    explain_border(paint_map, assignment);
    /// How many pixels a thread explains at a time.
    const BLOCK_PX: usize = 1 << 12;
    let explain_block = |mut block: AssignmentBlock<'_>| {
        let mut found = UnpaintedPixels::default();
        for_each_mixed(&paint_map.labels.ids[block.pixels()], |k| {
            let i = block.start + k;
            match explain_pixel(paint_map, i, block.of(i)) {
                Some(paint) => {
                    block.give(i, paint);
                    found.explained.push(i as u32);
                }
                None => found.unexplained.push(i as u32),
            }
        });
        found
    };
    let work = Work { units: |_: &_| EXPLAIN_PIXEL_UNITS * BLOCK_PX, begin: || explain_block };
    let blocks = work.run(assignment.blocks_mut(BLOCK_PX), meter)?;
    // `concat` copies block by block; an iterator over all pixels would ask at each whether its block has ended.
    let lists = |list: fn(&UnpaintedPixels) -> &[u32]| blocks.iter().map(list).collect::<Vec<_>>().concat();
    Ok(UnpaintedPixels {
        explained: lists(|found| &found.explained),
        unexplained: lists(|found| &found.unexplained),
    })
}

/// The paint of pixel `i`, which belongs to `region`: `region` if it is a paint or the pixel is not open, else the one of two paints that
/// covers more of the pixel. None where no two paints explain it.
pub(crate) fn explain_pixel(paint_map: &PaintMap<'_>, i: usize, region: u32) -> Option<u32> {
    let label = paint_map.labels.ids[i];
    if region != label || is_paint(label) {
        return Some(region);
    }
    if is_coreless(label) { paint_map.covering_paint(i) } else { None }
}

impl PaintMap<'_> {
    /// The one of two paints that covers more of the mixed pixel `i`.
    fn covering_paint(&self, i: usize) -> Option<u32> {
        let value = self.pixels.channels(i);
        let mut best = (self.mixture_tolerance_sq, None);
        let (pairs, count) = pairs(&self.paints_across(i));
        for &[a, b] in &pairs[..count] {
            let (residual, share) = projection(value, self.colors[a as usize], self.colors[b as usize]);
            if residual < best.0 {
                best = (residual, Some(if share < 0.5 { a } else { b }));
            }
        }
        best.1
    }
}

/// The different pairs of paints on either side, and their number; mostly all axes have the same pair. Without branches: the processor
/// cannot predict which axes have one.
fn pairs(across: &[[u32; 2]; AXES.len()]) -> ([[u32; 2]; AXES.len()], usize) {
    let mut pairs = [[0; 2]; AXES.len()];
    let mut count = 0;
    let mut before = [u32::MAX; 2];
    for &[a, b] in across {
        let [c, d] = before;
        let is_new = is_paint(a) & is_paint(b) & !((a == c) & (b == d) | (a == d) & (b == c));
        pairs[count % AXES.len()] = [a, b];
        count += usize::from(is_new);
        before = if is_new { [a, b] } else { before };
    }
    (pairs, count)
}
