use std::ops::RangeInclusive;
use wide::f32x4;

use crate::color::{ChannelShares, Channels, PremultipliedColor, dot, minus, plus};
use crate::resolve::paints::PaintMap;

/// A patch of fewer pixels does not show whether it was rendered in sub-pixels.
pub(crate) const PRINT_LEAST_PX: usize = 10;

/// The first so many, which are a letter or two, show it of all.
const PRINT_MOST_PX: usize = 96;

/// So large are the steps of the shares from channel to channel within a pixel, squared, on average. Gray edges have none, and a filter keeps
/// those of print from 0.02 to 0.07, a weak one up to 0.12.
const STEPS_SQ: RangeInclusive<f32> = 0.004..=0.13;

/// Print was sharpened where a channel of more than one in so many pixels goes beyond paper by this share of the way to ink. Ink was
/// overshot there, too: by the strongest one in so many pixels.
const LEAST_OVERSHOTS: usize = 50;
const OVERSHOT: f32 = 0.03;
const STRONGEST: usize = 16;

/// From the last channel of a pixel to the first of the next it is a third of a pixel, too: the step is not larger, but by chance,
/// or where edges lie between pixels.
const LARGEST_LEAP: f32 = 3.5;

/// In the wrong order of the channels it is, by this factor at least; of print by three and a half or more, mostly by seven.
const LEAST_ORDER: f32 = 3.0;

/// In every row fringes of both senses, on both sides of each stem, cancel out, but for this share of them.
const LARGEST_BIAS: f32 = 0.45;

/// What turns the shares of a pixel's channels into its coverage: the middle one's, made sharper by what a filter of five sub-pixels,
/// the usual one, took from it.
const PRINT_WEIGHTS: [f32; 3] = [-1.0 / 3.0, 5.0 / 3.0, -1.0 / 3.0];

/// The ink of a patch of print on paper that was rendered in sub-pixels: each channel of a pixel is a mixture of paper and ink for itself,
/// as if seen a third of a pixel from the next one.
#[inline(never)]
pub(crate) fn fringed_ink(paint_map: &PaintMap<'_>, pixels: &[u32], paper: Channels) -> Option<Channels> {
    if pixels.len() < PRINT_LEAST_PX || paper[3] < 255.0 {
        return None;
    }
    let (all, pixels) = (pixels, &pixels[..pixels.len().min(PRINT_MOST_PX)]);
    // In each channel what is farthest from paper: in few pixels all of them are covered.
    let mut ink = f32x4::new(paper);
    for &i in pixels {
        let color = f32x4::new(paint_map.pixels.channels(i as usize));
        let [here, most] = [color, ink].map(|color| (color - f32x4::new(paper)).abs());
        ink = here.simd_gt(most).select(color, ink);
    }
    let mut ink = ink.to_array();
    let mut shares = ChannelShares::new(paper, ink)?;
    let is_overshot =
        |&&i: &&u32| shares.of(paint_map.pixels.data[i as usize]).iter().any(|&share| share < -OVERSHOT);
    if pixels.iter().filter(is_overshot).count() * LEAST_OVERSHOTS > pixels.len() {
        ink = [0, 1, 2, 3].map(|c| without_overshot(paint_map, pixels, c, (paper[c], ink[c])));
        shares = ChannelShares::new(paper, ink)?;
    }
    // Squared steps, and those to the next pixel in either order of the channels.
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
    // In one order shares change as much from pixel to pixel as within pixels, in the other one by more.
    if to_next[0] > to_next[1] {
        to_next.swap(0, 1);
    }
    let is_print = STEPS_SQ.contains(&(within / count))
        && to_next[0] <= LARGEST_LEAP * within
        && to_next[1] >= LEAST_ORDER * to_next[0]
        && are_balanced(paint_map, all, &shares);
    is_print.then_some(ink)
}

/// Of a channel of pixels the level farthest from that of paper, from the farthest one of all on, but for what is overshot.
#[inline(never)]
fn without_overshot(
    paint_map: &PaintMap<'_>,
    pixels: &[u32],
    c: usize,
    (paper, farthest): (f32, f32),
) -> f32 {
    let mut counts = [0; 256];
    pixels.iter().for_each(|&i| counts[usize::from(paint_map.pixels.data[i as usize][c])] += 1);
    let (mut level, mut left) = (farthest as u8, pixels.len() / STRONGEST);
    while counts[usize::from(level)] <= left {
        left -= counts[usize::from(level)];
        level = if farthest < paper { level.wrapping_add(1) } else { level.wrapping_sub(1) };
    }
    f32::from(level)
}

/// Whether in every row the first channel is covered about as much as the last one: a filter spreads what a stem covers over all three.
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

/// Whether pixels that are too few to show it may be a dot, a comma or a hyphen of such print: in each channel mixtures of its paper and ink.
#[inline(never)]
pub(crate) fn is_of_print(
    paint_map: &PaintMap<'_>,
    pixels: &[u32],
    (paper, ink): (Channels, Channels),
) -> bool {
    /// What rounding and a filter's steps leave.
    const SHARES: RangeInclusive<f32> = -0.03..=1.03;
    let Some(shares) = ChannelShares::new(paper, ink) else { return false };
    let is_mixture = |&i: &u32| {
        let [r, g, b, _] = shares.of(paint_map.pixels.data[i as usize]);
        [r, g, b].iter().all(|share| SHARES.contains(share))
    };
    pixels.iter().all(is_mixture)
}

/// Makes the pixels of a patch that has fringes mixtures of paper and ink.
#[inline(never)]
pub(crate) fn remove_fringes(
    paint_map: &mut PaintMap<'_>,
    pixels: &[u32],
    (paper, ink): (Channels, Channels),
) {
    let way = minus(ink, paper);
    let weights = [PRINT_WEIGHTS[0] / way[0], PRINT_WEIGHTS[1] / way[1], PRINT_WEIGHTS[2] / way[2], 0.0];
    for &i in pixels {
        let color = &mut paint_map.pixels.data[i as usize];
        let share = dot(minus(color.map(f32::from), paper), weights);
        *color = PremultipliedColor::nearest(plus(paper, share.clamp(0.0, 1.0), way)).0;
    }
}
