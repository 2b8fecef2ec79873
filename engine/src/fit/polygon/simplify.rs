//! The coarse polygon of an outline: takes the samples, gives those between which the outline is straight
//! within a tolerance.
//!
//! The outline is split at the farthest sample until all are near (U. Ramer, 1972; D. H. Douglas and T. K.
//! Peucker, 1973). Then vertices between two sides that are one line are dropped, and the others slide to
//! where their sides fit best.

use wide::f32x4;

use super::farthest::farthest;
use crate::fit::sampled::{NEAR_NOISE, SampledOutline, WORST_SAMPLE_NOISE};

/// How far a straight run may leave its chord, and samples the lines of a tip.
///
/// Unit: pixels. Source: tuned; coarse enough that an arc of radius 2 px turns by about 60 degrees a side,
/// fine enough to keep the sides of a 2 px square.
pub(super) const TOLERANCE_PX: f64 = 0.3;

/// The share of the enlargement of a small outline by which the tolerance grows.
///
/// Unit: share of the enlargement less one (ratio). Source: tuned on drawings of text: with 0 nearly every
/// bend of a letter became two vertices, with 4 % more bytes and lower fidelity.
const TOLERANCE_OF_ENLARGEMENT: f64 = 0.3;

/// The RMS distance up to which two sides are one line, for the tolerance of one sample.
///
/// Unit: share (ratio). Source: the worst sample of a bowed run lies at about twice its RMS.
const RMS_OF_MAX: f64 = 0.5;

/// The RMS distance up to which two sides are one line, for the noise.
///
/// Unit: noise (standard deviations). Source: the RMS of ten normal samples scatters by 22 %.
const MERGED_RMS_NOISE: f64 = 1.25;

/// Runs longer than this are cut before they are split, which bounds the work on spirals and fractals.
///
/// Unit: count (samples). Source: tuned for time; no derivation is known.
const SIMPLIFY_CHUNK: usize = 512;

/// Two neighboring samples farther apart than this have a gap between them.
///
/// Unit: pixels. Source: tuned; samples lie about 1 px apart where placing left none out.
pub(crate) const SPACING_PX: f32 = 1.15;

/// An outline that turns across a gap by more than this has a corner there.
///
/// Unit: cosine of the turn (25 degrees). Source: tuned; no derivation is known.
const GAP_COSINE: f32 = 0.906;

/// How far a vertex may slide along the samples.
///
/// Unit: count (samples). Source: tuned; no derivation is known.
const SLIDE: usize = 3;

/// The tolerance for an outline, by its noise and its enlargement.
pub(crate) fn tolerance_px(samples: &SampledOutline) -> f64 {
    let enlarged = 1.0 + TOLERANCE_OF_ENLARGEMENT * (samples.pixel - 1.0);
    TOLERANCE_PX.max(NEAR_NOISE * samples.noise_px) * enlarged
}

/// The polygon of an outline.
#[derive(Default)]
pub(crate) struct Polygon {
    /// Indices of samples in rising order; with both ends of an open outline, none of a closed one twice.
    pub vertices: Vec<usize>,
    /// Ends of runs that are still to be split, the next one last.
    pending: Vec<usize>,
}

impl Polygon {
    /// Replaces the polygon by that of `samples`.
    pub fn simplify(&mut self, samples: &SampledOutline, tolerance_px: f64) {
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

    /// Splits at the farthest sample until no sample is too far. A closed result ends with `count`.
    fn split(&mut self, samples: &SampledOutline, tolerance_px: f64) {
        let Polygon { vertices, pending } = self;
        list_cuts(samples, pending);
        pending.reverse();
        let tolerance_sq = (tolerance_px * tolerance_px) as f32;
        vertices.clear();
        vertices.push(0);
        while let Some(&last) = pending.last() {
            let first = vertices[vertices.len() - 1];
            match farthest(samples, first, last) {
                (distance_sq, index) if distance_sq > tolerance_sq => pending.push(index),
                _ => {
                    pending.pop();
                    if last > first {
                        vertices.push(last);
                    }
                }
            }
        }
    }
}

/// Joins the ends of a closed polygon: the seam is one vertex, and none on a straight side.
fn close(straight: &StraightLimit<'_>, vertices: &mut Vec<usize>) {
    vertices.pop();
    let count = vertices.len();
    if count >= min_vertices(straight.samples) {
        let lap = straight.samples.count;
        if straight.holds(vertices[count - 1], lap, vertices[1] + lap) {
            vertices.remove(0);
        }
    }
}

/// Lists where the outline is cut before it is split, in order, some places twice.
fn list_cuts(samples: &SampledOutline, cuts: &mut Vec<usize>) {
    let end = if samples.closed { samples.count } else { samples.count - 1 };
    add_gaps(samples, end, cuts);
    for cut in (SIMPLIFY_CHUNK..end.saturating_sub(SIMPLIFY_CHUNK / 2)).step_by(SIMPLIFY_CHUNK) {
        insert(cuts, cut);
    }
    // The chord of a closed outline is a point: the first sample. The farthest sample from it is a cut.
    if samples.closed {
        insert(cuts, farthest(samples, 0, end).1);
    }
    cuts.push(end);
}

fn insert(cuts: &mut Vec<usize>, cut: usize) {
    cuts.insert(cuts.partition_point(|&other| other < cut), cut);
}

/// Adds both samples beside each gap in which the outline turns: placing leaves out samples that a corner
/// spoils.
fn add_gaps(samples: &SampledOutline, end: usize, cuts: &mut Vec<usize>) {
    let (x, y) = samples.padded_columns();
    for first in (1..end.saturating_sub(2)).step_by(4) {
        let mut gaps = gaps(&Steps::from(&x[first - 1..]), &Steps::from(&y[first - 1..]));
        while gaps != 0 {
            let index = first + gaps.trailing_zeros() as usize;
            if index + 2 < end {
                cuts.extend([index, index + 1]);
            }
            gaps &= gaps - 1;
        }
    }
}

/// The steps of one coordinate before, across and after four possible gaps.
struct Steps {
    before: f32x4,
    across: f32x4,
    after: f32x4,
}

impl Steps {
    fn from(numbers: &[f32]) -> Self {
        let [a, b, c, d, e, f, g] = *numbers.first_chunk().unwrap_or(&[0.0; 7]);
        let [a, b, c, d] = [[a, b, c, d], [b, c, d, e], [c, d, e, f], [d, e, f, g]].map(f32x4::new);
        Steps { before: b - a, across: c - b, after: d - c }
    }
}

/// After which of four samples the outline has a gap in which it turns, one bit each.
fn gaps(x: &Steps, y: &Steps) -> u32 {
    let across_sq = x.across * x.across + y.across * y.across;
    let cosine = x.before * x.after + y.before * y.after;
    let before_sq = x.before * x.before + y.before * y.before;
    let after_sq = x.after * x.after + y.after * y.after;
    let is_gap = across_sq.simd_ge(f32x4::splat(SPACING_PX * SPACING_PX));
    let turns = cosine.simd_lt(f32x4::splat(GAP_COSINE) * (before_sq * after_sq).sqrt());
    (is_gap & turns).to_bitmask()
}

/// The least number of vertices that a polygon keeps.
fn min_vertices(samples: &SampledOutline) -> usize {
    if samples.closed { 4 } else { 2 }
}

/// Drops vertices whose two sides are one line.
fn merge_sides(straight: &StraightLimit<'_>, vertices: &mut Vec<usize>) {
    let min_vertices = min_vertices(straight.samples);
    let mut left = vertices.len();
    let mut kept = 1;
    for index in 1..vertices.len() - 1 {
        let (first, middle, last) = (vertices[kept - 1], vertices[index], vertices[index + 1]);
        if left > min_vertices && straight.holds(first, middle, last) {
            left -= 1;
        } else {
            vertices[kept] = middle;
            kept += 1;
        }
    }
    vertices[kept] = vertices[vertices.len() - 1];
    vertices.truncate(kept + 1);
}

/// How straight two sides must run to be one.
struct StraightLimit<'a> {
    samples: &'a SampledOutline,
    mean_sq: f64,
    worst: f64,
    /// A sum of squared distances up to which no sample can be too far.
    worst_sq: f64,
}

impl<'a> StraightLimit<'a> {
    fn new(samples: &'a SampledOutline, tolerance_px: f64) -> Self {
        let rms = (RMS_OF_MAX * tolerance_px).max(MERGED_RMS_NOISE * samples.noise_px);
        let worst = tolerance_px.max(WORST_SAMPLE_NOISE * samples.noise_px);
        StraightLimit { samples, mean_sq: rms * rms, worst, worst_sq: worst * worst }
    }

    /// Whether the sides from `first` to `middle` and on to `last` are one line.
    fn holds(&self, first: usize, middle: usize, last: usize) -> bool {
        let samples = self.samples;
        let scatter = samples.scatter(first, last);
        if scatter.exceeds(self.mean_sq * (last + 1 - first) as f64) {
            return false;
        }
        let (before, after) = (samples.chord(first, middle), samples.chord(middle, last));
        let axis = scatter.axis();
        // In most cases, all samples together are off by less than one may be.
        if axis.dot(before) * axis.dot(after) > 0.0 && !scatter.exceeds(self.worst_sq) {
            return true;
        }
        let line = scatter.line(samples.chord(first, last));
        // Only the samples around the vertex are checked one by one, to bound the work.
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
        let before = |candidate: usize| samples.error_sq(first, candidate);
        let after = |candidate: usize| samples.error_sq(candidate, last);
        let mut best = (before(middle) + after(middle), middle);
        // The error of a run grows with its length, so one of the two runs alone mostly exceeds the best sum.
        // Of equals, the first candidate wins.
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
