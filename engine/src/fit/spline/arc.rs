//! One circular arc for a smooth stretch: takes the stretch, gives an arc between its ends if the samples
//! follow it. An arc takes half the bytes of a cubic, and is exact where a circle was drawn.

use super::stretch::{Knot, Stretch};
use crate::fit::sampled::{FitCircle, SampleRange, Vector};

/// Fewer samples lie on some arc whatever their shape.
///
/// Unit: count (samples after the first). Source: tuned; three points always lie on a circle.
const ARC_MIN_SAMPLES: usize = 4;

/// The largest angle between an arc and the tangent at a smooth joint.
///
/// Unit: sine of the angle (4 degrees). Source: tuned; no derivation is known.
const TANGENT_SINE: f64 = 0.07;

/// The largest radius; flatter arcs are shorter to write as cubics.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const ARC_MAX_RADIUS_PX: f64 = 4000.0;

/// A center this near to the chord makes the arc half a turn.
///
/// Unit: pixels. Source: tuned; less than the tenth of a pixel to which positions are rounded.
const HALF_TURN_PX: f64 = 0.08;

/// An arc that turns by more than a third of a turn is cut: near half a turn, rounding the radius and the
/// ends moves its middle by many times as much.
///
/// Unit: cosine of half the turn (60 degrees). Source: tuned; no derivation is known.
const CUT_COSINE: f64 = 0.5;

/// Arcs of one circle, one after the other.
pub(crate) struct CircularArc {
    /// Zero for half a turn.
    pub radius: f64,
    pub clockwise: bool,
    /// Where the arc has to be cut, in order.
    pub cuts: Vec<Vector>,
}

/// Which ends of a stretch are smooth: there its curve keeps to the knot's tangent.
#[derive(Clone, Copy)]
pub(crate) struct SmoothEnds {
    pub from: bool,
    pub to: bool,
}

/// The arc from one knot of a stretch to the other.
pub(crate) fn arc(stretch: &Stretch<'_>, smooth: SmoothEnds) -> Option<CircularArc> {
    let SampleRange { first, last } = stretch.trusted;
    if last < first + ARC_MIN_SAMPLES {
        return None;
    }
    let run = stretch.samples.run(first + 1, last - 1);
    let arc = ArcThroughEnds::fit(stretch, run)?;
    let joins = |knot: &Knot, is_smooth: bool| !is_smooth || arc.has_tangent_of(knot);
    let fits =
        arc.circle.radius <= ARC_MAX_RADIUS_PX && arc.circle.is_followed(run, stretch.samples.noise_px);
    if !(fits && joins(stretch.from, smooth.from) && joins(stretch.to, smooth.to)) {
        return None;
    }
    Some(arc.cut(stretch.from.point, stretch.to.point))
}

/// An arc between two fixed points.
struct ArcThroughEnds {
    circle: FitCircle,
    clockwise: bool,
    /// The middle of the chord.
    middle: Vector,
    /// The unit vector across the chord on the arc's side.
    outward: Vector,
}

impl ArcThroughEnds {
    /// The circle through both ends of a stretch that is nearest to its samples, by algebraic least squares.
    fn fit(stretch: &Stretch<'_>, run: &[Vector]) -> Option<Self> {
        let (from, to) = (stretch.from.point, stretch.to.point);
        let chord = to - from;
        let half = 0.5 * chord.length();
        let along = chord.unit_or(Vector::default());
        let across = Vector::new(-along.y, along.x);
        let middle = (from + to) * 0.5;
        let (mut product, mut square, mut side) = (0.0, 0.0, 0.0);
        for &point in run {
            let v = across.dot(point - middle);
            let away = point - middle;
            product += v * (away.dot(away) - half * half);
            square += v * v;
            side += v;
        }
        if square <= 0.0 || half <= 0.0 {
            return None;
        }
        let height = 0.5 * product / square;
        let radius = (half * half + height * height).sqrt();
        let center = middle + across * height;
        let clockwise = side < 0.0;
        let outward = if clockwise { across * -1.0 } else { across };
        Some(ArcThroughEnds { circle: FitCircle { center, radius }, clockwise, middle, outward })
    }

    fn has_tangent_of(&self, knot: &Knot) -> bool {
        let spoke = (knot.point - self.circle.center) * (1.0 / self.circle.radius);
        let tangent =
            if self.clockwise { Vector::new(-spoke.y, spoke.x) } else { Vector::new(spoke.y, -spoke.x) };
        tangent.dot(knot.tangent) > 0.0 && tangent.cross(knot.tangent).abs() <= TANGENT_SINE
    }

    /// How far the center lies from the chord on the arc's side; positive if the arc turns by more than half.
    fn beyond(&self) -> f64 {
        self.outward.dot(self.circle.center - self.middle)
    }

    fn cut(&self, from: Vector, to: Vector) -> CircularArc {
        let (clockwise, outward, beyond) = (self.clockwise, self.outward, self.beyond());
        let FitCircle { center, radius } = self.circle;
        if beyond.abs() <= HALF_TURN_PX {
            return CircularArc { radius: 0.0, clockwise, cuts: Vec::new() };
        }
        let on_circle = |toward: Vector| center + toward.unit_or(outward) * radius;
        let apex = center + outward * radius;
        let cuts = if beyond > CUT_COSINE * radius {
            let between = |end: Vector| on_circle((end - center) + (apex - center));
            vec![between(from), apex, between(to)]
        } else if beyond > -CUT_COSINE * radius {
            vec![apex]
        } else {
            Vec::new()
        };
        CircularArc { radius, clockwise, cuts }
    }
}
