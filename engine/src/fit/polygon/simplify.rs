//! The polygon under an outline: the samples between which it runs within a tolerance of straight.

use wide::f32x4;

use crate::fit::sampled::{SampledOutline, largest};

/// A straight run may leave its line by so much: coarse enough that an arc of radius 2 px turns less than
/// 60 degrees a side, fine enough to keep the sides of a 2 px square.
const TOLERANCE_PX: f64 = 0.3;
/// Beyond this many standard deviations a sample is not noise.
const TOLERANCE_NOISE: f64 = 2.2;
/// Of an enlarged outline it grows by this part of the enlargement: bends of small print are finer than those of other outlines, but not
/// by so much, and each vertex more is one more stop for curves to be sought among.
const TOLERANCE_OF_ENLARGEMENT: f64 = 0.3;
/// At most this fraction of a shape's size, so that noise never eats a small shape.
const TOLERANCE_SIZE: f64 = 1.0 / 6.0;
/// A bowed run's worst sample lies at about twice its RMS. Of normal noise, the RMS over ten samples scatters by a
/// quarter, and one sample in two thousand lies beyond 3.5 standard deviations.
const RMS_OF_MAX: f64 = 0.5;
const MERGED_RMS_NOISE: f64 = 1.25;
const MERGED_WORST_NOISE: f64 = 3.5;
/// Of the squared distance allowed to one sample the part that all together may leave without being looked at one by one: all of it, but
/// for rounding.
const WHAT_ONE_LEAVES: f64 = 0.999;
/// Runs longer than this are cut before they are searched: bounds the work on spirals and fractals.
const SIMPLIFY_CHUNK: usize = 512;
/// Samples farther apart than this have a gap between them; a corner turns by 25 degrees or more (this is the cosine).
pub(crate) const SPACING_PX: f32 = 1.15;
const GAP_COSINE: f32 = 0.906;
/// How far a vertex may slide along the samples in search of the least error.
const SLIDE: usize = 3;

pub(crate) fn tolerance_px(samples: &SampledOutline) -> f64 {
    let enlarged = 1.0 + TOLERANCE_OF_ENLARGEMENT * (samples.pixel - 1.0);
    let tolerance = TOLERANCE_PX.max(TOLERANCE_NOISE * samples.noise_px) * enlarged;
    let points = samples.run(0, samples.count - 1);
    // Places are relative to the first: most outlines have a sample nearby that is far enough from it.
    let is_enough = |length: f64| length * TOLERANCE_SIZE >= tolerance;
    if tolerance <= TOLERANCE_PX
        || points.iter().any(|point| is_enough(point.x.abs()) || is_enough(point.y.abs()))
    {
        return tolerance;
    }
    let (mut low, mut high) = (samples.at(0), samples.at(0));
    for point in points {
        low.x = low.x.min(point.x);
        low.y = low.y.min(point.y);
        high.x = high.x.max(point.x);
        high.y = high.y.max(point.y);
    }
    let size = (high.x - low.x).max(high.y - low.y);
    tolerance.min(TOLERANCE_PX.max(size * TOLERANCE_SIZE))
}

/// The polygon under an outline.
#[derive(Default)]
pub(crate) struct Polygon {
    /// In rising order: of an open outline with both its ends, of a closed one without repeating.
    pub vertices: Vec<usize>,
    /// Room for those that are still to be split at, the next one last.
    pending: Vec<usize>,
}

impl Polygon {
    /// In the place of that under another outline.
    pub fn lay_under(&mut self, samples: &SampledOutline, tolerance_px: f64) {
        self.split(samples, tolerance_px);
        let vertices = &mut self.vertices;
        let straight = StraightLimit::new(samples, tolerance_px);
        merge_sides(&straight, vertices);
        slide(samples, vertices);
        merge_sides(&straight, vertices);
        if samples.closed {
            close(&straight, vertices);
        }
    }

    /// Recursive splitting at the farthest sample (Ramer, Douglas, Peucker). A closed result ends with `count`.
    fn split(&mut self, samples: &SampledOutline, tolerance_px: f64) {
        let Polygon { vertices, pending } = self;
        list_stops(samples, pending);
        pending.reverse();
        let tolerance_sq = (tolerance_px * tolerance_px) as f32;
        vertices.clear();
        vertices.push(0);
        while let Some(&last) = pending.last() {
            let first = vertices[vertices.len() - 1];
            match worst(samples, first, last) {
                (distance_sq, index) if distance_sq > tolerance_sq => pending.push(index),
                _ => {
                    vertices.push(last);
                    pending.pop();
                }
            }
        }
        vertices.dedup();
    }
}

/// Ends the walk round: the seam is a vertex only once, and not at all on a straight side.
fn close(straight: &StraightLimit<'_>, vertices: &mut Vec<usize>) {
    vertices.pop();
    let count = vertices.len();
    if count >= fewest(straight.samples) {
        let lap = straight.samples.count;
        if straight.holds(vertices[count - 1], lap, vertices[1] + lap) {
            vertices.remove(0);
        }
    }
}

/// Where the outline is cut before it is split, in order, some twice.
fn list_stops(samples: &SampledOutline, stops: &mut Vec<usize>) {
    let end = if samples.closed { samples.count } else { samples.count - 1 };
    add_gaps(samples, end, stops);
    let chunks = (SIMPLIFY_CHUNK..end.saturating_sub(SIMPLIFY_CHUNK / 2)).step_by(SIMPLIFY_CHUNK);
    // From the first to itself, the farthest from it.
    for stop in chunks.chain(samples.closed.then(|| worst(samples, 0, end).1)) {
        stops.insert(stops.partition_point(|&other| other < stop), stop);
    }
    stops.push(end);
}

/// The sample strictly between two that lies farthest from their chord, with its squared distance. Of equals, the first.
fn worst(samples: &SampledOutline, first: usize, last: usize) -> (f32, usize) {
    if last < first + 2 {
        return (-1.0, first);
    }
    let (x, y) = samples.columns(first, last);
    let chord = Chord::new((x[0], y[0]), (x[x.len() - 1], y[y.len() - 1]));
    let (x, y) = (&x[1..x.len() - 1], &y[1..y.len() - 1]);
    let (mut best, mut best_at) = (f32x4::splat(-1.0), f32x4::ZERO);
    let mut look = |x: f32x4, y: f32x4, at: f32x4| {
        let distance_sq = chord.distance_sq(x, y);
        best_at = distance_sq.simd_gt(best).bitselect(at, best_at);
        best = best.fast_max(distance_sq);
    };
    let first_four = f32x4::new([0.0, 1.0, 2.0, 3.0]);
    let mut at = first_four;
    for (&x, &y) in x.as_chunks::<4>().0.iter().zip(y.as_chunks::<4>().0) {
        look(f32x4::new(x), f32x4::new(y), at);
        at += f32x4::splat(4.0);
    }
    // The last four, of which some are seen again; fewer with as many of the first sample.
    if let (Some(&last_x), Some(&last_y)) = (x.last_chunk(), y.last_chunk()) {
        look(f32x4::new(last_x), f32x4::new(last_y), first_four + f32x4::splat((x.len() - 4) as f32));
    } else {
        let fill = |rest: &[f32], start: f32| {
            f32x4::new(std::array::from_fn(|lane| rest.get(lane).copied().unwrap_or(start)))
        };
        look(fill(x, chord.start.0), fill(y, chord.start.1), first_four);
    }
    let worst = largest(best);
    let later = f32x4::splat(x.len() as f32 - 1.0);
    let at = -largest(-best.simd_eq(f32x4::splat(worst)).bitselect(best_at, later));
    (worst, first + 1 + (at as usize).min(x.len() - 1))
}

/// A line from one point to another.
struct Chord {
    start: (f32, f32),
    across: (f32, f32),
    /// One over its length squared.
    inverse: f32,
}

impl Chord {
    fn new(start: (f32, f32), end: (f32, f32)) -> Self {
        let across = (end.0 - start.0, end.1 - start.1);
        let length_sq = across.0 * across.0 + across.1 * across.1;
        let inverse = if length_sq > 0.0 { 1.0 / length_sq } else { 0.0 };
        Chord { start, across, inverse }
    }

    /// The squared distances of four points.
    fn distance_sq(&self, x: f32x4, y: f32x4) -> f32x4 {
        let (across_x, across_y) = (f32x4::splat(self.across.0), f32x4::splat(self.across.1));
        let (x, y) = (x - f32x4::splat(self.start.0), y - f32x4::splat(self.start.1));
        let along = (x * across_x + y * across_y) * f32x4::splat(self.inverse);
        let along = along.fast_max(f32x4::ZERO).fast_min(f32x4::ONE);
        let (x, y) = (x - across_x * along, y - across_y * along);
        x * x + y * y
    }
}

/// Adds both samples at each gap in which the outline turns: placement leaves out what a corner spoils.
fn add_gaps(samples: &SampledOutline, end: usize, stops: &mut Vec<usize>) {
    let (x, y) = samples.padded_columns();
    for first in (1..end.saturating_sub(2)).step_by(4) {
        let mut gaps = gaps(steps(&x[first - 1..]), steps(&y[first - 1..]));
        while gaps != 0 {
            let index = first + gaps.trailing_zeros() as usize;
            if index + 2 < end {
                stops.extend([index, index + 1]);
            }
            gaps &= gaps - 1;
        }
    }
}

/// From four numbers to the next ones: the steps before, across and after a gap.
fn steps(numbers: &[f32]) -> [f32x4; 3] {
    let four = |first: usize| f32x4::new(*numbers[first..].first_chunk().unwrap_or(&[0.0; 4]));
    let [a, b, c, d] = [four(0), four(1), four(2), four(3)];
    [b - a, c - b, d - c]
}

/// Between which of four samples and the next the outline turns in a gap, one bit each.
fn gaps([before_x, across_x, after_x]: [f32x4; 3], [before_y, across_y, after_y]: [f32x4; 3]) -> u32 {
    let across_sq = across_x * across_x + across_y * across_y;
    let cosine = before_x * after_x + before_y * after_y;
    let before_sq = before_x * before_x + before_y * before_y;
    let after_sq = after_x * after_x + after_y * after_y;
    let is_gap = across_sq.simd_ge(f32x4::splat(SPACING_PX * SPACING_PX));
    let turns = cosine.simd_lt(f32x4::splat(GAP_COSINE) * (before_sq * after_sq).sqrt());
    (is_gap & turns).to_bitmask()
}

/// Fewest vertices a polygon may be left with.
fn fewest(samples: &SampledOutline) -> usize {
    if samples.closed { 4 } else { 2 }
}

/// Drops vertices whose two sides are one line as well as two.
fn merge_sides(straight: &StraightLimit<'_>, vertices: &mut Vec<usize>) {
    let fewest = fewest(straight.samples);
    let mut left = vertices.len();
    let mut kept = 1;
    for index in 1..vertices.len() - 1 {
        let (first, middle, last) = (vertices[kept - 1], vertices[index], vertices[index + 1]);
        if left > fewest && straight.holds(first, middle, last) {
            left -= 1;
        } else {
            vertices[kept] = middle;
            kept += 1;
        }
    }
    vertices[kept] = vertices[vertices.len() - 1];
    vertices.truncate(kept + 1);
}

/// How straight two sides have to run to be one.
struct StraightLimit<'a> {
    samples: &'a SampledOutline,
    mean_sq: f64,
    worst: f64,
    worst_sq: f64,
}

impl<'a> StraightLimit<'a> {
    fn new(samples: &'a SampledOutline, tolerance_px: f64) -> Self {
        let rms = (RMS_OF_MAX * tolerance_px).max(MERGED_RMS_NOISE * samples.noise_px);
        let worst = tolerance_px.max(MERGED_WORST_NOISE * samples.noise_px);
        StraightLimit { samples, mean_sq: rms * rms, worst, worst_sq: WHAT_ONE_LEAVES * worst * worst }
    }

    fn holds(&self, first: usize, middle: usize, last: usize) -> bool {
        let samples = self.samples;
        let scatter = samples.scatter(first, last);
        if scatter.leaves_more_than(self.mean_sq * (last + 1 - first) as f64) {
            return false;
        }
        let (before, after) = (samples.chord(first, middle), samples.chord(middle, last));
        let axis = scatter.axis();
        // Mostly all samples together leave less than one may.
        if axis.dot(before) * axis.dot(after) > 0.0 && !scatter.leaves_more_than(self.worst_sq) {
            return true;
        }
        let line = scatter.line(samples.chord(first, last));
        let check_from = if middle - first > SIMPLIFY_CHUNK { middle - SIMPLIFY_CHUNK } else { first };
        let inside = samples.run(check_from, last.min(middle + SIMPLIFY_CHUNK));
        let forward = line.direction.dot(before) > 0.0 && line.direction.dot(after) > 0.0;
        forward && inside.iter().all(|&point| line.offset(point).abs() <= self.worst)
    }
}

/// Slides each vertex along the samples to where its two sides fit best.
fn slide(samples: &SampledOutline, vertices: &mut [usize]) {
    for index in 1..vertices.len().saturating_sub(1) {
        let (first, middle, last) = (vertices[index - 1], vertices[index], vertices[index + 1]);
        let low = (first + 1).max(middle.saturating_sub(SLIDE));
        let high = (last - 1).min(middle + SLIDE);
        let before = |candidate: usize| samples.scatter(first, candidate).error_sq();
        let after = |candidate: usize| samples.scatter(candidate, last).error_sq();
        let mut best = (before(middle) + after(middle), middle);
        // The longer a run, the more it leaves of its line: mostly it is too much before the other one is looked at. Of equals, the first
        // is best.
        for candidate in middle + 1..=high {
            let before = before(candidate);
            if before >= best.0 {
                break;
            }
            let error = before + after(candidate);
            if error < best.0 {
                best = (error, candidate);
            }
        }
        for candidate in (low..middle).rev() {
            let after = after(candidate);
            if after > best.0 {
                break;
            }
            let error = before(candidate) + after;
            if error <= best.0 {
                best = (error, candidate);
            }
        }
        vertices[index] = best.1;
    }
}
