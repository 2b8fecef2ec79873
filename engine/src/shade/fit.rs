//! Fits a gradient to pixels by separable least squares: for an axis and the places of its stops, their colors follow from a linear system;
//! the axis and the places are improved by Gauss and Newton's method with the colors projected out (G. H. Golub and V. Pereyra, "The
//! Differentiation of Pseudo-Inverses and Nonlinear Least Squares Problems Whose Variables Separate", 1973).

use wide::f32x8;

use super::equations::{ROW, Tridiagonal, eliminate};
use super::freedom::{Freedom, MOST_UNKNOWNS};
use super::samples::Sample;
use crate::color::{Channels, distance_sq, dot, minus, plus, times};
use crate::geometry::{Axis, Point};

/// The stops of a gradient while gradients are compared, and the most that one gets.
///
/// Unit: count. Source: bounds the time; gradients are drawn with two to five.
pub(super) const MOST_STOPS: usize = 9;

/// A step that does not lower the error is tried again with so much more damping, and damping falls by as much after one that does.
///
/// Unit: ratio. Source: Marquardt's factor, 1963.
pub(super) const DAMPING: u8 = 10;

/// A step that gains less than so small a part of the error is the last.
///
/// Unit: count (parts). Source: a hundredth of the error is less than the choice of pixels changes.
const LEAST_GAIN_PART: u8 = 100;

/// The least way between two stops.
///
/// Unit: count (parts of the axis). Source: the steps of the offsets that are written.
const PARTS: u16 = 1000;

/// What changes the color of a pixel: the parts of the stops before and behind it, and, from here on, the unknowns of the axis.
const AXIS: usize = 2;

/// Where the color that is missing stands behind these.
const MISSING: usize = AXIS + MOST_UNKNOWNS;

/// Where a pixel lies: behind which stop, and how far on the way to the next.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub before: usize,
    pub share: f32,
}

/// A gradient as it is fitted.
#[derive(Clone)]
pub(super) struct Fit {
    pub axis: Axis,
    pub freedom: Freedom,
    /// The least and the largest offset of the pixels: the places of the first and the last stop.
    ends: [f32; 2],
    /// 1 over the way between the ends.
    per_length: f32,
    /// The pixels there.
    end_points: [Point; 2],
    /// How many stops there are.
    pub count: usize,
    /// The places of the stops between the ends, 0 to 1; behind these, infinity.
    shares: [f32; MOST_STOPS],
    /// For each stop but the last, 1 over the way to the next.
    per_way: [f32; MOST_STOPS],
    pub colors: [Channels; MOST_STOPS],
    /// How many pixels each stop colors.
    masses: [f32; MOST_STOPS],
    /// The products of the stops' parts in the pixels.
    products: Tridiagonal<MOST_STOPS>,
}

impl Fit {
    /// A gradient along an axis, with evenly spread stops. Refining finds its colors.
    pub fn new(axis: Axis, freedom: Freedom) -> Self {
        Fit {
            axis,
            freedom,
            ends: [0.0; 2],
            per_length: 1.0,
            end_points: [Point::default(); 2],
            count: MOST_STOPS,
            shares: std::array::from_fn(|k| k as f32 / (MOST_STOPS - 1) as f32),
            per_way: [1.0; MOST_STOPS],
            colors: [[0.0; 4]; MOST_STOPS],
            masses: [0.0; MOST_STOPS],
            products: Tridiagonal::default(),
        }
    }

    /// The offset of a stop.
    pub fn offset(&self, stop: usize) -> f32 {
        let [start, end] = self.ends;
        start + self.shares[stop] * (end - start)
    }

    /// Tells where offsets lie between the stops.
    #[inline]
    pub fn places(&self) -> impl Fn(f32) -> Place {
        let (start, per_length, last) = (self.ends[0], self.per_length, self.count - 2);
        let spread = (last + 1) as f32;
        move |offset| {
            let share = (offset - start) * per_length;
            // Where stops are evenly spread, the first try is right.
            let mut before = usize::from((share * spread) as u8).min(last);
            if !(self.shares[before]..self.shares[before + 1]).contains(&share) {
                while before < last && self.shares[before + 1] <= share {
                    before += 1;
                }
                while before > 0 && self.shares[before] > share {
                    before -= 1;
                }
            }
            Place { before, share: (share - self.shares[before]) * self.per_way[before] }
        }
    }

    /// The colors of the gradient in some pixels.
    #[inline(never)]
    pub fn colors_in(&self, samples: &[Sample]) -> Vec<Channels> {
        let place = self.places();
        samples.iter().map(|sample| self.color(place(self.axis.offset(sample.at)))).collect()
    }

    #[inline]
    pub fn color(&self, Place { before, share }: Place) -> Channels {
        plus(self.colors[before], share, minus(self.colors[before + 1], self.colors[before]))
    }

    /// Finds the ends from the offsets of pixels.
    #[inline]
    pub fn find_ends(&mut self, offsets: impl Iterator<Item = (f32, Point)>) {
        let (mut first, mut last) = ((f32::INFINITY, Point::default()), (-f32::INFINITY, Point::default()));
        for (offset, at) in offsets {
            if offset < first.0 {
                first = (offset, at);
            }
            if offset > last.0 {
                last = (offset, at);
            }
        }
        (self.ends, self.end_points) = ([first.0, last.0], [first.1, last.1]);
        self.per_length = 1.0 / (self.ends[1] - self.ends[0]).max(f32::MIN_POSITIVE);
        for k in 0..self.count - 1 {
            self.per_way[k] = 1.0 / (self.shares[k + 1] - self.shares[k]);
        }
    }

    /// Finds the ends, the colors and the places of pixels, and returns the squared error.
    #[inline(never)]
    fn solve(&mut self, samples: &[Sample], places: &mut Vec<Place>) -> f32 {
        places.clear();
        places.extend(samples.iter().map(|sample| Place { before: 0, share: self.axis.offset(sample.at) }));
        self.find_ends(samples.iter().zip(places.iter()).map(|(sample, place)| (place.share, sample.at)));
        self.solve_colors(samples, places)
    }

    /// Finds the colors anew, from more pixels.
    pub fn fit_colors(&mut self, samples: &[Sample]) {
        let place = |sample: &Sample| Place { before: 0, share: self.axis.offset(sample.at) };
        let mut places: Vec<_> = samples.iter().map(place).collect();
        self.solve_colors(samples, &mut places);
    }

    /// Finds the colors, and the places of pixels of which the offsets are given, and returns the squared error.
    #[inline(never)]
    fn solve_colors(&mut self, samples: &[Sample], places: &mut [Place]) -> f32 {
        // For each stop, the sums of the colors that it has a part in, of the squares of its parts, and of their products with the next
        // stop's.
        let mut sums = [f32x8::ZERO; MOST_STOPS];
        let mut all = 0.0;
        places.iter_mut().for_each({
            let place_of = self.places();
            move |place| *place = place_of(place.share)
        });
        for (sample, place) in samples.iter().zip(places.iter()) {
            let Place { before, share } = *place;
            let [r, g, b, alpha] = sample.color;
            let (from, to) = (sample.weight * (1.0 - share), sample.weight * share);
            all += sample.weight;
            sums[before] += f32x8::splat(from) * f32x8::new([r, g, b, alpha, 1.0 - share, share, 0.0, 0.0]);
            sums[before + 1] += f32x8::splat(to) * f32x8::new([r, g, b, alpha, share, 0.0, 0.0, 0.0]);
        }
        let mut diagonal = [0.0; MOST_STOPS];
        let mut beside = [0.0; MOST_STOPS];
        let mut colors = [[0.0; 4]; MOST_STOPS];
        for (k, sums) in sums.into_iter().enumerate() {
            let [r, g, b, alpha, square, product, ..] = sums.to_array();
            (diagonal[k], beside[k], colors[k]) = (square, product, [r, g, b, alpha].map(f64::from));
        }
        self.masses = diagonal;
        // What a difference between the colors of neighboring stops costs: so little that it decides only where no pixel does.
        let slack = f32::EPSILON * all;
        for k in 0..self.count - 1 {
            diagonal[k] += slack;
            diagonal[k + 1] += slack;
            beside[k] -= slack;
        }
        self.products = Tridiagonal::new(&diagonal[..self.count], &beside);
        self.products.solve(&mut colors[..self.count]);
        self.colors = colors.map(|color| color.map(|channel| (channel as f32).clamp(0.0, 255.0)));
        let mut error = 0.0;
        for (sample, &mut place) in samples.iter().zip(places) {
            let missing = minus(sample.color, self.color(place));
            error += sample.weight * dot(missing, missing);
        }
        error
    }

    /// How many numbers may change, without the colors.
    pub fn unknowns(&self, moves_stops: bool) -> usize {
        self.freedom.unknowns() + if moves_stops { self.count - 2 } else { 0 }
    }

    /// Finds the ends and the colors, and improves the axis, and the stops within if they move, in at most so many steps, of which those do
    /// not count that halve the error.
    #[inline(never)]
    pub fn refine(&mut self, samples: &[Sample], moves_stops: bool, steps: usize) {
        let unknowns = self.unknowns(moves_stops);
        let factor = f64::from(DAMPING);
        let mut damping = 1.0 / factor / factor;
        let mut rows = [[0.0; ROW]; ROW];
        let mut is_known = false;
        let [mut places, mut moved] = [(); 2].map(|_| Vec::with_capacity(samples.len()));
        let mut error = self.solve(samples, &mut places);
        let mut steps_left = steps;
        while steps_left > 0 {
            if !is_known {
                self.equations(samples, &places, &mut rows[..unknowns]);
                is_known = true;
            }
            let mut solved = rows;
            eliminate(&mut solved[..unknowns], damping);
            let mut next = self.clone();
            (0..unknowns).for_each(|k| next.change(k, solved[k][ROW - 1].clamp(-1.0, 1.0) as f32));
            let left = next.solve(samples, &mut moved);
            steps_left -= usize::from(left.is_nan() || 2.0 * left >= error);
            if left < error {
                *self = next;
                std::mem::swap(&mut places, &mut moved);
                if f32::from(LEAST_GAIN_PART) * (error - left) < error {
                    return;
                }
                error = left;
                damping /= factor;
                is_known = false;
            } else {
                damping *= factor * factor;
            }
        }
    }

    /// The normal equations of a step, after L. Kaufman, "A Variable Projection Method for Solving Separable Nonlinear Least Squares
    /// Problems", 1975.
    fn equations(&self, samples: &[Sample], places: &[Place], rows: &mut [[f64; ROW]]) {
        let sums = self.sums(samples, places, rows.len() > self.freedom.unknowns());
        let axis = self.freedom.unknowns();
        rows.fill([0.0; ROW]);
        // For each unknown, what it and the stops change together.
        let mut with_stops = [[[0.0; 4]; MOST_STOPS]; ROW - 1];
        let with_stops = &mut with_stops[..rows.len()];
        for (before, sums) in sums[..self.count - 1].iter().enumerate() {
            let per_way = self.per_way[before];
            let by = minus(self.colors[before + 1], self.colors[before]);
            let square = f64::from(dot(by, by));
            // The unknowns that change colors between these stops: which of the sums they are, and how much of it.
            let mut changing = [(0, 0, 0.0); MISSING];
            let mut count = 0;
            let ends = [before.checked_sub(1), Some(before)].into_iter().zip([0, 1]);
            let ends = ends.filter_map(|(stop, of)| stop.map(|stop| (axis + stop, of, -per_way)));
            for changes in (0..axis).map(|k| (k, AXIS + k, per_way)).chain(ends) {
                if changes.0 < rows.len() {
                    changing[count] = changes;
                    count += 1;
                }
            }
            for &(k, of, share) in &changing[..count] {
                let sums = sums[of].map(|sum| f64::from(share * sum));
                for &(other, with, share) in &changing[..count] {
                    rows[k][other] += sums[with] * square * f64::from(share);
                }
                rows[k][ROW - 1] += sums[MISSING];
                for (to, product) in with_stops[k][before..].iter_mut().zip(&sums[..AXIS]) {
                    to.iter_mut().zip(by).for_each(|(to, by)| *to += product * f64::from(by));
                }
            }
        }
        // What the colors can do as well is taken off.
        for k in 0..rows.len() {
            let mut done = with_stops[k];
            self.products.solve(&mut done[..self.count]);
            for (other, theirs) in with_stops[..=k].iter().enumerate() {
                let both = done.as_flattened().iter().zip(theirs.as_flattened());
                let common: f64 = both.map(|(a, b)| a * b).sum();
                rows[k][other] -= common * (1.0 - f64::from(f32::EPSILON));
                rows[other][k] = rows[k][other];
            }
        }
    }

    /// For each stop but the last, sums over the pixels up to the next: of the products of the parts of both stops, of how the unknowns of the
    /// axis change a place there, and of the color that is missing, along that of the way. Those of the parts alone are left out unless stops
    /// move.
    fn sums(
        &self,
        samples: &[Sample],
        places: &[Place],
        moves_stops: bool,
    ) -> [[[f32; MISSING + 2]; MISSING]; MOST_STOPS] {
        let mut sums = [[f32x8::ZERO; MISSING]; MOST_STOPS];
        let first = if moves_stops { 0 } else { AXIS };
        let changing = first..AXIS + self.freedom.unknowns();
        let slopes = self.slopes();
        for (sample, &place) in samples.iter().zip(places) {
            let Place { before, share } = place;
            let [a, b, c, d] = slopes(sample.at, place);
            let toward = minus(self.colors[before + 1], self.colors[before]);
            let missing = dot(toward, minus(sample.color, self.color(place)));
            let values = [1.0 - share, share, a, b, c, d, missing, 0.0];
            let all = f32x8::new(values);
            for (sum, value) in sums[before][changing.clone()].iter_mut().zip(&values[changing.clone()]) {
                *sum += f32x8::splat(sample.weight * value) * all;
            }
        }
        sums.map(|sums| sums.map(|sum| sum.to_array()))
    }

    /// Tells how the unknowns of the axis change a place between the ends, 0 to 1.
    #[inline]
    pub fn slopes(&self) -> impl Fn(Point, Place) -> [f32; MOST_UNKNOWNS] {
        let slopes = |at| self.freedom.slopes(&self.axis, at, self.ends[1] - self.ends[0]);
        let ends = self.end_points.map(slopes);
        move |at, Place { before, share }| {
            let along = self.shares[before] + share * (self.shares[before + 1] - self.shares[before]);
            // The ends go along.
            let at_ends = plus(ends[0], along, minus(ends[1], ends[0]));
            times(self.per_length, minus(slopes(at), at_ends))
        }
    }

    /// By how much the color changes on the way between the ends, there.
    pub fn steepness(&self, before: usize) -> Channels {
        times(self.per_way[before], minus(self.colors[before + 1], self.colors[before]))
    }

    /// Changes one of the unknowns: of the axis, or shares of it.
    pub fn change(&mut self, unknown: usize, by: f32) {
        let axis = self.freedom.unknowns();
        if unknown < axis {
            let length = self.ends[1] - self.ends[0];
            return self.freedom.change(&mut self.axis, unknown, by, length);
        }
        let stop = unknown - axis + 1;
        let least = 1.0 / f32::from(PARTS);
        let (before, after) = (self.shares[stop - 1] + least, self.shares[stop + 1] - least);
        self.shares[stop] = (self.shares[stop] + by).min(after).max(before);
    }

    /// Spreads the stops so that colors change about as much from each to the next.
    pub fn spread(&mut self) {
        let last = self.count - 1;
        let changes: Vec<f32> =
            (0..last).map(|k| distance_sq(self.colors[k], self.colors[k + 1]).sqrt()).collect();
        let all: f32 = changes.iter().sum();
        // Half as much again is spread evenly.
        let even = all / (2 * last) as f32 + f32::MIN_POSITIVE;
        let before = self.shares;
        let (mut k, mut done) = (0, 0.0);
        for stop in 1..last {
            let until = (all + even * last as f32) * stop as f32 / last as f32;
            while k + 1 < last && done + changes[k] + even <= until {
                done += changes[k] + even;
                k += 1;
            }
            let share = ((until - done) / (changes[k] + even)).min(1.0);
            self.shares[stop] = before[k] + share * (before[k + 1] - before[k]);
        }
    }

    /// Without the stop whose absence adds least error. `None` if only two are left.
    pub fn with_fewer_stops(&self, samples: &[Sample]) -> Option<Self> {
        let added = |&k: &usize| {
            let [before, here, after] = [k - 1, k, k + 1].map(|k| (self.shares[k], self.colors[k]));
            let share = (here.0 - before.0) / (after.0 - before.0);
            let off = plus(before.1, share, minus(after.1, before.1));
            self.masses[k] * distance_sq(off, here.1)
        };
        let stop = (1..self.count - 1).min_by(|a, b| added(a).total_cmp(&added(b)))?;
        let mut fewer = self.clone();
        fewer.shares.copy_within(stop + 1.., stop);
        fewer.count -= 1;
        fewer.shares[fewer.count] = f32::INFINITY;
        fewer.solve(samples, &mut Vec::with_capacity(samples.len()));
        Some(fewer)
    }
}
