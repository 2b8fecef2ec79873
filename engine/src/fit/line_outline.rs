//! Draws thin lines: takes the curve along the middle of one and gives the closed curve around it.

use crate::geometry::{Curve, Point, Segment, Way};

/// The closed curve around a line of constant width, counterclockwise on the screen.
pub(super) fn line_outline(middle: &Curve, width_px: f32) -> Curve {
    let half = 0.5 * width_px;
    let mut curve = beside(middle, half);
    let back = beside(middle, -half).reversed();
    curve.segments.push(Segment::line(back.start));
    curve.segments.extend(back.segments);
    curve.segments.push(Segment::line(curve.start));
    curve.closed = true;
    curve
}

/// The curve on one side of another, so far away.
#[inline(never)]
fn beside(curve: &Curve, by: f32) -> Curve {
    let mut side = curve.clone();
    let mut before = None;
    for (k, segment) in curve.segments.iter().enumerate() {
        let [first, last] = tangents(curve.start_of(k), segment);
        let off = miter(before.unwrap_or(first), first, by);
        let next = curve.segments.get(k + 1).map(|next| tangents(segment.end, next)[0]);
        let end_off = miter(last, next.unwrap_or(last), by);
        if k == 0 {
            side.start = side.start + off;
        }
        let moved = &mut side.segments[k];
        moved.end = moved.end + end_off;
        match &mut moved.way {
            Way::Cubic(a, b) => (*a, *b) = (*a + off, *b + end_off),
            Way::Arc(radius, clockwise) if *radius > 0.0 => *radius += if *clockwise { -by } else { by },
            _ => {}
        }
        before = Some(last);
    }
    side
}

/// How far a node moves where the sides of two segments meet that come and go in these directions: farther out at an angle.
#[inline(never)]
fn miter(before: Point, after: Point, by: f32) -> Point {
    let normal = |along: Point| Point::new(-along.y, along.x);
    let mean = normal((before + after).unit());
    mean * (by / mean.dot(normal(after)).max(0.5))
}

/// The directions in which a segment begins and ends.
#[inline(never)]
fn tangents(from: Point, segment: &Segment) -> [Point; 2] {
    let chord = segment.end - from;
    let along = match segment.way {
        Way::Cubic(a, b) => [a - from, segment.end - b],
        // A half circle.
        Way::Arc(0.0, clockwise) => {
            let out = Point::new(chord.y, -chord.x);
            if clockwise { [out, out * -1.0] } else { [out * -1.0, out] }
        }
        // By as much as the chord turns from the direction to the middle of the arc, the arc turns to the other side.
        Way::Arc(..) => {
            let (middle, chord) = (segment.at(from, 0.5), chord.unit());
            [middle - from, segment.end - middle].map(|half| {
                let half = half.unit();
                half * (2.0 * half.dot(chord)) - chord
            })
        }
        Way::Line | Way::HalfEllipse(..) => [chord; 2],
    };
    along.map(|along| if along.dot(along) > 0.0 { along.unit() } else { chord.unit() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::fitter::{FitStyle, Fitter};

    /// The closed curve around a line, and the area in it, positive if it is counterclockwise on the screen.
    fn drawn(middle: Vec<Point>, width_px: f32) -> (Curve, f32) {
        let curve = line_outline(&Fitter::new().fit(&middle, false, 0.04, &FitStyle::DEFAULT), width_px);
        let mut points = Vec::new();
        curve.flatten(0.05, &mut points);
        let area = points.windows(2).map(|pair| pair[1].cross(pair[0])).sum::<f32>() * 0.5;
        (curve, area)
    }

    #[test]
    fn a_straight_line_is_a_rectangle() {
        let middle = (0..12).map(|k| Point::new(3.0 + k as f32 * 0.8, 4.0 + k as f32 * 0.6)).collect();
        let (curve, area) = drawn(middle, 0.5);
        assert_eq!(curve.segments.len(), 4);
        assert!((area - 5.5).abs() < 0.01, "{area}");
    }

    #[test]
    fn a_half_circle_keeps_its_width() {
        let (from, end) = (Point::new(10.0, 10.0), Point::new(10.0, 18.0));
        for clockwise in [true, false] {
            let segments = vec![Segment::arc(0.0, clockwise, end)];
            let curve = line_outline(&Curve { start: from, segments, closed: false }, 0.5);
            let mut points = Vec::new();
            curve.flatten(0.1, &mut points);
            for point in points {
                let off = (point - Point::new(10.0, 14.0)).length() - 4.0;
                assert!(off.abs() < 0.26, "{point:?}: {off}");
            }
        }
    }

    #[test]
    fn the_sides_of_a_bend_are_as_far_apart() {
        // Rational points of a circle of radius 12.
        let on_circle = |k: usize| {
            let t = k as f32 / 14.0;
            let by = 12.0 / (1.0 + t * t);
            Point::new(20.0 + (1.0 - t * t) * by, 4.0 + 2.0 * t * by)
        };
        let (curve, area) = drawn((0..=14).map(on_circle).collect(), 0.6);
        let quarter = 12.0 * std::f32::consts::FRAC_PI_2;
        assert!((area - 0.6 * quarter).abs() < 0.15, "{area}");
        let mut points = Vec::new();
        curve.flatten(0.1, &mut points);
        for point in points {
            let off = ((point - Point::new(20.0, 4.0)).length() - 12.0).abs();
            assert!(off < 0.36, "{point:?}: {off}");
        }
    }
}
