//! Which regions touch, and between which there is no edge: their boundary only cuts a ramp.

use crate::algorithms::sort;
use crate::color::distance_sq;
use crate::merge::Layers;
use crate::outline::{OUTSIDE, PlanarMap, noise_of_ramp, steps_across};
use crate::raster::Pixels;

/// The regions that touch each region.
pub(super) struct Contacts {
    /// Pairs of regions as one number, the first in the upper half, in order; each pair occurs both ways. The second region has its number
    /// doubled, plus one if the boundary only cuts a ramp.
    pairs: Vec<u64>,
    /// Where the pairs of each region end.
    ends: Vec<u32>,
}

impl Contacts {
    pub fn find(pixels: &Pixels, layers: &Layers, map: &PlanarMap) -> Self {
        let mut arcs: Vec<u64> = Vec::new();
        for arc in map.arcs.iter().filter(|arc| arc.left != OUTSIDE && arc.right != OUTSIDE) {
            let fills = [arc.left, arc.right].map(|region| layers.fills[region as usize]);
            let is_seen = fills.iter().all(|fill| fill.alpha() > 0);
            let contrast = distance_sq(fills[0].channels(), fills[1].channels()).sqrt();
            let cracks = (arc.corners.len() - usize::from(!arc.closed)) as f32;
            let is_smooth =
                is_seen && noise_of_ramp(contrast, || steps_across(pixels, arc), cracks).is_some();
            for [one, other] in [[arc.left, arc.right], [arc.right, arc.left]] {
                arcs.push(u64::from(one) << u32::BITS | u64::from(other) << 1 | u64::from(is_smooth));
            }
        }
        sort(&mut arcs, 0);
        // Of the arcs of a pair, the smooth ones come last: one is enough, since the others may be short.
        let pairs: Vec<u64> =
            arcs.chunk_by(|a, b| a >> 1 == b >> 1).map(|arcs| arcs[arcs.len() - 1]).collect();
        let mut ends = vec![0; layers.labels.count];
        for (pair, end) in pairs.iter().zip(1..) {
            ends[(pair >> u32::BITS) as usize] = end;
        }
        for id in 1..ends.len() {
            ends[id] = ends[id].max(ends[id - 1]);
        }
        Contacts { pairs, ends }
    }

    /// The regions that touch a region, and whether the boundary only cuts a ramp.
    pub fn of(&self, region: u32) -> impl Iterator<Item = (u32, bool)> {
        let first = if region == 0 { 0 } else { self.ends[region as usize - 1] };
        let pairs = &self.pairs[first as usize..self.ends[region as usize] as usize];
        pairs.iter().map(|&pair| (pair as u32 >> 1, pair & 1 == 1))
    }

    pub fn is_smooth(&self, region: u32, other: u32) -> bool {
        self.of(region).any(|(id, is_smooth)| id == other && is_smooth)
    }
}
