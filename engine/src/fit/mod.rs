//! From a sampled outline to the fewest lines, arcs and cubics that keep within a tolerance of it.
//!
//! A coarse polygon is laid under the outline first. Where it turns by much it has corners, placed where the lines
//! through the believed samples of both sides meet; sides the samples do not leave are lines; everything between
//! is cut into the fewest tangent-continuous cubics. Whole circles come first.
mod circle;
mod contours;
mod edges;
mod ellipse;
mod polygon;
mod relabel;
mod sampled;
mod spline;

pub(crate) use contours::ContourFitter;
pub(crate) use edges::{ArcStep, Edges, STACK_UNITS, fit_edges, straight_edges};
pub(crate) use relabel::relabel;

use crate::geometry::{Curve, Point, Segment};
use circle::circle;
use ellipse::{ellipse, may_be_round};
use polygon::{Polygon, PolygonFrame, sharpen, tolerance_px, without_bumps};
use sampled::{SampleLists, SampledOutline};
use spline::{SplineScratch, polyline, spline};

/// How outlines are fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FitStyle {
    /// A turn of at least this is a corner and stays sharp, 0–180.
    pub corner_threshold_deg: f32,
    /// A bump along an outline shorter than this is smoothed away, 0–100.
    pub length_threshold_px: f32,
    /// A smooth outline may begin a new curve only after turning this much, unless it would leave the tolerance.
    pub splice_threshold_deg: f32,
    /// Only lines in the result.
    pub polygon: bool,
    /// How long the side of a pixel is, in the unit of the samples: small outlines are fitted enlarged.
    pub pixel: f32,
}

/// What fitting takes for a point, in the units of [`ProgressMeter`](crate::api::ProgressMeter).
pub(crate) const FIT_UNITS: usize = 128;

/// A closed outline of fewer samples is taken as it is.
const FEWEST_CLOSED: usize = 6;
const FEWEST_OPEN: usize = 3;

/// Fits outlines one after the other: what is listed for them is listed in the same room.
#[derive(Default)]
pub(crate) struct Fitter {
    lists: SampleLists,
    polygon: Polygon,
    frame: PolygonFrame,
    scratch: SplineScratch,
}

impl Fitter {
    // Called, for its callers are several: it would be in the module as often.
    #[inline(never)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The curve the samples lie on.
    ///
    /// `points` lie about 1 px apart along the outline, each off by `noise_px` RMS. An open curve begins and ends at the
    /// first and the last exactly; a closed one ends at its own start.
    pub fn fit(&mut self, points: &[Point], closed: bool, noise_px: f32, style: &FitStyle) -> Curve {
        if points.len() < if closed { FEWEST_CLOSED } else { FEWEST_OPEN } {
            return as_they_are(points, closed);
        }
        let noise_px = f64::from(noise_px).max(0.0);
        if closed
            && !style.polygon
            && may_be_round(points, noise_px)
            && let Some(curve) = circle(points, noise_px).or_else(|| ellipse(points, noise_px))
        {
            return curve;
        }
        let first = if closed { farthest_from_middle(points) } else { 0 };
        let mut samples =
            SampledOutline::new(std::mem::take(&mut self.lists), points, (closed, first), noise_px);
        samples.pixel = f64::from(style.pixel);
        self.polygon.lay_under(&samples, tolerance_px(&samples));
        sharpen(&samples, &self.polygon.vertices, &mut self.frame.vertices);
        let length_px = f64::from(style.length_threshold_px);
        let smoothed = without_bumps(&samples, &self.frame.vertices, length_px);
        if let Some(smoothed) = smoothed.filter(|smoothed| smoothed.len() >= FEWEST_CLOSED) {
            let style = FitStyle { length_threshold_px: 0.0, ..*style };
            return self.fit(&smoothed, closed, noise_px as f32, &style);
        }
        let mut curve = self.curve(&samples, style);
        self.lists = samples.into_lists();
        pin(&mut curve, points);
        curve
    }

    fn curve(&mut self, samples: &SampledOutline, style: &FitStyle) -> Curve {
        self.frame.complete(samples, f64::from(style.corner_threshold_deg));
        if style.polygon {
            polyline(samples, &self.frame)
        } else {
            spline(samples, &self.frame, f64::from(style.splice_threshold_deg), &mut self.scratch)
        }
    }
}

/// The ends of an open curve are its nodes, bit for bit; a closed one ends where it starts.
fn pin(curve: &mut Curve, points: &[Point]) {
    let end = if curve.closed { curve.start } else { points[points.len() - 1] };
    if !curve.closed {
        curve.start = points[0];
    }
    match curve.segments.last_mut() {
        Some(
            Segment::Line(last)
            | Segment::Cubic(_, _, last)
            | Segment::Arc(_, _, last)
            | Segment::HalfEllipse(_, _, last),
        ) => *last = end,
        None => curve.segments.push(Segment::Line(end)),
    }
}

/// The samples themselves, joined by lines.
fn as_they_are(points: &[Point], closed: bool) -> Curve {
    let start = points.first().copied().unwrap_or_default();
    let mut segments: Vec<_> = points.iter().skip(1).map(|&point| Segment::Line(point)).collect();
    if closed || segments.is_empty() {
        segments.push(Segment::Line(start));
    }
    Curve { start, segments, closed }
}

/// A sample sure to be at a corner or on a bend, to begin with.
fn farthest_from_middle(points: &[Point]) -> usize {
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

#[cfg(test)]
mod tests;
