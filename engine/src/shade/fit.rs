//! Fits a gradient to pixels: separable least squares. For a given axis, the colors follow from a linear system; the axis is improved by
//! Gauss and Newton's method with the colors projected out (G. H. Golub and V. Pereyra, "The Differentiation of Pseudo-Inverses and
//! Nonlinear Least Squares Problems Whose Variables Separate", 1973).

use super::axis::{Axis, MOST_UNKNOWNS, Offset};
use super::profile::{Hats, Tridiagonal, add_to, color_at};
use super::samples::Sample;
use crate::color::{Channels, distance_sq, dot, minus, times};
use crate::geometry::Point;

/// A step that does not lower the error is tried again with so much more damping, and damping falls by as much after one that does.
///
/// Unit: ratio. Source: Marquardt's factor, 1963.
const DAMPING: u8 = 10;

/// A step that gains less than so small a part of the error is the last.
///
/// Unit: count (parts). Source: a hundredth of the error is less than the choice of pixels changes.
const LEAST_GAIN_PART: u8 = 100;

/// A gradient as it is fitted.
#[derive(Clone)]
pub(super) struct Fit {
    pub axis: Axis,
    pub is_ellipse: bool,
    /// The offsets at which the colors bend.
    pub knots: Vec<f32>,
    pub colors: Vec<Channels>,
    /// The squared error, in four channels, over the pixels for which the samples stand.
    pub error: f32,
}

/// What happens to the knots while the axis moves.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Knots {
    /// So many lie evenly between the least and the largest offset.
    Even(usize),
    /// Those within move too.
    Moving,
}

impl Fit {
    /// The best colors for an axis.
    pub fn new(samples: &[Sample], axis: Axis, is_ellipse: bool, count: usize) -> Self {
        let mut fit = Fit { axis, is_ellipse, knots: Vec::new(), colors: Vec::new(), error: 0.0 };
        fit.refit(samples, count);
        fit
    }

    /// Finds the best colors for the axis, at evenly spread knots.
    pub fn refit(&mut self, samples: &[Sample], count: usize) {
        self.spread(samples, count);
        self.solve(samples);
    }

    /// Puts knots evenly between the least and the largest offset.
    fn spread(&mut self, samples: &[Sample], count: usize) {
        let (mut least, mut most) = (f32::INFINITY, -f32::INFINITY);
        for sample in samples {
            let offset = self.axis.at(sample.at).value;
            (least, most) = (least.min(offset), most.max(offset));
        }
        let step = (most - least) / (count - 1) as f32;
        self.knots.clear();
        self.knots.extend((0..count).map(|k| least + step * k as f32));
    }

    /// Finds the colors for the axis and the knots.
    pub fn solve(&mut self, samples: &[Sample]) {
        let hats = Hats { knots: &self.knots };
        let mut system = Tridiagonal::new(self.knots.len());
        self.colors.clear();
        self.colors.resize(self.knots.len(), [0.0; 4]);
        for sample in samples {
            let place = hats.place(self.axis.at(sample.at).value);
            system.add(place, sample.weight);
            add_to(&mut self.colors, place, sample.weight, sample.color);
        }
        system.eliminate();
        system.solve(&mut self.colors);
        self.error = self.error_of(samples, Point::default());
    }

    /// The squared error that the gradient leaves in some pixels, if its origin is at `center`.
    pub fn error_of(&self, samples: &[Sample], center: Point) -> f32 {
        let hats = Hats { knots: &self.knots };
        let error = |sample: &Sample| {
            let color = color_at(&self.colors, hats.place(self.axis.at(sample.at - center).value));
            sample.weight * distance_sq(sample.color, color)
        };
        samples.iter().map(error).sum()
    }

    /// Improves the axis, and the knots if they move, in at most so many steps.
    pub fn refine(&mut self, samples: &[Sample], knots: Knots, steps: usize) {
        let factor = f64::from(DAMPING);
        let mut damping = 1.0 / factor / factor;
        for _ in 0..steps {
            let Some(by) = self.step(samples, knots, damping) else { return };
            let mut next = self.clone();
            let unknowns = self.axis.unknowns(self.is_ellipse);
            next.axis = self.axis.moved(&by[..unknowns]);
            if let Knots::Even(count) = knots {
                next.spread(samples, count);
            } else {
                next.move_knots(samples, &by[unknowns..]);
            }
            next.solve(samples);
            if next.error < self.error {
                let is_last = f32::from(LEAST_GAIN_PART) * (self.error - next.error) < self.error;
                *self = next;
                damping /= factor;
                if is_last {
                    return;
                }
            } else {
                damping *= factor * factor;
            }
        }
    }

    /// Moves the knots within, and puts the first and the last at the ends of the offsets. None passes another.
    fn move_knots(&mut self, samples: &[Sample], by: &[f32]) {
        let mut inner = self.knots[1..self.knots.len() - 1].to_vec();
        inner.iter_mut().zip(by).for_each(|(knot, by)| *knot += by);
        self.spread(samples, self.knots.len());
        let last = self.knots.len() - 1;
        let (start, end) = (self.knots[0], self.knots[last]);
        // A hundredth of the way between two knots is less than can be seen.
        let least = (end - start) / (100 * last) as f32;
        for (k, knot) in (1..last).zip(inner) {
            self.knots[k] = knot.max(self.knots[k - 1] + least).min(end - least * (last - k) as f32);
        }
    }

    /// How the unknowns of the axis, and the knots within if they move, should change.
    fn step(&self, samples: &[Sample], knots: Knots, damping: f64) -> Option<Vec<f32>> {
        let hats = Hats { knots: &self.knots };
        let (count, unknowns) = (self.knots.len(), self.axis.unknowns(self.is_ellipse));
        let moving = if knots == Knots::Moving { count - 2 } else { 0 };
        let size = unknowns + moving;
        let mut system = Tridiagonal::new(count);
        let mut shares = vec![vec![[0.0; 4]; count]; size];
        let mut matrix = vec![vec![0f64; size + 1]; size];
        let mut effects: Vec<(usize, Channels)> = Vec::with_capacity(MOST_UNKNOWNS + 2);
        for sample in samples {
            let Offset { value, slopes } = self.axis.at(sample.at);
            let place @ (before, share) = hats.place(value);
            system.add(place, sample.weight);
            let lacking = minus(sample.color, color_at(&self.colors, place));
            let length = (self.knots[before + 1] - self.knots[before]).max(f32::MIN_POSITIVE);
            let slope = times(1.0 / length, minus(self.colors[before + 1], self.colors[before]));
            effects.clear();
            effects.extend((0..unknowns).map(|k| (k, times(slopes[k], slope))));
            if moving > 0 {
                let knots = [(before, 1.0 - share), (before + 1, share)];
                let inner = knots.into_iter().filter(|&(knot, _)| knot > 0 && knot + 1 < count);
                effects.extend(inner.map(|(knot, hat)| (unknowns + knot - 1, times(-hat, slope))));
            }
            for (first, &(k, effect)) in effects.iter().enumerate() {
                add_to(&mut shares[k], place, sample.weight, effect);
                for &(other, theirs) in &effects[first..] {
                    matrix[k][other] += f64::from(sample.weight * dot(effect, theirs));
                }
                matrix[k][size] += f64::from(sample.weight * dot(effect, lacking));
            }
        }
        system.eliminate();
        for k in 0..size {
            let mut solved = shares[k].clone();
            system.solve(&mut solved);
            for other in 0..=k {
                let explained = shares[other].iter().zip(&solved).map(|(a, b)| f64::from(dot(*a, *b)));
                matrix[other][k] -= explained.sum::<f64>();
                matrix[k][other] = matrix[other][k];
            }
        }
        for (k, row) in matrix.iter_mut().enumerate() {
            row[k] += damping * row[k].max(f64::MIN_POSITIVE);
        }
        solve(&mut matrix).map(|by| by.into_iter().map(|by| by as f32).collect())
    }
}

/// Solves linear equations, whose right side is the last column, by elimination. `None` if they have no single solution.
pub(super) fn solve(rows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let size = rows.len();
    for k in 0..size {
        let pivot = (k..size).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))?;
        rows.swap(k, pivot);
        let (upper, lower) = rows.split_at_mut(k + 1);
        let row = &upper[k];
        if row[k].abs() < f64::MIN_POSITIVE {
            return None;
        }
        for other in lower {
            let share = other[k] / row[k];
            other.iter_mut().zip(row).for_each(|(value, by)| *value -= share * by);
        }
    }
    let mut solution = vec![0.0; size];
    for k in (0..size).rev() {
        let known: f64 = (k + 1..size).map(|other| rows[k][other] * solution[other]).sum();
        solution[k] = (rows[k][size] - known) / rows[k][k];
    }
    solution.iter().all(|value: &f64| value.is_finite()).then_some(solution)
}
