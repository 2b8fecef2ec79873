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
//! coverage again, but by less. So the edge is taken to pass half way between the middle of the pixel's side and the jog behind it, and to
//! be straight from jog to jog.

use super::edge_crossing::{IMPURE_SHARE, LEAST_MIXTURE};
use super::pixel_crack::PixelCrack;
use super::placement::PLACEMENT_LEAST_CONTRAST;
use super::planar_map::{Loop, PlanarMap, STEP_UNITS};
use super::rounded::{JOGS_AROUND, around, is_jog};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, PremultipliedColor, distance_sq, dot, minus, plus};
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
        let cracks = cracks_around(ring, map);
        meter.advance(STEP_UNITS * cracks.len())?;
        let mut jogs: Vec<Jog> = Vec::new();
        for (before, three) in cracks.array_windows().enumerate() {
            jogs.extend(jog(pixels, three, before + 1));
        }
        // After the last jog comes the first one.
        let count = jogs.len();
        jogs.extend_from_within(..count.min(2 * JOGS_AROUND));
        jogs[count..].iter_mut().for_each(|jog| jog.crack += cracks.len());
        let are_hard: Vec<bool> = (0..jogs.len()).map(|j| are_hard(around(&jogs, j))).collect();
        let mut jogs = &jogs[..];
        for run in are_hard.chunk_by(|a, b| a == b) {
            let (stretch, others) = jogs.split_at(run.len());
            jogs = others;
            if run[0] && is_raised(stretch) {
                for pair in stretch.array_windows() {
                    lower(pixels, &cracks, pair, &mut found);
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
    let shown = across(behind, 1)?;
    let along = minus(shown, across(touched, 0)?);
    let contrast_sq = dot(along, along);
    if contrast_sq < PLACEMENT_LEAST_CONTRAST * PLACEMENT_LEAST_CONTRAST {
        return None;
    }
    // The shape is so thick that it shows its own color.
    for (crack, farther) in [(behind, 1), (behind, 2), (touched, 2)] {
        if distance_sq(across(crack, farther)?, across(crack, farther + 1)?)
            > 4.0 * LEAST_MIXTURE * LEAST_MIXTURE * contrast_sq
        {
            return None;
        }
    }
    for crack in three {
        if distance_sq(across(crack, 0)?, across(crack, -1)?) > IMPURE_SHARE * IMPURE_SHARE * contrast_sq {
            return Some(1.0);
        }
    }
    Some(dot(minus(shown, across(touched, 1)?), along) / contrast_sq)
}

/// The color so many pixels across a crack: zero for the pixel on its left.
#[inline(never)]
fn color_across(pixels: &Pixels, crack: &PixelCrack, farther: i32) -> Option<Channels> {
    let x = (crack.left.0 + farther * crack.normal.0) as usize;
    let y = (crack.left.1 + farther * crack.normal.1) as usize;
    (x < pixels.width && y < pixels.height).then(|| pixels.channels(y * pixels.width + x))
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

/// Finds the colors of the pixels between two jogs, where the edge goes on in the same direction.
fn lower(
    pixels: &Pixels,
    cracks: &[PixelCrack],
    [from, to]: &[Jog; 2],
    found: &mut Vec<(u32, PremultipliedColor)>,
) {
    let along = to.at - from.at;
    let mut normal = Point::new(-along.y, along.x);
    let width = normal.x.abs() + normal.y.abs();
    if from.inward != to.inward || width == 0.0 {
        return;
    }
    if normal.dot(from.inward) < 0.0 {
        normal = normal * -1.0;
    }
    for crack in from.crack..=to.crack {
        let crack = &cracks[crack % cracks.len()];
        let middle = Point::new(crack.right.0 as f32 + 0.5, crack.right.1 as f32 + 0.5);
        let covered = 0.5 + normal.dot(middle - from.at) / width;
        if covered < 1.0
            && let Some(beside) = color_across(pixels, crack, 0)
            && let Some(shown) = color_across(pixels, crack, 1)
        {
            let color = plus(beside, covered.max(0.0), minus(shown, beside));
            let index = crack.right.1 as usize * pixels.width + crack.right.0 as usize;
            found.push((index as u32, PremultipliedColor::nearest(color)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ProgressMeter;
    use crate::outline::planar_map;
    use crate::raster::{Partition, connected_components};

    const SIDE: usize = 64;

    /// How much of each pixel a disc covers whose middle lies in some row.
    fn disc(row: f32) -> Vec<f32> {
        let covers = |x: f32, y: f32| (x - 31.3).hypot(y - row) < 22.4;
        let parts = || (0..16).map(|k| (k as f32 + 0.5) / 16.0);
        let covered = |x: usize, y: usize| {
            let inside = parts().flat_map(|u| parts().map(move |v| (u, v)));
            inside.filter(|(u, v)| covers(x as f32 + u, y as f32 + v)).count() as f32 / 256.0
        };
        (0..SIDE * SIDE).map(|pixel| covered(pixel % SIDE, pixel / SIDE)).collect()
    }

    /// The red channel of a dark disc on white, whose pixels show `shown` of their coverage; and what is found: the pixels, and the coverage that
    /// they get.
    fn found(row: f32, shown: impl Fn(f32) -> f32) -> Vec<(usize, f32)> {
        let colors: Vec<_> =
            disc(row).into_iter().map(|covered| (255.0 - 215.0 * shown(covered)).round() as u8).collect();
        let labels: Vec<_> = colors.iter().map(|&red| u32::from(red < 148)).collect();
        let mut data: Vec<_> = colors.iter().map(|&red| [red, red, red, 255]).collect();
        let pixels = Pixels { width: SIDE, height: SIDE, data: &mut data };
        let meter = &mut ProgressMeter::idle();
        let Partition { labels, cracks } = connected_components(&labels, SIDE, meter).unwrap();
        let map = planar_map(&labels, &cracks, meter).unwrap();
        let lowered = lowered_pixels(&pixels, &map, meter).unwrap().into_iter();
        lowered.map(|(pixel, color)| (pixel as usize, (255.0 - color.channels()[0]) / 215.0)).collect()
    }

    #[test]
    fn a_raised_edge_gets_its_coverage_back() {
        for row in [32.8, 9.7, 0.2, 55.0] {
            gets_its_coverage_back(row);
        }
    }

    fn gets_its_coverage_back(row: f32) {
        let found = found(row, |covered| if covered > 0.0 { 0.9 + 0.1 * covered } else { 0.0 });
        assert!(found.len() > 50, "{}", found.len());
        let disc = disc(row);
        let before: f32 = found.iter().map(|&(pixel, _)| (1.0 - disc[pixel]).powi(2)).sum();
        let after: f32 = found.iter().map(|&(pixel, covered)| (covered - disc[pixel]).powi(2)).sum();
        assert!(after < 0.3 * before, "{before} {after}");
    }

    #[test]
    fn other_edges_are_left_alone() {
        assert!(found(32.8, |covered| covered).is_empty(), "anti-aliased");
        assert!(found(32.8, f32::round).is_empty(), "rounded");
        assert!(found(32.8, |covered| covered.powf(0.6)).is_empty(), "mixed in another way");
    }
}
