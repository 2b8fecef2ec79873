use crate::fit::{FitStyle, fit};
use crate::geometry::{Curve, Point, Segment};
use crate::merge::Layers;
use crate::outline::{Arc, OUTSIDE, Outlines};
use crate::place::Samples;
use crate::segment::DisjointSets;

/// How far a shape runs on under a shape above it, px; enough for no renderer to show a gap.
const OVERLAP_PX: f32 = 1.5;

/// How far a visible edge runs on where it meets a shape above, px.
const JOIN_PX: f32 = 0.7;

/// An edge that nobody sees may pass from its points by this share of how far they were moved under: it stays covered.
const HIDDEN_SLACK: f32 = 0.7;

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

/// How boundaries become curves.
pub(crate) enum Outlining {
    /// Fitted, and neighbors overlap below the visible edge.
    Fitted(FitStyle),
    /// Corner to corner, every shape exactly its pixels.
    Exact,
}

/// Orders the regions so that what encloses lies below what it encloses, and gives each its curves: the shared arc
/// where the shape below ends visibly, and a coarse line a little further on where another shape covers it. Nothing shows
/// between neighbors at any zoom, and a shape needs no hole for what lies on top of it.
pub(crate) fn stack(
    layers: &Layers,
    outlines: &Outlines,
    samples: &[Samples],
    outlining: &Outlining,
) -> Drawing {
    let nesting = Nesting::new(layers, outlines);
    let mut order: Vec<u32> =
        (0..layers.fills.len() as u32).filter(|&id| nesting.alpha[id as usize] > 0).collect();
    order.sort_by_key(|&id| (std::cmp::Reverse(nesting.filled_area[id as usize]), id));
    let mut rank = vec![0u32; layers.fills.len()];
    for (position, &id) in order.iter().enumerate() {
        rank[id as usize] = position as u32 + 1;
    }
    let mut builder = Builder {
        layers,
        outlines,
        samples,
        outlining,
        nesting: &nesting,
        rank,
        fitted: vec![None; outlines.arcs.len()],
    };
    let mut loops: Vec<Vec<usize>> = vec![Vec::new(); layers.fills.len()];
    for (index, outline) in outlines.loops.iter().enumerate() {
        loops[outline.region as usize].push(index);
    }
    // In a picture without transparency the lowest shape lies under all others: it is the whole rectangle.
    let opaque = nesting.alpha.iter().all(|&alpha| alpha == 255);
    let bottom = if opaque && matches!(outlining, Outlining::Fitted(_)) { order.first() } else { None };
    let shapes = order
        .iter()
        .map(|id| Shape {
            color: straight(layers.fills[*id as usize]),
            curves: if Some(id) == bottom {
                vec![rectangle(layers.width, layers.height)]
            } else {
                loops[*id as usize].iter().filter_map(|&index| builder.closed_curve(index)).collect()
            },
        })
        .collect();
    Drawing { shapes }
}

fn rectangle(width: usize, height: usize) -> Curve {
    let (width, height) = (width as f32, height as f32);
    // The same sense as every outer loop, so that shapes sharing its path do not cut holes.
    let corners =
        [Point::new(0.0, 0.0), Point::new(0.0, height), Point::new(width, height), Point::new(width, 0.0)];
    polyline(&corners, true)
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

/// Which region encloses which.
struct Nesting {
    /// Alpha of each region's fill.
    alpha: Vec<u8>,
    /// Area within each region's outer loop, holes included.
    filled_area: Vec<i64>,
    /// For each loop that is a hole: whether everything inside is opaque.
    opaque_inside: Vec<bool>,
}

impl Nesting {
    fn new(layers: &Layers, outlines: &Outlines) -> Self {
        let count = layers.fills.len();
        let alpha: Vec<u8> = layers.fills.iter().map(|fill| fill[3]).collect();
        let mut filled_area = vec![0i64; count];
        for outline in &outlines.loops {
            if outline.area_px > 0 {
                filled_area[outline.region as usize] = outline.area_px;
            }
        }
        let (siblings, holes) = sibling_groups(outlines, count);
        let opaque_inside = opaque_holes(&alpha, &filled_area, siblings, &holes, outlines.loops.len());
        Nesting { alpha, filled_area, opaque_inside }
    }
}

/// A hole of one region and one region that touches it from inside.
struct Hole {
    index: usize,
    owner: u32,
    inside: u32,
}

/// Regions side by side within the same hole, and the holes.
fn sibling_groups(outlines: &Outlines, count: usize) -> (DisjointSets, Vec<Hole>) {
    let mut siblings = DisjointSets::new(count);
    let mut is_hole_side = vec![[false; 2]; outlines.arcs.len()];
    for outline in outlines.loops.iter().filter(|outline| outline.area_px < 0) {
        for &(arc, reversed) in &outline.steps {
            is_hole_side[arc as usize][usize::from(reversed)] = true;
        }
    }
    for (arc, hole_sides) in outlines.arcs.iter().zip(&is_hole_side) {
        if arc.left != OUTSIDE && arc.right != OUTSIDE && *hole_sides == [false; 2] {
            siblings.union(arc.left, arc.right);
        }
    }
    let mut holes = Vec::new();
    for (index, outline) in outlines.loops.iter().enumerate().filter(|(_, outline)| outline.area_px < 0) {
        for &(arc, reversed) in &outline.steps {
            let inside = beyond(&outlines.arcs[arc as usize], reversed);
            siblings.union(inside, beyond(&outlines.arcs[outline.steps[0].0 as usize], outline.steps[0].1));
            holes.push(Hole { index, owner: outline.region, inside });
        }
    }
    (siblings, holes)
}

/// The region on the far side of a step.
fn beyond(arc: &Arc, reversed: bool) -> u32 {
    if reversed { arc.left } else { arc.right }
}

fn opaque_holes(
    alpha: &[u8],
    filled_area: &[i64],
    mut siblings: DisjointSets,
    holes: &[Hole],
    loops: usize,
) -> Vec<bool> {
    let count = alpha.len();
    let mut owner = vec![u32::MAX; count];
    for hole in holes {
        owner[siblings.find(hole.inside) as usize] = hole.owner;
    }
    // Inner regions first: what a region encloses is smaller than what it fills.
    let mut inward: Vec<u32> = (0..count as u32).collect();
    inward.sort_by_key(|&id| (filled_area[id as usize], id));
    let mut group_opaque = vec![true; count];
    let mut region_opaque: Vec<bool> = alpha.iter().map(|&a| a == 255).collect();
    for id in inward {
        let group = siblings.find(id);
        let opaque = region_opaque[id as usize];
        group_opaque[group as usize] &= opaque;
        let around = owner[group as usize];
        if around != u32::MAX {
            region_opaque[around as usize] &= opaque;
        }
    }
    let mut opaque_inside = vec![false; loops];
    for hole in holes {
        opaque_inside[hole.index] = group_opaque[siblings.find(hole.inside) as usize];
    }
    opaque_inside
}

struct Builder<'a> {
    layers: &'a Layers,
    outlines: &'a Outlines,
    samples: &'a [Samples],
    outlining: &'a Outlining,
    nesting: &'a Nesting,
    /// Painting order, from 1; 0 is not painted.
    rank: Vec<u32>,
    /// Each arc is fitted once, for both of its sides.
    fitted: Vec<Option<Curve>>,
}

impl Builder<'_> {
    /// The closed curve of a loop; none for a hole that the shapes above cover.
    fn closed_curve(&mut self, index: usize) -> Option<Curve> {
        let outline = &self.outlines.loops[index];
        let covered = |&(arc, reversed): &(u32, bool)| self.is_covered(outline.region, arc, reversed);
        let is_fitted = matches!(self.outlining, Outlining::Fitted(_));
        if outline.area_px < 0
            && is_fitted
            && self.nesting.opaque_inside[index]
            && outline.steps.iter().all(covered)
        {
            return None;
        }
        let (region, steps) = (outline.region, outline.steps.clone());
        let pieces: Vec<Piece> =
            steps.iter().map(|&(arc, reversed)| self.piece(region, arc, reversed)).collect();
        Some(self.joined(region, &pieces))
    }

    /// Chains the pieces of a loop. Where a visible arc ends under another shape it runs on a little, and a junction
    /// with nothing visible moves under what covers it, so that no soft edge ends at another's.
    fn joined(&self, region: u32, pieces: &[Piece]) -> Curve {
        let mut chain = Chain::default();
        for (i, piece) in pieces.iter().enumerate() {
            let before = &pieces[(i + pieces.len() - 1) % pieces.len()];
            match (before, piece) {
                (Piece::Visible(_), Piece::Visible(curve)) => chain.line_to(curve.start),
                (Piece::Visible(curve), Piece::Hidden { .. }) => {
                    let (end, direction) = leaving(curve);
                    chain.line_to(self.moved_under(region, end, direction, JOIN_PX).at);
                }
                (Piece::Hidden { .. }, Piece::Visible(curve)) => {
                    let (start, direction) = leaving(&oriented(curve.clone(), true));
                    chain.line_to(self.moved_under(region, start, direction, JOIN_PX).at);
                    chain.line_to(start);
                }
                (Piece::Hidden { inner: last, .. }, Piece::Hidden { start, inner }) => {
                    if let (Some(last), Some(first), Some(start)) = (last.last(), inner.first(), start) {
                        let along = (*first - *last).unit();
                        chain.line_to(
                            self.moved_under(region, *start, Point::new(-along.y, along.x), OVERLAP_PX).at,
                        );
                    }
                }
            }
            match piece {
                Piece::Visible(curve) => chain.segments.extend_from_slice(&curve.segments),
                Piece::Hidden { inner, .. } => inner.iter().for_each(|&point| chain.line_to(point)),
            }
        }
        chain.closed()
    }

    /// Whether the shape beyond an arc is painted later and lets nothing through.
    fn is_covered(&self, region: u32, arc: u32, reversed: bool) -> bool {
        let other = beyond(&self.outlines.arcs[arc as usize], reversed);
        other != OUTSIDE
            && self.nesting.alpha[region as usize] == 255
            && self.nesting.alpha[other as usize] == 255
            && self.rank[other as usize] > self.rank[region as usize]
    }

    fn piece(&mut self, region: u32, arc: u32, reversed: bool) -> Piece {
        let samples = &self.samples[arc as usize];
        let closed = self.outlines.arcs[arc as usize].closed;
        let curve = match self.outlining {
            Outlining::Exact => polyline(&samples.points, closed),
            Outlining::Fitted(_) if self.is_covered(region, arc, reversed) => {
                return self.hidden(region, &samples.points, closed, reversed);
            }
            Outlining::Fitted(style) => self.fitted[arc as usize]
                .get_or_insert_with(|| {
                    if samples.exact {
                        polyline(&samples.points, closed)
                    } else {
                        fit(&samples.points, closed, samples.noise_px, style)
                    }
                })
                .clone(),
        };
        Piece::Visible(oriented(curve, reversed))
    }

    /// An edge below other shapes: the boundary moved a little into what covers it, with few corners.
    fn hidden(&self, region: u32, points: &[Point], closed: bool, reversed: bool) -> Piece {
        let mut points = points.to_vec();
        if reversed {
            points.reverse();
        }
        let n = points.len();
        let neighbor = |i: usize, by: usize| {
            if closed { points[(i + n + by - 1) % n] } else { points[(i + by).saturating_sub(1).min(n - 1)] }
        };
        let inner = if closed { 0..n } else { 1..n.saturating_sub(1) };
        let moved: Vec<Hidden> = inner
            .map(|i| {
                let along = (neighbor(i, 2) - neighbor(i, 0)).unit();
                self.moved_under(region, points[i], Point::new(-along.y, along.x), OVERLAP_PX)
            })
            .collect();
        Piece::Hidden { start: (!closed).then_some(points[0]), inner: simplified(&moved) }
    }

    /// `point` moved along `outward` as far as shapes that are painted after `region` reach, at most `farthest`.
    fn moved_under(&self, region: u32, point: Point, outward: Point, farthest: f32) -> Hidden {
        const STEPS: u32 = 4;
        let rank = self.rank[region as usize];
        let mut hidden = Hidden { at: point, slack: 0.0 };
        for step in 1..=STEPS {
            let distance = farthest * step as f32 / STEPS as f32;
            // Half a pixel further on must still be covered, for the edge that lies there is drawn soft.
            let covered = self.label_at(point + outward * (distance + 0.5)).is_some_and(|id| {
                id == region || (self.rank[id as usize] > rank && self.nesting.alpha[id as usize] == 255)
            });
            if !covered {
                break;
            }
            hidden = Hidden { at: point + outward * distance, slack: HIDDEN_SLACK * distance };
        }
        hidden
    }

    fn label_at(&self, point: Point) -> Option<u32> {
        let (width, height) = (self.layers.width, self.layers.height);
        let inside = point.x >= 0.0 && point.y >= 0.0 && point.x < width as f32 && point.y < height as f32;
        inside.then(|| self.layers.labels.ids[point.y as usize * width + point.x as usize])
    }
}

fn polyline(points: &[Point], closed: bool) -> Curve {
    let mut segments: Vec<Segment> = points[1..].iter().map(|&point| Segment::Line(point)).collect();
    if closed || segments.is_empty() {
        segments.push(Segment::Line(points[0]));
    }
    Curve { start: points[0], segments, closed }
}

/// The curve, walked backwards if asked.
fn oriented(curve: Curve, reversed: bool) -> Curve {
    if !reversed {
        return curve;
    }
    let mut starts: Vec<Point> = vec![curve.start];
    starts.extend(curve.segments.iter().map(Segment::end));
    let segments = curve
        .segments
        .iter()
        .enumerate()
        .rev()
        .map(|(i, segment)| match *segment {
            Segment::Line(_) => Segment::Line(starts[i]),
            Segment::Cubic(a, b, _) => Segment::Cubic(b, a, starts[i]),
            Segment::Arc(radius, clockwise, _) => Segment::Arc(radius, !clockwise, starts[i]),
        })
        .collect();
    Curve { start: starts[starts.len() - 1], segments, closed: curve.closed }
}

/// One arc's part of a shape's outline.
enum Piece {
    Visible(Curve),
    /// Covered by other shapes: where it begins, if at a junction, and its points between its ends.
    Hidden {
        start: Option<Point>,
        inner: Vec<Point>,
    },
}

/// The end of a curve and the direction in which it arrives there.
fn leaving(curve: &Curve) -> (Point, Point) {
    let n = curve.segments.len();
    let end = curve.segments[n - 1].end();
    let start = if n > 1 { curve.segments[n - 2].end() } else { curve.start };
    let from = match curve.segments[n - 1] {
        Segment::Cubic(_, control, _) if control != end => control,
        _ => start,
    };
    (end, (end - from).unit())
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
