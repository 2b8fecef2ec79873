//! Which region encloses which. Takes layers and the planar map, gives what painting order and holes need.

use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::fit::ArcStep;
use crate::merge::Layers;
use crate::outline::{Loop, OUTSIDE, PlanarMap};

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
        let inside = |&(arc, reversed): &ArcStep| map.arcs[arc as usize].far_side(reversed);
        let mut filled_area = vec![0; count];
        // Regions that lie in the same hole.
        let mut siblings = DisjointSets::new(count);
        let mut is_of_hole = vec![false; map.arcs.len()];
        for Loop { region, steps, area_px } in &map.loops {
            if *area_px >= 0 {
                filled_area[*region as usize] = *area_px as u32;
                continue;
            }
            for step in steps {
                is_of_hole[step.0 as usize] = true;
                siblings.union(inside(step), inside(&steps[0]));
            }
        }
        for (arc, is_of_hole) in map.arcs.iter().zip(is_of_hole) {
            if arc.left != OUTSIDE && arc.right != OUTSIDE && !is_of_hole {
                siblings.union(arc.left, arc.right);
            }
        }
        // The region that each group lies in, by its root.
        let mut owner = vec![OUTSIDE; count];
        // For each loop, the root of what lies inside, if it is a hole.
        let mut roots = vec![OUTSIDE; map.loops.len()];
        for (Loop { region, steps, area_px }, root) in map.loops.iter().zip(&mut roots) {
            if *area_px < 0 {
                *root = siblings.find(inside(&steps[0]));
                owner[*root as usize] = *region;
            }
        }
        // Inner regions first: what a region encloses is smaller than its filled area.
        let inward = sorted_by_key(0..count as u32, |id| filled_area[id as usize]);
        let mut is_group_opaque = vec![true; count];
        let mut is_opaque: Vec<bool> = alpha.iter().map(|&alpha| alpha == 255).collect();
        for id in inward {
            let group = siblings.find(id) as usize;
            let opaque = is_opaque[id as usize];
            is_group_opaque[group] &= opaque;
            if owner[group] != OUTSIDE {
                is_opaque[owner[group] as usize] &= opaque;
            }
        }
        let is_root_opaque = |&root: &u32| is_group_opaque.get(root as usize) == Some(&true);
        let opaque_inside = roots.iter().map(is_root_opaque).collect();
        Nesting { alpha, filled_area, opaque_inside }
    }
}
