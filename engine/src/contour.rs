use crate::field::Field;
use crate::geometry::Point;
use crate::outline::DIRECTIONS;

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

/// The samples ahead to the left and to the right of a lattice corner, by [`DIRECTIONS`]. A corner has the coordinates of
/// the sample to its lower right.
const LEFT: [(i32, i32); 4] = [(0, -1), (0, 0), (-1, 0), (-1, -1)];
const RIGHT: [(i32, i32); 4] = [(0, 0), (-1, 0), (-1, -1), (0, -1)];

const DOWN: usize = 1;

/// The level set of one half of a field, by walking between covered and bare samples.
pub(crate) fn outlines(field: &Field) -> Vec<Outline> {
    let mut walker = Walker { field, seen: vec![0; field.near.len()] };
    let mut outlines = Vec::new();
    for &pixel in &field.near {
        let (x, y) = (pixel as usize % field.width * 2, pixel as usize / field.width * 2);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            // A covered sample with nothing to its left: the crack between is walked downward.
            let (x, y) = (x as i32 + dx, y as i32 + dy);
            if walker.is_covered(x, y) && !walker.is_covered(x - 1, y) && walker.mark(x, y) {
                outlines.push(walker.walk((x, y), pixel as usize));
            }
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
    fn is_covered(&self, x: i32, y: i32) -> bool {
        self.field.value(x, y) >= 0.5
    }

    /// Marks a covered sample as passed on its left; tells whether it was not before.
    fn mark(&mut self, x: i32, y: i32) -> bool {
        let slot = self.field.slot((y as usize / 2) * self.field.width + x as usize / 2);
        slot.is_some_and(|slot| {
            let bit = 1 << ((y % 2) * 2 + x % 2);
            let fresh = self.seen[slot] & bit == 0;
            self.seen[slot] |= bit;
            fresh
        })
    }

    /// Walks around from the crack to the left of a covered sample.
    fn walk(&mut self, first: (i32, i32), first_pixel: usize) -> Outline {
        let mut points = Vec::new();
        let mut rise = 0.0;
        let ((mut x, mut y), mut direction) = (first, DOWN);
        loop {
            let covered = (x + LEFT[direction].0, y + LEFT[direction].1);
            let bare = (x + RIGHT[direction].0, y + RIGHT[direction].1);
            if direction == DOWN {
                self.mark(covered.0, covered.1);
            }
            let (high, low) = (self.field.value(covered.0, covered.1), self.field.value(bare.0, bare.1));
            points.push(self.crossing(covered, bare, (high - 0.5) / (high - low)));
            rise += high - low;
            (x, y) = (x + DIRECTIONS[direction].0, y + DIRECTIONS[direction].1);
            direction = self.onward(x, y, direction);
            if ((x, y), direction) == (first, DOWN) {
                // Samples are half a pixel apart.
                let steepness = 2.0 * rise / points.len() as f32;
                return Outline { points, steepness, first_pixel };
            }
        }
    }

    /// Where an outline that arrives at a corner goes on. Where two covered samples meet two bare ones across, they are joined
    /// if the four cover one half on average.
    fn onward(&self, x: i32, y: i32, direction: usize) -> usize {
        let covered = |(dx, dy): (i32, i32)| self.is_covered(x + dx, y + dy);
        let turn_right = match (covered(LEFT[direction]), covered(RIGHT[direction])) {
            (true, false) => return direction,
            (true, true) => true,
            (false, false) => false,
            (false, true) => {
                let sum: f32 = LEFT.iter().map(|&(dx, dy)| self.field.value(x + dx, y + dy)).sum();
                sum >= 2.0
            }
        };
        if turn_right { (direction + 1) % 4 } else { (direction + 3) % 4 }
    }

    /// The point that lies `along` of the way from a covered sample to a bare one; on the picture's border exactly.
    fn crossing(&self, covered: (i32, i32), bare: (i32, i32), along: f32) -> Point {
        let is_beyond = |at: i32, size: usize| at < 0 || at >= 2 * size as i32;
        let along = if is_beyond(bare.0, self.field.width) || is_beyond(bare.1, self.field.height) {
            0.5
        } else {
            along.clamp(0.0, 1.0)
        };
        let place = |from: i32, to: i32| (from as f32 + along * (to - from) as f32 + 0.5) * 0.5;
        Point::new(place(covered.0, bare.0), place(covered.1, bare.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlines_of(rows: &[&[u8]]) -> Vec<Outline> {
        let coverage: Vec<u8> = rows.concat();
        let near = (0..coverage.len() as u32).collect();
        outlines(&Field::solved(coverage, rows[0].len(), near))
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
