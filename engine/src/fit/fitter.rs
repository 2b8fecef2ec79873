//! Fits one outline: takes its samples and gives a curve.

use super::circle::circle;
use super::ellipse::ellipse;
use super::polygon::{Polygon, PolygonFrame, sharpen, tolerance_px, without_bumps};
use super::sampled::SampledOutline;
use super::spline::{SplineScratch, polyline, spline};
use crate::geometry::{Curve, Point, Segment};

/// How outlines are fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FitStyle {
    /// A turn of at least this is a corner and stays sharp, 0–180.
    pub corner_threshold_deg: f32,
    /// A bump along an outline shorter than this is smoothed away, 0–100.
    pub length_threshold_px: f32,
    /// A smooth outline begins a new curve only after turning by this much, unless the curve would leave the
    /// tolerance.
    pub splice_threshold_deg: f32,
    /// Whether the result consists of lines alone.
    pub polygon: bool,
    /// The side of a pixel in the unit of the samples: small outlines are fitted enlarged.
    pub pixel: f32,
}

#[cfg(test)]
impl FitStyle {
    /// The style of the default options.
    pub const DEFAULT: Self = FitStyle {
        corner_threshold_deg: 60.0,
        length_threshold_px: 4.0,
        splice_threshold_deg: 45.0,
        polygon: false,
        pixel: 1.0,
    };
}

/// The work of fitting one sample, in the units of [`ProgressMeter`](crate::api::ProgressMeter).
pub(crate) const FIT_UNITS: usize = 128;

/// A closed outline of fewer samples is not fitted: its samples are joined by lines.
///
/// Unit: count (samples). Source: tuned; fewer samples lie near some circle whatever their shape.
const MIN_CLOSED_SAMPLES: usize = 6;

/// An open outline of fewer samples is not fitted.
///
/// Unit: count (samples). Source: any two samples lie on a line.
const MIN_OPEN_SAMPLES: usize = 3;

/// Fits outlines one after the other and keeps the memory of its lists.
#[derive(Default)]
pub(crate) struct Fitter {
    samples: SampledOutline,
    polygon: Polygon,
    frame: PolygonFrame,
    scratch: SplineScratch,
}

impl Fitter {
    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The curve on which the samples lie.
    ///
    /// `points` lie about 1 px apart along the outline; each is off by about `noise_px` RMS. An open curve
    /// begins and ends in the first and the last of them exactly; a closed curve ends at its own start.
    pub fn fit(&mut self, points: &[Point], closed: bool, noise_px: f32, style: &FitStyle) -> Curve {
        if points.len() < if closed { MIN_CLOSED_SAMPLES } else { MIN_OPEN_SAMPLES } {
            return Curve::polyline(points, closed);
        }
        let noise_px = f64::from(noise_px).max(0.0);
        let first = if closed { farthest_from_center(points) } else { 0 };
        let Fitter { samples, polygon, frame, scratch } = self;
        samples.fill(points, closed, first);
        (samples.noise_px, samples.pixel) = (noise_px, f64::from(style.pixel));
        if closed
            && !style.polygon
            && let Some(curve) = circle(samples).or_else(|| ellipse(points, noise_px))
        {
            return curve;
        }
        polygon.simplify(samples, tolerance_px(samples));
        sharpen(samples, &polygon.vertices, &mut frame.vertices);
        let length_px = f64::from(style.length_threshold_px);
        let smoothed = without_bumps(samples, &frame.vertices, length_px);
        if let Some(smoothed) = smoothed.filter(|smoothed| smoothed.len() >= MIN_CLOSED_SAMPLES) {
            let style = FitStyle { length_threshold_px: 0.0, ..*style };
            return self.fit(&smoothed, closed, noise_px as f32, &style);
        }
        frame.complete(samples, f64::from(style.corner_threshold_deg));
        let mut curve = if style.polygon {
            polyline(samples, frame)
        } else {
            spline(samples, frame, f64::from(style.splice_threshold_deg), scratch)
        };
        pin_ends(&mut curve, points);
        curve
    }
}

/// Makes the ends of an open curve its first and last sample, bit for bit, and a closed curve end where it
/// starts.
fn pin_ends(curve: &mut Curve, points: &[Point]) {
    let end = if curve.closed { curve.start } else { points[points.len() - 1] };
    if !curve.closed {
        curve.start = points[0];
    }
    match curve.segments.last_mut() {
        Some(last) => last.end = end,
        None => curve.segments.push(Segment::line(end)),
    }
}

/// The sample farthest from the mean of all: it lies at a corner or on a bend, a good place to start.
fn farthest_from_center(points: &[Point]) -> usize {
    let (mut x, mut y) = (0.0, 0.0);
    for point in points {
        x += f64::from(point.x);
        y += f64::from(point.y);
    }
    let count = points.len() as f64;
    let (x, y) = (x / count, y / count);
    let mut best = (-1.0, 0);
    for (index, point) in points.iter().enumerate() {
        let (dx, dy) = (f64::from(point.x) - x, f64::from(point.y) - y);
        let distance_sq = dx * dx + dy * dy;
        if distance_sq > best.0 {
            best = (distance_sq, index);
        }
    }
    best.1
}
