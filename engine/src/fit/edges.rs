use std::borrow::Cow;

use super::{FIT_UNITS, FitStyle, Fitter};
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stage, Stopped};
use crate::geometry::{Curve, Cut, Point, find_cuts, into_cuttable, open_at, subcurve};
use crate::outline::{Arc, ArcEnd, ArcSamples, Continuations, NOISE_STAIRCASE_PX};
use crate::parallel::Work;

/// An arc, and whether it is walked from its end to its start.
pub(crate) type ArcStep = (u32, bool);

/// What laying one arc takes, in the units of [`ProgressMeter`].
pub(crate) const STACK_UNITS: usize = 256;

/// The curves of all arcs. Arcs that run on in each other are one edge with one curve, cut where the junctions are.
///
/// # Guarantees
/// The curves of arcs that meet in a junction end in the same point there, bit for bit.
pub(crate) struct Edges {
    edges: Vec<FittedEdge>,
    /// For each arc, where it lies.
    places: Vec<ArcPosition>,
    fitted: bool,
}

struct FittedEdge {
    /// From the start of its first arc to the end of its last.
    curve: Curve,
    /// Where its arcs meet, in order.
    cuts: Vec<Cut>,
    /// The closed curve of an edge that runs round through junctions.
    round: Option<Curve>,
}

#[derive(Clone, Copy, Default)]
struct ArcPosition {
    edge: u32,
    position: u32,
    reversed: bool,
}

/// Fits each edge as a whole.
pub(crate) fn fit_edges(
    arcs: &[Arc],
    samples: &[ArcSamples],
    continuations: &Continuations,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Edges, Stopped> {
    let units = |arc: u32| FIT_UNITS * samples[arc as usize].points.len();
    meter.begin(Stage::Fit, (0..arcs.len() as u32).map(|arc| units(arc) + STACK_UNITS).sum())?;
    let strands = strands(arcs.len() as u32, continuations);
    let fit_strand = |strand: &Strand, fitter: &mut Fitter| match strand.steps[..] {
        [(arc, reversed)] if !strand.closed => {
            alone(&arcs[arc as usize], &samples[arc as usize], reversed, (style, fitter))
        }
        _ => together(samples, strand, (style, fitter)),
    };
    let begin = || {
        let (fit_strand, mut fitter) = (&fit_strand, Fitter::new());
        move |strand: &Strand| fit_strand(strand, &mut fitter)
    };
    let strand_units = |strand: &&Strand| strand.steps.iter().map(|step| units(step.0)).sum();
    let fitted = Work { units: strand_units, begin }.run(strands.iter(), meter)?;
    let mut edges = Edges { edges: fitted, places: places(arcs.len(), &strands), fitted: true };
    edges.close_junctions(arcs, &strands);
    Ok(edges)
}

/// Every arc for itself, from sample to sample.
pub(crate) fn straight_edges(arcs: &[Arc], samples: &[ArcSamples]) -> Edges {
    let polyline = |(arc, samples): (&Arc, &ArcSamples)| Curve::polyline(&samples.points, arc.closed);
    let place = |arc| ArcPosition { edge: arc, position: 0, reversed: false };
    Edges {
        edges: arcs.iter().zip(samples).map(polyline).map(FittedEdge::whole).collect(),
        places: (0..arcs.len() as u32).map(place).collect(),
        fitted: false,
    }
}

/// Arcs that run on in each other.
struct Strand {
    steps: Vec<ArcStep>,
    /// The last arc runs on in the first.
    closed: bool,
}

fn strands(arcs: u32, continuations: &Continuations) -> Vec<Strand> {
    let mut taken = vec![false; arcs as usize];
    let mut strands = Vec::new();
    // Those with ends first; what is left runs round.
    for runs_round in [false, true] {
        for arc in 0..arcs {
            let is_start = |&end: &ArcEnd| runs_round || continuations.of(end).is_none();
            let start = [(arc, false), (arc, true)].into_iter().find(is_start);
            if let Some(start) = start.filter(|_| !taken[arc as usize]) {
                strands.push(strand(start, continuations, &mut taken));
            }
        }
    }
    strands
}

/// Walks from an end of an arc as far as arcs run on.
fn strand(start: ArcEnd, continuations: &Continuations, taken: &mut [bool]) -> Strand {
    let mut steps = Vec::new();
    let mut next = Some(start);
    while let Some((arc, at_end)) = next.filter(|end| !taken[end.0 as usize]) {
        taken[arc as usize] = true;
        steps.push((arc, at_end));
        next = continuations.of((arc, !at_end));
    }
    Strand { steps, closed: next.is_some() }
}

fn places(arcs: usize, strands: &[Strand]) -> Vec<ArcPosition> {
    let mut places = vec![ArcPosition::default(); arcs];
    for (edge, strand) in strands.iter().enumerate() {
        for (position, &(arc, reversed)) in strand.steps.iter().enumerate() {
            places[arc as usize] = ArcPosition { edge: edge as u32, position: position as u32, reversed };
        }
    }
    places
}

fn alone(
    arc: &Arc,
    samples: &ArcSamples,
    reversed: bool,
    (style, fitter): (&FitStyle, &mut Fitter),
) -> FittedEdge {
    let curve = if samples.exact {
        Curve::polyline(&samples.points, arc.closed)
    } else {
        fitter.fit(&samples.points, arc.closed, samples.noise_px, style)
    };
    FittedEdge::whole(if reversed { curve.reversed() } else { curve })
}

fn together(
    samples: &[ArcSamples],
    strand: &Strand,
    (style, fitter): (&FitStyle, &mut Fitter),
) -> FittedEdge {
    let mut chain = StrandSamples::new(samples, strand);
    let curve = fitter.fit(&chain.points, strand.closed, chain.noise_px, style);
    if !strand.closed {
        let curve = into_cuttable(curve);
        let cuts = find_cuts(&curve, &chain.nodes, chain.length_px);
        return FittedEdge { curve, cuts, round: None };
    }
    let start = chain.nodes.pop().map_or(curve.start, |(start, _)| start);
    let opened = open_at(&into_cuttable(curve.clone()), start);
    let cuts = find_cuts(&opened, &chain.nodes, chain.length_px);
    FittedEdge { curve: opened, cuts, round: Some(curve) }
}

/// The samples of a strand.
struct StrandSamples {
    points: Vec<Point>,
    noise_px: f32,
    length_px: f32,
    /// The junctions that it runs through, and how far along each lies, px.
    nodes: Vec<(Point, f32)>,
}

impl StrandSamples {
    fn new(samples: &[ArcSamples], strand: &Strand) -> Self {
        let all = strand.steps.iter().map(|step| samples[step.0 as usize].points.len()).sum();
        let (points, nodes) = (Vec::with_capacity(all), Vec::with_capacity(strand.steps.len()));
        let mut chain = StrandSamples { points, noise_px: 0.0, length_px: 0.0, nodes };
        let (mut count, mut weight) = (0.0, 0.0);
        for &(arc, reversed) in &strand.steps {
            let ArcSamples { points, noise_px, .. } = &samples[arc as usize];
            count += points.len() as f32;
            weight += points.len() as f32 / noise_px;
            chain.extend(points, reversed);
        }
        // The harmonic mean: a noisy arc must not loosen what is asked of the others.
        chain.noise_px = count / weight;
        chain.end(strand.closed);
        chain
    }

    /// Adds an arc's samples; where it meets the one before, nothing was measured.
    fn extend(&mut self, points: &[Point], reversed: bool) {
        let met = self.points.pop();
        self.nodes.extend(met.map(|node| (node, self.length_px)));
        let added = self.points.len();
        self.points.extend_from_slice(points);
        if reversed {
            self.points[added..].reverse();
        }
        self.length_px +=
            self.points[added..].windows(2).map(|pair| (pair[1] - pair[0]).length()).sum::<f32>();
        if met.is_some() {
            self.points.remove(added);
        }
    }

    /// The same where the last arc meets the first.
    fn end(&mut self, closed: bool) {
        if closed {
            self.nodes.extend(self.points.pop().map(|node| (node, self.length_px)));
            self.points.remove(0);
        }
    }
}

impl FittedEdge {
    fn whole(curve: Curve) -> Self {
        FittedEdge { curve, cuts: Vec::new(), round: None }
    }

    fn arcs(&self) -> usize {
        self.cuts.len() + 1
    }

    /// The curve of `count` arcs from the one at `position`, on past the end where it runs round.
    fn part(&self, position: usize, count: usize) -> Cow<'_, Curve> {
        let end = position + count;
        if end > self.arcs() {
            let mut curve = self.part(position, self.arcs() - position).into_owned();
            curve.segments.extend_from_slice(&self.part(0, end - self.arcs()).segments);
            return Cow::Owned(curve);
        }
        match (position.checked_sub(1), self.cuts.get(end - 1)) {
            (None, None) => Cow::Borrowed(&self.curve),
            (first, last) => Cow::Owned(subcurve(&self.curve, first.map(|cut| &self.cuts[cut]), last)),
        }
    }
}

impl Edges {
    /// Whether they may lie beside the pixels' sides.
    pub fn are_fitted(&self) -> bool {
        self.fitted
    }

    /// How many arcs there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Fits an arc that is an edge of its own again, nearer to its samples.
    #[inline(never)]
    pub fn fit_closely(&mut self, arc: u32, samples: &ArcSamples, (fitter, style): (&mut Fitter, &FitStyle)) {
        /// This part of the noise: bands of ramps then no longer cross others' edges, and still are loose enough to cost few bytes.
        const CLOSE: f32 = 1.0 / 3.0;
        let noise_px = (CLOSE * samples.noise_px).max(NOISE_STAIRCASE_PX);
        let ArcPosition { edge, reversed, .. } = self.places[arc as usize];
        let edge = &mut self.edges[edge as usize];
        if !edge.cuts.is_empty() || edge.round.is_some() {
            return;
        }
        let curve = fitter.fit(&samples.points, edge.curve.closed, noise_px, style);
        let mut curve = if reversed { curve.reversed() } else { curve };
        if !curve.closed {
            curve.move_start(edge.curve.start);
            curve.move_end(edge.curve.end());
        }
        edge.curve = curve;
    }

    /// Whether the edge of the one step runs on in the next.
    pub fn runs_on(&self, step: ArcStep, next: ArcStep) -> bool {
        let (a, b) = (self.places[step.0 as usize], self.places[next.0 as usize]);
        let (backward, backward_next) = (a.reversed != step.1, b.reversed != next.1);
        let (from, to) = if backward { (b, a) } else { (a, b) };
        let edge = &self.edges[a.edge as usize];
        let follows = from.position + 1 == to.position
            || (edge.round.is_some() && from.position as usize + 1 == edge.arcs() && to.position == 0);
        a.edge == b.edge && backward == backward_next && follows
    }

    /// The curve of steps each of which runs on in the next.
    pub fn run(&self, steps: &[ArcStep]) -> Cow<'_, Curve> {
        let (first, last) = (steps[0], steps[steps.len() - 1]);
        let place = self.places[first.0 as usize];
        let edge = &self.edges[place.edge as usize];
        if place.reversed == first.1 {
            edge.part(place.position as usize, steps.len())
        } else {
            let part = edge.part(self.places[last.0 as usize].position as usize, steps.len());
            Cow::Owned(part.into_owned().reversed())
        }
    }

    /// The closed curve of an edge that runs round through all of these steps and back.
    pub fn round(&self, steps: &[ArcStep]) -> Option<Curve> {
        let place = self.places[steps[0].0 as usize];
        let edge = &self.edges[place.edge as usize];
        let follows = |i: usize| self.runs_on(steps[i], steps[(i + 1) % steps.len()]);
        let round =
            edge.round.as_ref().filter(|_| steps.len() == edge.arcs() && (0..steps.len()).all(follows))?;
        let round = round.clone();
        Some(if place.reversed == steps[0].1 { round } else { round.reversed() })
    }

    /// Puts the ends of edges that meet another on it: where that was fitted past the junction, only now it is known.
    fn close_junctions(&mut self, arcs: &[Arc], strands: &[Strand]) {
        let key = |(arc, at_end): ArcEnd| arcs[arc as usize].corner_key(at_end);
        let mut nodes: Vec<(u32, Point)> = Vec::new();
        for (edge, strand) in self.edges.iter().zip(strands) {
            let ends = strand.steps.iter().map(|&(arc, reversed)| key((arc, !reversed)));
            let places = edge.cuts.iter().map(|cut| cut.point);
            let places = places.chain(edge.round.as_ref().map(|_| edge.curve.start));
            nodes.extend(ends.zip(places));
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
