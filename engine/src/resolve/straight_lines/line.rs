//! A straight line along the pixels: how far it runs, and what it covers of each.

use super::pixel_rows::{MOST_ROWS, RowBand, UniformRun};
use crate::color::{Channels, ColorMetric, distance_sq, ink_tolerance_sq, projection, shares_of_paints};
use crate::geometry::Point;
use crate::resolve::paints::{PaintMap, best_mixture, is_paint};

/// Each of the two rows has at least this share of the line.
pub(crate) const LINE_LEAST_SHARE: f32 = 0.05;

/// Nothing shows through a line.
pub(crate) const OPAQUE: f32 = 250.0;

/// What rounding leaves between the ink and a color of the picture, and between a row and the mixtures of ground and ink.
pub(crate) const ROUNDING_SQ: f32 = 6.0 * 6.0;

/// The paint on the other side of a line leaves no more than this of itself in a row, where a renderer drew the line over both.
const MOST_REMAINS: f32 = 0.15;

/// What a line covers of a row differs by so much where it runs on between other paints.
const SAME_SHARE: f32 = 0.1;

/// A line runs on through a crossing or a corner for so many pixels, where the ink covers at least this much of its width.
const JOINT_PX: usize = 8;
const JOINT_SHARE: f32 = 0.5;
/// What crosses it there covers no more than this share more of a pixel; more is drawn for itself.
const CROSSING_SHARE: f32 = 0.25;

#[derive(Clone)]
pub(crate) struct StraightLine<'a, 'v> {
    pub run: UniformRun<'a, 'v>,
    /// The rows of the lines beside each other that it is one of; its own, where it is alone.
    pub sheaf: UniformRun<'a, 'v>,
    pub ink: Channels,
    /// What it covers of the pixels of its first row and of its last.
    pub shares: [f32; 2],
    /// From pixel to pixel of the first row.
    pub start: usize,
    pub end: usize,
}

impl StraightLine<'_, '_> {
    /// What it covers of the pixels of a row.
    pub fn share_of(&self, row: usize) -> f32 {
        let is_between = row > 0 && row + 1 < self.run.band.rows;
        if is_between { 1.0 } else { self.shares[usize::from(row > 0)] }
    }

    /// Whether nothing shows through it, and its ink is of another layer than its ground.
    pub fn is_seen(&self, metric: &ColorMetric) -> bool {
        let color = |ground: u32| self.run.band.paint_map.colors[ground as usize];
        let is_apart = |&ground: &u32| !metric.same_layer(color(ground), self.ink);
        self.ink[3] >= OPAQUE && self.run.grounds.iter().all(is_apart)
    }

    /// The last pixel of the first row on the way from a pixel: over more straight parts, and the joints between and after these.
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

    #[inline(never)]
    fn runs_on_at(&self, i: usize) -> bool {
        let UniformRun { band, first, grounds, .. } = self.sheaf;
        let i = i - (self.run.first - first);
        let is_alone = band.rows == self.run.band.rows;
        match is_alone && self.run.parts_paints() {
            false => band.colors(i) == band.colors(first) && band.is_between(i, grounds),
            true => band.grounds(i).is_some_and(|grounds| self.is_as_wide(i, grounds)),
        }
    }

    /// Whether it lies in the pixels at a place between two other paints as it does between its own.
    fn is_as_wide(&self, i: usize, grounds: [u32; 2]) -> bool {
        let band = self.run.band;
        let is_near = |[low, high]: [f32; 2]| {
            let [own_low, own_high] = self.shares;
            band.rows == 1 || ((low - own_low).abs() <= SAME_SHARE && (high - own_high).abs() <= SAME_SHARE)
        };
        row_shares(band, i, grounds, self.ink).is_some_and(is_near)
    }

    /// Whether the line runs on through pixels that are not as its straight part is: mixtures of ground and ink, or more of the ink
    /// where another translucent line crosses.
    #[inline(never)]
    fn is_joint(&self, i: usize) -> bool {
        let PaintMap { pixels, labels, colors, .. } = self.run.band.paint_map;
        let paint = self.run.ground_color();
        let twice: Channels = std::array::from_fn(|c| 2.0 * self.ink[c] - paint[c]);
        let is_more = |at: usize| projection(pixels.channels(at), self.ink, twice).0 <= ROUNDING_SQ;
        let mut covered = 0.0;
        for at in self.run.band.rows_at(i) {
            let (residual_sq, paint, share) = self.mixture(at);
            let is_mixed = residual_sq <= ink_tolerance_sq(colors[paint as usize], self.ink) || is_more(at);
            if is_paint(labels.ids[at]) || !is_mixed {
                return false;
            }
            covered += share;
        }
        covered >= JOINT_SHARE
    }

    /// How far the ink is off the ground (Euclidean, 8-bit levels).
    pub fn strength_sq(&self) -> f32 {
        distance_sq(self.ink, self.run.ground_color())
    }

    /// Whether a pixel differs more from the ground than the line does.
    pub fn is_below(&self, i: usize) -> bool {
        let color = self.run.band.paint_map.pixels.channels(i);
        distance_sq(color, self.run.ground_color()) > self.strength_sq()
    }

    pub fn corners(&self) -> [Point; 2] {
        let (UniformRun { band, .. }, start, end) = (self.run, self.start, self.end);
        let place = |i: usize| {
            let width = band.paint_map.pixels.width;
            Point::new((i % width) as f32, (i / width) as f32)
        };
        let unit = |step: usize| if step == 1 { Point::new(1.0, 0.0) } else { Point::new(0.0, 1.0) };
        let (along, across) = (unit(band.along), unit(band.across));
        let [low, high] = [1.0 - self.shares[0], self.shares[1]];
        let from = place(start) + across * low + along * (1.0 - self.reach_at(start));
        [from, place(end + band.thickness()) + across * high + along * self.reach_at(end)]
    }

    /// How much of a pixel's length the line takes where it ends: as much as it does in the row that nothing else is drawn in.
    fn reach_at(&self, i: usize) -> f32 {
        let rows = self.run.band.rows_at(i).enumerate();
        rows.map(|(row, at)| self.share(at) / self.share_of(row)).fold(1.0, f32::min)
    }

    fn share(&self, i: usize) -> f32 {
        self.mixture(i).2
    }

    /// What explains a pixel best as the ink over one of the paints that may lie beneath.
    #[inline(never)]
    fn mixture(&self, i: usize) -> (f32, u32, f32) {
        let (paints, count) = self.paints_at(i);
        best_mixture(self.run.band.paint_map, i as u32, &paints[..count], self.ink)
    }

    /// The paints that may lie beneath the line in a pixel, and how many: its own, and where it parts paints those at the corners of a
    /// crossing.
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

    /// The region below the pixel of a row at a place of the line, unless something else is drawn there.
    pub fn beneath(&self, i: usize, row: usize, grounds: [u32; 2]) -> Option<u32> {
        let RowBand { paint_map, across, .. } = self.run.band;
        let at = i + row * across;
        let beside = paint_map.labels.ids[if row == 0 { at - across } else { at + across }];
        let is_free = self.share(at) <= self.share_of(row) + CROSSING_SHARE;
        is_free.then_some(if is_paint(beside) { beside } else { grounds[usize::from(row > 0)] })
    }
}

/// What a line of an ink covers of the pixels of the first row and of the last at a place, if they are mixtures of it with the paints on
/// their sides, and a row between them shows it. In a single row: what is not of the one, and what is not of the other.
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
        let (residual_sq, [own, remains]) = shares_of_paints(colors[2 * row], [paints[0], other], ink);
        let beside = if band.rows == 1 { 0.0 } else { remains };
        if residual_sq > ROUNDING_SQ || own + remains > 1.0 - LINE_LEAST_SHARE || beside > MOST_REMAINS {
            return None;
        }
        *share = 1.0 - own - beside;
        paints.reverse();
    }
    Some(shares)
}
