use std::ops::Range;

use crate::algorithms::{CHUNK, EVEN_BYTES, is_uniform};
use crate::color::{Channels, rounded};
use crate::raster::{Cracks, Labels, Pixels, SideBits, WORD, next_place};

/// Fewer pixels are alike by chance.
const FEWEST_PX: u32 = 16;

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
        let mut left = values;
        while left.len() >= CHUNK {
            let chunks = left.as_chunks::<CHUNK>().0;
            let count = CHUNK * chunks.iter().take_while(|chunk| is_uniform(chunk, self.candidate)).count();
            if count > 0 {
                self.tell_own(count);
                left = &left[count..];
            } else {
                self.tell_each(&left[..CHUNK]);
                left = &left[CHUNK..];
            }
        }
        // The last whole chunk overlaps with those before.
        if values.last_chunk().is_some_and(|chunk| is_uniform(chunk, self.candidate)) {
            self.tell_own(left.len());
        } else {
            self.tell_each(left);
        }
    }

    /// Adds so many values that are the candidate's.
    fn tell_own(&mut self, count: usize) {
        self.lead += count as u32;
        self.add(self.candidate.map(|v| u32::from(v) * count as u32));
    }

    /// Adds values one by one, a chunk's at most.
    fn tell_each(&mut self, values: &[[u8; 4]]) {
        // Two channels are summed up in one number; a chunk's sums fit into 16 bits each.
        let (mut candidate, mut lead) = (u32::from_le_bytes(self.candidate), self.lead);
        let (mut even, mut odd) = (0, 0);
        for value in values.iter().map(|&value| u32::from_le_bytes(value)) {
            even += value & EVEN_BYTES;
            odd += value >> 8 & EVEN_BYTES;
            // A vote as below, of one ballot. Whether it agrees is no branch: on a ramp that is foreseen badly.
            candidate = if lead == 0 { value } else { candidate };
            lead = lead + 2 * u32::from(value == candidate) - 1;
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

    /// The color that the region is painted in: the exact majority color of its interior where that has a clear lead or the mean
    /// agrees with it, else the mean. Flat art so comes back in its own colors, whatever speckles were absorbed.
    pub fn fill(&self) -> [u8; 4] {
        const NEAR_PX: f32 = 3.0;
        let mean = self.mean();
        let is_near = || (0..4).all(|c| (mean[c] - f32::from(self.candidate[c])).abs() <= NEAR_PX);
        let is_clear = || self.weight >= FEWEST_PX && u64::from(self.lead) * 2 >= u64::from(self.weight);
        if self.lead > 0 && (is_near() || is_clear()) { self.candidate } else { rounded(mean) }
    }

    /// The color in binary mode.
    pub fn black_or_nothing(&self) -> [u8; 4] {
        if self.mean()[3] >= 127.5 { [0, 0, 0, 255] } else { [0; 4] }
    }

    /// Whether the region is of one color, as drawn art is, rather than of similar ones.
    pub fn is_flat(&self) -> bool {
        self.area >= FEWEST_PX && u64::from(self.lead) * 10 >= u64::from(self.weight) * 9
    }

    /// The columns and rows that it lies in: left, top, right, bottom, all of them its own.
    pub fn bounds(&self) -> [u16; 4] {
        self.bounds
    }

    pub fn smaller_than(&self, side_px: f32) -> bool {
        let [left, top, right, bottom] = self.bounds;
        (f32::from(right - left) + 1.0) < side_px && (f32::from(bottom - top) + 1.0) < side_px
    }
}

/// Adds the figures of pixels in some rows to those of their regions, by label, but for those that are `known` (none is, of regions
/// beyond).
#[inline(never)]
pub(crate) fn measure_regions(
    pixels: &Pixels,
    (labels, cracks): (&Labels, &Cracks),
    rows: Range<usize>,
    known: &[bool],
    regions: &mut [Region],
) {
    let width = pixels.width;
    let mut line = EdgeBits::of_width(width);
    let mut runs = Vec::new();
    for y in rows {
        line.go_to(y, cracks);
        let row = y * width..(y + 1) * width;
        let (ids, values) = (&labels.ids[row.clone()], &pixels.data[row]);
        // All labels first: in a large picture, each has to be waited for, but so not one after the other.
        runs.clear();
        cracks.for_each_run(y, |run| runs.push((ids[run.start], run.end as u32)));
        let mut start = 0;
        for &(id, end) in &runs {
            let (id, run) = (id as usize, start..end as usize);
            start = run.end;
            if !known.get(id).is_some_and(|&known| known) {
                let region = &mut regions[id];
                region.extend(run.start, y, run.len());
                line.tell(region, values, run);
            }
        }
    }
}

/// Of a row's pixels, a bit for each: whether it has another region on any of its sides.
struct EdgeBits {
    edge: Vec<u64>,
}

impl EdgeBits {
    fn of_width(width: usize) -> Self {
        EdgeBits { edge: vec![0; width.div_ceil(WORD)] }
    }

    fn go_to(&mut self, y: usize, cracks: &Cracks) {
        let above = y.checked_sub(1).map(|above| cracks.row(above)).unwrap_or_default();
        let mut right_before = 0;
        for (k, &SideBits { right, below }) in cracks.row(y).iter().enumerate() {
            let left = right << 1 | right_before >> (WORD - 1);
            self.edge[k] = left | right | above.get(k).map_or(0, |above| above.below) | below;
            right_before = right;
        }
    }

    /// Tells the region of a run which values it has, stretch by stretch: in its interior a pixel has its own region on all sides.
    fn tell(&self, region: &mut Region, values: &[[u8; 4]], run: Range<usize>) {
        let mut start = run.start;
        loop {
            if region.interior {
                // Edges no longer speak for it.
                start = next_place(&self.edge, start, u64::MAX);
            }
            if start >= run.end {
                return;
            }
            let is_edge = self.edge[start / WORD] >> (start % WORD) & 1 == 1;
            let end = next_place(&self.edge, start, if is_edge { u64::MAX } else { 0 }).min(run.end);
            region.tell(&values[start..end], !is_edge);
            start = end;
        }
    }
}
