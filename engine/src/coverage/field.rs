//! The coverage field of an ink.

use wide::{bytemuck, f32x4};

use super::binary_levels::stretch_levels;
use super::darkness::Darkness;
use super::near_edge::pixels_near_half;
use super::supersample::{QuarterSamples, SUPERSAMPLE_MARGIN, supersample};
use crate::api::{ProgressMeter, Stopped};

/// The least coverage of a covered pixel.
pub(crate) const HALF_COVERED: u8 = 128;

/// How much of each pixel an ink covers, with four samples in each pixel near an edge.
///
/// # Guarantees
/// `coverage` has one entry for each pixel. `near` is in row order; each of its pixels has four samples, such that their soft step at one
/// half gives back the coverage of the pixel. So a stroke not much wider than half a pixel keeps its width.
pub(crate) struct Field {
    pub width: usize,
    pub height: usize,
    /// The coverage of each pixel, 0 to 255.
    pub coverage: Vec<u8>,
    /// The pixels near edges, in row order.
    pub near: Vec<u32>,
    /// For each pixel, its index in `near` plus 1, or 0 if it is not near an edge.
    slots: Vec<u32>,
    /// The samples of each pixel of `near`.
    samples: Vec<QuarterSamples>,
    /// Whether enough pixels are partly covered to show where the edges lie.
    pub antialiased: bool,
}

impl Field {
    /// The field of an image in binary mode. A pixel is near an edge if there are covered and bare pixels among it and its neighbors.
    pub fn of_darkness(darkness: Darkness, meter: &mut ProgressMeter<'_>) -> Result<Self, Stopped> {
        let Darkness { width, data: mut coverage, .. } = darkness;
        stretch_levels(&mut coverage, width);
        let near = pixels_near_half(&coverage, width);
        Field::solved(coverage, width, near, meter)
    }

    /// Solves the samples of the pixels `near`, given in row order: all pixels that are partly covered, and those around them.
    pub fn solved(
        coverage: Vec<u8>,
        width: usize,
        near: Vec<u32>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let height = coverage.len() / width;
        let antialiased = is_antialiased(&coverage, &near);
        // One buffer serves the solver and then the slots: the solver leaves 0 in all pixels that are not near.
        let mut slots = vec![0; coverage.len() + SUPERSAMPLE_MARGIN];
        let plane = antialiased.then(|| bytemuck::cast_slice_mut(&mut slots));
        let samples = supersample((&coverage, width), &near, plane, meter)?;
        meter.advance(coverage.len())?;
        slots.truncate(coverage.len());
        for (k, &pixel) in near.iter().enumerate() {
            slots[pixel as usize] = k as u32 + 1;
        }
        Ok(Field { width, height, coverage, near, slots, samples, antialiased })
    }

    /// The coverage of a pixel, 0 to 1.
    pub fn share(&self, pixel: usize) -> f32 {
        f32::from(self.coverage[pixel]) / 255.0
    }

    /// About how much of a pixel near an edge the contours enclose, 0 to 1, by the index of the pixel in `near`.
    pub fn outlined_share(&self, slot: usize) -> f32 {
        covered(&self.samples[slot], CONTOUR_STEEPNESS)
    }

    /// Sets the coverage of a pixel and its samples to 0.
    pub fn erase(&mut self, pixel: usize) {
        self.coverage[pixel] = 0;
        if let Some(slot) = self.slot(pixel) {
            self.samples[slot] = [0.0; 4];
        }
    }

    /// The index of a pixel in `near`.
    pub fn slot(&self, pixel: usize) -> Option<usize> {
        (self.slots[pixel] as usize).checked_sub(1)
    }

    /// The samples of a pixel near an edge, by its index in `near`.
    pub fn samples(&self, slot: usize) -> &QuarterSamples {
        &self.samples[slot]
    }

    /// The pixel of the sample in column `x` and row `y` of all samples, and its index in the pixel. `None` beyond the border.
    #[inline]
    pub fn pixel_at(&self, (x, y): (i32, i32)) -> Option<(usize, usize)> {
        // Negative numbers become large ones, beyond the other border, and rows beyond the image are beyond the last pixel.
        let (x, y) = (x as u32, y as u32);
        let column = (x / 2) as usize;
        let pixel = ((y / 2) as usize).wrapping_mul(self.width).wrapping_add(column);
        (column < self.width && pixel < self.slots.len()).then_some((pixel, (y % 2 * 2 + x % 2) as usize))
    }
}

/// Steepness of the soft step that stands for the contour when the area within it is estimated.
///
/// Unit: per unit of coverage. Source: tuned; no derivation is known. Steep enough to be near to the
/// contour itself.
const CONTOUR_STEEPNESS: f32 = 4.0;

/// Coverage of a pixel that counts as partly covered, when the image is tested for anti-aliasing.
///
/// Unit: coverage levels (0–255). Source: tuned; no derivation is known.
const PARTLY_COVERED: std::ops::Range<u8> = 16..240;

/// Least share of partly covered pixels among those near edges in an anti-aliased image.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const ANTIALIASED_MIXED_SHARE: f32 = 0.05;

/// How much of a pixel its samples cover, by a soft step at one half.
fn covered(samples: &QuarterSamples, steepness: f32) -> f32 {
    let steps = (f32x4::new(*samples) - f32x4::HALF) * f32x4::splat(steepness) + f32x4::HALF;
    0.25 * steps.fast_max(f32x4::ZERO).fast_min(f32x4::ONE).to_array().iter().sum::<f32>()
}

fn is_antialiased(coverage: &[u8], near: &[u32]) -> bool {
    let mixed = near.iter().filter(|&&i| PARTLY_COVERED.contains(&coverage[i as usize])).count();
    mixed as f32 > ANTIALIASED_MIXED_SHARE * near.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(rows: &[&[u8]]) -> Field {
        let coverage: Vec<u8> = rows.concat();
        let near = (0..coverage.len() as u32).collect();
        Field::solved(coverage, rows[0].len(), near, &mut ProgressMeter::idle()).unwrap()
    }

    #[test]
    fn a_stroke_that_straddles_two_rows_is_found_between_them() {
        let paper = [0; 8];
        let half = [128; 8];
        let field = field(&[&paper, &half, &half, &paper]);
        let value = |place| {
            let (pixel, place) = field.pixel_at(place).unwrap();
            field.samples(field.slot(pixel).unwrap())[place]
        };
        assert!(value((8, 3)) > 0.45, "{}", value((8, 3)));
        assert!(value((8, 3)) > value((8, 2)) + 0.1);
    }
}
