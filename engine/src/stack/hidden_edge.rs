//! The edge of a shape below the shapes that cover it: a polygon with few corners, from the end of one visible edge to the start of the
//! next.
//!
//! Across each point of the visible edge lies a gate, from beside the edge to where its cover ends. Each line of the polygon passes as
//! many gates as it can. How far a cover reaches is read from the labels; if they say that it is narrow, from the fitted edges, since a
//! fitted edge may lie off its labels. No line is taken that touches an edge at which the cover ends.

use super::gates::{Gate, VisibleCone, crossing};
use super::occlusion::{COVER_REACH_PX, Occlusion};
use super::segment_grid::{FourSegments, lanes};
use crate::geometry::Point;

/// Distance of a hidden edge from the end of its cover.
///
/// Unit: pixels. Source: half a pixel of anti-aliasing at 1×, and a tuned margin for rounding and for labels of whole pixels.
const COVERED_PX: f32 = 0.6;

/// Distance of a hidden edge from the visible edge above it.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const BEYOND_PX: f32 = 1.0;

/// The same where the cover is narrow.
///
/// Unit: share of the cover's reach. Source: tuned; below one half, so that the gate has a length.
const BEYOND_SHARE: f32 = 0.4;

/// If labels say that a cover reaches no farther than this, the fitted edges say how far it really does.
///
/// Unit: pixels. Source: the labels' step: nearer, whole pixels are too coarse.
const NARROW_PX: f32 = 1.0;

/// How much farther than the labels say the fitted edge of a cover is searched for.
///
/// Unit: pixels. Source: tuned on ramps at 8×: loosely fitted bands lie pixels off their labels.
const BEYOND_LABELS_PX: f32 = 2.0;

/// If no free line ends deeper, down to this share of the room, the search ends. The depth is halved each time.
///
/// Unit: share (ratio). Source: four halvings; tuned.
const LEAST_DEPTH: f32 = 0.1;

/// What is looked at of the way on which a hidden edge continues its visible edge beyond a junction; it ends in the middle of what is free.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const CONTINUE_MOST_PX: f32 = 1.4;

/// Most gates that one line passes, so that the search takes linear time.
///
/// Unit: count. Source: linear time; 128 gates are about 192 px of edge.
const MOST_GATES: usize = 128;

/// An edge of a shape that other shapes cover.
pub(crate) struct HiddenEdge<'a> {
    occlusion: &'a Occlusion<'a>,
    region: u32,
    /// Points along the visible edge above it. For a closed edge, the first is not repeated.
    points: Vec<Point>,
    closed: bool,
}

/// A line of a hidden edge: how many gates it passes, and where it ends.
struct Leg {
    count: usize,
    corner: Point,
}

impl<'a> HiddenEdge<'a> {
    /// `points` lie along the visible edge, about [`LINE_PX`] apart, with the region on their right.
    pub fn new(occlusion: &'a Occlusion<'a>, region: u32, points: Vec<Point>, closed: bool) -> Self {
        HiddenEdge { occlusion, region, points, closed }
    }

    /// The corners of the polygon, without the end of the visible edge before it and the start of the one after it.
    pub fn corners(&self) -> Vec<Point> {
        let n = self.points.len();
        let gated = if self.closed { 0..n } else { 1..n - 1 };
        let gates: Vec<Gate> = gated.map(|i| self.gate(i)).collect();
        if self.closed {
            let start = gates[0].point(0.5);
            return self.polygon(start, &gates[1..], start);
        }
        let [start, end] = [self.continuation(false), self.continuation(true)];
        let mut corners = self.polygon(start, &gates, end);
        corners.push(end);
        corners
    }

    /// The start, and the corners of lines that pass all gates, each as many as it can. The first gate is that of the second point.
    #[inline(never)]
    fn polygon(&self, from: Point, gates: &[Gate], to: Point) -> Vec<Point> {
        let mut corners = vec![from];
        // `settled`: gates before this one are not passed again.
        let (mut at, mut passed, mut settled) = (from, 0, 0);
        loop {
            while let Some(gate) = gates.get(passed)
                && gate.lies_behind(at)
                && self.is_outside(passed + 1, at)
            {
                passed += 1;
            }
            if passed == gates.len() {
                // A corner past all gates may have no free line to the end.
                if gates.last().is_none_or(|gate| gate.near == at) || self.is_clear(to, at, true) {
                    return corners;
                }
                // Where the edge turns back, gates cross, so that one may have been passed too early.
                let Some(k) = (settled..passed).find(|&k| !gates[k].lies_behind(at)) else {
                    corners.extend(gates.last().map(|gate| gate.near));
                    return corners;
                };
                (passed, settled) = (k, k + 1);
            }
            let Some(Leg { count, corner }) = self.next_leg(at, gates, passed, to) else { return corners };
            corners.push(corner);
            at = corner;
            settled = settled.max(passed);
            passed += count;
        }
    }

    /// The line from `at` that passes as many gates as it can, from `passed` on. `None` if a free line leads to the end.
    fn next_leg(&self, at: Point, gates: &[Gate], passed: usize, to: Point) -> Option<Leg> {
        let (rest, is_first) = (&gates[passed..], passed == 0);
        let (mut most, mut depth) = (MOST_GATES, 1.0);
        loop {
            let cone = VisibleCone::new(at, &rest[..rest.len().min(most)]);
            let is_last = cone.count == rest.len();
            if is_last && cone.contains(to) && self.is_clear(to, at, true) {
                return None;
            }
            let corner = Self::corner(&rest[cone.count - 1], &cone, depth);
            let is_clear = self.is_clear(at, corner, is_first);
            // The visible edge begins right beside the end.
            if is_clear && (!is_last || self.is_clear(to, corner, true)) {
                return Some(Leg { count: cone.count, corner });
            }
            if depth < LEAST_DEPTH {
                // From the near end of the previous gate, the line can follow the edge itself.
                let back = passed.checked_sub(1).map(|before| gates[before].near);
                let back = back.filter(|&near| near != at && !self.is_clear(at, corner, false));
                let (count, corner) = back.map_or((cone.count, corner), |near| (0, near));
                return Some(Leg { count, corner });
            }
            if cone.count > 1 && !is_clear {
                most = cone.count / 2;
            } else {
                depth *= 0.5;
            }
        }
    }

    /// Whether a point lies on the outer side of the edge, by the edge's direction at one of its points.
    fn is_outside(&self, index: usize, point: Point) -> bool {
        self.outward(index).dot(point - self.points[index]) >= 0.0
    }

    /// The end of a line through the gates of a cone: in the middle of what the cone leaves of the last gate, or of the share `depth` of that.
    fn corner(gate: &Gate, cone: &VisibleCone, depth: f32) -> Point {
        let [low, high] = cone.window(gate);
        gate.point(low + 0.5 * (high - low) * depth)
    }

    /// The gate at a point of the edge.
    fn gate(&self, index: usize) -> Gate {
        let (at, outward) = (self.points[index], self.outward(index));
        let border = self.occlusion.border_along(at, outward);
        let reach = self.occlusion.reach(self.region, at, outward, COVER_REACH_PX.min(border));
        // Beyond the border nothing is visible.
        let (reach, margin) = if reach < border { (reach, COVERED_PX) } else { (border, 0.0) };
        let is_narrow = reach < border && reach <= NARROW_PX;
        let reach = if is_narrow { self.room(at, outward, reach) } else { reach };
        let near = (BEYOND_SHARE * reach).min(BEYOND_PX);
        let far = (reach - margin).max(near);
        let along = Point::new(outward.y, -outward.x);
        Gate { near: at + outward * near, far: at + outward * far, along }
    }

    /// The reach of a narrow cover, by the fitted edges.
    fn room(&self, at: Point, outward: Point, reach: f32) -> f32 {
        let most = reach + BEYOND_LABELS_PX;
        // If no edge is near, the cover's edge may have crossed the point by far.
        let otherwise = || if self.occlusion.is_under(self.region, at) { most } else { reach };
        self.occlusion.room(self.region, at, outward, most).unwrap_or_else(otherwise)
    }

    /// The points before and after one; beyond the ends of an open edge, its first and last point.
    fn beside(&self, index: usize) -> [usize; 2] {
        let n = self.points.len();
        if self.closed {
            [if index > 0 { index - 1 } else { n - 1 }, if index + 1 < n { index + 1 } else { 0 }]
        } else {
            [index.saturating_sub(1), (index + 1).min(n - 1)]
        }
    }

    /// The direction of the edge at a point.
    fn along(&self, index: usize) -> Point {
        let [before, after] = self.beside(index);
        (self.points[after] - self.points[before]).unit()
    }

    /// The direction across the edge at a point, into its cover.
    fn outward(&self, index: usize) -> Point {
        let along = self.along(index);
        Point::new(-along.y, along.x)
    }

    /// Whether a line crosses no edge at which its cover ends. At an end of the hidden edge, where no gates keep the line outside, nor one
    /// of the shape's own edges. An edge that ends in `from`, as in a junction, does not count as crossed there: relative to `from`, its end
    /// is exactly 0.
    #[inline(never)]
    fn is_clear(&self, from: Point, to: Point, at_end: bool) -> bool {
        let (length, along) = ((to - from).length(), (to - from).unit());
        let is_crossed = |four: &FourSegments| {
            let crossing = crossing(four.relative_to(from, along), length);
            lanes(crossing).any(|lane| self.occlusion.is_limit(self.region, four.arcs[lane], at_end))
        };
        !self.occlusion.grid.any_near([from, to], &mut |fours| fours.iter().any(is_crossed))
    }

    /// Where the visible edge continues to below its cover, at one end of the hidden edge: outward and away from the junction, since the
    /// cover may end right beside the junction.
    fn continuation(&self, at_end: bool) -> Point {
        let index = if at_end { self.points.len() - 1 } else { 0 };
        let away = self.along(index) * if at_end { -1.0 } else { 1.0 };
        let (at, outward) = (self.points[index], self.outward(index));
        // Of the edges that leave the junction on the outer side, at less than a right angle, the next one.
        let (mut across, mut least) = (outward, 0.0);
        let mut take_nearest = |four: &FourSegments| {
            for ([from, to], arc) in four.ending_at(at) {
                let leaving = (from + to - at - at).unit();
                let is_nearer = leaving.dot(outward) > 0.0 && leaving.dot(away) > least;
                if is_nearer && self.occlusion.is_rim(self.region, arc) {
                    (across, least) = (leaving, leaving.dot(away));
                }
            }
        };
        self.occlusion.grid.any_near([at, at], &mut |fours| {
            fours.iter().for_each(&mut take_nearest);
            false
        });
        let inward = (across + away).unit();
        // A pixel away from the junction, labels say on which side of its edges a point lies.
        let is_wide = self.occlusion.reach(self.region, at, inward, CONTINUE_MOST_PX) >= CONTINUE_MOST_PX;
        let mut part = if is_wide { 1.0 } else { 0.5 };
        while part > 0.0 && !self.is_clear(at, at + inward * (CONTINUE_MOST_PX * part), true) {
            part = if part > 0.25 { 0.5 * part } else { 0.0 };
        }
        self.occlusion.inside(at + inward * (0.5 * CONTINUE_MOST_PX * part))
    }
}
