use super::point::Point;

/// One piece of a path; it begins where the piece before it ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Segment {
    /// A straight line to a point.
    Line(Point),
    /// A cubic Bézier: two control points and its end.
    Cubic(Point, Point, Point),
    /// A circular arc of less than half a turn, or of exactly that where the radius is zero: radius, whether it turns
    /// clockwise on the screen (SVG's sweep flag), its end.
    Arc(f32, bool, Point),
    /// Half of an ellipse, from one end of its longer axis to the other: its shape, whether it turns clockwise, its end.
    HalfEllipse(Ellipse, bool, Point),
}

/// The shape of an ellipse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ellipse {
    /// Its shorter axis as a part of its longer.
    pub ratio: f32,
    /// Direction of its longer axis, degrees clockwise from the right.
    pub turn_deg: f32,
}

impl Segment {
    /// The point at a parameter from 0 to 1; of half an ellipse, a point of its axis.
    pub fn at(&self, from: Point, t: f32) -> Point {
        let u = 1.0 - t;
        match *self {
            Segment::Line(end) | Segment::HalfEllipse(_, _, end) => from * u + end * t,
            Segment::Cubic(a, b, end) => {
                from * (u * u * u) + a * (3.0 * u * u * t) + b * (3.0 * u * t * t) + end * (t * t * t)
            }
            Segment::Arc(radius, clockwise, end) => {
                let circle = ArcCircle::through(from, end, radius, clockwise);
                let toward = (from - circle.center) * u + (end - circle.center) * t;
                circle.center + toward.unit() * circle.radius
            }
        }
    }

    /// About its length; not less.
    pub fn length_px(&self, from: Point) -> f32 {
        const HALF_TURN: f32 = 1.571;
        match *self {
            Segment::Line(end) => (end - from).length(),
            Segment::Cubic(a, b, end) => (a - from).length() + (b - a).length() + (end - b).length(),
            Segment::Arc(_, _, end) | Segment::HalfEllipse(_, _, end) => (end - from).length() * HALF_TURN,
        }
    }

    pub fn end(&self) -> Point {
        match *self {
            Segment::Line(end)
            | Segment::Cubic(_, _, end)
            | Segment::Arc(_, _, end)
            | Segment::HalfEllipse(_, _, end) => end,
        }
    }
}

/// A connected run of segments.
///
/// # Guarantees
/// At least one segment. When `closed`, the last segment ends at `start`, the same number bit for bit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    pub start: Point,
    pub segments: Vec<Segment>,
    pub closed: bool,
}

impl Curve {
    /// Straight from point to point, and back to the first where `closed`.
    pub fn polyline(points: &[Point], closed: bool) -> Self {
        let mut segments: Vec<Segment> = points[1..].iter().map(|&point| Segment::Line(point)).collect();
        if closed || segments.is_empty() {
            segments.push(Segment::Line(points[0]));
        }
        Curve { start: points[0], segments, closed }
    }

    /// The rectangle between two opposite corners, counterclockwise on the screen from its top left one.
    pub fn rectangle([from, to]: [Point; 2]) -> Self {
        Curve::polyline(&[from, Point::new(from.x, to.y), to, Point::new(to.x, from.y)], true)
    }

    pub fn end(&self) -> Point {
        self.segments.last().map_or(self.start, Segment::end)
    }

    /// The same, walked backwards.
    pub fn reversed(mut self) -> Self {
        for segment in &mut self.segments {
            let before = std::mem::replace(&mut self.start, segment.end());
            *segment = match *segment {
                Segment::Line(_) => Segment::Line(before),
                Segment::Cubic(a, b, _) => Segment::Cubic(b, a, before),
                Segment::Arc(radius, clockwise, _) => Segment::Arc(radius, !clockwise, before),
                Segment::HalfEllipse(shape, clockwise, _) => Segment::HalfEllipse(shape, !clockwise, before),
            };
        }
        self.segments.reverse();
        self
    }

    /// Moves the start a little, with the handle there.
    pub fn move_start(&mut self, point: Point) {
        if let Some(Segment::Cubic(a, _, _)) = self.segments.first_mut() {
            *a = *a + (point - self.start);
        }
        self.start = point;
    }

    /// Moves the end a little, with the handle there.
    pub fn move_end(&mut self, point: Point) {
        match self.segments.last_mut() {
            Some(Segment::Cubic(_, b, end)) => {
                *b = *b + (point - *end);
                *end = point;
            }
            Some(Segment::Line(end) | Segment::Arc(_, _, end) | Segment::HalfEllipse(_, _, end)) => {
                *end = point
            }
            None => {}
        }
    }

    /// Points of the curve about `step_px` apart, from its start to its end.
    pub fn flattened(&self, step_px: f32) -> Vec<Point> {
        let mut points = Vec::new();
        self.flatten(step_px, &mut points);
        points
    }

    /// The same, behind other points.
    pub fn flatten(&self, step_px: f32, points: &mut Vec<Point>) {
        points.push(self.start);
        let mut from = self.start;
        for segment in &self.segments {
            flatten(from, segment, step_px, points);
            from = segment.end();
        }
    }
}

fn flatten(from: Point, segment: &Segment, step_px: f32, points: &mut Vec<Point>) {
    match *segment {
        Segment::Line(end) => {
            let steps = ((end - from).length() / step_px).ceil().max(1.0);
            points.extend((1..steps as usize).map(|step| from + (end - from) * (step as f32 / steps)));
            points.push(end);
        }
        Segment::Cubic(_, _, end) => {
            let steps = (segment.length_px(from) / step_px).ceil().max(1.0);
            points.extend((1..steps as usize).map(|step| segment.at(from, step as f32 / steps)));
            points.push(end);
        }
        Segment::HalfEllipse(shape, clockwise, end) => {
            flatten_half(from, end, shape.ratio, clockwise, (step_px, points));
        }
        Segment::Arc(radius, clockwise, end) => {
            let circle = ArcCircle::through(from, end, radius, clockwise);
            if radius == 0.0 {
                circle.flatten(from, circle.apex, step_px, points);
                circle.flatten(circle.apex, end, step_px, points);
            } else {
                circle.flatten(from, end, step_px, points);
            }
        }
    }
}

/// Half an ellipse by the rational parameters of half a circle: x = (1 − t²)/(1 + t²), y = 2t/(1 + t²).
fn flatten_half(
    from: Point,
    to: Point,
    ratio: f32,
    clockwise: bool,
    (step_px, points): (f32, &mut Vec<Point>),
) {
    let [center, longer, shorter] = half_axes(from, to, ratio, clockwise);
    let steps = (1.6 * longer.length() / step_px).ceil().max(2.0);
    // Each quarter runs t from 0 to 1.
    for (x, y) in [(longer, shorter), (shorter, longer * -1.0)] {
        points.extend((1..=steps as usize).map(|step| {
            let t = step as f32 / steps;
            let inverse = 1.0 / (1.0 + t * t);
            center + x * ((1.0 - t * t) * inverse) + y * (2.0 * t * inverse)
        }));
    }
    points.pop();
    points.push(to);
}

/// The center of an ellipse, and its longer and shorter half axes: the one points to where its half from `from` to `to` begins, the
/// other to its middle.
pub(crate) fn half_axes(from: Point, to: Point, ratio: f32, clockwise: bool) -> [Point; 3] {
    let center = (from + to) * 0.5;
    let longer = from - center;
    let side = if clockwise { ratio } else { -ratio };
    [center, longer, Point::new(-longer.y, longer.x) * side]
}

/// The circle of an arc.
pub(crate) struct ArcCircle {
    pub center: Point,
    pub radius: f32,
    /// The middle of the arc.
    pub apex: Point,
}

impl ArcCircle {
    // Called, for its callers are several: it would be in the module as often.
    #[inline(never)]
    pub fn through(from: Point, to: Point, radius: f32, clockwise: bool) -> Self {
        let chord = to - from;
        let half = chord.length() * 0.5;
        let radius = if radius == 0.0 { half } else { radius.max(half) };
        let unit = chord.unit();
        let inward = Point::new(-unit.y, unit.x) * if clockwise { 1.0 } else { -1.0 };
        let center = (from + to) * 0.5 + inward * (radius * radius - half * half).max(0.0).sqrt();
        ArcCircle { center, radius, apex: center - inward * radius }
    }

    /// Halves the arc until its chords are short enough; sines and cosines differ between targets.
    fn flatten(&self, from: Point, to: Point, step_px: f32, points: &mut Vec<Point>) {
        let middle = (from - self.center) + (to - self.center);
        if (to - from).length() <= step_px || middle.length() <= 0.0 {
            points.push(to);
            return;
        }
        let middle = self.center + middle.unit() * self.radius;
        self.flatten(from, middle, step_px, points);
        self.flatten(middle, to, step_px, points);
    }
}
