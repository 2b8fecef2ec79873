//! Explains mixed pixels by two paints.

use super::assignment::{Assignment, AssignmentBlock};
use super::image_border::explain_border;
use super::paint_map::{AXES, EXPLAIN_PIXEL_UNITS, PaintMap, for_each_mixed, is_coreless, is_paint};
use crate::api::{ProgressMeter, Stopped};
use crate::color::projection;
use crate::parallel::Work;

/// How much of a pixel a paint covers, at least, to get it for its tip.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const LEAST_SHARE_OF_TIP: f32 = 0.35;

/// How much of a pixel a paint covers, at least, to get it at the end of a row of its pixels.
///
/// Unit: share of a pixel (coverage). Source: one half, less what rounding colors to 8 bits can take from it.
const ABOUT_HALF: f32 = 0.49;

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

/// Keeps the tips of shapes connected. A pixel that touches others of its paint only by a corner would be cut off, so of the two pixels
/// beside that corner, the one that the paint covers more of is given to the paint as well. The same holds at the end of a row of
/// pixels, for a pixel that is covered by half and could have gone either way. Edges do not move: they are read from colors later.
pub(crate) fn attach_tips(paint_map: &PaintMap<'_>, assignment: &mut Assignment, explained: &[u32]) {
    let width = paint_map.pixels.width;
    for i in explained.iter().map(|&i| i as usize) {
        let paint = assignment.of(i);
        let sides = [i.wrapping_sub(1), i.wrapping_sub(width), i + 1, i + width];
        let is_of_paint = |&&side: &&usize| assignment.is_of(side, paint);
        let least_share = match sides.iter().filter(is_of_paint).count() {
            0 => LEAST_SHARE_OF_TIP,
            1 => ABOUT_HALF,
            _ => continue,
        };
        if paint_map.is_at_border(i) {
            continue;
        }
        let corners = [i - width - 1, i - width + 1, i + width + 1, i + width - 1];
        let (mut most, mut to) = (least_share, None);
        for k in (0..4).filter(|&k| assignment.is_of(corners[k], paint)) {
            for j in [sides[k], sides[(k + 1) % 4]].into_iter().filter(|&j| !assignment.is_of(j, paint)) {
                if let Some(share) = paint_map.share(j, assignment.of(j), paint).filter(|&share| share > most)
                {
                    (most, to) = (share, Some(j));
                }
            }
        }
        if let Some(j) = to {
            assignment.give(j, paint);
        }
    }
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

    /// How much of the mixed pixel `i` is `paint`, if the rest of it is the paint `rest`; none where the two do not explain it.
    fn share(&self, i: usize, rest: u32, paint: u32) -> Option<f32> {
        if is_paint(self.labels.ids[i]) || !is_paint(rest) {
            return None;
        }
        let [rest, paint] = [rest, paint].map(|paint| self.colors[paint as usize]);
        let (residual, share) = projection(self.pixels.channels(i), rest, paint);
        (residual < self.mixture_tolerance_sq).then_some(share)
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
