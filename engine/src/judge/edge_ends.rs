//! Ends of edges on edges of shapes above. Where an edge ends on another one, no gap may show between them, so the end moves along with that
//! edge.

use crate::algorithms::sorted_by_key;
use crate::geometry::Point;
use crate::render::Canvas;

/// A point is on an edge if it is so near to its polyline.
///
/// Unit: pixels. Source: twice what the polyline may lie off its curve, and coordinates' rounding.
pub(super) const TOUCHING_PX: f32 = 0.05;

/// A point that lies on an edge: one of its coordinates follows the other one and the points of the edge.
#[derive(Clone, Copy)]
pub(crate) struct EdgeEnd {
    pub point: u32,
    /// The coordinate that follows: 0 for x, 1 for y.
    pub axis: usize,
    /// By how much it moves with the other coordinate.
    slope: f32,
    /// Points of the edge, and for each the vector whose product with that point's move is added.
    pub terms: [(u32, Point); 8],
}

impl EdgeEnd {
    /// Moves the coordinate that follows, given how the points move that it depends on.
    pub fn follow(&self, points: &mut [Point]) {
        let along: f32 = self.terms.iter().map(|&(point, term)| term.dot(points[point as usize])).sum();
        let by = &mut points[self.point as usize];
        if self.axis == 0 {
            by.x = self.slope * by.y + along;
        } else {
            by.y = self.slope * by.x + along;
        }
    }

    /// Passes the pull on the coordinate on to what it depends on.
    pub fn pass_on(&self, points: &mut [Point], squared: bool) {
        let share = |weight: f32| if squared { weight * weight } else { weight };
        let by = &mut points[self.point as usize];
        let pull = if self.axis == 0 { std::mem::take(&mut by.x) } else { std::mem::take(&mut by.y) };
        let other = if self.axis == 0 { &mut by.y } else { &mut by.x };
        *other += share(self.slope) * pull;
        for &(point, term) in &self.terms {
            let to = &mut points[point as usize];
            *to = *to + Point::new(share(term.x), share(term.y)) * pull;
        }
    }
}

/// Finds the points that lie on edges of paths above theirs. Of the points `in_order`, those that coincide follow each other; `nodes` tells
/// which are nodes, and the number of each point's path.
pub(crate) fn edge_ends(
    mut in_order: &[u32],
    at: &[Point],
    nodes: &[(bool, u32)],
    canvas: &Canvas,
) -> Vec<EdgeEnd> {
    let mut found: Vec<(u32, EdgeEnd)> = Vec::new();
    while let Some(&first) = in_order.first() {
        let (mut count, mut highest, mut has_node) = (0, 0, false);
        for &point in in_order.iter().take_while(|&&point| at[point as usize] == at[first as usize]) {
            let (is_node, path) = nodes[point as usize];
            (count, highest, has_node) = (count + 1, highest.max(path), has_node | is_node);
        }
        let (together, others) = in_order.split_at(count);
        in_order = others;
        if has_node && let Some(end) = edge_end(at[first as usize], highest, canvas) {
            found.extend(together.iter().map(|&point| (highest, EdgeEnd { point, ..end })));
        }
    }
    // What an end depends on are points of a higher path.
    let from_top = sorted_by_key(0..found.len() as u32, |k| u32::MAX - found[k as usize].0);
    from_top.into_iter().map(|k| found[k as usize].1).collect()
}

/// How a point follows the nearest edge that it lies on, of a path above number `highest`.
fn edge_end(at: Point, highest: u32, canvas: &Canvas) -> Option<EdgeEnd> {
    let (mut nearest, mut best) = (TOUCHING_PX, None);
    for edge in canvas.edges_near(at, TOUCHING_PX, highest) {
        let [from, to] = [edge - 1, edge].map(|vertex| canvas.outline.vertices[vertex as usize]);
        let along = to - from;
        let share = ((at - from).dot(along) / along.dot(along).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let distance = (from + along * share - at).length();
        if distance < nearest {
            nearest = distance;
            best = Some((edge, along.unit(), share));
        }
    }
    let (edge, along, share) = best?;
    let normal = Point::new(-along.y, along.x);
    let axis = usize::from(normal.y.abs() > normal.x.abs());
    let [by, other] = if axis == 0 { [normal.x, normal.y] } else { [normal.y, normal.x] };
    let mut terms = [(0, Point::default()); 8];
    for (vertex, share, of_vertex) in [(edge - 1, 1.0 - share, 0..4), (edge, share, 4..8)] {
        terms[of_vertex].copy_from_slice(&canvas.outline.pulled_by(vertex, normal * (share / by)));
    }
    Some(EdgeEnd { point: 0, axis, slope: -other / by, terms })
}
