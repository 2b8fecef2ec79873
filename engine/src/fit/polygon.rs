//! The polygon under an outline: the samples between which it runs within a tolerance of straight.
use super::samples::Samples;

/// A straight run may leave its line by so much: coarse enough that an arc of radius 2 px turns less than
/// 60 degrees a side, fine enough to keep the sides of a 2 px square.
const TOLERANCE_PX: f64 = 0.3;
/// Beyond this many standard deviations a sample is not noise.
const TOLERANCE_NOISE: f64 = 2.2;
/// At most this fraction of a shape's size, so that noise never eats a small shape.
const TOLERANCE_SIZE: f64 = 1.0 / 6.0;
/// A bowed run's worst sample lies at about twice its RMS. Of normal noise, the RMS over ten samples scatters by a
/// quarter, and one sample in two thousand lies beyond 3.5 standard deviations.
const RMS_OF_MAX: f64 = 0.5;
const MERGED_RMS_NOISE: f64 = 1.25;
const MERGED_WORST_NOISE: f64 = 3.5;
/// Runs longer than this are cut before they are searched: bounds the work on spirals and fractals.
const CHUNK: usize = 512;
/// Samples farther apart than this have a gap between them; a corner turns by 25 degrees or more (this is the cosine).
pub(super) const SPACING_PX: f64 = 1.15;
const GAP_COSINE: f64 = 0.906;
/// How far a vertex may slide along the samples in search of the least error.
const SLIDE: usize = 3;

pub(super) fn tolerance_px(samples: &Samples) -> f64 {
    let tolerance = TOLERANCE_PX.max(TOLERANCE_NOISE * samples.noise_px);
    let (mut low, mut high) = (samples.at(0), samples.at(0));
    for point in samples.run(0, samples.count - 1) {
        low.x = low.x.min(point.x);
        low.y = low.y.min(point.y);
        high.x = high.x.max(point.x);
        high.y = high.y.max(point.y);
    }
    let size = (high.x - low.x).max(high.y - low.y);
    tolerance.min(TOLERANCE_PX.max(size * TOLERANCE_SIZE))
}

/// The vertices in rising order: of an open outline with both its ends, of a closed one without repeating.
pub(super) fn polygon(samples: &Samples, tolerance_px: f64) -> Vec<usize> {
    let mut vertices = split(samples, tolerance_px);
    merge(samples, &mut vertices, tolerance_px);
    slide(samples, &mut vertices);
    merge(samples, &mut vertices, tolerance_px);
    if samples.closed {
        close(samples, &mut vertices, tolerance_px);
    }
    vertices
}

/// Ends the walk round: the seam is a vertex only once, and not at all on a straight side.
fn close(samples: &Samples, vertices: &mut Vec<usize>, tolerance_px: f64) {
    vertices.pop();
    let count = vertices.len();
    if count >= fewest(samples) {
        let around = (vertices[count - 1], samples.count, vertices[1] + samples.count);
        if is_straight(samples, around, tolerance_px) {
            vertices.remove(0);
        }
    }
}

/// Recursive splitting at the farthest sample (Ramer, Douglas, Peucker). A closed result ends with `count`.
fn split(samples: &Samples, tolerance_px: f64) -> Vec<usize> {
    let end = if samples.closed { samples.count } else { samples.count - 1 };
    let farthest = if samples.closed { farthest(samples) } else { end };
    let is_chunk = |index: usize| index.is_multiple_of(CHUNK) && index < end.saturating_sub(CHUNK / 2);
    let mut after_gap = false;
    let is_stop = |&index: &usize| {
        let gap = index + 2 < end && is_gap(samples, index);
        let at_gap = gap | std::mem::replace(&mut after_gap, gap);
        at_gap || is_chunk(index) || index == farthest
    };
    let stops = (1..end).filter(is_stop).chain([end]);
    let mut vertices = vec![0];
    let mut pending = Vec::new();
    for stop in stops {
        pending.push(stop);
        while let Some(&last) = pending.last() {
            let first = vertices[vertices.len() - 1];
            match worst(samples, first, last) {
                (distance_sq, index) if distance_sq > tolerance_px * tolerance_px => pending.push(index),
                _ => {
                    vertices.push(last);
                    pending.pop();
                }
            }
        }
    }
    vertices.dedup();
    vertices
}

fn farthest(samples: &Samples) -> usize {
    let origin = samples.at(0);
    let mut best = (0.0, samples.count / 2);
    for (index, &point) in samples.run(0, samples.count - 1).iter().enumerate() {
        let away = point - origin;
        if away.dot(away) > best.0 {
            best = (away.dot(away), index);
        }
    }
    best.1.clamp(1, samples.count - 1)
}

/// The sample strictly between two that lies farthest from their chord, with its squared distance.
fn worst(samples: &Samples, first: usize, last: usize) -> (f64, usize) {
    let mut best = (-1.0, first);
    if last < first + 2 {
        return best;
    }
    let start = samples.at(first);
    let chord = samples.at(last) - start;
    let length_sq = chord.dot(chord);
    let inverse = if length_sq > 0.0 { 1.0 / length_sq } else { 0.0 };
    for (step, &point) in samples.run(first + 1, last - 1).iter().enumerate() {
        let away = point - start;
        let nearest = away - chord * (away.dot(chord) * inverse).clamp(0.0, 1.0);
        let distance_sq = nearest.dot(nearest);
        if distance_sq > best.0 {
            best = (distance_sq, first + 1 + step);
        }
    }
    best
}

/// Whether the outline turns between a sample and the next in a gap: placement leaves out what a corner spoils.
fn is_gap(samples: &Samples, index: usize) -> bool {
    let across = samples.at(index + 1) - samples.at(index);
    if across.dot(across) < SPACING_PX * SPACING_PX {
        return false;
    }
    let before = samples.at(index) - samples.at(index - 1);
    let after = samples.at(index + 2) - samples.at(index + 1);
    before.dot(after) < GAP_COSINE * (before.dot(before) * after.dot(after)).sqrt()
}

/// Fewest vertices a polygon may be left with.
fn fewest(samples: &Samples) -> usize {
    if samples.closed { 4 } else { 2 }
}

/// Drops vertices whose two sides are one line as well as two.
fn merge(samples: &Samples, vertices: &mut Vec<usize>, tolerance_px: f64) {
    let mut left = vertices.len();
    let mut kept = 1;
    for index in 1..vertices.len() - 1 {
        let (first, middle, last) = (vertices[kept - 1], vertices[index], vertices[index + 1]);
        if left > fewest(samples) && is_straight(samples, (first, middle, last), tolerance_px) {
            left -= 1;
        } else {
            vertices[kept] = middle;
            kept += 1;
        }
    }
    vertices[kept] = vertices[vertices.len() - 1];
    vertices.truncate(kept + 1);
}

fn is_straight(samples: &Samples, (first, middle, last): (usize, usize, usize), tolerance_px: f64) -> bool {
    if samples.line_rms(first, last) > (RMS_OF_MAX * tolerance_px).max(MERGED_RMS_NOISE * samples.noise_px) {
        return false;
    }
    let worst = tolerance_px.max(MERGED_WORST_NOISE * samples.noise_px);
    let line = samples.line(first, last);
    let check_from = if middle - first > CHUNK { middle - CHUNK } else { first };
    let inside = samples.run(check_from, last.min(middle + CHUNK));
    let forward = line.direction.dot(samples.at(middle) - samples.at(first)) > 0.0
        && line.direction.dot(samples.at(last) - samples.at(middle)) > 0.0;
    forward && inside.iter().all(|&point| line.offset(point).abs() <= worst)
}

/// Slides each vertex along the samples to where its two sides fit best.
fn slide(samples: &Samples, vertices: &mut [usize]) {
    for index in 1..vertices.len().saturating_sub(1) {
        let (first, middle, last) = (vertices[index - 1], vertices[index], vertices[index + 1]);
        let low = (first + 1).max(middle.saturating_sub(SLIDE));
        let high = (last - 1).min(middle + SLIDE);
        let mut best = (f64::INFINITY, middle);
        for candidate in low..=high {
            let error = samples.line_error_sq(first, candidate) + samples.line_error_sq(candidate, last);
            if error < best.0 {
                best = (error, candidate);
            }
        }
        vertices[index] = best.1;
    }
}
