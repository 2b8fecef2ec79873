//! Recognizes what lies over the paints of a picture: noise, dither, and what compression leaves.

use super::coarse_chroma::has_coarse_chroma;
use super::ordered_dither::dither_step;
use super::quantization::{SMALLEST_SCALE, quantization_scale};
use super::sample_blocks::{Block, SIDE, sample_blocks};
use crate::algorithms::kth_smallest;
use crate::raster::Pixels;

/// One of how many blocks may be still in a noisy picture.
///
/// Unit: count. Source: blocks of paints that noise cannot change, at black and white.
const BLOCKS_PER_STILL: usize = 16;

/// Least [`roughness`] of a noisy block.
///
/// Unit: levels of one channel (0–255). Source: twice what rounding does to a ramp.
const LEAST_NOISE: u8 = 2;

/// Largest difference of two neighbors in a place that is nearly flat.
///
/// Unit: levels of one channel (0–255). Source: the ripples that weak compression leaves are lower.
const LARGEST_QUIET_STEP: u8 = 6;

/// One of how many places that are nearly but not quite flat shows a ripple, at least.
///
/// Unit: count. Source: of blurred drawings, a tenth has one of 10 or more; nearly all WebP copies of quality 50 to 90, enlarged before, have
/// one of 10.
const QUIET_PER_RIPPLE: usize = 10;

/// The scale of the table that is assumed where colors are coarse and no table of JPEG is found.
///
/// Unit: percent. Source: tried on copies in WebP of quality 75; from 35 to 70 the results are much the same.
const USUAL_SCALE: u32 = 50;

/// What lies over the paints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    /// How far pixels of one paint lie apart, in levels of a channel.
    pub range: u8,
    /// How far paints lie apart that are told from grain, in levels of a channel.
    pub apart: u8,
    /// Whether the colors of edges are blurred, as JPEG keeps them at half the size, and only luma tells where they are.
    pub has_coarse_colors: bool,
    /// Whether it is ordered dither, whose pattern goes first.
    pub is_ordered_dither: bool,
    /// The scale of JPEG's table, in percent, if it was found.
    pub jpeg_scale_percent: Option<u32>,
}

impl Grain {
    /// What lies over the paints of a clean picture.
    pub const NONE: Grain = Grain {
        range: 0,
        apart: 0,
        has_coarse_colors: false,
        is_ordered_dither: false,
        jpeg_scale_percent: None,
    };

    /// The least that is recognized: of JPEG, and about that of noise.
    pub const LEAST: Grain = Grain::of_quantization(SMALLEST_SCALE);

    /// That of compression of unknown strength.
    pub const USUAL: Grain = Grain::of_quantization(USUAL_SCALE);

    pub fn of(pixels: &Pixels) -> Option<Self> {
        let with_edges = sample_blocks(pixels, true);
        if let Some(step) = dither_step(&with_edges) {
            return Some(Grain::of_ordered_dither(step));
        }
        if let Some(scale) = quantization_scale(&with_edges) {
            return Some(Grain { jpeg_scale_percent: Some(scale), ..Grain::of_quantization(scale) });
        }
        if has_coarse_chroma(&with_edges) {
            return Some(Grain::USUAL);
        }
        noise(&sample_blocks(pixels, false)).and_then(Grain::of_noise)
    }

    /// `scale`: that of the table, in percent.
    const fn of_quantization(scale: u32) -> Self {
        // Ripples beside edges are as high as the step of the middle frequencies, which is 16 at 100 %, and rounding adds 3.
        let ripple_percent = 300 + 16 * scale;
        // Two pixels of one paint may lie on both sides of it, but hardly by the whole ripple.
        let (range, apart) = (7 * ripple_percent / 500, ripple_percent / 50);
        Grain { range: range as u8, apart: apart as u8, has_coarse_colors: true, ..Grain::NONE }
    }

    /// The variance of a pixel, summed over its channels: the range is three deviations.
    pub fn variance(&self) -> f32 {
        let range = f32::from(self.range);
        3.0 * range * range / 9.0
    }

    /// `step`: from one level to the next. Pixels lie up to half of it off their paints.
    fn of_ordered_dither(step: u8) -> Self {
        Grain { range: step / 2, apart: step / 2, is_ordered_dither: true, ..Grain::NONE }
    }

    /// `deviation`: the standard deviation of a channel, in levels. `None` if the pixels of one paint lie apart by half of all levels: no
    /// paint can be told from another.
    fn of_noise(deviation: f32) -> Option<Self> {
        let range = 3.0 * deviation;
        let grain = Grain { range: range as u8, apart: (0.8 * range) as u8, ..Grain::NONE };
        (range < 128.0).then_some(grain)
    }
}

/// Whether nearly flat places go up and down again, as compression leaves them, or down and up.
pub(super) fn has_ripples(pixels: &Pixels) -> bool {
    let (mut quiet, mut ripples) = (0, 0);
    for block in sample_blocks(pixels, true) {
        for k in 0..SIDE {
            for lines in [block[k], block.map(|row| row[k])] {
                for &[before, here, after] in lines.array_windows() {
                    for c in 0..3 {
                        let steps = [before, after].map(|other| i16::from(here[c]) - i16::from(other[c]));
                        let is_quiet =
                            steps.iter().all(|step| step.unsigned_abs() <= LARGEST_QUIET_STEP.into());
                        if is_quiet && steps != [0, 0] {
                            quiet += 1;
                            ripples += usize::from(steps[0] * steps[1] > 0);
                        }
                    }
                }
            }
        }
    }
    ripples * QUIET_PER_RIPPLE > quiet
}

/// The standard deviation of noise that is nearly everywhere.
fn noise(blocks: &[Block]) -> Option<f32> {
    let mut still = blocks.len() / BLOCKS_PER_STILL;
    if still == 0 {
        return None;
    }
    let [mut near, mut far] = [Vec::new(), Vec::new()];
    for block in blocks {
        let noise: [u8; 3] = std::array::from_fn(|c| roughness(block, c, 1));
        if noise.iter().all(|&noise| noise < LEAST_NOISE) {
            still = still.checked_sub(1)?;
        }
        for c in 0..3 {
            let clipped = block.iter().flatten().filter(|color| matches!(color[c], 0 | 255)).count();
            // Of noise that is cut off at white or black, half is seen.
            let share = if clipped > SIDE { 2.0 } else { 1.0 };
            near.push(share * f32::from(noise[c]));
            far.push(share * f32::from(roughness(block, c, 2)));
        }
    }
    let middle = near.len() / 2;
    let (near, far) = (kth_smallest(&near, middle), kth_smallest(&far, middle));
    // Noise differs as much from pixel to pixel as over two; what was drawn or photographed differs more over two. A difference of four
    // values of deviation 1 has deviation 2, and the middle of its sizes is 0.6745 of that.
    (3.0 * far <= 4.0 * near).then_some(near * 0.7413)
}

/// The middle of how much, in squares whose corners are `step` pixels apart, the changes of two rows differ: nothing on a ramp. 0 if many
/// squares show nothing, as in dots and patterns.
#[inline(never)]
fn roughness(block: &Block, channel: usize, step: usize) -> u8 {
    let mut counts = [0u8; 256];
    for (above, below) in block.iter().zip(&block[step..]) {
        let [above, below] = [above, below].map(|row| row.map(|color| i32::from(color[channel])));
        for x in step..SIDE {
            let rough = (above[x] - above[x - step] - below[x] + below[x - step]).unsigned_abs();
            counts[rough.min(255) as usize] += 1;
        }
    }
    let squares = ((SIDE - step) * (SIDE - step)) as u8;
    if counts[0] > squares / 4 {
        return 0;
    }
    let mut left = squares / 2;
    for (rough, &count) in counts.iter().enumerate() {
        if count > left {
            return rough as u8;
        }
        left -= count;
    }
    u8::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares of three paints, with noise uniform within ± `reach`.
    fn picture(reach: u32) -> Pixels<'static> {
        let (side, mut state) = (128, 1u32);
        let color = |i: usize| {
            let paint = [[255, 255, 255], [200, 40, 60], [30, 90, 140]][(i % side / 40 + i / side / 50) % 3];
            let noisy = paint.map(|channel: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (channel + (state >> 16) % (2 * reach + 1)).saturating_sub(reach).min(255) as u8
            });
            [noisy[0], noisy[1], noisy[2], 255]
        };
        let data: Vec<_> = (0..side * side).map(color).collect();
        Pixels { width: side, height: side, data: data.leak() }
    }

    #[test]
    fn noise_is_measured() {
        assert!(Grain::of(&picture(0)).is_none());
        for reach in [8, 20] {
            let range = f32::from(Grain::of(&picture(reach)).expect("noise").range);
            let expected = 3.0 * reach as f32 / 3.0f32.sqrt();
            assert!((0.6..1.5).contains(&(range / expected)), "{range} levels instead of {expected}");
        }
        assert!(Grain::of(&picture(255)).is_none(), "noise that hides everything");
    }
}
