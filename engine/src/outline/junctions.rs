//! Places the junctions where arcs meet, and decides which arcs continue each other. Takes the arcs and their samples, gives
//! [`Continuations`]; the samples then end in their junctions.
//!
//! A junction lies nearest to the lines that its arcs follow. If one shape lies over the edge between two others, its own edge does not
//! bend there: of the arcs that meet, the two that turn least are one drawn edge, at which the third ends.

use super::lattice::lattice_point;
use super::placement::ArcSamples;
use super::planar_map::Arc;
use super::sample_noise::NOISE_STAIRCASE_PX;
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::geometry::Point;

/// Cost of placing one end of an arc, in the units of [`ProgressMeter`].
const END_UNITS: usize = 32;

/// An end of an arc: the arc's index, and whether the end is its last point.
pub(crate) type ArcEnd = (u32, bool);

/// For each arc, the ends of other arcs that continue it at its first and at its last point.
///
/// # Guarantees
/// Mutual: if one end continues another, that continues it too. At most one pair at a junction.
pub(crate) struct Continuations(Vec<[Option<ArcEnd>; 2]>);

/// Largest turn between two arcs that are one edge, as a cosine.
///
/// Unit: cosine of an angle. Source: cos 30°, tuned.
const THROUGH_COSINE: f32 = 0.866;

/// Largest distance by which the line of one arc passes the samples of the other.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const THROUGH_PX: f32 = 0.6;

/// Samples nearer than this to a third edge mix a third paint.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const SPOILED_PX: f32 = 1.25;

/// Fewest points that an arc keeps when its spoiled samples are dropped.
///
/// Unit: count. Source: what [`leaving_line`] needs.
const FEWEST_LEFT: usize = 5;

/// Fewest points that an arc keeps if another continues it. The other has samples too, but round a tiny shape all may be spoiled.
///
/// Unit: count. Source: tuned on drawings: tiny shapes across two grounds lost all of their samples.
const FEWEST_CONTINUED: usize = 4;

/// Weight of a junction's lattice point against that of one line, which keeps the least-squares problem regular.
///
/// Unit: share (ratio of weights). Source: tuned; no derivation is known.
const LATTICE_WEIGHT: f32 = 0.1;

/// Largest distance of a junction from its lattice point.
///
/// Unit: pixels. Source: tuned; the four pixels that meet at the lattice point reach this far along rows and columns.
const JUNCTION_REACH_PX: f32 = 1.0;

impl Continuations {
    /// No arc continues another.
    pub fn none(arcs: &[Arc]) -> Self {
        Continuations(vec![[None; 2]; arcs.len()])
    }

    /// The end that continues another, if any.
    pub fn of(&self, (arc, at_end): ArcEnd) -> Option<ArcEnd> {
        self.0[arc as usize][usize::from(at_end)]
    }

    fn pair(&mut self, a: ArcEnd, b: ArcEnd) {
        self.0[a.0 as usize][usize::from(a.1)] = Some(b);
        self.0[b.0 as usize][usize::from(b.1)] = Some(a);
    }
}

/// Places each junction by the arcs that meet there, ends their samples in it, and pairs the arcs that continue each other. `(width,
/// height)` is the image's size; no junction lies beyond its border.
pub(crate) fn join_at_junctions(
    arcs: &[Arc],
    samples: &mut [ArcSamples],
    (width, height): (usize, usize),
    meter: &mut ProgressMeter<'_>,
) -> Result<Continuations, Stopped> {
    // An end as a number: twice the arc's index, plus one for the last point.
    let ends = (0..2 * arcs.len() as u32).filter(|end| !arcs[*end as usize / 2].closed);
    let end = |end: u32| -> ArcEnd { (end / 2, end % 2 == 1) };
    let corner = |number: u32| arcs[number as usize / 2].corner(end(number).1);
    let ends = sorted_by_key(ends, |number| arcs[number as usize / 2].corner_key(end(number).1));
    let mut continuations = Continuations::none(arcs);
    let mut nodes: Vec<(ArcEnd, Point)> = Vec::with_capacity(ends.len());
    for group in ends.chunk_by(|&a, &b| corner(a) == corner(b)) {
        meter.advance(END_UNITS * group.len())?;
        let lattice = lattice_point(corner(group[0]));
        let lines: Vec<LeavingLine> = group
            .iter()
            .filter_map(|&number| leaving_line(&samples[number as usize / 2], end(number)))
            .collect();
        if let Some((a, b)) = straightest(&lines) {
            continuations.pair(a, b);
        }
        let mut node = nearest_point_to_lines(lattice, &lines);
        for &number in group {
            if samples[number as usize / 2].on_grid {
                snap_to_grid(&mut node, &arcs[number as usize / 2], end(number).1);
            }
        }
        let node = Point::new(node.x.max(0.0).min(width as f32), node.y.max(0.0).min(height as f32));
        nodes.extend(group.iter().map(|&number| (end(number), node)));
    }
    for (end, node) in nodes {
        meter.advance(END_UNITS)?;
        move_end_to_node(&mut samples[end.0 as usize], end.1, node, continuations.of(end).is_some());
    }
    Ok(continuations)
}

/// The line that an arc follows where it leaves its junction.
#[derive(Clone, Copy)]
struct LeavingLine {
    end: ArcEnd,
    through: Point,
    direction: Point,
    noise_px: f32,
}

/// The two ends that turn least, if they can be one edge.
fn straightest(lines: &[LeavingLine]) -> Option<(ArcEnd, ArcEnd)> {
    let mut best: Option<(f32, ArcEnd, ArcEnd)> = None;
    for (i, a) in lines.iter().enumerate() {
        for b in &lines[i + 1..] {
            let cosine = -a.direction.dot(b.direction);
            if cosine > best.map_or(THROUGH_COSINE, |best| best.0) && a.continues_as(b) {
                best = Some((cosine, a.end, b.end));
            }
        }
    }
    best.map(|(_, a, b)| (a, b))
}

impl LeavingLine {
    fn continues_as(&self, other: &LeavingLine) -> bool {
        let apart = other.through - self.through;
        let miss_px = self.direction.cross(apart).abs().min(other.direction.cross(apart).abs());
        // A boundary that cuts a ramp is noisier than a staircase; nothing was drawn there.
        let is_drawn = self.noise_px.max(other.noise_px) <= NOISE_STAIRCASE_PX;
        miss_px <= THROUGH_PX && is_drawn
    }
}

/// Moves an arc's end to its node and drops the samples near to it, where pixels mix a third paint.
fn move_end_to_node(samples: &mut ArcSamples, at_end: bool, node: Point, is_continued: bool) {
    let fewest = if is_continued { FEWEST_CONTINUED } else { FEWEST_LEFT };
    let points = &mut samples.points;
    let last = points.len() - 1;
    points[if at_end { last } else { 0 }] = node;
    if samples.exact || points.len() <= fewest {
        return;
    }
    let most = points.len() - fewest;
    let spoiled = |point: &&Point| (**point - node).length() < SPOILED_PX;
    if at_end {
        let count = points[..last].iter().rev().take(most).take_while(spoiled).count();
        points.drain(last - count..last);
    } else {
        let count = points[1..].iter().take(most).take_while(spoiled).count();
        points.drain(1..=count);
    }
}

/// The line that an arc follows where it leaves its junction, by its third to fifth samples: the first two are spoiled.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
fn leaving_line(samples: &ArcSamples, end: ArcEnd) -> Option<LeavingLine> {
    let points = &samples.points;
    let n = points.len();
    if samples.exact || n < FEWEST_LEFT {
        return None;
    }
    let pick = |k: usize| if end.1 { points[n - 1 - k] } else { points[k] };
    let (near, far) = (pick(2), pick(4.min(n - 2)));
    let direction = (far - near).unit();
    (direction.length() > 0.0).then_some(LeavingLine {
        end,
        through: near,
        direction,
        noise_px: samples.noise_px,
    })
}

/// The point nearest to some lines by least squares, near to the lattice point.
fn nearest_point_to_lines(lattice: Point, lines: &[LeavingLine]) -> Point {
    let (mut xx, mut xy, mut yy, mut bx, mut by) = (LATTICE_WEIGHT, 0.0, LATTICE_WEIGHT, 0.0, 0.0);
    for &LeavingLine { through, direction, .. } in lines {
        let normal = Point::new(-direction.y, direction.x);
        let distance = normal.dot(through - lattice);
        xx += normal.x * normal.x;
        xy += normal.x * normal.y;
        yy += normal.y * normal.y;
        bx += normal.x * distance;
        by += normal.y * distance;
    }
    let determinant = xx * yy - xy * xy;
    let shift = Point::new((yy * bx - xy * by) / determinant, (xx * by - xy * bx) / determinant);
    let length = shift.length();
    if length > JUNCTION_REACH_PX { lattice + shift * (JUNCTION_REACH_PX / length) } else { lattice + shift }
}

/// Moves a junction onto the grid line along which an arc leaves it.
fn snap_to_grid(node: &mut Point, arc: &Arc, at_end: bool) {
    let at = arc.corner(at_end);
    let next = arc.corners[if at_end { arc.corners.len() - 2 } else { 1 }];
    if next.0 == at.0 {
        node.x = at.0 as f32;
    } else {
        node.y = at.1 as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::move_end_to_node;
    use crate::geometry::Point;
    use crate::outline::placement::ArcSamples;

    #[test]
    fn an_arc_continued_at_both_ends_keeps_samples_of_its_own() {
        let points = (0..7).map(|i| Point::new(0.4 * i as f32, 0.0)).collect();
        let mut samples =
            ArcSamples { points, noise_px: 0.05, exact: false, on_grid: false, rounded: Vec::new() };
        for (at_end, x) in [(false, 0.0), (true, 2.4)] {
            move_end_to_node(&mut samples, at_end, Point::new(x, 0.0), true);
        }
        assert_eq!(samples.points.len(), 4, "{:?}", samples.points);
    }
}
