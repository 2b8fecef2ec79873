use super::lattice::lattice_point;
use super::placement::ArcSamples;
use super::planar_map::Arc;
use super::sample_noise::NOISE_STAIRCASE_PX;
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::geometry::Point;

/// What putting an arc's end in its place takes, in the units of [`ProgressMeter`].
const END_UNITS: usize = 32;

/// An end of an arc: the arc, and whether it is its last point.
pub(crate) type ArcEnd = (u32, bool);

/// For each arc, the ends of other arcs that its first and its last point run on to.
///
/// # Guarantees
/// Mutual: an end that runs on to another is run on to by it. At most one pair at a junction.
pub(crate) struct Continuations(Vec<[Option<ArcEnd>; 2]>);

/// Two edges that meet turning by less than this are one edge that runs on past the third. The cosine of 30 degrees.
const THROUGH_COSINE: f32 = 0.866;
/// The lines of both pass this near to the other's samples beside the junction, px.
const THROUGH_PX: f32 = 0.6;
/// A sharp edge does not run on in a soft one: their noise differs by at most this factor and this much. Where a boundary cuts
/// a ramp, nothing was drawn that could run on.
const THROUGH_NOISE: f32 = 2.0;
const THROUGH_NOISE_PX: f32 = 0.1;

/// Samples nearer than this to a third edge mix a third paint; where that leaves at a small angle they do far from the junction,
/// up to so many times as far.
const SPOILED_PX: f32 = 1.25;
const SPOILED_MOST: f32 = 3.0;

impl Continuations {
    /// No edge runs on.
    pub fn none(arcs: &[Arc]) -> Self {
        Continuations(vec![[None; 2]; arcs.len()])
    }

    /// Where an end runs on, if it does.
    pub fn of(&self, (arc, at_end): ArcEnd) -> Option<ArcEnd> {
        self.0[arc as usize][usize::from(at_end)]
    }

    fn pair(&mut self, a: ArcEnd, b: ArcEnd) {
        self.0[a.0 as usize][usize::from(a.1)] = Some(b);
        self.0[b.0 as usize][usize::from(b.1)] = Some(a);
    }
}

/// Puts the junctions where the arcs that meet there say, ends the arcs' samples there, and tells which arcs run on in
/// which: where one shape lies over the edge between two others, its own edge does not know of the junction.
pub(crate) fn join_at_junctions(
    arcs: &[Arc],
    samples: &mut [ArcSamples],
    (width, height): (usize, usize),
    meter: &mut ProgressMeter<'_>,
) -> Result<Continuations, Stopped> {
    // Twice an arc's index for its start, and one more for its end.
    let ends = (0..2 * arcs.len() as u32).filter(|end| !arcs[*end as usize / 2].closed);
    let end = |end: u32| -> ArcEnd { (end / 2, end % 2 == 1) };
    let corner = |number: u32| arcs[number as usize / 2].corner(end(number).1);
    let ends = sorted_by_key(ends, |number| arcs[number as usize / 2].corner_key(end(number).1));
    let mut continuations = Continuations::none(arcs);
    let mut nodes: Vec<(ArcEnd, JunctionNode)> = Vec::with_capacity(ends.len());
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
        let mut node = nearest_to_lines(lattice, &lines);
        for &number in group {
            if samples[number as usize / 2].on_grid {
                stay_on_grid(&mut node, &arcs[number as usize / 2], end(number).1);
            }
        }
        let node = Point::new(node.x.max(0.0).min(width as f32), node.y.max(0.0).min(height as f32));
        nodes.extend(group.iter().map(|&number| {
            (end(number), JunctionNode { at: node, spoiled_px: spoiled_px(end(number), &lines) })
        }));
    }
    for (end, node) in nodes {
        meter.advance(END_UNITS)?;
        put_node(&mut samples[end.0 as usize], end.1, &node, continuations.of(end).is_some());
    }
    Ok(continuations)
}

/// The line that an arc follows as it leaves its junction.
#[derive(Clone, Copy)]
struct LeavingLine {
    end: ArcEnd,
    through: Point,
    direction: Point,
    noise_px: f32,
}

/// The two ends that are best taken for one edge, if any can be.
fn straightest(lines: &[LeavingLine]) -> Option<(ArcEnd, ArcEnd)> {
    let mut best: Option<(f32, ArcEnd, ArcEnd)> = None;
    for (i, a) in lines.iter().enumerate() {
        for b in &lines[i + 1..] {
            let cosine = -a.direction.dot(b.direction);
            if cosine > best.map_or(THROUGH_COSINE, |best| best.0) && a.runs_on_in(b) {
                best = Some((cosine, a.end, b.end));
            }
        }
    }
    best.map(|(_, a, b)| (a, b))
}

impl LeavingLine {
    fn runs_on_in(&self, other: &LeavingLine) -> bool {
        let apart = other.through - self.through;
        let off = self.direction.cross(apart).abs().min(other.direction.cross(apart).abs());
        let (quiet, loud) = (self.noise_px.min(other.noise_px), self.noise_px.max(other.noise_px));
        let sharp = loud <= NOISE_STAIRCASE_PX;
        off <= THROUGH_PX && sharp && loud <= THROUGH_NOISE * quiet + THROUGH_NOISE_PX
    }
}

/// A junction as an arc sees it.
struct JunctionNode {
    at: Point,
    /// The samples nearer than this are not believed.
    spoiled_px: f32,
}

/// How far from its junction an edge runs beside another one.
fn spoiled_px(end: ArcEnd, lines: &[LeavingLine]) -> f32 {
    let direction = |end: ArcEnd| lines.iter().find(|line| line.end == end).map(|line| line.direction);
    let Some(own) = direction(end) else { return SPOILED_PX };
    let sine = |line: &LeavingLine| {
        let (along, across) = (own.dot(line.direction), own.cross(line.direction).abs());
        if line.end == end || along <= 0.0 { 1.0 } else { across }
    };
    let narrowest = lines.iter().map(sine).fold(1.0, f32::min);
    SPOILED_PX / narrowest.max(1.0 / SPOILED_MOST)
}

/// Puts an arc's end on its node and drops the samples too near to be believed, for there the pixels mix a third paint.
fn put_node(samples: &mut ArcSamples, at_end: bool, node: &JunctionNode, runs_on: bool) {
    const FEWEST_LEFT: usize = 5;
    /// What runs on has samples beyond, but round a tiny shape all of them may be spoiled.
    const FEWEST_RUNNING_ON: usize = 4;
    // What runs on has samples beyond.
    let fewest = if runs_on { FEWEST_RUNNING_ON } else { FEWEST_LEFT };
    let points = &mut samples.points;
    let last = points.len() - 1;
    points[if at_end { last } else { 0 }] = node.at;
    if samples.exact || points.len() <= fewest {
        return;
    }
    let most = points.len() - fewest;
    let spoiled = |point: &&Point| (**point - node.at).length() < node.spoiled_px;
    if at_end {
        let count = points[..last].iter().rev().take(most).take_while(spoiled).count();
        points.drain(last - count..last);
    } else {
        let count = points[1..].iter().take(most).take_while(spoiled).count();
        points.drain(1..=count);
    }
}

/// A point and the direction of the line that an arc follows as it leaves its junction; the first samples are too close
/// to the junction to be believed. Where the arc is straight over several more, these say it better.
fn leaving_line(samples: &ArcSamples, end: ArcEnd) -> Option<LeavingLine> {
    const LONG: usize = 8;
    const STRAIGHT_ARC_PX: f32 = 0.06;
    let points = &samples.points;
    let n = points.len();
    if samples.exact || n < 5 {
        return None;
    }
    let pick = |k: usize| if end.1 { points[n - 1 - k] } else { points[k] };
    let (near, far) = (pick(2), pick(4.min(n - 2)));
    let direction = (far - near).unit();
    let line = |through, direction| LeavingLine { end, through, direction, noise_px: samples.noise_px };
    if n > LONG + 1 {
        let middle = (pick(3) + pick(4)) * 0.5;
        let long = ((pick(LONG - 1) + pick(LONG)) * 0.5 - middle).unit();
        if (2..=LONG).all(|k| long.cross(pick(k) - middle).abs() <= STRAIGHT_ARC_PX) {
            return Some(line(middle, long));
        }
    }
    (direction.length() > 0.0).then_some(line(near, direction))
}

fn nearest_to_lines(lattice: Point, lines: &[LeavingLine]) -> Point {
    /// Pull of the lattice point against a line's 1.
    const PULL: f32 = 0.1;
    /// A junction is not farther than this from its lattice point, px.
    const REACH: f32 = 1.0;
    let (mut xx, mut xy, mut yy, mut bx, mut by) = (PULL, 0.0, PULL, 0.0, 0.0);
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
    if length > REACH { lattice + shift * (REACH / length) } else { lattice + shift }
}

/// Keeps a junction on the line of pixels' sides along which an arc leaves it.
fn stay_on_grid(node: &mut Point, arc: &Arc, at_end: bool) {
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
    use super::JunctionNode;
    use super::put_node;
    use crate::geometry::Point;
    use crate::outline::placement::ArcSamples;

    #[test]
    fn an_arc_that_runs_on_at_both_ends_keeps_samples_of_its_own() {
        let points = (0..7).map(|i| Point::new(0.4 * i as f32, 0.0)).collect();
        let mut samples = ArcSamples { points, noise_px: 0.05, exact: false, on_grid: false };
        for (at_end, x) in [(false, 0.0), (true, 2.4)] {
            let node = JunctionNode { at: Point::new(x, 0.0), spoiled_px: 1.25 };
            put_node(&mut samples, at_end, &node, true);
        }
        assert_eq!(samples.points.len(), 4, "{:?}", samples.points);
    }
}
