//! The curves of all arcs: takes arcs, their samples and which of them run on in each other, gives one curve
//! an edge.
//!
//! Each arc is fitted once, for both of its sides: two fits of one edge would differ, and leave gaps or
//! overlaps.

use super::fitted_edge::{FittedEdge, StrandFitter};
use super::fitter::{FIT_UNITS, FitStyle, Fitter};
use super::strands::{Strand, find_strands};
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stage, Stopped};
use crate::geometry::{Curve, Point};
use crate::outline::{Arc, ArcEnd, ArcSamples, Continuations};
use crate::parallel::Work;

pub(crate) use super::fitted_edge::SampledArcs;
pub(crate) use super::strands::ArcStep;

/// The work of stacking one arc, in the units of [`ProgressMeter`].
pub(crate) const STACK_UNITS: usize = 256;

/// The curves of all arcs. Arcs that run on in each other are one edge with one curve, which is cut at the
/// junctions.
///
/// # Guarantees
/// The curves of arcs that meet in a junction end in the same point there, bit for bit.
pub(crate) struct Edges {
    edges: Vec<FittedEdge>,
    /// For each arc, its place in the edges.
    places: Vec<ArcPosition>,
}

#[derive(Clone, Copy, Default)]
struct ArcPosition {
    edge: u32,
    position: u32,
    reversed: bool,
}

/// Fits each edge as a whole.
pub(crate) fn fit_edges(
    arcs: SampledArcs<'_>,
    continuations: &Continuations,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Edges, Stopped> {
    let count = arcs.arcs.len();
    let units = |arc: u32| FIT_UNITS * arcs.samples[arc as usize].points.len();
    meter.begin(Stage::Fit, (0..count as u32).map(|arc| units(arc) + STACK_UNITS).sum())?;
    let strands = find_strands(count as u32, continuations);
    let begin = || {
        let mut fitter = StrandFitter { arcs, style, fitter: Fitter::new() };
        move |strand: &Strand| fitter.fit(strand)
    };
    let strand_units = |strand: &&Strand| strand.steps.iter().map(|step| units(step.0)).sum();
    let fitted = Work { units: strand_units, begin }.run(strands.iter(), meter)?;
    let mut edges = Edges { edges: fitted, places: list_places(count, &strands) };
    edges.close_junctions(arcs.arcs, &strands);
    Ok(edges)
}

/// Every arc as an edge of its own, with lines from sample to sample.
pub(crate) fn straight_edges(arcs: &[Arc], samples: &[ArcSamples]) -> Edges {
    let polyline = |(arc, samples): (&Arc, &ArcSamples)| Curve::polyline(&samples.points, arc.closed);
    let place = |arc| ArcPosition { edge: arc, position: 0, reversed: false };
    Edges {
        edges: arcs.iter().zip(samples).map(polyline).map(FittedEdge::whole).collect(),
        places: (0..arcs.len() as u32).map(place).collect(),
    }
}

/// Lists the place of each arc in the strands.
fn list_places(arcs: usize, strands: &[Strand]) -> Vec<ArcPosition> {
    let mut places = vec![ArcPosition::default(); arcs];
    for (edge, strand) in strands.iter().enumerate() {
        for (position, &(arc, reversed)) in strand.steps.iter().enumerate() {
            places[arc as usize] = ArcPosition { edge: edge as u32, position: position as u32, reversed };
        }
    }
    places
}

impl Edges {
    /// The number of arcs.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Whether the edge of a step runs on in the next step.
    pub fn runs_on(&self, step: ArcStep, next: ArcStep) -> bool {
        let (a, b) = (self.places[step.0 as usize], self.places[next.0 as usize]);
        let (backward, backward_next) = (a.reversed != step.1, b.reversed != next.1);
        let (from, to) = if backward { (b, a) } else { (a, b) };
        let edge = &self.edges[a.edge as usize];
        let follows = from.position + 1 == to.position
            || (edge.round.is_some() && from.position as usize + 1 == edge.arc_count() && to.position == 0);
        a.edge == b.edge && backward == backward_next && follows
    }

    /// The curve of some steps, each of which runs on in the next.
    pub fn curve(&self, steps: &[ArcStep]) -> Curve {
        let (first, last) = (steps[0], steps[steps.len() - 1]);
        let place = self.places[first.0 as usize];
        let edge = &self.edges[place.edge as usize];
        if place.reversed == first.1 {
            edge.part(place.position as usize, steps.len())
        } else {
            edge.part(self.places[last.0 as usize].position as usize, steps.len()).reversed()
        }
    }

    /// The closed curve of an edge that runs round through exactly these steps.
    pub fn closed_curve(&self, steps: &[ArcStep]) -> Option<Curve> {
        let place = self.places[steps[0].0 as usize];
        let edge = &self.edges[place.edge as usize];
        let follows = |i: usize| self.runs_on(steps[i], steps[(i + 1) % steps.len()]);
        let round = edge
            .round
            .as_ref()
            .filter(|_| steps.len() == edge.arc_count() && (0..steps.len()).all(follows))?;
        let round = round.clone();
        Some(if place.reversed == steps[0].1 { round } else { round.reversed() })
    }

    /// Moves the ends of edges onto the edges that run on through their junctions: how these pass is known
    /// only after they have been fitted.
    fn close_junctions(&mut self, arcs: &[Arc], strands: &[Strand]) {
        let key = |(arc, at_end): ArcEnd| arcs[arc as usize].corner_key(at_end);
        let mut nodes: Vec<(u32, Point)> = Vec::new();
        for (edge, strand) in self.edges.iter().zip(strands) {
            for (k, &(arc, reversed)) in strand.steps.iter().enumerate() {
                let around = edge.round.as_ref().map(|_| edge.curve.start);
                let node = edge.cuts.get(k).map(|cut| cut.point).or(around);
                nodes.extend(node.map(|node| (key((arc, !reversed)), node)));
            }
        }
        let order = sorted_by_key(0..nodes.len() as u32, |k| nodes[k as usize].0);
        let node = |end: ArcEnd| {
            let found = order.binary_search_by_key(&key(end), |&k| nodes[k as usize].0).ok()?;
            Some(nodes[order[found] as usize].1)
        };
        for (edge, strand) in self.edges.iter_mut().zip(strands) {
            let (first, last) = (strand.steps[0], strand.steps[strand.steps.len() - 1]);
            if strand.closed || arcs[first.0 as usize].closed {
                continue;
            }
            if let Some(node) = node(first) {
                edge.curve.move_start(node);
            }
            if let Some(node) = node((last.0, !last.1)) {
                edge.curve.move_end(node);
            }
        }
    }
}
