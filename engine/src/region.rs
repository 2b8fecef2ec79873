use crate::pixels::{Channels, Pixels};
use crate::runs::CHUNK;
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

    fn add(&mut self, run: &Run) {
        self.area += run.count;
        let [left, top, right, bottom] = self.bounds;
        let (first, last, y) = (run.x as u16, (run.x + run.count - 1) as u16, run.y as u16);
        self.bounds = [left.min(first), top.min(y), right.max(last), bottom.max(y)];
        if run.interior && !self.interior {
            (self.interior, self.sum, self.weight, self.lead) = (true, [0; 4], 0, 0);
        }
        if run.interior == self.interior {
            self.weight += run.count;
            for (sum, v) in self.sum.iter_mut().zip(run.value) {
                *sum += u64::from(v) * u64::from(run.count);
            }
            self.vote(run.value, run.count);
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

/// Neighboring pixels of a row with the same label and value, all in the interior of their region or none.
struct Run {
    x: u32,
    y: u32,
    count: u32,
    value: [u8; 4],
    interior: bool,
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
        let mut x = 0;
        while x < width {
            let (id, value, start) = (row[x], values[x], x);
            let same_rows = |x: usize| above[x] == id && below[x] == id;
            let enclosed = same_rows(x);
            x += 1;
            // In photographs the next pixel is another color already.
            if enclosed && values.get(x) == Some(&value) {
                let rows = [&row[x..], &above[x..], &below[x..]];
                x += enclosed_ahead(rows, id, &values[x..], value);
            }
            while x < width && row[x] == id && values[x] == value && same_rows(x) == enclosed {
                x += 1;
            }
            add_run(
                &mut regions[id as usize],
                row,
                &Run { x: start as u32, y: y as u32, count: (x - start) as u32, value, interior: enclosed },
            );
        }
    }
    regions
}

/// How many of the next pixels are alike, with the same label above and below, as far as whole chunks tell.
fn enclosed_ahead(rows: [&[u32]; 3], id: u32, values: &[[u8; 4]], value: [u8; 4]) -> usize {
    let [row, above, below] = rows.map(|row| row.as_chunks::<CHUNK>().0);
    let values = values.as_chunks::<CHUNK>().0;
    let alike = |&k: &usize| {
        (0..CHUNK).fold(true, |alike, x| {
            let enclosed = (row[k][x] == id) & (above[k][x] == id) & (below[k][x] == id);
            alike & enclosed & (values[k][x] == value)
        })
    };
    CHUNK * (0..row.len()).take_while(alike).count()
}

/// Adds a run; its ends are no interior where another region lies beside them.
fn add_run(region: &mut Region, row: &[u32], run: &Run) {
    let (start, end) = (run.x as usize, run.x as usize + run.count as usize);
    let id = row[start];
    let cut_left = run.interior && start > 0 && row[start - 1] != id;
    let cut_right = run.interior && end < row.len() && row[end] != id && !(cut_left && run.count == 1);
    let edge = |x: u32| Run { x, count: 1, interior: false, ..*run };
    if cut_left {
        region.add(&edge(run.x));
    }
    let count = run.count - u32::from(cut_left) - u32::from(cut_right);
    if count > 0 {
        region.add(&Run { x: run.x + u32::from(cut_left), count, ..*run });
    }
    if cut_right {
        region.add(&edge(end as u32 - 1));
    }
}
