//! The gradient that explains some regions with the least error and bytes together.

use super::axis::Axis;
use super::fit::{Fit, Knots};
use super::guess::guess;
use super::profile::mean;
use super::samples::{Sample, Samples};
use crate::color::{dot, minus, plus, times};
use crate::geometry::Point;

/// Length of a linear gradient without its stops.
const LINEAR_BYTES: usize =
    r#"<linearGradient id="abcde" gradientUnits="userSpaceOnUse" x1="12.3" y1="12.3" x2="12.3" y2="12.3"></linearGradient>"#.len();

/// By how much a radial gradient around an ellipse is longer: its matrix stands in place of four lengths.
const ELLIPSE_BYTES: usize =
    r#"cx="0" cy="0" r="1" gradientTransform="matrix(12.3 12.3 12.3 12.3 123.4 123.4)""#.len()
        - 4 * r#" x1="12.3""#.len();

/// Length of a stop.
const STOP_BYTES: usize = r##"<stop offset=".123" stop-color="#123456"/>"##.len();

/// Length of a linear gradient with two stops: none is shorter.
pub(super) const SHORTEST_BYTES: usize = LINEAR_BYTES + 2 * STOP_BYTES;

/// Knots along the axis while gradients are compared, and while the stops of one are looked for.
const KNOTS: [usize; 2] = [9, 33];

/// The most pixels that a gradient is fitted to.
///
/// Unit: count. Source: bounds the time of a fit.
pub(super) const MOST_SAMPLES: usize = 512;

/// How often an axis is improved.
///
/// Unit: count. Source: bounds the time; fits of clean gradients end before.
const STEPS: usize = 8;

/// The same while gradients are compared.
///
/// Unit: count. Source: bounds the time.
const STEPS_TO_COMPARE: usize = 3;

/// A gradient that explains pixels, or one color.
#[derive(Clone)]
pub(super) struct Model {
    /// `None`: their mean color.
    pub fit: Option<Fit>,
    pub error: f32,
    /// Error, and bytes by their price.
    pub cost: f32,
}

/// Pixels around the origin.
pub(super) struct Centered {
    pub samples: Vec<Sample>,
    pub center: Point,
}

impl Centered {
    /// At most so many pixels of some regions.
    pub fn of(all: &Samples, regions: &[u32], most: usize) -> Self {
        let count: usize = regions.iter().map(|&id| all.of(id).len()).sum();
        let step = count.div_ceil(most).max(1);
        let mut samples: Vec<Sample> = Vec::with_capacity(count / step + 1);
        let (mut sum, mut weight) = (Point::default(), 0.0);
        let mut next = 0;
        for &region in regions {
            let of_region = all.of(region);
            while next < of_region.len() {
                let mut sample = of_region[next];
                sample.weight *= step as f32;
                sum = sum + sample.at * sample.weight;
                weight += sample.weight;
                samples.push(sample);
                next += step;
            }
            next -= of_region.len();
        }
        let center = sum * (1.0 / f32::max(weight, 1.0));
        samples.iter_mut().for_each(|sample| sample.at = sample.at - center);
        Centered { samples, center }
    }
}

impl Fit {
    /// The error to expect in all pixels: what is fitted to a few of them leaves less error in these than in others (H. Akaike's final
    /// prediction error, "Fitting Autoregressive Models for Prediction", 1969).
    fn expected_error(&self, samples: usize) -> f32 {
        let unknowns = self.axis.unknowns(self.is_ellipse) + self.knots.len();
        if samples <= unknowns {
            return f32::INFINITY;
        }
        self.error * (samples + unknowns) as f32 / (samples - unknowns) as f32
    }

    /// Error and bytes.
    fn cost(&self, samples: usize, stops: usize, price: f32) -> f32 {
        let bytes = LINEAR_BYTES + if self.is_ellipse { ELLIPSE_BYTES } else { 0 } + STOP_BYTES * stops;
        self.expected_error(samples) + price * bytes as f32
    }
}

impl Model {
    pub fn flat(samples: &[Sample]) -> Self {
        let (_, error, _) = mean(samples);
        Model { fit: None, error, cost: error }
    }

    /// A model for more pixels than it was found for.
    pub fn refined(pixels: &Centered, mut fit: Fit, price: f32) -> Self {
        fit.refit(&pixels.samples, KNOTS[0]);
        fit.refine(&pixels.samples, Knots::Even(KNOTS[0]), STEPS_TO_COMPARE);
        Model { error: fit.error, cost: fit.cost(pixels.samples.len(), 2, price), fit: Some(fit) }
    }

    /// The best of one color, a linear gradient, and radial ones around a circle and an ellipse.
    pub fn best(pixels: &Centered, price: f32) -> Self {
        let samples = &pixels.samples[..];
        let mut best = Model::flat(samples);
        let least = price * SHORTEST_BYTES as f32;
        if best.error < least {
            return best;
        }
        let Some([linear, radial]) = guess(samples) else { return best };
        let mut consider = |axis: Axis, is_ellipse: bool| {
            let mut fit = Fit::new(samples, axis, is_ellipse, KNOTS[0]);
            fit.refine(samples, Knots::Even(KNOTS[0]), STEPS_TO_COMPARE);
            // Two stops at least. What more there are, will pay.
            let cost = fit.cost(samples.len(), 2, price);
            let axis = fit.axis;
            if cost < best.cost {
                best = Model { error: fit.error, cost, fit: Some(fit) };
            }
            (axis, best.error)
        };
        // Another axis is not worth its time where the error is less than its bytes would cost.
        if consider(linear, false).1 < price * STOP_BYTES as f32 {
            return best;
        }
        let (circle, error) = consider(radial, false);
        if error > price * ELLIPSE_BYTES as f32 {
            consider(circle, true);
        }
        best
    }

    /// The model with as few stops as pay, at their best places.
    /// Comes with what it costs: error, and bytes by their price.
    pub fn with_few_stops(&self, pixels: &Centered, price: f32) -> Option<(f32, Fit)> {
        let samples = &pixels.samples[..];
        let fit = self.fit.as_ref()?;
        let mut fit = Fit::new(samples, fit.axis, fit.is_ellipse, KNOTS[1]);
        fit.refine(samples, Knots::Even(KNOTS[1]), STEPS);
        let masses = masses(&fit, samples);
        // Knots go one by one, each time the one that adds least error. How many stay is first estimated, then tried.
        let (mut knots, mut likely) = ((0..fit.knots.len()).collect::<Vec<_>>(), Vec::new());
        let (mut error, mut least) = (0.0, f32::INFINITY);
        while knots.len() > 2 {
            let (k, added) = least_added(&fit, &masses, &knots)?;
            knots.remove(k);
            error += added;
            let cost = error + price * (STOP_BYTES * knots.len()) as f32;
            if cost <= least {
                (least, likely) = (cost, knots.clone());
            }
        }
        let mut best: Option<(f32, Fit)> = None;
        loop {
            let mut few = fit.clone();
            few.knots = likely.iter().map(|&k| fit.knots[k]).collect();
            few.solve(samples);
            few.refine(samples, Knots::Moving, STEPS);
            let cost = few.cost(samples.len(), likely.len(), price);
            if best.as_ref().is_some_and(|best| best.0 <= cost) {
                break;
            }
            best = Some((cost, few));
            let Some((k, _)) = least_added(&fit, &masses, &likely) else { break };
            likely.remove(k);
        }
        best
    }
}

/// The knot within whose absence adds least error to what is left of a profile, by its place in `knots`, and that error.
fn least_added(fit: &Fit, masses: &[f32], knots: &[usize]) -> Option<(usize, f32)> {
    let between = |from: usize, to: usize| error_between(fit, masses, knots[from], knots[to]);
    let added = |k: usize| between(k - 1, k + 1) - between(k - 1, k) - between(k, k + 1);
    (1..knots.len() - 1).map(|k| (k, added(k))).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// How many pixels each knot stands for.
fn masses(fit: &Fit, samples: &[Sample]) -> Vec<f32> {
    let hats = super::profile::Hats { knots: &fit.knots };
    let mut masses = vec![0.0; fit.knots.len()];
    for sample in samples {
        let (before, share) = hats.place(fit.axis.at(sample.at).value);
        masses[before] += sample.weight * (1.0 - share);
        masses[before + 1] += sample.weight * share;
    }
    masses
}

/// The squared error of a straight line between two knots' colors, at the knots between.
fn error_between(fit: &Fit, masses: &[f32], from: usize, to: usize) -> f32 {
    let by = minus(fit.colors[to], fit.colors[from]);
    let mut error = 0.0;
    for (k, mass) in masses.iter().enumerate().take(to).skip(from + 1) {
        let share = (k - from) as f32 / (to - from) as f32;
        let off = minus(fit.colors[k], plus(fit.colors[from], share, by));
        error += mass * dot(off, off);
    }
    error
}

impl Fit {
    /// Extends the axis by at most `most` so that it holds an offset, as far as colors can change on as they do.
    pub fn extend(&mut self, offset: f32, most: f32) {
        let last = self.knots.len() - 1;
        let (end, next) = if offset > self.knots[last] { (last, last - 1) } else { (0, 1) };
        if end == 0 && offset >= self.knots[0] {
            return;
        }
        let length = self.knots[end] - self.knots[next];
        if length == 0.0 {
            return;
        }
        let by = minus(self.colors[end], self.colors[next]);
        let beyond = (offset - self.knots[end]).max(-most).min(most);
        let mut share = beyond / length;
        let alpha = self.colors[end][3];
        for (c, by) in by.iter().enumerate() {
            let most = if c == 3 { 255.0 } else { alpha };
            // Half a level more is rounded off.
            let room = 0.5 + if *by > 0.0 { most - self.colors[end][c] } else { self.colors[end][c] };
            if by.abs() * share > room.max(0.0) {
                share = room.max(0.0) / by.abs();
            }
        }
        self.knots[end] += share * length;
        self.colors[end] = plus(self.colors[end], 1.0, times(share, by));
    }

    /// The gradient, moved.
    pub fn shifted(&self, by: Point) -> Self {
        let mut fit = self.clone();
        match &mut fit.axis {
            Axis::Linear(along) => {
                let by = along.dot(by);
                fit.knots.iter_mut().for_each(|knot| *knot += by);
            }
            Axis::Radial { center, .. } => *center = *center + by,
        }
        fit
    }
}
