//! The samples of one outline with prefix sums, so that a line through any run of them costs the same.

use wide::f64x2;

use super::vector::{Bound, Vector, principal_axis};
use crate::geometry::Point;

/// The samples of an outline, relative to `origin`.
///
/// # Guarantees
/// A closed outline is stored twice over, so that a run across its seam is a plain range; `at` and every range
/// take indices below `2 * count`. An open one is stored once.
pub(crate) struct SampledOutline {
    lists: SampleLists,
    pub origin: Point,
    pub closed: bool,
    pub count: usize,
    /// RMS error of a sample.
    pub noise_px: f64,
    /// How long the side of a pixel is.
    pub pixel: f64,
}

/// A number that has gone on past the end of a ring, by less than a lap. Compared: a division takes ten times as long.
pub(crate) fn wrapped(number: usize, count: usize) -> usize {
    if number < count { number } else { number - count }
}

/// Zeros after the coordinates in single precision.
const PADDING: usize = 4;

/// What is listed of the samples of an outline.
#[derive(Default)]
pub(crate) struct SampleLists {
    points: Vec<Vector>,
    /// Their coordinates once round, in single precision, for loops over many of them; then as many zeros as such a loop reads too far.
    columns: [Vec<f32>; 2],
    sums: Vec<MomentSums>,
    /// For each point, the length along the points before it.
    lengths: Vec<f64>,
}

impl SampleLists {
    /// Takes the points from `first` on, in the room of those of another outline.
    fn fill(&mut self, points: &[Point], closed: bool, first: usize) {
        let SampleLists { points: stored, columns: [columns_x, columns_y], sums, lengths } = self;
        stored.clear();
        for part in [&points[first..], &points[..first]] {
            stored.extend(part.iter().map(|&point| Vector::from_point(point, points[first])));
        }
        if closed {
            stored.extend_from_within(..);
        }
        let mut sum = MomentSums::default();
        sums.clear();
        sums.reserve(stored.len() + 1);
        sums.push(sum);
        sums.extend(stored.iter().map(|point| {
            let place = f64x2::new([point.x, point.y]);
            sum.places += place;
            sum.squares += place * place;
            sum.products += point.x * point.y;
            sum
        }));
        // First from each point to the next; once round, for their roots take long.
        let once = &stored[..stored.len().min(points.len() + 1)];
        lengths.clear();
        lengths.push(0.0);
        lengths.extend(once.array_windows().map(|&[from, to]| (to - from).length()));
        if closed {
            lengths.extend_from_within(1..points.len());
        }
        let mut length = 0.0;
        for step in lengths.iter_mut() {
            length += *step;
            *step = length;
        }
        columns_x.clear();
        columns_x.extend(once.iter().map(|point| point.x as f32));
        columns_y.clear();
        columns_y.extend(once.iter().map(|point| point.y as f32));
        columns_x.extend([0.0; PADDING]);
        columns_y.extend([0.0; PADDING]);
    }
}

/// Of the samples up to one: the sums of x and y, of their squares, and of their product.
#[derive(Clone, Copy, Default)]
struct MomentSums {
    places: f64x2,
    squares: f64x2,
    products: f64,
}

/// A straight line: a point of it and its direction of length one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FitLine {
    pub center: Vector,
    pub direction: Vector,
}

impl FitLine {
    pub fn offset(&self, point: Vector) -> f64 {
        self.direction.cross(point - self.center)
    }

    pub fn project(&self, point: Vector) -> Vector {
        self.center + self.direction * self.direction.dot(point - self.center)
    }
}

impl SampledOutline {
    /// `first`: the sample to begin with, 0 for an open outline. `lists` of another outline make room for these.
    pub fn new(
        mut lists: SampleLists,
        points: &[Point],
        (closed, first): (bool, usize),
        noise_px: f64,
    ) -> Self {
        lists.fill(points, closed, first);
        SampledOutline { lists, origin: points[first], closed, count: points.len(), noise_px, pixel: 1.0 }
    }

    /// What is listed of them, as room for another outline's.
    pub fn into_lists(self) -> SampleLists {
        self.lists
    }

    pub fn at(&self, index: usize) -> Vector {
        self.lists.points[index]
    }

    /// The lengths along the samples from the first of all to each of `first..=last`.
    pub fn lengths(&self, first: usize, last: usize) -> &[f64] {
        &self.lists.lengths[first..=last]
    }

    /// The samples `first..=last`.
    pub fn run(&self, first: usize, last: usize) -> &[Vector] {
        &self.lists.points[first..=last]
    }

    /// The coordinates, x and y, of the samples `first..=last` before the second round.
    pub fn columns(&self, first: usize, last: usize) -> (&[f32], &[f32]) {
        (&self.lists.columns[0][first..=last], &self.lists.columns[1][first..=last])
    }

    /// The coordinates of all, x and y, with what follows them.
    pub fn padded_columns(&self) -> (&[f32], &[f32]) {
        (&self.lists.columns[0], &self.lists.columns[1])
    }

    /// Largest index that may be asked for.
    pub fn last_index(&self) -> usize {
        self.lists.points.len() - 1
    }

    /// How the run `first..=last` scatters.
    #[inline]
    pub fn scatter(&self, first: usize, last: usize) -> Scatter {
        let (low, high) = (&self.lists.sums[first], &self.lists.sums[last + 1]);
        let count = (last + 1 - first) as f64;
        let places = high.places - low.places;
        let mean = places / f64x2::splat(count);
        let [xx, yy] = (high.squares - low.squares - places * mean).to_array();
        let ([x, _], [mean_x, mean_y]) = (places.to_array(), mean.to_array());
        let xy = high.products - low.products - x * mean_y;
        Scatter { mean: Vector::new(mean_x, mean_y), xx, xy, yy }
    }

    /// The total least squares line of the run, directed from its first to its last sample.
    pub fn line(&self, first: usize, last: usize) -> FitLine {
        self.line_and_error_sq(first, last).0
    }

    /// That line and the sum of squared distances to it.
    #[inline(never)]
    pub fn line_and_error_sq(&self, first: usize, last: usize) -> (FitLine, f64) {
        let scatter = self.scatter(first, last);
        (scatter.line(self.chord(first, last)), scatter.error_sq())
    }

    /// From the first sample of a run to its last.
    pub fn chord(&self, first: usize, last: usize) -> Vector {
        self.lists.points[last] - self.lists.points[first]
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
        // The least of the second moments, the largest being more by the spread.
        (0.5 * (self.xx + self.yy - spread)).at_least(0.0)
    }

    /// Whether that is more than so much: known without a root, which whoever asks would wait for.
    #[inline]
    pub fn leaves_more_than(&self, error_sq: f64) -> bool {
        let (difference, least) = (self.xx - self.yy, self.xx + self.yy - 2.0 * error_sq);
        least > 0.0 && difference * difference + 4.0 * self.xy * self.xy < least * least
    }

    /// The direction of that line or its opposite, of any length.
    #[inline]
    pub fn axis(&self) -> Vector {
        principal_axis(self.xx, self.xy, self.yy).0
    }

    /// That line, directed as the chord of the run.
    #[inline]
    pub fn line(&self, chord: Vector) -> FitLine {
        let (axis, _) = principal_axis(self.xx, self.xy, self.yy);
        let unit = axis.unit().or_else(|| chord.unit()).unwrap_or(Vector::new(1.0, 0.0));
        let direction = unit * 1.0_f64.copysign(unit.dot(chord));
        FitLine { center: self.mean, direction }
    }
}
