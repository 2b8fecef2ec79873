//! The samples by which a cubic is judged: takes a stretch, gives at most two dozen of its samples in single
//! precision with their parameters along the curve.

use super::stretch::Stretch;
use crate::fit::sampled::{Bound, Vector};

/// The most samples by which a cubic is judged.
///
/// Unit: count (samples), a multiple of four. Source: tuned; a cubic with given ends and tangents has two
/// unknowns, which two dozen samples determine.
const CUBIC_SAMPLES: usize = 24;

/// Samples relative to the first knot, and the parameter of each along the curve. One list serves all
/// candidates: a new one would take longer to clear than to fill.
///
/// # Guarantees
/// The unused lanes of the last four lie at the curve's start, where they have no weight.
#[derive(Default)]
pub(crate) struct CubicSamples {
    x: [f32; CUBIC_SAMPLES],
    y: [f32; CUBIC_SAMPLES],
    time: [f32; CUBIC_SAMPLES],
    pub count: usize,
    /// The length along the samples, from knot to knot.
    pub length: f64,
}

/// Four numbers, one for each of four samples.
type CubicLanes = [f32; 4];

impl CubicSamples {
    /// Takes the samples of a stretch; their parameters are proportional to the length along the samples.
    pub fn take(&mut self, stretch: &Stretch<'_>) {
        let Stretch { samples, from, to, trusted } = stretch;
        let first = (from.index + 1).max(trusted.first);
        let last = (to.index.saturating_sub(1)).min(trusted.last);
        let inside = (last + 1).saturating_sub(first);
        let count = inside.min(CUBIC_SAMPLES);
        self.count = count;
        if count == 0 {
            self.length = (to.point - from.point).length();
            return;
        }
        let (points, lengths) = (samples.run(first, last), samples.lengths(first, last));
        let before = (samples.at(first) - from.point).length() - lengths[0];
        self.length = before + lengths[inside - 1] + (to.point - samples.at(last)).length();
        let inverse = 1.0 / self.length.at_least(f64::MIN_POSITIVE);
        let slots = self.x.iter_mut().zip(&mut self.y).zip(&mut self.time);
        let put = |((x, y), time): ((&mut f32, &mut f32), &mut f32), point: Vector, length: f64| {
            let away = point - from.point;
            (*x, *y) = (away.x as f32, away.y as f32);
            *time = ((before + length) * inverse) as f32;
        };
        if inside == count {
            let along = points.iter().zip(lengths);
            slots.zip(along).for_each(|(slot, (&point, &length))| put(slot, point, length));
        } else {
            slots.enumerate().for_each(|(number, slot)| {
                // Evenly spread. Division by a constant compiles to a multiplication.
                let index = (2 * number + 1) * inside / (2 * CUBIC_SAMPLES);
                put(slot, points[index], lengths[index]);
            });
        }
        for unused in count..count.next_multiple_of(4).min(CUBIC_SAMPLES) {
            (self.x[unused], self.y[unused], self.time[unused]) = (0.0, 0.0, 0.0);
        }
    }

    /// The coordinates x and y and the parameters, four at a time.
    pub fn groups(&mut self) -> impl Iterator<Item = (&mut CubicLanes, &mut CubicLanes, &mut CubicLanes)> {
        let count = self.count.div_ceil(4);
        let [x, y, time] = [&mut self.x, &mut self.y, &mut self.time].map(|list| list.as_chunks_mut().0);
        x.iter_mut().zip(y).zip(time).take(count).map(|((x, y), time)| (x, y, time))
    }
}
