//! Which paints run on under an ink.
use super::draw::StrokeBuilder;
use super::patch::Patch;
use crate::color::Channels;
use crate::raster::side_neighbors;
use crate::resolve::paints::{InkMixtures, best_mixture, is_paint};

impl StrokeBuilder<'_, '_> {
    /// Gives a patch's pixels to the paints beside it, from its edge inward, but for those that show theirs: what the ink covers tells
    /// of no paint, and where the paints are bands of a ramp, its edges tell of too many.
    pub fn extend_paints(&mut self, patch: &Patch) {
        let mut left: Vec<u32> = patch.pixels.clone();
        if !patch.is_on_one_color {
            let mixtures = InkMixtures::new(self.paint_map, &patch.paints, patch.ink);
            left.retain(|&i| {
                let shown = mixtures.shown(self.paint_map, i);
                if let Some(paint) = shown {
                    self.assignment.give(i as usize, paint);
                    self.taken[i as usize] = false;
                }
                shown.is_none()
            });
        }
        loop {
            let found: Vec<(u32, Option<u32>)> =
                left.iter().map(|&i| (i, self.paint_beside(i, patch.ink))).collect();
            left.clear();
            for &(i, paint) in &found {
                match paint {
                    Some(paint) => {
                        self.assignment.give(i as usize, paint);
                        self.taken[i as usize] = false;
                    }
                    None => left.push(i),
                }
            }
            if left.is_empty() || left.len() == found.len() {
                return;
            }
        }
    }

    /// Of the paints on the sides of a pixel, the one that best explains it as a mixture with the ink.
    fn paint_beside(&self, i: u32, ink: Channels) -> Option<u32> {
        let (mut paints, mut count) = ([0; 4], 0);
        for j in side_neighbors(i as usize, self.paint_map.size()) {
            let owner = self.assignment.of(j);
            if !self.taken[j] && !paints[..count].contains(&owner) && is_paint(owner) {
                paints[count] = owner;
                count += 1;
            }
        }
        match paints[..count] {
            [] => None,
            [paint] => Some(paint),
            ref paints => Some(best_mixture(self.paint_map, i, paints, ink).1),
        }
    }
}
