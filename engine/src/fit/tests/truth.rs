//! Exact outlines, the samples that placing would give of them, and how far a curve lies from them. Computed
//! without the engine's own geometry.
use crate::geometry::{Curve, Point, Segment, Way};

pub(super) type Xy = (f64, f64);

/// An exact outline, as points about 0.02 px apart.
pub(super) struct Truth {
    pub dense: Vec<Xy>,
    pub closed: bool,
}

pub(super) struct Noise(pub u32);

impl Noise {
    /// The next number of a uniform distribution around 0 with the given standard deviation.
    pub fn next(&mut self, sigma: f64) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(self.0 >> 8) / 16_777_216.0 - 0.5) * 12.0_f64.sqrt() * sigma
    }
}

impl Truth {
    pub fn polygon(corners: &[Xy], closed: bool) -> Self {
        let mut dense = Vec::new();
        let pairs = if closed { corners.len() } else { corners.len() - 1 };
        for index in 0..pairs {
            let (a, b) = (corners[index], corners[(index + 1) % corners.len()]);
            let steps = ((b.0 - a.0).hypot(b.1 - a.1) / 0.02).ceil() as usize;
            for step in 0..steps {
                let t = step as f64 / steps as f64;
                dense.push((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t));
            }
        }
        if !closed {
            dense.push(corners[corners.len() - 1]);
        }
        Truth { dense, closed }
    }

    /// The outline `at(t)` for t from 0 to 1, about `length` px long.
    pub fn function(length: f64, closed: bool, at: impl Fn(f64) -> Xy) -> Self {
        let count = (length / 0.02) as usize;
        let last = if closed { count } else { count - 1 };
        Truth { dense: (0..count).map(|i| at(i as f64 / last as f64)).collect(), closed }
    }

    /// Samples about 1 px apart, each the mean of the outline over 0.8 px, with noise.
    pub fn samples(&self, sigma: f64) -> Vec<Point> {
        let mut noise = Noise(7);
        let count = self.dense.len();
        let step = 50;
        let first = if self.closed { 11 } else { 0 };
        let mut points: Vec<Point> = (first..count)
            .step_by(step)
            .map(|center| {
                let half = if self.closed { 20 } else { 20.min(center).min(count - 1 - center) };
                let (mut x, mut y) = (0.0, 0.0);
                for offset in 0..=2 * half {
                    let point = self.dense[(center + count + offset - half) % count];
                    x += point.0;
                    y += point.1;
                }
                let inverse = 1.0 / (2 * half + 1) as f64;
                Point::new((x * inverse + noise.next(sigma)) as f32, (y * inverse + noise.next(sigma)) as f32)
            })
            .collect();
        if !self.closed {
            let end = self.dense[count - 1];
            let start = self.dense[0];
            points[0] = Point::new(start.0 as f32, start.1 as f32);
            points.push(Point::new(end.0 as f32, end.1 as f32));
        }
        points
    }

    /// The RMS and the worst distance between a curve and the outline, measured both ways.
    pub fn errors(&self, curve: &Curve) -> (f64, f64) {
        let drawn = flatten(curve);
        let sparse: Vec<Xy> = self.dense.iter().step_by(9).copied().collect();
        let (mut sum, mut worst) = (0.0, 0.0_f64);
        for (from, to) in [(&drawn, &sparse), (&sparse, &drawn)] {
            let mut part = 0.0;
            for &point in from {
                let distance = distance(point, to, self.closed);
                part += distance * distance;
                worst = worst.max(distance);
            }
            sum += 0.5 * part / from.len() as f64;
        }
        (sum.sqrt(), worst)
    }
}

pub(super) fn distance(point: Xy, polyline: &[Xy], closed: bool) -> f64 {
    let pairs = if closed { polyline.len() } else { polyline.len() - 1 };
    let mut best = f64::INFINITY;
    for index in 0..pairs {
        let (a, b) = (polyline[index], polyline[(index + 1) % polyline.len()]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length_sq = dx * dx + dy * dy;
        let t = ((point.0 - a.0) * dx + (point.1 - a.1) * dy) / length_sq.max(1e-12);
        let t = t.clamp(0.0, 1.0);
        best = best.min((a.0 + dx * t - point.0).hypot(a.1 + dy * t - point.1));
    }
    best
}

/// The curve as points about 0.2 px apart.
pub(super) fn flatten(curve: &Curve) -> Vec<Xy> {
    let xy = |point: Point| (f64::from(point.x), f64::from(point.y));
    let mut at = xy(curve.start);
    let mut points = vec![at];
    for segment in &curve.segments {
        let end = xy(segment.end);
        let steps = (((end.0 - at.0).hypot(end.1 - at.1) * 8.0) as usize).max(8);
        for step in 1..=steps {
            let t = step as f64 / steps as f64;
            let u = 1.0 - t;
            points.push(match segment.way {
                Way::Line => (at.0 * u + end.0 * t, at.1 * u + end.1 * t),
                Way::Cubic(c, d) => {
                    let (c, d) = (xy(c), xy(d));
                    let mix = |a, b, c, d| {
                        a * u * u * u + 3.0 * b * u * u * t + 3.0 * c * u * t * t + d * t * t * t
                    };
                    (mix(at.0, c.0, d.0, end.0), mix(at.1, c.1, d.1, end.1))
                }
                Way::Arc(radius, clockwise) => on_arc(at, end, f64::from(radius), clockwise, t),
                Way::HalfEllipse(shape, clockwise) => {
                    on_half_ellipse(at, end, f64::from(shape.ratio), clockwise, t)
                }
            });
        }
        at = end;
    }
    points
}

pub(super) fn on_arc(from: Xy, to: Xy, radius: f64, clockwise: bool, t: f64) -> Xy {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let half = 0.5 * dx.hypot(dy);
    let radius = if radius == 0.0 { half } else { radius };
    let away = (radius * radius - half * half).max(0.0).sqrt();
    let side = if clockwise { 1.0 } else { -1.0 };
    let center = (
        0.5 * (from.0 + to.0) - side * dy / (2.0 * half) * away,
        0.5 * (from.1 + to.1) + side * dx / (2.0 * half) * away,
    );
    let sweep = 2.0 * (half / radius).min(1.0).asin() * side;
    let (sine, cosine) = (sweep * t).sin_cos();
    let (x, y) = (from.0 - center.0, from.1 - center.1);
    (center.0 + x * cosine - y * sine, center.1 + x * sine + y * cosine)
}

pub(super) fn on_half_ellipse(from: Xy, to: Xy, ratio: f64, clockwise: bool, t: f64) -> Xy {
    let center = (0.5 * (from.0 + to.0), 0.5 * (from.1 + to.1));
    let (x, y) = (from.0 - center.0, from.1 - center.1);
    let (sine, cosine) = (t * std::f64::consts::PI).sin_cos();
    let side = if clockwise { ratio * sine } else { -ratio * sine };
    (center.0 + x * cosine - y * side, center.1 + y * cosine + x * side)
}

pub(super) fn count(curve: &Curve) -> (usize, usize, usize) {
    let of = |test: fn(&Segment) -> bool| curve.segments.iter().filter(|segment| test(segment)).count();
    (
        of(|s| s.way == Way::Line),
        of(|s| matches!(s.way, Way::Cubic(..))),
        of(|s| matches!(s.way, Way::Arc(..) | Way::HalfEllipse(..))),
    )
}

pub(super) fn square(side: f64, degrees: f64) -> Vec<Xy> {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let half = 0.5 * side;
    [(-half, -half), (half, -half), (half, half), (-half, half)]
        .iter()
        .map(|&(x, y)| (100.3 + x * cosine - y * sine, 80.7 + x * sine + y * cosine))
        .collect()
}

/// The largest distance from an exact corner to the nearest node of the curve.
pub(super) fn corner_error(curve: &Curve, corners: &[Xy]) -> f64 {
    let mut nodes = vec![curve.start];
    nodes.extend(curve.segments.iter().map(|segment| segment.end));
    let nearest = |&(x, y): &Xy| {
        nodes
            .iter()
            .map(|node| (f64::from(node.x) - x).hypot(f64::from(node.y) - y))
            .fold(f64::INFINITY, f64::min)
    };
    corners.iter().map(nearest).fold(0.0, f64::max)
}

pub(super) fn area(points: &[Xy]) -> f64 {
    let twice: f64 = (0..points.len())
        .map(|i| {
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            a.0 * b.1 - a.1 * b.0
        })
        .sum();
    0.5 * twice.abs()
}
