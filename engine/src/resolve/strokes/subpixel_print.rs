//! Print that was rendered in sub-pixels, as screenshots show it.
//!
//! Each channel of a pixel has a coverage of its own, as if seen a third of a pixel from the next channel, so letters have colored fringes
//! and no pixel is a mixture of ground and ink. Such print is recognized by its steps: coverage goes on from channel to channel over the
//! sides of pixels, in one order of the channels only; and in every row, red is covered as much as blue. Its fringes become coverage of one
//! ink. Where pixels beyond the ground show that the print was sharpened, the strongest pixels are not its ink.

use std::ops::RangeInclusive;
use wide::f32x4;

use super::draw::DOT_REACH_PX;
use super::patch::{Candidate, InkOverPaints, PATCH_PIXEL_UNITS, Patch};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{ChannelShares, Channels, PremultipliedColor, dot, minus, plus};
use crate::raster::within_reach;
use crate::resolve::paints::PaintMap;

/// How many pixels a patch has, at least, to show whether it was rendered in sub-pixels.
///
/// Unit: pixels². Source: tuned on screenshots; smaller dots and hyphens are recognized by the print beside them.
pub(crate) const PRINT_LEAST_PX: usize = 10;

/// How many pixels of a patch, a letter or two, are enough to look at.
///
/// Unit: pixels². Source: tuned; no derivation is known.
const PRINT_MOST_PX: usize = 96;

/// How large the steps in coverage from channel to channel within a pixel are, squared, on average. Gray edges have none.
///
/// Unit: share of a pixel (coverage), squared. Source: tuned on screenshots: print has 0.02 to 0.07, with a weak filter up to 0.12.
const STEPS_SQ: RangeInclusive<f32> = 0.004..=0.13;

/// One of how many pixels overshoots, at least, in print that was sharpened.
///
/// Unit: count. Source: tuned; no derivation is known.
const LEAST_OVERSHOTS: usize = 50;

/// How far beyond the ground a channel is, at least, if it overshoots.
///
/// Unit: share (ratio) of the difference between ground and ink. Source: tuned; no derivation is known.
const OVERSHOT: f32 = 0.03;

/// One of how many pixels of sharpened print overshoots the ink: the strongest ones.
///
/// Unit: count. Source: tuned; no derivation is known.
const STRONGEST: usize = 16;

/// How many times larger the squared steps from pixel to pixel are in the wrong order of the channels than in the right one, at least.
///
/// Unit: share (ratio) of squared coverage. Source: tuned on screenshots: print has 3.5 or more, mostly 7.
const LEAST_ORDER: f32 = 3.0;

/// How much of a row's fringes may be left when red and blue ones, on both sides of each stem, cancel out.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const LARGEST_BIAS: f32 = 0.45;

/// The weights that turn the coverage of a pixel's channels into the pixel's: the middle channel's, sharpened by what the filter took from it.
///
/// Unit: share (ratio). Source: sharpening by what the usual filter over five sub-pixels takes away; they add up to 1.
const PRINT_WEIGHTS: [f32; 3] = [-1.0 / 3.0, 5.0 / 3.0, -1.0 / 3.0];

/// The colors of print.
#[derive(Clone, Copy)]
struct PrintColors {
    ground: Channels,
    ink: Channels,
}

/// The ink of a patch of print that was rendered in sub-pixels; none if it was not.
#[inline(never)]
pub(crate) fn fringed_ink(paint_map: &PaintMap<'_>, pixels: &[u32], ground: Channels) -> Option<Channels> {
    if pixels.len() < PRINT_LEAST_PX || ground[3] < 255.0 {
        return None;
    }
    let (all, pixels) = (pixels, &pixels[..pixels.len().min(PRINT_MOST_PX)]);
    // In each channel the value farthest from ground, for few pixels are covered in all channels.
    let mut ink = f32x4::new(ground);
    for &i in pixels {
        let color = f32x4::new(paint_map.pixels.channels(i as usize));
        let [here, most] = [color, ink].map(|color| (color - f32x4::new(ground)).abs());
        ink = here.simd_gt(most).select(color, ink);
    }
    let mut ink = ink.to_array();
    let mut shares = ChannelShares::new(ground, ink)?;
    let is_overshot =
        |&&i: &&u32| shares.of(paint_map.pixels.data[i as usize]).iter().any(|&share| share < -OVERSHOT);
    if pixels.iter().filter(is_overshot).count() * LEAST_OVERSHOTS > pixels.len() {
        let farthest = PrintColors { ground, ink };
        ink = [0, 1, 2, 3].map(|c| without_overshot(paint_map, pixels, c, farthest));
        shares = ChannelShares::new(ground, ink)?;
    }
    // Squared steps within pixels, and those to the next pixel in either order of the channels.
    let (mut within, mut to_next) = (0.0, [0.0; 2]);
    for i in pixels.iter().map(|&i| i as usize) {
        let [before, here] = [i.saturating_sub(1), i].map(|i| shares.of(paint_map.pixels.data[i]));
        let [r, g, b, _] = here;
        let square = |step: f32| step * step;
        within += 0.5 * (square(g - r) + square(b - g));
        to_next[0] += square(r - before[2]);
        to_next[1] += square(b - before[0]);
    }
    let count = pixels.len() as f32;
    // In the right order, coverage changes as much from pixel to pixel as within pixels, in the wrong one by more.
    if to_next[0] > to_next[1] {
        to_next.swap(0, 1);
    }
    let is_print = STEPS_SQ.contains(&(within / count))
        && to_next[1] >= LEAST_ORDER * to_next[0]
        && are_balanced(paint_map, all, &shares);
    is_print.then_some(ink)
}

/// The ink's level in channel `c`: of the pixels, the level farthest from ground, without those that overshoot.
#[inline(never)]
fn without_overshot(paint_map: &PaintMap<'_>, pixels: &[u32], c: usize, colors: PrintColors) -> f32 {
    let mut counts = [0; 256];
    pixels.iter().for_each(|&i| counts[usize::from(paint_map.pixels.data[i as usize][c])] += 1);
    let PrintColors { ground, ink: farthest } = colors;
    let (mut level, mut left) = (farthest[c] as u8, pixels.len() / STRONGEST);
    while counts[usize::from(level)] <= left {
        left -= counts[usize::from(level)];
        level = if farthest[c] < ground[c] { level.wrapping_add(1) } else { level.wrapping_sub(1) };
    }
    f32::from(level)
}

/// Whether in every row the first channel is covered about as much as the last one, for the filter spreads what a stem covers over all
/// three channels.
#[inline(never)]
fn are_balanced(paint_map: &PaintMap<'_>, pixels: &[u32], shares: &ChannelShares) -> bool {
    let width = paint_map.pixels.width as u32;
    let rows = || pixels.iter().map(|&i| i / width);
    let (top, bottom) = rows().fold((u32::MAX, 0), |(top, bottom), row| (top.min(row), bottom.max(row)));
    let mut biases = vec![0.0f32; (bottom - top + 1) as usize];
    let mut fringes = 0.0;
    for (&i, row) in pixels.iter().zip(rows()) {
        let [r, _, b, _] = shares.of(paint_map.pixels.data[i as usize]);
        biases[(row - top) as usize] += b - r;
        fringes += (b - r).abs();
    }
    biases.iter().map(|bias| bias.abs()).sum::<f32>() <= LARGEST_BIAS * fringes
}

/// Whether pixels that are too few to show how they were rendered may be a dot, a comma or a hyphen of such print: each channel is a mixture of its
/// ground and ink.
#[inline(never)]
fn is_of_print(paint_map: &PaintMap<'_>, pixels: &[u32], PrintColors { ground, ink }: PrintColors) -> bool {
    /// The coverage that a channel may have.
    ///
    /// Unit: share of a pixel (coverage). Source: 0 to 1, and a margin for rounding and the steps of the filter; tuned.
    const SHARES: RangeInclusive<f32> = -0.03..=1.03;
    let Some(shares) = ChannelShares::new(ground, ink) else { return false };
    let is_mixture = |&i: &u32| {
        let [r, g, b, _] = shares.of(paint_map.pixels.data[i as usize]);
        [r, g, b].iter().all(|share| SHARES.contains(share))
    };
    pixels.iter().all(is_mixture)
}

/// Adds patches of the candidates that are too small to show how they were rendered, but lie beside such print and are of its ink: dots,
/// commas and hyphens.
#[inline(never)]
pub(crate) fn add_dots_of_print(
    paint_map: &PaintMap<'_>,
    candidates: &[Candidate],
    patches: &mut Vec<Patch>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    if candidates.is_empty() || !patches.iter().any(|patch| patch.is_fringed) {
        return Ok(());
    }
    // For each pixel, the patch of such print that it belongs to, by its number from 1.
    let mut print_at = vec![0u32; paint_map.labels.ids.len()];
    for (number, patch) in (1..).zip(&*patches) {
        if patch.is_fringed {
            patch.pixels.iter().for_each(|&i| print_at[i as usize] = number);
        }
    }
    for Candidate { pixels } in candidates {
        meter.advance(PATCH_PIXEL_UNITS * pixels.len())?;
        let near = within_reach(pixels, paint_map.size(), DOT_REACH_PX);
        let Some(&beside) = near.iter().find(|&&j| print_at[j as usize] > 0) else { continue };
        let Patch { ref paints, ink, .. } = patches[print_at[beside as usize] as usize - 1];
        let ground = paints[0];
        if is_of_print(paint_map, pixels, PrintColors { ground: paint_map.colors[ground as usize], ink }) {
            let explained = InkOverPaints { paints: vec![ground], ink };
            patches.push(Patch::new(paint_map, pixels.clone(), explained, true));
        }
    }
    Ok(())
}

/// Makes the pixels of patches with colored fringes mixtures of ground and ink.
#[inline(never)]
pub(crate) fn remove_fringes(paint_map: &mut PaintMap<'_>, patches: &[Patch]) {
    for Patch { pixels, paints, ink, .. } in patches.iter().filter(|patch| patch.is_fringed) {
        let ground = paint_map.colors[paints[0] as usize];
        let way = minus(*ink, ground);
        let weights = [PRINT_WEIGHTS[0] / way[0], PRINT_WEIGHTS[1] / way[1], PRINT_WEIGHTS[2] / way[2], 0.0];
        for &i in pixels {
            let color = paint_map.pixels.channels(i as usize);
            let share = dot(minus(color, ground), weights);
            let mixture = plus(ground, share.clamp(0.0, 1.0), way);
            paint_map.pixels.replace(i as usize, PremultipliedColor::nearest(mixture));
        }
    }
}
