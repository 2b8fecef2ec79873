//! Recognizes pictures that were enlarged.
//!
//! The enlargement by a kernel is a linear map, so a row of the enlarged picture is one that the map can give: its distance from these is
//! rounding. If the source pixels are assumed half a pixel beside their places, it is not. A clean picture is equally far from both, and
//! so is a blurred one: the smaller distance must be a small part of the other.
//!
//! The few edges of a small blurred picture may all lie, by chance, where some size of the source fits. Shrunk to it, the picture would lose
//! what does not fit. So nothing may be left over but rounding, and the picture's [grain](super::grain).
//!
//! In a picture of few colors, each pixel became the nearest of a palette. An enlargement that gives it a color to which no other of them is
//! nearer explains it as well as one that gives its very color.
//!
//! A ramp fits many sizes. So the source must have edges, the sharper the more it was enlarged.
//!
//! Factors to try come from the [periods](periodicity) by which the picture's smoothness varies.

mod periodicity;
mod resampling;
mod source_fit;

use super::grain::{Grain, has_ripples};
use super::kernel::{Kernel, KernelTable};
use super::palette::Palette;
use crate::algorithms::sorted_by_key;
use crate::raster::Pixels;
use periodicity::{Lines, Profile, frequencies};
pub(crate) use resampling::{Inverse, Resampling};
use source_fit::{Axis, Distance, Fit, LARGEST_ROUNDING_SQ, LEAST_SIDE, third};

/// Sharpness above which a picture was not enlarged.
///
/// Unit: share (ratio). Source: of 97 drawings, nearly all clean ones have 0.65 or more, nearly all enlarged by 1.5 or more less; by 1.25, a
/// tenth has more and is missed.
const MOST_SHARPNESS: f32 = 0.65;

/// The sharpness of the source of an enlarged picture, divided by the factor, is at least so small a part of [`MOST_SHARPNESS`].
///
/// Unit: count (parts). Source: ramps, taken for enlarged, reach 0.03; pictures that were blurred by 1 px and enlarged by 2 have 0.08, others
/// more.
const SOFTEST_PART: u8 = 13;

/// Largest distance from the rows that an enlargement gives, as a share of that with the source pixels half a pixel aside.
///
/// Unit: share (ratio of distances, squared). Source: tuned: mostly below 0.02 for enlarged drawings, 0.02 to 0.4 if compressed as JPEG 90
/// afterwards; wrong factors of compressed ones reach down to 0.05. Where nothing lies over a picture, the sum of the share of all lines and
/// that of the best is below 0.15 for enlarged drawings.
const MOST_ERROR: f32 = 0.25;

/// How many times [`MOST_ERROR`] a size may have by a kernel that is like all others, to be tried with all.
///
/// Unit: count. Source: black art on white, enlarged four times by Lanczos' kernel, has 2.1 at its true size.
const LIKELY_PER_MOST: u8 = 3;

/// Factors of enlargement, as sizes before and after.
///
/// Unit: share (ratio). Source: chosen: the factors from 1.25 to 8 and a little more.
const RATIOS: std::ops::RangeInclusive<f32> = 0.12..=0.81;

/// Rows, and columns, that decide.
///
/// Unit: count. Source: chosen for speed: of eight, some drawings compressed afterwards were found that six miss.
const DECIDING_LINES: usize = 6;

/// Sizes that are tried with all kernels, at most.
///
/// Unit: count. Source: chosen; with a common kernel, the true size of a drawing along a grid came third.
const MOST_LIKELY: usize = 3;

/// Frequencies that are tried.
///
/// Unit: count. Source: chosen: in a prototype with one order, 92 of 96 drawings enlarged by 1.7 had the true frequency among the best four,
/// 93 among eight.
const PEAKS: usize = 6;

/// How a picture was enlarged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enlargement {
    /// Width and height before.
    pub size: (usize, usize),
    pub kernel: Kernel,
}

impl Enlargement {
    /// `grain`: that of the enlarged picture. `has_rims`: whether it was sharpened, so that it is no enlargement itself.
    pub fn of(pixels: &Pixels<'_>, grain: Option<&Grain>, has_rims: bool) -> Option<Self> {
        if pixels.width.min(pixels.height) < 2 * LEAST_SIDE {
            return None;
        }
        let [columns, rows] = Lines::of(pixels);
        let profile = |lines| {
            let profile = Profile::of(lines, DECIDING_LINES);
            (profile.sharpness <= MOST_SHARPNESS).then_some(profile)
        };
        let profiles = [profile(&rows)?, profile(&columns)?];
        let palette = Palette::of(pixels);
        let axis = |lines, profile: &Profile| Axis::of(lines, &profile.busiest, palette.as_ref());
        let axes = [axis(&rows, &profiles[0]), axis(&columns, &profiles[1])];
        if axes.iter().all(|axis| axis.stretches.is_empty()) {
            return None;
        }
        let kernels = Kernel::ALL.map(KernelTable::new);
        // A palette's colors explain what is left by themselves.
        let grain_sq = if palette.is_some() { 0.0 } else { grain_variance(pixels, grain, has_rims) };
        let has_blocks = grain.is_some_and(|grain| grain.jpeg_scale_percent.is_some());
        let fits = likely_sizes(&axes, &profiles)
            .into_iter()
            .filter(|&[width, _]| !has_blocks || !is_that_of_blocks(width, axes[0].length))
            .flat_map(|sizes| [0, 1, 2, 3].map(|k| (Fit::of(&axes, sizes, &kernels[k], None), sizes, k)));
        let fits = fits.filter(|(fit, ..)| error(fit, grain_sq) < MOST_ERROR);
        // A larger source can give more rows, so that its error is smaller by chance.
        let chance = |(fit, sizes, _): &(Fit, [usize; 2], usize)| {
            (fit.share() + fit.whole().share()) * sizes[0] as f32
        };
        let (fit, sizes, k) = fits.min_by(|a, b| chance(a).total_cmp(&chance(b)))?;
        let sharpness = fit.whole().source_sharpness() * sizes[0] as f32 / axes[0].length as f32;
        let has_edges = f32::from(SOFTEST_PART) * sharpness >= MOST_SHARPNESS;
        if !has_edges || !leaves_only_grain(&fit, grain_sq) {
            return None;
        }
        let [width, height] = [0, 1].map(|a| axes[a].best_near(sizes[a], &kernels[k]));
        Some(Enlargement { size: (width, height), kernel: Kernel::ALL[k] })
    }
}

/// Whether it is the size whose pixels lie where a block of JPEG without its two highest frequencies could be sampled: six for eight. Blocks
/// that lost them look like six pixels enlarged to eight.
fn is_that_of_blocks(size: usize, length: usize) -> bool {
    (4 * size).abs_diff(3 * length) <= 2
}

/// Whether nothing but rounding and grain lies between the lines and what the enlargement gives.
///
/// Programs cut overshoot off after the first of two passes. So an enlargement is exact along the axis of the second pass only.
fn leaves_only_grain(fit: &Fit, grain_sq: f32) -> bool {
    let is_rounding = |lines: &Vec<Distance>| {
        third(lines, Distance::per_pixel).is_some_and(|error_sq| error_sq <= LARGEST_ROUNDING_SQ.into())
    };
    let whole = fit.whole();
    whole.tells(MOST_ERROR) && (fit.axes.iter().any(is_rounding) || whole.per_pixel() <= grain_sq)
}

/// The error as a share of that with the source half a pixel aside: of all lines, and, if nothing lies over them, of the best, too.
fn error(fit: &Fit, grain_sq: f32) -> f32 {
    let share = fit.whole().share();
    if grain_sq > Grain::LEAST.variance() { share } else { share + fit.share() }
}

/// The variance of grain, summed over the channels. Infinite for rims.
fn grain_variance(pixels: &Pixels<'_>, grain: Option<&Grain>, has_rims: bool) -> f32 {
    match grain {
        Some(grain) => grain.variance(),
        None if has_rims => f32::INFINITY,
        None if has_ripples(pixels) => Grain::USUAL.variance(),
        None => Grain::LEAST.variance(),
    }
}

/// The ratios of sizes to try: those of the strongest periods, which look alike above and below a half, and simple ones.
fn ratios(profiles: &[Profile; 2]) -> impl Iterator<Item = f32> + use<> {
    let simple = (2..=8).flat_map(|q| (1..q).map(move |p| (p, q))).filter(|&(p, q)| p == 1 || q <= 5);
    let peaks = frequencies(profiles, *RATIOS.start(), PEAKS);
    peaks
        .into_iter()
        .flat_map(|peak| [peak, 1.0 - peak])
        .chain(simple.map(|(p, q)| p as f32 / q as f32))
        .filter(|ratio| RATIOS.contains(ratio))
}

/// The widths and heights of the source, of those to try, that fit best by a kernel that is like all others.
fn likely_sizes(axes: &[Axis<'_>; 2], profiles: &[Profile; 2]) -> Vec<[usize; 2]> {
    let kernel = KernelTable::new(Kernel::LIKE_ALL);
    let likely = f32::from(LIKELY_PER_MOST) * MOST_ERROR;
    let mut tried: Vec<(f32, [usize; 2])> = Vec::new();
    for ratio in ratios(profiles) {
        let sizes = axes.each_ref().map(|axis| axis.size(ratio));
        if tried.iter().all(|known| known.1 != sizes) {
            tried.push((Fit::of(axes, sizes, &kernel, Some(likely)).share(), sizes));
        }
    }
    tried.retain(|known| known.0 < likely);
    let best_first = sorted_by_key(0..tried.len() as u32, |k| tried[k as usize].0.to_bits());
    best_first.into_iter().take(MOST_LIKELY).map(|k| tried[k as usize].1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 40;

    /// Whether a point lies in a drawing of a ring, a bar and a triangle.
    fn drawing(x: f32, y: f32) -> bool {
        let radius = ((x - 14.3) * (x - 14.3) + (y - 13.1) * (y - 13.1)).sqrt();
        let ring = (5.2..9.4).contains(&radius);
        let bar = (x * 0.8 + y * 0.6 - 38.7).abs() < 2.3 && x > 8.0;
        ring || bar || (y > 24.4 && x > 3.2 && x * 0.9 + y < 36.0)
    }

    /// The drawing with four by four samples a pixel.
    fn clean(side: usize) -> Vec<[u8; 4]> {
        let scale = SIDE as f32 / side as f32;
        let pixel = |i: usize| {
            let inside = (0..16).filter(|k| {
                let at = [i % side * 4 + k % 4, i / side * 4 + k / 4].map(|v| (v as f32 + 0.5) / 4.0 * scale);
                drawing(at[0], at[1])
            });
            let dark = inside.count() as f32 / 16.0;
            let [r, g, b] =
                [255.0, 240.0, 230.0].map(|paper: f32| (paper + dark * (20.0 - paper) + 0.5) as u8);
            [r, g, b, 255]
        };
        (0..side * side).map(pixel).collect()
    }

    fn found(data: &mut [[u8; 4]], side: usize) -> Option<Enlargement> {
        Enlargement::of(&Pixels { width: side, height: data.len() / side, data }, None, false)
    }

    /// Enlarges rows, then columns, each rounded to levels.
    fn enlarged(kernel: Kernel, to: usize) -> Vec<[u8; 4]> {
        let source = clean(SIDE);
        let map = |x: usize, color: &dyn Fn(usize) -> [u8; 4]| {
            let center = (x as f32 + 0.5) * SIDE as f32 / to as f32 - 0.5;
            let (mut sums, mut total) = ([0.0; 4], 0.0);
            for k in 0..SIDE {
                let weight = kernel.weight(center - k as f32);
                total += weight;
                for (sum, value) in sums.iter_mut().zip(color(k)) {
                    *sum += weight * f32::from(value);
                }
            }
            sums.map(|sum| (sum / total + 0.5).clamp(0.0, 255.0) as u8)
        };
        let rows: Vec<_> = (0..SIDE * to).map(|i| map(i % to, &|k| source[i / to * SIDE + k])).collect();
        (0..to * to).map(|i| map(i / to, &|k| rows[k * to + i % to])).collect()
    }

    #[test]
    fn enlarged_drawings_are_recognized() {
        for kernel in Kernel::ALL {
            for to in [50, 53, 60, 71, 80, 100, 120, 160, 240, 320] {
                let found =
                    found(&mut enlarged(kernel, to), to).unwrap_or_else(|| panic!("{kernel:?} to {to}"));
                assert_eq!((found.size, found.kernel), ((SIDE, SIDE), kernel), "to {to}");
            }
        }
    }

    /// Each channel in the nearest of few levels.
    fn reduced(mut data: Vec<[u8; 4]>, step: u8) -> Vec<[u8; 4]> {
        let level = |value: u8| (u16::from(value) + u16::from(step / 2)) / u16::from(step) * u16::from(step);
        data.iter_mut().for_each(|[r, g, b, _]| {
            [r, g, b].into_iter().for_each(|value| *value = level(*value).min(255) as u8);
        });
        data
    }

    #[test]
    fn enlarged_drawings_are_recognized_in_few_colors() {
        // Steps of levels make kinks of linear interpolation look like sharp edges.
        for kernel in Kernel::ALL.into_iter().filter(|&kernel| kernel != Kernel::Linear) {
            for to in [60, 80] {
                let mut data = reduced(enlarged(kernel, to), 16);
                let found = found(&mut data, to).unwrap_or_else(|| panic!("{kernel:?} to {to}"));
                assert_eq!(found.size, (SIDE, SIDE), "{kernel:?} to {to}");
            }
        }
        for side in 24..120 {
            assert!(found(&mut reduced(clean(side), 16), side).is_none(), "{side}");
        }
    }

    #[test]
    fn clean_drawings_are_not() {
        for side in 16..120 {
            assert!(found(&mut clean(side), side).is_none(), "{side}");
        }
    }

    /// The drawing seen through a normal distribution of about this deviation.
    fn blurred(side: usize, deviation: f32) -> Vec<[u8; 4]> {
        let mut plane: Vec<f32> = clean(side).iter().map(|color| f32::from(color[0])).collect();
        // The mean of three pixels whose outer two weigh so much has a third of the variance.
        let outer = (deviation * deviation / 6.0).min(0.5);
        for pass in 0..6 {
            let step = [1, side][pass % 2];
            let from = plane.clone();
            for i in 0..side * side {
                let place = [i % side, i / side][pass % 2];
                let before = if place > 0 { from[i - step] } else { from[i] };
                let after = if place + 1 < side { from[i + step] } else { from[i] };
                plane[i] = (1.0 - 2.0 * outer) * from[i] + outer * (before + after);
            }
        }
        plane.iter().map(|&value| [(value + 0.5) as u8, 120, 130, 255]).collect()
    }

    /// Slightly smaller, a blurred drawing has nothing to lose.
    #[test]
    fn blurred_drawings_are_not_shrunk_much() {
        for side in 24..120 {
            for deviation in [0.8, 1.0, 1.3] {
                let size = found(&mut blurred(side, deviation), side).map_or(side, |found| found.size.0);
                assert!(5 * size >= 3 * side, "{side} to {size}, blurred by {deviation}");
            }
        }
    }

    /// From a corner of the color's course on, in one direction or around a point.
    #[test]
    fn ramps_are_not() {
        for side in [48usize, 64, 96, 128] {
            for kind in 0..24 {
                let (share, is_radial) = (0.02 * kind as f32, kind % 2 == 0);
                let pixel = |i: usize| {
                    let [x, y] = [i % side, i / side].map(|v| (v as f32 + 0.5) / side as f32);
                    let from = if is_radial { ((x - share) * (x - share) + y * y).sqrt() } else { y };
                    let by = ((from - share) * 1.3).clamp(0.0, 1.0);
                    let mix = |from: f32, to: f32| (from + by * (to - from) + 0.5) as u8;
                    [mix(255.0, 0.0), mix(153.0, 40.0), mix(102.0, 90.0), 255]
                };
                let mut data: Vec<_> = (0..side * side).map(pixel).collect();
                let found = found(&mut data, side);
                assert!(found.is_none(), "{kind} of {side} pixels: {found:?}");
            }
        }
    }

    /// Rows and columns of blocks without their two highest frequencies.
    fn low_frequencies(mut plane: Vec<f32>, side: usize) -> Vec<f32> {
        let wave = |u: usize, k: usize| ((2 * k + 1) as f32 * u as f32 * std::f32::consts::PI / 16.0).cos();
        for step in [1, side] {
            for first in 0..side * side / 8 {
                let (block, line) = if step == 1 { (8, 1) } else { (8 * side, side) };
                let start = if step == 1 { first * block } else { first / side * block + first % side };
                let old: [f32; 8] = std::array::from_fn(|k| plane[start + k * line]);
                for u in [6, 7] {
                    let size = old.iter().enumerate().map(|(k, v)| v * wave(u, k)).sum::<f32>() / 4.0;
                    (0..8).for_each(|k| plane[start + k * line] -= size * wave(u, k));
                }
            }
        }
        plane
    }

    #[test]
    fn blocks_of_jpeg_are_not() {
        let side = 64;
        let plane = clean(side).iter().map(|color| f32::from(color[0])).collect();
        let level = |value: f32| (value + 0.5).clamp(0.0, 255.0) as u8;
        let mut data: Vec<_> =
            low_frequencies(plane, side).into_iter().map(|v| [level(v), 120, 130, 255]).collect();
        let pixels = Pixels { width: side, height: side, data: &mut data };
        let grain = Grain { range: 20, ..Grain::LEAST };
        let seen = |grain: Grain| Enlargement::of(&pixels, Some(&grain), false).map(|found| found.size.0);
        assert_eq!(seen(grain), Some(48));
        assert_eq!(seen(Grain { jpeg_scale_percent: Some(87), ..grain }), None);
    }

    #[test]
    fn noise_flat_paint_and_slivers_are_not() {
        let noise = |i: usize| ((i * 7919) ^ (i * i * 31)) as u8;
        assert!(
            found(
                &mut (0..64 * 64).map(|i| [noise(i), noise(i + 3), noise(i + 7), 255]).collect::<Vec<_>>(),
                64
            )
            .is_none()
        );
        assert!(found(&mut vec![[9; 4]; 64 * 64], 64).is_none());
        assert!(found(&mut vec![[9; 4]; 65_535], 65_535).is_none());
    }
}
