//! A straight line along the pixels: how far it runs, and what it covers of each.

use super::pixel_rows::{MOST_ROWS, RowBand, UniformRun};
use crate::color::{Channels, ColorMetric, PaintShares, distance_sq, ink_tolerance_sq, shares_of_paints};
use crate::geometry::Point;
use crate::resolve::paints::{NearestMixture, PaintMap, best_mixture, is_paint};

/// How much of each of its two rows a line covers, at least.
///
/// Unit: share of a pixel (coverage). Source: tuned; less is within rounding, see [`ROUNDING_SQ`].
pub(crate) const LINE_LEAST_SHARE: f32 = 0.05;

/// The alpha from which on nothing shows through a line.
///
/// Unit: alpha levels (0–255). Source: 2 % of the ground is not seen; tuned.
pub(crate) const OPAQUE: f32 = 250.0;

/// How far an ink may be from a color of the image, a row from the mixtures of ground and ink, and a dot from the color of its letter, by
/// rounding.
///
/// Unit: color levels², Euclidean (6 levels). Source: tuned; no derivation is known.
pub(crate) const ROUNDING_SQ: f32 = 6.0 * 6.0;

/// Through how many pixels of a crossing or a corner a line runs on, at most.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const JOINT_PX: usize = 8;

/// How much of its width the ink of a line covers in a crossing or a corner, at least.
///
/// Unit: share (ratio). Source: half, as for any pixel that belongs to the ink.
const JOINT_SHARE: f32 = 0.5;

/// How much more of a pixel may be covered where something crosses a line, at most; what covers more is drawn by itself.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const CROSSING_SHARE: f32 = 0.25;

/// A straight line, from its first pixel to its last.
#[derive(Clone)]
pub(crate) struct StraightLine<'a, 'v> {
    /// Where it was found.
    pub run: UniformRun<'a, 'v>,
    /// The run of all lines beside each other that it is one of; its own if it is alone.
    pub bundle: UniformRun<'a, 'v>,
    pub ink: Channels,
    /// How much it covers of the pixels of its first row, and of its last.
    pub shares: [f32; 2],
    /// Its first pixel, in the first row.
    pub start: usize,
    /// Its last pixel, in the first row.
    pub end: usize,
}

impl StraightLine<'_, '_> {
    /// How much it covers of the pixels of a row.
    pub fn share_of(&self, row: usize) -> f32 {
        let is_between = row > 0 && row + 1 < self.run.band.rows;
        if is_between { 1.0 } else { self.shares[usize::from(row > 0)] }
    }

    /// Whether nothing shows through it, and its ink clearly differs in color from its grounds (`layerDifference`).
    pub fn is_distinct(&self, metric: &ColorMetric) -> bool {
        let color = |ground: u32| self.run.band.paint_map.colors[ground as usize];
        let is_apart = |&ground: &u32| !metric.same_layer(color(ground), self.ink);
        self.ink[3] >= OPAQUE && self.run.grounds.iter().all(is_apart)
    }

    /// The last pixel of the line in one direction: over more stretches like its run, and the joints between and after these.
    pub fn follow(&self, from: usize, next: impl Fn(usize) -> Option<usize>) -> usize {
        let (mut end, mut joints) = (from, 0);
        while let Some(i) = next(end) {
            joints = if self.runs_on_at(i) { 0 } else { joints + 1 };
            if joints > JOINT_PX || (joints > 0 && !self.is_joint(i)) {
                break;
            }
            end = i;
        }
        end
    }

    /// Whether the pixels at a place are like those of its run.
    #[inline(never)]
    fn runs_on_at(&self, i: usize) -> bool {
        let UniformRun { band, first, grounds, .. } = self.bundle;
        let i = i - (self.run.first - first);
        let is_alone = band.rows == self.run.band.rows;
        match is_alone && self.run.parts_paints() {
            false => band.colors(i) == band.colors(first) && band.is_between(i, grounds),
            true => band.grounds(i).is_some_and(|grounds| row_shares(band, i, grounds, self.ink).is_some()),
        }
    }

    /// Whether the line runs on through pixels that are not like its run: mixtures of ground and ink.
    #[inline(never)]
    fn is_joint(&self, i: usize) -> bool {
        let PaintMap { labels, colors, .. } = self.run.band.paint_map;
        let mut covered = 0.0;
        for at in self.run.band.rows_at(i) {
            let NearestMixture { residual_sq, paint, ink_share } = self.mixture(at);
            let is_mixed = residual_sq <= ink_tolerance_sq(colors[paint as usize], self.ink);
            if is_paint(labels.ids[at]) || !is_mixed {
                return false;
            }
            covered += ink_share;
        }
        covered >= JOINT_SHARE
    }

    /// The squared contrast of its ink with its ground.
    pub fn strength_sq(&self) -> f32 {
        distance_sq(self.ink, self.run.ground_color())
    }

    /// Whether a pixel differs more from the ground than the line does: something stronger lies over the line there.
    pub fn is_below(&self, i: usize) -> bool {
        let color = self.run.band.paint_map.pixels.channels(i);
        distance_sq(color, self.run.ground_color()) > self.strength_sq()
    }

    /// The corners of the rectangle to draw.
    pub fn corners(&self) -> [Point; 2] {
        let (UniformRun { band, .. }, start, end) = (self.run, self.start, self.end);
        let corner = |i: usize| {
            let width = band.paint_map.pixels.width;
            Point::new((i % width) as f32, (i / width) as f32)
        };
        let unit = |step: usize| if step == 1 { Point::new(1.0, 0.0) } else { Point::new(0.0, 1.0) };
        let (along, across) = (unit(band.along), unit(band.across));
        let [low, high] = [1.0 - self.shares[0], self.shares[1]];
        let from = corner(start) + across * low + along * (1.0 - self.reach_at(start));
        [from, corner(end + band.thickness()) + across * high + along * self.reach_at(end)]
    }

    /// How much of a pixel's length the line takes where it ends: the least of its rows, for in the others something else may be drawn.
    fn reach_at(&self, i: usize) -> f32 {
        let rows = self.run.band.rows_at(i).enumerate();
        rows.map(|(row, at)| self.share(at) / self.share_of(row)).fold(1.0, f32::min)
    }

    /// How much of a pixel the ink covers.
    fn share(&self, i: usize) -> f32 {
        self.mixture(i).ink_share
    }

    /// What explains a pixel best as a mixture of the ink and one of the paints that may be its ground.
    #[inline(never)]
    fn mixture(&self, i: usize) -> NearestMixture {
        let (paints, count) = self.paints_at(i);
        best_mixture(self.run.band.paint_map, i as u32, &paints[..count], self.ink)
    }

    /// The paints that may be the ground of the line in a pixel, and their number: the grounds of its run and, where these differ, the paints at the corners
    /// of a crossing.
    fn paints_at(&self, i: usize) -> ([u32; 6], usize) {
        let UniformRun { band, grounds: [first, second], .. } = self.run;
        let mut paints = [first, second, 0, 0, 0, 0];
        if !self.run.parts_paints() {
            return (paints, 1);
        }
        let (along, across) = (2 * band.along, 2 * band.across);
        let corners = [
            i + along + across,
            (i + along).wrapping_sub(across),
            (i + across).wrapping_sub(along),
            i.wrapping_sub(along + across),
        ];
        let mut count = 2;
        for corner in corners {
            if let Some(&paint) = band.paint_map.labels.ids.get(corner).filter(|&&id| is_paint(id)) {
                paints[count] = paint;
                count += 1;
            }
        }
        (paints, count)
    }

    /// The ground of the pixel of a row at a place of the line; none where something else is drawn there.
    pub fn ground(&self, i: usize, row: usize, grounds: [u32; 2]) -> Option<u32> {
        let RowBand { paint_map, across, .. } = self.run.band;
        let at = i + row * across;
        let beside = paint_map.labels.ids[if row == 0 { at - across } else { at + across }];
        let is_free = self.share(at) <= self.share_of(row) + CROSSING_SHARE;
        is_free.then_some(if is_paint(beside) { beside } else { grounds[usize::from(row > 0)] })
    }
}

/// How much a line of an ink covers of the pixels of the first row and of the last at a place, if these are mixtures of it and the paints
/// on their sides, and a row between them shows it. In a single row: what is not the first paint, and what is not the second.
#[inline(never)]
pub(crate) fn row_shares(
    band: RowBand<'_, '_>,
    i: usize,
    grounds: [u32; 2],
    ink: Channels,
) -> Option<[f32; 2]> {
    let colors = band.colors(i).map(|color| color.map(f32::from));
    let mut paints = grounds.map(|ground| band.paint_map.colors[ground as usize]);
    let are_alike = band.are_alike(grounds[0], grounds[1]);
    if band.rows == MOST_ROWS && distance_sq(colors[1], ink) > ROUNDING_SQ {
        return None;
    }
    let mut shares = [0.0; 2];
    for (row, share) in shares.iter_mut().enumerate() {
        let other = if are_alike { paints[0] } else { paints[1] };
        let PaintShares { residual_sq, shares: [own, remains] } =
            shares_of_paints(colors[2 * row], [paints[0], other], ink);
        let beside = if band.rows == 1 { 0.0 } else { remains };
        if residual_sq > ROUNDING_SQ || own + remains > 1.0 - LINE_LEAST_SHARE {
            return None;
        }
        *share = 1.0 - own - beside;
        paints.reverse();
    }
    Some(shares)
}
