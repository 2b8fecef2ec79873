//! How near the rows and columns of a picture are to what an enlargement gives.

use std::ops::Range;

use wide::f32x4;

use super::super::kernel::KernelTable;
use super::super::palette::Palette;
use super::periodicity::{LEAST_CHANGE, Lines};
use super::resampling::{Inverse, Resampling};
use crate::algorithms::kth_smallest;
use crate::color::PremultipliedColor;

/// Fewest source pixels across or down.
///
/// Unit: pixels. Source: more than a kernel reaches.
pub(super) const LEAST_SIDE: usize = 8;

/// Pixels of a row that decide.
///
/// Unit: pixels. Source: chosen for speed: 24 source pixels enlarged by 8.
const STRETCH: usize = 192;

/// The most that rounding leaves in a pixel.
///
/// Unit: squared levels, summed over channels. Source: half a level in each of four channels.
pub(super) const LARGEST_ROUNDING_SQ: u8 = 1;

/// How often the source of a row in the colors of a palette is found.
///
/// Unit: count. Source: with two, some copies of drawings in 64 colors have another kernel.
const ROUNDS: usize = 4;

/// How far lines are from what an enlargement gives.
pub(super) struct Fit {
    /// Of the columns and of the rows.
    pub axes: [Vec<Distance>; 2],
}

impl Fit {
    /// As [`Axis::distances`].
    pub fn of(axes: &[Axis; 2], sizes: [usize; 2], kernel: &KernelTable, most: Option<f32>) -> Self {
        Fit { axes: [0, 1].map(|a| axes[a].distances(sizes[a], kernel, most)) }
    }

    /// The mean of what a third of the rows has at most, and a third of the columns.
    ///
    /// Programs cut overshoot off after the first of two passes, and mix what is left in the second. So some lines are no enlargements.
    #[inline(never)]
    pub fn share(&self) -> f32 {
        match self.axes.each_ref().map(|lines| third(lines, Distance::share)) {
            [Some(rows), Some(columns)] => 0.5 * (rows + columns),
            [one, other] => one.or(other).unwrap_or(1.0),
        }
    }

    #[inline(never)]
    pub fn whole(&self) -> Distance {
        self.axes.iter().flatten().fold(Distance::default(), Distance::plus)
    }
}

/// What a third of the lines has at most.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(super) fn third(lines: &[Distance], value: fn(&Distance) -> f32) -> Option<f32> {
    let values: Vec<_> = lines.iter().map(value).collect();
    (!values.is_empty()).then(|| kth_smallest(&values, values.len() / 3))
}

/// How far a line, or all of them, is from what an enlargement gives.
#[derive(Clone, Copy, Default)]
pub(super) struct Distance {
    /// The squared error, summed over pixels and channels.
    error_sq: f32,
    /// The same with the source half a pixel aside.
    aside_sq: f32,
    /// Pixels that are not flat.
    pixels: usize,
    /// Those of the source.
    source: Changes,
}

/// What tells how sharp edges are, as for a [`Profile`](super::periodicity::Profile).
#[derive(Clone, Copy, Default)]
struct Changes {
    /// The third differences, where colors change.
    third: f32,
    all: f32,
}

impl Changes {
    fn of(line: &[f32x4]) -> Self {
        let size = |difference: f32x4| difference.abs().reduce_add();
        let mut sum = Changes::default();
        for four in line.windows(4) {
            let steps = [four[1] - four[0], four[2] - four[1], four[3] - four[2]];
            let change: f32 = steps.map(size).into_iter().sum();
            if change > LEAST_CHANGE as f32 {
                sum.third += size(steps[2] - steps[1] - (steps[1] - steps[0]));
                sum.all += change;
            }
        }
        sum
    }
}

impl Distance {
    pub fn plus(self, other: &Self) -> Self {
        Distance {
            error_sq: self.error_sq + other.error_sq,
            aside_sq: self.aside_sq + other.aside_sq,
            pixels: self.pixels + other.pixels,
            source: Changes {
                third: self.source.third + other.source.third,
                all: self.source.all + other.source.all,
            },
        }
    }

    /// The error as a share of that with the source half a pixel aside.
    pub fn share(&self) -> f32 {
        self.error_sq / self.aside_sq.max(f32::EPSILON)
    }

    pub fn per_pixel(&self) -> f32 {
        self.error_sq / self.pixels.max(1) as f32
    }

    /// Whether a source half a pixel aside leaves more than rounding.
    pub fn tells(&self, most: f32) -> bool {
        most * self.aside_sq > f32::from(LARGEST_ROUNDING_SQ) * self.pixels as f32
    }

    /// The third differences of the source, as a share of its changes.
    pub fn source_sharpness(&self) -> f32 {
        self.source.third / self.source.all.max(1.0)
    }
}

/// The rows or the columns that decide.
pub(super) struct Axis<'a> {
    pub length: usize,
    pub stretches: Vec<Stretch>,
    /// The picture's colors, if they are few.
    palette: Option<&'a Palette>,
}

/// A part of a row or column.
pub(super) struct Stretch {
    range: Range<usize>,
    colors: Vec<f32x4>,
}

impl<'a> Axis<'a> {
    pub fn of(lines: &Lines<'_>, indices: &[usize], palette: Option<&'a Palette>) -> Self {
        let stretch = |&index: &usize| {
            let colors: Vec<f32x4> =
                lines.line(index).map(|color| f32x4::new(PremultipliedColor(color).channels())).collect();
            let range = busiest_stretch(&colors);
            Stretch { range: range.clone(), colors: colors[range].to_vec() }
        };
        Axis { length: lines.length, stretches: indices.iter().map(stretch).collect(), palette }
    }

    /// The size before, for a ratio of sizes.
    pub fn size(&self, ratio: f32) -> usize {
        ((self.length as f32 * ratio + 0.5) as usize).max(LEAST_SIDE)
    }

    /// How far each line is from what an enlargement gives. With `most`, roughly: may look no further where they have a share of more.
    #[inline(never)]
    pub fn distances(&self, source: usize, kernel: &KernelTable, most: Option<f32>) -> Vec<Distance> {
        let mut distances: Vec<Distance> = Vec::new();
        let mut maps: Option<(&Range<usize>, [Resampling; 2])> = None;
        let mut inverse = Inverse::default();
        for Stretch { range, colors } in &self.stretches {
            let map = |shift| Resampling::new(kernel, (source, self.length), shift, range.clone().step_by(1));
            let maps = match &mut maps {
                Some((known, maps)) if *known == range => maps,
                maps => &mut maps.insert((range, [0.0, 0.5].map(map))).1,
            };
            let mut compare = |map| {
                inverse.find(map, colors);
                if let (Some(palette), None) = (self.palette, most) {
                    (0..ROUNDS).for_each(|_| inverse.find_before(palette, map, colors));
                }
                inverse.error_sq(map, colors, self.palette)
            };
            let (aside_sq, _) = compare(&maps[1]);
            let (error_sq, pixels) = compare(&maps[0]);
            let source = Changes::of(&inverse.source);
            distances.push(Distance { error_sq, aside_sq, pixels, source });
            let is_far = |line: &Distance| most.is_some_and(|most| line.share() > most);
            if distances.len() == 2 && distances.iter().all(is_far) {
                break;
            }
        }
        distances
    }

    /// The best of three neighboring sizes.
    pub fn best_near(&self, source: usize, kernel: &KernelTable) -> usize {
        let share =
            |&size: &usize| third(&self.distances(size, kernel, None), Distance::share).unwrap_or(1.0);
        let sizes = [source, (source - 1).max(LEAST_SIDE), source + 1];
        sizes.into_iter().min_by(|a, b| share(a).total_cmp(&share(b))).unwrap_or(source)
    }
}

/// The stretch of a line in which colors change most.
fn busiest_stretch(colors: &[f32x4]) -> Range<usize> {
    let change = |pair: &[f32x4]| (pair[1] - pair[0]).abs().reduce_add();
    let busy = |start: &usize| colors[*start..*start + STRETCH].windows(2).map(change).sum::<f32>();
    let starts = (0..=colors.len().saturating_sub(STRETCH)).step_by(STRETCH / 4);
    let start = if colors.len() <= STRETCH {
        0
    } else {
        starts.max_by(|a, b| busy(a).total_cmp(&busy(b))).unwrap_or(0)
    };
    start..colors.len().min(start + STRETCH)
}
