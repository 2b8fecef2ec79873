//! Path data: the `d` attribute in its shortest form.

use crate::api::push_integer;
use crate::geometry::{Curve, Ellipse, Point, Segment, Way};

/// Steps of the output grid: coordinates have one decimal.
///
/// Unit: steps per pixel. Source: a layout constant: numbers are written in tenths.
pub(super) const STEPS_PER_PX: f32 = 10.0;

/// A point of the output grid, in tenths of a pixel. Every coordinate is rounded here, once, before differences are taken, so rounding errors
/// do not add up along a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GridPoint {
    x: i64,
    y: i64,
}

/// A length in tenths of a pixel.
pub(super) fn to_steps(length: f32) -> i64 {
    (length * STEPS_PER_PX + 0.5).floor() as i64
}

impl GridPoint {
    fn of(point: Point) -> Self {
        GridPoint { x: to_steps(point.x), y: to_steps(point.y) }
    }

    fn minus(self, other: GridPoint) -> GridPoint {
        GridPoint { x: self.x - other.x, y: self.y - other.y }
    }
}

/// Writes the `d` attribute: relative commands, the shortest number forms, no repeated command letters.
pub(crate) struct PathData {
    text: String,
    at: GridPoint,
    start: GridPoint,
    /// The command that numbers without a command letter continue.
    command: u8,
    /// The vector from the second control point of the last cubic to its end, if the last segment is a cubic.
    handle: Option<GridPoint>,
    /// The end of a line that is not written yet, because the next one may continue it.
    pending: Option<GridPoint>,
}

impl PathData {
    pub fn new() -> Self {
        let origin = GridPoint { x: 0, y: 0 };
        PathData { text: String::new(), at: origin, start: origin, command: 0, handle: None, pending: None }
    }

    /// Clears the text and keeps its buffer. The first `move_to` resets everything else.
    pub fn begin(&mut self) {
        self.text.clear();
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes a curve from the end of the line that takes the most bytes on: `z` draws it.
    pub fn closed_curve(&mut self, curve: &Curve) {
        let count = curve.segments.len();
        // Of equal ones the last, after which the curve begins as it is.
        let bytes = |&k: &usize| line_bytes(curve.start_of(k), &curve.segments[k]);
        let first = (0..count).max_by_key(bytes).unwrap_or_default() + 1;
        self.move_to(curve.start_of(first % count.max(1)));
        for k in (first..first + count).map(|k| k % count) {
            self.segment(curve.start_of(k), &curve.segments[k]);
        }
        self.close();
    }

    fn move_to(&mut self, point: Point) {
        let to = GridPoint::of(point);
        if self.text.is_empty() {
            self.write(b'M', &[to.x, to.y]);
        } else {
            let by = to.minus(self.at);
            self.write(b'm', &[by.x, by.y]);
        }
        // Further coordinates after a moveto count as linetos.
        self.command = if self.command == b'M' { b'L' } else { b'l' };
        (self.at, self.start, self.handle) = (to, to, None);
    }

    /// `from`: where it begins.
    fn segment(&mut self, from: Point, segment: &Segment) {
        let end = GridPoint::of(segment.end);
        if let Some(control) = segment.quadratic_control(from) {
            return self.quadratic_to(GridPoint::of(control), end);
        }
        match segment.way {
            Way::Line => self.line_to(end),
            Way::Cubic(a, b) => self.cubic_to(GridPoint::of(a), GridPoint::of(b), end),
            Way::Arc(radius, clockwise) => self.arc_to(radius, clockwise, end),
            Way::HalfEllipse(shape, clockwise) => self.half_ellipse_to(shape, clockwise, end),
        }
    }

    fn close(&mut self) {
        // `z` draws the closing line.
        if self.pending.is_some_and(|end| end == self.start) {
            self.pending = None;
        }
        self.flush();
        push(&mut self.text, b'z');
        (self.at, self.command, self.handle) = (self.start, b'z', None);
    }

    fn line_to(&mut self, to: GridPoint) {
        let from = self.pending.unwrap_or(self.at);
        if to == from {
            return;
        }
        if let Some(middle) = self.pending
            && !continues(self.at, middle, to)
        {
            self.flush();
        }
        self.pending = Some(to);
    }

    #[inline(never)]
    fn flush(&mut self) {
        let Some(to) = self.pending.take() else { return };
        let by = to.minus(self.at);
        match (by.x, by.y) {
            (x, 0) => self.write(b'h', &[x]),
            (0, y) => self.write(b'v', &[y]),
            (x, y) => self.write(b'l', &[x, y]),
        }
        (self.at, self.handle) = (to, None);
    }

    fn cubic_to(&mut self, a: GridPoint, b: GridPoint, end: GridPoint) {
        self.flush();
        let (a, b, by) = (a.minus(self.at), b.minus(self.at), end.minus(self.at));
        if by == (GridPoint { x: 0, y: 0 }) && a == by && b == by {
            return;
        }
        if self.handle == Some(a) {
            self.write(b's', &[b.x, b.y, by.x, by.y]);
        } else {
            self.write(b'c', &[a.x, a.y, b.x, b.y, by.x, by.y]);
        }
        (self.at, self.handle) = (end, Some(by.minus(b)));
    }

    fn quadratic_to(&mut self, control: GridPoint, end: GridPoint) {
        self.flush();
        let (control, by) = (control.minus(self.at), end.minus(self.at));
        if by == (GridPoint { x: 0, y: 0 }) && control == by {
            return;
        }
        self.write(b'q', &[control.x, control.y, by.x, by.y]);
        (self.at, self.handle) = (end, None);
    }

    fn arc_to(&mut self, radius: f32, clockwise: bool, end: GridPoint) {
        self.flush();
        let by = end.minus(self.at);
        if by == (GridPoint { x: 0, y: 0 }) {
            return;
        }
        // SVG enlarges a radius that is too small for the chord until it just fits: a half circle.
        let radius = ((radius * STEPS_PER_PX + 0.5) as i64).max(10);
        let flag = if clockwise { 10 } else { 0 };
        self.write(b'a', &[radius, radius, 0, 0, flag, by.x, by.y]);
        (self.at, self.handle) = (end, None);
    }

    fn half_ellipse_to(&mut self, shape: Ellipse, clockwise: bool, end: GridPoint) {
        self.flush();
        let by = end.minus(self.at);
        // SVG enlarges radii that are too small for the chord until they just fit. With larger ones, it would not be a half ellipse.
        let half = 0.5 * ((by.x * by.x + by.y * by.y) as f32).sqrt();
        let longer = (half as i64).max(1);
        let shorter = ((longer as f32 * shape.ratio + 0.5) as i64).max(1);
        let flag = if clockwise { 10 } else { 0 };
        let (rx, ry, turn) = match (by.x, by.y) {
            (_, 0) => (longer, shorter, 0),
            (0, _) => (shorter, longer, 0),
            _ => (longer, shorter, (shape.turn_deg * STEPS_PER_PX).round() as i64),
        };
        self.write(b'a', &[rx, ry, turn, 0, flag, by.x, by.y]);
        (self.at, self.handle) = (end, None);
    }

    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn write(&mut self, command: u8, numbers: &[i64]) {
        if self.command != command {
            push(&mut self.text, command);
        }
        let mut separate = self.command == command;
        for &number in numbers {
            push_number(&mut self.text, number, separate);
            separate = true;
        }
        self.command = command;
    }
}

/// About how many bytes a line takes; none of what is no line.
fn line_bytes(from: Point, segment: &Segment) -> u32 {
    if segment.way != Way::Line {
        return 0;
    }
    let by = segment.end - from;
    [by.x, by.y].map(|length| number_bytes((length.abs() * STEPS_PER_PX + 0.5) as u32)).iter().sum()
}

/// How many bytes a number of tenths takes, with what separates it from the one before; none if it is zero.
fn number_bytes(tenths: u32) -> u32 {
    let (mut digits, mut rest) = (0, tenths);
    while rest > 0 {
        (digits, rest) = (digits + 1, rest / 10);
    }
    match tenths % 10 {
        0 => digits,
        _ => digits + 2,
    }
}

/// Whether `middle` lies on the line from `from` to `to`, between them.
fn continues(from: GridPoint, middle: GridPoint, to: GridPoint) -> bool {
    let (u, v) = (middle.minus(from), to.minus(middle));
    u.x * v.y == u.y * v.x && u.x * v.x + u.y * v.y > 0
}

/// Writes a number of tenths in its shortest form. If `separate`, a space comes before it unless it begins with a sign, or with a point
/// after a number that has one.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(super) fn push_number(text: &mut String, tenths: i64, separate: bool) {
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    let negative = tenths < 0;
    let begins_with_point = whole == 0 && tenth != 0;
    if separate && !negative && !(begins_with_point && last_number_has_point(text)) {
        push(text, b' ');
    }
    if negative {
        push(text, b'-');
    }
    if !begins_with_point {
        push_integer(text, whole);
    }
    if tenth != 0 {
        push(text, b'.');
        push(text, b'0' + tenth as u8);
    }
}

/// Appends an ASCII character.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(super) fn push(text: &mut String, ascii: u8) {
    text.push(char::from(ascii));
}

/// Whether the number at the end of the text has a decimal point.
fn last_number_has_point(text: &str) -> bool {
    text.bytes().rev().take_while(|b| b.is_ascii_digit() || *b == b'.').any(|b| b == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f32, y: f32) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn numbers_take_their_shortest_form() {
        let mut data = PathData::new();
        data.move_to(p(0.5, -0.5));
        for end in [p(1.0, 0.0), p(1.5, 0.7), p(11.5, 0.7), p(11.5, 2.7)] {
            data.segment(p(0.0, 0.0), &Segment::line(end));
        }
        data.close();
        assert_eq!(data.text(), "M.5-.5l.5.5.5.7h10v2z");
    }

    #[test]
    fn collinear_runs_join_and_the_closing_line_is_dropped() {
        let mut data = PathData::new();
        data.move_to(p(0.0, 0.0));
        for end in [p(1.0, 0.0), p(3.0, 0.0), p(3.0, 3.0), p(0.0, 0.0)] {
            data.segment(p(0.0, 0.0), &Segment::line(end));
        }
        data.close();
        assert_eq!(data.text(), "M0 0h3v3z");
    }

    #[test]
    fn the_line_of_most_bytes_closes_a_curve() {
        let mut data = PathData::new();
        let points = [p(1.0, 1.0), p(4.0, 1.0), p(9.3, 6.4), p(1.0, 9.0)];
        data.closed_curve(&Curve::polyline(&points, true));
        assert_eq!(data.text(), "M1 9v-8h3l5.3 5.4z");
    }

    #[test]
    fn a_cubic_that_is_a_quadratic_is_written_as_one() {
        let mut data = PathData::new();
        let points = [p(0.0, 0.0), p(3.0, 2.0), p(6.0, 2.0)];
        data.move_to(points[0]);
        data.segment(points[0], &Segment::quadratic(points[0], p(2.0, 1.5), points[1]));
        data.segment(points[1], &Segment::cubic(p(3.5, 2.5), p(5.0, 2.5), points[2]));
        assert_eq!(data.text(), "M0 0q2 1.5 3 2c.5.5 2 .5 3 0");
    }

    #[test]
    fn a_mirrored_handle_is_left_out() {
        let mut data = PathData::new();
        data.move_to(p(0.0, 0.0));
        data.segment(p(0.0, 0.0), &Segment::cubic(p(0.0, 1.0), p(1.0, 2.0), p(2.0, 2.0)));
        data.segment(p(2.0, 2.0), &Segment::cubic(p(3.0, 2.0), p(4.0, 1.0), p(4.0, 0.0)));
        assert_eq!(data.text(), "M0 0c0 1 1 2 2 2s2-1 2-2");
    }
}
