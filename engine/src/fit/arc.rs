//! A smooth stretch as one circular arc between its ends: half the bytes of a cubic, and exact where it was one.
use super::cubic::Stop;
use super::samples::{Line, Samples};
use super::vector::Vector;

/// Fewer samples than this lie on some arc whatever they are.
const MIN_COUNT: usize = 4;
/// RMS and worst distance allowed: its own error, and the noise, as for cubics.
const RMS_PX: f64 = 0.05;
const RMS_NOISE: f64 = 1.15;
const WORST_OF_RMS: f64 = 3.5;
/// An arc leaves a smooth joint within about 4 degrees of its tangent (the sine).
const TANGENT_SINE: f64 = 0.07;
/// Flatter arcs are better drawn by cubics, whose numbers are smaller.
const MOST_RADIUS_PX: f64 = 4000.0;
/// An arc of more than half a turn is cut in two; up to this much of its radius more is rounding.
const HALF_TURN_MARGIN: f64 = 0.01;

/// One or two arcs: radius, whether clockwise, and the ends.
pub(super) struct Arc {
    pub radius: f64,
    pub clockwise: bool,
    /// The middle, where the arc has to be cut there.
    pub cut: Option<Vector>,
}

/// The arc from one stop to the other; a stop's tangent counts where the outline is smooth there.
pub(super) fn arc(
    samples: &Samples,
    (from, to): (&Stop, &Stop),
    smooth: (bool, bool),
    believed: (usize, usize),
) -> Option<Arc> {
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
    let (mut product, mut square) = (0.0, 0.0);
    for &point in run {
        let v = across.dot(point - middle);
        let away = point - middle;
        product += v * (away.dot(away) - half * half);
        square += v * v;
    }
    if square <= 0.0 || half <= 0.0 {
        return None;
    }
    let height = 0.5 * product / square;
    let radius = (half * half + height * height).sqrt();
    let center = middle + across * height;
    let mut side = 0.0;
    for &point in run {
        side += across.dot(point - middle);
    }
    let clockwise = side < 0.0;
    let fits = radius <= MOST_RADIUS_PX && is_near(samples, run, center, radius);
    let turned = |stop: &Stop| {
        let spoke = (stop.point - center) * (1.0 / radius);
        let tangent = if clockwise { Vector::new(-spoke.y, spoke.x) } else { Vector::new(spoke.y, -spoke.x) };
        tangent.dot(stop.tangent) > 0.0 && tangent.cross(stop.tangent).abs() <= TANGENT_SINE
    };
    let joins = (!smooth.0 || turned(from)) && (!smooth.1 || turned(to));
    let outward = if clockwise { across * -1.0 } else { across };
    // The center lies on the arc's own side of the chord when it turns by more than half.
    let beyond = outward.dot(center - middle);
    let cut = (beyond > HALF_TURN_MARGIN * radius).then(|| center + outward * radius);
    (fits && joins).then_some(Arc { radius, clockwise, cut })
}

/// A circle free of any ends.
pub(super) struct Circle {
    pub center: Vector,
    pub radius: f64,
}

/// Shorter stretches than this, and those turning by less than a radian (this many radii long), say too little.
const CIRCLE_COUNT: usize = 5;
const CIRCLE_RADII: f64 = 1.0;

/// The circle that the samples `first..=last` lie on: Kåsa's fit.
pub(super) fn circle_under(samples: &Samples, first: usize, last: usize) -> Option<Circle> {
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
    (long && is_near(samples, run, center, radius)).then_some(Circle { center, radius })
}

impl Circle {
    /// Where a line touches the circle, if it nearly does: at the foot of the center.
    pub fn touch(&self, line: &Line, slack_px: f64) -> Option<Vector> {
        ((line.offset(self.center).abs() - self.radius).abs() <= slack_px).then(|| line.project(self.center))
    }

    /// Where a line crosses the circle nearest to a point, if within `slack_px` of it.
    pub fn cross(&self, line: &Line, near: Vector, slack_px: f64) -> Option<Vector> {
        let foot = line.project(self.center);
        let off = line.offset(self.center);
        let reach = (self.radius * self.radius - off * off).max(0.0).sqrt();
        let side = if line.direction.dot(near - foot) < 0.0 { -reach } else { reach };
        let point = foot + line.direction * side;
        ((point - near).length() <= slack_px).then_some(point)
    }
}

fn is_near(samples: &Samples, run: &[Vector], center: Vector, radius: f64) -> bool {
    let noise = RMS_NOISE * samples.noise_px;
    let allowed_sq = RMS_PX * RMS_PX + noise * noise;
    let mut sum = 0.0;
    for &point in run {
        let residual = (point - center).length() - radius;
        let square = residual * residual;
        if square > WORST_OF_RMS * WORST_OF_RMS * allowed_sq {
            return false;
        }
        sum += square;
    }
    sum <= allowed_sq * run.len() as f64
}
