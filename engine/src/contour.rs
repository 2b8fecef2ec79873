use crate::field::Field;
use crate::geometry::Point;
use crate::solve::Quarters;
use wide::f32x4;

/// A closed outline of what a field covers.
///
/// # Guarantees
/// Points are about 0.4 px apart; what is covered lies to the left of the walk on the screen (y down).
pub(crate) struct Outline {
    pub points: Vec<Point>,
    /// How fast the field rises across the outline, per pixel, on average.
    pub steepness: f32,
    /// The pixel of the first covered sample.
    pub first_pixel: usize,
}

/// A place of the lattice of samples.
type Place = (i32, i32);

/// Points of an outline for which there is room from the beginning.
const POINTS: usize = 64;

/// A pixel's samples in its left column, a bit for each.
const LEFT_COLUMN: u8 = 0b0101;

/// The level set of one half of a field, by walking between covered and bare samples.
pub(crate) fn outlines(field: &Field) -> Vec<Outline> {
    let mut walker = Walker { field, seen: vec![0; field.near.len()] };
    let mut outlines = Vec::new();
    let (mut y, mut row_start) = (0, 0);
    // The covered samples of the pixel before.
    let mut before = 0;
    for (slot, &pixel) in field.near.iter().enumerate() {
        let pixel = pixel as usize;
        while pixel >= row_start + field.width {
            (y, row_start) = (y + 1, row_start + field.width);
        }
        let here = covered(field.samples(slot));
        let left = if here & LEFT_COLUMN == 0 || pixel == row_start {
            0
        } else if slot > 0 && field.near[slot - 1] as usize + 1 == pixel {
            before
        } else if field.share(pixel - 1) >= 0.5 {
            0b1111
        } else {
            0
        };
        before = here;
        // What is covered with nothing to its left: the crack between is walked downward.
        let starts = here & !((here & LEFT_COLUMN) << 1 | (left >> 1) & LEFT_COLUMN);
        while let place = starts & !walker.seen[slot]
            && place != 0
        {
            let place = place.trailing_zeros() as usize;
            let (x, y) = ((pixel - row_start) * 2 + place % 2, y * 2 + place / 2);
            outlines.push(walker.walk((x as i32, y as i32), pixel));
        }
    }
    outlines
}

struct Walker<'a> {
    field: &'a Field,
    /// For each pixel near an edge, a bit for each sample that was passed on its left.
    seen: Vec<u8>,
}

impl Walker<'_> {
    /// Walks around from the crack to the left of a covered sample, which is marked then.
    #[inline(never)]
    fn walk(&mut self, first: Place, first_pixel: usize) -> Outline {
        let mut points = Vec::with_capacity(POINTS);
        let mut rise = 0.0;
        let start = Crack { left: first, right: (first.0 - 1, first.1) };
        let (mut crack, mut values) = (start, (self.field.value(start.left), self.field.value(start.right)));
        loop {
            if crack.right.0 < crack.left.0 {
                self.mark(crack.left);
            }
            points.push(self.crossing(crack, values));
            rise += values.0 - values.1;
            (crack, values) = self.onward(crack, values);
            if crack == start {
                // Samples are half a pixel apart.
                let steepness = 2.0 * rise / points.len() as f32;
                return Outline { points, steepness, first_pixel };
            }
        }
    }

    /// Marks a sample as passed on its left.
    fn mark(&mut self, (x, y): Place) {
        let (x, y) = (x as usize, y as usize);
        if let Some(slot) = self.field.slot(y / 2 * self.field.width + x / 2) {
            self.seen[slot] |= 1 << (y % 2 * 2 + x % 2);
        }
    }

    /// The next crack and the values on its two sides. Around the corner ahead lie four samples, from the covered one to the bare: the
    /// way leads between the last covered of them and the next. Where two covered samples meet two bare ones across, they are joined
    /// if the four cover one half on average.
    fn onward(&self, crack: Crack, (high, low): (f32, f32)) -> (Crack, (f32, f32)) {
        let (across, ahead) = (crack.across(), crack.ahead());
        let beyond = |place: Place| (place.0 + ahead.0, place.1 + ahead.1);
        let values = [high, self.field.value(beyond(crack.left)), self.field.value(beyond(crack.right)), low];
        let last = match (values[1] >= 0.5, values[2] >= 0.5) {
            (false, true) if high + low + values[1] + values[2] < 2.0 => 0,
            (false, true) => 2,
            // Not chosen by a jump, which nobody would foresee.
            (left, right) => usize::from(left) + usize::from(right),
        };
        // Reckoned: places put in a list and taken from it at once would wait for each other.
        let (one, two) = (i32::from(last > 0), i32::from(last > 1));
        let from_left = |by_ahead: i32, by_across: i32| {
            let (x, y) = crack.left;
            (x + ahead.0 * by_ahead + across.0 * by_across, y + ahead.1 * by_ahead + across.1 * by_across)
        };
        let crack = Crack { left: from_left(one, two), right: from_left(1 - two, one) };
        (crack, (values[last], values[last + 1]))
    }

    /// The point between a covered sample and a bare one where one half is, which lies between them; on the picture's border exactly.
    fn crossing(&self, Crack { left, right }: Crack, (high, low): (f32, f32)) -> Point {
        let along = if low == 0.0 && self.is_beyond(right) { 0.5 } else { (high - 0.5) / (high - low) };
        let place = |left: i32, right: i32| (left as f32 + along * (right - left) as f32 + 0.5) * 0.5;
        Point::new(place(left.0, right.0), place(left.1, right.1))
    }

    /// Whether a place is beyond the picture.
    fn is_beyond(&self, (x, y): Place) -> bool {
        let is_beyond = |at: i32, size: usize| at < 0 || at >= 2 * size as i32;
        is_beyond(x, self.field.width) || is_beyond(y, self.field.height)
    }
}

/// The crack between a covered sample and a bare one, to the left and to the right of the walk on the screen.
#[derive(Clone, Copy, PartialEq)]
struct Crack {
    left: Place,
    right: Place,
}

impl Crack {
    /// From left to right.
    fn across(self) -> Place {
        (self.right.0 - self.left.0, self.right.1 - self.left.1)
    }

    /// The way of the walk.
    fn ahead(self) -> Place {
        let (x, y) = self.across();
        (y, -x)
    }
}

/// A bit for each of a pixel's samples that is covered.
fn covered(samples: &Quarters) -> u8 {
    f32x4::new(*samples).simd_ge(f32x4::HALF).to_bitmask() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Watch;

    fn outlines_of(rows: &[&[u8]]) -> Vec<Outline> {
        let coverage: Vec<u8> = rows.concat();
        let near = (0..coverage.len() as u32).collect();
        outlines(&Field::solved(coverage, rows[0].len(), near, &mut Watch::idle()).unwrap())
    }

    /// The area within, positive for a walk that has the inside on its left.
    fn area_px(points: &[Point]) -> f32 {
        let next = |i: usize| points[(i + 1) % points.len()];
        -0.5 * points.iter().enumerate().map(|(i, p)| p.cross(next(i))).sum::<f32>()
    }

    #[test]
    fn an_edge_lies_where_coverage_says() {
        let row = [255, 255, 64, 0, 0];
        let outlines = outlines_of(&[&row, &row, &row, &row]);
        assert_eq!(outlines.len(), 1);
        let right = outlines[0].points.iter().map(|p| p.x).fold(0.0, f32::max);
        assert!((right - 2.25).abs() < 0.06, "{right}");
        assert!((area_px(&outlines[0].points) - 9.0).abs() < 0.3);
    }

    #[test]
    fn a_hole_is_walked_the_other_way() {
        let full = [255; 6];
        let holed = [255, 255, 100, 100, 255, 255];
        let outlines = outlines_of(&[&full, &full, &holed, &holed, &full, &full]);
        let areas: Vec<f32> = outlines.iter().map(|outline| area_px(&outline.points)).collect();
        assert_eq!(areas.len(), 2);
        assert!(areas[0] > 35.0 && areas[1] < -1.5, "{areas:?}");
    }

    #[test]
    fn what_reaches_the_border_ends_there() {
        let outlines = outlines_of(&[&[255; 3], &[255; 3]]);
        let on_border = |p: &Point| p.x == 0.0 || p.y == 0.0 || p.x == 3.0 || p.y == 2.0;
        assert!(outlines[0].points.iter().all(on_border));
    }
}
