//! Improves two gradients over each other, all their numbers at once, by Gauss and Newton's method with damping. Fitted by turns, each would
//! follow what the other leaves. Only the first channel of colors is looked at.

use super::equations::eliminate;
use super::fit::{DAMPING, MOST_STOPS};
use super::freedom::MOST_UNKNOWNS;
use super::layers::{Layer, colors_in};
use super::samples::Sample;

/// A step that gains less than so small a part of the error is the last.
///
/// Unit: count (parts). Source: bounds the time; in narrow valleys, steps gain little, but many do.
const LEAST_GAIN_PART: u16 = 1000;

/// A fit that is damped so much does not change.
///
/// Unit: ratio. Source: bounds the time.
const MOST_DAMPING: u32 = 1_000_000;

/// How many unknowns each of the two has at most: of the axis, the places of the stops within, and what stops show.
const MOST_OF_ONE: usize = MOST_UNKNOWNS + MOST_STOPS - 2 + MOST_STOPS;

/// How many there are, and the right side.
const ROW: usize = 2 * MOST_OF_ONE + 1;

/// A gradient, another over it, and the squared error that they leave in some pixels.
pub(super) struct Together<'a> {
    pub layers: [Layer; 2],
    pub error: f32,
    samples: &'a [Sample],
}

impl<'a> Together<'a> {
    pub fn new(mut layers: [Layer; 2], samples: &'a [Sample]) -> Self {
        let error = placed(&mut layers, samples);
        Together { layers, error, samples }
    }

    /// Takes at most so many steps.
    pub fn refine(&mut self, steps: usize) {
        let factor = f64::from(DAMPING);
        let mut damping = 1.0 / factor / factor;
        let unknowns = self.layers.iter().map(|Layer { fit, .. }| fit.unknowns(true) + fit.count).sum();
        let mut rows = vec![[0.0; ROW]; unknowns];
        let mut solved = rows.clone();
        let mut is_known = false;
        for _ in 0..steps {
            if !is_known {
                self.equations(&mut rows);
                is_known = true;
            }
            solved.clone_from(&rows);
            eliminate(&mut solved, damping);
            let mut next = self.layers.clone();
            change(&mut next, solved.iter().map(|row| row[ROW - 1] as f32));
            let error = placed(&mut next, self.samples);
            if error < self.error {
                let gain = self.error - error;
                (self.layers, self.error) = (next, error);
                if f32::from(LEAST_GAIN_PART) * gain < error {
                    return;
                }
                damping /= factor;
                is_known = false;
            } else {
                damping *= factor;
                if damping > f64::from(MOST_DAMPING) {
                    return;
                }
            }
        }
    }

    /// The normal equations of a step.
    #[inline(never)]
    fn equations(&self, rows: &mut [[f64; ROW]]) {
        rows.fill([0.0; ROW]);
        let [lower, upper] = &self.layers;
        let places = [lower.fit.places(), upper.fit.places()];
        let slopes = [lower.fit.slopes(), upper.fit.slopes()];
        // By unknowns, in order, how what is shown changes.
        let mut changes: Vec<(usize, f32)> = Vec::with_capacity(ROW);
        for sample in self.samples {
            changes.clear();
            let at = [0, 1].map(|k| places[k](self.layers[k].fit.axis.offset(sample.at)));
            let beneath = lower.fit.color(at[0])[0];
            let share = (upper.fit.color(at[1])[0] / 255.0).clamp(0.0, 1.0);
            let toward = upper.color[0] - beneath;
            let missing = sample.color[0] - beneath - share * toward;
            let mut unknown = 0;
            for (k, by) in [1.0 - share, toward / 255.0].into_iter().enumerate() {
                let fit = &self.layers[k].fit;
                let place = at[k];
                let steep = by * fit.steepness(place.before)[0];
                let along = slopes[k](sample.at, place);
                let axis = fit.freedom.unknowns();
                changes.extend((0..axis).map(|of| (unknown + of, steep * along[of])));
                let parts = [(place.before, 1.0 - place.share), (place.before + 1, place.share)];
                let within = parts.iter().filter(|&&(stop, _)| stop > 0 && stop + 1 < fit.count);
                changes.extend(within.map(|(stop, part)| (unknown + axis + stop - 1, -part * steep)));
                unknown += fit.unknowns(true);
                changes.extend(parts.map(|(stop, part)| (unknown + stop, part * by)));
                unknown += fit.count;
            }
            for (k, &(unknown, by)) in changes.iter().enumerate() {
                let by = sample.weight * by;
                let row = &mut rows[unknown];
                row[ROW - 1] += f64::from(by * missing);
                for &(other, with) in &changes[..=k] {
                    row[other] += f64::from(by * with);
                }
            }
        }
        let trace: f64 = rows.iter().enumerate().map(|(k, row)| row[k]).sum();
        for k in 0..rows.len() {
            let (before, rest) = rows.split_at_mut(k);
            // What no pixel tells does not change.
            rest[0][k] += trace * f64::from(f32::EPSILON) * f64::from(f32::EPSILON);
            before.iter_mut().zip(&rest[0]).for_each(|(row, &product)| row[k] = product);
        }
    }
}

/// Changes all unknowns.
fn change(layers: &mut [Layer; 2], mut by: impl Iterator<Item = f32>) {
    for Layer { fit, .. } in layers {
        for (unknown, by) in (0..fit.unknowns(true)).zip(&mut by) {
            fit.change(unknown, by.clamp(-1.0, 1.0));
        }
        for (color, by) in fit.colors[..fit.count].iter_mut().zip(&mut by) {
            color[0] = (color[0] + by).clamp(0.0, 255.0);
        }
    }
}

/// Finds the ends of gradients, and the squared error that they leave.
#[inline(never)]
fn placed(layers: &mut [Layer; 2], samples: &[Sample]) -> f32 {
    for Layer { fit, .. } in layers.iter_mut() {
        let axis = fit.axis;
        fit.find_ends(samples.iter().map(|sample| (axis.offset(sample.at), sample.at)));
    }
    let shown = samples.iter().zip(colors_in(layers, samples));
    shown
        .map(|(sample, [shown, ..])| sample.weight * (sample.color[0] - shown) * (sample.color[0] - shown))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Axis, Point};
    use crate::shade::fit::Fit;
    use crate::shade::freedom::{Freedom, bent};

    fn layers(origin: Point, levels: [f32; 2]) -> [Layer; 2] {
        [0.5, -0.5].map(|bend| {
            let axis =
                Axis { origin, rows: bent(Point::new(bend, 0.0)), is_radial: true, lean: Point::default() };
            let mut fit = Fit::new(axis, Freedom::Ellipse);
            let [first, last] = if bend > 0.0 { levels } else { [0.0, 255.0] };
            for k in 0..fit.count {
                let share = k as f32 / (fit.count - 1) as f32;
                fit.colors[k][0] = first + (last - first) * share * share;
            }
            Layer { fit, color: [0.0; 4] }
        })
    }

    #[test]
    fn all_numbers_are_found_at_once() {
        let at = |k: u16| Point::new(f32::from(k % 20) * 5.0, f32::from(k / 20) * 5.0);
        let blank = |k| Sample { at: at(k), color: [0.0; 4], weight: 1.0, allowed: 0.0 };
        let mut samples: Vec<_> = (0..400).map(blank).collect();
        let drawn = Together::new(layers(Point::new(52.0, 44.0), [200.0, 20.0]), &samples).layers;
        let colors = colors_in(&drawn, &samples);
        samples.iter_mut().zip(colors).for_each(|(sample, color)| sample.color = color);
        let mut found = Together::new(layers(Point::new(45.0, 50.0), [160.0, 0.0]), &samples);
        let before = found.error;
        found.refine(100);
        assert!(found.error < before / 1e4, "{before} {}", found.error);
        for (found, drawn) in found.layers.iter().zip(drawn) {
            assert!((found.fit.axis.origin - drawn.fit.axis.origin).length() < 0.5);
        }
    }
}
