//! The colors of a gradient along its axis: a polyline in color space, by least squares.

use super::samples::Sample;
use crate::color::{Channels, minus, plus, times};

/// Hat functions between knots: the basis of all polylines that bend there.
pub(super) struct Hats<'a> {
    pub knots: &'a [f32],
}

impl Hats<'_> {
    /// The knot before an offset, and how far the offset is on the way to the next knot.
    pub fn place(&self, offset: f32) -> (usize, f32) {
        let last = self.knots.len() - 2;
        let before = self.knots[1..=last].iter().take_while(|&&knot| knot <= offset).count();
        let (from, to) = (self.knots[before], self.knots[before + 1]);
        (before, if to > from { (offset - from) / (to - from) } else { 0.0 })
    }
}

/// The symmetric tridiagonal system of least squares in hat functions.
pub(super) struct Tridiagonal {
    diagonal: Vec<f32>,
    beside: Vec<f32>,
}

impl Tridiagonal {
    pub fn new(count: usize) -> Self {
        Tridiagonal { diagonal: vec![0.0; count], beside: vec![0.0; count] }
    }

    pub fn add(&mut self, (before, share): (usize, f32), weight: f32) {
        self.diagonal[before] += weight * (1.0 - share) * (1.0 - share);
        self.diagonal[before + 1] += weight * share * share;
        self.beside[before] += weight * share * (1.0 - share);
    }

    /// Makes the system ready to be solved, by elimination.
    pub fn eliminate(&mut self) {
        let count = self.diagonal.len();
        // What a difference between the colors of neighboring knots costs: so little that it decides only where no pixel does.
        let share = f32::EPSILON.sqrt();
        let slack = share * self.diagonal.iter().sum::<f32>() / count as f32 + f32::MIN_POSITIVE;
        for k in 0..count {
            self.diagonal[k] += slack * if k == 0 || k + 1 == count { 1.0 } else { 2.0 };
            self.beside[k] -= slack;
        }
        // The first row is held a little, so that the system has one solution if nothing weighs.
        self.diagonal[0] += slack * share;
        for k in 1..count {
            self.diagonal[k] -= self.beside[k - 1] * self.beside[k - 1] / self.diagonal[k - 1];
        }
    }

    /// Solves the system after elimination: replaces the right side by the solution.
    pub fn solve(&self, values: &mut [Channels]) {
        for k in 1..values.len() {
            values[k] = plus(values[k], -self.beside[k - 1] / self.diagonal[k - 1], values[k - 1]);
        }
        for k in (0..values.len()).rev() {
            let next = values.get(k + 1).copied().unwrap_or_default();
            values[k] = times(1.0 / self.diagonal[k], plus(values[k], -self.beside[k], next));
        }
    }
}

/// Adds a color's share to both of its knots.
pub(super) fn add_to(values: &mut [Channels], (before, share): (usize, f32), weight: f32, color: Channels) {
    values[before] = plus(values[before], weight * (1.0 - share), color);
    values[before + 1] = plus(values[before + 1], weight * share, color);
}

/// The color between two knots.
pub(super) fn color_at(values: &[Channels], (before, share): (usize, f32)) -> Channels {
    plus(values[before], share, minus(values[before + 1], values[before]))
}

/// The mean color of pixels, their squared distance from it, and their number.
pub(super) fn mean(samples: &[Sample]) -> (Channels, f32, f32) {
    let (mut sum, mut weight) = ([0.0; 4], 0.0);
    for sample in samples {
        sum = plus(sum, sample.weight, sample.color);
        weight += sample.weight;
    }
    let mean = times(1.0 / f32::max(weight, 1.0), sum);
    let error =
        samples.iter().map(|sample| sample.weight * crate::color::distance_sq(sample.color, mean)).sum();
    (mean, error, weight)
}
