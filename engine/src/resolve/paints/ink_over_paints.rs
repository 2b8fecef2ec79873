//! Pixels as mixtures of the paints of a patch and its ink.

use super::paint_map::PaintMap;
use crate::color::{Channels, Mixtures, ink_tolerance_sq, projection};

/// Where an ink covers no more of a pixel, the paint beneath shows.
const BARE_SHARE: f32 = 0.15;

/// The mixtures of the paints of a patch, each with its ink.
pub(crate) struct InkMixtures {
    all: Vec<InkMixture>,
}

/// The mixtures of one paint and an ink.
pub(crate) struct InkMixture {
    pub paint: u32,
    mixtures: Mixtures,
    /// What a pixel may be off them, squared.
    pub tolerance_sq: f32,
}

impl InkMixtures {
    /// Of at least one paint.
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

    /// Those that best explain a pixel: squared residual, and the ink's share.
    pub fn nearest(&self, paint_map: &PaintMap<'_>, i: u32) -> (&InkMixture, f32, f32) {
        let value = paint_map.pixels.channels(i as usize);
        let mut best = (&self.all[0], f32::INFINITY, 0.0);
        for mixture in &self.all {
            let (residual, share) = mixture.mixtures.nearest(value);
            if residual < best.1 {
                best = (mixture, residual, share);
            }
        }
        best
    }

    /// The paint that a pixel shows, if there is almost no ink on it and no other paint explains it.
    pub fn shown(&self, paint_map: &PaintMap<'_>, i: u32) -> Option<u32> {
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

    /// Whether a pixel is one of the mixtures.
    pub fn explain(&self, paint_map: &PaintMap<'_>, i: u32) -> bool {
        let (mixture, residual, _) = self.nearest(paint_map, i);
        residual <= mixture.tolerance_sq
    }
}

/// Of the paints, the one that best explains a pixel as a mixture with the ink: squared residual, paint, ink's share. For many pixels of
/// the same paints and ink there are [`InkMixtures`].
pub(crate) fn best_mixture(
    paint_map: &PaintMap<'_>,
    i: u32,
    paints: &[u32],
    ink: Channels,
) -> (f32, u32, f32) {
    let value = paint_map.pixels.channels(i as usize);
    let mut best = (f32::INFINITY, paints[0], 0.0);
    for &paint in paints {
        let (residual, share) = projection(value, paint_map.colors[paint as usize], ink);
        if residual < best.0 {
            best = (residual, paint, share);
        }
    }
    best
}
