//! Takes out of the image what shows through along the edges of shapes that were drawn with the same edge.
//!
//! The rendering model: an anti-aliased shape that covers the share `c` of a pixel leaves `1 − c` of what is below. If two shapes share
//! an edge and the later one covers `c`, the earlier one covers `1 − c` of the rest, so `c · (1 − c)`, a quarter at most, shows the color
//! beneath. Nothing is drawn there: read as a mixture of the two colors, such a pixel would pull the edge, and read as a lack, it would
//! become a sliver. A pixel counts as such if it obeys this law, as do most pixels between the same two colors, and the third color is not
//! drawn beside it, from where it could reach into the pixel.

use super::comparison::{Comparison, PIXEL_NOISE};
use super::patches::palette;
use crate::algorithms::sorted_by_key;
use crate::color::{Channels, PremultipliedColor, distance_sq, dot, is_alike, minus, plus, solve_in_plane};
use crate::geometry::Drawing;
use crate::raster::within_reach;

/// How many times larger than the noise is what is taken for no chance.
///
/// Unit: noise (standard deviations). Source: one of 370 normal deviations is larger.
const CERTAIN: f32 = 3.0;

/// How far the flat color on a side of an edge is from a pixel that the edge passes, at most.
///
/// Unit: pixels. Source: a straight edge passes at most two pixels of a row or of a column.
const EDGE_REACH_PX: isize = 2;

/// Fewer pixels between two colors may obey the law by chance.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const FEWEST_PIXELS: usize = 12;

/// A pixel that an edge passes, between two flat colors.
struct EdgePixel {
    pixel: u32,
    /// The bytes of the two colors, the lower one first.
    pair: [u32; 2],
    /// The color beneath that explains it, as a number in the palette, and the pixel's color without that.
    found: Option<(usize, PremultipliedColor)>,
}

/// The pixels in which a third color shows through between two, and their colors without it.
pub(crate) fn without_bleed(drawing: &Drawing, now: &Comparison<'_>) -> Vec<(usize, PremultipliedColor)> {
    let palette = palette(drawing);
    let pixels = now.edge_pixels.iter().map(|&pixel| pixel as usize);
    let edges: Vec<EdgePixel> = pixels.filter_map(|pixel| edge_pixel(now, pixel, &palette)).collect();
    let by_second = sorted_by_key(0..edges.len() as u32, |k| edges[k as usize].pair[1]);
    let order = sorted_by_key(by_second.into_iter(), |k| edges[k as usize].pair[0]);
    let mut found = Vec::new();
    for same in order.chunk_by(|&a, &b| edges[a as usize].pair == edges[b as usize].pair) {
        let explained = || same.iter().filter_map(|&k| Some((k, edges[k as usize].found?)));
        for beneath in 0..palette.len() {
            let of_color = || explained().filter(|(_, (number, _))| *number == beneath);
            // A color lies beneath all of an edge, or beneath none of it.
            if 2 * of_color().count() > same.len() && same.len() >= FEWEST_PIXELS {
                found.extend(of_color().map(|(k, (_, color))| (edges[k as usize].pixel as usize, color)));
            }
        }
    }
    found
}

fn edge_pixel(now: &Comparison<'_>, pixel: usize, palette: &[Channels]) -> Option<EdgePixel> {
    let sides = [(1, 0), (0, 1)].into_iter().filter_map(|step| sides(now, pixel, step));
    let [first, second] = sides.max_by(|a, b| contrast_sq(a).total_cmp(&contrast_sq(b)))?;
    let mut pair = [first, second].map(|side| u32::from_le_bytes(PremultipliedColor::nearest(side).0));
    pair.sort_unstable();
    let (value, lacking) = (now.pixels.channels(pixel), now.lacking(pixel));
    let mut found = None;
    if dot(lacking, lacking) >= PIXEL_NOISE * PIXEL_NOISE {
        let beside = flat_colors_around(now, pixel);
        let is_hidden =
            |(_, color): &(usize, &Channels)| beside.iter().all(|&other| !is_alike(**color, other));
        let explained = palette.iter().enumerate().filter(is_hidden).filter_map(|(number, &beneath)| {
            let (off_sq, share) = covered(value, [first, second, beneath])?;
            Some((off_sq, number, plus(first, share, minus(second, first))))
        });
        let best = explained.min_by(|a, b| a.0.total_cmp(&b.0));
        found = best.map(|(_, number, color)| (number, PremultipliedColor::nearest(color)));
    }
    Some(EdgePixel { pixel: pixel as u32, pair, found })
}

/// The flat colors from which a shape could reach into a pixel.
fn flat_colors_around(now: &Comparison<'_>, pixel: usize) -> Vec<Channels> {
    let mut colors: Vec<Channels> = Vec::new();
    let near = within_reach(&[pixel as u32], (now.pixels.width, now.pixels.height), EDGE_REACH_PX as u32);
    for at in near.into_iter().map(|at| at as usize).filter(|&at| now.canvas.is_flat(at)) {
        let color = now.canvas.color(at);
        if !colors.contains(&color) {
            colors.push(color);
        }
    }
    colors
}

/// The flat colors nearest to a pixel in both directions.
fn sides(now: &Comparison<'_>, pixel: usize, (dx, dy): (isize, isize)) -> Option<[Channels; 2]> {
    let (width, height) = (now.pixels.width, now.pixels.height);
    let side = |direction: isize| {
        (1..=EDGE_REACH_PX).find_map(|k| {
            let x = (pixel % width).checked_add_signed(k * direction * dx).filter(|&x| x < width)?;
            let y = (pixel / width).checked_add_signed(k * direction * dy).filter(|&y| y < height)?;
            let at = y * width + x;
            now.canvas.is_flat(at).then(|| now.canvas.color(at))
        })
    };
    Some([side(-1)?, side(1)?])
}

fn contrast_sq([a, b]: &[Channels; 2]) -> f32 {
    distance_sq(*a, *b)
}

/// The share of the second color's side in a pixel between two, if the third shows beneath both by as much as the model says, and by
/// how much the pixel is off the model, squared.
fn covered(value: Channels, [first, second, beneath]: [Channels; 3]) -> Option<(f32, f32)> {
    let [to_second, to_beneath, to_value] = [second, beneath, value].map(|color| minus(color, first));
    let (ss, sb, bb) = (dot(to_second, to_second), dot(to_second, to_beneath), dot(to_beneath, to_beneath));
    let products = [ss, sb, bb];
    let [second_share, shows] =
        solve_in_plane(products, [dot(to_second, to_value), dot(to_beneath, to_value)])?;
    // Of a level aside of the line between the two, the color beneath has this share.
    let aside_sq = bb - sb * sb / ss.max(f32::MIN_POSITIVE);
    let least = CERTAIN * PIXEL_NOISE / aside_sq.max(f32::MIN_POSITIVE).sqrt();
    if shows < least || second_share < 0.0 || second_share + shows > 1.0 {
        return None;
    }
    let nearest = plus(plus(first, second_share, to_second), shows, to_beneath);
    let first_share = 1.0 - second_share - shows;
    let orders = [(second_share, second_share), (first_share, 1.0 - first_share)];
    let off_sq = |later: f32| {
        let off = shows - later * (1.0 - later);
        distance_sq(value, nearest) + off * off * aside_sq
    };
    let best = orders.into_iter().map(|(later, share)| (off_sq(later), share));
    let best = best.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 < CERTAIN * CERTAIN * PIXEL_NOISE * PIXEL_NOISE).then_some(best)
}
