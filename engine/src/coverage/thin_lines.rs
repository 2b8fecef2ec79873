//! Takes thin lines out of a field. Where a line is narrower than the samples of a field are apart, its contour breaks into dots; the middles of
//! its cross sections still show where it runs, and their sums how wide it is.

use super::contour::Contour;
use super::field::Field;
use super::sections::{Chain, LEAST_SECTIONS, MOST_SHIFT_PX, find_chains};
use crate::geometry::Point;

/// How far a line runs on over a gap, at most: another line that crosses it covers as much.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const MOST_GAP_PX: i32 = 4;

/// Takes the thin lines out of a field.
pub(crate) fn take_lines(field: &mut Field) -> Vec<Contour> {
    let chains = find_chains(field);
    if chains.is_empty() {
        return Vec::new();
    }
    let lines = Ends::new(field, &chains).lines();
    for chain in &chains {
        chain.own_pixels(field).into_iter().for_each(|pixel| field.erase(pixel));
    }
    lines
}

/// The ends of chains. The number of an end is twice that of its chain, and one more if it is the last of its sections.
struct Ends<'a> {
    field: &'a Field,
    chains: &'a [Chain],
    /// By the index of its pixel in `near`, the number of an end plus one; 0 where there is none.
    at: Vec<u32>,
}

impl<'a> Ends<'a> {
    fn new(field: &'a Field, chains: &'a [Chain]) -> Self {
        let mut at = vec![0; field.near.len()];
        for (number, Chain { slots, .. }) in chains.iter().enumerate() {
            for (end, slot) in [slots[0], slots[slots.len() - 1]].into_iter().enumerate() {
                at[slot as usize] = (2 * number + end + 1) as u32;
            }
        }
        Ends { field, chains, at }
    }

    fn chain(&self, end: u32) -> &Chain {
        &self.chains[end as usize / 2]
    }

    /// The place of an end, and the direction in which its line runs on.
    #[inline(never)]
    fn ray(&self, end: u32) -> (Point, Point) {
        let middle = &self.chain(end).middle;
        let last = middle.len() - 1;
        let (end, inner) =
            if end.is_multiple_of(2) { (0, LEAST_SECTIONS - 1) } else { (last, last + 1 - LEAST_SECTIONS) };
        (middle[end], (middle[end] - middle[inner]).unit())
    }

    /// The end whose strongest pixel is at a place.
    #[inline(never)]
    fn end_at(&self, Point { x, y }: Point) -> Option<u32> {
        let (width, height) = (self.field.width, self.field.height);
        let is_inside = x >= 0.0 && y >= 0.0 && x < width as f32 && y < height as f32;
        let slot = self.field.slot(is_inside.then_some(y as usize * width + x as usize)?)?;
        self.at[slot].checked_sub(1)
    }

    /// The lines along chains. Chains that run on in each other are one.
    fn lines(&self) -> Vec<Contour> {
        let count = 2 * self.chains.len() as u32;
        let onward: Vec<Option<u32>> = (0..count).map(|end| self.onward(end)).collect();
        let joined = |end: u32| onward[end as usize].filter(|&other| onward[other as usize] == Some(end));
        let mut is_used = vec![false; self.chains.len()];
        let mut lines = Vec::new();
        // Lines with ends first; what remains runs round.
        for runs_round in [false, true] {
            for first in 0..count {
                if is_used[first as usize / 2] || !runs_round && joined(first).is_some() {
                    continue;
                }
                let (mut middle, mut area, mut sections) = (vec![self.tip(first)], 0.0, 0.0);
                let (mut next, mut last) = (Some(first), first);
                while let Some(end) = next.filter(|&end| !is_used[end as usize / 2]) {
                    is_used[end as usize / 2] = true;
                    let chain = self.chain(end);
                    middle.extend_from_slice(&chain.middle);
                    if !end.is_multiple_of(2) {
                        let added = middle.len() - chain.middle.len();
                        middle[added..].reverse();
                    }
                    area += chain.width_px * chain.slots.len() as f32;
                    sections += chain.slots.len() as f32;
                    last = end ^ 1;
                    next = joined(last);
                }
                middle.push(self.tip(last));
                lines.push(Contour {
                    points: middle,
                    line_width_px: Some(area / sections),
                    steepness: 0.0,
                    first_pixel: self.field.near[self.chain(first).slots[0] as usize] as usize,
                });
            }
        }
        lines
    }

    /// The nearest end straight ahead of an end.
    #[inline(never)]
    fn onward(&self, end: u32) -> Option<u32> {
        let (from, along) = self.ray(end);
        let mut nearest = None;
        let mut least = f32::INFINITY;
        for step in 1..=MOST_GAP_PX {
            let ahead = from + along * step as f32;
            for (dx, dy) in (0..9u8).map(|k| (f32::from(k % 3) - 1.0, f32::from(k / 3) - 1.0)) {
                let Some(other) = self.end_at(ahead + Point::new(dx, dy)) else { continue };
                let (to, back) = self.ray(other);
                let by = to - from;
                let is_ahead = other / 2 != end / 2
                    && by.dot(along) > 0.0
                    && by.cross(along).abs() <= MOST_SHIFT_PX
                    && along.dot(back) < -std::f32::consts::FRAC_1_SQRT_2;
                if is_ahead && by.length() < least {
                    (least, nearest) = (by.length(), Some(other));
                }
            }
        }
        nearest
    }

    /// The end of a line: a pixel beyond the middle of its last section, so that no gap shows where it meets others.
    fn tip(&self, end: u32) -> Point {
        let (last, along) = self.ray(end);
        last + along
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ProgressMeter;

    /// A field of 24 × 24 pixels that shows some straight lines, each by its ends and its width, on 256 points of each pixel.
    fn field(lines: &[(Point, Point, f32)]) -> Field {
        let is_on = |point: Point, &(from, to, width): &(Point, Point, f32)| {
            let (along, by) = ((to - from).unit(), point - from);
            by.cross(along).abs() <= 0.5 * width && (0.0..=(to - from).length()).contains(&by.dot(along))
        };
        let share = |pixel: usize| {
            let at = |k: usize| {
                let (x, y) = (k % 16, k / 16);
                Point::new(
                    (pixel % 24) as f32 + (x as f32 + 0.5) / 16.0,
                    (pixel / 24) as f32 + (y as f32 + 0.5) / 16.0,
                )
            };
            let covered = (0..256).filter(|&k| lines.iter().any(|line| is_on(at(k), line))).count();
            (covered * 255 / 256) as u8
        };
        let coverage: Vec<u8> = (0..24 * 24).map(share).collect();
        let near = (0..24 * 24).collect();
        Field::solved(coverage, 24, near, &mut ProgressMeter::idle()).unwrap()
    }

    fn point(x: f32, y: f32) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn a_thin_line_keeps_its_place_width_and_ends_at_any_angle() {
        for (from, to) in [
            (point(3.3, 12.2), point(20.6, 12.2)),
            (point(3.3, 9.1), point(20.6, 14.8)),
            (point(4.2, 4.4), point(19.7, 19.9)),
            (point(9.0, 2.7), point(13.4, 20.5)),
            (point(18.1, 3.5), point(6.3, 20.2)),
        ] {
            let width = 0.5;
            let mut field = field(&[(from, to, width)]);
            let [line] = &take_lines(&mut field)[..] else { panic!("one line from {from:?} to {to:?}") };
            assert!(
                (line.line_width_px.unwrap() - width).abs() < 0.06,
                "{:?} from {from:?}",
                line.line_width_px
            );
            let along = (to - from).unit();
            // Where in its pixel a line lies, the middles do not tell exactly; near the ends, they tell less.
            for &place in &line.points[2..line.points.len() - 2] {
                assert!((place - from).cross(along).abs() < 0.2, "{place:?} from {from:?} to {to:?}");
            }
            let (first, last) = (line.points[0], line.points[line.points.len() - 1]);
            let off = |end: Point| (first - end).length().min((last - end).length());
            assert!(off(from) < 1.6 && off(to) < 1.6, "{first:?} to {last:?}");
            assert!(field.coverage.iter().all(|&share| share < 64), "nothing is left of it");
        }
    }

    #[test]
    fn lines_run_on_where_others_cross_them() {
        let lines = [(point(2.2, 5.1), point(21.8, 17.9), 0.4), (point(4.1, 20.2), point(18.3, 2.9), 0.4)];
        let found = take_lines(&mut field(&lines));
        assert_eq!(found.len(), 2);
        for (from, to, _) in lines {
            let is_along = |line: &Contour| {
                let along = (to - from).unit();
                let off = |place: &Point| (*place - from).cross(along).abs();
                line.points.iter().all(|place| off(place) < 0.7) && line.points.len() > 16
            };
            assert!(found.iter().any(is_along), "from {from:?}");
        }
    }

    #[test]
    fn what_is_wider_stays_in_the_field() {
        let wide = [(point(3.3, 9.1), point(20.6, 14.8), 1.2)];
        assert!(take_lines(&mut field(&wide)).is_empty());
    }

    #[test]
    fn a_shape_that_the_border_cuts_is_no_line() {
        let slanted = [(point(0.2, -3.0), point(-0.4, 30.0), 0.9)];
        assert!(take_lines(&mut field(&slanted)).is_empty());
    }
}
