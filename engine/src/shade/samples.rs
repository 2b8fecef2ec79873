//! A few pixels of each region, evenly spread, away from what was drawn beside it.

use super::contacts::Lists;
use crate::algorithms::kth_smallest;
use crate::api::{ProgressMeter, Stopped};
use crate::classify::QUARTER_OF_SQUARES;
use crate::color::{Channels, ColorMetric, distance_sq, dot, plus, times};
use crate::geometry::Point;
use crate::merge::Layers;
use crate::raster::{Cracks, Pixels, column_and_row};

/// About how many pixels of a region are looked at.
///
/// Unit: count. Source: a gradient has some twenty unknowns; twice as many pixels change no drawing of the tests.
pub(super) const PIXELS_PER_REGION: u32 = 96;

/// The same for the colors of the stops of gradients that were found: what lies between two stops may be a small part of a region.
///
/// Unit: count. Source: sixteen times as many; with no more than above, shaded drawings come .05 dB less near to the truth, and photographs of
/// specks up to 2 dB; with all pixels, they come no nearer.
pub(super) const PIXELS_TO_COLOR_BY: u32 = 16 * PIXELS_PER_REGION;

/// The most pixels that a gradient is fitted to.
///
/// Unit: count. Source: bounds the time of a fit.
pub(super) const MOST_SAMPLES: usize = 384;

/// Multiplied by the row, it says how far the pixels of a row that are looked at are shifted against those of the row above.
///
/// Unit: count. Source: the golden section of 2¹⁶, so that the pixels lie evenly in all directions.
const ROW_SHIFT: usize = 40_503;

/// A pixel that is farther from the color of its region than so many layers is a speck in it, and none of its shades.
///
/// Unit: count. Source: a band reaches one layer beyond its mean, and bands whose means are one layer apart are joined; with 2, shaded drawings
/// lose gradients, with 4, flat drawings get the same ones.
const MOST_LAYERS_APART: u8 = 3;

/// The variance of a − 2 b + c, in those of a, b and c.
///
/// Unit: variances. Source: the squares of the factors.
const BEND_VARIANCES: u8 = 1 + 4 + 1;

/// A pixel that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub at: Point,
    pub color: Channels,
    /// For how many pixels it stands. Those that touch an edge count for nothing.
    pub weight: f32,
    /// The squared error that means nothing in a pixel: noise, and half a level in three channels.
    pub allowed: f32,
}

impl Sample {
    /// The squared error of a color, beyond what is allowed.
    pub fn error_of(&self, color: Channels) -> f32 {
        self.weight * (distance_sq(self.color, color) - self.allowed).max(0.0)
    }

    /// Goes over to another unit, whose square is so many times as large.
    pub fn scale(&mut self, by: f32) {
        self.weight *= by;
        self.allowed /= by;
    }
}

/// The pixels of all regions that are looked at.
pub(super) struct Samples {
    /// In the order of the lists' entries.
    samples: Vec<Sample>,
    lists: Lists,
    /// The variance of a channel, as the quarter of the samples shows it whose colors differ least from the middle of both neighbors.
    pub noise_sq: f32,
}

impl Samples {
    /// Takes at most about so many pixels of each region that is looked at. They touch, with sides or corners, no region from which an edge parts
    /// them: others may be mixtures. Specks that the region took in are left out.
    pub fn take(
        pixels: &Pixels,
        (layers, cracks): (&Layers, &Cracks),
        contacts: &Lists,
        (metric, per_region): (&ColorMetric, u32),
        is_looked_at: &dyn Fn(u32) -> bool,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let farthest = f32::from(MOST_LAYERS_APART) * metric.layer_difference;
        let (ids, width, height) = (&layers.labels.ids, pixels.width, pixels.height);
        let mut steps = vec![0u32; contacts.regions()];
        for y in 0..height {
            meter.advance(width / 4)?;
            cracks.for_each_run(y, |run| steps[ids[y * width + run.start] as usize] += run.len() as u32);
        }
        steps.iter_mut().for_each(|area| *area = area.div_ceil(per_region));
        let mut found: Vec<u64> = Vec::new();
        for y in 0..height {
            meter.advance(width / 4)?;
            cracks.for_each_run(y, |run| {
                let id = ids[y * width + run.start];
                if !is_looked_at(id) {
                    return;
                }
                let fill = layers.fills[id as usize].channels();
                let step = steps[id as usize] as usize;
                let shift = ((y * ROW_SHIFT) >> 4) % step;
                let first = run.start + (shift + step - run.start % step) % step;
                for x in (first..run.end).step_by(step) {
                    let is_inner = |&other: &u32| other == id || contacts.of(id).any(|near| near == other);
                    let columns = x.max(1) - 1..(x + 2).min(width);
                    let mut rows = y.max(1) - 1..(y + 2).min(height);
                    let pixel = y * width + x;
                    if metric.step(pixels.channels(pixel), fill) <= farthest
                        && rows.all(|y| ids[y * width..][columns.clone()].iter().all(is_inner))
                    {
                        found.push(u64::from(id) << u32::BITS | pixel as u64);
                    }
                }
            });
        }
        let lists = Lists::new(found, steps.len());
        let mut bends = Vec::new();
        let sample = |&entry: &u64| {
            let pixel = entry as u32;
            let (x, y) = column_and_row(pixel, width as u32);
            let color = pixels.channels(pixel as usize);
            if x > 0 && x + 1 < width as u32 {
                let [before, after] = [pixel - 1, pixel + 1].map(|i| pixels.channels(i as usize));
                let bend = plus(plus(before, 1.0, after), -2.0, color);
                bends.push(dot(bend, bend));
            }
            let weight = steps[(entry >> u32::BITS) as usize] as f32;
            Sample { at: Point::new(x as f32 + 0.5, y as f32 + 0.5), color, weight, allowed: 0.0 }
        };
        let mut samples: Vec<Sample> = lists.entries.iter().map(sample).collect();
        let noise_sq =
            kth_smallest(&bends, bends.len() / 4) / (f32::from(BEND_VARIANCES) * QUARTER_OF_SQUARES);
        samples.iter_mut().for_each(|sample| sample.allowed = 3.0 * (0.25 + noise_sq));
        Ok(Samples { samples, lists, noise_sq })
    }

    pub fn regions(&self) -> usize {
        self.lists.regions()
    }

    pub fn of(&self, region: u32) -> &[Sample] {
        &self.samples[self.lists.places(region)]
    }

    /// At most so many samples of some regions, evenly.
    #[inline(never)]
    pub fn some_of(&self, regions: &[u32], most: usize) -> Vec<Sample> {
        let count: usize = regions.iter().map(|&id| self.of(id).len()).sum();
        some(regions.iter().flat_map(|&id| self.of(id)), count, most)
    }

    /// The samples of each gradient: those that lie where it fills a region.
    pub fn of_gradients(&self, layers: &Layers, count: usize) -> Vec<Vec<Sample>> {
        let mut found = vec![Vec::new(); count];
        for sample in &self.samples {
            let gradient = layers.label_at(sample.at).map(|id| layers.gradient_of[id as usize]);
            if let Some(found) = gradient.and_then(|gradient| found.get_mut(gradient as usize)) {
                found.push(*sample);
            }
        }
        found
    }
}

/// Of `count` samples, every which one makes at most so many.
pub(super) fn step_to(count: usize, most: usize) -> usize {
    count.div_ceil(most).max(1)
}

/// At most so many of `count` samples, evenly.
pub(super) fn some<'a>(samples: impl Iterator<Item = &'a Sample>, count: usize, most: usize) -> Vec<Sample> {
    let step = step_to(count, most);
    samples.step_by(step).map(|sample| Sample { weight: sample.weight * step as f32, ..*sample }).collect()
}

/// The middle of some samples, and their weight.
pub(super) fn middle(samples: &[Sample]) -> (Point, f32) {
    let (mut sum, mut weight) = (Point::default(), f32::MIN_POSITIVE);
    for sample in samples {
        sum = sum + sample.at * sample.weight;
        weight += sample.weight;
    }
    (sum * (1.0 / weight), weight)
}

/// The mean color of pixels, and the squared error that it leaves.
pub(super) fn mean(samples: &[Sample]) -> (Channels, f32) {
    let (mut sum, mut weight) = ([0.0; 4], 0.0);
    for sample in samples {
        sum = plus(sum, sample.weight, sample.color);
        weight += sample.weight;
    }
    let mean = times(1.0 / f32::max(weight, 1.0), sum);
    (mean, samples.iter().map(|sample| sample.error_of(mean)).sum())
}
