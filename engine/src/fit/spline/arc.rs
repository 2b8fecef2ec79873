//! A smooth stretch as one circular arc between its ends: half the bytes of a cubic, and exact where it was one.

use super::stretch::Knot;
use crate::fit::sampled::{FIT_RMS_NOISE, FitLine, SampledOutline, Vector};

/// Fewer samples than this lie on some arc whatever they are.
const MIN_COUNT: usize = 4;
/// RMS and worst distance allowed: its own error, and the noise, as for cubics.
const ARC_RMS_PX: f64 = 0.05;
const ARC_WORST_OF_RMS: f64 = 3.5;
/// An arc leaves a smooth joint within about 4 degrees of its tangent (the sine).
const TANGENT_SINE: f64 = 0.07;
/// Farther than this between an end and the samples there nothing tells of the arc.
const ARC_GAP_PX: f64 = 6.0;
/// The middle of an arc is as far from its chord as the farthest sample, but for what lies between samples.
const APEX_PART: f64 = 0.7;
/// Flatter arcs are better drawn by cubics, whose numbers are smaller.
const MOST_RADIUS_PX: f64 = 4000.0;
/// A center this near to the chord, px, makes the arc half a turn.
const HALF_TURN_PX: f64 = 0.08;
/// An arc turning by more than a third of a turn is cut: near half a turn, its middle moves by many times what
/// its radius and ends are rounded by. The cosine of half that turn.
const CUT_COSINE: f64 = 0.5;

/// Arcs of one circle.
pub(crate) struct CircularArc {
    /// Zero for half a turn.
    pub radius: f64,
    pub clockwise: bool,
    /// Where the arc has to be cut, in order.
    pub cuts: Vec<Vector>,
}

/// The arc from one stop to the other; a stop's tangent counts where the outline is smooth there.
pub(crate) fn arc(
    samples: &SampledOutline,
    (from, to): (&Knot, &Knot),
    smooth: (bool, bool),
    believed: (usize, usize),
) -> Option<CircularArc> {
    let (first, last) = believed;
    if last < first + MIN_COUNT {
        return None;
    }
    let chord = to.point - from.point;
    let half = 0.5 * chord.length();
    let along = chord.unit_or(Vector::default());
    let across = Vector::new(-along.y, along.x);
    let middle = (from.point + to.point) * 0.5;
    let run = samples.run(first + 1, last - 1);
    if (run[0] - from.point).length() > ARC_GAP_PX || (run[run.len() - 1] - to.point).length() > ARC_GAP_PX {
        return None;
    }
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
    let fits = radius <= MOST_RADIUS_PX && is_near(samples, run, center, radius);
    let turned = |knot: &Knot| {
        let spoke = (knot.point - center) * (1.0 / radius);
        let tangent = if clockwise { Vector::new(-spoke.y, spoke.x) } else { Vector::new(spoke.y, -spoke.x) };
        tangent.dot(knot.tangent) > 0.0 && tangent.cross(knot.tangent).abs() <= TANGENT_SINE
    };
    let joins = (!smooth.0 || turned(from)) && (!smooth.1 || turned(to));
    let outward = if clockwise { across * -1.0 } else { across };
    if !(fits && joins) {
        return None;
    }
    // The center lies on the arc's own side of the chord when it turns by more than half.
    let beyond = outward.dot(center - middle);
    // The samples must go where the arc goes: on a nearly straight run, the other side of the circle passes too.
    let farthest = run.iter().map(|&point| outward.dot(point - middle)).fold(0.0, f64::max);
    if farthest < APEX_PART * (beyond + radius) - samples.noise_px {
        return None;
    }
    if beyond.abs() <= HALF_TURN_PX {
        return Some(CircularArc { radius: 0.0, clockwise, cuts: Vec::new() });
    }
    let on_circle = |toward: Vector| center + toward.unit_or(outward) * radius;
    let apex = center + outward * radius;
    let cuts = if beyond > CUT_COSINE * radius {
        let between = |end: Vector| on_circle((end - center) + (apex - center));
        vec![between(from.point), apex, between(to.point)]
    } else if beyond > -CUT_COSINE * radius {
        vec![apex]
    } else {
        Vec::new()
    };
    Some(CircularArc { radius, clockwise, cuts })
}

/// A circle free of any ends.
pub(crate) struct FreeCircle {
    pub center: Vector,
    pub radius: f64,
}

/// Shorter stretches than this, and those turning by less than a radian (this many radii long), say too little.
const CIRCLE_COUNT: usize = 5;
const CIRCLE_RADII: f64 = 1.0;

/// The circle that the samples `first..=last` lie on: Kåsa's fit.
pub(crate) fn circle_under(samples: &SampledOutline, first: usize, last: usize) -> Option<FreeCircle> {
    if last < first + CIRCLE_COUNT {
        return None;
    }
    let run = samples.run(first, last);
    let inverse = 1.0 / run.len() as f64;
    let mean = run.iter().fold(Vector::default(), |sum, &point| sum + point) * inverse;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    let mut moment = Vector::default();
    for &point in run {
        let away = point - mean;
        xx += away.x * away.x;
        xy += away.x * away.y;
        yy += away.y * away.y;
        moment = moment + away * away.dot(away);
    }
    let determinant = xx * yy - xy * xy;
    if determinant <= 0.0 {
        return None;
    }
    let shift =
        Vector::new(moment.x * yy - moment.y * xy, moment.y * xx - moment.x * xy) * (0.5 / determinant);
    let radius = ((xx + yy) * inverse + shift.dot(shift)).sqrt();
    let center = mean + shift;
    let long = (samples.at(last) - samples.at(first)).length() >= 0.9 * CIRCLE_RADII * radius
        || (last - first) as f64 >= 2.0 * radius;
    (long && is_near(samples, run, center, radius)).then_some(FreeCircle { center, radius })
}

impl FreeCircle {
    /// Where a line touches the circle, if it nearly does: at the foot of the center.
    pub fn touch(&self, line: &FitLine, slack_px: f64) -> Option<Vector> {
        ((line.offset(self.center).abs() - self.radius).abs() <= slack_px).then(|| line.project(self.center))
    }

    /// Where a line crosses the circle nearest to a point, if within `slack_px` of it.
    pub fn cross(&self, line: &FitLine, near: Vector, slack_px: f64) -> Option<Vector> {
        let foot = line.project(self.center);
        let off = line.offset(self.center);
        let reach = (self.radius * self.radius - off * off).max(0.0).sqrt();
        let side = if line.direction.dot(near - foot) < 0.0 { -reach } else { reach };
        let point = foot + line.direction * side;
        ((point - near).length() <= slack_px).then_some(point)
    }
}

fn is_near(samples: &SampledOutline, run: &[Vector], center: Vector, radius: f64) -> bool {
    let noise = FIT_RMS_NOISE * samples.noise_px;
    let allowed_sq = ARC_RMS_PX * ARC_RMS_PX + noise * noise;
    let mut sum = 0.0;
    for &point in run {
        let residual = (point - center).length() - radius;
        let square = residual * residual;
        if square > ARC_WORST_OF_RMS * ARC_WORST_OF_RMS * allowed_sq {
            return false;
        }
        sum += square;
    }
    sum <= allowed_sq * run.len() as f64
}
