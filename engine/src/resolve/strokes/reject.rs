//! Takes back strokes whose outlines do not cover what their pixels say: such pixels are shades of several colors, not an ink's coverage.

use super::draw::ROOT_PX;
use super::ink_layer::{INK_LAYER_PIXEL_UNITS, SolvedInkLayer};
use super::inks::Inks;
use super::patch::Patch;
use crate::api::{ProgressMeter, Stopped};
use crate::raster::within_reach;
use crate::resolve::paints::{Assignment, PaintMap};

/// The limits of a stroke's coverage error. It is rejected if the error exceeds both limits of a pair.
#[derive(Clone, Copy)]
struct ErrorLimits {
    /// As a share of the partial coverage, which is how far pixels are from bare or covered, whichever is nearer.
    of_partial: f32,
    /// As a share of all pixels. Strokes fitted to the pixel grid have little partial coverage.
    of_all: f32,
}

/// The limits for a stroke between paints of several colors.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const LIMITS: &[ErrorLimits] =
    &[ErrorLimits { of_partial: 0.4, of_all: 0.05 }, ErrorLimits { of_partial: 0.5, of_all: 0.0 }];

/// The limits for a stroke on one color. They are wider, for it can hardly be anything else, and small print is too fine for outlines to be
/// near to its pixels.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const LIMITS_ON_ONE_COLOR: &[ErrorLimits] =
    &[ErrorLimits { of_partial: 0.55, of_all: 0.08 }, ErrorLimits { of_partial: 0.5, of_all: 0.11 }];

/// How far the outlines of an ink are from the coverage of its pixels.
#[derive(Clone, Copy, Default)]
struct FitError {
    /// The difference in coverage, in pixels.
    error: f32,
    /// The partial coverage, in pixels.
    partial: f32,
    /// The number of pixels of its strokes.
    pixels: f32,
}

impl FitError {
    fn exceeds(&self, limits: &[ErrorLimits]) -> bool {
        let FitError { error, partial, pixels } = *self;
        let exceeds_both =
            |limits: &ErrorLimits| error > limits.of_partial * partial && error > limits.of_all * pixels;
        limits.iter().any(exceeds_both)
    }
}

/// The pixels of strokes.
pub(crate) struct JudgedPixels {
    /// Those of strokes that stay.
    pub covered: Vec<u32>,
    /// Those of strokes that were taken back: they are open.
    pub doubtful: Vec<u32>,
}

/// Erases the inks of doubtful strokes and gives their pixels back to their own regions.
#[inline(never)]
pub(crate) fn reject_doubtful(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    patches: &[Patch],
    inks: &mut Inks,
    meter: &mut ProgressMeter<'_>,
) -> Result<JudgedPixels, Stopped> {
    let mut errors = vec![FitError::default(); inks.colors.len() + 1];
    for SolvedInkLayer { field, ink_at, .. } in &inks.layers {
        meter.advance(INK_LAYER_PIXEL_UNITS * field.near.len())?;
        for (slot, &i) in field.near.iter().enumerate() {
            let (errors, share) = (&mut errors[ink_at[i as usize] as usize], field.share(i as usize));
            errors.error += (share - field.outlined_share(slot)).abs();
            // Not by `min`, which is a call in WebAssembly.
            errors.partial += if share < 0.5 { share } else { 1.0 - share };
        }
    }
    // The number of the topmost ink at the first pixel of each patch that has one, or 0 where no ink is drawn. Mostly that is the patch's own.
    // A patch that lies under another stroke, or was too small to be drawn beside one, is kept or rejected with that stroke.
    let mut numbers = Vec::with_capacity(patches.len());
    for patch in patches {
        let ink = patch.pixels.iter().find_map(|&i| inks.topmost(i as usize)).unwrap_or(0);
        errors[ink as usize].pixels += patch.pixels.len() as f32;
        numbers.push(ink);
    }
    let (mut covered, mut doubtful) = (Vec::new(), Vec::new());
    for (patch, ink) in patches.iter().zip(numbers) {
        meter.advance(INK_LAYER_PIXEL_UNITS * patch.pixels.len())?;
        let limits = if patch.is_on_one_color { LIMITS_ON_ONE_COLOR } else { LIMITS };
        if ink == 0 || !errors[ink as usize].exceeds(limits) {
            covered.extend_from_slice(&patch.pixels);
            continue;
        }
        for &i in &patch.pixels {
            assignment.give_back(&paint_map.labels, i as usize);
        }
        for j in within_reach(&patch.pixels, paint_map.size(), ROOT_PX) {
            inks.layers.iter_mut().for_each(|layer| layer.erase(j as usize, ink));
        }
        doubtful.extend_from_slice(&patch.pixels);
    }
    Ok(JudgedPixels { covered, doubtful })
}
