//! One edge: takes the samples of a strand's arcs and gives one curve, cut where the arcs meet.

use super::fitter::{FitStyle, Fitter};
use super::strands::Strand;
use crate::geometry::{Curve, Cut, Point, find_cuts, into_cuttable, open_at, subcurve};
use crate::outline::{Arc, ArcSamples};

/// The arcs of a planar map, and for each its samples.
#[derive(Clone, Copy)]
pub(crate) struct SampledArcs<'a> {
    pub arcs: &'a [Arc],
    pub samples: &'a [ArcSamples],
}

/// The curve of a strand.
pub(crate) struct FittedEdge {
    /// From the start of its first arc to the end of its last.
    pub curve: Curve,
    /// Where its arcs meet, in order.
    pub cuts: Vec<Cut>,
    /// The closed curve of an edge that runs round through junctions.
    pub round: Option<Curve>,
}

/// Fits strands one after the other.
pub(crate) struct StrandFitter<'a> {
    pub arcs: SampledArcs<'a>,
    pub style: &'a FitStyle,
    pub fitter: Fitter,
}

impl StrandFitter<'_> {
    pub fn fit(&mut self, strand: &Strand) -> FittedEdge {
        match strand.steps[..] {
            [(arc, reversed)] if !strand.closed => self.fit_arc(arc as usize, reversed),
            _ => self.fit_together(strand),
        }
    }

    /// An arc that is an edge of its own.
    fn fit_arc(&mut self, arc: usize, reversed: bool) -> FittedEdge {
        let (closed, samples) = (self.arcs.arcs[arc].closed, &self.arcs.samples[arc]);
        let curve = if samples.exact {
            Curve::polyline(&samples.points, closed)
        } else {
            self.fitter.fit(&samples.points, closed, samples.noise_px, self.style)
        };
        FittedEdge::whole(if reversed { curve.reversed() } else { curve })
    }

    /// Several arcs as one curve, or one that runs on in itself.
    fn fit_together(&mut self, strand: &Strand) -> FittedEdge {
        let mut joined = StrandSamples::new(self.arcs.samples, strand);
        let curve = self.fitter.fit(&joined.points, strand.closed, joined.noise_px, self.style);
        if !strand.closed {
            let curve = into_cuttable(curve);
            let cuts = find_cuts(&curve, &joined.nodes, joined.length_px);
            return FittedEdge { curve, cuts, round: None };
        }
        let start = joined.nodes.pop().map_or(curve.start, |(start, _)| start);
        let opened = open_at(&into_cuttable(curve.clone()), start);
        let cuts = find_cuts(&opened, &joined.nodes, joined.length_px);
        FittedEdge { curve: opened, cuts, round: Some(curve) }
    }
}

impl FittedEdge {
    /// The edge of a single arc.
    pub fn whole(curve: Curve) -> Self {
        FittedEdge { curve, cuts: Vec::new(), round: None }
    }

    pub fn arc_count(&self) -> usize {
        self.cuts.len() + 1
    }

    /// The curve of `count` arcs from the one at `position`, on past the end if the edge runs round.
    pub fn part(&self, position: usize, count: usize) -> Curve {
        let end = position + count;
        if end > self.arc_count() {
            let mut curve = self.part(position, self.arc_count() - position);
            curve.segments.append(&mut self.part(0, end - self.arc_count()).segments);
            return curve;
        }
        match (position.checked_sub(1), self.cuts.get(end - 1)) {
            (None, None) => self.curve.clone(),
            (first, last) => subcurve(&self.curve, first.map(|cut| &self.cuts[cut]), last),
        }
    }
}

/// The samples of a strand's arcs, one after the other.
struct StrandSamples {
    points: Vec<Point>,
    noise_px: f32,
    length_px: f32,
    /// The junctions it runs through, and how far along it each lies, in pixels.
    nodes: Vec<(Point, f32)>,
}

impl StrandSamples {
    fn new(samples: &[ArcSamples], strand: &Strand) -> Self {
        let all = strand.steps.iter().map(|step| samples[step.0 as usize].points.len()).sum();
        let (points, nodes) = (Vec::with_capacity(all), Vec::with_capacity(strand.steps.len()));
        let mut joined = StrandSamples { points, noise_px: 0.0, length_px: 0.0, nodes };
        let (mut count, mut weight) = (0.0, 0.0);
        for &(arc, reversed) in &strand.steps {
            let ArcSamples { points, noise_px, .. } = &samples[arc as usize];
            count += points.len() as f32;
            weight += points.len() as f32 / noise_px;
            joined.extend(points, reversed);
        }
        // The harmonic mean: one noisy arc must not loosen the tolerance of the others.
        joined.noise_px = count / weight;
        joined.finish(strand.closed);
        joined
    }

    /// Adds an arc's samples. The junction where it meets the arc before was not measured and becomes a node.
    fn extend(&mut self, points: &[Point], reversed: bool) {
        let junction = self.points.pop();
        self.nodes.extend(junction.map(|node| (node, self.length_px)));
        let mut length_px = 0.0;
        for k in 0..points.len() {
            let at = |k: usize| points[if reversed { points.len() - 1 - k } else { k }];
            if k > 0 {
                length_px += (at(k) - at(k - 1)).length();
            }
            if k > 0 || junction.is_none() {
                self.points.push(at(k));
            }
        }
        self.length_px += length_px;
    }

    /// Makes the junction where the last arc of a closed strand meets the first a node.
    fn finish(&mut self, closed: bool) {
        if closed {
            self.nodes.extend(self.points.pop().map(|node| (node, self.length_px)));
            self.points.remove(0);
        }
    }
}
