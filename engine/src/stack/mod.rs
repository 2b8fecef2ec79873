//! Sixth stage: puts the fitted shapes in painting order and closes their curves. Takes layers, planar map and fitted edges, gives the
//! drawing.
//!
//! Larger shapes lie below the shapes that they enclose. Where an edge of a shape is visible, the shape follows the fitted arc. Where a
//! shape above covers it, it continues below that one in as few lines as fit ([`hidden_edge`]), so that no gap shows between neighbors at
//! any zoom, and a shape needs no hole for what lies on it. Holes and edges that meet exactly would show as hairlines, since renderers
//! blend each shape's anti-aliased edge with what is below.
//!
//! Translucent shapes cover nothing. They lie lowest and continue under opaque ones, which have holes for them; where two translucent
//! shapes meet, the edge is exact.

mod black;
mod gates;
mod hidden_edge;
mod nesting;
mod occlusion;
mod overlay;
mod segment_grid;

pub(crate) use black::black_shape;
pub(crate) use overlay::overlay_shapes;

use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::fit::{ArcStep, Edges, STACK_UNITS};
use crate::geometry::{Curve, Drawing, Point, Segment, Shape};
use crate::merge::Layers;
use crate::outline::{Arc, Loop, OUTSIDE, PlanarMap};
use crate::parallel::Work;
use hidden_edge::HiddenEdge;
use nesting::Nesting;
use occlusion::Occlusion;
use segment_grid::{LINE_PX, SegmentGrid};

/// How neighboring shapes meet.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Neighbors {
    /// The lower one continues below the visible edge.
    Overlap,
    /// Each covers exactly its pixels.
    Abut,
}

/// Orders the regions, so that what encloses lies below what it encloses, and gives each its closed curves.
pub(crate) fn stack(
    layers: Layers,
    map: &PlanarMap,
    edges: &Edges,
    neighbors: Neighbors,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    let nesting = Nesting::new(&layers, map);
    let painted = (0..layers.fills.len() as u32).filter(|&id| nesting.alpha[id as usize] > 0);
    // Translucent shapes first: they may continue under opaque ones, but not the other way round.
    let is_opaque = |id: u32| id == OUTSIDE || nesting.alpha[id as usize] == 255;
    let order = sorted_by_key(painted, |id| {
        (u32::from(is_opaque(id)) << 31) | (!nesting.filled_area[id as usize] >> 1)
    });
    let mut rank = vec![0u32; layers.fills.len()];
    for (position, &id) in order.iter().enumerate() {
        rank[id as usize] = position as u32 + 1;
    }
    // The edge between an opaque shape and an opaque one inside of it never ends a cover.
    let may_show = |arc: u32| {
        let &Arc { left, right, closed, .. } = &map.arcs[arc as usize];
        !(closed && is_opaque(left) && is_opaque(right))
    };
    let grid = SegmentGrid::new(edges, may_show, (layers.width, layers.height));
    let occlusion = Occlusion { layers: &layers, alpha: &nesting.alpha, rank, arcs: &map.arcs, grid };
    let builder = ShapeBuilder { map, edges, neighbors, nesting: &nesting, occlusion };
    // The first loop of each region, and for each loop the next one of its region.
    let (mut first_loop, mut next_loop) = (vec![None; layers.fills.len()], vec![None; map.loops.len()]);
    for (index, outline) in map.loops.iter().enumerate().rev() {
        next_loop[index] = first_loop[outline.region as usize].replace(index);
    }
    // In an opaque image the lowest shape lies under all others: it becomes the whole rectangle.
    let opaque = nesting.alpha.iter().all(|&alpha| alpha == 255);
    let bottom = if opaque && neighbors == Neighbors::Overlap { order.first() } else { None };
    let loops_of = |id: &u32| {
        let first = if Some(id) == bottom { None } else { first_loop[*id as usize] };
        std::iter::successors(first, |&index: &usize| next_loop[index])
    };
    let shape = |id: &u32| {
        let mut curves = Vec::new();
        for index in loops_of(id) {
            curves.extend(builder.closed_curve(index));
        }
        if Some(id) == bottom {
            // The same direction as every outer loop, so that shapes in the same path do not cut holes.
            curves.push(Curve::rectangle([
                Point::default(),
                Point::new(layers.width as f32, layers.height as f32),
            ]));
        }
        Shape { paint: layers.paint(*id as usize), curves }
    };
    let steps = |id: &u32| loops_of(id).map(|index| map.loops[index].steps.len()).sum::<usize>();
    // Each arc belongs to two loops.
    let units = |id: &&u32| STACK_UNITS * steps(id) / 2;
    let shapes = Work { units, begin: || &shape }.run(order.iter(), meter)?;
    Ok(Drawing { shapes, gradients: layers.gradients })
}

/// Builds the closed curves of shapes.
struct ShapeBuilder<'a> {
    map: &'a PlanarMap,
    edges: &'a Edges,
    neighbors: Neighbors,
    nesting: &'a Nesting,
    occlusion: Occlusion<'a>,
}

impl ShapeBuilder<'_> {
    /// The closed curve of a loop. `None` for a hole that the shapes above cover.
    fn closed_curve(&self, index: usize) -> Option<Curve> {
        let Loop { region, steps, area_px } = &self.map.loops[index];
        let covered: Vec<bool> = steps.iter().map(|&step| self.is_covered(*region, step)).collect();
        let hole = *area_px < 0 && self.neighbors == Neighbors::Overlap;
        if hole && self.nesting.opaque_inside[index] && !covered.contains(&false) {
            return None;
        }
        let is_visible = !covered.contains(&true);
        if is_visible && let Some(curve) = self.edges.closed_curve(steps) {
            return Some(curve);
        }
        Some(self.joined(*region, steps, &covered))
    }

    /// The closed curve of the parts of a loop: runs of covered arcs, and runs of visible arcs that are one edge.
    fn joined(&self, region: u32, steps: &[ArcStep], covered: &[bool]) -> Curve {
        let n = steps.len();
        let runs_on = |i: usize| {
            let next = (i + 1) % n;
            let together = || covered[i] || self.edges.runs_on(steps[i], steps[next]);
            n > 1 && covered[i] == covered[next] && together()
        };
        let before = |i: usize| (i + n - 1) % n;
        // Begins at the start of a part, behind a hidden one if there is any. Without parts, the loop is a single one all around.
        let start = (0..n).find(|&i| !covered[i] && covered[before(i)]);
        let start = start.or_else(|| (0..n).find(|&i| !runs_on(before(i))));
        let first = start.unwrap_or(0);
        let rotated: Vec<ArcStep> = (0..n).map(|i| steps[(first + i) % n]).collect();
        let mut builder = CurveBuilder { start: None, segments: Vec::new() };
        let mut from = 0;
        while from < n {
            let mut to = from + 1;
            while to < n && runs_on((first + to - 1) % n) {
                to += 1;
            }
            let run = &rotated[from..to];
            if covered[(first + from) % n] {
                self.hidden(region, run, start.is_none())
                    .into_iter()
                    .for_each(|corner| builder.line_to(corner));
            } else {
                let curve = self.edges.curve(run);
                builder.line_to(curve.start);
                builder.segments.extend_from_slice(&curve.segments);
            }
            from = to;
        }
        builder.closed()
    }

    /// The corners of an edge that other shapes cover.
    fn hidden(&self, region: u32, run: &[ArcStep], is_whole_loop: bool) -> Vec<Point> {
        let closed = is_whole_loop || self.map.arcs[run[0].0 as usize].closed;
        let mut points: Vec<Point> = Vec::new();
        for &(arc, reversed) in run {
            points.pop();
            let known = self.occlusion.grid.along(arc);
            match known {
                [] => self.edges.curve(&[(arc, reversed)]).flatten(LINE_PX, &mut points),
                _ if reversed => points.extend(known.iter().rev()),
                _ => points.extend_from_slice(known),
            }
        }
        if closed {
            points.pop();
        }
        HiddenEdge::new(&self.occlusion, region, points, closed).corners()
    }

    /// Whether the shape beyond an arc is opaque and painted later.
    fn is_covered(&self, region: u32, (arc, reversed): ArcStep) -> bool {
        if self.neighbors == Neighbors::Abut {
            return false;
        }
        let other = self.map.arcs[arc as usize].far_side(reversed);
        other != OUTSIDE && self.occlusion.covers(other, region)
    }
}

/// A curve that is built part by part.
struct CurveBuilder {
    start: Option<Point>,
    segments: Vec<Segment>,
}

impl CurveBuilder {
    #[inline(never)]
    fn line_to(&mut self, point: Point) {
        match (self.start, self.segments.last()) {
            (None, _) => self.start = Some(point),
            (Some(start), last) if last.map_or(start, |last| last.end) != point => {
                self.segments.push(Segment::line(point));
            }
            _ => {}
        }
    }

    fn closed(mut self) -> Curve {
        let start = self.start.unwrap_or_default();
        if self.segments.last().is_none_or(|last| last.end != start) {
            self.segments.push(Segment::line(start));
        }
        Curve { start, segments: self.segments, closed: true }
    }
}
