use wide::{bytemuck, f32x4};

use super::binary_levels::stretch_levels;
use super::darkness::Darkness;
use super::near_edge::pixels_near_half;
use super::supersample::{QuarterSamples, SUPERSAMPLE_MARGIN, supersample};
use crate::api::{ProgressMeter, Stopped};

/// The least coverage of a pixel that counts as covered.
pub(crate) const HALF_COVERED: u8 = 128;

/// Coverage of an ink, solved to half a pixel along its edges.
///
/// Every pixel near an edge has four samples at its quarter points. They begin as the interpolated coverage and are
/// corrected, a few times, by what the pixel that they stand for would be lacking: back-projection (Irani and Peleg,
/// "Improving resolution by image registration", 1991), with a soft step in place of the values themselves, so that
/// a stroke not much wider than half a pixel keeps its width.
pub(crate) struct Field {
    pub width: usize,
    pub height: usize,
    /// Coverage of each pixel, 0 to 255.
    pub coverage: Vec<u8>,
    /// The pixels near edges, in row order.
    pub near: Vec<u32>,
    /// One more than a pixel's index in `near`; 0 for those not near an edge.
    slots: Vec<u32>,
    /// For each of `near`: top left, top right, bottom left, bottom right.
    samples: Vec<QuarterSamples>,
    /// Whether there are pixels between bare and covered, to tell where the edges lie.
    pub antialiased: bool,
}

impl Field {
    /// The darkness of a picture in binary mode; near an edge is what has both sides of one half in its neighborhood.
    pub fn of_darkness(darkness: Darkness, meter: &mut ProgressMeter<'_>) -> Result<Self, Stopped> {
        let Darkness { width, data: mut coverage, .. } = darkness;
        stretch_levels(&mut coverage, width);
        let near = pixels_near_half(&coverage, width);
        Field::solved(coverage, width, near, meter)
    }

    /// `near` are the pixels to be solved, in row order: all that are neither bare nor covered, and those around them.
    pub fn solved(
        coverage: Vec<u8>,
        width: usize,
        near: Vec<u32>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let height = coverage.len() / width;
        let antialiased = is_antialiased(&coverage, &near);
        // One plane serves the solver and then the slots: its numbers are not made others, but for those near.
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

    /// Coverage of a pixel, 0 to 1.
    pub fn share(&self, pixel: usize) -> f32 {
        f32::from(self.coverage[pixel]) / 255.0
    }

    /// How much of a pixel near an edge the outlines will cover, 0 to 1, by its index in `near`.
    pub fn outlined_share(&self, slot: usize) -> f32 {
        /// Steep enough to be near to the outline itself.
        const HARD: f32 = 4.0;
        covered(&self.samples[slot], HARD)
    }

    /// Leaves a pixel bare.
    pub fn erase(&mut self, pixel: usize) {
        self.coverage[pixel] = 0;
        if let Some(slot) = self.slot(pixel) {
            self.samples[slot] = [0.0; 4];
        }
    }

    /// The pixel's index in `near`.
    pub fn slot(&self, pixel: usize) -> Option<usize> {
        (self.slots[pixel] as usize).checked_sub(1)
    }

    /// The samples of a pixel near an edge, by its index in `near`: top left, top right, bottom left, bottom right.
    pub fn samples(&self, slot: usize) -> &[f32; 4] {
        &self.samples[slot]
    }

    /// The pixel that a place of the lattice of samples is in, and which of its samples it is; none beyond the border.
    #[inline]
    pub fn pixel_at(&self, (x, y): (i32, i32)) -> Option<(usize, usize)> {
        // What is negative is beyond the other border, too, and rows beyond are beyond the last pixel.
        let (x, y) = (x as u32, y as u32);
        let column = (x / 2) as usize;
        let pixel = ((y / 2) as usize).wrapping_mul(self.width).wrapping_add(column);
        (column < self.width && pixel < self.slots.len()).then_some((pixel, (y % 2 * 2 + x % 2) as usize))
    }
}

/// How much of a pixel its samples cover, by a soft step about one half.
fn covered(samples: &QuarterSamples, steepness: f32) -> f32 {
    let steps = (f32x4::new(*samples) - f32x4::HALF) * f32x4::splat(steepness) + f32x4::HALF;
    0.25 * steps.fast_max(f32x4::ZERO).fast_min(f32x4::ONE).to_array().iter().sum::<f32>()
}

fn is_antialiased(coverage: &[u8], near: &[u32]) -> bool {
    const ANTIALIASED_MIXED_SHARE: f32 = 0.05;
    let mixed = near.iter().filter(|&&i| (16..240).contains(&coverage[i as usize])).count();
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
