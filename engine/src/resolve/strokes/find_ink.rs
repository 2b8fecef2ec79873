//! Which paints and which ink explain a candidate.

use super::paint_tally::PaintTally;
use super::patch::{Candidate, InkOverPaints, Patch};
use super::subpixel_print::fringed_ink;
use crate::color::{ALIKE_SQ, Channels, ColorMetric, distance_sq, is_alike, projection};
use crate::resolve::paints::{InkMixtures, PaintMap, is_paint};

/// How many of a candidate's pixels are mixtures of its paints and ink, at least, if it is a stroke.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const STROKE_SHARE: f32 = 0.85;

/// How much of a pixel between paint and ink each of the two covers, at least. Pixels that are less short of the strongest, by their squared
/// distances from the paints, show the ink as well as it does; an ink that is less short of opaque is opaque.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const MIXED_LEAST_SHARE: f32 = 0.1;

/// How many paints a stroke may run between.
///
/// Unit: count. Source: tuned; no derivation is known.
const MOST_PAINTS_OF_STROKE: usize = 4;

/// The paints and the ink that a candidate's pixels are mixtures of. Returns the candidate if there are none.
pub(crate) fn find_ink(
    paint_map: &PaintMap<'_>,
    candidate: Candidate,
    metric: &ColorMetric,
    tally: &mut PaintTally,
) -> Result<Patch, Candidate> {
    let Candidate { pixels } = &candidate;
    let around = &tally.paints_around(paint_map, pixels)[..];
    if around.is_empty() {
        return Err(candidate);
    }
    let search = InkSearch { paint_map, metric, around };
    let one_ink = search.in_one_ink(pixels).map(|explained| (explained, false));
    match one_ink.or_else(|| Some((search.in_subpixels(pixels)?, true))) {
        Some((explained, is_fringed)) => Ok(Patch::new(paint_map, candidate.pixels, explained, is_fringed)),
        None => Err(candidate),
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
        // Beside what is transparent, perhaps no pixel shows an opaque ink in full.
        let full = f32::from(u8::MAX);
        if !self.is_drawable(&paints, ink) && ink[3] >= full * (1.0 - MIXED_LEAST_SHARE) {
            ink = ink.map(|level| level * (full / ink[3]));
        }
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
            if strength >= (1.0 - MIXED_LEAST_SHARE) * strongest {
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

/// Whether enough of the pixels are mixtures of paint and ink, and some are between the two: else coverage does not say where the edges are.
#[inline(never)]
fn is_stroke(paint_map: &PaintMap<'_>, pixels: &[u32], paints: &[u32], ink: Channels) -> bool {
    let count = pixels.len() as f32;
    let (mut explained, mut is_mixed) = (pixels.len(), false);
    let mixtures = InkMixtures::new(paint_map, paints, ink);
    for &i in pixels {
        let (nearest, is_explained) = mixtures.nearest_explained(paint_map, i);
        is_mixed |= (MIXED_LEAST_SHARE..1.0 - MIXED_LEAST_SHARE).contains(&nearest.ink_share);
        if !is_explained {
            explained -= 1;
            if (explained as f32) < STROKE_SHARE * count {
                return false;
            }
        }
    }
    is_mixed
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
