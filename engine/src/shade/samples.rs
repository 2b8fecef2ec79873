//! A few pixels of each region, evenly spread, away from what was drawn beside it.

use super::contacts::Contacts;
use crate::algorithms::kth_smallest;
use crate::api::{ProgressMeter, Stopped};
use crate::classify::QUARTER_OF_SQUARES;
use crate::color::{Channels, dot, plus};
use crate::geometry::Point;
use crate::merge::Layers;
use crate::raster::{Cracks, Pixels};

/// About how many pixels of a region are looked at.
///
/// Unit: count. Source: a gradient has some twenty unknowns; twice as many pixels change no drawing of the tests.
const PIXELS_PER_REGION: usize = 96;

/// Multiplied by the row, it says how far the pixels of a row that are looked at are shifted against those of the row above.
///
/// Unit: count. Source: the golden section of 2¹⁶, so that the pixels lie evenly in all directions.
const ROW_SHIFT: usize = 40_503;

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
}

/// The pixels of all regions that are looked at.
pub(super) struct Samples {
    /// Region by region.
    samples: Vec<Sample>,
    /// Where those of each region end.
    ends: Vec<u32>,
    noise_sq: f32,
}

impl Samples {
    /// Takes pixels that touch, with sides or corners, no region from which an edge parts them: others may be mixtures.
    pub fn take(
        pixels: &Pixels,
        (layers, cracks): (&Layers, &Cracks),
        contacts: &Contacts,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let (ids, width, height) = (&layers.labels.ids, pixels.width, pixels.height);
        let mut areas = vec![0usize; layers.labels.count];
        for y in 0..height {
            meter.advance(width / 4)?;
            cracks.for_each_run(y, |run| areas[ids[y * width + run.start] as usize] += run.len());
        }
        let steps: Vec<usize> = areas.iter().map(|area| area.div_ceil(PIXELS_PER_REGION)).collect();
        let mut found: Vec<(u32, u32)> = Vec::new();
        for y in 0..height {
            meter.advance(width / 4)?;
            cracks.for_each_run(y, |run| {
                let id = ids[y * width + run.start];
                let step = steps[id as usize];
                let shift = ((y * ROW_SHIFT) >> 4) % step;
                let first = run.start + (shift + step - run.start % step) % step;
                for x in (first..run.end).step_by(step) {
                    let is_inner = |&other: &u32| other == id || contacts.is_smooth(id, other);
                    let columns = x.max(1) - 1..(x + 2).min(width);
                    let mut rows = y.max(1) - 1..(y + 2).min(height);
                    if rows.all(|y| ids[y * width..][columns.clone()].iter().all(is_inner)) {
                        found.push((id, (y * width + x) as u32));
                    }
                }
            });
        }
        let mut ends = vec![0u32; areas.len() + 1];
        found.iter().for_each(|&(id, _)| ends[id as usize + 1] += 1);
        for id in 0..areas.len() {
            ends[id + 1] += ends[id];
        }
        let blank = Sample { at: Point::default(), color: [0.0; 4], weight: 0.0 };
        let mut samples = vec![blank; found.len()];
        let mut next = ends.clone();
        let mut bends = Vec::with_capacity(samples.len());
        for (id, pixel) in found {
            let id = id as usize;
            let (x, y) = (pixel as usize % width, pixel as usize / width);
            if (1..width - 1).contains(&x) {
                let [before, here, after] =
                    [pixel - 1, pixel, pixel + 1].map(|i| pixels.channels(i as usize));
                let bend = plus(plus(before, 1.0, after), -2.0, here);
                bends.push(dot(bend, bend));
            }
            samples[next[id] as usize] = Sample {
                at: Point::new(x as f32 + 0.5, y as f32 + 0.5),
                color: pixels.channels(pixel as usize),
                weight: steps[id] as f32,
            };
            next[id] += 1;
        }
        let noise_sq =
            kth_smallest(&bends, bends.len() / 4) / (f32::from(BEND_VARIANCES) * QUARTER_OF_SQUARES);
        Ok(Samples { samples, ends, noise_sq })
    }

    /// The variance of a channel, as the quarter of the samples shows it whose colors differ least from the middle of both neighbors.
    pub fn noise_sq(&self) -> f32 {
        self.noise_sq
    }

    pub fn of(&self, region: u32) -> &[Sample] {
        &self.samples[self.ends[region as usize] as usize..self.ends[region as usize + 1] as usize]
    }
}
