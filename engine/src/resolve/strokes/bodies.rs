//! Adds to a patch the regions of its ink's color that touch it: the wide parts of a letter, so that the letter is drawn in one piece.

use super::draw::StrokeBuilder;
use super::patch::Patch;
use crate::raster::neighborhood;
use crate::resolve::paints::{InkMixtures, is_paint};

/// How many times larger than its stroke a body is, at most.
///
/// Unit: share (ratio) of areas. Source: tuned; no derivation is known. A body is no larger than the ground, either: small images were
/// painted over by one.
const LARGEST_BODY: usize = 100;

/// How large a body may be besides, however small its stroke is.
///
/// Unit: pixels². Source: tuned; no derivation is known.
const LEAST_BODY_PX: usize = 64;

/// How many of a body's pixels are mixtures of paint and ink, at least.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const BODY_SHARE: f32 = 0.85;

impl StrokeBuilder<'_, '_> {
    /// Adds to a patch on a single paint the regions of its ink's color that touch it, and the mixed pixels around these.
    pub fn absorb_bodies(&mut self, patch: &mut Patch) {
        if !patch.is_on_one_color {
            return;
        }
        let ground: usize =
            patch.paints.iter().map(|&paint| self.paint_map.areas[paint as usize] as usize).sum();
        let most = ground.min(LARGEST_BODY * patch.pixels.len() + LEAST_BODY_PX);
        let mut body = Vec::new();
        let mut fits = patch.pixels.iter().all(|&i| self.spread(i, patch, most, &mut body));
        let mut next = 0;
        while fits && next < body.len() {
            fits = body.len() <= most && self.spread(body[next], patch, most, &mut body);
            next += 1;
        }
        let is_explained = || {
            let mixtures = InkMixtures::new(self.paint_map, &patch.paints, patch.ink);
            let explained = body.iter().filter(|&&i| mixtures.explain(self.paint_map, i)).count();
            explained as f32 >= BODY_SHARE * body.len() as f32
        };
        if !fits || body.len() > most || !is_explained() {
            for &i in &body {
                self.taken[i as usize] = false;
            }
            return;
        }
        let label = |i: u32| self.paint_map.labels.ids[i as usize];
        if let Some(&pure) = body.iter().find(|&&i| is_paint(label(i))) {
            patch.ink = self.paint_map.colors[label(pure) as usize];
        }
        patch.pixels.extend(body);
    }

    /// Takes the neighbors of a pixel that are of the ink's color, and the mixed neighbors of such a pixel. Returns false where one is
    /// part of a region that is larger than a body may be.
    fn spread(&mut self, i: u32, patch: &Patch, most: usize, body: &mut Vec<u32>) -> bool {
        let is_pure = is_paint(self.paint_map.labels.ids[i as usize]);
        // The paint met last, and whether it is of the ink's color.
        let mut met = (u32::MAX, false);
        let mut joins = |label: u32| {
            if !is_paint(label) {
                return is_pure;
            }
            if met.0 != label {
                met = (label, patch.is_of_ink(self.paint_map, self.paint_map.colors[label as usize]));
            }
            met.1
        };
        let size = self.paint_map.size();
        let mut take = |j: u32| {
            let label = self.paint_map.labels.ids[j as usize];
            if self.taken[j as usize] || !joins(label) {
                return true;
            }
            if is_paint(label) && self.paint_map.areas[label as usize] as usize > most {
                return false;
            }
            self.taken[j as usize] = true;
            body.push(j);
            true
        };
        neighborhood(i, size, 1).all(|mut row| row.all(&mut take))
    }
}
