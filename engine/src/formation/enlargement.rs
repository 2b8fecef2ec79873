//! Recognizes pictures that were enlarged.
//!
//! The enlargement by a kernel is a linear map, so a row of the enlarged picture is one that the map can give: its distance from these is
//! rounding. If the source pixels are assumed half a pixel beside their places, it is not. A clean picture is equally far from both, and
//! so is a blurred one: the smaller distance must be a small part of the other.
//!
//! Factors to try come from the [periods](super::periodicity) by which the picture's smoothness varies.

use std::ops::Range;

use wide::f32x4;

use super::kernel::{Kernel, KernelTable};
use super::periodicity::{Lines, Profile, frequencies};
use super::resampling::{Inverse, Resampling};
use crate::color::PremultipliedColor;
use crate::raster::Pixels;

/// Sharpness above which a picture was not enlarged.
///
/// Unit: share (ratio). Source: clean drawings have 0.57 to 1.3, mostly 0.7 and more; enlarged by 1.25 0.3 to 0.7, by 1.5 and more at most 0.6.
const MOST_SHARPNESS: f32 = 0.65;

/// Largest distance from the rows that an enlargement gives, as a share of that with the source pixels half a pixel aside.
///
/// Unit: share (ratio of distances, squared). Source: 0.01 at most for enlarged drawings, 0.2 if compressed as JPEG 90 afterwards; 0.3 for
/// other factors.
const MOST_ERROR: f32 = 0.25;

/// Factors of enlargement, as sizes before and after.
///
/// Unit: share (ratio). Source: what the kernels' inverses bear; a larger one than 8 is rare.
const RATIOS: std::ops::RangeInclusive<f32> = 0.12..=0.81;

/// Fewest source pixels across or down.
///
/// Unit: pixels. Source: more than a kernel reaches.
const LEAST_SIDE: usize = 8;

/// Rows, and columns, that decide.
const DECIDING_LINES: usize = 8;

/// Pixels of a row that decide.
const STRETCH: usize = 256;

/// Sizes that are tried with all kernels, at most.
const MOST_LIKELY: usize = 3;

/// Frequencies that are tried.
const PEAKS: usize = 8;

/// How a picture was enlarged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enlargement {
    /// Width and height before.
    pub size: (usize, usize),
    pub kernel: Kernel,
}

impl Enlargement {
    pub fn of(pixels: &Pixels<'_>) -> Option<Self> {
        if pixels.width.min(pixels.height) < 2 * LEAST_SIDE {
            return None;
        }
        let [columns, rows] = Lines::of(pixels);
        let profile = |lines| {
            let profile = Profile::of(lines, DECIDING_LINES);
            (profile.sharpness <= MOST_SHARPNESS).then_some(profile)
        };
        let profiles = [profile(&rows)?, profile(&columns)?];
        let axes = [Axis::of(&rows, &profiles[0].busiest), Axis::of(&columns, &profiles[1].busiest)];
        let kernels = Kernel::ALL.map(KernelTable::new);
        if axes.iter().all(|axis| axis.stretches.is_empty()) {
            return None;
        }
        likely_sizes(&axes, &kernels[..2], &profiles)
            .into_iter()
            .filter_map(|(_, sizes)| best_near(&axes, sizes, &kernels))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|&(share, _)| share < MOST_ERROR)
            .map(|(_, found)| found)
    }
}

/// The kernel, and of neighboring sizes those, that fit best; and their error, as a share of that with the source half a pixel aside.
fn best_near(axes: &[Axis; 2], sizes: [usize; 2], kernels: &[KernelTable]) -> Option<(f32, Enlargement)> {
    let error_sq = |sizes: [usize; 2], kernel: &KernelTable, shift: f32| {
        axes[0].error_sq(sizes[0], kernel, shift) + axes[1].error_sq(sizes[1], kernel, shift)
    };
    let errors = kernels.iter().map(|kernel| error_sq(sizes, kernel, 0.0));
    let (k, _) = errors.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let kernel = &kernels[k];
    let sizes = [0, 1].map(|a| axes[a].best_near(sizes[a], kernel));
    let share = error_sq(sizes, kernel, 0.0) / error_sq(sizes, kernel, 0.5).max(f32::EPSILON);
    Some((share, Enlargement { size: (sizes[0], sizes[1]), kernel: Kernel::ALL[k] }))
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

/// The source's widths and heights of those to try that may fit, by their error with the best of the kernels, as a share of that with the
/// source half a pixel aside.
fn likely_sizes(
    axes: &[Axis; 2],
    kernels: &[KernelTable],
    profiles: &[Profile; 2],
) -> Vec<(f32, [usize; 2])> {
    let mut tried: Vec<(f32, [usize; 2])> = Vec::new();
    let mut least = MOST_ERROR;
    for ratio in ratios(profiles) {
        let sizes = axes.each_ref().map(|axis| axis.size(ratio));
        if tried.iter().any(|known| known.1 == sizes) {
            continue;
        }
        let share = kernels.iter().map(|kernel| rough_share(axes, sizes, kernel, least)).fold(1.0, f32::min);
        least = least.min(share);
        tried.push((share, sizes));
    }
    tried.retain(|known| known.0 < 2.0 * MOST_ERROR);
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    tried.truncate(MOST_LIKELY);
    tried
}

/// The error, as a share of that with the source half a pixel aside. Looks no further when it is far above `least`.
fn rough_share(axes: &[Axis; 2], sizes: [usize; 2], kernel: &KernelTable, least: f32) -> f32 {
    let mut sums = [0.0; 2];
    for k in 0..DECIDING_LINES {
        for (axis, size) in axes.iter().zip(sizes) {
            if let Some(stretch) = axis.stretches.get(k) {
                for (sum, shift) in sums.iter_mut().zip([0.0, 0.5]) {
                    *sum += axis.stretch_error_sq(stretch, size, kernel, shift);
                }
            }
        }
        if sums[0] > 2.0 * least * sums[1] {
            break;
        }
    }
    sums[0] / sums[1].max(f32::EPSILON)
}

/// The rows or the columns that decide.
struct Axis {
    length: usize,
    stretches: Vec<Stretch>,
}

/// A part of a row or column.
struct Stretch {
    range: Range<usize>,
    colors: Vec<f32x4>,
}

impl Axis {
    fn of(lines: &Lines<'_>, indices: &[usize]) -> Self {
        let stretch = |&index: &usize| {
            let colors: Vec<f32x4> =
                lines.line(index).map(|color| f32x4::new(PremultipliedColor(color).channels())).collect();
            let range = busiest_stretch(&colors);
            Stretch { range: range.clone(), colors: colors[range].to_vec() }
        };
        Axis { length: lines.length, stretches: indices.iter().map(stretch).collect() }
    }

    /// The size before, for a ratio of sizes.
    fn size(&self, ratio: f32) -> usize {
        ((self.length as f32 * ratio + 0.5) as usize).max(LEAST_SIDE)
    }

    /// The squared distance from what an enlargement of `source` pixels gives.
    fn error_sq(&self, source: usize, kernel: &KernelTable, shift: f32) -> f32 {
        self.stretches.iter().map(|stretch| self.stretch_error_sq(stretch, source, kernel, shift)).sum()
    }

    fn stretch_error_sq(&self, stretch: &Stretch, source: usize, kernel: &KernelTable, shift: f32) -> f32 {
        let map = Resampling::new(kernel, (source, self.length), shift, stretch.range.clone());
        let mut inverse = Inverse::default();
        inverse.find(&map, &stretch.colors);
        inverse.error_sq(&map, &stretch.colors)
    }

    /// The best of three neighboring sizes.
    fn best_near(&self, source: usize, kernel: &KernelTable) -> usize {
        let error_sq = [source, source - 1, source + 1]
            .map(|size| (self.error_sq(size.max(LEAST_SIDE), kernel, 0.0), size));
        error_sq.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(source, |best| best.1)
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
        Enlargement::of(&Pixels { width: side, height: data.len() / side, data })
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

    #[test]
    fn clean_drawings_are_not() {
        for side in 16..120 {
            assert!(found(&mut clean(side), side).is_none(), "{side}");
        }
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
