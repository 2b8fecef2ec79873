//! Extends the paints beside a stroke under its ink.

use super::draw::StrokeBuilder;
use super::patch::Patch;
use crate::color::Channels;
use crate::raster::side_neighbors;
use crate::resolve::paints::{InkMixtures, best_mixture, is_paint};

impl StrokeBuilder<'_, '_> {
    /// Gives a patch's pixels to the paints beside it, from its edge inward, except for pixels that show their paint. A pixel under
    /// the ink does not show its paint, and where paints are bands of a ramp, each pixel at the edge would fit several.
    pub fn extend_paints(&mut self, patch: &Patch) {
        let mut left: Vec<u32> = patch.pixels.clone();
        if !patch.is_on_one_color {
            let mixtures = InkMixtures::new(self.paint_map, &patch.paints, patch.ink);
            left.retain(|&i| {
                let shown = mixtures.shown_paint(self.paint_map, i);
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

    /// Of the paints beside a pixel, the one that explains it best as a mixture with the ink.
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
            ref paints => Some(best_mixture(self.paint_map, i, paints, ink).paint),
        }
    }
}
