//! The periods by which the smoothness of an enlarged picture rises and falls.
//!
//! Between two source pixels a kernel is smooth, at a source pixel it is less so. Differences of neighboring pixels therefore vary with the
//! period of the source pixels (Gallagher 2005, Mahdian and Saic 2008): second differences for large factors, third ones for small factors.

use wide::i32x4;

use crate::raster::Pixels;

/// Rows and columns that are read, each at most.
///
/// Unit: count. Source: enough that edges cross every phase of the source pixels.
const MOST_LINES: usize = 64;

/// Least change over four pixels that counts for the sharpness.
///
/// Unit: color levels (sum over channels). Source: above what compression and rounding leave on flat paint.
pub(super) const LEAST_CHANGE: i32 = 24;

/// The rows or the columns of a picture.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    data: &'a [[u8; 4]],
    /// Pixels of a line.
    pub length: usize,
    count: usize,
    /// From a pixel of a line to the next, and from a line to the next, in pixels of `data`.
    steps: (usize, usize),
}

impl<'a> Lines<'a> {
    /// The columns and the rows.
    pub fn of(pixels: &'a Pixels<'_>) -> [Self; 2] {
        let (width, height, data) = (pixels.width, pixels.height, &*pixels.data);
        [
            Lines { data, length: height, count: width, steps: (width, 1) },
            Lines { data, length: width, count: height, steps: (1, width) },
        ]
    }

    pub fn line(&self, index: usize) -> impl Iterator<Item = [u8; 4]> + use<'a> {
        let Lines { data, length, steps: (along, across), .. } = *self;
        data[index * across..].iter().step_by(along).take(length).copied()
    }
}

/// How the differences of neighboring pixels vary along the lines.
pub(super) struct Profile {
    /// The third differences, as a share of the changes: large where edges are sharp.
    pub sharpness: f32,
    /// Indices of lines with many changes, in different parts of the picture.
    pub busiest: Vec<usize>,
    /// Per pixel along the lines, second and third differences beyond what the changes there let expect.
    variation: [Vec<f32>; 2],
}

impl Profile {
    /// Reads lines from each of as many `parts` of the picture.
    pub fn of(lines: &Lines<'_>, parts: usize) -> Self {
        let spacing = lines.count.div_ceil(MOST_LINES);
        let per_part = lines.count.div_ceil(parts);
        let mut sums = vec![[[0i32; 2]; 2]; lines.length];
        let (mut sharp, mut all) = (0i64, 0i64);
        let mut busiest = Vec::new();
        let mut buffer = Vec::with_capacity(lines.length);
        for part in (0..lines.count).step_by(per_part) {
            let mut most = (LEAST_CHANGE, None);
            for index in (part..lines.count.min(part + per_part)).step_by(spacing) {
                buffer.clear();
                buffer.extend(lines.line(index));
                let mut activity = 0;
                for (four, [two, three]) in buffer.windows(4).zip(&mut sums) {
                    if four[0] == four[1] && four[1] == four[2] && four[2] == four[3] {
                        continue;
                    }
                    let (changes, second, third) = differences(four);
                    let change = changes[0] + changes[1];
                    *two = [two[0] + second, two[1] + change];
                    activity += changes[0];
                    let change = change + changes[2];
                    *three = [three[0] + third, three[1] + change];
                    if change > LEAST_CHANGE {
                        sharp += i64::from(third);
                        all += i64::from(change);
                    }
                }
                if activity > most.0 {
                    most = (activity, Some(index));
                }
            }
            busiest.extend(most.1);
        }
        let sharpness = sharp as f32 / all.max(1) as f32;
        Profile { sharpness, busiest, variation: [0, 1].map(|order| variation(&sums, order)) }
    }
}

/// The changes between four pixels in a row, the second difference of the first three, and the third difference of all; each is the sum of
/// the absolute values of the channels.
fn differences(four: &[[u8; 4]]) -> ([i32; 3], i32, i32) {
    let &[a, b, c, d] = four else { return ([0; 3], 0, 0) };
    let [a, b, c, d] = [a, b, c, d].map(|color| i32x4::new(color.map(i32::from)));
    let size = |difference: i32x4| difference.abs().reduce_add();
    let steps = [b - a, c - b, d - c];
    let [second, next] = [steps[1] - steps[0], steps[2] - steps[1]];
    (steps.map(size), size(second), size(next - second))
}

/// How far the differences of an order exceed their usual share of the changes, in units of about their deviation.
fn variation(sums: &[[[i32; 2]; 2]], order: usize) -> Vec<f32> {
    let [difference, change] =
        [0, 1].map(|k| sums.iter().map(|sum| i64::from(sum[order][k])).sum::<i64>() as f32);
    let usual = difference / change.max(1.0);
    let mut excess: Vec<f32> = sums
        .iter()
        .map(|sum| sum[order].map(|value| value as f32))
        .map(|[difference, change]| (difference - usual * change) / (change + 1.0).sqrt())
        .collect();
    let energy: f32 = excess.iter().map(|v| v * v).sum();
    let scale = 1.0 / (energy + f32::EPSILON).sqrt();
    excess.iter_mut().for_each(|v| *v *= scale);
    excess
}

/// The frequencies, in periods per pixel, with which the profiles of columns and rows vary most; strongest first.
pub(super) fn frequencies(profiles: &[Profile; 2], least: f32, count: usize) -> Vec<f32> {
    let side = profiles.iter().map(|profile| profile.variation[0].len()).max().unwrap_or(1);
    // Padded, so that the true frequency lies near a bin.
    let bins = (4 * side).next_power_of_two();
    let mut power = vec![0.0; bins / 2 + 1];
    for profile in profiles {
        let mut values = vec![[0.0; 2]; bins];
        for (k, value) in values.iter_mut().take(profile.variation[0].len()).enumerate() {
            *value = [0, 1].map(|order| profile.variation[order][k]);
        }
        transform(&mut values);
        for (k, power) in power.iter_mut().enumerate() {
            // Both orders: the spectrum of a real row is symmetric.
            *power +=
                [k, (bins - k) % bins].map(|k| values[k].map(|v| v * v)).as_flattened().iter().sum::<f32>();
        }
    }
    let lowest = (least * bins as f32) as usize;
    let lobe = bins / side;
    let mut found = Vec::with_capacity(count);
    for _ in 0..count {
        let largest = |best: usize, k: usize| if power[k] > power[best] { k } else { best };
        let peak = (lowest..power.len()).fold(lowest, largest);
        found.push(peak as f32 / bins as f32);
        power[peak.saturating_sub(lobe)..bins.min(peak + lobe + 1).min(bins / 2 + 1)].fill(0.0);
    }
    found
}

/// The discrete Fourier transform of complex values, in place. Their number must be a power of two.
fn transform(values: &mut [[f32; 2]]) {
    let bits = values.len().trailing_zeros();
    for k in 0..values.len() {
        let reversed = k.reverse_bits() >> (usize::BITS - bits);
        if k < reversed {
            values.swap(k, reversed);
        }
    }
    // The root of unity of each pass, from that of the pass before by halving its angle.
    let mut root = [1.0f64, 0.0];
    let mut half = 1;
    while half < values.len() {
        root = match half {
            1 => [-1.0, 0.0],
            2 => [0.0, 1.0],
            _ => {
                let cosine = ((1.0 + root[0]) / 2.0).sqrt();
                [cosine, root[1] / (2.0 * cosine)]
            }
        };
        for block in values.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            let mut turn = [1.0f64, 0.0];
            for (a, b) in low.iter_mut().zip(high) {
                let [re, im] = turn.map(|v| v as f32);
                let turned = [b[0] * re - b[1] * im, b[0] * im + b[1] * re];
                *b = [a[0] - turned[0], a[1] - turned[1]];
                *a = [a[0] + turned[0], a[1] + turned[1]];
                turn = [turn[0] * root[0] - turn[1] * root[1], turn[0] * root[1] + turn[1] * root[0]];
            }
        }
        half *= 2;
    }
}
