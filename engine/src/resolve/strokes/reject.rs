//! Takes back strokes whose outlines do not cover what their pixels say: such pixels are shades of several colors, not an ink's coverage.

use super::draw::ROOT_PX;
use super::ink_layer::{INK_LAYER_PIXEL_UNITS, SolvedInkLayer};
use super::inks::Inks;
use super::patch::DrawnStroke;
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;
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

/// The limits for a stroke on one color among much print of its ink that keeps to its own limits.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const LIMITS_IN_PRINT: &[ErrorLimits] = &[ErrorLimits { of_partial: 0.6, of_all: 0.0 }];

/// How many times as many pixels as a stroke the print of its ink has, at least, if it is much.
///
/// Unit: share (ratio) of areas. Source: tuned; no derivation is known.
const MUCH_PRINT: f32 = 10.0;

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
    fn plus(self, other: &FitError) -> FitError {
        let FitError { error, partial, pixels } = other;
        FitError { error: self.error + error, partial: self.partial + partial, pixels: self.pixels + pixels }
    }

    fn exceeds(&self, limits: &[ErrorLimits]) -> bool {
        let FitError { error, partial, pixels } = *self;
        let exceeds_both =
            |limits: &ErrorLimits| error > limits.of_partial * partial && error > limits.of_all * pixels;
        limits.iter().any(exceeds_both)
    }

    /// Whether a stroke on one color is doubtful. `print`: the sum for all strokes of its ink.
    fn is_doubtful_among(&self, print: &FitError) -> bool {
        let is_print = || print.pixels >= MUCH_PRINT * self.pixels && !print.exceeds(LIMITS_ON_ONE_COLOR);
        self.exceeds(LIMITS_ON_ONE_COLOR) && (self.exceeds(LIMITS_IN_PRINT) || !is_print())
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
    strokes: Vec<DrawnStroke>,
    inks: &mut Inks,
    meter: &mut ProgressMeter<'_>,
) -> Result<JudgedPixels, Stopped> {
    let mut errors = vec![FitError::default(); inks.colors.len() + 1];
    for SolvedInkLayer { field, ink_at } in &inks.layers {
        meter.advance(INK_LAYER_PIXEL_UNITS * field.near.len())?;
        for (slot, &i) in field.near.iter().enumerate() {
            let (errors, share) = (&mut errors[ink_at[i as usize] as usize], field.share(i as usize));
            errors.error += (share - field.outlined_share(slot)).abs();
            // Not by `min`, which is a call in WebAssembly.
            errors.partial += if share < 0.5 { share } else { 1.0 - share };
        }
    }
    for DrawnStroke { patch, ink } in &strokes {
        if let Some(ink) = *ink {
            errors[ink as usize].pixels += patch.pixels.len() as f32;
        }
    }
    let print_errors = sums_by_color(&errors, &inks.colors);
    let (mut covered, mut doubtful) = (Vec::new(), Vec::new());
    for DrawnStroke { patch, ink } in strokes {
        meter.advance(INK_LAYER_PIXEL_UNITS * patch.pixels.len())?;
        let is_doubtful = |&ink: &u32| {
            let (own, print) = (&errors[ink as usize], &print_errors[ink as usize]);
            match patch.is_on_one_color {
                true => own.is_doubtful_among(print),
                false => own.exceeds(LIMITS),
            }
        };
        let Some(ink) = ink.filter(is_doubtful) else {
            covered.extend(patch.pixels);
            continue;
        };
        for &i in &patch.pixels {
            assignment.give_back(&paint_map.labels, i as usize);
        }
        for j in within_reach(&patch.pixels, paint_map.size(), ROOT_PX) {
            inks.layers.iter_mut().for_each(|layer| layer.erase(j as usize, ink));
        }
        doubtful.extend(patch.pixels);
    }
    Ok(JudgedPixels { covered, doubtful })
}

/// For each ink, by its number, the sum over all inks of its color.
fn sums_by_color(errors: &[FitError], colors: &[PremultipliedColor]) -> Vec<FitError> {
    let color = |ink: u32| u32::from_le_bytes(colors[ink as usize - 1].0);
    let mut whole = errors.to_vec();
    let (mut start, mut sum) = (0, FitError::default());
    let by_color = sorted_by_key(1..errors.len() as u32, color);
    for (k, &ink) in by_color.iter().enumerate() {
        sum = sum.plus(&errors[ink as usize]);
        if by_color.get(k + 1).is_none_or(|&next| color(next) != color(ink)) {
            by_color[start..=k].iter().for_each(|&ink| whole[ink as usize] = sum);
            (start, sum) = (k + 1, FitError::default());
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(error: f32, partial: f32, pixels: f32) -> FitError {
        FitError { error, partial, pixels }
    }

    #[test]
    fn a_doubtful_word_stays_among_print_of_its_ink() {
        let (ink, other) = (PremultipliedColor([10, 20, 60, 255]), PremultipliedColor([200, 0, 0, 255]));
        let (word, print, shades) =
            (errors(4.1, 8.0, 33.0), errors(140.0, 400.0, 1400.0), errors(300.0, 400.0, 1400.0));
        let of_color = |all: &[FitError; 4]| sums_by_color(all, &[ink, other, ink]);
        let among_print = of_color(&[FitError::default(), word, shades, print]);
        assert!(word.is_doubtful_among(&word));
        assert!(!word.is_doubtful_among(&among_print[1]));
        assert!(word.is_doubtful_among(&among_print[2]));
        assert_eq!(among_print[1].pixels, 1433.0);
        assert_eq!(among_print[2].pixels, shades.pixels);
        // Nor where that is doubtful itself, or little, or the word can be no print at all.
        let among_shades = of_color(&[FitError::default(), word, print, shades]);
        assert!(word.is_doubtful_among(&among_shades[1]));
        assert!(word.is_doubtful_among(&errors(20.0, 80.0, 300.0)));
        assert!(errors(5.0, 8.0, 33.0).is_doubtful_among(&among_print[1]));
    }
}
