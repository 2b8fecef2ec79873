//! Finds what the drawing lacks: connected pixels in which the image differs from it in one direction of color.

use super::comparison::Comparison;
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, ColorMetric, dot, plus, times};
use crate::raster::{Bounds, is_among, within_reach};

/// Two pixels differ from the drawing in one direction if the squared cosine of the angle between their differences is above this.
///
/// Unit: share (ratio). Source: half of the one's difference is then explained by the other's.
const ONE_DIRECTION: f32 = 0.5;

/// Where an edge passes, pixels may differ by one part in so many of the change across the edge, and nothing is missing.
///
/// Unit: count (parts). Source: on circles that resvg drew, up to one in eight, many in a row; with four, drawings of few colors miss features.
pub(super) const EDGE_PARTS: u8 = 6;

/// Pixels that differ by at least this share of the strongest difference show the ink in full.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const FULL_INK: f32 = 0.7;

/// A small curve takes about this many bytes.
///
/// Unit: bytes. Source: `M12.3 4.5l3 .4v4z`.
const LEAST_BYTES: f32 = 16.0;

/// What is too little to be added.
pub(crate) struct PatchLimits {
    /// The squared error that a byte must save.
    pub price: f32,
    pub speckle_px: f32,
    pub metric: ColorMetric,
}

/// What the drawing lacks in one place.
pub(crate) struct Patch {
    pub pixels: Vec<u32>,
    /// The color of its strongest pixels.
    pub ink: Channels,
    /// What is drawn there.
    pub ground: Channels,
    /// Whether it lies beside an edge without anti-aliasing, which says little of where it is.
    pub is_rounded: bool,
    /// Whether the image shows no more of it than a speckle.
    pub is_speckle: bool,
}

/// A pixel that differs from the drawing.
#[derive(Clone, Copy)]
struct Member {
    pixel: u32,
    /// What the drawing lacks there.
    lacking: Channels,
    /// The squared difference, if it is more than edges leave.
    evidence: f32,
}

/// Pixels that differ from the drawing, and the sets of those that belong together.
struct Differing {
    pixels: Vec<Member>,
    sets: DisjointSets,
}

pub(crate) fn find_patches(
    now: &Comparison<'_>,
    limits: &PatchLimits,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Patch>, Stopped> {
    let Differing { pixels, sets } = differing(now, limits.price, meter)?;
    let in_order = sorted_by_key(0..pixels.len() as u32, |k| sets.0[k as usize]);
    let (mut patches, mut next) = (Vec::new(), 0);
    while next < in_order.len() {
        let set = |&k: &u32| sets.0[k as usize];
        let first = next;
        next += in_order[first..].iter().take_while(|k| set(k) == set(&in_order[first])).count();
        let members: Vec<_> = in_order[first..next].iter().map(|&k| pixels[k as usize]).collect();
        let evidence: f32 = members.iter().map(|member| member.evidence).sum();
        if evidence > LEAST_BYTES * limits.price {
            patches.extend(patch(now, &members, limits));
        }
    }
    Ok(patches)
}

/// Finds the pixels in which the image differs from the drawing by more than noise, and joins neighbors.
fn differing(now: &Comparison<'_>, price: f32, meter: &mut ProgressMeter<'_>) -> Result<Differing, Stopped> {
    let width = now.pixels.width;
    let mut pixels: Vec<Member> = Vec::new();
    let mut edges = now.at_edges().peekable();
    now.for_each_difference(|pixel, lacking| {
        let square = dot(lacking, lacking);
        if square <= price {
            return;
        }
        let pixel = pixel as u32;
        while edges.next_if(|(at, _)| at.pixel < pixel).is_some() {}
        let fragments =
            edges.peek().filter(|(at, _)| at.pixel == pixel).map_or(&[][..], |(_, visible)| visible);
        let across = fragments.iter().map(|fragment| dot(fragment.gain, fragment.gain)).fold(0.0, f32::max);
        let is_evidence = square * f32::from(EDGE_PARTS * EDGE_PARTS) > across;
        pixels.push(Member { pixel, lacking, evidence: if is_evidence { square } else { 0.0 } });
    });
    meter.advance(pixels.len())?;
    let mut sets = DisjointSets::new(pixels.len());
    // Where the row of the next pixel begins, and the first of the pixels that may be above it.
    let (mut row_start, mut above) = (0, 0);
    for (me, &Member { pixel, lacking, .. }) in pixels.iter().enumerate() {
        let pixel = pixel as usize;
        while pixel >= row_start + width {
            row_start += width;
        }
        let (left, right) = (pixel.max(row_start + 1) - 1, (pixel + 1).min(row_start + width - 1));
        while (pixels[above].pixel as usize) < left.saturating_sub(width) {
            above += 1;
        }
        let is_above = |other: &&Member| other.pixel as usize + width <= right;
        let last_above = above + pixels[above..me].iter().take_while(is_above).count();
        let before = me > 0 && left < pixel && pixels[me - 1].pixel as usize == left;
        for k in above..last_above + usize::from(before) {
            let other = if k < last_above { k } else { me - 1 };
            if is_one_direction(pixels[other].lacking, lacking) {
                sets.union(me as u32, other as u32);
            }
        }
    }
    for k in 0..sets.0.len() as u32 {
        sets.0[k as usize] = sets.find(k);
    }
    Ok(Differing { pixels, sets })
}

/// Whether what the image shows of a patch is smaller than a speckle, in width and in height both. Pixels around the patch that lack the same, but
/// less of it, are part of that, and so are those that are connected with it and of its ink: a patch at the end of a shape is a part of the
/// shape. Beside an edge without anti-aliasing, only what differs is.
fn is_speckle(
    now: &Comparison<'_>,
    (pixels, lacking, ink): (&[u32], Channels, Channels),
    is_rounded: bool,
    limits: &PatchLimits,
) -> bool {
    let size = (now.pixels.width, now.pixels.height);
    let lacks = |pixel: u32| {
        is_one_direction(now.lacking(pixel as usize), lacking) && is_among(&now.differing, pixel)
    };
    let shows =
        |pixel: u32| !is_rounded && limits.metric.same_layer(now.pixels.channels(pixel as usize), ink);
    let mut bounds = Bounds::NONE;
    // What was found a step ago, and two.
    let (mut last, mut before) = (pixels.to_vec(), Vec::new());
    while !last.is_empty() {
        last.iter().for_each(|&pixel| bounds.add(pixel, size.0 as u32));
        if bounds.extent() as f32 >= limits.speckle_px {
            return false;
        }
        let mut next = within_reach(&last, size, 1);
        let is_new = |pixel: u32| !is_among(&last, pixel) && !is_among(&before, pixel);
        next.retain(|&pixel| is_new(pixel) && (shows(pixel) || (before.is_empty() && lacks(pixel))));
        (last, before) = (next, last);
    }
    true
}

/// Whether two differences lie in about one direction.
// Not inlined: the WebAssembly module would grow.
#[inline(never)]
fn is_one_direction(one: Channels, other: Channels) -> bool {
    let (along, squares) = (dot(one, other), dot(one, one) * dot(other, other));
    along > 0.0 && along * along > ONE_DIRECTION * squares
}

/// Finds the ink of a patch. `None` if it belongs to the layer of what is drawn.
fn patch(now: &Comparison<'_>, members: &[Member], limits: &PatchLimits) -> Option<Patch> {
    let strength = |member: &Member| dot(member.lacking, member.lacking);
    let strongest = members.iter().max_by(|a, b| strength(a).total_cmp(&strength(b)))?.lacking;
    let square = dot(strongest, strongest);
    let (mut lacking, mut ground, mut count) = ([0.0; 4], [0.0; 4], 0.0);
    for member in members.iter().filter(|member| dot(member.lacking, strongest) > FULL_INK * square) {
        lacking = plus(lacking, 1.0, member.lacking);
        ground = plus(ground, 1.0, now.canvas.color(member.pixel as usize));
        count += 1.0;
    }
    let (lacking, ground) = (times(1.0 / count, lacking), times(1.0 / count, ground));
    let ink = plus(ground, 1.0, lacking);
    if limits.metric.same_layer(ink, ground) {
        return None;
    }
    let pixels: Vec<u32> = members.iter().map(|member| member.pixel).collect();
    let is_rounded = pixels.iter().any(|&pixel| now.is_rounded(pixel));
    let is_speckle = is_speckle(now, (&pixels, strongest, ink), is_rounded, limits);
    Some(Patch { pixels, ink, ground, is_rounded, is_speckle })
}
