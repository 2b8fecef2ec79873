//! Curves of lines, cubics, circular arcs and half ellipses.

use super::point::Point;

/// How far what stands for a curve may lie off it: a polyline, or the control points of a quadratic for those of a cubic.
///
/// Unit: pixels. Source: less than half of the 0.05 px by which rounding coordinates to tenths of a pixel may move an edge.
pub(crate) const FLATNESS_PX: f32 = 0.02;

/// A segment of a curve. It begins where the segment before it ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Segment {
    pub way: Way,
    pub end: Point,
}

/// How a segment runs to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// Straight.
    Line,
    /// A cubic Bézier, by its two control points.
    Cubic(Point, Point),
    /// A circular arc: radius, whether it turns clockwise on the screen (SVG's sweep flag). It is less than a half circle; a radius of 0
    /// stands for exactly a half circle.
    Arc(f32, bool),
    /// A half ellipse, from one end of the longer axis to the other: shape, whether it turns clockwise.
    HalfEllipse(Ellipse, bool),
}

/// The shape of an ellipse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ellipse {
    /// The shorter axis divided by the longer one.
    pub ratio: f32,
    /// The direction of the longer axis, in degrees clockwise from the right.
    pub turn_deg: f32,
}

impl Segment {
    pub fn line(end: Point) -> Self {
        Segment { way: Way::Line, end }
    }

    pub fn cubic(a: Point, b: Point, end: Point) -> Self {
        Segment { way: Way::Cubic(a, b), end }
    }

    pub fn arc(radius: f32, clockwise: bool, end: Point) -> Self {
        Segment { way: Way::Arc(radius, clockwise), end }
    }

    /// A quadratic Bézier, as the cubic that it is.
    pub fn quadratic(from: Point, control: Point, end: Point) -> Self {
        let [a, b] = [from, end].map(|node| (node + control * 2.0) * (1.0 / 3.0));
        Segment::cubic(a, b, end)
    }

    /// The control point of a cubic that is a quadratic.
    pub fn quadratic_control(&self, from: Point) -> Option<Point> {
        let Way::Cubic(a, b) = self.way else { return None };
        let off = (from - self.end) * (1.0 / 6.0) + (b - a) * 0.5;
        let is_quadratic = off.dot(off) <= FLATNESS_PX * FLATNESS_PX;
        is_quadratic.then(|| (a + b) * 0.75 - (from + self.end) * 0.25)
    }

    /// The point at a parameter from 0 to 1. For a half ellipse, a point of its longer axis.
    pub fn at(&self, from: Point, t: f32) -> Point {
        let (u, end) = (1.0 - t, self.end);
        match self.way {
            Way::Line | Way::HalfEllipse(..) => from * u + end * t,
            Way::Cubic(a, b) => {
                from * (u * u * u) + a * (3.0 * u * u * t) + b * (3.0 * u * t * t) + end * (t * t * t)
            }
            Way::Arc(radius, clockwise) => {
                let circle = ArcCircle::through(from, end, radius, clockwise);
                let toward = (from - circle.center) * u + (end - circle.center) * t;
                circle.center + toward.unit() * circle.radius
            }
        }
    }

    /// An upper bound of the length, in pixels.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn length_px(&self, from: Point) -> f32 {
        /// Length of a half circle, in units of its chord.
        ///
        /// Unit: share (ratio). Source: π/2, rounded up.
        const HALF_CIRCLE_PER_CHORD: f32 = 1.571;
        let chord = (self.end - from).length();
        match self.way {
            Way::Line => chord,
            Way::Cubic(a, b) => (a - from).length() + (b - a).length() + (self.end - b).length(),
            Way::Arc(..) | Way::HalfEllipse(..) => chord * HALF_CIRCLE_PER_CHORD,
        }
    }

    /// How many points it has, without its start.
    pub fn point_count(&self) -> u32 {
        if matches!(self.way, Way::Cubic(..)) { 3 } else { 1 }
    }

    /// Moves the end, and the control point of a cubic there by the same vector.
    pub fn move_end(&mut self, point: Point) {
        if let Way::Cubic(_, b) = &mut self.way {
            *b = *b + (point - self.end);
        }
        self.end = point;
    }

    /// Appends points of the segment, without its start, at most about `step_px` apart.
    pub fn flatten(&self, from: Point, step_px: f32, points: &mut Vec<Point>) {
        match self.way {
            Way::Line | Way::Cubic(..) => {
                let steps = (self.length_px(from) / step_px).ceil().max(1.0);
                let is_line = self.way == Way::Line;
                points.extend((1..steps as usize).map(|step| {
                    let t = step as f32 / steps;
                    if is_line { from + (self.end - from) * t } else { self.at(from, t) }
                }));
                points.push(self.end);
            }
            Way::HalfEllipse(shape, clockwise) => {
                flatten_half_ellipse(
                    half_axes(from, self.end, shape.ratio, clockwise),
                    self.end,
                    step_px,
                    points,
                );
            }
            Way::Arc(radius, clockwise) => {
                let circle = ArcCircle::through(from, self.end, radius, clockwise);
                let apex = if radius == 0.0 { circle.apex } else { from };
                if radius == 0.0 {
                    circle.flatten(from, apex, step_px, points);
                }
                circle.flatten(apex, self.end, step_px, points);
            }
        }
    }
}

/// Connected segments.
///
/// # Guarantees
/// There is at least one segment. If `closed`, the last segment ends at `start`, bit for bit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    pub start: Point,
    pub segments: Vec<Segment>,
    pub closed: bool,
}

impl Curve {
    /// Lines from point to point, and back to the first if `closed`.
    pub fn polyline(points: &[Point], closed: bool) -> Self {
        let start = points.first().copied().unwrap_or_default();
        let mut segments: Vec<Segment> = points.iter().skip(1).map(|&point| Segment::line(point)).collect();
        if closed || segments.is_empty() {
            segments.push(Segment::line(start));
        }
        Curve { start, segments, closed }
    }

    /// The rectangle between two opposite corners, counterclockwise on the screen from its top left corner.
    pub fn rectangle([from, to]: [Point; 2]) -> Self {
        Curve::polyline(&[from, Point::new(from.x, to.y), to, Point::new(to.x, from.y)], true)
    }

    pub fn end(&self) -> Point {
        self.segments.last().map_or(self.start, |segment| segment.end)
    }

    /// Where a segment begins.
    pub fn start_of(&self, segment: usize) -> Point {
        if segment == 0 { self.start } else { self.segments[segment - 1].end }
    }

    /// The same curve in the opposite direction.
    pub fn reversed(mut self) -> Self {
        for segment in &mut self.segments {
            std::mem::swap(&mut self.start, &mut segment.end);
            match &mut segment.way {
                Way::Line => {}
                Way::Cubic(a, b) => std::mem::swap(a, b),
                Way::Arc(_, clockwise) | Way::HalfEllipse(_, clockwise) => *clockwise = !*clockwise,
            }
        }
        self.segments.reverse();
        self
    }

    /// Stretches the curve by almost equal factors across and down; its arcs stay circular.
    pub fn scale(&mut self, (across, down): (f32, f32)) {
        let stretch = |point: &mut Point| *point = Point::new(point.x * across, point.y * down);
        stretch(&mut self.start);
        for segment in &mut self.segments {
            stretch(&mut segment.end);
            match &mut segment.way {
                Way::Cubic(a, b) => [a, b].into_iter().for_each(stretch),
                Way::Arc(radius, _) => *radius *= (across * down).sqrt(),
                Way::Line | Way::HalfEllipse(..) => {}
            }
        }
    }

    /// Moves the start, and the control point of a cubic there by the same vector.
    pub fn move_start(&mut self, point: Point) {
        if let Some(Way::Cubic(a, _)) = self.segments.first_mut().map(|first| &mut first.way) {
            *a = *a + (point - self.start);
        }
        self.start = point;
    }

    /// Moves the end, and the control point of a cubic there by the same vector.
    pub fn move_end(&mut self, point: Point) {
        if let Some(last) = self.segments.last_mut() {
            last.move_end(point);
        }
    }

    /// Appends points of the curve, at most about `step_px` apart, from its start to its end.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn flatten(&self, step_px: f32, points: &mut Vec<Point>) {
        points.push(self.start);
        let mut from = self.start;
        for segment in &self.segments {
            segment.flatten(from, step_px, points);
            from = segment.end;
        }
    }
}

/// Flattens a half ellipse, given its center and half axes, by the rational parametrization of the circle: x = (1 − t²)/(1 + t²),
/// y = 2t/(1 + t²).
fn flatten_half_ellipse(
    [center, longer, shorter]: [Point; 3],
    to: Point,
    step_px: f32,
    points: &mut Vec<Point>,
) {
    /// Length of a quarter ellipse, at most, in units of its longer half axis.
    ///
    /// Unit: share (ratio). Source: π/2, the quarter circle, rounded up.
    const QUARTER_PER_HALF_AXIS: f32 = 1.6;
    let steps = (QUARTER_PER_HALF_AXIS * longer.length() / step_px).ceil().max(2.0);
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

/// The center and the longer and shorter half axes of a half ellipse from `from` to `to`, as vectors from the center: the longer one to
/// `from`, the shorter one to the middle of the half ellipse.
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
    /// The middle of a half circle.
    pub apex: Point,
}

impl ArcCircle {
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    /// The circle of the arc from `from` to `to`. A radius of 0, or one too small for the chord, gives the half circle.
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

    /// Halves the arc until its chords are short enough. Sines and cosines would differ between targets.
    fn flatten(&self, from: Point, to: Point, step_px: f32, points: &mut Vec<Point>) {
        /// Arcs whose middle is nearer to the circle's center count as half circles: its direction would be that of rounding errors.
        ///
        /// Unit: share of the radius (ratio). Source: coordinates of thousands of pixels have seven digits.
        const HALF_CIRCLE_MIDDLE: f32 = 1e-3;
        let middle = (from - self.center) + (to - self.center);
        let is_half = middle.length() <= HALF_CIRCLE_MIDDLE * self.radius;
        let middle = if is_half { self.apex } else { self.center + middle.unit() * self.radius };
        let is_long = (to - from).length() > step_px;
        if !is_long || middle == from || middle == to {
            points.push(to);
            return;
        }
        self.flatten(from, middle, step_px, points);
        self.flatten(middle, to, step_px, points);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_a_quadratic_if_it_came_from_one_in_either_direction() {
        let [from, control, end] =
            [(1200.3, 7.1), (1207.9, 31.4), (1240.2, 2.6)].map(|(x, y)| Point::new(x, y));
        let segment = Segment::quadratic(from, control, end);
        let curve = Curve { start: from, segments: vec![segment], closed: false };
        let reversed = curve.clone().reversed();
        for (curve, from) in [(curve, from), (reversed, end)] {
            let found = curve.segments[0].quadratic_control(from).unwrap();
            assert!((found - control).length() < 0.01, "{found:?}");
        }
        // Its middle, by the quadratic's own formula.
        let middle = from * 0.25 + control * 0.5 + end * 0.25;
        assert!((segment.at(from, 0.5) - middle).length() < 0.001);
    }

    #[test]
    fn other_segments_are_no_quadratics() {
        let (from, end) = (Point::new(0.0, 0.0), Point::new(9.0, 0.0));
        let bend = Segment::cubic(Point::new(3.0, 3.0), Point::new(6.0, -3.0), end);
        for segment in [bend, Segment::line(end), Segment::arc(20.0, true, end)] {
            assert_eq!(segment.quadratic_control(from), None);
        }
    }
}
