//! Statistics of a region: area, bounds, mean color, majority color. Takes pixels and a partition, gives a [`Region`] for each label.
//!
//! The majority color comes from the vote of R. S. Boyer and J S. Moore, "MJRTY: A Fast Majority Vote Algorithm", 1991, in one pass.
//! Pixels are passed over by runs of one label, 16 at a time where they have the candidate's color.

use std::ops::Range;

use crate::algorithms::{CHUNK, EVEN_BYTES, is_uniform};
use crate::color::{Channels, PremultipliedColor};
use crate::raster::{Cracks, Partition, Pixels, SideBits, WORD, next_set_bit};

/// Fewest pixels whose common color is taken for drawn; fewer may be equal by chance.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const FLAT_FEWEST_PX: u32 = 16;

/// Share of the lead in all votes from which a region is flat, as a fraction: a lead of 9/10 means that 19 of 20 pixels are equal.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const FLAT_LEAD: [u64; 2] = [9, 10];

/// A majority color fills a region if its lead is at least this part of all votes, one in so many: three of four
/// pixels are equal.
///
/// Unit: count. Source: tuned on drawings: before this rule, absorbed speckles tinted the fills of flat regions.
const FILL_LEAD_ONE_IN: u32 = 2;

/// The statistics of one region's pixels.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    /// Channel sums over the interior pixels, or over all pixels if there is no interior.
    sum: [u64; 4],
    /// Number of pixels in `sum`.
    weight: u32,
    pub area: u32,
    /// Inclusive pixel bounds: left, top, right, bottom.
    bounds: [u16; 4],
    /// Candidate of the majority vote over the pixels in `sum`, and its lead.
    candidate: [u8; 4],
    lead: u32,
    /// Whether the region has an interior: pixels surrounded by its own.
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

    /// Adds the area and bounds of `count` adjacent pixels of row `y`, from column `left` on.
    fn extend(&mut self, left: usize, y: usize, count: usize) {
        self.area += count as u32;
        let bounds = [left, y, left + count - 1, y].map(|v| v as u16);
        self.bound(bounds);
    }

    fn bound(&mut self, other: [u16; 4]) {
        let [left, top, right, bottom] = self.bounds;
        self.bounds = [left.min(other[0]), top.min(other[1]), right.max(other[2]), bottom.max(other[3])];
    }

    /// Adds the colors of adjacent pixels, all of them interior or none. Edge pixels, which may be mixed, count only as long as the
    /// region has no interior.
    fn add_colors(&mut self, values: &[[u8; 4]], interior: bool) {
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
                self.add_candidates(count);
                left = &left[count..];
            } else {
                self.add_each(&left[..CHUNK]);
                left = &left[CHUNK..];
            }
        }
        // The last whole chunk overlaps with those before.
        if values.last_chunk().is_some_and(|chunk| is_uniform(chunk, self.candidate)) {
            self.add_candidates(left.len());
        } else {
            self.add_each(left);
        }
    }

    /// Adds `count` pixels of the candidate's color.
    fn add_candidates(&mut self, count: usize) {
        self.lead += count as u32;
        self.add_sum(self.candidate.map(|v| u32::from(v) * count as u32));
    }

    /// Adds at most a chunk of pixels one by one.
    fn add_each(&mut self, values: &[[u8; 4]]) {
        // Two channels share one number: the sums of a chunk fit into 16 bits each.
        let (mut candidate, mut lead) = (u32::from_le_bytes(self.candidate), self.lead);
        let (mut even, mut odd) = (0, 0);
        for value in values.iter().map(|&value| u32::from_le_bytes(value)) {
            even += value & EVEN_BYTES;
            odd += value >> 8 & EVEN_BYTES;
            // As `vote`, for one ballot and without a branch, which a ramp would make unpredictable.
            candidate = if lead == 0 { value } else { candidate };
            lead = lead + 2 * u32::from(value == candidate) - 1;
        }
        (self.candidate, self.lead) = (candidate.to_le_bytes(), lead);
        self.add_sum([even & 0xFFFF, odd & 0xFFFF, even >> 16, odd >> 16]);
    }

    fn add_sum(&mut self, sum: [u32; 4]) {
        for (whole, part) in self.sum.iter_mut().zip(sum) {
            *whole += u64::from(part);
        }
    }

    /// Boyer and Moore's majority vote, for `count` equal ballots at once.
    fn vote(&mut self, value: [u8; 4], count: u32) {
        if self.candidate == value {
            self.lead += count;
        } else if self.lead >= count {
            self.lead -= count;
        } else {
            (self.candidate, self.lead) = (value, count - self.lead);
        }
    }

    /// Adds the statistics of another region. If one of the two alone has an interior, its colors stand for both.
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

    /// The color that the region is compared by: the mean of its interior, or of all its pixels if it has no interior.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn mean(&self) -> Channels {
        self.sum.map(|s| s as f32 / self.weight.max(1) as f32)
    }

    /// The fill: the majority color of the interior if that has a clear lead, else the mean. So flat art keeps its exact colors, whatever
    /// speckles were absorbed. Full transparency needs no clear lead: it takes no path, and the mean would veil all of it.
    pub fn fill(&self) -> PremultipliedColor {
        let leader = PremultipliedColor(self.candidate);
        let least_lead = if leader.alpha() == 0 { 1 } else { self.weight.div_ceil(FILL_LEAD_ONE_IN) };
        let is_clear = self.weight >= FLAT_FEWEST_PX && self.lead >= least_lead;
        if is_clear { leader } else { PremultipliedColor::nearest(self.mean()) }
    }

    /// The fill in binary mode: black if opacity is at least half.
    pub fn black_or_nothing(&self) -> PremultipliedColor {
        let half_opaque = f32::from(u8::MAX) / 2.0;
        if self.mean()[3] >= half_opaque {
            PremultipliedColor::BLACK
        } else {
            PremultipliedColor::TRANSPARENT
        }
    }

    /// Whether nearly all pixels have one color, as in drawn art.
    pub fn is_flat(&self) -> bool {
        let [numerator, denominator] = FLAT_LEAD;
        self.area >= FLAT_FEWEST_PX
            && u64::from(self.lead) * denominator >= u64::from(self.weight) * numerator
    }

    /// Inclusive pixel bounds: left, top, right, bottom.
    pub fn bounds(&self) -> [u16; 4] {
        self.bounds
    }

    /// Whether both sides of the bounds are shorter than `side_px`.
    pub fn smaller_than(&self, side_px: f32) -> bool {
        let [left, top, right, bottom] = self.bounds;
        (f32::from(right - left) + 1.0) < side_px && (f32::from(bottom - top) + 1.0) < side_px
    }
}

/// What the statistics of regions are taken from.
pub(crate) struct RegionMeasurement<'a> {
    pub pixels: &'a Pixels<'a>,
    pub partition: &'a Partition,
    /// The regions to measure; those beyond its end are measured too.
    pub stale: &'a [bool],
}

impl RegionMeasurement<'_> {
    /// Adds the pixels of some rows to the statistics of their regions, by label.
    #[inline(never)]
    pub fn add_rows(&self, rows: Range<usize>, regions: &mut [Region]) {
        let RegionMeasurement { pixels, partition: Partition { labels, cracks }, stale } = *self;
        let width = pixels.width;
        let mut edge_bits = EdgeBits::of_width(width);
        let mut runs = Vec::new();
        for y in rows {
            edge_bits.go_to(y, cracks);
            let row = y * width..(y + 1) * width;
            let (ids, values) = (&labels.ids[row.clone()], &pixels.data[row]);
            // All labels of the row first: in a large image each is a cache miss, and so the misses overlap.
            runs.clear();
            cracks.for_each_run(y, |run| runs.push((ids[run.start], run.end as u32)));
            let mut start = 0;
            for &(id, end) in &runs {
                let (id, run) = (id as usize, start..end as usize);
                start = run.end;
                if stale.get(id).is_none_or(|&stale| stale) {
                    let region = &mut regions[id];
                    region.extend(run.start, y, run.len());
                    edge_bits.add_run(region, values, run);
                }
            }
        }
    }
}

/// One bit for each pixel of a row: whether another region lies on any of its sides.
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

    /// Adds the colors of a run to its region, in stretches of interior pixels and of edge pixels.
    fn add_run(&self, region: &mut Region, values: &[[u8; 4]], run: Range<usize>) {
        let mut start = run.start;
        loop {
            if region.interior {
                // Its edge pixels no longer count.
                start = next_set_bit(&self.edge, start, u64::MAX);
            }
            if start >= run.end {
                return;
            }
            let is_edge = self.edge[start / WORD] >> (start % WORD) & 1 == 1;
            let end = next_set_bit(&self.edge, start, if is_edge { u64::MAX } else { 0 }).min(run.end);
            region.add_colors(&values[start..end], !is_edge);
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fill of a region with some pixels of one color, and twelve shades of gray.
    fn fill(color: [u8; 4], count: usize) -> [u8; 4] {
        let shades = (1..=12).map(|level| [level; 4]);
        let values: Vec<_> = std::iter::repeat_n(color, count).chain(shades).collect();
        let mut region = Region::EMPTY;
        region.add_colors(&values, true);
        region.fill().0
    }

    #[test]
    fn the_fill_is_the_color_of_three_pixels_in_four() {
        assert_eq!(fill([20; 4], 36), [20; 4]);
        assert_ne!(fill([20; 4], 20), [20; 4]);
    }

    #[test]
    fn where_most_pixels_show_nothing_nothing_is_drawn() {
        assert_eq!(fill([0; 4], 20), [0; 4]);
        assert_eq!(fill([0; 4], 4), [5; 4], "the mean of few such pixels and of what is seen");
    }
}
