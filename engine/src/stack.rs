use crate::edges::{Edges, Step};
use crate::geometry::{Curve, Point, Segment};
use crate::merge::Layers;
use crate::nesting::{Nesting, beyond};
use crate::order::ordered;
use crate::outline::{Loop, OUTSIDE, Outlines};
use crate::parallel::Work;
use crate::watch::{Stopped, Watch};

/// How far a shape may run on under a shape above it, px. Half of that is where it ends, so that a coarse line can lie as far
/// off without showing.
const REACH_PX: f32 = 5.0;
const REACH_STEP_PX: f32 = 0.5;
/// A hidden edge stays this far under what covers it, px: what renderers draw soft at 1×, rounding, and the pixel grid on which
/// coverage is looked up.
const COVERED_PX: f32 = 0.5;
/// And this far beyond the visible edge above it.
const BEYOND_PX: f32 = 0.2;

/// What laying one arc takes, in the units of [`Watch`].
pub(crate) const STACK_UNITS: usize = 256;

/// How far a visible edge runs on where it meets a shape above, px.
const JOIN_PX: f32 = 0.7;

/// Points of a hidden edge lie so far apart before the superfluous ones are left out, px.
const HIDDEN_STEP_PX: f32 = 1.5;

/// A filled shape.
///
/// # Guarantees
/// Every curve is closed. Outer curves and holes run in opposite senses.
pub(crate) struct Shape {
    /// Straight (not premultiplied) color and alpha.
    pub color: [u8; 4],
    pub curves: Vec<Curve>,
}

/// Shapes in painting order, the lowest first.
pub(crate) struct Drawing {
    pub shapes: Vec<Shape>,
}

/// How shapes lie beside each other.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Neighbors {
    /// They overlap below the visible edge.
    Overlap,
    /// Each is exactly its pixels.
    Abut,
}

/// Orders the regions so that what encloses lies below what it encloses, and gives each its curves: the shared arc
/// where the shape below ends visibly, and a coarse line a little further on where another shape covers it. Nothing shows
/// between neighbors at any zoom, and a shape needs no hole for what lies on top of it.
pub(crate) fn stack(
    layers: &Layers,
    outlines: &Outlines,
    edges: &Edges,
    neighbors: Neighbors,
    watch: &mut Watch<'_>,
) -> Result<Drawing, Stopped> {
    let nesting = Nesting::new(layers, outlines);
    let painted = (0..layers.fills.len() as u32).filter(|&id| nesting.alpha[id as usize] > 0);
    let order = ordered(painted, |id| !nesting.filled_area[id as usize]);
    let mut rank = vec![0u32; layers.fills.len()];
    for (position, &id) in order.iter().enumerate() {
        rank[id as usize] = position as u32 + 1;
    }
    let builder = Builder { layers, outlines, edges, neighbors, nesting: &nesting, rank };
    let mut loops: Vec<Vec<usize>> = vec![Vec::new(); layers.fills.len()];
    for (index, outline) in outlines.loops.iter().enumerate() {
        loops[outline.region as usize].push(index);
    }
    // In a picture without transparency the lowest shape lies under all others: it is the whole rectangle.
    let opaque = nesting.alpha.iter().all(|&alpha| alpha == 255);
    let bottom = if opaque && neighbors == Neighbors::Overlap { order.first() } else { None };
    let of_shape = |id: &u32| if Some(id) == bottom { &[] } else { &loops[*id as usize][..] };
    let shape = |id: &u32| {
        let mut curves: Vec<Curve> =
            of_shape(id).iter().filter_map(|&index| builder.closed_curve(index)).collect();
        if Some(id) == bottom {
            curves.push(rectangle(layers.width, layers.height));
        }
        Shape { color: straight(layers.fills[*id as usize]), curves }
    };
    let steps = |id: &u32| of_shape(id).iter().map(|&index| outlines.loops[index].steps.len()).sum::<usize>();
    // Each arc belongs to two loops.
    let units = |id: &&u32| STACK_UNITS * steps(id) / 2;
    Ok(Drawing { shapes: Work { units, begin: || &shape }.on(order.iter(), watch)? })
}

fn rectangle(width: usize, height: usize) -> Curve {
    let (width, height) = (width as f32, height as f32);
    // The same sense as every outer loop, so that shapes sharing its path do not cut holes.
    let corners =
        [Point::new(0.0, 0.0), Point::new(0.0, height), Point::new(width, height), Point::new(width, 0.0)];
    Curve::polyline(&corners, true)
}

pub(crate) fn straight([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    match a {
        0 | 255 => [r, g, b, a],
        _ => {
            let undo = |c: u8| ((u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a)).min(255) as u8;
            [undo(r), undo(g), undo(b), a]
        }
    }
}

struct Builder<'a> {
    layers: &'a Layers,
    outlines: &'a Outlines,
    edges: &'a Edges,
    neighbors: Neighbors,
    nesting: &'a Nesting,
    /// Painting order, from 1; 0 is not painted.
    rank: Vec<u32>,
}

impl Builder<'_> {
    /// The closed curve of a loop; none for a hole that the shapes above cover.
    fn closed_curve(&self, index: usize) -> Option<Curve> {
        let Loop { region, steps, area_px } = &self.outlines.loops[index];
        let covered: Vec<bool> = steps.iter().map(|&step| self.is_covered(*region, step)).collect();
        let hole = *area_px < 0 && self.neighbors == Neighbors::Overlap;
        if hole && self.nesting.opaque_inside[index] && !covered.contains(&false) {
            return None;
        }
        let is_visible = !covered.contains(&true);
        if is_visible && let Some(curve) = self.edges.round(steps) {
            return Some(curve);
        }
        Some(self.joined(*region, &self.pieces(*region, steps, &covered)))
    }

    /// The parts of a loop; visible arcs that run on in each other are one.
    fn pieces(&self, region: u32, steps: &[Step], covered: &[bool]) -> Vec<Piece> {
        let n = steps.len();
        let runs_on = |i: usize| {
            let next = (i + 1) % n;
            n > 1 && !covered[i] && !covered[next] && self.edges.runs_on(steps[i], steps[next])
        };
        // To begin where a piece does.
        let first = (0..n).find(|&i| !runs_on((i + n - 1) % n)).unwrap_or(0);
        let turned: Vec<Step> = (0..n).map(|i| steps[(first + i) % n]).collect();
        let mut pieces = Vec::new();
        let mut from = 0;
        while from < n {
            let mut to = from + 1;
            while to < n && runs_on((first + to - 1) % n) {
                to += 1;
            }
            let run = &turned[from..to];
            pieces.push(if covered[(first + from) % n] {
                self.hidden(region, run[0])
            } else {
                Piece::Visible(self.edges.run(run))
            });
            from = to;
        }
        pieces
    }

    /// Chains the pieces of a loop. Where a visible arc ends under another shape it runs on a little, and a junction
    /// with nothing visible moves under what covers it, so that no soft edge ends at another's.
    fn joined(&self, region: u32, pieces: &[Piece]) -> Curve {
        let mut chain = Chain::default();
        for (i, piece) in pieces.iter().enumerate() {
            let before = &pieces[(i + pieces.len() - 1) % pieces.len()];
            match (before, piece) {
                (Piece::Visible(_), Piece::Visible(curve)) => chain.line_to(curve.start),
                (Piece::Visible(_), Piece::Hidden { ends: Some([start, _]), .. }) => {
                    chain.line_to(self.join_under(region, start));
                }
                (Piece::Hidden { ends: Some([_, end]), .. }, Piece::Visible(curve)) => {
                    chain.line_to(self.join_under(region, end));
                    chain.line_to(curve.start);
                }
                (
                    Piece::Hidden { ends: Some([_, last]), .. },
                    Piece::Hidden { ends: Some([first, _]), .. },
                ) => {
                    let outward = (last.outward + first.outward).unit();
                    chain.line_to(self.moved_under(region, first.at, outward).at);
                }
                // A closed arc is alone in its loop.
                (_, Piece::Hidden { ends: None, .. }) | (Piece::Hidden { ends: None, .. }, _) => {}
            }
            match piece {
                Piece::Visible(curve) => chain.segments.extend_from_slice(&curve.segments),
                Piece::Hidden { inner, .. } => inner.iter().for_each(|&point| chain.line_to(point)),
            }
        }
        chain.closed()
    }

    /// Whether the shape beyond an arc is painted later and lets nothing through.
    fn is_covered(&self, region: u32, (arc, reversed): Step) -> bool {
        if self.neighbors == Neighbors::Abut {
            return false;
        }
        let other = beyond(&self.outlines.arcs[arc as usize], reversed);
        other != OUTSIDE
            && self.nesting.alpha[region as usize] == 255
            && self.nesting.alpha[other as usize] == 255
            && self.rank[other as usize] > self.rank[region as usize]
    }

    /// An edge below other shapes: the visible edge moved a little into what covers it, with few corners.
    fn hidden(&self, region: u32, step: Step) -> Piece {
        let closed = self.outlines.arcs[step.0 as usize].closed;
        let mut points = self.edges.run(&[step]).flattened(HIDDEN_STEP_PX);
        if closed {
            points.pop();
        }
        let n = points.len();
        let neighbor = |i: usize, by: usize| {
            if closed { points[(i + n + by - 1) % n] } else { points[(i + by).saturating_sub(1).min(n - 1)] }
        };
        let along = |i: usize| (neighbor(i, 2) - neighbor(i, 0)).unit();
        let outward = |i: usize| Point::new(-along(i).y, along(i).x);
        let moved = |i: usize| self.moved_under(region, points[i], outward(i));
        let range = if closed { 0..n } else { 1..n - 1 };
        let mut inner: Vec<Hidden> = Vec::with_capacity(n);
        for i in range {
            let hidden = moved(i);
            // Around an inner corner the moved edge would turn back on itself.
            if inner.last().is_none_or(|last| along(i).dot(hidden.at - last.at) > 0.0) {
                inner.push(hidden);
            }
        }
        if closed {
            return Piece::Hidden { ends: None, inner: simplified(&inner) };
        }
        let ends = [
            HiddenEnd { at: points[0], outward: outward(0), away: along(0) },
            HiddenEnd { at: points[n - 1], outward: outward(n - 1), away: along(n - 1) * -1.0 },
        ];
        Piece::Hidden { ends: Some(ends), inner: simplified(&inner) }
    }

    /// `point` moved along `outward`, halfway into the shapes that are painted after `region`.
    fn moved_under(&self, region: u32, point: Point, outward: Point) -> Hidden {
        let mut reach = 0.0;
        while reach < REACH_PX && self.is_under(region, point + outward * (reach + REACH_STEP_PX)) {
            reach += REACH_STEP_PX;
        }
        let distance = reach * 0.5;
        let at = self.inside(point + outward * distance);
        let along = Point::new(-outward.y, outward.x);
        let is_wide = |slack: f32| {
            [along, along * -1.0]
                .into_iter()
                .all(|aside| self.is_under(region, at + aside * (slack + COVERED_PX)))
        };
        let most = (distance - BEYOND_PX).min(reach - COVERED_PX - distance).max(0.0);
        let slack = [most, most * 0.5].into_iter().find(|&slack| is_wide(slack)).unwrap_or(0.0);
        // Whole numbers are shorter.
        let whole = Point::new(at.x.round(), at.y.round());
        let moved = (whole - at).length();
        if moved <= slack { Hidden { at: whole, slack: slack - moved } } else { Hidden { at, slack } }
    }

    /// Where a visible edge ends under another shape it runs on a little: outward, and away from the junction, for what covers
    /// the hidden edge may end right beside the junction.
    fn join_under(&self, region: u32, end: &HiddenEnd) -> Point {
        let inward = (end.outward + end.away).unit();
        let reach = |&steps: &u8| self.is_under(region, end.at + inward * (f32::from(steps) * REACH_STEP_PX));
        let steps = (1..=3u8).take_while(reach).count();
        self.inside(end.at + inward * (steps as f32 * REACH_STEP_PX * 0.5).min(JOIN_PX))
    }

    /// Whether a place is covered by the region itself or by what is painted over it; nobody sees what lies beyond the picture.
    fn is_under(&self, region: u32, point: Point) -> bool {
        let rank = self.rank[region as usize];
        self.label_at(point).is_none_or(|id| {
            id == region || (self.rank[id as usize] > rank && self.nesting.alpha[id as usize] == 255)
        })
    }

    fn inside(&self, point: Point) -> Point {
        let (width, height) = (self.layers.width as f32, self.layers.height as f32);
        Point::new(point.x.clamp(0.0, width), point.y.clamp(0.0, height))
    }

    fn label_at(&self, point: Point) -> Option<u32> {
        let (width, height) = (self.layers.width, self.layers.height);
        let inside = point.x >= 0.0 && point.y >= 0.0 && point.x < width as f32 && point.y < height as f32;
        inside.then(|| self.layers.labels.ids[point.y as usize * width + point.x as usize])
    }
}

/// A part of a shape's outline.
enum Piece {
    Visible(Curve),
    /// Covered by other shapes: its ends, if it has any, and its points between.
    Hidden {
        ends: Option<[HiddenEnd; 2]>,
        inner: Vec<Point>,
    },
}

/// A junction at the end of a hidden edge.
struct HiddenEnd {
    at: Point,
    /// The directions into what covers the edge, and from the junction along the edge.
    outward: Point,
    away: Point,
}

/// An outline that grows.
#[derive(Default)]
struct Chain {
    start: Option<Point>,
    segments: Vec<Segment>,
}

impl Chain {
    fn line_to(&mut self, point: Point) {
        match (self.start, self.segments.last()) {
            (None, _) => self.start = Some(point),
            (Some(start), last) if last.map_or(start, Segment::end) != point => {
                self.segments.push(Segment::Line(point));
            }
            _ => {}
        }
    }

    fn closed(mut self) -> Curve {
        let start = self.start.unwrap_or_default();
        if self.segments.last().map(Segment::end) != Some(start) {
            self.segments.push(Segment::Line(start));
        }
        Curve { start, segments: self.segments, closed: true }
    }
}

/// A point of an edge that nobody sees, and how far the edge may pass from it, px.
#[derive(Clone, Copy)]
struct Hidden {
    at: Point,
    slack: f32,
}

/// Leaves out points while the line between those kept passes near enough: one pass, the longest step first.
fn simplified(points: &[Hidden]) -> Vec<Point> {
    /// Longest run of points that one line may stand for, so that the pass stays linear.
    const LONGEST: usize = 64;
    let mut kept: Vec<Point> = points.iter().take(1).map(|point| point.at).collect();
    let mut from = 0;
    while from + 1 < points.len() {
        let last = (from + LONGEST).min(points.len() - 1);
        let mut to = from + 1;
        while to < last && stays_near(&points[from..=to + 1]) {
            to += 1;
        }
        kept.push(points[to].at);
        from = to;
    }
    kept
}

fn stays_near(points: &[Hidden]) -> bool {
    let (first, last) = (points[0].at, points[points.len() - 1].at);
    let direction = (last - first).unit();
    points.iter().all(|point| direction.cross(point.at - first).abs() <= point.slack)
}
