use super::paint_tally::PaintTally;
use super::patch::Patch;
use super::subpixel_print::fringed_ink;
use crate::color::{
    ALIKE_SQ, Channels, ColorMetric, Mixtures, distance_sq, dot, is_alike, minus, projection,
};
use crate::raster::neighborhood;
use crate::resolve::paints::{InkMixtures, PaintMap, is_paint};

/// This share of a patch must be mixtures of paint and ink for it to be a stroke.
const STROKE_SHARE: f32 = 0.85;

/// This share of a patch must lie between paint and ink for coverage to say where its edges are.
const STROKE_MIXED_SHARE: f32 = 0.05;

/// Of print in two inks, each has at least this share, and differs from the paper by so much (Euclidean, 8-bit levels).
const LEAST_PART: f32 = 0.15;
const LEAST_OF_TWO: f32 = 40.0;
/// It has at least so many pixels, and no more paints around it than [`MOST_PAINTS_OF_STROKE`]: no frame joins it to what lies on others.
const LEAST_IN_TWO_INKS: usize = 16;
/// So much of the one below lies along the one above.
const LEAST_ALONG: f32 = 0.9;

/// Paints that a stroke may run between.
const MOST_PAINTS_OF_STROKE: usize = 4;

/// A patch, and of print in two inks a second one over it; or the pixels of what is none.
pub(crate) type PatchVerdict = Result<(Patch, Option<Patch>), Vec<u32>>;

/// The paints around a patch and its ink; of print in two inks a second patch, over the first. The pixels back when they are not mixtures
/// of these, nor are their channels one by one.
pub(crate) fn find_ink(
    paint_map: &PaintMap<'_>,
    pixels: Vec<u32>,
    metric: &ColorMetric,
    tally: &mut PaintTally,
) -> PatchVerdict {
    let found = tally.paints_around(paint_map, &pixels);
    if found.is_empty() {
        return Err(pixels);
    }
    let own = |explained: Option<(Vec<u32>, Channels)>, pixels, is_fringed| match explained {
        Some(mixtures) => Ok((Patch::new(paint_map, pixels, mixtures, is_fringed), None)),
        None => Err(pixels),
    };
    own(mixed(paint_map, &pixels, metric, &found), pixels, false)
        .or_else(|pixels| own(fringed(paint_map, &pixels, metric, &found), pixels, true))
        .or_else(|pixels| match in_two_inks(paint_map, &pixels, metric, &found) {
            Some([below, above]) => Ok((below, Some(above))),
            None => Err(pixels),
        })
}

/// The paints and the ink that the pixels are mixtures of, of the paints around them, most frequent first.
#[inline(never)]
fn mixed(
    paint_map: &PaintMap<'_>,
    pixels: &[u32],
    metric: &ColorMetric,
    found: &[u32],
) -> Option<(Vec<u32>, Channels)> {
    let mut paints = found[..found.len().min(MOST_PAINTS_OF_STROKE)].to_vec();
    let mut ink = strongest(paint_map, pixels, &paints);
    if let Some(solid) = solid_of(paint_map, &found[paints.len()..], &paints, ink) {
        ink = paint_map.colors[solid as usize];
    }
    if let Some((a, b)) = mixed_pair(paint_map, &paints, ink) {
        let (paper, solid) = enclosing_paint(paint_map, pixels, a, b)?;
        ink = paint_map.colors[solid as usize];
        let color = paint_map.colors[paper as usize];
        paints.retain(|&paint| is_alike(paint_map.colors[paint as usize], color));
    }
    let is_found = is_drawable(paint_map, &paints, ink, metric) && is_stroke(paint_map, pixels, &paints, ink);
    is_found.then_some((paints, ink))
}

/// The color of the pixels that differ most from all of some paints.
#[inline(never)]
fn strongest(paint_map: &PaintMap<'_>, pixels: &[u32], paints: &[u32]) -> Channels {
    let strength = |&i: &u32| {
        let value = paint_map.pixels.channels(i as usize);
        let distances = paints.iter().map(|&paint| distance_sq(value, paint_map.colors[paint as usize]));
        // Not by `min` and `max`, which are calls in WebAssembly.
        distances.fold(f32::INFINITY, |least, distance| if distance < least { distance } else { least })
    };
    let strengths: Vec<f32> = pixels.iter().map(strength).collect();
    let strongest =
        strengths.iter().fold(0.0, |most, &strength| if strength > most { strength } else { most });
    let (mut sum, mut count) = ([0.0f32; 4], 0.0);
    for (&i, _) in pixels.iter().zip(&strengths).filter(|&(_, &strength)| strength >= 0.9 * strongest) {
        count += 1.0;
        for (s, v) in sum.iter_mut().zip(paint_map.pixels.channels(i as usize)) {
            *s += v;
        }
    }
    sum.map(|s| s / count)
}

/// Print in two inks, the one lighter and the other darker than their paper, as embossed print and print with an outline are: that of the
/// weaker ink, below, lies along the other. Neither is of a paint beside it, as where three shapes meet.
#[inline(never)]
fn in_two_inks(
    paint_map: &PaintMap<'_>,
    pixels: &[u32],
    metric: &ColorMetric,
    found: &[u32],
) -> Option<[Patch; 2]> {
    if pixels.len() < LEAST_IN_TWO_INKS || found.len() > MOST_PAINTS_OF_STROKE {
        return None;
    }
    let paper = paper(paint_map, found);
    let color = paint_map.colors[paper as usize];
    let way = |i: u32| minus(paint_map.pixels.channels(i as usize), color);
    let farther = |best: Channels, way: Channels| if dot(way, way) > dot(best, best) { way } else { best };
    let longest = pixels.iter().map(|&i| way(i)).fold([0.0; 4], farther);
    // A quick look first: most patches that are no strokes have one side only.
    let least = -LEAST_OF_TWO * dot(longest, longest).sqrt();
    if !pixels.iter().any(|&i| dot(way(i), longest) < least) {
        return None;
    }
    let (above, below): (Vec<u32>, Vec<u32>) = pixels.iter().partition(|&&i| dot(way(i), longest) > 0.0);
    let least_px = LEAST_PART * pixels.len() as f32;
    let part = |part| part_in_one_ink(paint_map, part, metric, (paper, found), least_px);
    let parts = [part(below)?, part(above)?];
    // How much of a pixel each covers, the one below and the one above.
    let [below, above] = parts.each_ref().map(|part| Mixtures::new(color, part.ink));
    let share = |mixtures: &Mixtures, i: u32| mixtures.nearest(paint_map.pixels.channels(i as usize)).1;
    let is_along = |i: u32| neighborhood(i, paint_map.size(), 1).flatten().any(|j| share(&above, j) >= 0.2);
    let seen = || parts[0].pixels.iter().copied().filter(|&i| share(&below, i) >= 0.3);
    let along = seen().filter(|&i| is_along(i)).count() as f32;
    (along >= LEAST_ALONG * seen().count() as f32).then_some(parts)
}

/// A part of print in two inks, if it is of at least so many pixels and they are mixtures of one.
#[inline(never)]
fn part_in_one_ink(
    paint_map: &PaintMap<'_>,
    pixels: Vec<u32>,
    metric: &ColorMetric,
    (paper, found): (u32, &[u32]),
    least: f32,
) -> Option<Patch> {
    let color = |paint: u32| paint_map.colors[paint as usize];
    let ink = strongest(paint_map, &pixels, &[paper]);
    let is_beside =
        |&paint: &u32| paint_map.areas[paint as usize] as f32 > least && is_alike(color(paint), ink);
    let is_found = pixels.len() as f32 >= least
        && distance_sq(ink, color(paper)) >= LEAST_OF_TWO * LEAST_OF_TWO
        && is_drawable(paint_map, &[paper], ink, metric)
        && is_stroke(paint_map, &pixels, &[paper], ink)
        && !found.iter().any(is_beside);
    is_found.then(|| Patch::new(paint_map, pixels, (vec![paper], ink), false))
}

/// The paper and the ink of print that was rendered in sub-pixels.
fn fringed(
    paint_map: &PaintMap<'_>,
    pixels: &[u32],
    metric: &ColorMetric,
    found: &[u32],
) -> Option<(Vec<u32>, Channels)> {
    let paper = paper(paint_map, found);
    let ink = fringed_ink(paint_map, pixels, paint_map.colors[paper as usize])?;
    is_drawable(paint_map, &[paper], ink, metric).then(|| (vec![paper], ink))
}

/// The larger of the two most frequent paints, for the other one may be the ink.
fn paper(paint_map: &PaintMap<'_>, found: &[u32]) -> u32 {
    let larger =
        |a: u32, &b: &u32| if paint_map.areas[b as usize] > paint_map.areas[a as usize] { b } else { a };
    found.iter().take(2).fold(found[0], larger)
}

/// The paint that an ink is of where the stroke is thinner than a pixel: one of those around it of a like color, farther from the paints
/// beneath.
fn solid_of(paint_map: &PaintMap<'_>, others: &[u32], paints: &[u32], ink: Channels) -> Option<u32> {
    let color = |paint: u32| paint_map.colors[paint as usize];
    let is_farther = |solid: u32| {
        paints.iter().all(|&paint| distance_sq(color(solid), color(paint)) >= distance_sq(ink, color(paint)))
    };
    others.iter().copied().find(|&paint| is_alike(color(paint), ink) && is_farther(paint))
}

/// Whether enough of the pixels are mixtures of paint and ink, and say where the edges are.
#[inline(never)]
fn is_stroke(paint_map: &PaintMap<'_>, pixels: &[u32], paints: &[u32], ink: Channels) -> bool {
    let count = pixels.len() as f32;
    let (mut explicable, mut mixed) = (pixels.len(), 0);
    let mixtures = InkMixtures::new(paint_map, paints, ink);
    for &i in pixels {
        let (mixture, residual, share) = mixtures.nearest(paint_map, i);
        mixed += usize::from((0.1..0.9).contains(&share));
        if residual > mixture.tolerance_sq {
            explicable -= 1;
            if (explicable as f32) < STROKE_SHARE * count {
                return false;
            }
        }
    }
    mixed as f32 >= STROKE_MIXED_SHARE * count
}

/// Two paints that an ink is a mixture of.
fn mixed_pair(paint_map: &PaintMap<'_>, paints: &[u32], ink: Channels) -> Option<(u32, u32)> {
    let color = |paint: u32| paint_map.colors[paint as usize];
    paints.iter().enumerate().find_map(|(k, &a)| {
        let other = paints[..k].iter().find(|&&b| projection(ink, color(a), color(b)).0 <= ALIKE_SQ);
        other.map(|&b| (a, b))
    })
}

/// Which of two paints lies on both sides of the pixels that mix them, and the other one: the thin parts of a shape; none where
/// the paints lie on opposite sides, as along a soft edge.
fn enclosing_paint(paint_map: &PaintMap<'_>, pixels: &[u32], a: u32, b: u32) -> Option<(u32, u32)> {
    const LEAST_ENCLOSED_SHARE: f32 = 0.3;
    let mut votes = [0u32; 2];
    let mut opposed = 0;
    for &i in pixels {
        let mut enclosed = [false; 2];
        let mut parted = false;
        for across in paint_map.paints_across(i as usize) {
            if !across.into_iter().all(is_paint) {
                continue;
            }
            let [before, after] = across.map(|side| {
                [a, b]
                    .map(|paint| is_alike(paint_map.colors[side as usize], paint_map.colors[paint as usize]))
            });
            enclosed[0] |= before[0] && after[0];
            enclosed[1] |= before[1] && after[1];
            parted |= (before[0] && after[1]) || (before[1] && after[0]);
        }
        opposed += u32::from(parted && enclosed == [false; 2]);
        votes[0] += u32::from(enclosed[0] && !enclosed[1]);
        votes[1] += u32::from(enclosed[1] && !enclosed[0]);
    }
    let (paper, solid) = if votes[0] >= votes[1] { (a, b) } else { (b, a) };
    let most = votes[0].max(votes[1]);
    (most >= opposed && most as f32 >= LEAST_ENCLOSED_SHARE * pixels.len() as f32).then_some((paper, solid))
}

/// Whether an ink can be drawn over the paints: of another layer than each, and opaque wherever a paint would show through it.
#[inline(never)]
fn is_drawable(paint_map: &PaintMap<'_>, paints: &[u32], ink: Channels, metric: &ColorMetric) -> bool {
    const SEEN_LEVELS: f32 = 5.0;
    let color = |paint: &u32| paint_map.colors[*paint as usize];
    let is_apart = paints.iter().all(|paint| !metric.same_layer(color(paint), ink));
    let shows_through =
        ink[3] < 255.0 - SEEN_LEVELS && paints.iter().any(|paint| color(paint)[3] > SEEN_LEVELS);
    is_apart && !shows_through
}
