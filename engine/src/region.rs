use crate::pixels::{Channels, Pixels};
use crate::segment::Labels;

/// What is known of one region's pixels.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    pub area: u64,
    /// Inclusive pixel bounds: left, top, right, bottom.
    pub bounds: [u32; 4],
    /// Channel sums over the interior pixels, or over all where there are none.
    sum: [u64; 4],
    weight: u64,
    interior: bool,
    /// The value that holds the majority of the interior, if any does, and its lead.
    candidate: [u8; 4],
    lead: u64,
}

impl Region {
    const EMPTY: Region = Region {
        area: 0,
        bounds: [u32::MAX, u32::MAX, 0, 0],
        sum: [0; 4],
        weight: 0,
        interior: false,
        candidate: [0; 4],
        lead: 0,
    };

    fn add(&mut self, x: u32, y: u32, value: [u8; 4], interior: bool) {
        self.area += 1;
        let [left, top, right, bottom] = self.bounds;
        self.bounds = [left.min(x), top.min(y), right.max(x), bottom.max(y)];
        if interior && !self.interior {
            (self.interior, self.sum, self.weight, self.lead) = (true, [0; 4], 0, 0);
        }
        if interior == self.interior {
            self.weight += 1;
            for (sum, v) in self.sum.iter_mut().zip(value) {
                *sum += u64::from(v);
            }
            self.vote(value);
        }
    }

    /// Boyer and Moore's majority vote, one step.
    fn vote(&mut self, value: [u8; 4]) {
        if self.lead == 0 {
            self.candidate = value;
        }
        if self.candidate == value {
            self.lead += 1;
        } else {
            self.lead -= 1;
        }
    }

    /// Joins two regions' figures. The larger interior speaks for both.
    pub fn absorb(&mut self, other: &Region) {
        let [l, t, r, b] = other.bounds;
        self.bounds =
            [self.bounds[0].min(l), self.bounds[1].min(t), self.bounds[2].max(r), self.bounds[3].max(b)];
        self.area += other.area;
        if other.interior && !self.interior {
            let (area, bounds) = (self.area, self.bounds);
            *self = Region { area, bounds, ..*other };
        } else if other.interior == self.interior {
            self.weight += other.weight;
            for (sum, v) in self.sum.iter_mut().zip(other.sum) {
                *sum += v;
            }
            if other.candidate == self.candidate {
                self.lead += other.lead;
            } else if other.lead > self.lead {
                (self.candidate, self.lead) = (other.candidate, other.lead - self.lead);
            } else {
                self.lead -= other.lead;
            }
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

    pub fn smaller_than(&self, side_px: f32) -> bool {
        let [left, top, right, bottom] = self.bounds;
        ((right - left + 1) as f32) < side_px && ((bottom - top + 1) as f32) < side_px
    }
}

/// Figures of every region, by label.
pub(crate) fn measure(pixels: &Pixels, labels: &Labels) -> Vec<Region> {
    let mut regions = vec![Region::EMPTY; labels.count];
    let (width, height, ids) = (pixels.width, pixels.height, &labels.ids);
    for y in 0..height {
        for x in 0..width {
            let i = y * width + x;
            let id = ids[i];
            let interior = (x == 0 || ids[i - 1] == id)
                && (x + 1 == width || ids[i + 1] == id)
                && (y == 0 || ids[i - width] == id)
                && (y + 1 == height || ids[i + width] == id);
            regions[id as usize].add(x as u32, y as u32, pixels.data[i], interior);
        }
    }
    regions
}
