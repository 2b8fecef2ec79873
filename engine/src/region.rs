use crate::pixels::{Channels, Pixels};
use crate::runs::{CHUNK, run_end};
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
    const EMPTY: Region = Region {
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
        let (mut sum, mut start) = ([0u32; 4], 0);
        while start < values.len() {
            let (end, value) = (run_end(values, start), values[start]);
            let count = (end - start) as u32;
            sum = std::array::from_fn(|c| sum[c] + u32::from(value[c]) * count);
            self.vote(value, count);
            start = end;
        }
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
        if near && self.lead > 0 { self.candidate } else { mean.map(|v| (v + 0.5) as u8) }
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

/// Figures of every region, by label.
pub(crate) fn measure(pixels: &Pixels, labels: &Labels) -> Vec<Region> {
    let mut regions = vec![Region::EMPTY; labels.count];
    let width = pixels.width;
    let rows = labels.ids.chunks_exact(width).collect::<Vec<_>>();
    for (y, values) in pixels.data.chunks_exact(width).enumerate() {
        let row = rows[y];
        // Beyond the border a pixel has itself for a neighbor.
        let (above, below) = (rows[y.saturating_sub(1)], rows[(y + 1).min(rows.len() - 1)]);
        let mut start = 0;
        while start < width {
            let end = run_end(row, start);
            let region = &mut regions[row[start] as usize];
            region.extend(start, y, end - start);
            let is_cut = [start > 0, end < width];
            let stretch = start..end;
            let run = Run {
                values: &values[stretch.clone()],
                above: &above[stretch.clone()],
                below: &below[stretch],
                is_cut,
            };
            run.tell(row[start], region);
            start = end;
        }
    }
    regions
}

/// Neighboring pixels of a row with the same label.
struct Run<'a> {
    values: &'a [[u8; 4]],
    /// The labels of the pixels above and below.
    above: &'a [u32],
    below: &'a [u32],
    /// Whether another region lies at the left and at the right end.
    is_cut: [bool; 2],
}

impl Run<'_> {
    /// Tells the region of that label which values it has, stretch by stretch: in its interior a pixel has its own region on all sides.
    fn tell(&self, label: u32, region: &mut Region) {
        let [first, last] = [usize::from(self.is_cut[0]), self.values.len() - usize::from(self.is_cut[1])];
        let is_enclosed = |x: usize| self.above[x] == label && self.below[x] == label;
        if first >= last {
            return region.tell(self.values, false);
        }
        region.tell(&self.values[..first], false);
        let mut start = first;
        while start < last {
            let interior = is_enclosed(start);
            let mut end = start + 1;
            if interior {
                end += enclosed_ahead([&self.above[end..last], &self.below[end..last]], label);
            }
            while end < last && is_enclosed(end) == interior {
                end += 1;
            }
            region.tell(&self.values[start..end], interior);
            start = end;
        }
        region.tell(&self.values[last..], false);
    }
}

/// How many of the next pixels have the label above and below, as far as whole chunks tell.
fn enclosed_ahead(rows: [&[u32]; 2], label: u32) -> usize {
    let [above, below] = rows.map(|row| row.as_chunks::<CHUNK>().0);
    let is_enclosed = |k: &usize| {
        (0..CHUNK).fold(true, |alike, x| alike & (above[*k][x] == label) & (below[*k][x] == label))
    };
    CHUNK * (0..above.len()).take_while(is_enclosed).count()
}
