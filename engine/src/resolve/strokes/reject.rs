//! Strokes whose outlines do not cover what they should: their pixels are shades of several colors, and not how far an ink covers them.

use super::draw::ROOT_PX;
use super::ink_layer::{INK_LAYER_PIXEL_UNITS, SolvedInkLayer};
use super::overlay::Overlay;
use super::patch::DrawnStroke;
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;
use crate::raster::within_reach;
use crate::resolve::paints::{Assignment, PaintMap};

/// Outlines may be off what pixels say by such a share of what these leave open (how far they are from bare or covered), or by such a
/// share of all the pixels: too much is more than both of one pair. What was fitted to the pixels leaves little open.
const LARGEST: &[[f32; 2]] = &[[0.4, 0.05], [0.5, 0.0]];
/// On a single color nothing else can be meant, and small print is too fine for outlines to be near to it.
const LARGEST_ON_ONE_COLOR: &[[f32; 2]] = &[[0.55, 0.08], [0.5, 0.11]];
/// The same for what is of the ink of other print that there is no doubt of, and so many times as much.
const LARGEST_IN_PRINT: &[[f32; 2]] = &[[0.6, 0.0]];
const MUCH_PRINT: f32 = 10.0;

/// How the outlines of an ink keep to its pixels.
#[derive(Clone, Copy, Default)]
struct FitError {
    /// What they are off, in pixels.
    error: f32,
    open: f32,
    pixels: f32,
}

impl FitError {
    fn and(self, other: &FitError) -> FitError {
        let FitError { error, open, pixels } = other;
        FitError { error: self.error + error, open: self.open + open, pixels: self.pixels + pixels }
    }

    fn exceed(&self, largest: &[[f32; 2]]) -> bool {
        let FitError { error, open, pixels } = *self;
        largest.iter().any(|[of_open, of_all]| error > of_open * open && error > of_all * pixels)
    }

    /// Whether what is on one color is doubtful, by the figures of all that is of its ink.
    fn is_doubtful_among(&self, print: &FitError) -> bool {
        let is_print = || print.pixels >= MUCH_PRINT * self.pixels && !print.exceed(LARGEST_ON_ONE_COLOR);
        self.exceed(LARGEST_ON_ONE_COLOR) && (self.exceed(LARGEST_IN_PRINT) || !is_print())
    }
}

/// Takes the doubtful ones of what is drawn from the inks, and gives their pixels back.
#[inline(never)]
pub(crate) fn reject_doubtful(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    (strokes, overlay): (Vec<DrawnStroke>, &mut Overlay),
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<u32>, Stopped> {
    let mut errors = vec![FitError::default(); overlay.colors.len() + 1];
    for SolvedInkLayer { field, ink_at } in &overlay.ink_layers {
        meter.advance(INK_LAYER_PIXEL_UNITS * field.near.len())?;
        for (slot, &i) in field.near.iter().enumerate() {
            let (errors, share) = (&mut errors[ink_at[i as usize] as usize], field.share(i as usize));
            errors.error += (share - field.outlined_share(slot)).abs();
            // Not by `min`, which is a call in WebAssembly.
            errors.open += if share < 0.5 { share } else { 1.0 - share };
        }
    }
    for DrawnStroke { patch, ink } in &strokes {
        if let Some(ink) = *ink {
            errors[ink as usize].pixels += patch.pixels.len() as f32;
        }
    }
    let of_color = of_each_color(&errors, &overlay.colors);
    let mut doubtful = Vec::new();
    for DrawnStroke { patch, ink } in strokes {
        meter.advance(INK_LAYER_PIXEL_UNITS * patch.pixels.len())?;
        let is_doubtful = |&ink: &u32| {
            let (own, print) = (&errors[ink as usize], &of_color[ink as usize]);
            match patch.is_on_one_color {
                true => own.is_doubtful_among(print),
                false => own.exceed(LARGEST),
            }
        };
        let Some(ink) = ink.filter(is_doubtful) else {
            overlay.pixels.extend(patch.pixels);
            continue;
        };
        for &i in &patch.pixels {
            assignment.give_back(&paint_map.labels, i as usize);
        }
        for j in within_reach(&patch.pixels, paint_map.size(), ROOT_PX) {
            overlay.ink_layers.iter_mut().for_each(|ink_layer| ink_layer.erase(j as usize, ink));
        }
        doubtful.extend(patch.pixels);
    }
    Ok(doubtful)
}

/// For each ink, by its number from 1, the figures of all that are of its color.
fn of_each_color(errors: &[FitError], colors: &[PremultipliedColor]) -> Vec<FitError> {
    let color = |ink: u32| u32::from_le_bytes(colors[ink as usize - 1].0);
    let mut whole = errors.to_vec();
    let (mut start, mut sum) = (0, FitError::default());
    let by_color = sorted_by_key(1..errors.len() as u32, color);
    for (k, &ink) in by_color.iter().enumerate() {
        sum = sum.and(&errors[ink as usize]);
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

    fn errors(error: f32, open: f32, pixels: f32) -> FitError {
        FitError { error, open, pixels }
    }

    #[test]
    fn a_doubtful_word_stays_among_print_of_its_ink() {
        let (ink, other) = (PremultipliedColor([10, 20, 60, 255]), PremultipliedColor([200, 0, 0, 255]));
        let (word, print, shades) =
            (errors(4.1, 8.0, 33.0), errors(140.0, 400.0, 1400.0), errors(300.0, 400.0, 1400.0));
        let of_color = |all: &[FitError; 4]| of_each_color(all, &[ink, other, ink]);
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
