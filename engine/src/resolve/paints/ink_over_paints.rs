//! Explains pixels as mixtures of an ink and its ground.

use super::paint_map::PaintMap;
use crate::color::{Channels, Mixtures, ink_tolerance_sq, projection};

/// How much of a pixel an ink covers, at most, where the ground shows.
///
/// Unit: share of a pixel (coverage). Source: tuned. Without a limit, pixels between thin strokes that lie close together go to the wrong paint.
const BARE_SHARE: f32 = 0.15;

/// The mixtures of an ink with each of several paints.
pub(crate) struct InkMixtures {
    all: Vec<InkMixture>,
}

/// The mixtures of an ink with one paint.
struct InkMixture {
    paint: u32,
    mixtures: Mixtures,
    /// How far a pixel may be off them, squared.
    tolerance_sq: f32,
}

/// The mixture that is nearest to a pixel's color.
#[derive(Clone, Copy)]
pub(crate) struct NearestMixture {
    pub paint: u32,
    /// How much of the pixel the ink covers.
    pub ink_share: f32,
    /// The squared distance from the pixel's color.
    pub residual_sq: f32,
}

impl InkMixtures {
    /// `paints` has at least one entry.
    #[inline(never)]
    pub fn new(paint_map: &PaintMap<'_>, paints: &[u32], ink: Channels) -> Self {
        let mixture = |&paint: &u32| {
            let color = paint_map.colors[paint as usize];
            InkMixture {
                paint,
                mixtures: Mixtures::new(color, ink),
                tolerance_sq: ink_tolerance_sq(color, ink),
            }
        };
        InkMixtures { all: paints.iter().map(mixture).collect() }
    }

    /// The mixture that explains pixel `i` best.
    pub fn nearest(&self, paint_map: &PaintMap<'_>, i: u32) -> NearestMixture {
        self.nearest_with_tolerance(paint_map, i).0
    }

    /// Whether pixel `i` is one of the mixtures, and which.
    pub fn nearest_explained(&self, paint_map: &PaintMap<'_>, i: u32) -> (NearestMixture, bool) {
        let (nearest, tolerance_sq) = self.nearest_with_tolerance(paint_map, i);
        (nearest, nearest.residual_sq <= tolerance_sq)
    }

    /// Whether pixel `i` is one of the mixtures.
    pub fn explain(&self, paint_map: &PaintMap<'_>, i: u32) -> bool {
        self.nearest_explained(paint_map, i).1
    }

    fn nearest_with_tolerance(&self, paint_map: &PaintMap<'_>, i: u32) -> (NearestMixture, f32) {
        let value = paint_map.pixels.channels(i as usize);
        let mut best = (&self.all[0], f32::INFINITY, 0.0);
        for mixture in &self.all {
            let (residual, share) = mixture.mixtures.nearest(value);
            if residual < best.1 {
                best = (mixture, residual, share);
            }
        }
        let (&InkMixture { paint, tolerance_sq, .. }, residual_sq, ink_share) = best;
        (NearestMixture { paint, ink_share, residual_sq }, tolerance_sq)
    }

    /// The paint that pixel `i` shows, if there is almost no ink on it and no other paint explains it.
    pub fn shown_paint(&self, paint_map: &PaintMap<'_>, i: u32) -> Option<u32> {
        let value = paint_map.pixels.channels(i as usize);
        let mut shown = None;
        for mixture in &self.all {
            let (residual, share) = mixture.mixtures.nearest(value);
            if residual <= mixture.tolerance_sq {
                if shown.is_some() || share > BARE_SHARE {
                    return None;
                }
                shown = Some(mixture.paint);
            }
        }
        shown
    }
}

/// The mixture of the ink with one of the paints that explains pixel `i` best. For many pixels of the same paints and ink,
/// [`InkMixtures`] is faster.
pub(crate) fn best_mixture(
    paint_map: &PaintMap<'_>,
    i: u32,
    paints: &[u32],
    ink: Channels,
) -> NearestMixture {
    let value = paint_map.pixels.channels(i as usize);
    let mut best = NearestMixture { paint: paints[0], ink_share: 0.0, residual_sq: f32::INFINITY };
    for &paint in paints {
        let (residual_sq, ink_share) = projection(value, paint_map.colors[paint as usize], ink);
        if residual_sq < best.residual_sq {
            best = NearestMixture { paint, ink_share, residual_sq };
        }
    }
    best
}
