//! The profile of an edge along a row or column.

/// How far an edge reaches from its steepest place, at most.
///
/// Unit: pixels. Source: three deviations of the widest blur that is looked for.
const REACH_PX: usize = 12;

/// Least difference of two neighboring pixels at the steepest place of an edge.
///
/// Unit: sum of absolute channel differences (0–255 each). Source: well above rounding.
const LEAST_STEP: i32 = 12;

/// Least difference of the colors beside an edge, in the channel that differs most.
///
/// Unit: levels of one channel (0–255). Source: rounding by half a level moves the ends of a profile with this contrast by 2 %.
const LEAST_CONTRAST: i32 = 32;

/// An edge ends where colors change this many times less than at its steepest place.
///
/// Unit: share (ratio). Source: a normal distribution has a sixteenth of its greatest value at 2.35 deviations; beyond lie 2 %.
const STEEPEST_PER_FLAT: i32 = 16;

/// A row or column of pixels.
pub(super) struct Line<'a> {
    pub data: &'a [[u8; 4]],
    /// The number of its first pixel, the distance of the next one, and how many there are.
    pub first: usize,
    pub step: usize,
    pub count: usize,
    /// The distance to the neighbors on both sides of the line.
    pub across: usize,
}

type Difference = [i32; 4];

impl Line<'_> {
    /// The next pixel from `from` on at which colors change more than before and after it.
    pub fn next_change(&self, from: usize) -> Option<usize> {
        (from.max(1)..self.count.saturating_sub(2)).find(|&i| {
            let here = size(self.change(i));
            here >= LEAST_STEP && here >= size(self.change(i - 1)) && here > size(self.change(i + 1))
        })
    }

    /// The width of the edge whose steepest place follows pixel `i`, as the deviation of a blur. `None` if it is no edge between two flat
    /// colors, or crosses the line at a slant.
    pub fn edge_width(&self, i: usize) -> Option<f32> {
        let (start, end) = self.ends(i)?;
        let way = minus(self.at(end), self.at(start));
        let (length_sq, steepest) = (dot(way, way) as f32, dot(self.change(i), way) as f32);
        let slant = 0.25 * [i, i + 1].map(|i| dot(self.change_across(i), way)).iter().sum::<i32>() as f32;
        if largest(way) < LEAST_CONTRAST || slant.abs() > 0.5 * steepest {
            return None;
        }
        let share = |i: usize| dot(minus(self.at(i), self.at(start)), way) as f32 / length_sq;
        let sum: f32 = (start..=end).map(share).map(|share| share * (1.0 - share)).sum();
        let cosine = steepest / (steepest * steepest + slant * slant).sqrt();
        Some(sum.max(0.0) * cosine * std::f32::consts::PI.sqrt())
    }

    /// The pixels at which the colors on both sides of an edge begin: two steps there are flat.
    fn ends(&self, i: usize) -> Option<(usize, usize)> {
        let steepest = self.change(i);
        let is_flat = |i: usize| {
            let largest = largest(self.change(i));
            largest <= 1 || largest * STEEPEST_PER_FLAT <= self::largest(steepest)
        };
        let goes_on = |i: usize| dot(self.change(i), steepest) > 0;
        let (mut start, mut end) = (i, i + 1);
        while !is_flat(start.checked_sub(1)?) {
            start -= 1;
            if !goes_on(start) || i - start > REACH_PX {
                return None;
            }
        }
        while end + 2 < self.count && !is_flat(end) {
            if !goes_on(end) || end - i > REACH_PX {
                return None;
            }
            end += 1;
        }
        (end + 2 < self.count && is_flat(end + 1) && is_flat(start.checked_sub(2)?)).then_some((start, end))
    }

    fn at(&self, i: usize) -> Difference {
        self.data[self.first + i * self.step].map(i32::from)
    }

    /// From a pixel to the next.
    fn change(&self, i: usize) -> Difference {
        minus(self.at(i + 1), self.at(i))
    }

    /// From the neighbor on one side of a pixel to that on the other side.
    fn change_across(&self, i: usize) -> Difference {
        let i = self.first + i * self.step;
        minus(self.data[i + self.across].map(i32::from), self.data[i - self.across].map(i32::from))
    }
}

fn minus(a: Difference, b: Difference) -> Difference {
    std::array::from_fn(|c| a[c] - b[c])
}

fn dot(a: Difference, b: Difference) -> i32 {
    (0..4).map(|c| a[c] * b[c]).sum()
}

/// The sum of the absolute differences.
fn size(difference: Difference) -> i32 {
    difference.iter().map(|d| d.abs()).sum()
}

fn largest(difference: Difference) -> i32 {
    difference.iter().fold(0, |largest, d| largest.max(d.abs()))
}
