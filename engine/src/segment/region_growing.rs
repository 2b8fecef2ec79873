//! Region growing: joins pixels into regions by their mean colors, in four rounds.

use std::ops::Range;

use super::pixel_steps::{ChunkSteps, PixelSteps, onward_steps, steps_within};
use super::region_sums::ColorSums;
use super::segments::Segments;
use crate::algorithms::{
    CHUNK, DisjointSets, differing_bits, fill, has_change, run_end, set_bits, splat_chunk,
};
use crate::api::{ProgressMeter, Stage, Stopped};
use crate::color::ColorMetric;
use crate::raster::{Labels, Pixels, WORD};

/// The work for a pixel in a round, in the units of [`ProgressMeter`].
const GROWING_PIXEL_UNITS: usize = 4;

/// Rounds in which neighbors join, each with larger steps than the one before.
///
/// Unit: count. Source: tuned on drawings: with one, the ringing of a JPEG joins an edge before it joins its surroundings.
const GROWING_ROUNDS: usize = 4;

/// Joins neighboring pixels into regions, those that differ least first, each pair only while the *means* of both regions belong to one
/// layer.
///
/// Linear in pixels: each round goes through the image once, in row order.
pub(crate) fn segment(
    pixels: &Pixels,
    metric: &ColorMetric,
    meter: &mut ProgressMeter<'_>,
) -> Result<Segments, Stopped> {
    meter.begin(Stage::Segment, GROWING_ROUNDS * GROWING_PIXEL_UNITS * pixels.data.len())?;
    let mut grower = RegionGrower::new(metric, pixels);
    let (ids, pending) = grower.grow_all(pixels, meter)?;
    for round in 1..GROWING_ROUNDS {
        grower.join_neighbors(pixels, &ids, &pending, round, meter)?;
    }
    let RegionGrower { sets, mut sums, .. } = grower;
    drop(pending);
    let groups = sets.into_labels();
    groups.keep_first_of_each(&mut sums);
    Ok(Segments { labels: Labels { count: groups.ids.len(), ids }, groups, sums })
}

/// The growing regions.
struct RegionGrower<'a> {
    metric: &'a ColorMetric,
    /// The number of pixels, and so the most sets that can occur.
    pixels: usize,
    sets: DisjointSets,
    /// The color sums of each set, at its root.
    sums: Vec<ColorSums>,
    /// The steps over which neighbors join in each round.
    rounds: [Range<u16>; GROWING_ROUNDS],
}

/// The region of the current pixel.
struct GrowingRun {
    region: u32,
    /// An element of the row above that is known to belong to the same set, or [`NO_ELEMENT`].
    known: u32,
}

/// The labels from a chunk on, in its row and in the one above, which is empty above the first row.
struct LabelRows<'a> {
    above: &'a [u32],
    row: &'a mut [u32],
}

/// Stands for no element.
const NO_ELEMENT: u32 = u32::MAX;

/// For each round, one bit for each chunk of each row: whether a pixel of it has a step to the right or down in the range of that round. The
/// other chunks are skipped. Each row begins at a word.
type PendingChunks = [Vec<u64>; GROWING_ROUNDS];

impl<'a> RegionGrower<'a> {
    fn new(metric: &'a ColorMetric, pixels: &Pixels) -> Self {
        /// Pixels per set for which room is reserved at first.
        ///
        /// Unit: count. Source: most images have more pixels per set.
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

    /// The first round. Returns an element of a set for each pixel, and the chunks that later rounds must visit. Each pixel that differs from
    /// both neighbors begins an element.
    fn grow_all(
        &mut self,
        pixels: &Pixels,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(Vec<u32>, PendingChunks), Stopped> {
        let width = pixels.width;
        let words = width.div_ceil(CHUNK * WORD);
        let mut steps = PixelSteps::of_width(width);
        let mut ids = Vec::with_capacity(pixels.data.len());
        let blank = vec![0; width];
        let mut pending = std::array::from_fn(|_| vec![0; words * pixels.height]);
        let mut above: Option<&[[u8; 4]]> = None;
        for (y, values) in pixels.data.chunks_exact(width).enumerate() {
            meter.advance(GROWING_PIXEL_UNITS * width)?;
            steps.write(values, above);
            self.mark_pending(&steps, [y, y.saturating_sub(1)].map(|y| y * words), &mut pending);
            ids.extend_from_slice(&blank);
            let (above_ids, row) = ids.split_at_mut(y * width);
            self.grow_row(values, &steps, &above_ids[y.saturating_sub(1) * width..], row);
            above = Some(values);
        }
        Ok((ids, pending))
    }

    /// Marks the pending chunks of a row, and of the row above it. `row` and `above`: their first words.
    fn mark_pending(&self, steps: &PixelSteps, [row, above]: [usize; 2], pending: &mut PendingChunks) {
        for chunk in steps.loud_chunks() {
            let ChunkSteps { right, up, .. } = steps.chunk(chunk);
            let later = self.rounds[1].start..self.rounds[GROWING_ROUNDS - 1].end;
            // Most edges have larger steps.
            if steps_within(&later, right) | steps_within(&later, up) != 0 {
                self.mark_chunk_pending(right, row, chunk, pending);
                self.mark_chunk_pending(up, above, chunk, pending);
            }
            if let Some(before) = chunk.checked_sub(1).filter(|&before| !steps.is_loud(before)) {
                self.mark_chunk_pending(steps.chunk(before).right, row, before, pending);
            }
        }
    }

    /// Marks a chunk as pending in the rounds of its steps.
    #[inline(never)]
    fn mark_chunk_pending(
        &self,
        steps: &[u16; CHUNK],
        row: usize,
        chunk: usize,
        pending: &mut PendingChunks,
    ) {
        if steps_within(&(self.rounds[1].start..self.rounds[GROWING_ROUNDS - 1].end), steps) != 0 {
            for (range, pending) in self.rounds[1..].iter().zip(&mut pending[1..]) {
                let is_pending = steps_within(range, steps) != 0;
                pending[row + chunk / WORD] |= u64::from(is_pending) << (chunk % WORD);
            }
        }
    }

    /// Finds the regions of the pixels of a row. `above`: the regions of the row above.
    fn grow_row(&mut self, values: &[[u8; 4]], steps: &PixelSteps, above: &[u32], row: &mut [u32]) {
        let mut run = GrowingRun { region: 0, known: NO_ELEMENT };
        let mut start = 0;
        while start < row.len() {
            let quiet = if steps.is_loud(start / CHUNK) { 0 } else { steps.quiet_from(start) };
            if quiet > 0 && self.sets.find(above[start]) == run.region {
                let count = run_end(&above[..start + quiet], start) - start;
                let count = count - count % CHUNK;
                self.add(run.region, &values[start..start + count]);
                fill(&mut row[start..start + count], run.region);
                start += count;
            }
            let end = (start + CHUNK).min(row.len());
            if start < end {
                let above = above.get(start..).unwrap_or_default();
                self.grow_chunk(
                    &mut run,
                    &values[start..end],
                    steps.chunk(start / CHUNK),
                    LabelRows { above, row: &mut row[start..] },
                );
            }
            start = end;
        }
    }

    /// The same for the pixels of a chunk. A pixel continues the current run, unless it differs from the pixel before or may join a region
    /// above that the run has not joined. Only such pixels are visited.
    fn grow_chunk(
        &mut self,
        run: &mut GrowingRun,
        values: &[[u8; 4]],
        ChunkSteps { left, up, .. }: ChunkSteps<'_>,
        LabelRows { above, row }: LabelRows<'_>,
    ) {
        let largest = self.rounds[0].end - 1;
        let begins = !steps_within(&(0..1), left);
        let meets = steps_within(&self.rounds[0], up);
        let meets_anew =
            meets & (differing_bits(above, above.get(1..).unwrap_or_default()) << 1 | !(meets << 1) | 1);
        fill_chunk(row, run.region);
        // The first of the equal pixels that are not yet added to the sums of the region.
        let mut unadded = 0;
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
            self.add(run.region, &values[unadded..k]);
            unadded = k;
            let root = if up[k] > largest { NO_ELEMENT } else { self.sets.find(above) };
            run.region = self.region([(root, up[k]), (run.region, left[k])], largest, &values[k]);
            run.known = if root == run.region { above } else { NO_ELEMENT };
            fill_chunk(&mut row[k..], run.region);
        }
        self.add(run.region, &values[unadded..]);
    }

    /// Adds equal pixels, if any, to the sums of a region.
    fn add(&mut self, region: u32, values: &[[u8; 4]]) {
        if let Some(value) = values.first() {
            self.sums[region as usize].add(value, values.len() as i32);
        }
    }

    /// The region of a pixel: the one above it, the one on its left, or a new one. Each is given with the step from there.
    fn region(&mut self, [(above, up), (left, step)]: [(u32, u16); 2], largest: u16, value: &[u8; 4]) -> u32 {
        let takes =
            |grower: &Self, region: u32, step: u16| step <= largest && grower.takes(region, step, value);
        if up > largest {
            return if takes(self, left, step) { left } else { self.begin_region() };
        }
        if above == left && step <= largest {
            return if takes(self, left, step.min(up)) { left } else { self.begin_region() };
        }
        match (takes(self, above, up), takes(self, left, step)) {
            (true, true) => self.join_roots(above, left).unwrap_or(if up <= step { above } else { left }),
            (true, false) => above,
            (false, true) => left,
            (false, false) => self.begin_region(),
        }
    }

    /// Whether a region accepts a pixel that differs by `step` from its neighbor in the region. An equal pixel is always accepted.
    fn takes(&self, region: u32, step: u16, value: &[u8; 4]) -> bool {
        let value = || value.each_ref().map(|&v| f32::from(v));
        step == 0 || self.metric.same_band(self.sums[region as usize].mean(), value(), step)
    }

    /// Begins a region, and returns it.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn begin_region(&mut self) -> u32 {
        if self.sums.len() == self.sums.capacity() {
            // Doubling the room would take too much memory for a large image.
            self.sums.reserve_exact(self.pixels - self.sums.len());
            self.sets.0.reserve_exact(self.pixels - self.sets.0.len());
        }
        self.sums.push(ColorSums::default());
        self.sets.begin()
    }

    /// Joins two regions, given their roots, if their means belong to one layer. Returns the new root.
    #[inline(never)]
    fn join_roots(&mut self, a: u32, b: u32) -> Option<u32> {
        let (sa, sb) = (self.sums[a as usize], self.sums[b as usize]);
        self.metric.same_layer(sa.mean(), sb.mean()).then(|| {
            let root = self.sets.link(a, b);
            self.sums[root as usize] = sa.and(&sb);
            root
        })
    }

    /// A later round: joins neighbors whose steps are in the range of that round.
    fn join_neighbors(
        &mut self,
        pixels: &Pixels,
        ids: &[u32],
        pending: &PendingChunks,
        round: usize,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let width = pixels.width;
        let pending = pending[round].chunks_exact(width.div_ceil(CHUNK * WORD));
        for (first, pending) in (0..ids.len()).step_by(width).zip(pending) {
            meter.advance(GROWING_PIXEL_UNITS * width)?;
            let row = &ids[first..first + width];
            let below = ids.get(first + width..first + 2 * width).unwrap_or(row);
            let chunks = (0..)
                .step_by(WORD)
                .zip(pending)
                .flat_map(|(k, &word)| set_bits(word).map(move |bit| k + bit));
            for start in chunks.map(|chunk| chunk * CHUNK) {
                if has_change(&row[start..], &below[start..]) {
                    let onward = onward_steps(pixels, first, start..(start + CHUNK).min(width));
                    self.join_onward(
                        onward.map(|steps| steps_within(&self.rounds[round], &steps)),
                        &row[start..],
                        &below[start..],
                    );
                }
            }
        }
        Ok(())
    }

    /// Joins the pixels of a chunk whose bits are set with their right and their lower neighbors.
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
                self.join_roots(a, b);
            }
        }
    }
}

/// Writes a whole chunk of labels, if there is room: the next run overwrites what is written too far.
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
