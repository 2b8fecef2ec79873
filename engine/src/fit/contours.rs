//! Fits the outlines of coverage fields: takes contours and gives closed curves. Of a thin line, the middle is fitted, and drawn at its width.
//!
//! Small outlines are those of small print and small shapes. They are fitted enlarged three times, so that
//! bends of letters are not taken for corners that the pixel rounds off. Grain of the paper widens the
//! tolerance.

use super::fitter::{FIT_UNITS, FitStyle, Fitter};
use super::line_outline::line_outline;
use crate::api::{ProgressMeter, Stopped};
use crate::coverage::Contour;
use crate::geometry::{Curve, Point};
use crate::outline::{NOISE_ANTIALIASED_PX, NOISE_STAIRCASE_PX, roughness_px};
use crate::parallel::Work;

/// An outline of at most this many points is small.
///
/// Unit: count (points, about 0.4 px apart). Source: tuned; a letter of some 30 px.
const SMALL_CONTOUR_POINTS: usize = 320;

/// An anti-aliased outline of at most this many points is a dot, of which the pixels show no more than
/// position and size.
///
/// Unit: count (points, about 0.4 px apart). Source: tuned; a dot of about a pixel and a half.
const DOT_POINTS: usize = 12;

/// How much small outlines are enlarged.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const ENLARGEMENT: f32 = 3.0;

/// The least expected error of a point of a small outline.
///
/// Unit: pixels, RMS. Source: tuned; no derivation is known.
const SMALL_CONTOUR_NOISE_PX: f32 = 0.06;

/// How far paper noise moves an edge, against its deviation over the edge's steepness.
///
/// Unit: share (ratio). Source: tuned; more than one, since neighboring points are moved together.
const PAPER_NOISE_PULL: f32 = 1.25;

/// The least steepness of an edge by which paper noise is divided.
///
/// Unit: coverage per pixel. Source: keeps the division defined.
const LEAST_STEEPNESS: f32 = 0.05;

/// The roughness of a small outline that paper noise may explain: bends of letters look rough as well.
///
/// Unit: share of what paper noise moves an edge by (ratio). Source: tuned; no derivation is known.
const ROUGHNESS_OF_PAPER: f32 = 4.0;

/// Fits the contours of one field.
pub(crate) struct ContourFitter<'a> {
    pub antialiased: bool,
    /// The deviation of the paper's coverage.
    pub paper_noise: f32,
    pub style: &'a FitStyle,
}

/// What one thread keeps from contour to contour.
struct ContourScratch {
    fitter: Fitter,
    samples: Vec<Point>,
}

impl ContourFitter<'_> {
    /// The curves of the contours, in their order.
    pub fn curves(
        &self,
        contours: &[&Contour],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<Curve>, Stopped> {
        let units = |contour: &&&Contour| FIT_UNITS * contour.points.len();
        let begin = || {
            let mut scratch = ContourScratch { fitter: Fitter::new(), samples: Vec::new() };
            move |contour: &&Contour| self.curve(contour, &mut scratch)
        };
        Work { units, begin }.run(contours.iter(), meter)
    }

    fn curve(&self, contour: &Contour, scratch: &mut ContourScratch) -> Curve {
        let points = &contour.points;
        if let Some(width_px) = contour.line_width_px {
            let middle = scratch.fitter.fit(points, false, NOISE_ANTIALIASED_PX, self.style);
            return line_outline(&middle, width_px);
        }
        if points.len() <= DOT_POINTS && self.antialiased {
            return dot_curve(points);
        }
        let paper_noise_px = PAPER_NOISE_PULL * self.paper_noise / contour.steepness.max(LEAST_STEEPNESS);
        if points.len() > SMALL_CONTOUR_POINTS {
            self.large_curve(points, paper_noise_px, scratch)
        } else {
            self.small_curve(points, paper_noise_px, scratch)
        }
    }

    fn large_curve(&self, points: &[Point], paper_noise_px: f32, scratch: &mut ContourScratch) -> Curve {
        let ContourScratch { fitter, samples } = scratch;
        samples.clear();
        samples.extend(pair_means(points));
        let rough_px = if self.antialiased { roughness_px(samples) } else { NOISE_STAIRCASE_PX };
        let noise_px = rough_px.max(paper_noise_px).clamp(NOISE_ANTIALIASED_PX, NOISE_STAIRCASE_PX);
        fitter.fit(samples, true, noise_px, self.style)
    }

    fn small_curve(&self, points: &[Point], paper_noise_px: f32, scratch: &mut ContourScratch) -> Curve {
        let ContourScratch { fitter, samples } = scratch;
        let rough_px = if !self.antialiased {
            NOISE_STAIRCASE_PX
        } else if paper_noise_px > 0.0 {
            samples.clear();
            samples.extend(pair_means(points));
            roughness_px(samples).min(SMALL_CONTOUR_NOISE_PX + ROUGHNESS_OF_PAPER * paper_noise_px)
        } else {
            0.0
        };
        let noise_px = rough_px.max(paper_noise_px).clamp(SMALL_CONTOUR_NOISE_PX, NOISE_STAIRCASE_PX);
        samples.clear();
        samples.extend(points.iter().map(|&point| point * ENLARGEMENT));
        let style = FitStyle {
            length_threshold_px: self.style.length_threshold_px * ENLARGEMENT,
            pixel: ENLARGEMENT,
            ..*self.style
        };
        let mut curve = fitter.fit(samples, true, noise_px * ENLARGEMENT, &style);
        curve.scale((1.0 / ENLARGEMENT, 1.0 / ENLARGEMENT));
        curve
    }
}

/// A rectangle of the same area as what the points enclose, with the proportions of their bounding box.
fn dot_curve(points: &[Point]) -> Curve {
    let (mut low, mut high, mut twice_area) = (points[0], points[0], 0.0);
    let mut before = points[points.len() - 1];
    for &point in points {
        low = Point::new(low.x.min(point.x), low.y.min(point.y));
        high = Point::new(high.x.max(point.x), high.y.max(point.y));
        twice_area += before.cross(point);
        before = point;
    }
    let (middle, size) = ((low + high) * 0.5, high - low);
    // Points that coincide have a bounding box without area.
    let filled = 0.5 * twice_area.abs() / (size.x * size.y).max(f32::MIN_POSITIVE);
    let half = size * (0.5 * filled.sqrt());
    let curve = Curve::rectangle([middle - half, middle + half]);
    if twice_area < 0.0 { curve } else { curve.reversed() }
}

/// The mean of the first and second point, of the third and fourth, and so on.
fn pair_means(points: &[Point]) -> impl Iterator<Item = Point> {
    points.chunks_exact(2).map(|pair| (pair[0] + pair[1]) * 0.5)
}
