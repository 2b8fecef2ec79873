//! Which regions touch without an edge between them: their boundary only cuts a ramp.

use crate::algorithms::sort;
use crate::color::distance_sq;
use crate::merge::Layers;
use crate::outline::{OUTSIDE, PlanarMap, noise_of_ramp, steps_across};
use crate::raster::Pixels;

/// Numbers of 32 bits for each region.
pub(super) struct Lists {
    /// In order, with the region in the upper half.
    pub entries: Vec<u64>,
    /// Where those of each region start, and the end.
    starts: Vec<u32>,
}

impl Lists {
    #[inline(never)]
    pub fn new(mut entries: Vec<u64>, regions: usize) -> Self {
        sort(&mut entries, 0);
        entries.dedup();
        let mut starts = vec![0; regions + 1];
        entries.iter().for_each(|entry| starts[(entry >> u32::BITS) as usize + 1] += 1);
        for id in 0..regions {
            starts[id + 1] += starts[id];
        }
        Lists { entries, starts }
    }

    pub fn regions(&self) -> usize {
        self.starts.len() - 1
    }

    /// The places of the entries of a region.
    pub fn places(&self, region: u32) -> std::ops::Range<usize> {
        self.starts[region as usize] as usize..self.starts[region as usize + 1] as usize
    }

    pub fn of(&self, region: u32) -> impl Iterator<Item = u32> {
        self.entries[self.places(region)].iter().map(|&entry| entry as u32)
    }
}

/// The regions beside each region, if the boundary between them only cuts a ramp, or one of several boundaries does.
pub(super) fn smooth_contacts(pixels: &Pixels, layers: &Layers, map: &PlanarMap) -> Lists {
    let mut pairs: Vec<u64> = Vec::new();
    for arc in map.arcs.iter().filter(|arc| arc.left != OUTSIDE && arc.right != OUTSIDE) {
        let fills = [arc.left, arc.right].map(|region| layers.fills[region as usize]);
        let contrast = distance_sq(fills[0].channels(), fills[1].channels()).sqrt();
        let cracks = (arc.corners.len() - usize::from(!arc.closed)) as f32;
        if fills.iter().all(|fill| fill.alpha() > 0)
            && noise_of_ramp(contrast, || steps_across(pixels, arc), cracks).is_some()
        {
            let [left, right] = [arc.left, arc.right].map(u64::from);
            pairs.extend([left << u32::BITS | right, right << u32::BITS | left]);
        }
    }
    Lists::new(pairs, layers.labels.count)
}
