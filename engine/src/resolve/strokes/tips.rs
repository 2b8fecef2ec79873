//! Gives the tips of shapes that look like small strokes back to their shapes.
//!
//! A tip is a few pixels beside a much larger region of their color. The edges of the shape say more precisely than the outline of
//! an ink where they meet.

use super::draw::StrokeBuilder;
use super::patch::Patch;
use crate::algorithms::sorted_by_key;
use crate::color::is_alike;
use crate::raster::{side_neighbors, within_reach};
use crate::resolve::paints::{InkMixtures, NearestMixture, is_paint};

/// How many pixels a tip has, at most.
///
/// Unit: pixels². Source: tuned; no derivation is known.
const LARGEST_TIP_PX: usize = 8;

/// How many times larger than its tip a shape is, at least.
///
/// Unit: share (ratio) of areas. Source: tuned; no derivation is known.
const SHAPE_OF_TIP: usize = 8;

/// How far a shape's own pixels are from its tip, at most.
///
/// Unit: pixels. Source: as far as mixed pixels look for a paint.
const TIP_REACH_PX: u32 = 2;

impl StrokeBuilder<'_, '_> {
    /// The paint whose tip a patch is; none if it is no tip.
    pub fn shape_of_tip(&self, patch: &Patch) -> Option<u32> {
        if patch.pixels.len() > LARGEST_TIP_PX || !patch.is_on_one_color {
            return None;
        }
        let mut shape = None;
        for j in within_reach(&patch.pixels, self.paint_map.size(), TIP_REACH_PX) {
            let label = self.assignment.of(j as usize);
            if is_paint(label) && is_alike(self.paint_map.colors[label as usize], patch.ink) {
                if self.taken[j as usize] || shape.is_some_and(|shape| shape != label) {
                    return None;
                }
                shape = Some(label);
            }
        }
        shape.filter(|&shape| {
            self.paint_map.areas[shape as usize] as usize >= SHAPE_OF_TIP * patch.pixels.len()
        })
    }

    /// Gives the pixels of a tip to the paints that they are mixtures of: from the shape outward, so that the shape stays connected.
    pub fn give_tip(&mut self, tip: &Patch, shape: u32) {
        let color = self.paint_map.colors[shape as usize];
        let Patch { pixels, paints, .. } = tip;
        let mixtures = InkMixtures::new(self.paint_map, paints, color);
        let nearest: Vec<_> = pixels.iter().map(|&i| mixtures.nearest(self.paint_map, i)).collect();
        let bare = |k: u32| (255.0 * (1.0 - nearest[k as usize].ink_share)) as u32;
        for k in sorted_by_key(0..pixels.len() as u32, bare) {
            let (i, NearestMixture { paint, ink_share, .. }) = (pixels[k as usize], nearest[k as usize]);
            let is_shape = ink_share >= 0.5
                && side_neighbors(i as usize, self.paint_map.size())
                    .iter()
                    .any(|&j| self.assignment.of(j) == shape);
            self.assignment.give(i as usize, if is_shape { shape } else { paint });
            self.taken[i as usize] = false;
        }
    }
}
