use std::ops::Range;

use super::pixel_steps::{PixelSteps, onward_steps, within};
use super::region_sums::ColorSums;
use crate::algorithms::{CHUNK, DisjointSets, differing_bits, has_change, run_end, set_bits, splat_chunk};
use crate::api::{ProgressMeter, Stage, Stopped};
use crate::color::ColorMetric;
use crate::raster::{Labels, Pixels, WORD};

/// What is done about a pixel in a round, in the units of [`ProgressMeter`].
const GROWING_PIXEL_UNITS: usize = 4;

/// Neighbors join in so many rounds, each with steps larger than the one before.
const GROWING_ROUNDS: usize = 4;

/// Joins pixels into regions of one color: neighbors, those that differ least first, each pair only while the *means* of the two
/// regions belong to one layer, so that a smooth ramp is cut into bands instead of running together.
///
/// Linear in pixels: each round goes through the picture once, in row order.
pub(crate) fn segment(
    pixels: &Pixels,
    metric: &ColorMetric,
    meter: &mut ProgressMeter<'_>,
) -> Result<Segments, Stopped> {
    meter.begin(Stage::Segment, GROWING_ROUNDS * GROWING_PIXEL_UNITS * pixels.data.len())?;
    let mut grower = RegionGrower::new(metric, pixels);
    let (ids, waiting) = grower.grown(pixels, meter)?;
    for round in 1..GROWING_ROUNDS {
        grower.join_neighbors(pixels, &ids, (&waiting, round), meter)?;
    }
    let RegionGrower { sets, mut sums, .. } = grower;
    drop(waiting);
    let groups = sets.into_labels();
    groups.keep_first_of_each(&mut sums);
    Ok(Segments { labels: Labels { count: groups.ids.len(), ids }, groups, sums })
}

/// Which region each pixel belongs to.
pub(crate) struct Segments {
    /// Parts of regions, yet to be regrouped: by whoever goes through them next.
    pub labels: Labels,
    /// The region of each.
    pub groups: Labels,
    /// Of each region.
    pub sums: Vec<ColorSums>,
}

/// Regions that grow.
struct RegionGrower<'a> {
    metric: &'a ColorMetric,
    /// As many sets there may be.
    pixels: usize,
    sets: DisjointSets,
    /// Of each set's root.
    sums: Vec<ColorSums>,
    /// The steps over which neighbors join in each round.
    rounds: [Range<u16>; GROWING_ROUNDS],
}

/// The region that the pixels at hand join.
struct GrowingRun {
    region: u32,
    /// An element above that is known to be of its set, or `NO_ELEMENT`.
    known: u32,
}

/// No element of any set.
const NO_ELEMENT: u32 = u32::MAX;

/// For each round, a bit for each chunk of each row: whether one of its pixels has a step to the right or down that is that round's.
/// Rows begin at words.
type PendingChunks = [Vec<u64>; GROWING_ROUNDS];

impl<'a> RegionGrower<'a> {
    fn new(metric: &'a ColorMetric, pixels: &Pixels) -> Self {
        /// So many pixels a set, on average, few pictures fall short of.
        const PIXELS_PER_SET: usize = 4;
        let pixels = pixels.data.len();
        let room = pixels / PIXELS_PER_SET;
        let largest = |round: usize| (metric.largest_joining_step() as usize * round / GROWING_ROUNDS) as u16;
        RegionGrower {
            metric,
            pixels,
            sets: DisjointSets(Vec::with_capacity(room)),
            sums: Vec::with_capacity(room),
            rounds: std::array::from_fn(
                |round| if round == 0 { 0 } else { largest(round) + 1 }..largest(round + 1) + 1,
            ),
        }
    }

    /// The first round. Gives for each pixel an element of its set; there are as many as pixels that differed from both neighbors.
    fn grown(
        &mut self,
        pixels: &Pixels,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(Vec<u32>, PendingChunks), Stopped> {
        let width = pixels.width;
        let words = width.div_ceil(CHUNK * WORD);
        let mut steps = PixelSteps::of_width(width);
        let mut ids = Vec::with_capacity(pixels.data.len());
        let blank = vec![0; width];
        let mut waiting = std::array::from_fn(|_| vec![0; words * pixels.height]);
        let mut above: Option<&[[u8; 4]]> = None;
        for (y, values) in pixels.data.chunks_exact(width).enumerate() {
            meter.advance(GROWING_PIXEL_UNITS * width)?;
            steps.write(values, above);
            self.tell_waiting(&steps, [y, y.saturating_sub(1)].map(|y| y * words), &mut waiting);
            ids.extend_from_slice(&blank);
            let (above_ids, row) = ids.split_at_mut(y * width);
            self.grow(values, &steps, &above_ids[y.saturating_sub(1) * width..], row);
            above = Some(values);
        }
        Ok((ids, waiting))
    }

    /// Tells what waits in a row, and in the row above it. `row` and `above`: by their first words.
    fn tell_waiting(&self, steps: &PixelSteps, [row, above]: [usize; 2], waiting: &mut PendingChunks) {
        for chunk in steps.loud_chunks() {
            let [_, right, up] = steps.chunk(chunk);
            let later = self.rounds[1].start..self.rounds[GROWING_ROUNDS - 1].end;
            // Along most edges steps are larger.
            if within(&later, right) | within(&later, up) != 0 {
                self.tell_chunk_waiting(right, (row, chunk), waiting);
                self.tell_chunk_waiting(up, (above, chunk), waiting);
            }
            if let Some(before) = chunk.checked_sub(1).filter(|&before| !steps.is_loud(before)) {
                self.tell_chunk_waiting(steps.chunk(before)[1], (row, before), waiting);
            }
        }
    }

    /// Tells in which rounds a chunk waits, if these are steps of its pixels.
    #[inline(never)]
    fn tell_chunk_waiting(
        &self,
        steps: &[u16; CHUNK],
        (row, chunk): (usize, usize),
        waiting: &mut PendingChunks,
    ) {
        if within(&(self.rounds[1].start..self.rounds[GROWING_ROUNDS - 1].end), steps) != 0 {
            for (range, waiting) in self.rounds[1..].iter().zip(&mut waiting[1..]) {
                let waits = within(range, steps) != 0;
                waiting[row + chunk / WORD] |= u64::from(waits) << (chunk % WORD);
            }
        }
    }

    /// Finds the regions of a row's pixels; `above` are those of the row above it.
    fn grow(&mut self, values: &[[u8; 4]], steps: &PixelSteps, above: &[u32], row: &mut [u32]) {
        let mut run = GrowingRun { region: 0, known: NO_ELEMENT };
        let mut start = 0;
        while start < row.len() {
            let quiet = steps.quiet_from(start);
            if quiet > 0 && self.sets.find(above[start]) == run.region {
                let count = run_end(&above[..start + quiet], start) - start;
                let count = count - count % CHUNK;
                self.tell(run.region, &values[start..start + count]);
                row[start..start + count].fill(run.region);
                start += count;
            }
            let end = (start + CHUNK).min(row.len());
            if start < end {
                let above = above.get(start..).unwrap_or_default();
                self.grow_chunk(
                    &mut run,
                    &values[start..end],
                    steps.chunk(start / CHUNK),
                    (above, &mut row[start..]),
                );
            }
            start = end;
        }
    }

    /// The same for a chunk's pixels; each is of the run at hand, but where it differs from the one before it, or may join a region above
    /// that the run has not joined. Only these are looked at.
    fn grow_chunk(
        &mut self,
        run: &mut GrowingRun,
        values: &[[u8; 4]],
        [left, _, up]: [&[u16; CHUNK]; 3],
        (above, row): (&[u32], &mut [u32]),
    ) {
        let largest = self.rounds[0].end - 1;
        let begins = !within(&(0..1), left);
        let meets = within(&self.rounds[0], up);
        let meets_anew =
            meets & (differing_bits(above, above.get(1..).unwrap_or_default()) << 1 | !(meets << 1) | 1);
        fill_chunk(row, run.region);
        // The equal pixels that the region has not yet been told of begin here.
        let mut untold = 0;
        let mut left_over = u32::MAX >> (32 - values.len());
        loop {
            let places = left_over & (begins | if run.known == NO_ELEMENT { meets } else { meets_anew });
            let k = places.trailing_zeros() as usize;
            if places == 0 {
                break;
            }
            left_over &= u32::MAX << 1 << k;
            let above = above.get(k).copied().unwrap_or_default();
            if left[k] == 0 && above == run.known {
                continue;
            }
            self.tell(run.region, &values[untold..k]);
            untold = k;
            let root = if up[k] > largest { NO_ELEMENT } else { self.sets.find(above) };
            run.region = self.region([(root, up[k]), (run.region, left[k])], largest, &values[k]);
            run.known = if root == run.region { above } else { NO_ELEMENT };
            fill_chunk(&mut row[k..], run.region);
        }
        self.tell(run.region, &values[untold..]);
    }

    /// Adds equal pixels, if any, to what is known of a region.
    fn tell(&mut self, region: u32, values: &[[u8; 4]]) {
        if let Some(value) = values.first() {
            self.sums[region as usize].add(value, values.len() as i32);
        }
    }

    /// The region that a pixel joins, of those above it and on its left, each with the step from there, or a new one.
    fn region(&mut self, [(above, up), (left, step)]: [(u32, u16); 2], largest: u16, value: &[u8; 4]) -> u32 {
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
    fn takes(&self, region: u32, step: u16, value: &[u8; 4]) -> bool {
        let value = || value.each_ref().map(|&v| f32::from(v));
        step == 0 || self.metric.same_band(self.sums[region as usize].mean(), value(), step)
    }

    // Called, for its callers are several: it would be in the module as often.
    #[inline(never)]
    fn begun(&mut self) -> u32 {
        if self.sums.len() == self.sums.capacity() {
            // Doubled room would be too much in a large picture.
            self.sums.reserve_exact(self.pixels - self.sums.len());
            self.sets.0.reserve_exact(self.pixels - self.sets.0.len());
        }
        self.sums.push(ColorSums::default());
        self.sets.begin()
    }

    /// Joins two regions, known by their roots, whose means agree.
    #[inline(never)]
    fn joined(&mut self, a: u32, b: u32) -> Option<u32> {
        let (sa, sb) = (self.sums[a as usize], self.sums[b as usize]);
        self.metric.same_layer(sa.mean(), sb.mean()).then(|| {
            let root = self.sets.link(a, b);
            self.sums[root as usize] = sa.and(&sb);
            root
        })
    }

    /// Another round: joins neighbors whose steps are within a range.
    fn join_neighbors(
        &mut self,
        pixels: &Pixels,
        ids: &[u32],
        (waiting, round): (&PendingChunks, usize),
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let width = pixels.width;
        let waiting = waiting[round].chunks_exact(width.div_ceil(CHUNK * WORD));
        for (first, waiting) in (0..ids.len()).step_by(width).zip(waiting) {
            meter.advance(GROWING_PIXEL_UNITS * width)?;
            let row = &ids[first..first + width];
            let below = ids.get(first + width..first + 2 * width).unwrap_or(row);
            let chunks = (0..)
                .step_by(WORD)
                .zip(waiting)
                .flat_map(|(k, &word)| set_bits(word).map(move |bit| k + bit));
            for start in chunks.map(|chunk| chunk * CHUNK) {
                if has_change(&row[start..], &below[start..]) {
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
        for k in set_bits((right | down).into()) {
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

/// Writes a chunk of labels; what comes after the run is written over.
fn fill_chunk(row: &mut [u32], label: u32) {
    match row.first_chunk_mut::<CHUNK>() {
        Some(chunk) => *chunk = splat_chunk(label),
        None => row.fill(label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(width: usize, values: &[u8]) -> Labels {
        let data: Vec<[u8; 4]> = values.iter().map(|&v| [v, v, v, 255]).collect();
        let pixels = Pixels { width, height: data.len() / width, data: &mut data.clone() };
        let metric = ColorMetric::new(&crate::api::Options::default());
        let Segments { mut labels, groups, .. } =
            segment(&pixels, &metric, &mut ProgressMeter::idle()).unwrap();
        groups.apply_to(&mut labels.ids);
        Labels { count: groups.count, ..labels }
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
