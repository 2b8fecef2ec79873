//! The profile of an edge along a row or column.

use std::ops::RangeInclusive;

use wide::f32x4;

use crate::color::largest_difference;
use crate::raster::Pixels;

/// How many rows and how many columns are looked at, about.
///
/// Unit: count. Source: all those of an icon, and some dozens of edges in larger drawings.
const LINES: usize = 128;

/// How many steps an edge has, at most.
///
/// Unit: pixels. Source: three deviations of the widest blur that is looked for, on each side.
const MOST_STEPS: usize = 24;

/// Least difference of two neighboring pixels at the steepest place of an edge.
///
/// Unit: sum of absolute channel differences (0–255 each). Source: well above rounding.
const LEAST_STEP: u8 = 12;

/// Least difference of the colors beside an edge, in the channel that differs most.
///
/// Unit: levels of one channel (0–255). Source: rounding by half a level moves the ends of a profile with this contrast by 2 %.
const LEAST_CONTRAST: u8 = 32;

/// Edges below this width are sharp.
///
/// Unit: percent of a pixel, as the deviation of a blur. Source: of edges blurred by 0.6 pixels, a tenth is narrower than 41 to 54 %; in most
/// clean drawings, half of all edges are narrower than 35 %.
const SHARP_PERCENT: u8 = 40;

/// An edge ends where colors change this many times less than at its steepest place.
///
/// Unit: share (ratio). Source: a normal distribution has a sixteenth of its greatest value at 2.35 deviations; beyond lie 2 %.
const STEEPEST_PER_FLAT: u8 = 16;

/// A row or column of pixels.
pub(super) struct Line<'a> {
    data: &'a [[u8; 4]],
    /// The number of its first pixel, the distance of the next one, and how many there are.
    first: usize,
    step: usize,
    count: usize,
    /// The distance to the neighbors on both sides of the line.
    across: usize,
}

/// Rows and columns from all over a picture.
pub(super) fn sampled_lines<'a>(pixels: &'a Pixels<'_>) -> impl Iterator<Item = Line<'a>> {
    let (data, width, height) = (&*pixels.data, pixels.width, pixels.height);
    let inside = |count: usize| (1..count.saturating_sub(1)).step_by(count.div_ceil(LINES));
    let row = move |y| Line { data, first: y * width, step: 1, count: width, across: width };
    let column = move |x| Line { data, first: x, step: width, count: height, across: 1 };
    inside(height).map(row).chain(inside(width).map(column))
}

/// The profile of an edge.
pub(super) struct Profile {
    /// As the deviation of a blur, in pixels.
    pub width: f32,
    /// Whether one of its sides is not flat: the edge of a thin line. It is narrower than the blur, down to two thirds.
    pub is_open: bool,
}

impl Profile {
    /// Whether the edge is narrower than a blur leaves any.
    pub fn is_sharp(&self) -> bool {
        100.0 * self.width < f32::from(SHARP_PERCENT)
    }
}

/// How a line crosses an edge between two flat colors, in one channel.
pub(super) struct Crossing<'a> {
    line: &'a Line<'a>,
    channel: usize,
    /// The pixels from one flat color to the next, and their levels.
    pixels: RangeInclusive<usize>,
    levels: [f32; 2],
    /// Where the edge lies, in pixels along the line, and the cosine of the angle at which the line crosses it.
    place: f32,
    cosine: f32,
    /// Whether pixels before the edge and after it were cut off at a limit of the channel.
    pub is_cut: [bool; 2],
}

impl Crossing<'_> {
    /// The pixels that were not cut off.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let levels = self.pixels.clone().map(|k| (k, self.line.level(k, self.channel)));
        levels.filter(|(_, level)| !is_limit(*level)).map(|(k, level)| Sample {
            distance: (k as f32 - self.place) * self.cosine,
            share: share(level, self.levels),
        })
    }

    /// How far colors go beyond the two at least, as a share of their difference, in the channel in which that is most: before the first, and
    /// beyond the second.
    #[inline(never)]
    pub fn farthest(&self) -> [f32; 2] {
        let mut farthest = [0.0; 2];
        let [start, end] = [*self.pixels.start(), *self.pixels.end()];
        for c in 0..3 {
            let levels = [start, end].map(|k| f32::from(self.line.level(k, c)));
            if (levels[1] - levels[0]).abs() < LEAST_CONTRAST.into() {
                continue;
            }
            for k in start..=end {
                let share = share(self.line.level(k, c), levels);
                farthest = [f32::max(farthest[0], -share), f32::max(farthest[1], share - 1.0)];
            }
        }
        farthest
    }
}

/// Whether a level is one at which pixels are cut off.
fn is_limit(level: u8) -> bool {
    matches!(level, 0 | u8::MAX)
}

fn share(level: u8, [from, to]: [f32; 2]) -> f32 {
    (f32::from(level) - from) / (to - from)
}

/// A pixel beside an edge.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// From the edge, in pixels across it.
    pub distance: f32,
    /// How much it shows of the second color.
    pub share: f32,
}

/// How colors go on where an edge ends.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Flat,
    /// Back, or on, but not flat.
    Back,
}

type Difference = f32x4;

impl Line<'_> {
    /// The next pixel from `from` on at which colors change more than before and after it.
    #[inline(never)]
    pub fn next_change(&self, from: usize) -> Option<usize> {
        (from.max(1)..self.count.saturating_sub(2)).find(|&i| {
            let here = self.step_size(i);
            here >= LEAST_STEP.into() && here >= self.step_size(i - 1) && here > self.step_size(i + 1)
        })
    }

    /// The edge whose steepest place follows pixel `i`. `None` if it has no flat color beside it, or crosses the line at a slant.
    #[inline(never)]
    pub fn edge(&self, i: usize) -> Option<Profile> {
        let steepest = self.change(i);
        let flat = self.largest_step(i).max(STEEPEST_PER_FLAT);
        let is_flat =
            |i: usize| u32::from(self.largest_step(i)) * u32::from(STEEPEST_PER_FLAT) <= flat.into();
        // The step that follows pixel `i`: goes it on, is it flat, or does it go back?
        let side = |i: usize, beyond: usize| match (is_flat(i), dot(self.change(i), steepest) > 0.0) {
            (true, _) if is_flat(beyond) => Some(Side::Flat),
            (false, true) => None,
            _ => Some(Side::Back),
        };
        let (mut start, mut end) = (i, i + 1);
        let before = loop {
            match side(start.checked_sub(1)?, start.checked_sub(2)?) {
                Some(side) => break side,
                None => start -= 1,
            }
        };
        let after = loop {
            if end + 2 >= self.count || end - start > MOST_STEPS {
                return None;
            }
            match side(end, end + 1) {
                Some(side) => break side,
                None => end += 1,
            }
        };
        let flat_sides = usize::from(before == Side::Flat) + usize::from(after == Side::Flat);
        let width = self.width(i, (start, end))?;
        (flat_sides > 0).then_some(Profile { width, is_open: flat_sides == 1 })
    }

    /// As the deviation of a blur, in pixels, from the pixels at which the colors on both sides begin.
    fn width(&self, steepest: usize, (start, end): (usize, usize)) -> Option<f32> {
        let way = self.at(end) - self.at(start);
        let cosine = self.cosine(steepest, [start, end])?;
        let share = |i: usize| dot(self.at(i) - self.at(start), way) / dot(way, way);
        let sum: f32 = (start..=end).map(share).map(|share| share * (1.0 - share)).sum();
        Some(sum.max(0.0) * cosine * std::f32::consts::PI.sqrt())
    }

    /// That of the angle at which the line crosses the edge between two pixels. `None` if it crosses at a slant, or they are nearly alike.
    #[inline(never)]
    fn cosine(&self, steepest: usize, [start, end]: [usize; 2]) -> Option<f32> {
        if largest_difference(self.pixel(start), self.pixel(end)) < LEAST_CONTRAST {
            return None;
        }
        let way = self.at(end) - self.at(start);
        let along = dot(self.change(steepest), way);
        let slants = [steepest, steepest + 1].map(|i| dot(self.change_across(i), way));
        // The mean of two differences, each over two pixels.
        let slant = 0.25 * (slants[0] + slants[1]);
        (slant.abs() <= 0.5 * along).then(|| along / (along * along + slant * slant).sqrt())
    }

    /// How the line goes from one flat color to the next over the edge whose steepest place follows pixel `i`: in the channel that differs most,
    /// of those that were not cut off on both sides. `None` if there is none, or another edge between the two.
    #[inline(never)]
    pub fn crossing(&self, i: usize) -> Option<Crossing<'_>> {
        let is_flat = |i: usize| self.largest_step(i) <= 1;
        let first = i.saturating_sub(MOST_STEPS / 2).max(1);
        let start = (first..=i).rev().find(|&k| is_flat(k) && is_flat(k - 1))?;
        let last = (i + MOST_STEPS / 2).min(self.count - 3);
        let end = (i + 1..=last).find(|&k| is_flat(k) && is_flat(k + 1))?;
        let cosine = self.cosine(i, [start, end])?;
        let cut = |c: usize| [self.is_cut(start..=i, c), self.is_cut(i + 1..=end, c)];
        let contrast = |c: usize| self.level(start, c).abs_diff(self.level(end, c));
        let channel = (0..3).filter(|&c| cut(c) != [true; 2]).max_by_key(|&c| contrast(c))?;
        let levels = [start, end].map(|k| f32::from(self.level(k, channel)));
        let share = |k: usize| share(self.level(k, channel), levels);
        if contrast(channel) < LEAST_CONTRAST || share(i) > 0.5 || share(i + 1) < 0.5 {
            return None;
        }
        let is_cut = cut(channel);
        let place = if is_cut == [false; 2] {
            // Whatever the profile, the place of the edge follows from the sum.
            end as f32 + 0.5 - (start..=end).map(share).sum::<f32>()
        } else {
            i as f32 + (0.5 - share(i)) / (share(i + 1) - share(i)).max(f32::EPSILON)
        };
        Some(Crossing { line: self, channel, pixels: start..=end, levels, place, cosine, is_cut })
    }

    /// Whether one of these pixels was cut off at a limit of the channel.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn is_cut(&self, mut pixels: RangeInclusive<usize>, channel: usize) -> bool {
        pixels.any(|k| is_limit(self.level(k, channel)))
    }

    #[inline]
    fn pixel(&self, i: usize) -> [u8; 4] {
        self.data[self.first + i * self.step]
    }

    /// One channel of a pixel.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn level(&self, i: usize, channel: usize) -> u8 {
        self.pixel(i)[channel]
    }

    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn at(&self, i: usize) -> Difference {
        color(self.pixel(i))
    }

    /// From a pixel to the next.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn change(&self, i: usize) -> Difference {
        self.at(i + 1) - self.at(i)
    }

    /// The sum of the absolute differences of a pixel and the next.
    fn step_size(&self, i: usize) -> u32 {
        let [here, next] = [self.pixel(i), self.pixel(i + 1)];
        if here == next { 0 } else { (0..4).map(|c| u32::from(here[c].abs_diff(next[c]))).sum() }
    }

    /// The largest difference of a pixel and the next in a channel.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn largest_step(&self, i: usize) -> u8 {
        largest_difference(self.pixel(i), self.pixel(i + 1))
    }

    /// From the neighbor on one side of a pixel to that on the other side.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn change_across(&self, i: usize) -> Difference {
        let i = self.first + i * self.step;
        color(self.data[i + self.across]) - color(self.data[i - self.across])
    }
}

fn color(pixel: [u8; 4]) -> f32x4 {
    f32x4::new(pixel.map(f32::from))
}

fn dot(a: Difference, b: Difference) -> f32 {
    (a * b).reduce_add()
}
