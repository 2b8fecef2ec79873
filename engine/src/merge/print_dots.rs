//! Regions of a speckle's size that are none: the dots of letters, colons, full stops.

use super::criterion::Criterion;
use super::region_stats::Region;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, distance_sq, projection, tolerance_sq};
use crate::raster::Labels;
use crate::resolve::{DOT_REACH_PX, Overlay};

/// A letter is no larger, px.
const LARGEST_LETTER_PX: f32 = 48.0;

/// A dot shows at least this share of its print's ink.
const DOT_LEAST_SHARE: f32 = 0.5;

/// A dot differs from what it lies on by at least this (Euclidean, 8-bit levels).
const DOT_LEAST_CONTRAST_SQ: f32 = 48.0 * 48.0;

/// A dot is of a letter's color where they differ by no more (Euclidean, 8-bit levels).
const DOT_SAME_COLOR_SQ: f32 = 6.0 * 6.0;

/// Dots in a row, as of an ellipsis: as many as are looked for one after the other.
const MOST_IN_A_ROW: usize = 3;

/// What asking about a region takes, in the units of [`ProgressMeter`].
const REGION_UNITS: usize = 4;

/// For each region, whether it is a dot of print: a speckle by its size, alone on another region, and of the color of a letter or an ink
/// beside it there.
#[inline(never)]
pub(crate) fn print_dots(
    (labels, width): (&Labels, usize),
    regions: &[Region],
    overlay: &Overlay,
    criterion: &Criterion<'_>,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<bool>, Stopped> {
    let search = DotSearch { labels, size: (width, labels.ids.len() / width), regions, overlay, criterion };
    let mut dots = vec![false; regions.len()];
    let mut left = Vec::new();
    meter.advance(REGION_UNITS * regions.len())?;
    for (id, region) in (0..).zip(regions) {
        if region.smaller_than(criterion.speckle_px) {
            left.extend(search.ground(id).map(|ground| (id, ground)));
        }
    }
    for _ in 0..MOST_IN_A_ROW {
        if left.is_empty() {
            break;
        }
        meter.advance(REGION_UNITS * left.len())?;
        let known = dots.clone();
        left.retain(|&(id, ground)| {
            let is_dot = search.is_beside_print((id, ground), &known);
            dots[id as usize] = is_dot;
            !is_dot
        });
    }
    Ok(dots)
}

struct DotSearch<'a> {
    labels: &'a Labels,
    size: (usize, usize),
    regions: &'a [Region],
    overlay: &'a Overlay,
    criterion: &'a Criterion<'a>,
}

impl DotSearch<'_> {
    /// What a region lies on, if that is a single one and no speckle, and no ink touches it.
    fn ground(&self, id: u32) -> Option<u32> {
        let mut ground = id;
        let is_alone = !self.is_any_near(id, 1, |i| {
            let label = self.labels.ids[i];
            let is_other = label != id && label != ground && ground != id;
            if label != id {
                ground = label;
            }
            is_other || label != id && self.overlay.is_at(i)
        });
        let [region, below] = [id, ground].map(|id| &self.regions[id as usize]);
        let is_seen = || distance_sq(region.mean(), below.mean()) >= DOT_LEAST_CONTRAST_SQ;
        (is_alone && !below.smaller_than(self.criterion.speckle_px) && is_seen()).then_some(ground)
    }

    fn is_beside_print(&self, (id, ground): (u32, u32), dots: &[bool]) -> bool {
        let [color, paper] = [id, ground].map(|id| self.regions[id as usize].mean());
        self.is_any_near(id, DOT_REACH_PX as usize, |i| {
            let label = self.labels.ids[i];
            if label == ground {
                return self.overlay.at(i).any(|ink| is_shade(color, paper, ink.map(f32::from)));
            }
            let region = &self.regions[label as usize];
            let is_letter = region.smaller_than(LARGEST_LETTER_PX)
                && (!region.smaller_than(self.criterion.speckle_px) || dots[label as usize]);
            is_letter && distance_sq(region.mean(), color) <= DOT_SAME_COLOR_SQ
        })
    }

    /// Whether one of the pixels within so many columns and rows of the rectangle that a region lies in is such.
    fn is_any_near(&self, id: u32, reach: usize, mut is_such: impl FnMut(usize) -> bool) -> bool {
        let (width, height) = self.size;
        let [left, top, right, bottom] = self.regions[id as usize].bounds().map(usize::from);
        let columns = left.saturating_sub(reach)..(right + reach + 1).min(width);
        let mut rows = top.saturating_sub(reach)..(bottom + reach + 1).min(height);
        rows.any(|y| columns.clone().any(|x| is_such(y * width + x)))
    }
}

/// Whether a color is mostly an ink, mixed with the paper.
fn is_shade(color: Channels, paper: Channels, ink: Channels) -> bool {
    let (off_sq, share) = projection(color, paper, ink);
    share >= DOT_LEAST_SHARE && off_sq <= tolerance_sq(paper, ink)
}
