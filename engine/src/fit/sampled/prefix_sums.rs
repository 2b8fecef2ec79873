//! The samples of one outline with prefix sums, so that fitting a line to any run of them takes the same
//! time.

use wide::f64x2;

use super::range::wrapped;
use super::vector::{Bound, Vector, principal_axis};
use crate::geometry::Point;

/// The samples of an outline, relative to `origin`. The memory of its lists serves one outline after the other.
///
/// # Guarantees
/// A closed outline is stored twice over, so that a run across its seam is a plain range; `at` and every
/// range take indices below `2 * count`. An open one is stored once.
#[derive(Default)]
pub(crate) struct SampledOutline {
    points: Vec<Vector>,
    /// The coordinates x and y of one lap in single precision, followed by [`PADDING`] zeros.
    columns: [Vec<f32>; 2],
    sums: Vec<MomentSums>,
    /// For each point, the length along the outline up to it.
    lengths: Vec<f64>,
    pub origin: Point,
    pub closed: bool,
    pub count: usize,
    /// Expected error of a sample, RMS.
    pub noise_px: f64,
    /// The side of a pixel in the unit of the samples.
    pub pixel: f64,
}

/// Zeros after the coordinates in single precision: loops over four samples at a time read past the end.
const PADDING: usize = 4;

/// Sums over all samples up to one: of x and y, of their squares, and of their product.
#[derive(Clone, Copy, Default)]
struct MomentSums {
    positions: f64x2,
    squares: f64x2,
    products: f64,
}

/// A straight line: a point on it and its unit direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FitLine {
    pub center: Vector,
    pub direction: Vector,
}

impl FitLine {
    /// The signed distance of a point from the line, positive to its right on the screen (y down).
    pub fn offset(&self, point: Vector) -> f64 {
        self.direction.cross(point - self.center)
    }

    /// The foot of a point on the line.
    pub fn project(&self, point: Vector) -> Vector {
        self.center + self.direction * self.direction.dot(point - self.center)
    }
}

impl SampledOutline {
    /// Takes the samples of `points` from `first` on, which is 0 for an open outline.
    pub fn fill(&mut self, points: &[Point], closed: bool, first: usize) {
        (self.origin, self.closed, self.count) = (points[first], closed, points.len());
        let laps = if closed { 2 } else { 1 };
        self.points.clear();
        self.lengths.clear();
        self.sums.clear();
        self.columns.iter_mut().for_each(Vec::clear);
        let room = laps * self.count + 1;
        self.points.reserve(room);
        self.lengths.reserve(room);
        self.sums.reserve(room);
        self.columns.iter_mut().for_each(|column| column.reserve(self.count + 1 + PADDING));
        let (mut sum, mut length) = (MomentSums::default(), 0.0);
        let mut before = Vector::default();
        self.sums.push(sum);
        for number in 0..laps * self.count {
            let point = Vector::from_point(
                points[wrapped(wrapped(number, self.count) + first, self.count)],
                self.origin,
            );
            length += (point - before).length();
            before = point;
            let position = f64x2::new([point.x, point.y]);
            sum.positions += position;
            sum.squares += position * position;
            sum.products += point.x * point.y;
            self.points.push(point);
            self.lengths.push(length);
            self.sums.push(sum);
            // The seam closes the first lap.
            if number <= self.count {
                self.columns[0].push(point.x as f32);
                self.columns[1].push(point.y as f32);
            }
        }
        self.columns.iter_mut().for_each(|column| column.extend([0.0; PADDING]));
    }

    pub fn at(&self, index: usize) -> Vector {
        self.points[index]
    }

    /// The lengths along the outline from its first sample to each of `first..=last`.
    pub fn lengths(&self, first: usize, last: usize) -> &[f64] {
        &self.lengths[first..=last]
    }

    /// The samples `first..=last`.
    pub fn run(&self, first: usize, last: usize) -> &[Vector] {
        &self.points[first..=last]
    }

    /// The coordinates x and y of the samples `first..=last` of the first lap.
    pub fn columns(&self, first: usize, last: usize) -> (&[f32], &[f32]) {
        (&self.columns[0][first..=last], &self.columns[1][first..=last])
    }

    /// The coordinates x and y of the first lap, followed by [`PADDING`] zeros.
    pub fn padded_columns(&self) -> (&[f32], &[f32]) {
        (&self.columns[0], &self.columns[1])
    }

    /// The largest valid index.
    pub fn last_index(&self) -> usize {
        self.points.len() - 1
    }

    /// The second moments of the run `first..=last`.
    #[inline]
    pub fn scatter(&self, first: usize, last: usize) -> Scatter {
        let (low, high) = (&self.sums[first], &self.sums[last + 1]);
        let count = (last + 1 - first) as f64;
        let positions = high.positions - low.positions;
        let mean = positions / f64x2::splat(count);
        let [xx, yy] = (high.squares - low.squares - positions * mean).to_array();
        let ([x, _], [mean_x, mean_y]) = (positions.to_array(), mean.to_array());
        let xy = high.products - low.products - x * mean_y;
        Scatter { mean: Vector::new(mean_x, mean_y), xx, xy, yy }
    }

    /// The total-least-squares line of the run, directed from its first sample to its last.
    pub fn line(&self, first: usize, last: usize) -> FitLine {
        self.line_and_error_sq(first, last).0
    }

    /// That line and the sum of squared distances to it.
    #[inline(never)]
    pub fn line_and_error_sq(&self, first: usize, last: usize) -> (FitLine, f64) {
        let scatter = self.scatter(first, last);
        (scatter.line(self.chord(first, last)), scatter.error_sq())
    }

    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    /// The sum of squared distances from a run to its own best line.
    #[inline(never)]
    pub fn error_sq(&self, first: usize, last: usize) -> f64 {
        self.scatter(first, last).error_sq()
    }

    /// The vector from the first sample of a run to its last.
    pub fn chord(&self, first: usize, last: usize) -> Vector {
        self.points[last] - self.points[first]
    }
}

/// The mean of a run and its sums of squares about it.
pub(crate) struct Scatter {
    mean: Vector,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Scatter {
    /// The sum of squared distances to the run's own best line.
    #[inline]
    pub fn error_sq(&self) -> f64 {
        let (_, spread) = principal_axis(self.xx, self.xy, self.yy);
        // The smaller principal moment; the larger one exceeds it by the spread.
        (0.5 * (self.xx + self.yy - spread)).at_least(0.0)
    }

    /// Whether [`Scatter::error_sq`] exceeds a limit, decided without a square root.
    #[inline]
    pub fn exceeds(&self, error_sq: f64) -> bool {
        let (difference, least) = (self.xx - self.yy, self.xx + self.yy - 2.0 * error_sq);
        least > 0.0 && difference * difference + 4.0 * self.xy * self.xy < least * least
    }

    /// The direction of the best line or its opposite, of any length.
    #[inline]
    pub fn axis(&self) -> Vector {
        principal_axis(self.xx, self.xy, self.yy).0
    }

    /// The best line, directed like the run's chord.
    #[inline]
    pub fn line(&self, chord: Vector) -> FitLine {
        let (axis, _) = principal_axis(self.xx, self.xy, self.yy);
        let unit = axis.unit().or_else(|| chord.unit()).unwrap_or(Vector::new(1.0, 0.0));
        let direction = unit * 1.0_f64.copysign(unit.dot(chord));
        FitLine { center: self.mean, direction }
    }
}
