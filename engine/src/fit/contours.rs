use super::{FIT_UNITS, FitStyle, Fitter};
use crate::api::{ProgressMeter, Stopped};
use crate::coverage::Contour;
use crate::geometry::{Curve, Point, Segment};
use crate::outline::{NOISE_STAIRCASE_PX, roughness_px};
use crate::parallel::Work;

/// An outline of at most this many points is of small print or a small shape, where every turn counts.
const SMALL_CONTOUR_POINTS: usize = 320;

/// One of at most this many is a dot's, of which pixels tell no more than its place and its size.
const DOT_POINTS: usize = 12;

/// Small outlines are fitted enlarged, so that what is a bend of a letter is not taken for a corner's rounding.
const ENLARGEMENT: f32 = 3.0;

/// Least error to expect of a point, px RMS, of small outlines and of others.
const SMALL_CONTOUR_NOISE_PX: f32 = 0.06;
const CONTOUR_NOISE_PX: f32 = 0.04;

/// How far grain moves an edge, in its deviation over the edge's steepness: neighboring points are moved together.
const PAPER_NOISE_PULL: f32 = 1.25;

/// How outlines of a field become curves.
pub(crate) struct ContourFitter<'a> {
    pub antialiased: bool,
    pub paper_noise: f32,
    pub style: &'a FitStyle,
}

impl ContourFitter<'_> {
    pub fn curves(
        &self,
        contours: &[&Contour],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<Curve>, Stopped> {
        let units = |contour: &&&Contour| FIT_UNITS * contour.points.len();
        let begin = || {
            let (mut fitter, mut samples) = (Fitter::new(), Vec::new());
            move |contour: &&Contour| self.curve(contour, (&mut fitter, &mut samples))
        };
        Work { units, begin }.run(contours.iter(), meter)
    }

    /// `samples`: room for those of the outline.
    fn curve(&self, contour: &Contour, (fitter, samples): (&mut Fitter, &mut Vec<Point>)) -> Curve {
        let points = &contour.points;
        if points.len() <= DOT_POINTS && self.antialiased {
            return dot_curve(points);
        }
        samples.clear();
        let paper_noise = PAPER_NOISE_PULL * self.paper_noise / contour.steepness.max(0.05);
        if points.len() > SMALL_CONTOUR_POINTS {
            samples.extend(pairs(points));
            let rough = if self.antialiased { roughness_px(samples) } else { NOISE_STAIRCASE_PX };
            let noise_px = rough.max(paper_noise).clamp(CONTOUR_NOISE_PX, NOISE_STAIRCASE_PX);
            return fitter.fit(samples, true, noise_px, self.style);
        }
        // The bends of a letter look rough: no more is believed than grain explains.
        let rough = if !self.antialiased {
            NOISE_STAIRCASE_PX
        } else if paper_noise > 0.0 {
            samples.extend(pairs(points));
            roughness_px(samples).min(SMALL_CONTOUR_NOISE_PX + 4.0 * paper_noise)
        } else {
            0.0
        };
        let noise_px = rough.max(paper_noise).clamp(SMALL_CONTOUR_NOISE_PX, NOISE_STAIRCASE_PX);
        samples.clear();
        samples.extend(points.iter().map(|&point| point * ENLARGEMENT));
        let style = FitStyle {
            length_threshold_px: self.style.length_threshold_px * ENLARGEMENT,
            pixel: ENLARGEMENT,
            ..*self.style
        };
        scaled(fitter.fit(samples, true, noise_px * ENLARGEMENT, &style), 1.0 / ENLARGEMENT)
    }
}

/// A rectangle as high for its width as what lies within the points, and of the same area.
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
    // Points in one place enclose nothing.
    let filled = 0.5 * twice_area.abs() / (size.x * size.y).max(f32::MIN_POSITIVE);
    let half = size * (0.5 * filled.sqrt());
    let curve = Curve::rectangle([middle - half, middle + half]);
    if twice_area < 0.0 { curve } else { curve.reversed() }
}

/// The middle of every two points.
fn pairs(points: &[Point]) -> impl Iterator<Item = Point> {
    points.chunks_exact(2).map(|pair| (pair[0] + pair[1]) * 0.5)
}

fn scaled(mut curve: Curve, factor: f32) -> Curve {
    curve.start = curve.start * factor;
    for segment in &mut curve.segments {
        *segment = match *segment {
            Segment::Line(end) => Segment::Line(end * factor),
            Segment::Cubic(a, b, end) => Segment::Cubic(a * factor, b * factor, end * factor),
            Segment::Arc(radius, clockwise, end) => Segment::Arc(radius * factor, clockwise, end * factor),
            Segment::HalfEllipse(shape, clockwise, end) => {
                Segment::HalfEllipse(shape, clockwise, end * factor)
            }
        };
    }
    curve
}
