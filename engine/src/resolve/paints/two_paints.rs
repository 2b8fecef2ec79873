use super::assignment::{Assignment, AssignmentBlock};
use super::image_border::explain_border;
use super::paint_map::{AXES, EXPLAIN_PIXEL_UNITS, PaintMap, for_each_mixed, is_coreless, is_paint};
use crate::api::{ProgressMeter, Stopped};
use crate::color::projection;
use crate::parallel::Work;

/// A paint covers at least so much of a pixel that it gets for its tip.
const LEAST_SHARE_OF_TIP: f32 = 0.35;
/// Half, but for rounding.
const ABOUT_HALF: f32 = 0.49;

/// Gives mixed pixels to their paints where two paints explain them. Returns those, and the others.
pub(crate) fn explain_by_two(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    meter: &mut ProgressMeter<'_>,
) -> Result<[Vec<u32>; 2], Stopped> {
    explain_border(paint_map, assignment);
    /// So many pixels are looked at together.
    const BLOCK_PX: usize = 1 << 12;
    let explain_block = |mut block: AssignmentBlock<'_>| {
        let mut found = [Vec::new(), Vec::new()];
        for_each_mixed(&paint_map.labels.ids[block.pixels()], |k| {
            let i = block.start + k;
            let paint = explain_pixel(paint_map, i, block.of(i));
            if let Some(paint) = paint {
                block.give(i, paint);
            }
            found[usize::from(paint.is_none())].push(i as u32);
        });
        found
    };
    let work = Work { units: |_: &_| EXPLAIN_PIXEL_UNITS * BLOCK_PX, begin: || explain_block };
    let blocks = work.run(assignment.blocks_mut(BLOCK_PX), meter)?;
    // One after the other: a list of what all of them hold would be asked for each pixel which block it is in.
    let mut all = [0, 1].map(|kind| Vec::with_capacity(blocks.iter().map(|block| block[kind].len()).sum()));
    for block in &blocks {
        all.iter_mut().zip(block).for_each(|(all, found)| all.extend_from_slice(found));
    }
    Ok(all)
}

/// A pixel that touches others of its paint by a corner alone, as at the tip of a shape, would be lost: of the two beside that corner, the
/// one that the paint covers more of goes to it as well. So it does at the end of a row of two or more, if it is covered by half,
/// which could have gone either way. Where the edge runs is read from the pixels' colors.
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

/// The paint of pixel `i`, which belongs to `region`: that one if it is a paint or another region than the pixel's own, else the paint
/// that covers more of the pixel. None where no two paints explain it.
pub(crate) fn explain_pixel(paint_map: &PaintMap<'_>, i: usize, region: u32) -> Option<u32> {
    let label = paint_map.labels.ids[i];
    if region != label || is_paint(label) {
        return Some(region);
    }
    if is_coreless(label) { paint_map.owner(i) } else { None }
}

impl PaintMap<'_> {
    /// The paint that covers more of the mixed pixel `i`.
    fn owner(&self, i: usize) -> Option<u32> {
        let value = self.pixels.channels(i);
        let mut best = (self.residual_sq, None);
        let (pairs, count) = pairs(&self.paints_across(i));
        for &[a, b] in &pairs[..count] {
            let (residual, share) = projection(value, self.colors[a as usize], self.colors[b as usize]);
            if residual < best.0 {
                best = (residual, Some(if share < 0.5 { a } else { b }));
            }
        }
        best.1
    }

    /// How much of the mixed pixel `i` one paint covers, and another the rest; none where they do not explain it.
    fn share(&self, i: usize, rest: u32, paint: u32) -> Option<f32> {
        if is_paint(self.labels.ids[i]) || !is_paint(rest) {
            return None;
        }
        let [rest, paint] = [rest, paint].map(|paint| self.colors[paint as usize]);
        let (residual, share) = projection(self.pixels.channels(i), rest, paint);
        (residual < self.residual_sq).then_some(share)
    }
}

/// The pairs of paints on either side; mostly these are the same two on all axes. Put together without branches, for on which axes
/// they are met is foreseen badly.
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
