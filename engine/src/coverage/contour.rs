//! Walks the contours of a field: the level set of one half.

use wide::f32x4;

use super::field::{Field, HALF_COVERED};
use super::supersample::QuarterSamples;
use crate::geometry::Point;

/// A closed contour around an area that a field covers, or around a hole in it; or a thin line.
///
/// # Guarantees
/// Points of a contour are about 0.4 px apart. The covered side is on the left of the walk, as seen on the screen (y down).
pub(crate) struct Contour {
    pub points: Vec<Point>,
    /// The width of a thin line, whose points are those of its middle, from one end to the other.
    pub line_width_px: Option<f32>,
    /// How steeply the coverage rises across the contour, per pixel, on average.
    pub steepness: f32,
    /// The pixel of the first covered sample of the walk.
    pub first_pixel: usize,
}

/// Column and row of a sample. There are two samples per pixel each way.
type SamplePos = (i32, i32);

/// Points for which room is reserved at first.
const RESERVED_POINTS: usize = 1024;

/// The bits of all samples of a pixel, and of those in its left column.
const ALL: u8 = 0b1111;
const LEFT_COLUMN: u8 = 0b0101;
/// The first of the bits for samples that a walk has passed on their left.
const PASSED: u32 = 4;

/// Finds all contours of a field, in the order of their first pixels.
pub(crate) fn contours(field: &Field) -> Vec<Contour> {
    let mut walker =
        ContourWalker { field, bits: covered_bits(field), points: Vec::with_capacity(RESERVED_POINTS) };
    let mut contours = Vec::new();
    let (mut y, mut row_start) = (0, 0);
    for pixel in field.near.iter().map(|&pixel| pixel as usize) {
        while pixel >= row_start + field.width {
            (y, row_start) = (y + 1, row_start + field.width);
        }
        let here = walker.bits[pixel] & ALL;
        let left = if pixel == row_start { 0 } else { walker.bits[pixel - 1] };
        // Covered samples with a bare one on their left: the side between the two is walked downward.
        let starts = here & !((here & LEFT_COLUMN) << 1 | (left >> 1) & LEFT_COLUMN);
        while let unpassed = starts & !(walker.bits[pixel] >> PASSED)
            && unpassed != 0
        {
            let place = unpassed.trailing_zeros() as usize;
            let (x, y) = ((pixel - row_start) * 2 + place % 2, y * 2 + place / 2);
            contours.push(walker.walk((x as i32, y as i32), pixel));
        }
    }
    contours
}

/// For each pixel, one bit for each sample that is covered.
fn covered_bits(field: &Field) -> Vec<u8> {
    // Eight at once: the top bit of each byte tells whether it is half covered.
    let all_or_none = |eight: [u8; 8]| {
        let is_covered = (u64::from_ne_bytes(eight) & u64::from_ne_bytes([HALF_COVERED; 8])) >> 7;
        (is_covered * u64::from(ALL)).to_ne_bytes()
    };
    let mut bits = field.coverage.clone();
    let (eights, rest) = bits.as_chunks_mut();
    eights.iter_mut().for_each(|eight| *eight = all_or_none(*eight));
    rest.iter_mut().for_each(|one| *one = all_or_none([*one; 8])[0]);
    for (slot, &pixel) in field.near.iter().enumerate() {
        bits[pixel as usize] = covered(field.samples(slot));
    }
    bits
}

struct ContourWalker<'a> {
    field: &'a Field,
    /// For each pixel, one bit for each sample that is covered, and one for each that a walk has passed on its left. The walk follows
    /// these bits alone; the values are farther apart in memory, and the next step need not wait for them.
    bits: Vec<u8>,
    /// The points of the current contour. One buffer for all, since their number is not known in advance.
    points: Vec<Point>,
}

impl ContourWalker<'_> {
    /// Walks one contour, downward from the left side of a covered sample, and marks the samples it passes on their left.
    #[inline(never)]
    fn walk(&mut self, first: SamplePos, first_pixel: usize) -> Contour {
        self.points.clear();
        let mut rise = 0.0;
        let start = SampleCrack { left: first, heading: DOWN };
        let (high, low) = (self.sample(start.left).value, self.sample(start.right()).value);
        let (mut crack, mut values) = (start, SideValues { high, low });
        loop {
            self.mark(crack);
            self.points.push(self.crossing(crack, values));
            rise += values.high - values.low;
            (crack, values) = self.next_crack(crack, values);
            if crack == start {
                // Samples are half a pixel apart.
                let steepness = 2.0 * rise / self.points.len() as f32;
                let points = self.points.clone();
                return Contour { points, line_width_px: None, steepness, first_pixel };
            }
        }
    }

    /// Marks a covered sample as passed if the walk goes down its left side. Without a branch, which would be mispredicted.
    fn mark(&mut self, SampleCrack { left, heading }: SampleCrack) {
        let Some((pixel, place)) = self.field.pixel_at(left) else { return };
        self.bits[pixel] |= u8::from(heading == DOWN) << PASSED << place;
    }

    /// Reads a sample. Beyond the border, nothing is covered.
    #[inline]
    fn sample(&self, pos: SamplePos) -> Sample {
        let Some((pixel, place)) = self.field.pixel_at(pos) else {
            return Sample { value: 0.0, is_covered: false };
        };
        let value = match self.field.slot(pixel) {
            Some(slot) => self.field.samples(slot)[place],
            None => self.field.share(pixel),
        };
        Sample { value, is_covered: self.bits[pixel] >> place & 1 != 0 }
    }

    /// The next crack and the values on its two sides. Around the corner ahead lie four samples, from the covered one to the bare one; the
    /// walk goes between the last covered one of them and the next. If two covered samples meet at a corner only, they are joined if the
    /// four samples cover one half on average.
    fn next_crack(
        &self,
        SampleCrack { left, heading }: SampleCrack,
        SideValues { high, low }: SideValues,
    ) -> (SampleCrack, SideValues) {
        let moved = |(x, y): SamplePos| (left.0 + x, left.1 + y);
        let [_, ahead, beyond] = MOVES[heading];
        let (ahead, beyond) = (self.sample(moved(ahead)), self.sample(moved(beyond)));
        let values = [high, ahead.value, beyond.value, low];
        let last = match (ahead.is_covered, beyond.is_covered) {
            // Added in this order, the sum is the same for the walk around the other covered sample. Otherwise a walk might not end.
            (false, true) if (high + beyond.value) + (low + ahead.value) < 2.0 => 0,
            (false, true) => 2,
            // Computed, because a branch would be mispredicted.
            (left, right) => usize::from(left) + usize::from(right),
        };
        // Read from constants: a load from a list just written would wait for the store.
        let crack = SampleCrack { left: moved(MOVES[heading][last]), heading: (heading + 5 - last) % 4 };
        (crack, SideValues { high: values[last], low: values[last + 1] })
    }

    /// The point between a covered and a bare sample where the coverage is one half; at the border of the image, the point on the border.
    fn crossing(&self, crack: SampleCrack, SideValues { high, low }: SideValues) -> Point {
        let along =
            if low == 0.0 && self.is_beyond(crack.right()) { 0.5 } else { (high - 0.5) / (high - low) };
        let (across, left) = (ACROSS[crack.heading], crack.left);
        let place = |left: i32, across: i32| (left as f32 + along * across as f32 + 0.5) * 0.5;
        Point::new(place(left.0, across.0), place(left.1, across.1))
    }

    /// Whether a sample would be beyond the image.
    fn is_beyond(&self, (x, y): SamplePos) -> bool {
        let is_beyond = |at: i32, size: usize| at < 0 || at >= 2 * size as i32;
        is_beyond(x, self.field.width) || is_beyond(y, self.field.height)
    }
}

/// A step of the walk: between a covered sample on its left, as seen on the screen, and a bare one on its right.
#[derive(Clone, Copy, PartialEq)]
struct SampleCrack {
    left: SamplePos,
    /// The direction of the walk: 0 is down, and each number is a quarter turn to the left of the one before.
    heading: usize,
}

/// The values of the covered sample and of the bare sample of a crack.
#[derive(Clone, Copy)]
struct SideValues {
    high: f32,
    low: f32,
}

/// The value of a sample, and whether it is covered.
#[derive(Clone, Copy)]
struct Sample {
    value: f32,
    is_covered: bool,
}

const DOWN: usize = 0;

/// The vector from the covered sample to the bare one, by heading.
const ACROSS: [SamplePos; 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// By heading, the vectors from the covered sample to itself, to the sample ahead of it, and to the sample ahead of the bare one.
const MOVES: [[SamplePos; 3]; 4] = [
    [(0, 0), (0, 1), (-1, 1)],
    [(0, 0), (1, 0), (1, 1)],
    [(0, 0), (0, -1), (1, -1)],
    [(0, 0), (-1, 0), (-1, -1)],
];

impl SampleCrack {
    fn right(self) -> SamplePos {
        let across = ACROSS[self.heading];
        (self.left.0 + across.0, self.left.1 + across.1)
    }
}

/// One bit for each sample of a pixel that is covered.
fn covered(samples: &QuarterSamples) -> u8 {
    f32x4::new(*samples).simd_ge(f32x4::HALF).to_bitmask() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ProgressMeter;

    fn outlines_of(rows: &[&[u8]]) -> Vec<Contour> {
        let coverage: Vec<u8> = rows.concat();
        let near = (0..coverage.len() as u32).collect();
        contours(&Field::solved(coverage, rows[0].len(), near, &mut ProgressMeter::idle()).unwrap())
    }

    /// The enclosed area, positive if it is on the left of the walk.
    fn area_px(points: &[Point]) -> f32 {
        let next = |i: usize| points[(i + 1) % points.len()];
        -0.5 * points.iter().enumerate().map(|(i, p)| p.cross(next(i))).sum::<f32>()
    }

    #[test]
    fn an_edge_lies_where_coverage_says() {
        let row = [255, 255, 64, 0, 0];
        let contours = outlines_of(&[&row, &row, &row, &row]);
        assert_eq!(contours.len(), 1);
        let right = contours[0].points.iter().map(|p| p.x).fold(0.0, f32::max);
        assert!((right - 2.25).abs() < 0.06, "{right}");
        assert!((area_px(&contours[0].points) - 9.0).abs() < 0.3);
    }

    #[test]
    fn a_hole_is_walked_the_other_way() {
        let full = [255; 6];
        let holed = [255, 255, 100, 100, 255, 255];
        let contours = outlines_of(&[&full, &full, &holed, &holed, &full, &full]);
        let areas: Vec<f32> = contours.iter().map(|contour| area_px(&contour.points)).collect();
        assert_eq!(areas.len(), 2);
        assert!(areas[0] > 35.0 && areas[1] < -1.5, "{areas:?}");
    }

    #[test]
    fn what_reaches_the_border_ends_there() {
        let contours = outlines_of(&[&[255; 3], &[255; 3]]);
        let on_border = |p: &Point| p.x == 0.0 || p.y == 0.0 || p.x == 3.0 || p.y == 2.0;
        assert!(contours[0].points.iter().all(on_border));
    }
}
