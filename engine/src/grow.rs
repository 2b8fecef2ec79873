use std::ops::Range;

use wide::{f32x4, i32x4};

use crate::pixels::{Channels, ColorMetric, Pixels};
use crate::runs::{CHUNK, changes, ones, run_end};
use crate::segment::{DisjointSets, Labels};
use crate::step::{NO_STEP, Steps, within, write_steps};
use crate::watch::{Stage, Stopped, Watch};

/// What is done about a pixel in a round, in the units of [`Watch`].
const PIXEL_UNITS: usize = 4;

/// Neighbors join in so many rounds, each with steps larger than the one before.
const ROUNDS: usize = 4;

/// Joins pixels into regions of one color: neighbors, those that differ least first, each pair only while the *means* of the two
/// regions belong to one layer, so that a smooth ramp is cut into bands instead of running together. Gives with the labels the sums of
/// each region.
///
/// Linear in pixels: each round goes through the picture once, in row order.
pub(crate) fn segment(
    pixels: &Pixels,
    metric: &ColorMetric,
    watch: &mut Watch<'_>,
) -> Result<(Labels, Vec<Sums>), Stopped> {
    watch.begin(Stage::Segment, ROUNDS * PIXEL_UNITS * pixels.data.len())?;
    let mut grower = Grower::new(metric, pixels);
    let (ids, waiting) = grower.grown(pixels, watch)?;
    for round in 1..ROUNDS {
        grower.join_neighbors(pixels, &ids, (&waiting, round), watch)?;
    }
    let Grower { sets, mut sums, .. } = grower;
    drop(waiting);
    let groups = sets.into_labels();
    groups.keep_first_of_each(&mut sums);
    let mut labels = Labels { count: groups.ids.len(), ids };
    labels.regroup(&groups, watch)?;
    Ok((labels, sums))
}

/// Regions that grow.
struct Grower<'a> {
    metric: &'a ColorMetric,
    /// As many sets there may be.
    pixels: usize,
    sets: DisjointSets,
    /// Of each set's root.
    sums: Vec<Sums>,
    /// The steps over which neighbors join in each round after the first.
    rounds: [Range<u16>; ROUNDS],
}

/// For each chunk of each row, a bit for each round in which one of its pixels has a step to the right or down that is that round's.
type Waiting = Vec<u8>;

impl<'a> Grower<'a> {
    fn new(metric: &'a ColorMetric, pixels: &Pixels) -> Self {
        /// So many pixels a set, on average, few pictures fall short of.
        const PIXELS_PER_SET: usize = 4;
        let pixels = pixels.data.len();
        let room = pixels / PIXELS_PER_SET;
        let largest = |round: usize| (metric.largest_joining_step() as usize * round / ROUNDS) as u16;
        Grower {
            metric,
            pixels,
            sets: DisjointSets(Vec::with_capacity(room)),
            sums: Vec::with_capacity(room),
            rounds: std::array::from_fn(|round| largest(round) + 1..largest(round + 1) + 1),
        }
    }

    /// The first round. Gives for each pixel an element of its set; there are as many as pixels that differed from both neighbors.
    fn grown(&mut self, pixels: &Pixels, watch: &mut Watch<'_>) -> Result<(Vec<u32>, Waiting), Stopped> {
        let width = pixels.width;
        let chunks = width.div_ceil(CHUNK);
        let mut steps = Steps::of_width(width);
        let mut ids = vec![0; pixels.data.len()];
        let mut waiting = vec![0; chunks * pixels.height];
        let mut above: Option<&[[u8; 4]]> = None;
        for (y, values) in pixels.data.chunks_exact(width).enumerate() {
            watch.advance(PIXEL_UNITS * width)?;
            steps.write(values, above);
            self.tell_waiting(&steps, &mut waiting[y.saturating_sub(1) * chunks..(y + 1) * chunks]);
            let (above_ids, row) = ids.split_at_mut(y * width);
            self.grow(values, &steps, &above_ids[y.saturating_sub(1) * width..], &mut row[..width]);
            above = Some(values);
        }
        Ok((ids, waiting))
    }

    /// Tells what waits in a row and, above, in the row before it.
    fn tell_waiting(&self, steps: &Steps, waiting: &mut [u8]) {
        let chunks = steps.quiet.len();
        let (above, row) = waiting.split_at_mut(waiting.len() - chunks);
        let rounds = |steps: &[u16; CHUNK]| {
            let bit = |round: usize| u8::from(within(&self.rounds[round], steps) != 0) << round;
            (1..ROUNDS).fold(0, |bits, round| bits | bit(round))
        };
        for chunk in 0..chunks {
            let is_quiet = steps.quiet[chunk];
            let [_, right, up] = steps.chunk(chunk);
            if !is_quiet || right[CHUNK - 1] > 0 {
                row[chunk] = rounds(right);
            }
            if !is_quiet && !above.is_empty() {
                above[chunk] |= rounds(up);
            }
        }
    }

    /// Finds the regions of a row's pixels; `above` are those of the row above it.
    fn grow(&mut self, values: &[[u8; 4]], steps: &Steps, above: &[u32], row: &mut [u32]) {
        /// No element of any set.
        const NONE: u32 = u32::MAX;
        let mut current = 0;
        // An element above that is known to be of the current region's set.
        let mut known = NONE;
        let largest = self.rounds[0].end - 1;
        let mut start = 0;
        while start < row.len() {
            let quiet = steps.quiet_from(start);
            if quiet > 0 && self.sets.find(above[start]) == current {
                let count = run_end(&above[..start + quiet], start) - start;
                let count = count - count % CHUNK;
                self.tell(current, &values[start..start + count]);
                row[start..start + count].fill(current);
                start += count;
            }
            let end = (start + CHUNK).min(row.len());
            // The equal pixels that the current region has not yet been told of.
            let mut untold = start;
            for x in start..end {
                let above = above.get(x).copied().unwrap_or_default();
                let (left, up) = (steps.left[x], steps.up[x]);
                let goes_on = left == 0 && (up > largest || above == known);
                if !goes_on {
                    self.tell(current, &values[untold..x]);
                    untold = x;
                    let root = if up > largest { NONE } else { self.sets.find(above) };
                    current = self.region([(root, up), (current, left)], largest, values[x]);
                    known = if root == current { above } else { NONE };
                }
                row[x] = current;
            }
            self.tell(current, &values[untold..end]);
            start = end;
        }
    }

    /// Adds equal pixels, if any, to what is known of a region.
    fn tell(&mut self, region: u32, values: &[[u8; 4]]) {
        if let Some(&value) = values.first() {
            self.sums[region as usize].add(value, values.len() as i32);
        }
    }

    /// The region that a pixel joins, of those above it and on its left, each with the step from there, or a new one.
    fn region(&mut self, [(above, up), (left, step)]: [(u32, u16); 2], largest: u16, value: [u8; 4]) -> u32 {
        let takes =
            |grower: &Self, region: u32, step: u16| step <= largest && grower.takes(region, step, value);
        if up > largest {
            return if takes(self, left, step) { left } else { self.begun() };
        }
        if above == left && step <= largest {
            return if takes(self, left, step.min(up)) { left } else { self.begun() };
        }
        match (takes(self, above, up), takes(self, left, step)) {
            (true, true) => self.joined(above, left).unwrap_or(if up <= step { above } else { left }),
            (true, false) => above,
            (false, true) => left,
            (false, false) => self.begun(),
        }
    }

    /// Whether a region takes in a pixel that differs by `step` from one of its own; always, if that is equal.
    fn takes(&self, region: u32, step: u16, value: [u8; 4]) -> bool {
        step == 0 || self.metric.same_band(self.sums[region as usize].mean(), value.map(f32::from), step)
    }

    fn begun(&mut self) -> u32 {
        if self.sums.len() == self.sums.capacity() {
            // Doubled room would be too much in a large picture.
            self.sums.reserve_exact(self.pixels - self.sums.len());
            self.sets.0.reserve_exact(self.pixels - self.sets.0.len());
        }
        self.sums.push(Sums { count: 0, sum: [0; 4] });
        self.sets.begin()
    }

    /// Joins two regions whose means agree.
    fn joined(&mut self, a: u32, b: u32) -> Option<u32> {
        let (sa, sb) = (self.sums[a as usize], self.sums[b as usize]);
        self.metric.same_layer(sa.mean(), sb.mean()).then(|| {
            let root = self.sets.union(a, b);
            self.sums[root as usize] = sa.and(&sb);
            root
        })
    }

    /// Another round: joins neighbors whose steps are within a range.
    fn join_neighbors(
        &mut self,
        pixels: &Pixels,
        ids: &[u32],
        (waiting, round): (&Waiting, usize),
        watch: &mut Watch<'_>,
    ) -> Result<(), Stopped> {
        let width = pixels.width;
        let waiting = waiting.chunks_exact(width.div_ceil(CHUNK));
        for (first, waiting) in (0..ids.len()).step_by(width).zip(waiting) {
            watch.advance(PIXEL_UNITS * width)?;
            let row = &ids[first..first + width];
            let below = ids.get(first + width..first + 2 * width).unwrap_or(row);
            for (chunk, waiting) in waiting.iter().enumerate() {
                let start = chunk * CHUNK;
                if waiting >> round & 1 == 1 && changes(&row[start..], &below[start..]) {
                    let onward = onward_steps(pixels, first, start..(start + CHUNK).min(width));
                    self.join_onward(
                        onward.map(|steps| within(&self.rounds[round], &steps)),
                        &row[start..],
                        &below[start..],
                    );
                }
            }
        }
        Ok(())
    }

    /// Joins pixels of a chunk with those on the right and below, where bits say so.
    fn join_onward(&mut self, [right, down]: [u32; 2], row: &[u32], below: &[u32]) {
        for k in ones((right | down).into()) {
            if right >> k & 1 == 1 {
                self.join(row[k], row[k + 1]);
            }
            if down >> k & 1 == 1 {
                self.join(row[k], below[k]);
            }
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        if a != b {
            let (a, b) = (self.sets.find(a), self.sets.find(b));
            if a != b {
                self.joined(a, b);
            }
        }
    }
}

/// The steps of a chunk's pixels to those on their right, and to those below; of which row, by its first pixel.
fn onward_steps(pixels: &Pixels, first: usize, range: Range<usize>) -> [[u16; CHUNK]; 2] {
    let (start, count) = (first + range.start, range.len());
    let here = &pixels.data[start..first + pixels.width];
    let mut steps = [[NO_STEP; CHUNK]; 2];
    let count_right = count.min(here.len() - 1);
    write_steps(here, &here[1..], &mut steps[0][..count_right]);
    let below = start + pixels.width;
    if let Some(below) = pixels.data.get(below..below + count) {
        write_steps(here, below, &mut steps[1][..count]);
    }
    steps
}

/// Pixel count and channel sums of a growing region; of one of millions of pixels so many times less of both that they fit.
#[derive(Clone, Copy)]
pub(crate) struct Sums {
    count: i32,
    sum: [i32; 4],
}

impl Sums {
    pub fn area(&self) -> u32 {
        self.count as u32
    }

    /// To the last bit, once for each region.
    pub fn exact_mean(&self) -> Channels {
        self.sum.map(|sum| (f64::from(sum) / f64::from(self.count)) as f32)
    }

    fn mean(&self) -> Channels {
        (f32x4::from_i32x4(i32x4::new(self.sum)) * f32x4::splat(1.0 / self.count as f32)).to_array()
    }

    fn add(&mut self, value: [u8; 4], count: i32) {
        let sum = (i32x4::new(value.map(i32::from)) * i32x4::splat(count)).to_array();
        *self = self.and(&Sums { count, sum });
    }

    /// Where the sums would outgrow their bits, they are halved; the mean stays.
    fn and(&self, other: &Sums) -> Sums {
        /// Two sums of so many 8-bit values fit into 31 bits.
        const MOST: i32 = 1 << 22;
        let count = self.count + other.count;
        let sum = (i32x4::new(self.sum) + i32x4::new(other.sum)).to_array();
        if count < MOST { Sums { count, sum } } else { Sums { count: count / 2, sum: sum.map(|s| s / 2) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(width: usize, values: &[u8]) -> Labels {
        let data: Vec<[u8; 4]> = values.iter().map(|&v| [v, v, v, 255]).collect();
        let pixels = Pixels { width, height: data.len() / width, data };
        let metric = ColorMetric::new(&crate::Options::default());
        segment(&pixels, &metric, &mut Watch::idle()).unwrap().0
    }

    #[test]
    fn a_long_ramp_is_cut_into_bands() {
        let ramp: Vec<u8> = (0..=255).collect();
        for width in [1, 256] {
            let count = labels(width, &ramp).count;
            assert!((8..=64).contains(&count), "{count}");
        }
    }

    #[test]
    fn regions_that_meet_below_are_one() {
        assert_eq!(labels(3, &[9, 99, 9, 10, 99, 8, 9, 9, 9]).ids, [0, 1, 0, 0, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn neighbors_join_across_chunks() {
        let mut values = vec![50; 5 * (2 * CHUNK + 3)];
        assert_eq!(labels(2 * CHUNK + 3, &values).count, 1);
        values[3 * CHUNK] = 200;
        assert_eq!(labels(2 * CHUNK + 3, &values).count, 2);
    }
}
