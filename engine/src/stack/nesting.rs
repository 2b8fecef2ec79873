//! Which region encloses which. Takes layers and the planar map, gives what painting order and holes need.

use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::merge::Layers;
use crate::outline::{OUTSIDE, PlanarMap};

/// How the regions enclose each other.
pub(crate) struct Nesting {
    /// Alpha of each region's fill.
    pub alpha: Vec<u8>,
    /// Area within each region's outer loop, including its holes.
    pub filled_area: Vec<u32>,
    /// For each loop that is a hole, whether everything inside is opaque.
    pub opaque_inside: Vec<bool>,
}

impl Nesting {
    pub fn new(layers: &Layers, map: &PlanarMap) -> Self {
        let count = layers.fills.len();
        let alpha: Vec<u8> = layers.fills.iter().map(|fill| fill.alpha()).collect();
        let mut filled_area = vec![0; count];
        for outline_loop in &map.loops {
            if outline_loop.area_px > 0 {
                filled_area[outline_loop.region as usize] = outline_loop.area_px as u32;
            }
        }
        let (siblings, holes) = sibling_groups(map, count);
        let opaque_inside = opaque_holes(&alpha, &filled_area, siblings, &holes, map.loops.len());
        Nesting { alpha, filled_area, opaque_inside }
    }
}

/// A hole, by the index of its loop, the region that it belongs to, and one of the regions that touch it from inside.
struct Hole {
    index: usize,
    owner: u32,
    inside: u32,
}

/// Groups the regions that lie in the same hole, and lists the holes.
fn sibling_groups(map: &PlanarMap, count: usize) -> (DisjointSets, Vec<Hole>) {
    let mut siblings = DisjointSets::new(count);
    let mut is_hole_side = vec![[false; 2]; map.arcs.len()];
    for outline_loop in map.loops.iter().filter(|outline_loop| outline_loop.area_px < 0) {
        for &(arc, reversed) in &outline_loop.steps {
            is_hole_side[arc as usize][usize::from(reversed)] = true;
        }
    }
    for (arc, hole_sides) in map.arcs.iter().zip(&is_hole_side) {
        if arc.left != OUTSIDE && arc.right != OUTSIDE && *hole_sides == [false; 2] {
            siblings.union(arc.left, arc.right);
        }
    }
    let mut holes = Vec::new();
    for (index, outline_loop) in
        map.loops.iter().enumerate().filter(|(_, outline_loop)| outline_loop.area_px < 0)
    {
        for &(arc, reversed) in &outline_loop.steps {
            let inside = map.arcs[arc as usize].far_side(reversed);
            siblings
                .union(inside, map.arcs[outline_loop.steps[0].0 as usize].far_side(outline_loop.steps[0].1));
            holes.push(Hole { index, owner: outline_loop.region, inside });
        }
    }
    (siblings, holes)
}

/// For each loop, whether it is a hole with only opaque regions inside.
fn opaque_holes(
    alpha: &[u8],
    filled_area: &[u32],
    mut siblings: DisjointSets,
    holes: &[Hole],
    loops: usize,
) -> Vec<bool> {
    let count = alpha.len();
    let mut owner = vec![u32::MAX; count];
    for hole in holes {
        owner[siblings.find(hole.inside) as usize] = hole.owner;
    }
    // Inner regions first: what a region encloses is smaller than its filled area.
    let inward = sorted_by_key(0..count as u32, |id| filled_area[id as usize]);
    let mut group_opaque = vec![true; count];
    let mut region_opaque: Vec<bool> = alpha.iter().map(|&a| a == 255).collect();
    for id in inward {
        let group = siblings.find(id);
        let opaque = region_opaque[id as usize];
        group_opaque[group as usize] &= opaque;
        let around = owner[group as usize];
        if around != u32::MAX {
            region_opaque[around as usize] &= opaque;
        }
    }
    let mut opaque_inside = vec![false; loops];
    for hole in holes {
        opaque_inside[hole.index] = group_opaque[siblings.find(hole.inside) as usize];
    }
    opaque_inside
}
