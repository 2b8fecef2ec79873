use wide::{f32x4, i32x4};

use crate::geometry::Point;
use crate::lines::{Four, LINE_PX, Lines, Seen, lanes};
use crate::merge::Layers;
use crate::outline::{Arc, OUTSIDE};

/// How far a shape may run on under the shapes above it, px.
const REACH_PX: f32 = 12.0;
/// Looked for in such steps; in finer ones along pixels, whose sides the labels tell exactly.
const REACH_STEP_PX: f32 = 1.0;
const FINE_STEP_PX: f32 = 0.5;
/// So many steps at once; [`REACH_PX`] is a whole number of these.
const STEPS: usize = 4;
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
/// It may have crossed the one it is looked for from by so much, px.
const CROSSED_PX: f32 = 1.0;
/// Lines of a hidden edge pass this far from the edges of what covers it, px, or this part of the room where there is less.
const CLEAR_PX: f32 = 0.3;
const CLEAR_SHARE: f32 = 0.3;

/// A line that is not free ends nearer to the visible edge, down to less than this part of the room there is.
const LEAST_DEPTH: f32 = 0.1;

/// How far a visible edge runs on where it meets a shape above, px.
const JOIN_PX: f32 = 0.7;

/// No line of a hidden edge passes more gates, so that finding it takes linear time.
const MOST_GATES: usize = 128;

/// Which shapes lie over which.
pub(crate) struct Cover<'a> {
    pub layers: &'a Layers,
    pub alpha: &'a [u8],
    /// Painting order of each region, from 1; 0 is not painted.
    pub rank: Vec<u32>,
    pub arcs: &'a [Arc],
    /// Of fitted edges; of edges along pixels the labels tell all.
    pub lines: Option<Lines>,
}

/// An edge that nobody sees, for other shapes are painted over it.
pub(crate) struct HiddenEdge<'a> {
    cover: &'a Cover<'a>,
    region: u32,
    /// Along the visible edge above it. Of a closed one, the first is not repeated.
    points: Vec<Point>,
    closed: bool,
}

/// A line across a hidden edge that it has to pass, from beside the visible edge outward.
#[derive(Clone, Copy)]
struct Gate {
    near: Point,
    far: Point,
    /// The edge's direction there.
    along: Point,
    /// Lines that pass it stay this far from other edges, px.
    clear_px: f32,
}

impl Gate {
    fn lies_behind(&self, point: Point) -> bool {
        self.along.dot(point - self.near) >= 0.0
    }
}

impl Cover<'_> {
    /// Whether a shape is painted over a region and lets nothing through.
    pub fn covers(&self, other: u32, region: u32) -> bool {
        self.rank[other as usize] > self.rank[region as usize] && self.alpha[other as usize] == 255
    }

    /// Whether a place is covered by the region itself or by what is painted over it; nobody sees what lies beyond the picture.
    fn is_under(&self, region: u32, point: Point) -> bool {
        self.is_label_under(region, self.label_at(point))
    }

    fn is_label_under(&self, region: u32, label: Option<u32>) -> bool {
        label.is_none_or(|id| id == region || self.covers(id, region))
    }

    fn label_at(&self, point: Point) -> Option<u32> {
        let (width, height) = (self.layers.width, self.layers.height);
        let inside = point.x >= 0.0 && point.y >= 0.0 && point.x < width as f32 && point.y < height as f32;
        // Signed numbers of 32 bits are the ones that processors convert to.
        let [x, y] = [point.x, point.y].map(|place| place as i32 as usize);
        inside.then(|| self.layers.labels.ids[y * width + x])
    }

    fn reach_step_px(&self) -> f32 {
        if self.lines.is_some() { REACH_STEP_PX } else { FINE_STEP_PX }
    }

    /// The labels so many steps on and the next ones, from a place in a direction, where all of them lie in the picture.
    fn labels_along(&self, from: Point, direction: Point, steps: f32) -> [u32; STEPS] {
        let reach =
            (f32x4::new([0.0, 1.0, 2.0, 3.0]) + f32x4::splat(steps)) * f32x4::splat(self.reach_step_px());
        let along =
            |from: f32, direction: f32| (f32x4::splat(from) + f32x4::splat(direction) * reach).trunc_int();
        let (x, y) = (along(from.x, direction.x), along(from.y, direction.y));
        let places = y * i32x4::splat(self.layers.width as i32) + x;
        places.to_array().map(|place| self.layers.labels.ids[place as u32 as usize])
    }

    /// Whether an arc parts what shows nothing, a region and what covers it, from what would show.
    #[inline(never)]
    fn is_rim(&self, region: u32, arc: u32) -> bool {
        let Arc { left, right, .. } = self.arcs[arc as usize];
        let hides = |id: u32| id == OUTSIDE || id == region || self.covers(id, region);
        hides(left) != hides(right)
    }

    /// How far from a place in a direction the edge lies at which a region and what covers it end, px, if nearer than `most`. Where
    /// there is none it may have crossed the place.
    #[inline(never)]
    fn room(&self, region: u32, at: Point, direction: Point, most: f32) -> Option<f32> {
        const BESIDE_PX: f32 = 1e-3;
        let (mut ahead, mut behind) = (most, -CROSSED_PX);
        let way = [at + direction * behind, at + direction * most];
        let mut look = |four: &Four| {
            let Seen { along, aside: [a, b] } = four.seen(at, direction);
            let crossed = (a.simd_gt(f32x4::ZERO) ^ b.simd_gt(f32x4::ZERO)).to_bitmask();
            if crossed == 0 {
                return;
            }
            let distances = ((along[0] * b - along[1] * a) / (b - a)).to_array();
            for lane in lanes(crossed) {
                let (distance, arc) = (distances[lane], four.arcs[lane]);
                if distance <= behind || distance >= ahead || !self.is_rim(region, arc) {
                    continue;
                }
                let Arc { left, right, .. } = self.arcs[arc as usize];
                if distance > BESIDE_PX {
                    ahead = distance;
                } else if distance < -BESIDE_PX && left != region && right != region {
                    behind = distance;
                }
            }
        };
        self.lines.as_ref()?.any(way, 0.0, &mut |fours| {
            fours.iter().for_each(&mut look);
            false
        });
        if ahead < most { Some(ahead) } else { (behind > -CROSSED_PX).then_some(behind) }
    }

    /// How far from a place the picture ends in a direction, px.
    fn border_along(&self, from: Point, direction: Point) -> f32 {
        let along = |from: f32, direction: f32, size: usize| {
            let border = if direction > 0.0 { size as f32 } else { 0.0 };
            if direction == 0.0 { f32::MAX } else { ((border - from) / direction).max(0.0) }
        };
        let (width, height) = (self.layers.width, self.layers.height);
        along(from.x, direction.x, width).min(along(from.y, direction.y, height))
    }

    fn inside(&self, point: Point) -> Point {
        let (width, height) = (self.layers.width as f32, self.layers.height as f32);
        Point::new(point.x.max(0.0).min(width), point.y.max(0.0).min(height))
    }
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
    pub fn new(cover: &'a Cover<'a>, region: u32, points: Vec<Point>, closed: bool) -> Self {
        HiddenEdge { cover, region, points, closed }
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
        let (mut at, mut passed) = (from, 0);
        loop {
            let is_past = |(k, gate): &(usize, &Gate)| gate.lies_behind(at) && self.is_outside(first + k, at);
            passed += gates.iter().enumerate().skip(passed).take_while(is_past).count();
            if passed == gates.len() {
                return;
            }
            let (mut most, mut depth) = (MOST_GATES, 1.0);
            let (count, corner) = loop {
                let rest = &gates[passed..];
                let sight = Sight::new(at, &rest[..rest.len().min(most)]);
                let is_last = sight.count == rest.len();
                if is_last && sight.shows(to) && self.is_clear(at, to, 0.0) {
                    return;
                }
                let last = passed + sight.count - 1;
                let corner = self.corner(first + last, &gates[last], &sight, depth);
                // At its start a junction may be near.
                let mut clear_px = if passed == 0 { 0.0 } else { CLEAR_PX };
                for gate in &rest[..sight.count] {
                    // Not by `min`, which is a call in WebAssembly.
                    clear_px = if gate.clear_px < clear_px { gate.clear_px } else { clear_px };
                }
                let is_clear = self.is_clear(at, corner, clear_px);
                // Right beside its end something shows.
                if is_clear && (!is_last || self.is_clear(corner, to, 0.0)) {
                    break (sight.count, corner);
                }
                if depth < LEAST_DEPTH {
                    // From the near end of the gate before, the edge itself leads on.
                    let back = passed.checked_sub(1).map(|before| gates[before].near);
                    let back = back.filter(|&near| near != at && !self.is_clear(at, corner, 0.0));
                    break back.map_or((sight.count, corner), |near| (0, near));
                }
                if sight.count > 1 && !is_clear {
                    most = sight.count / 2;
                } else {
                    depth *= 0.5;
                }
            };
            corners.push(corner);
            at = corner;
            passed += count;
        }
    }

    /// Whether a place lies on the outer side of the edge, as it runs at one of its points.
    fn is_outside(&self, index: usize, place: Point) -> bool {
        self.outward(index).dot(place - self.points[index]) >= 0.0
    }

    /// Where a line that passes the gates in sight ends: on the last of them, in this part of the room on it, and in whole pixels
    /// where that leaves it in sight and beyond the edge.
    fn corner(&self, index: usize, gate: &Gate, sight: &Sight, depth: f32) -> Point {
        let [low, high] = sight.window(gate);
        let high = low + (high - low) * depth;
        let corner = self.middle(index, gate, low, high);
        // Whole numbers are shorter.
        let whole = Point::new(corner.x.round(), corner.y.round());
        let has_room = (gate.far - gate.near).length() * (high - low) > 2.0;
        let is_free =
            || sight.shows(whole) && self.cover.inside(whole) == whole && self.is_beyond(index, gate, whole);
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
        let is_inner =
            [at, at + outward * REACH_PX].into_iter().all(|place| self.cover.label_at(place).is_some());
        let (reach, border) = if is_inner {
            (self.reach_within(at, outward), f32::MAX)
        } else {
            let border = self.cover.border_along(at, outward);
            (self.reach(at, outward, border), border)
        };
        // Nothing is seen beyond the border.
        let (reach, margin) = if reach < border { (reach, COVERED_PX) } else { (border, 0.0) };
        let is_narrow = reach < border && reach <= NARROW_PX;
        let room = is_narrow.then(|| self.cover.room(self.region, at, outward, reach + BEYOND_LABELS_PX));
        let reach = room.flatten().unwrap_or(reach);
        let near = (BEYOND_SHARE * reach).min(BEYOND_PX);
        let far = (reach - margin).max(near);
        let along = Point::new(outward.y, -outward.x);
        let clear_px = (CLEAR_SHARE * reach).clamp(0.0, CLEAR_PX);
        Gate { near: at + outward * near, far: at + outward * far, along, clear_px }
    }

    /// How far outward from a place nothing shows, up to the border, px.
    fn reach(&self, at: Point, outward: Point, border: f32) -> f32 {
        let is_open = |reach: f32| self.cover.is_under(self.region, at + outward * reach);
        let (mut reach, step_px) = (0.0, self.cover.reach_step_px());
        while reach < REACH_PX.min(border) && is_open(reach + step_px) {
            reach += step_px;
        }
        reach
    }

    /// The same where the border is farther away.
    fn reach_within(&self, at: Point, outward: Point) -> f32 {
        let (mut steps, mut last, step_px) = (0.0, self.region, self.cover.reach_step_px());
        while steps * step_px < REACH_PX {
            for label in self.cover.labels_along(at, outward, steps + 1.0) {
                // Most steps end in the shape of the one before.
                if label != last && !self.cover.is_label_under(self.region, Some(label)) {
                    return steps * step_px;
                }
                (steps, last) = (steps + 1.0, label);
            }
        }
        REACH_PX
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

    /// Whether a line passes no edge of what covers it, nor comes so near to one.
    #[inline(never)]
    fn is_clear(&self, from: Point, to: Point, beside_px: f32) -> bool {
        let Some(lines) = &self.cover.lines else { return self.is_free(from, to, 2.0 * beside_px) };
        let (length, along) = ((to - from).length(), (to - from).unit());
        let is_near = |four: &Four| {
            let near = near(four.seen(from, along), (length, beside_px));
            lanes(near).any(|lane| self.cover.is_rim(self.region, four.arcs[lane]))
        };
        !lines.any([from, to], beside_px, &mut |fours| fours.iter().any(is_near))
    }

    /// Whether nothing shows that lies so far beside a line on either side, as the labels say.
    fn is_free(&self, from: Point, to: Point, beside_px: f32) -> bool {
        const STEP_PX: f32 = 0.75;
        let along = (to - from).unit();
        let aside = Point::new(-along.y, along.x) * beside_px;
        let steps = ((to - from).length() / STEP_PX).ceil();
        // Most places lie in the shape of the one before.
        let mut last = Some(self.region);
        let mut is_under = |place: Point| {
            let label = self.cover.label_at(place);
            let is_under = label == last || self.cover.is_label_under(self.region, label);
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
        const MOST_PX: f32 = 2.0 * JOIN_PX;
        let index = if at_end { self.points.len() - 1 } else { 0 };
        let away = self.along(index) * if at_end { -1.0 } else { 1.0 };
        let (at, outward) = (self.points[index], self.outward(index));
        // Of the edges that leave the junction beyond this one at less than a right angle, the first.
        let (mut across, mut least) = (outward, 0.0);
        let mut look = |four: &Four| {
            for ([from, to], arc) in four.ending(at) {
                let leaving = (from + to - at - at).unit();
                let is_less = leaving.dot(outward) > 0.0 && leaving.dot(away) > least;
                if is_less && self.cover.is_rim(self.region, arc) {
                    (across, least) = (leaving, leaving.dot(away));
                }
            }
        };
        if let Some(lines) = &self.cover.lines {
            lines.any([at, at], 0.0, &mut |fours| {
                fours.iter().for_each(&mut look);
                false
            });
        }
        let inward = (across + away).unit();
        let reach = self.reach(at, inward, MOST_PX);
        let room = match &self.cover.lines {
            Some(_) if reach < MOST_PX => {
                self.cover.room(self.region, at, inward, MOST_PX).unwrap_or(MOST_PX)
            }
            _ => reach,
        };
        self.cover.inside(at + inward * (0.5 * room.clamp(0.0, MOST_PX)))
    }
}

/// Which lines come within `beside` of a way of some length, a bit for each.
fn near(Seen { along: [start, end], aside: [a, b] }: Seen, (length, beside): (f32, f32)) -> u32 {
    let [zero, length, right, left] = [0.0, length, beside, -beside].map(f32x4::splat);
    let is_ahead = |start: f32x4, end: f32x4| {
        (start.simd_gt(zero) | end.simd_gt(zero)) & (start.simd_lt(length) | end.simd_lt(length))
    };
    let is_beside = (a.simd_ge(left) | b.simd_ge(left)) & (a.simd_le(right) | b.simd_le(right));
    if (is_beside & is_ahead(start, end)).to_bitmask() == 0 {
        return 0;
    }
    // Where each is as near as that, for its ends may lie beside the way's.
    let slope = (end - start) / (b - a);
    let within = |along: f32x4, aside: f32x4| {
        let along = aside.simd_gt(right).bitselect(start + (right - a) * slope, along);
        aside.simd_lt(left).bitselect(start + (left - a) * slope, along)
    };
    (is_beside & is_ahead(within(start, a), within(end, b))).to_bitmask()
}

/// The directions in which lines from a point pass all of some gates.
struct Sight {
    from: Point,
    /// Both directions lie between the nearest and the farthest place on each gate.
    nearest: Point,
    farthest: Point,
    /// So many gates, at least one.
    count: usize,
}

impl Sight {
    fn new(from: Point, gates: &[Gate]) -> Self {
        let mut sight =
            Sight { from, nearest: gates[0].near - from, farthest: gates[0].far - from, count: 1 };
        for gate in &gates[1..] {
            let (near, far) = (gate.near - from, gate.far - from);
            let nearest = if sight.nearest.cross(near) > 0.0 { near } else { sight.nearest };
            let farthest = if sight.farthest.cross(far) < 0.0 { far } else { sight.farthest };
            let is_ahead = near.cross(far) >= 0.0 && (sight.nearest + sight.farthest).dot(near + far) > 0.0;
            if !is_ahead || nearest.cross(farthest) < 0.0 {
                break;
            }
            (sight.nearest, sight.farthest) = (nearest, farthest);
            sight.count += 1;
        }
        sight
    }

    /// Whether a point lies in these directions.
    fn shows(&self, point: Point) -> bool {
        let toward = point - self.from;
        let is_ahead = (self.nearest + self.farthest).dot(toward) > 0.0;
        is_ahead && self.nearest.cross(toward) >= 0.0 && toward.cross(self.farthest) >= 0.0
    }

    /// The part of a gate that lies in them, from 0 to 1.
    fn window(&self, gate: &Gate) -> [f32; 2] {
        let along = gate.far - gate.near;
        let crossed = |direction: Point, otherwise: f32| {
            let across = direction.cross(along);
            let part = direction.cross(self.from - gate.near) / across;
            if across > 0.0 { part.clamp(0.0, 1.0) } else { otherwise }
        };
        let low = crossed(self.nearest, 0.0);
        [low, crossed(self.farthest, 1.0).max(low)]
    }
}
