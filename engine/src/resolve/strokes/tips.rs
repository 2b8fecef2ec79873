//! Tips of shapes that look like small strokes.
use super::draw::StrokeBuilder;
use super::patch::Patch;
use crate::algorithms::sorted_by_key;
use crate::color::is_alike;
use crate::raster::{neighborhood, side_neighbors, within_reach};
use crate::resolve::paints::{InkMixtures, is_paint};

/// A patch of at most so many pixels may be the tip of a shape; the shape is larger by this factor.
const LARGEST_TIP_PX: usize = 8;
const SHAPE_OF_TIP: usize = 8;

/// A shape's own pixels begin at most so far from its tip, px.
const TIP_REACH_PX: u32 = 2;

/// A tip is a dead end: of the pixels around it, those covered by at least this are on one side.
const LEADS_ON: f32 = 0.3;

impl StrokeBuilder<'_, '_> {
    /// The region of a paint that narrows to a tip in a small patch, if that is all the patch is.
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
                && self.is_dead_end(patch, shape)
        })
    }

    /// Whether what is covered around a patch hangs together.
    fn is_dead_end(&self, patch: &Patch, shape: u32) -> bool {
        let color = self.paint_map.colors[shape as usize];
        let mixtures = InkMixtures::new(self.paint_map, &patch.paints, color);
        let mut around = within_reach(&patch.pixels, self.paint_map.size(), 1);
        around.retain(|&j| !patch.pixels.contains(&j) && mixtures.nearest(self.paint_map, j).2 >= LEADS_ON);
        let mut group: Vec<u32> = around.pop().into_iter().collect();
        while let Some(i) = group.pop() {
            for j in neighborhood(i, self.paint_map.size(), 1).flatten() {
                if let Some(at) = around.iter().position(|&other| other == j) {
                    group.push(around.swap_remove(at));
                }
            }
        }
        around.is_empty()
    }

    /// Gives a tip to the paints that its pixels are mixtures of: where the shape's edges meet is seen from them better than from
    /// what is left of it there. From the shape outward, so that it stays in one piece. Leaves the patch without pixels.
    pub fn give_tip(&mut self, patch: &mut Patch, shape: u32) {
        let color = self.paint_map.colors[shape as usize];
        let pixels = std::mem::take(&mut patch.pixels);
        let mixtures = InkMixtures::new(self.paint_map, &patch.paints, color);
        let nearest: Vec<_> = pixels.iter().map(|&i| mixtures.nearest(self.paint_map, i)).collect();
        let bare = |k: u32| (255.0 * (1.0 - nearest[k as usize].2)) as u32;
        for k in sorted_by_key(0..pixels.len() as u32, bare) {
            let (i, (mixture, _, share)) = (pixels[k as usize], nearest[k as usize]);
            let is_shape = share >= 0.5
                && side_neighbors(i as usize, self.paint_map.size())
                    .iter()
                    .any(|&j| self.assignment.is_of(j, shape));
            self.assignment.give(i as usize, if is_shape { shape } else { mixture.paint });
            self.taken[i as usize] = false;
        }
    }
}
