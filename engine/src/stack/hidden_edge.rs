use super::gates::{Gate, VisibleCone, near};
use super::occlusion::{COVER_REACH_PX, Occlusion};
use super::segment_grid::{FourSegments, LINE_PX, lanes};
use crate::geometry::Point;

/// A hidden edge stays this far under what covers it, px: what renderers draw soft at 1×, rounding, and the pixel grid on which
/// coverage is looked up.
const COVERED_PX: f32 = 0.6;
/// And this far beyond the visible edge above it, or this part of the room where there is less.
const BEYOND_PX: f32 = 1.0;
const BEYOND_SHARE: f32 = 0.4;
/// Where labels say that what covers an edge ends nearer than this, px, they are too coarse, and its fitted edge tells how near.
const NARROW_PX: f32 = 1.0;
/// That edge lies at most so much farther than labels say, px.
const BEYOND_LABELS_PX: f32 = 2.0;
/// Lines of a hidden edge pass this far from the edges of what covers it, px, or this part of the room where there is less.
const CLEAR_PX: f32 = 0.3;
const CLEAR_SHARE: f32 = 0.3;

/// A line that is not free ends nearer to the visible edge, down to less than this part of the room there is.
const LEAST_DEPTH: f32 = 0.1;

/// How far a visible edge runs on where it meets a shape above, px.
const JOIN_PX: f32 = 0.7;

/// No line of a hidden edge passes more gates, so that finding it takes linear time.
const MOST_GATES: usize = 128;

/// An edge that nobody sees, for other shapes are painted over it.
pub(crate) struct HiddenEdge<'a> {
    occlusion: &'a Occlusion<'a>,
    region: u32,
    /// Along the visible edge above it. Of a closed one, the first is not repeated.
    points: Vec<Point>,
    closed: bool,
}

/// A polygon's first corner, with room for those of most.
fn begun(start: Point) -> Vec<Point> {
    const ROOM: usize = 16;
    let mut corners = Vec::with_capacity(ROOM);
    corners.push(start);
    corners
}

impl<'a> HiddenEdge<'a> {
    /// `points` lie at most [`LINE_PX`] apart along the visible edge, the region on their right side.
    pub fn new(occlusion: &'a Occlusion<'a>, region: u32, points: Vec<Point>, closed: bool) -> Self {
        HiddenEdge { occlusion, region, points, closed }
    }

    /// A polygon under what covers it, with as few corners as that leaves room for: from the end of the visible edge before it
    /// to the start of the one after it, both left out.
    pub fn corners(&self) -> Vec<Point> {
        let n = self.points.len();
        if self.closed {
            let gates: Vec<Gate> = (0..n).map(|i| self.gate(i)).collect();
            let start = self.middle(0, &gates[0], 0.0, 1.0);
            let mut corners = begun(start);
            self.add_legs(start, (1, &gates[1..]), start, &mut corners);
            return corners;
        }
        let gates: Vec<Gate> = (1..n - 1).map(|i| self.gate(i)).collect();
        let [start, end] = [self.run_on(false), self.run_on(true)];
        let mut corners = begun(start);
        self.add_legs(start, (1, &gates), end, &mut corners);
        corners.push(end);
        corners
    }

    /// Adds where lines turn that pass all gates, each as many as it can. `first` is the index of the point of the first gate.
    fn add_legs(&self, from: Point, (first, gates): (usize, &[Gate]), to: Point, corners: &mut Vec<Point>) {
        // Gates before this one have been passed for good.
        let (mut at, mut passed, mut begun) = (from, 0, 0);
        loop {
            let is_past = |(k, gate): &(usize, &Gate)| gate.lies_behind(at) && self.is_outside(first + k, at);
            passed += gates.iter().enumerate().skip(passed).take_while(is_past).count();
            if passed == gates.len() {
                // What leads past all gates may not lead to the end.
                if gates.last().is_none_or(|gate| gate.near == at) || self.is_clear(to, at, 0.0, true) {
                    return;
                }
                // Where the edge turns back, its gates cross, and one may have been met before others.
                let Some(k) = (begun..passed).find(|&k| !gates[k].lies_behind(at)) else {
                    corners.extend(gates.last().map(|gate| gate.near));
                    return;
                };
                (passed, begun) = (k, k + 1);
            }
            let (mut most, mut depth) = (MOST_GATES, 1.0);
            let (count, corner) = loop {
                let rest = &gates[passed..];
                let cone = VisibleCone::new(at, &rest[..rest.len().min(most)]);
                let is_last = cone.count == rest.len();
                if is_last && cone.shows(to) && self.is_clear(to, at, 0.0, true) {
                    return;
                }
                let last = passed + cone.count - 1;
                let corner = self.corner(first + last, &gates[last], &cone, depth);
                // At its start a junction may be near.
                let mut clear_px = if passed == 0 { 0.0 } else { CLEAR_PX };
                for gate in &rest[..cone.count] {
                    // Not by `min`, which is a call in WebAssembly.
                    clear_px = if gate.clear_px < clear_px { gate.clear_px } else { clear_px };
                }
                let is_clear = self.is_clear(at, corner, clear_px, passed == 0);
                // Right beside its end something shows.
                if is_clear && (!is_last || self.is_clear(to, corner, 0.0, true)) {
                    break (cone.count, corner);
                }
                if depth < LEAST_DEPTH {
                    // From the near end of the gate before, the edge itself leads on.
                    let back = passed.checked_sub(1).map(|before| gates[before].near);
                    let back = back.filter(|&near| near != at && !self.is_clear(at, corner, 0.0, false));
                    break back.map_or((cone.count, corner), |near| (0, near));
                }
                if cone.count > 1 && !is_clear {
                    most = cone.count / 2;
                } else {
                    depth *= 0.5;
                }
            };
            corners.push(corner);
            at = corner;
            begun = begun.max(passed);
            passed += count;
        }
    }

    /// Whether a place lies on the outer side of the edge, as it runs at one of its points.
    fn is_outside(&self, index: usize, place: Point) -> bool {
        self.outward(index).dot(place - self.points[index]) >= 0.0
    }

    /// Where a line that passes the gates in sight ends: on the last of them, in this part of the room on it, and in whole pixels
    /// where that leaves it in sight and beyond the edge.
    fn corner(&self, index: usize, gate: &Gate, cone: &VisibleCone, depth: f32) -> Point {
        let [low, high] = cone.window(gate);
        let high = low + (high - low) * depth;
        let corner = self.middle(index, gate, low, high);
        // Whole numbers are shorter.
        let whole = Point::new(corner.x.round(), corner.y.round());
        let has_room = (gate.far - gate.near).length() * (high - low) > 2.0;
        let is_free = || {
            cone.shows(whole) && self.occlusion.inside(whole) == whole && self.is_beyond(index, gate, whole)
        };
        if has_room && is_free() { whole } else { corner }
    }

    /// Whether a place is as far beyond the edge on both sides of one of its points as that point's gate begins.
    fn is_beyond(&self, index: usize, gate: &Gate, place: Point) -> bool {
        let ([before, after], at) = (self.beside(index, 1), self.points[index]);
        let least_px = (gate.near - at).length();
        [at - self.points[before], self.points[after] - at]
            .into_iter()
            .all(|along| along.unit().cross(place - at) >= least_px)
    }

    /// The middle of a part of a gate, where it is not nearer to another point of the edge.
    fn middle(&self, index: usize, gate: &Gate, low: f32, high: f32) -> Point {
        let length = (gate.far - gate.near).length();
        let near_px = (gate.near - self.points[index]).length();
        let most = near_px + length * high;
        let high = if length > 0.0 {
            ((self.own_reach(index, most) - near_px) / length).max(low).min(high)
        } else {
            high
        };
        gate.near + (gate.far - gate.near) * (0.5 * (low + high))
    }

    /// How far outward from a point of the edge no other point of it is nearer, px, up to `most`.
    fn own_reach(&self, index: usize, most: f32) -> f32 {
        let (at, outward) = (self.points[index], self.outward(index));
        let mut reach = most;
        // Points at twice as much along the edge are no nearer.
        let count = (most * (2.0 / LINE_PX)) as usize + 1;
        for other in (1..=count).flat_map(|by| self.beside(index, by)) {
            let toward = self.points[other] - at;
            let over = toward.dot(outward);
            // Not by `min`, which is a call in WebAssembly.
            if over > 0.0 && 0.5 * toward.dot(toward) / over < reach {
                reach = 0.5 * toward.dot(toward) / over;
            }
        }
        reach
    }

    fn gate(&self, index: usize) -> Gate {
        let (at, outward) = (self.points[index], self.outward(index));
        let is_inner = [at, at + outward * COVER_REACH_PX]
            .into_iter()
            .all(|place| self.occlusion.label_at(place).is_some());
        let (reach, border) = if is_inner {
            (self.occlusion.reach_within(self.region, at, outward), f32::MAX)
        } else {
            let border = self.occlusion.border_along(at, outward);
            (self.occlusion.reach(self.region, at, outward, border), border)
        };
        // Nothing is seen beyond the border.
        let (reach, margin) = if reach < border { (reach, COVERED_PX) } else { (border, 0.0) };
        let is_narrow = reach < border && reach <= NARROW_PX && self.occlusion.grid.is_some();
        let reach = if is_narrow { self.room(at, outward, reach) } else { reach };
        let near = (BEYOND_SHARE * reach).min(BEYOND_PX);
        let far = (reach - margin).max(near);
        let along = Point::new(outward.y, -outward.x);
        let clear_px = (CLEAR_SHARE * reach).clamp(0.0, CLEAR_PX);
        Gate { near: at + outward * near, far: at + outward * far, along, clear_px }
    }

    /// The room beyond a point of the edge where labels say that there is little.
    fn room(&self, at: Point, outward: Point, reach: f32) -> f32 {
        let most = reach + BEYOND_LABELS_PX;
        // Where no edge is near, it may have crossed the place by far.
        let otherwise = || if self.occlusion.is_under(self.region, at) { most } else { reach };
        self.occlusion.room(self.region, at, outward, most).unwrap_or_else(otherwise)
    }

    /// The points so many before and after one; beyond the ends of an open edge its first and last.
    fn beside(&self, index: usize, by: usize) -> [usize; 2] {
        let n = self.points.len();
        if self.closed {
            // Remainders take longer than all else that is done about a point.
            let by = if by < n { by } else { by % n };
            let (before, after) = (index + n - by, index + by);
            [before, after].map(|place| if place < n { place } else { place - n })
        } else {
            [index.saturating_sub(by), (index + by).min(n - 1)]
        }
    }

    /// The direction of the edge at a point.
    fn along(&self, index: usize) -> Point {
        let [before, after] = self.beside(index, 1);
        (self.points[after] - self.points[before]).unit()
    }

    /// Into what covers the edge.
    fn outward(&self, index: usize) -> Point {
        let along = self.along(index);
        Point::new(-along.y, along.x)
    }

    /// Whether a line passes no edge of what covers it, nor comes so near to one; at an end of the hidden edge, where no gates keep it
    /// outside, no edge of the shape's own either. An edge that ends where the line begins, as in a junction, is not passed there:
    /// from that place, nothing is rounded.
    #[inline(never)]
    fn is_clear(&self, from: Point, to: Point, beside_px: f32, at_end: bool) -> bool {
        let Some(grid) = &self.occlusion.grid else { return self.is_free(from, to, 2.0 * beside_px) };
        let (length, along) = ((to - from).length(), (to - from).unit());
        let is_near = |four: &FourSegments| {
            let near = near(four.seen(from, along), (length, beside_px));
            lanes(near).any(|lane| self.occlusion.is_limit(self.region, four.arcs[lane], at_end))
        };
        !grid.any([from, to], beside_px, &mut |fours| fours.iter().any(is_near))
    }

    /// Whether nothing shows that lies so far beside a line on either side, as the labels say.
    fn is_free(&self, from: Point, to: Point, beside_px: f32) -> bool {
        const FREE_STEP_PX: f32 = 0.75;
        let along = (to - from).unit();
        let aside = Point::new(-along.y, along.x) * beside_px;
        let steps = ((to - from).length() / FREE_STEP_PX).ceil();
        // Most places lie in the shape of the one before.
        let mut last = Some(self.region);
        let mut is_under = |place: Point| {
            let label = self.occlusion.label_at(place);
            let is_under = label == last || self.occlusion.is_label_under(self.region, label);
            last = label;
            is_under
        };
        (1..steps as usize).all(|step| {
            let at = from + (to - from) * (step as f32 / steps);
            is_under(at + aside) && is_under(at - aside)
        })
    }

    /// Where a visible edge ends under another shape it runs on a little: outward, and away from the junction, for what covers
    /// the hidden edge may end right beside the junction.
    fn run_on(&self, at_end: bool) -> Point {
        const RUN_ON_MOST_PX: f32 = 2.0 * JOIN_PX;
        let index = if at_end { self.points.len() - 1 } else { 0 };
        let away = self.along(index) * if at_end { -1.0 } else { 1.0 };
        let (at, outward) = (self.points[index], self.outward(index));
        // Of the edges that leave the junction beyond this one at less than a right angle, the first.
        let (mut across, mut least) = (outward, 0.0);
        let mut look = |four: &FourSegments| {
            for ([from, to], arc) in four.ending(at) {
                let leaving = (from + to - at - at).unit();
                let is_less = leaving.dot(outward) > 0.0 && leaving.dot(away) > least;
                if is_less && self.occlusion.is_rim(self.region, arc) {
                    (across, least) = (leaving, leaving.dot(away));
                }
            }
        };
        if let Some(grid) = &self.occlusion.grid {
            grid.any([at, at], 0.0, &mut |fours| {
                fours.iter().for_each(&mut look);
                false
            });
        }
        let inward = (across + away).unit();
        let is_open = |part: &f32| self.is_clear(at, at + inward * (RUN_ON_MOST_PX * part), 0.0, true);
        // Labels tell on which side of a junction's edges a place lies that is not right beside it.
        let is_wide = self.occlusion.reach(self.region, at, inward, RUN_ON_MOST_PX) >= RUN_ON_MOST_PX;
        let parts = if is_wide { &[1.0, 0.5, 0.25][..] } else { &[0.5, 0.25] };
        let part = parts.iter().copied().find(is_open).unwrap_or(0.0);
        self.occlusion.inside(at + inward * (0.5 * RUN_ON_MOST_PX * part))
    }
}
