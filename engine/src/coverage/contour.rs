use wide::f32x4;

use super::field::{Field, HALF_COVERED};
use super::supersample::QuarterSamples;
use crate::geometry::Point;

/// A closed outline of what a field covers.
///
/// # Guarantees
/// Points are about 0.4 px apart; what is covered lies to the left of the walk on the screen (y down).
pub(crate) struct Contour {
    pub points: Vec<Point>,
    /// How fast the field rises across the outline, per pixel, on average.
    pub steepness: f32,
    /// The pixel of the first covered sample.
    pub first_pixel: usize,
}

/// A place of the lattice of samples.
type SamplePos = (i32, i32);

/// Points of an outline for which there is room from the beginning.
const POINTS: usize = 1024;

/// A pixel's samples, and those in its left column, a bit for each.
const ALL: u8 = 0b1111;
const LEFT_COLUMN: u8 = 0b0101;
/// Of a pixel's bits the first that tells of a sample passed.
const PASSED: u32 = 4;

/// The level set of one half of a field, by walking between covered and bare samples.
pub(crate) fn contours(field: &Field) -> Vec<Contour> {
    let mut walker = ContourWalker { field, bits: bits(field), points: Vec::with_capacity(POINTS) };
    let mut contours = Vec::new();
    let (mut y, mut row_start) = (0, 0);
    for pixel in field.near.iter().map(|&pixel| pixel as usize) {
        while pixel >= row_start + field.width {
            (y, row_start) = (y + 1, row_start + field.width);
        }
        let here = walker.bits[pixel] & ALL;
        let left = if pixel == row_start { 0 } else { walker.bits[pixel - 1] };
        // What is covered with nothing to its left: the crack between is walked downward.
        let starts = here & !((here & LEFT_COLUMN) << 1 | (left >> 1) & LEFT_COLUMN);
        while let place = starts & !(walker.bits[pixel] >> PASSED)
            && place != 0
        {
            let place = place.trailing_zeros() as usize;
            let (x, y) = ((pixel - row_start) * 2 + place % 2, y * 2 + place / 2);
            contours.push(walker.walk((x as i32, y as i32), pixel));
        }
    }
    contours
}

/// For each pixel a bit for each of its samples that is covered.
fn bits(field: &Field) -> Vec<u8> {
    let all_or_none = |&covered: &u8| if covered >= HALF_COVERED { ALL } else { 0 };
    let mut bits: Vec<u8> = field.coverage.iter().map(all_or_none).collect();
    for (slot, &pixel) in field.near.iter().enumerate() {
        bits[pixel as usize] = covered(field.samples(slot));
    }
    bits
}

struct ContourWalker<'a> {
    field: &'a Field,
    /// For each pixel a bit for each sample that is covered, and one for each that was passed on its left. The way depends on these
    /// alone: values are farther apart in memory, and nothing waits for them.
    bits: Vec<u8>,
    /// Those of the outline at hand: how many it will have nobody knows.
    points: Vec<Point>,
}

impl ContourWalker<'_> {
    /// Walks around from the crack to the left of a covered sample, which is marked then.
    #[inline(never)]
    fn walk(&mut self, first: SamplePos, first_pixel: usize) -> Contour {
        self.points.clear();
        let mut rise = 0.0;
        let start = SampleCrack { left: first, heading: DOWN };
        let (mut crack, mut values) = (start, (self.sample(start.left).0, self.sample(start.right()).0));
        loop {
            self.mark(crack);
            self.points.push(self.crossing(crack, values));
            rise += values.0 - values.1;
            (crack, values) = self.onward(crack, values);
            if crack == start {
                // Samples are half a pixel apart.
                let steepness = 2.0 * rise / self.points.len() as f32;
                return Contour { points: self.points.clone(), steepness, first_pixel };
            }
        }
    }

    /// Marks a sample that is passed on its left, by no jump, which nobody would foresee.
    fn mark(&mut self, SampleCrack { left, heading }: SampleCrack) {
        let Some((pixel, place)) = self.field.pixel_at(left) else { return };
        self.bits[pixel] |= u8::from(heading == DOWN) << PASSED << place;
    }

    /// The value of the sample at a place, and whether it is covered; nothing beyond the border.
    #[inline]
    fn sample(&self, place: SamplePos) -> (f32, bool) {
        let Some((pixel, place)) = self.field.pixel_at(place) else { return (0.0, false) };
        let value = match self.field.slot(pixel) {
            Some(slot) => self.field.samples(slot)[place],
            None => self.field.share(pixel),
        };
        (value, self.bits[pixel] >> place & 1 != 0)
    }

    /// The next crack and the values on its two sides. Around the corner ahead lie four samples, from the covered one to the bare: the
    /// way leads between the last covered of them and the next. Where two covered samples meet two bare ones across, they are joined
    /// if the four cover one half on average.
    fn onward(
        &self,
        SampleCrack { left, heading }: SampleCrack,
        (high, low): (f32, f32),
    ) -> (SampleCrack, (f32, f32)) {
        let moved = |(x, y): SamplePos| (left.0 + x, left.1 + y);
        let [_, ahead, beyond] = MOVES[heading];
        let (ahead, beyond) = (self.sample(moved(ahead)), self.sample(moved(beyond)));
        let values = [high, ahead.0, beyond.0, low];
        let last = match (ahead.1, beyond.1) {
            // Added up so that who comes around the other covered sample finds the same sum: else the walk would not end.
            (false, true) if (high + beyond.0) + (low + ahead.0) < 2.0 => 0,
            (false, true) => 2,
            // Not chosen by a jump, which nobody would foresee.
            (left, right) => usize::from(left) + usize::from(right),
        };
        // Taken from constants: places put in a list and taken from it at once would wait for each other.
        let crack = SampleCrack { left: moved(MOVES[heading][last]), heading: (heading + 5 - last) % 4 };
        (crack, (values[last], values[last + 1]))
    }

    /// The point between a covered sample and a bare one where one half is, which lies between them; on the picture's border exactly.
    fn crossing(&self, crack: SampleCrack, (high, low): (f32, f32)) -> Point {
        let along =
            if low == 0.0 && self.is_beyond(crack.right()) { 0.5 } else { (high - 0.5) / (high - low) };
        let (across, left) = (ACROSS[crack.heading], crack.left);
        let place = |left: i32, across: i32| (left as f32 + along * across as f32 + 0.5) * 0.5;
        Point::new(place(left.0, across.0), place(left.1, across.1))
    }

    /// Whether a place is beyond the picture.
    fn is_beyond(&self, (x, y): SamplePos) -> bool {
        let is_beyond = |at: i32, size: usize| at < 0 || at >= 2 * size as i32;
        is_beyond(x, self.field.width) || is_beyond(y, self.field.height)
    }
}

/// The crack between a covered sample, to the left of the walk on the screen, and the bare one to its right.
#[derive(Clone, Copy, PartialEq)]
struct SampleCrack {
    left: SamplePos,
    /// Which way the walk goes: down, and each a quarter turn to the left of the one before.
    heading: usize,
}

const DOWN: usize = 0;

/// From the covered sample to the bare one, by heading.
const ACROSS: [SamplePos; 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// From the covered sample, by heading: to itself, to the sample ahead of it, and to the one ahead of the bare one.
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

/// A bit for each of a pixel's samples that is covered.
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

    /// The area within, positive for a walk that has the inside on its left.
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
