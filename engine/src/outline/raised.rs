//! Edges whose coverage a filter raised. Takes pixels and the planar map, gives the colors that pixels beside such edges had before.
//!
//! Design programs write inner shadows and glows with filters that take a shape for opaque in every pixel that it touches, however little. So the
//! shape grows by up to a pixel, and its edge is jagged: pixels that it covers in part show it almost wholly, and none shows it by less than half.
//!
//! Jogs tell, as they do of edges [without anti-aliasing](super::rounded). At a jog, an anti-aliased edge mixes the pixels on both of its sides,
//! and one that was rounded those on neither side. A raised edge mixes those of the shape alone: the pixel that it touches first shows a
//! little less of the shape than the one behind.
//!
//! The edge enters a pixel that it touches first anywhere on its way from one corner to the opposite one; drawn larger, the filter raises the
//! coverage again, but by less. So the edge is taken to pass half way between the middle of the pixel's side and the jog behind it, to be
//! straight from jog to jog, and, where it turns back, to be a parabola through two jogs on each side.

use super::edge_crossing::{IMPURE_SHARE, LEAST_MIXTURE};
use super::pixel_crack::PixelCrack;
use super::placement::PLACEMENT_LEAST_CONTRAST;
use super::planar_map::{Loop, PlanarMap, STEP_UNITS};
use super::rounded::{JOGS_AROUND, around, is_jog};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{PremultipliedColor, byte_distance_sq, dot, minus, plus};
use crate::geometry::Point;
use crate::raster::Pixels;

/// Where an edge steps by one pixel to the side.
#[derive(Clone)]
struct Jog {
    /// The number of its crack around the region.
    crack: usize,
    /// Where the edge passes it.
    at: Point,
    /// Into the shape: one pixel along each axis.
    inward: Point,
    /// By what share of the contrast the pixel of the shape that the edge touches first differs from the one behind; `None` if the colors
    /// say nothing. One, if the region beside the shape is mixed there.
    step: Option<f32>,
}

impl Jog {
    /// Whether the edge is no anti-aliased one here, which would show half of its coverage on each side.
    fn is_hard(&self) -> Option<bool> {
        self.step.map(|step| (-LEAST_MIXTURE..0.5).contains(&step))
    }
}

/// Pixels beside raised edges, and their colors if the coverage had not been raised.
pub(crate) fn lowered_pixels(
    pixels: &Pixels,
    map: &PlanarMap,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<(u32, PremultipliedColor)>, Stopped> {
    let mut found = Vec::new();
    for ring in &map.loops {
        let mut cracks = cracks_around(ring, map);
        let length = cracks.len();
        meter.advance(STEP_UNITS * length)?;
        // After the last crack comes the first one, and so with jogs.
        cracks.extend_from_within(..length.min(2));
        let mut jogs: Vec<Jog> = Vec::new();
        for (before, three) in cracks.array_windows().enumerate() {
            jogs.extend(jog(pixels, three, before + 1));
        }
        let count = jogs.len();
        jogs.extend_from_within(..count.min(2 * JOGS_AROUND));
        jogs[count..].iter_mut().for_each(|jog| jog.crack += length);
        let are_hard: Vec<bool> = (0..jogs.len()).map(|j| are_hard(around(&jogs, j))).collect();
        let mut jogs = &jogs[..];
        for run in are_hard.chunk_by(|a, b| a == b) {
            let (stretch, others) = jogs.split_at(run.len());
            jogs = others;
            if run[0] && is_raised(stretch) {
                for (k, [from, to]) in stretch.array_windows().enumerate() {
                    let Some(course) = Course::between(stretch, k) else { continue };
                    for crack in from.crack..=to.crack {
                        found.extend(lowered(pixels, &cracks[crack % length], &course));
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The cracks around a region, which lies on the left.
fn cracks_around(ring: &Loop, map: &PlanarMap) -> Vec<PixelCrack> {
    let mut cracks = Vec::new();
    for &(arc, reversed) in &ring.steps {
        let first = cracks.len();
        cracks.extend(PixelCrack::all(&map.arcs[arc as usize]));
        if reversed {
            cracks[first..].reverse();
            for PixelCrack { normal, left, right, .. } in &mut cracks[first..] {
                *normal = (-normal.0, -normal.1);
                std::mem::swap(left, right);
            }
        }
    }
    cracks
}

/// The jog that three cracks are, if they are one.
fn jog(pixels: &Pixels, three: &[PixelCrack; 3], crack: usize) -> Option<Jog> {
    let [from, side, to] = three;
    if !is_jog([from.normal, side.normal, to.normal]) {
        return None;
    }
    let (x, y) = from.normal;
    let inward = Point::new((x + side.normal.0) as f32, (y + side.normal.1) as f32);
    let steps_inward = side.normal.1 * x > side.normal.0 * y;
    let step = step(pixels, three, if steps_inward { [to, from] } else { [from, to] });
    Some(Jog { crack, at: side.middle + inward * 0.25, inward, step })
}

/// As in [`Jog`]. The shape's pixel beside the first of these cracks lies behind the one beside the second.
fn step(pixels: &Pixels, three: &[PixelCrack; 3], [behind, touched]: [&PixelCrack; 2]) -> Option<f32> {
    let across = |crack: &PixelCrack, farther| color_across(pixels, crack, farther);
    let (shown, beside) = (across(behind, 1)?, across(touched, 0)?);
    let apart_sq = |a, b| byte_distance_sq(a, b) as f32;
    let contrast_sq = apart_sq(shown, beside);
    if contrast_sq < PLACEMENT_LEAST_CONTRAST * PLACEMENT_LEAST_CONTRAST {
        return None;
    }
    // The shape is so thick that it shows its own color.
    for (crack, farther) in [(behind, 1), (behind, 2), (touched, 2)] {
        if apart_sq(across(crack, farther)?, across(crack, farther + 1)?)
            > 4.0 * LEAST_MIXTURE * LEAST_MIXTURE * contrast_sq
        {
            return None;
        }
    }
    for crack in three {
        if apart_sq(across(crack, 0)?, across(crack, -1)?) > IMPURE_SHARE * IMPURE_SHARE * contrast_sq {
            return Some(1.0);
        }
    }
    let [shown, beside, touched] = [shown, beside, across(touched, 1)?].map(|color| color.map(f32::from));
    Some(dot(minus(shown, touched), minus(shown, beside)) / contrast_sq)
}

/// The color so many pixels across a crack: zero for the pixel on its left.
#[inline(never)]
fn color_across(pixels: &Pixels, crack: &PixelCrack, farther: i32) -> Option<[u8; 4]> {
    let x = (crack.left.0 + farther * crack.normal.0) as usize;
    let y = (crack.left.1 + farther * crack.normal.1) as usize;
    (x < pixels.width && y < pixels.height).then(|| pixels.data[y * pixels.width + x])
}

/// Whether all jogs but one are hard, and enough of them say so.
fn are_hard(jogs: &[Jog]) -> bool {
    let known = jogs.iter().filter_map(Jog::is_hard);
    let (count, hard) = known.fold((0, 0), |(count, hard), is_hard| (count + 1, hard + usize::from(is_hard)));
    count > JOGS_AROUND && hard + 1 >= count
}

/// Whether most hard jogs show less of the shape where the edge touches it first.
fn is_raised(stretch: &[Jog]) -> bool {
    let hard = stretch.iter().filter(|jog| jog.is_hard() == Some(true));
    let (count, lower) =
        hard.fold((0, 0), |(count, lower), jog| (count + 1, lower + usize::from(jog.step > Some(0.0))));
    2 * lower > count
}

/// How the edge runs between two jogs.
struct Course {
    /// Half way.
    middle: Point,
    /// Into the shape; by how much more of a pixel is covered that lies one pixel farther in this direction.
    inward: Point,
    /// Of an edge that is bent, else nothing: a unit vector along it, and by how much more than beside both jogs is covered half way between
    /// them, in all and for each square of the distance from there.
    along: Point,
    bulge: f32,
    bend: f32,
}

impl Course {
    /// Between jog `k` and the next one. `None` where the edge turns back, and the jogs before and after do not tell how.
    fn between(jogs: &[Jog], k: usize) -> Option<Self> {
        let [from, to] = [&jogs[k], &jogs[k + 1]];
        let way = to.at - from.at;
        let middle = (from.at + to.at) * 0.5;
        if from.inward == to.inward {
            let normal = Point::new(-way.y, way.x);
            let width = normal.x.abs() + normal.y.abs();
            let share = if normal.dot(from.inward) < 0.0 { -1.0 } else { 1.0 } / width;
            let straight =
                Course { middle, inward: normal * share, along: Point::default(), bulge: 0.0, bend: 0.0 };
            return (width > 0.0).then_some(straight);
        }
        let [before, after] = [jogs.get(k.checked_sub(1)?)?, jogs.get(k + 2)?];
        let inward = (from.inward + to.inward) * 0.5;
        let along = Point::new(-inward.y, inward.x);
        let [half_sq, wide_sq] =
            [way, after.at - before.at].map(|way| 0.25 * along.dot(way) * along.dot(way));
        let [depth, other] = [before.at - from.at, after.at - to.at].map(|way| inward.dot(way));
        // What bulges by more than a pixel would pass other pixels.
        let is_turn = [before.inward, after.inward] == [from.inward, to.inward]
            && inward.dot(way) == 0.0
            && depth == other
            && 2.0 * half_sq < wide_sq;
        let bend = depth / (wide_sq - half_sq);
        is_turn.then_some(Course { middle, inward, along, bulge: bend * half_sq, bend })
    }

    /// How much of the pixel with this middle is covered; beyond 0 and 1 where the edge does not pass it.
    fn covered(&self, pixel: Point) -> f32 {
        let off = pixel - self.middle;
        let aside = self.along.dot(off);
        0.5 + self.inward.dot(off) + self.bulge - self.bend * aside * aside
    }
}

/// The pixel on the right of a crack, and its color, if an edge with this course covers only part of it.
fn lowered(pixels: &Pixels, crack: &PixelCrack, course: &Course) -> Option<(u32, PremultipliedColor)> {
    let (x, y) = crack.right;
    let covered = course.covered(Point::new(x as f32 + 0.5, y as f32 + 0.5));
    if covered >= 1.0 {
        return None;
    }
    let [beside, shown] = [color_across(pixels, crack, 0)?, color_across(pixels, crack, 1)?];
    let [beside, shown] = [beside, shown].map(|color| color.map(f32::from));
    let color = plus(beside, covered.max(0.0), minus(shown, beside));
    Some(((y as usize * pixels.width + x as usize) as u32, PremultipliedColor::nearest(color)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ProgressMeter;
    use crate::outline::planar_map;
    use crate::raster::{Partition, connected_components};

    const SIDE: usize = 64;

    /// How much of each pixel a shape covers.
    fn coverage(covers: impl Fn(f32, f32) -> bool) -> Vec<f32> {
        let parts = || (0..16).map(|k| (k as f32 + 0.5) / 16.0);
        let covered = |x: usize, y: usize| {
            let inside = parts().flat_map(|u| parts().map(move |v| (u, v)));
            inside.filter(|(u, v)| covers(x as f32 + u, y as f32 + v)).count() as f32 / 256.0
        };
        (0..SIDE * SIDE).map(|pixel| covered(pixel % SIDE, pixel / SIDE)).collect()
    }

    /// That of a disc whose middle lies in some row.
    fn disc(row: f32) -> Vec<f32> {
        coverage(|x, y| (x - 31.3).hypot(y - row) < 22.4)
    }

    /// The red channel of a dark shape on white, whose pixels show `shown` of their coverage; and what is found: the pixels, and the coverage
    /// that they get.
    fn found(coverage: &[f32], shown: impl Fn(f32) -> f32) -> Vec<(usize, f32)> {
        let colors: Vec<_> =
            coverage.iter().map(|&covered| (255.0 - 215.0 * shown(covered)).round() as u8).collect();
        let labels: Vec<_> = colors.iter().map(|&red| u32::from(red < 148)).collect();
        let mut data: Vec<_> = colors.iter().map(|&red| [red, red, red, 255]).collect();
        let pixels = Pixels { width: SIDE, height: SIDE, data: &mut data };
        let meter = &mut ProgressMeter::idle();
        let Partition { labels, cracks } = connected_components(&labels, SIDE, meter).unwrap();
        let map = planar_map(&labels, &cracks, meter).unwrap();
        let lowered = lowered_pixels(&pixels, &map, meter).unwrap().into_iter();
        lowered.map(|(pixel, color)| (pixel as usize, (255.0 - color.channels()[0]) / 215.0)).collect()
    }

    fn raised(covered: f32) -> f32 {
        if covered > 0.0 { 0.9 + 0.1 * covered } else { 0.0 }
    }

    #[test]
    fn a_raised_edge_gets_its_coverage_back() {
        for row in [32.8, 9.7, 0.2, 55.0] {
            gets_its_coverage_back(&disc(row));
        }
    }

    fn gets_its_coverage_back(coverage: &[f32]) {
        let found = found(coverage, raised);
        assert!(found.len() > 50, "{}", found.len());
        let before: f32 = found.iter().map(|&(pixel, _)| (1.0 - coverage[pixel]).powi(2)).sum();
        let after: f32 = found.iter().map(|&(pixel, covered)| (covered - coverage[pixel]).powi(2)).sum();
        assert!(after < 0.3 * before, "{before} {after}");
    }

    #[test]
    fn so_does_the_edge_around_a_hole() {
        gets_its_coverage_back(&coverage(|x, y| (x - 31.3).hypot(y - 32.8) > 22.4));
    }

    #[test]
    fn where_the_edge_turns_back_its_pixels_get_it_too() {
        let disc = disc(32.8);
        let found = found(&disc, raised);
        let top = (0..SIDE * SIDE).filter(|pixel| pixel / SIDE == 10 && disc[*pixel] > 0.0);
        for pixel in top {
            let covered = found.iter().find(|(found, _)| *found == pixel).expect("touched first").1;
            assert!((covered - disc[pixel]).abs() < 0.35, "{covered} {}", disc[pixel]);
        }
    }

    /// How much of a pixel a straight side along the pixels covers cannot be seen.
    #[test]
    fn straight_sides_between_round_corners_are_left_alone() {
        let is_round = |x: f32, y: f32| {
            let [x, y] = [x, y].map(|at| ((at - 32.0).abs() - 14.0).max(0.0));
            x.hypot(y) < 10.4
        };
        for is_hole in [false, true] {
            let found = found(&coverage(|x, y| is_round(x, y) != is_hole), raised);
            assert!(found.len() > 20, "{}", found.len());
            let is_beside_middle = |&(pixel, _): &(usize, f32)| {
                [pixel % SIDE, pixel / SIDE].iter().any(|at| (22..42).contains(at))
            };
            assert!(!found.iter().any(is_beside_middle), "{found:?}");
        }
    }

    #[test]
    fn other_edges_are_left_alone() {
        let disc = disc(32.8);
        assert!(found(&disc, |covered| covered).is_empty(), "anti-aliased");
        assert!(found(&disc, f32::round).is_empty(), "rounded");
        assert!(found(&disc, |covered| covered.powf(0.6)).is_empty(), "mixed in another way");
    }
}
