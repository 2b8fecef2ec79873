//! Gradients over a gradient: highlights and shadows are drawn as one color, more or less opaque, over a shape.
//!
//! What lies beneath and above one of the gradients is known while it is fitted, so that is done as if it were alone: pixels tell its opacity.

use super::fit::Fit;
use super::samples::{MOST_SAMPLES, Sample, some};
use crate::color::{Channels, dot, minus, mixture, plus, times};

/// The least share of what lies beneath that is looked at.
///
/// Unit: count (parts). Source: of a smaller one, a level shows nothing.
const THROUGH_PART: u8 = 255;

/// How often an axis is improved.
///
/// Unit: count. Source: bounds the time; fits of clean gradients end before.
pub(super) const STEPS: usize = 6;

/// A gradient, the lowest or over others.
#[derive(Clone)]
pub(super) struct Layer {
    /// Of the lowest, its colors; of others, in the first channel, their opacity.
    pub fit: Fit,
    /// The color of one that lies over others.
    pub color: Channels,
}

impl Layer {
    /// The colors of one that lies over others, as premultiplied colors of its stops.
    pub fn premultiplied(&self) -> Fit {
        let mut fit = self.fit.clone();
        fit.colors = fit.colors.map(|[alpha, ..]| times(alpha / 255.0, self.color));
        fit
    }

    fn opacities(&self, samples: &[Sample]) -> impl Iterator<Item = f32> {
        self.fit.colors_in(samples).into_iter().map(|[alpha, ..]| (alpha / 255.0).clamp(0.0, 1.0))
    }
}

/// The colors of gradients over each other in some pixels.
pub(super) fn colors_in(layers: &[Layer], samples: &[Sample]) -> Vec<Channels> {
    let mut colors = layers[0].fit.colors_in(samples);
    for layer in &layers[1..] {
        for (color, share) in colors.iter_mut().zip(layer.opacities(samples)) {
            *color = mixture(*color, layer.color, share);
        }
    }
    colors
}

/// Whether a pixel of some alpha is opaque.
pub(super) fn is_opaque(alpha: f32) -> bool {
    alpha > 254.5
}

/// The squared error that gradients over each other leave in some pixels, beyond what means nothing.
pub(super) fn error_of(layers: &[Layer], samples: &[Sample]) -> f32 {
    let colors = colors_in(layers, samples);
    let errors = samples.iter().zip(colors).map(|(sample, color)| sample.error_of(color));
    errors.sum()
}

/// What one of the gradients is to be fitted to, if the others stay.
#[inline(never)]
pub(super) fn share_of(layers: &[Layer], which: usize, samples: &[Sample]) -> Vec<Sample> {
    let mut left = samples.to_vec();
    for layer in layers[which + 1..].iter().rev() {
        for (sample, share) in left.iter_mut().zip(layer.opacities(samples)) {
            let through = (1.0 - share).max(1.0 / f32::from(THROUGH_PART));
            sample.color = times(1.0 / through, plus(sample.color, -share, layer.color));
            sample.scale(through * through);
        }
    }
    if which > 0 {
        let beneath = colors_in(&layers[..which], samples);
        for (sample, beneath) in left.iter_mut().zip(beneath) {
            let toward = minus(layers[which].color, beneath);
            let length_sq = dot(toward, toward).max(1.0);
            let share = dot(minus(sample.color, beneath), toward) / length_sq;
            sample.color = [255.0 * share.clamp(0.0, 1.0), 0.0, 0.0, 0.0];
            sample.scale(length_sq / (255.0 * 255.0));
        }
    }
    left
}

/// The color of a further gradient that would explain most of the error: as far from what lies beneath as colors go. `None` where the image is
/// translucent.
pub(super) fn color_over(layers: &[Layer], samples: &[Sample]) -> Option<Channels> {
    let colors = colors_in(layers, samples);
    let apart: Vec<_> =
        samples.iter().zip(&colors).map(|(sample, &color)| minus(sample.color, color)).collect();
    // The direction in which most is missing.
    let energy = |k: usize| samples[k].weight * dot(apart[k], apart[k]);
    let mut along = apart[(0..apart.len()).max_by(|&a, &b| energy(a).total_cmp(&energy(b)))?];
    let (mut beneath, mut weight) = ([0.0; 4], f32::MIN_POSITIVE);
    for _ in 0..2 {
        let mut sum = [0.0; 4];
        (beneath, weight) = ([0.0; 4], f32::MIN_POSITIVE);
        for ((sample, color), &apart) in samples.iter().zip(&colors).zip(&apart) {
            let by = sample.weight * dot(along, apart).max(0.0);
            sum = plus(sum, by, apart);
            beneath = plus(beneath, by, *color);
            weight += by;
        }
        along = times(1.0 / weight, sum);
    }
    let beneath = times(1.0 / weight, beneath);
    let mut most = f32::INFINITY;
    for (from, by) in beneath.into_iter().zip(along).take(3) {
        let room = if by > 0.0 { 255.0 - from } else { from };
        most = most.min(room.max(0.0) / by.abs().max(f32::MIN_POSITIVE));
    }
    let color @ [.., alpha] = plus(beneath, most, along);
    (is_opaque(beneath[3].min(alpha)) && most.is_finite())
        .then(|| color.map(|channel| channel.clamp(0.0, 255.0)))
}

/// Improves gradients over each other, from the uppermost on.
#[inline(never)]
pub(super) fn refit(layers: &mut [Layer], samples: &[Sample]) {
    if layers.len() > 1 {
        recolor(layers, samples);
    }
    refine(layers, samples, false);
}

/// Improves the axes and the colors of gradients over each other, from the uppermost on, and the stops within if they move.
fn refine(layers: &mut [Layer], samples: &[Sample], moves_stops: bool) {
    for k in (0..layers.len()).rev() {
        let share = share_of(layers, k, samples);
        layers[k].fit.refine(&share, moves_stops, STEPS);
    }
}

/// How many numbers are fitted, the colors of stops among them.
pub(super) fn unknowns(layers: &[Layer], moves_stops: bool) -> usize {
    layers.iter().map(|Layer { fit, .. }| fit.unknowns(moves_stops) + fit.count).sum()
}

/// Fits gradients over each other to other pixels, from where they are on, and the places of their stops with them. They stay if that does not
/// lower the error, or if the pixels are too few to tell.
pub(super) fn fit_to(layers: &mut Vec<Layer>, samples: &[Sample]) {
    let few = some(samples.iter(), samples.len(), MOST_SAMPLES);
    if few.len() <= unknowns(layers, true) {
        return;
    }
    let mut next = layers.clone();
    refine(&mut next, &few, true);
    if error_of(&next, &few) < error_of(layers, &few) {
        *layers = next;
    }
}

/// Finds the colors of gradients over each other from more pixels, from the uppermost on. They stay if the pixels are too few to tell.
pub(super) fn fit_colors(layers: &mut [Layer], samples: &[Sample]) {
    if samples.len() <= unknowns(layers, false) {
        return;
    }
    for k in (0..layers.len()).rev() {
        let share = share_of(layers, k, samples);
        layers[k].fit.fit_colors(&share);
    }
}

/// Gives the uppermost gradient its best color, as opaque as it is.
fn recolor(layers: &mut [Layer], samples: &[Sample]) {
    let Some((last, below)) = layers.split_last_mut() else { return };
    let (mut sum, mut weight) = ([0.0; 4], f32::MIN_POSITIVE);
    for ((sample, color), share) in samples.iter().zip(colors_in(below, samples)).zip(last.opacities(samples))
    {
        let by = sample.weight * share;
        sum = plus(sum, by, plus(sample.color, share - 1.0, color));
        weight += by * share;
    }
    // Where it covers nothing, its color means nothing.
    if weight > 1.0 {
        let [r, g, b, _] = times(1.0 / weight, sum).map(|channel| channel.clamp(0.0, 255.0));
        last.color = [r, g, b, 255.0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Axis, Point};
    use crate::shade::freedom::Freedom;

    /// Pixels of a row from `first` on, each a level brighter than the one before.
    fn ramp(first: u8, count: u8) -> Vec<Sample> {
        let sample = |k: u8| Sample {
            at: Point::new(f32::from(k) + 0.5, f32::from(k % 3) + 0.5),
            color: [f32::from(first + k), 60.0, 90.0, 255.0],
            weight: 1.0,
            allowed: 0.0,
        };
        (0..count).map(sample).collect()
    }

    fn fitted(samples: &[Sample]) -> Vec<Layer> {
        let axis = Axis { rows: Axis::CIRCLE, ..Axis::default() };
        let mut layers = vec![Layer { fit: Fit::new(axis, Freedom::Direction), color: [0.0; 4] }];
        refit(&mut layers, samples);
        layers
    }

    #[test]
    fn gradients_are_fitted_to_the_pixels_that_they_have_then() {
        let (before, then) = (ramp(20, 60), ramp(24, 60));
        let mut layers = fitted(&before);
        assert!(error_of(&layers, &then) > 60.0 * 15.0);
        fit_to(&mut layers, &then);
        assert!(error_of(&layers, &then) < 1.0);
    }

    #[test]
    fn colors_follow_from_more_pixels_and_axes_stay() {
        let mut layers = fitted(&ramp(20, 60));
        let before = layers[0].fit.axis;
        let then = ramp(24, 200);
        fit_colors(&mut layers, &then);
        assert!(error_of(&layers, &then) < 1.0);
        assert_eq!(layers[0].fit.axis.rows, before.rows);
    }

    #[test]
    fn too_few_pixels_change_nothing() {
        let mut layers = fitted(&ramp(20, 60));
        let then = ramp(24, 8);
        let error = error_of(&layers, &then);
        fit_to(&mut layers, &then);
        fit_colors(&mut layers, &then);
        assert_eq!(error_of(&layers, &then), error);
    }
}
