//! Which paints and which ink explain a candidate.

use super::paint_tally::PaintTally;
use super::patch::{Candidate, InkOverPaints, Patch};
use super::subpixel_print::fringed_ink;
use crate::color::{
    ALIKE_SQ, Channels, ColorMetric, Mixtures, distance_sq, dot, is_alike, minus, projection,
};
use crate::raster::neighborhood;
use crate::resolve::paints::{InkMixtures, PaintMap, is_paint};

/// How many of a candidate's pixels are mixtures of its paints and ink, at least, if it is a stroke.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const STROKE_SHARE: f32 = 0.85;

/// How many of a stroke's pixels are between paint and ink, at least; with fewer, coverage does not say where its edges are.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const STROKE_MIXED_SHARE: f32 = 0.05;

/// How much of a pixel between paint and ink each of the two covers, at least.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const MIXED_LEAST_SHARE: f32 = 0.1;

/// How many paints a stroke may run between.
///
/// Unit: count. Source: tuned; no derivation is known.
const MOST_PAINTS_OF_STROKE: usize = 4;

/// How strong the pixels are whose mean is the ink, at least, compared with the strongest.
///
/// Unit: share (ratio) of a squared distance. Source: tuned; no derivation is known.
const STRONGEST_SHARE: f32 = 0.9;

/// How many pixels print in two inks has, at least.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const TWO_INKS_LEAST_PX: usize = 16;

/// How many of its pixels are of each of the two inks, at least.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const TWO_INKS_LEAST_PART: f32 = 0.15;

/// How far each of two inks is from the ground, at least.
///
/// Unit: color levels (0–255, Euclidean). Source: tuned; no derivation is known.
const TWO_INKS_LEAST_CONTRAST: f32 = 40.0;

/// How many pixels of the ink below lie along the ink above, at least.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const TWO_INKS_LEAST_ALONG: f32 = 0.9;

/// How much of a pixel the ink below covers, at least, where it counts as seen.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const SEEN_BELOW_SHARE: f32 = 0.3;

/// How much of a neighboring pixel the ink above covers, at least, where it runs along.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const ALONG_ABOVE_SHARE: f32 = 0.2;

/// What a candidate turned out to be.
pub(crate) struct FoundStroke {
    pub patch: Patch,
    /// Of print in two inks, the patch of the ink above.
    pub above: Option<Patch>,
}

/// The paints and the ink that a candidate's pixels are mixtures of. Returns the candidate if there are none.
pub(crate) fn find_ink(
    paint_map: &PaintMap<'_>,
    candidate: Candidate,
    metric: &ColorMetric,
    tally: &mut PaintTally,
) -> Result<FoundStroke, Candidate> {
    let Candidate { pixels } = &candidate;
    let around = &tally.paints_around(paint_map, pixels)[..];
    if around.is_empty() {
        return Err(candidate);
    }
    let search = InkSearch { paint_map, metric, around };
    let in_one_ink = |explained, pixels, is_fringed| FoundStroke {
        patch: Patch::new(paint_map, pixels, explained, is_fringed),
        above: None,
    };
    if let Some(explained) = search.in_one_ink(pixels) {
        Ok(in_one_ink(explained, candidate.pixels, false))
    } else if let Some(explained) = search.in_subpixels(pixels) {
        Ok(in_one_ink(explained, candidate.pixels, true))
    } else if let Some([patch, above]) = search.in_two_inks(pixels) {
        Ok(FoundStroke { patch, above: Some(above) })
    } else {
        Err(candidate)
    }
}

/// The search for the ink of a candidate.
struct InkSearch<'a> {
    paint_map: &'a PaintMap<'a>,
    metric: &'a ColorMetric,
    /// The paints around the candidate, most frequent first.
    around: &'a [u32],
}

impl InkSearch<'_> {
    fn color(&self, paint: u32) -> Channels {
        self.paint_map.colors[paint as usize]
    }

    /// Explains the pixels by one ink over the most frequent paints.
    #[inline(never)]
    fn in_one_ink(&self, pixels: &[u32]) -> Option<InkOverPaints> {
        let mut paints = self.around[..self.around.len().min(MOST_PAINTS_OF_STROKE)].to_vec();
        let mut ink = self.strongest(pixels, &paints);
        if let Some([a, b]) = self.mixed_pair(&paints, ink) {
            let Enclosed { ground, solid } = enclosing_paint(self.paint_map, pixels, [a, b])?;
            ink = self.color(solid);
            let color = self.color(ground);
            paints.retain(|&paint| is_alike(self.color(paint), color));
        }
        let is_found = self.is_drawable(&paints, ink) && is_stroke(self.paint_map, pixels, &paints, ink);
        is_found.then_some(InkOverPaints { paints, ink })
    }

    /// Explains the pixels, channel by channel, as print that was rendered in sub-pixels.
    fn in_subpixels(&self, pixels: &[u32]) -> Option<InkOverPaints> {
        let ground = self.ground();
        let ink = fringed_ink(self.paint_map, pixels, self.color(ground))?;
        self.is_drawable(&[ground], ink).then(|| InkOverPaints { paints: vec![ground], ink })
    }

    /// Explains the pixels as print in two inks, one lighter and one darker than the ground, as embossed print and print with an outline
    /// are: the weaker ink, below, lies along the other one. Neither is the color of a paint beside it, as where three shapes meet. Gives the
    /// patch below and the one above.
    #[inline(never)]
    fn in_two_inks(&self, pixels: &[u32]) -> Option<[Patch; 2]> {
        let paint_map = self.paint_map;
        // With more paints around it, it may be a frame that joins several things.
        if pixels.len() < TWO_INKS_LEAST_PX || self.around.len() > MOST_PAINTS_OF_STROKE {
            return None;
        }
        let ground = self.ground();
        let color = self.color(ground);
        let offset = |i: u32| minus(paint_map.pixels.channels(i as usize), color);
        let farther = |best: Channels, offset: Channels| {
            if dot(offset, offset) > dot(best, best) { offset } else { best }
        };
        let longest = pixels.iter().map(|&i| offset(i)).fold([0.0; 4], farther);
        // A quick test first: most candidates that are no strokes have pixels on one side of the ground only.
        let least = -TWO_INKS_LEAST_CONTRAST * dot(longest, longest).sqrt();
        if !pixels.iter().any(|&i| dot(offset(i), longest) < least) {
            return None;
        }
        let (above, below): (Vec<u32>, Vec<u32>) =
            pixels.iter().partition(|&&i| dot(offset(i), longest) > 0.0);
        let least_px = TWO_INKS_LEAST_PART * pixels.len() as f32;
        let parts =
            [self.part_in_one_ink(below, ground, least_px)?, self.part_in_one_ink(above, ground, least_px)?];
        let [below, above] = parts.each_ref().map(|part| Mixtures::new(color, part.ink));
        let share = |mixtures: &Mixtures, i: u32| mixtures.nearest(paint_map.pixels.channels(i as usize)).1;
        let is_along = |i: u32| {
            neighborhood(i, paint_map.size(), 1).flatten().any(|j| share(&above, j) >= ALONG_ABOVE_SHARE)
        };
        let seen = || parts[0].pixels.iter().copied().filter(|&i| share(&below, i) >= SEEN_BELOW_SHARE);
        let along = seen().filter(|&i| is_along(i)).count() as f32;
        (along >= TWO_INKS_LEAST_ALONG * seen().count() as f32).then_some(parts)
    }

    /// A part of print in two inks, if it has at least so many pixels and they are mixtures of one ink.
    #[inline(never)]
    fn part_in_one_ink(&self, pixels: Vec<u32>, ground: u32, least_px: f32) -> Option<Patch> {
        let ink = self.strongest(&pixels, &[ground]);
        let is_beside = |&paint: &u32| {
            self.paint_map.areas[paint as usize] as f32 > least_px && is_alike(self.color(paint), ink)
        };
        let is_found = pixels.len() as f32 >= least_px
            && distance_sq(ink, self.color(ground)) >= TWO_INKS_LEAST_CONTRAST * TWO_INKS_LEAST_CONTRAST
            && self.is_drawable(&[ground], ink)
            && is_stroke(self.paint_map, &pixels, &[ground], ink)
            && !self.around.iter().any(is_beside);
        let explained = InkOverPaints { paints: vec![ground], ink };
        is_found.then(|| Patch::new(self.paint_map, pixels, explained, false))
    }

    /// The larger of the two most frequent paints around, for the other one may be the ink.
    fn ground(&self) -> u32 {
        let areas = &self.paint_map.areas;
        let larger = |a: u32, &b: &u32| if areas[b as usize] > areas[a as usize] { b } else { a };
        self.around.iter().take(2).fold(self.around[0], larger)
    }

    /// The mean color of the pixels that differ most from all of some paints.
    #[inline(never)]
    fn strongest(&self, pixels: &[u32], paints: &[u32]) -> Channels {
        let strength = |&i: &u32| {
            let value = self.paint_map.pixels.channels(i as usize);
            let distances = paints.iter().map(|&paint| distance_sq(value, self.color(paint)));
            // Not by `min` and `max`, which are calls in WebAssembly.
            distances.fold(f32::INFINITY, |least, distance| if distance < least { distance } else { least })
        };
        let strengths: Vec<f32> = pixels.iter().map(strength).collect();
        let strongest =
            strengths.iter().fold(0.0, |most, &strength| if strength > most { strength } else { most });
        let (mut sum, mut count) = ([0.0f32; 4], 0.0);
        for (&i, &strength) in pixels.iter().zip(&strengths) {
            if strength >= STRONGEST_SHARE * strongest {
                count += 1.0;
                for (s, v) in sum.iter_mut().zip(self.paint_map.pixels.channels(i as usize)) {
                    *s += v;
                }
            }
        }
        sum.map(|s| s / count)
    }

    /// Two of some paints that an ink is a mixture of.
    fn mixed_pair(&self, paints: &[u32], ink: Channels) -> Option<[u32; 2]> {
        paints.iter().enumerate().find_map(|(k, &a)| {
            let is_mixed = |b: u32| projection(ink, self.color(a), self.color(b)).0 <= ALIKE_SQ;
            paints[..k].iter().find(|&&b| is_mixed(b)).map(|&b| [a, b])
        })
    }

    /// Whether an ink can be drawn over some paints: it is of another layer than each, and opaque if a paint would show through it.
    #[inline(never)]
    fn is_drawable(&self, paints: &[u32], ink: Channels) -> bool {
        /// The alpha, or what an alpha lacks of opaque, from which on something is seen.
        ///
        /// Unit: alpha levels (0–255). Source: 2 % of the ground is not seen; tuned.
        const SEEN_LEVELS: f32 = 5.0;
        let is_apart = paints.iter().all(|&paint| !self.metric.same_layer(self.color(paint), ink));
        let shows_through =
            ink[3] < 255.0 - SEEN_LEVELS && paints.iter().any(|&paint| self.color(paint)[3] > SEEN_LEVELS);
        is_apart && !shows_through
    }
}

/// Whether enough of the pixels are mixtures of paint and ink, and enough of these are between the two.
#[inline(never)]
fn is_stroke(paint_map: &PaintMap<'_>, pixels: &[u32], paints: &[u32], ink: Channels) -> bool {
    let count = pixels.len() as f32;
    let (mut explained, mut mixed) = (pixels.len(), 0);
    let mixtures = InkMixtures::new(paint_map, paints, ink);
    for &i in pixels {
        let (nearest, is_explained) = mixtures.nearest_explained(paint_map, i);
        mixed += usize::from((MIXED_LEAST_SHARE..1.0 - MIXED_LEAST_SHARE).contains(&nearest.ink_share));
        if !is_explained {
            explained -= 1;
            if (explained as f32) < STROKE_SHARE * count {
                return false;
            }
        }
    }
    mixed as f32 >= STROKE_MIXED_SHARE * count
}

/// Two paints that are mixed in the thin parts of a shape.
struct Enclosed {
    /// The one on both sides.
    ground: u32,
    /// The one of the shape.
    solid: u32,
}

/// Which of two paints lies on both sides of the pixels that mix them; none where they lie on opposite sides, as along a soft edge.
fn enclosing_paint(paint_map: &PaintMap<'_>, pixels: &[u32], paints: [u32; 2]) -> Option<Enclosed> {
    /// How many of the pixels have the same paint on both sides, at least.
    ///
    /// Unit: share (ratio). Source: tuned; no derivation is known.
    const LEAST_ENCLOSED_SHARE: f32 = 0.3;
    let colors = paints.map(|paint| paint_map.colors[paint as usize]);
    let mut votes = [0u32; 2];
    let mut opposed = 0;
    for &i in pixels {
        let mut enclosed = [false; 2];
        let mut parted = false;
        for across in paint_map.paints_across(i as usize) {
            if !across.into_iter().all(is_paint) {
                continue;
            }
            let [before, after] =
                across.map(|side| colors.map(|color| is_alike(paint_map.colors[side as usize], color)));
            enclosed[0] |= before[0] && after[0];
            enclosed[1] |= before[1] && after[1];
            parted |= (before[0] && after[1]) || (before[1] && after[0]);
        }
        opposed += u32::from(parted && enclosed == [false; 2]);
        votes[0] += u32::from(enclosed[0] && !enclosed[1]);
        votes[1] += u32::from(enclosed[1] && !enclosed[0]);
    }
    let (ground, solid) = if votes[0] >= votes[1] { (paints[0], paints[1]) } else { (paints[1], paints[0]) };
    let most = votes[0].max(votes[1]);
    let is_enclosed = most >= opposed && most as f32 >= LEAST_ENCLOSED_SHARE * pixels.len() as f32;
    is_enclosed.then_some(Enclosed { ground, solid })
}
