//! The sides of the polygon: takes the vertices, gives the line fitted to each side, how far the side bows,
//! and the turns between sides.

use super::vertex::Vertex;
use crate::fit::sampled::{Bound, CLEAN_DEVIATION_PX, FitLine, SampleRange, SampledOutline, turn_deg};

/// How far from a corner the pixel rounds the outline off: samples nearer to it are not trusted, and a smooth
/// corner between two lines is rounded as far.
///
/// Unit: pixels. Source: tuned; no derivation is known.
pub(crate) const ROUNDED_PX: f64 = 1.5;

/// What remains of a side without the samples that its corners round off.
struct TrustedPart {
    /// Samples nearer than this to an end are not trusted.
    rounded_px: f64,
    /// The least number of samples and the least length that must remain.
    min_samples: usize,
    min_px: f64,
}

/// The parts of a side that may be trusted; the first one that is long enough is taken.
///
/// Unit: pixels; count (samples). Source: tuned; no derivation is known.
const TRUSTED: [TrustedPart; 2] = [
    TrustedPart { rounded_px: ROUNDED_PX, min_samples: 3, min_px: 2.0 },
    TrustedPart { rounded_px: 1.0, min_samples: 3, min_px: 1.8 },
];

/// Fewer samples do not show whether a side is a line.
///
/// Unit: count (samples). Source: a parabola passes through any three.
const LINE_MIN_SAMPLES: usize = 4;

/// A side bowed by less than this share of the bow that a curve with its turns would have is a line.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
pub(crate) const BOW_OF_CURVE: f64 = 0.4;

/// The run of samples between two vertices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PolygonSide {
    pub first: usize,
    pub last: usize,
    /// Its samples that no corner rounds off.
    pub trusted: SampleRange,
    /// The line fitted to the trusted samples.
    pub line: FitLine,
    pub length: f64,
    trusted_length: f64,
    /// The signed sagitta of the trusted samples.
    pub bow: f64,
    /// The RMS distance of the trusted samples from the line.
    pub rms: f64,
    pub straight: bool,
}

impl PolygonSide {
    /// Whether the trusted samples show no bend, although the side turns by `turn_deg` at one end.
    pub fn is_line(&self, turn_deg: f64) -> bool {
        let max_bow = CLEAN_DEVIATION_PX.at_least(BOW_OF_CURVE * self.curve_bow(turn_deg));
        let is_known = self.trusted.count() >= LINE_MIN_SAMPLES;
        is_known && self.rms <= CLEAN_DEVIATION_PX && self.bow.abs() <= max_bow
    }

    /// The bow that the trusted samples have if the side is the chord of a curve that turns by half of
    /// `turns_deg` along it: an eighth of the turn times the length, and for a part of the chord its share
    /// squared.
    pub fn curve_bow(&self, turns_deg: f64) -> f64 {
        0.0625 * turns_deg.to_radians() * self.trusted_length * self.trusted_length
            / self.length.at_least(f64::MIN_POSITIVE)
    }
}

/// Fits the sides between consecutive vertices; a closed outline's last side runs over the seam.
pub(crate) fn list_sides(samples: &SampledOutline, vertices: &[Vertex], sides: &mut Vec<PolygonSide>) {
    sides.clear();
    sides.extend(vertices.windows(2).map(|pair| fit_side(samples, pair[0], pair[1])));
    if samples.closed {
        let mut next = vertices[0];
        next.index += samples.count;
        sides.push(fit_side(samples, vertices[vertices.len() - 1], next));
    }
}

fn fit_side(samples: &SampledOutline, from: Vertex, to: Vertex) -> PolygonSide {
    let (first, last) = (from.index, to.index);
    let trusted = trusted_range(samples, SampleRange::new(first + from.ahead, last - to.back));
    let (line, error_sq) = samples.line_and_error_sq(trusted.first, trusted.last);
    let length = (samples.at(last) - samples.at(first)).length();
    let trusted_length = (samples.at(trusted.last) - samples.at(trusted.first)).length();
    let bow = bow(samples, trusted, &line, 0.5 * trusted_length);
    let rms = (error_sq / trusted.count() as f64).sqrt();
    PolygonSide { first, last, trusted, trusted_length, line, length, bow, rms, straight: false }
}

/// The run between two vertices without the samples that the pixel rounds off, if enough others remain.
fn trusted_range(samples: &SampledOutline, side: SampleRange) -> SampleRange {
    let SampleRange { first, last } = side;
    let (start, end) = (samples.at(first), samples.at(last));
    for TrustedPart { rounded_px, min_samples, min_px } in TRUSTED {
        let (mut low, mut high) = (first, last);
        while low < last && (samples.at(low) - start).length_sq() < rounded_px * rounded_px {
            low += 1;
        }
        while high > first && (samples.at(high) - end).length_sq() < rounded_px * rounded_px {
            high -= 1;
        }
        if high + 1 >= low + min_samples
            && (samples.at(high) - samples.at(low)).length_sq() >= min_px * min_px
        {
            return SampleRange::new(low, high);
        }
    }
    if last >= first + 3 { SampleRange::new(first + 1, last - 1) } else { side }
}

/// The line through the trusted samples of the run between two vertices.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(crate) fn trusted_line(samples: &SampledOutline, side: SampleRange) -> FitLine {
    let SampleRange { first, last } = trusted_range(samples, side);
    samples.line(first, last)
}

/// The sagitta of a run against its line: the least-squares coefficient of u² − mean(u²), where u runs from
/// −1 to 1 over twice `half`.
fn bow(samples: &SampledOutline, range: SampleRange, line: &FitLine, half: f64) -> f64 {
    let SampleRange { first, last } = range;
    if last < first + 2 || half <= 0.0 {
        return 0.0;
    }
    let inverse = 1.0 / half;
    let (mut s1, mut s2, mut product) = (0.0, 0.0, 0.0);
    for &point in samples.run(first, last) {
        let along = line.direction.dot(point - line.center) * inverse;
        let square = along * along;
        s1 += square;
        s2 += square * square;
        product += square * line.offset(point);
    }
    let count = range.count() as f64;
    let norm = s2 - s1 * s1 / count;
    if norm > 0.0 { product / norm } else { 0.0 }
}

/// Measures the turn at the start of each side, in degrees; the two ends of an open outline have a turn of 0.
pub(crate) fn list_turns(samples: &SampledOutline, sides: &[PolygonSide], turns: &mut Vec<f64>) {
    turns.clear();
    let mut before = &sides[sides.len() - 1];
    for side in sides {
        turns.push(turn_deg(before.line.direction, side.line.direction));
        before = side;
    }
    if !samples.closed {
        turns[0] = 0.0;
        turns.push(0.0);
    }
}
