//! Strands: takes the arcs of the planar map and which of them run on in each other, gives the runs of arcs
//! that are one edge.

use crate::outline::{ArcEnd, Continuations};

/// An arc, and whether it is walked from its end to its start.
pub(crate) type ArcStep = (u32, bool);

/// Arcs that run on in each other.
pub(crate) struct Strand {
    pub steps: Vec<ArcStep>,
    /// Whether the last arc runs on in the first.
    pub closed: bool,
}

/// Finds the strands of `arcs` arcs; each arc belongs to one.
pub(crate) fn find_strands(arcs: u32, continuations: &Continuations) -> Vec<Strand> {
    let mut taken = vec![false; arcs as usize];
    let mut strands = Vec::new();
    // Strands with ends first; what remains runs round.
    for runs_round in [false, true] {
        for arc in 0..arcs {
            let is_start = |&end: &ArcEnd| runs_round || continuations.of(end).is_none();
            let start = [(arc, false), (arc, true)].into_iter().find(is_start);
            if let Some(start) = start.filter(|_| !taken[arc as usize]) {
                strands.push(walk(start, continuations, &mut taken));
            }
        }
    }
    strands
}

/// Walks from an end of an arc as far as arcs run on.
fn walk(start: ArcEnd, continuations: &Continuations, taken: &mut [bool]) -> Strand {
    let mut steps = Vec::new();
    let mut next = Some(start);
    while let Some((arc, at_end)) = next.filter(|end| !taken[end.0 as usize]) {
        taken[arc as usize] = true;
        steps.push((arc, at_end));
        next = continuations.of((arc, !at_end));
    }
    Strand { steps, closed: next.is_some() }
}
