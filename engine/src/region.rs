use std::ops::Range;

use crate::cracks::{Cracks, Row};
use crate::pixels::{Channels, Pixels, rounded};
use crate::runs::{CHUNK, is_uniform};
use crate::segment::Labels;

/// What is known of one region's pixels.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    /// Channel sums over the interior pixels, or over all where there are none.
    sum: [u64; 4],
    weight: u32,
    pub area: u32,
    /// Inclusive pixel bounds: left, top, right, bottom.
    bounds: [u16; 4],
    /// The value that holds the majority of the interior, if any does, and its lead.
    candidate: [u8; 4],
    lead: u32,
    interior: bool,
}

impl Region {
    pub const EMPTY: Region = Region {
        sum: [0; 4],
        weight: 0,
        area: 0,
        bounds: [u16::MAX, u16::MAX, 0, 0],
        candidate: [0; 4],
        lead: 0,
        interior: false,
    };

    /// Adds pixels of row `y`, from `left` on, that lie side by side.
    fn extend(&mut self, left: usize, y: usize, count: usize) {
        self.area += count as u32;
        let bounds = [left, y, left + count - 1, y].map(|v| v as u16);
        self.bound(bounds);
    }

    fn bound(&mut self, other: [u16; 4]) {
        let [left, top, right, bottom] = self.bounds;
        self.bounds = [left.min(other[0]), top.min(other[1]), right.max(other[2]), bottom.max(other[3])];
    }

    /// Adds the values of pixels side by side, which all lie in the interior or none: those at the edge speak for a region
    /// only as long as it has no interior.
    fn tell(&mut self, values: &[[u8; 4]], interior: bool) {
        if interior && !self.interior {
            (self.interior, self.sum, self.weight, self.lead) = (true, [0; 4], 0, 0);
        }
        if interior != self.interior {
            return;
        }
        self.weight += values.len() as u32;
        let (chunks, rest) = values.as_chunks::<CHUNK>();
        for chunk in chunks {
            let own = self.candidate;
            if is_uniform(chunk, own) {
                self.lead += CHUNK as u32;
                self.add(own.map(|v| u32::from(v) * CHUNK as u32));
            } else {
                self.tell_each(chunk);
            }
        }
        if !rest.is_empty() {
            self.tell_each(rest);
        }
    }

    /// Adds values one by one, a chunk's at most.
    fn tell_each(&mut self, values: &[[u8; 4]]) {
        /// Every second byte. Two channels are summed up in one number; a chunk's sums fit into 16 bits each.
        const EVEN: u32 = 0x00FF_00FF;
        let (mut candidate, mut lead) = (u32::from_le_bytes(self.candidate), self.lead);
        let (mut even, mut odd) = (0, 0);
        for value in values.iter().map(|&value| u32::from_le_bytes(value)) {
            even += value & EVEN;
            odd += value >> 8 & EVEN;
            // A vote as below, of one ballot.
            if value == candidate {
                lead += 1;
            } else if lead > 0 {
                lead -= 1;
            } else {
                (candidate, lead) = (value, 1);
            }
        }
        (self.candidate, self.lead) = (candidate.to_le_bytes(), lead);
        self.add([even & 0xFFFF, odd & 0xFFFF, even >> 16, odd >> 16]);
    }

    fn add(&mut self, sum: [u32; 4]) {
        for (whole, part) in self.sum.iter_mut().zip(sum) {
            *whole += u64::from(part);
        }
    }

    /// Boyer and Moore's majority vote, `count` equal ballots at once.
    fn vote(&mut self, value: [u8; 4], count: u32) {
        if self.candidate == value {
            self.lead += count;
        } else if self.lead >= count {
            self.lead -= count;
        } else {
            (self.candidate, self.lead) = (value, count - self.lead);
        }
    }

    /// Joins two regions' figures. The larger interior speaks for both.
    pub fn absorb(&mut self, other: &Region) {
        self.bound(other.bounds);
        self.area += other.area;
        if other.interior && !self.interior {
            let (area, bounds) = (self.area, self.bounds);
            *self = Region { area, bounds, ..*other };
        } else if other.interior == self.interior {
            self.weight += other.weight;
            for (sum, v) in self.sum.iter_mut().zip(other.sum) {
                *sum += v;
            }
            self.vote(other.candidate, other.lead);
        }
    }

    /// The color that the region is compared by: the mean of what speaks for it.
    pub fn mean(&self) -> Channels {
        self.sum.map(|s| s as f32 / self.weight.max(1) as f32)
    }

    /// The color that the region is painted in: the exact majority color of its interior where the mean agrees
    /// with it, else the mean. Flat art so comes back in its own colors.
    pub fn fill(&self) -> [u8; 4] {
        const NEAR: f32 = 3.0;
        let mean = self.mean();
        let near = (0..4).all(|c| (mean[c] - f32::from(self.candidate[c])).abs() <= NEAR);
        if near && self.lead > 0 { self.candidate } else { rounded(mean) }
    }

    /// The color in binary mode.
    pub fn black_or_nothing(&self) -> [u8; 4] {
        if self.mean()[3] >= 127.5 { [0, 0, 0, 255] } else { [0; 4] }
    }

    /// Whether the region is of one color, as drawn art is, rather than of similar ones.
    pub fn is_flat(&self) -> bool {
        /// Fewer pixels are alike by chance.
        const FEWEST_PX: u32 = 16;
        self.area >= FEWEST_PX && u64::from(self.lead) * 10 >= u64::from(self.weight) * 9
    }

    pub fn smaller_than(&self, side_px: f32) -> bool {
        let [left, top, right, bottom] = self.bounds;
        (f32::from(right - left) + 1.0) < side_px && (f32::from(bottom - top) + 1.0) < side_px
    }
}

/// Adds the figures of pixels in some rows to those of their regions, by label, but for those that are `known` (none is, of regions
/// beyond).
#[inline(never)]
pub(crate) fn measure(
    pixels: &Pixels,
    (labels, cracks): (&Labels, &Cracks),
    rows: Range<usize>,
    known: &[bool],
    regions: &mut [Region],
) {
    let width = pixels.width;
    for y in rows {
        // Beyond the border a pixel has itself for a neighbor.
        let (up, down) = (y.saturating_sub(1), (y + 1).min(pixels.height - 1));
        let [ids, above, below] = [y, up, down].map(|y| &labels.ids[y * width..(y + 1) * width]);
        let values = &pixels.data[y * width..(y + 1) * width];
        let line = Line { ids, values, above, below, cracks: [y, up].map(|y| cracks.row(y)) };
        let mut start = 0;
        while start < width {
            let end = line.run_end(start);
            if !known.get(ids[start] as usize).is_some_and(|&known| known) {
                let region = &mut regions[ids[start] as usize];
                region.extend(start, y, end - start);
                line.tell(region, start..end);
            }
            start = end;
        }
    }
}

/// A row of pixels.
struct Line<'a> {
    ids: &'a [u32],
    values: &'a [[u8; 4]],
    /// The labels of the pixels above and below.
    above: &'a [u32],
    below: &'a [u32],
    /// What is known of the row's chunks, and of those above.
    cracks: [Row<'a>; 2],
}

impl Line<'_> {
    /// Where the run of pixels with one label ends that begins at `start`.
    fn run_end(&self, start: usize) -> usize {
        let label = self.ids[start];
        let mut end = start + 1;
        while end < self.ids.len() && self.ids[end] == label {
            // A chunk without cracks has the label of the pixel beyond, too.
            end +=
                if end.is_multiple_of(CHUNK) { (CHUNK * self.cracks[0].quiet_from(end)).max(1) } else { 1 };
        }
        end
    }

    /// Tells the region of a run which values it has, stretch by stretch: in its interior a pixel has its own region on all sides.
    fn tell(&self, region: &mut Region, run: Range<usize>) {
        let label = self.ids[run.start];
        let first = run.start + usize::from(run.start > 0);
        let last = run.end - usize::from(run.end < self.ids.len());
        if first >= last {
            return region.tell(&self.values[run], false);
        }
        region.tell(&self.values[run.start..first], false);
        let mut start = first;
        while start < last {
            let (end, interior) = self.stretch(label, start..last);
            region.tell(&self.values[start..end], interior);
            start = end;
        }
        region.tell(&self.values[last..run.end], false);
    }

    /// The next stretch of a run that has its label above and below, or has not.
    fn stretch(&self, label: u32, within: Range<usize>) -> (usize, bool) {
        let is_enclosed = |x: usize| self.above[x] == label && self.below[x] == label;
        let interior = is_enclosed(within.start);
        let mut end = within.start + 1;
        while end < within.end {
            let quiet = if interior && end.is_multiple_of(CHUNK) { self.enclosed_chunks(end) } else { 0 };
            if quiet > 0 {
                end += CHUNK * quiet;
            } else if is_enclosed(end) == interior {
                end += 1;
            } else {
                break;
            }
        }
        (end.min(within.end), interior)
    }

    /// How many chunks from the one that begins at `x` on have their label above and below.
    fn enclosed_chunks(&self, x: usize) -> usize {
        let [here, above] = self.cracks;
        here.quiet_from(x).min(above.quiet_from(x))
    }
}
