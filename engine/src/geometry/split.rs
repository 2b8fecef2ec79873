//! Finds positions along a curve, and cuts the curve there.

use super::curve::{ArcCircle, Curve, Segment, Way, half_axes};
use super::point::Point;

/// Distance of the points of a curve that are tried first when a position is searched for.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const MARK_STEP_PX: f32 = 0.5;

/// Positions tried between two of these points, so 1/16 px apart.
///
/// Unit: count. Source: tuned; no derivation is known.
const FINE_STEPS: usize = 8;

/// A position is searched for this far around the expected one: a share of the length since the position before, and [`SEARCH_PX`]. Curves cut
/// corners that their samples follow, so the lengths differ.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const SEARCH_SHARE: f32 = 0.3;

/// The constant part of that distance.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const SEARCH_PX: f32 = 4.0;

/// Length of the handles of the cubic for a quarter of an ellipse, in units of its half axes.
///
/// Unit: share (ratio). Source: 4/3 · (√2 − 1), with which the cubic passes through the middle of a quarter circle.
const QUARTER_HANDLE: f32 = 0.552_284_8;

/// A position on a curve.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    segment: usize,
    t: f32,
    pub point: Point,
}

/// The curve with segments that can be cut: two arcs in place of each half circle, two cubics in place of each half ellipse.
pub(crate) fn into_cuttable(mut curve: Curve) -> Curve {
    for index in (0..curve.segments.len()).rev() {
        let Segment { way, end } = curve.segments[index];
        let from = curve.start_of(index);
        let halves = match way {
            Way::Arc(0.0, clockwise) => {
                let circle = ArcCircle::through(from, end, 0.0, clockwise);
                [circle.apex, end].map(|end| Segment::arc(circle.radius, clockwise, end))
            }
            Way::HalfEllipse(shape, clockwise) => {
                let [center, longer, shorter] = half_axes(from, end, shape.ratio, clockwise);
                [quarter(center, longer, shorter), Segment { end, ..quarter(center, shorter, longer * -1.0) }]
            }
            _ => continue,
        };
        curve.segments.splice(index..=index, halves);
    }
    curve
}

/// The cubic of a quarter of an ellipse, from one half axis to the next.
fn quarter(center: Point, from: Point, to: Point) -> Segment {
    Segment::cubic(center + from + to * QUARTER_HANDLE, center + to + from * QUARTER_HANDLE, center + to)
}

/// Opens a closed curve where it passes nearest to a point.
pub(crate) fn open_at(curve: &Curve, node: Point) -> Curve {
    let curve_marks = CurveMarks::new(curve);
    let cut = curve_marks.cut(curve, node, curve_marks.nearest(node, 0, curve_marks.marks.len()));
    let mut opened = subcurve(curve, Some(&cut), None);
    opened.segments.extend(subcurve(curve, None, Some(&cut)).segments);
    opened
}

/// Finds the positions on an open curve nearest to `nodes`, which come in the order of the curve. Each node is given with the length along
/// the outline at which it is expected; `length_px` is the length of the outline.
pub(crate) fn find_cuts(curve: &Curve, nodes: &[(Point, f32)], length_px: f32) -> Vec<Cut> {
    let curve_marks = CurveMarks::new(curve);
    let last = curve_marks.marks.len() - 1;
    let scale = last as f32 / length_px.max(MARK_STEP_PX);
    let (mut mark, mut before_px) = (0, 0.0);
    let mut cuts: Vec<Cut> = Vec::with_capacity(nodes.len());
    for &(node, along_px) in nodes {
        // Measured from the node before: differences between the lengths of outline and curve add up along them.
        let way = along_px - before_px;
        let around = SEARCH_SHARE * way + SEARCH_PX;
        let low = (mark + ((way - around).max(0.0) * scale) as usize).min(last);
        let high = (mark + ((way + around) * scale) as usize).clamp(low, last);
        mark = curve_marks.nearest(node, low, high + 1);
        before_px = along_px;
        let cut = curve_marks.cut(curve, node, mark);
        let backward = cuts.last().filter(|before| !before.is_before(&cut)).copied();
        cuts.push(backward.unwrap_or(cut));
    }
    cuts
}

/// The curve between two positions; `None` stands for its start or its end.
pub(crate) fn subcurve(curve: &Curve, from: Option<&Cut>, to: Option<&Cut>) -> Curve {
    let (first, t_first, start) = from.map_or((0, 0.0, curve.start), |cut| (cut.segment, cut.t, cut.point));
    let last = curve.segments.len() - 1;
    let (last, t_last, end) = to.map_or((last, 1.0, curve.end()), |cut| (cut.segment, cut.t, cut.point));
    let segments = Vec::with_capacity((last + 1).saturating_sub(first).max(1));
    let mut part = Curve { start, segments, closed: false };
    for index in first..=last {
        let low = if index == first { t_first } else { 0.0 };
        let high = if index == last { t_last } else { 1.0 };
        if low < high {
            part.segments.push(between(curve.start_of(index), &curve.segments[index], low, high));
        }
    }
    match part.segments.is_empty() {
        true => part.segments.push(Segment::line(end)),
        false => part.move_end(end),
    }
    part
}

impl Cut {
    /// Whether this position comes before another.
    fn is_before(&self, other: &Cut) -> bool {
        (self.segment, self.t) < (other.segment, other.t)
    }
}

/// Points along a curve, about [`MARK_STEP_PX`] apart.
struct CurveMarks {
    marks: Vec<Cut>,
}

impl CurveMarks {
    fn new(curve: &Curve) -> Self {
        let mut marks = Vec::new();
        let mut from = curve.start;
        for (index, segment) in curve.segments.iter().enumerate() {
            let steps = steps(from, segment);
            marks.extend((0..steps as usize).map(|step| {
                let t = step as f32 / steps;
                Cut { segment: index, t, point: segment.at(from, t) }
            }));
            from = segment.end;
        }
        marks.push(Cut { segment: curve.segments.len() - 1, t: 1.0, point: from });
        CurveMarks { marks }
    }

    /// The index of the mark nearest to a point, from `low` to below `high`.
    fn nearest(&self, point: Point, low: usize, high: usize) -> usize {
        let mut best = (f32::INFINITY, low);
        for (offset, mark) in self.marks[low..high].iter().enumerate() {
            let away = mark.point - point;
            if away.dot(away) < best.0 {
                best = (away.dot(away), low + offset);
            }
        }
        best.1
    }

    /// The position nearest to a point, between the marks before and after a mark.
    fn cut(&self, curve: &Curve, node: Point, mark: usize) -> Cut {
        let Cut { segment: index, t, point } = self.marks[mark];
        let segment = &curve.segments[index];
        let from = curve.start_of(index);
        let step = 1.0 / steps(from, segment);
        let mut best = ((point - node).length(), Cut { segment: index, t, point });
        for fine in 1..2 * FINE_STEPS {
            let t = t + step * (fine as f32 / FINE_STEPS as f32 - 1.0);
            if t > 0.0 && t < 1.0 {
                let point = segment.at(from, t);
                let distance = (point - node).length();
                if distance < best.0 {
                    best = (distance, Cut { segment: index, t, point });
                }
            }
        }
        best.1
    }
}

/// The number of marks of a segment.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
fn steps(from: Point, segment: &Segment) -> f32 {
    (segment.length_px(from) / MARK_STEP_PX).ceil().max(1.0)
}

/// The part of a segment between two parameters.
fn between(from: Point, segment: &Segment, low: f32, high: f32) -> Segment {
    let end = if high == 1.0 { segment.end } else { segment.at(from, high) };
    match segment.way {
        Way::Cubic(a, b) => {
            // The handles are the tangents at the ends of the subsegment, a third of its parameter range long.
            let start = segment.at(from, low);
            let tangent = |t: f32| {
                let u = 1.0 - t;
                (a - from) * (u * u) + (b - a) * (2.0 * u * t) + (segment.end - b) * (t * t)
            };
            let length = high - low;
            Segment::cubic(start + tangent(low) * length, end - tangent(high) * length, end)
        }
        Way::Arc(radius, clockwise) => Segment::arc(radius, clockwise, end),
        Way::Line | Way::HalfEllipse(..) => Segment::line(end),
    }
}

#[cfg(test)]
mod tests {
    use super::find_cuts;
    use crate::geometry::curve::Curve;
    use crate::geometry::curve::Segment;
    use crate::geometry::point::Point;

    #[test]
    fn cuts_are_found_on_a_curve_that_is_shorter_than_its_samples_in_one_part() {
        let end = Point::new(400.0, 0.0);
        let curve = Curve { start: Point::new(0.0, 0.0), segments: vec![Segment::line(end)], closed: false };
        let nodes = [290.0, 300.0, 312.0].map(|x| (Point::new(x, 0.2), x));
        // Behind the last node, the samples wind.
        let cuts = find_cuts(&curve, &nodes, 440.0);
        for (cut, (node, _)) in cuts.iter().zip(nodes) {
            assert!((cut.point - node).length() < 0.3, "{:?} for {node:?}", cut.point);
        }
    }
}
