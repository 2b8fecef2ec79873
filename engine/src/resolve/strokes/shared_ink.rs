//! Gives strokes of one kind the same ink.
//!
//! A stroke that is thinner than a pixel never shows its ink's full strength; other strokes of the same kind on the same paint may. The
//! strongest patches lead; the others get the ink of the leader of their kind.

use super::patch::Patch;
use crate::algorithms::sorted_by_key;
use crate::color::{ALIKE_SQ, Channels, PremultipliedColor, distance_sq, dot, minus};
use crate::resolve::paints::PaintMap;

/// How strong a patch's ink is, at least, compared with its leader's. A paler stroke in a stronger ink would break where it covers less
/// than half of a pixel.
///
/// Unit: share (ratio) of a distance from the paint. Source: tuned on screenshots: at less, rings of radio buttons and frames broke.
const SAME_INK_SHARE: f32 = 0.68;

/// Below how many pixels a patch may be a tip, whose ink is weaker.
///
/// Unit: pixels². Source: tuned; no derivation is known.
const SMALL_PX: usize = 16;

/// How strong the ink of such a small patch is, at least, compared with its leader's.
///
/// Unit: share (ratio) of a distance from the paint. Source: tuned on the tips of small stars and on letters thinner than a pixel.
const SAME_INK_SHARE_OF_SMALL: f32 = 0.5;

/// The cosine between the offsets of two inks of a kind from their paint, at least.
///
/// Unit: cosine (11 degrees). Source: tuned; no derivation is known.
const SAME_INK_COSINE: f32 = 0.98;

/// How many patches on one paint lead, at most.
///
/// Unit: count. Source: tuned; no derivation is known.
const MOST_LEADERS: usize = 16;

/// Gives each patch that is led by another the ink of that one.
pub(crate) fn share_inks(paint_map: &PaintMap<'_>, patches: &mut [Patch]) {
    let own = PatchInks::new(paint_map, patches);
    let paints: Vec<PremultipliedColor> = own
        .patches
        .iter()
        .map(|patch| PremultipliedColor::nearest(paint_map.colors[patch.paints[0] as usize]))
        .collect();
    let on_one_color = (0..own.patches.len() as u32).filter(|&k| own.patches[k as usize].is_on_one_color);
    // The bits of floats that are not negative sort like the floats.
    let strongest_first = sorted_by_key(on_one_color, |k| !own.strengths[k as usize].to_bits());
    let order = sorted_by_key(strongest_first.into_iter(), |k| paints[k as usize].sort_key());
    let mut shared = Vec::new();
    for same_paint in order.chunk_by(|&a, &b| paints[a as usize] == paints[b as usize]) {
        let leaders = own.leaders(same_paint);
        let with_ink = |&k: &u32| Some((k as usize, own.leader(k as usize, &leaders)?));
        shared.extend(same_paint.iter().filter_map(with_ink).map(|(k, leader)| (k, own.patches[leader].ink)));
    }
    for (k, ink) in shared {
        patches[k].ink = ink;
    }
}

/// The inks of patches as each shows its own, before any is shared.
struct PatchInks<'a> {
    patches: &'a [Patch],
    /// The offset of each ink from its paint.
    offsets: Vec<Channels>,
    /// The length of each offset.
    strengths: Vec<f32>,
}

impl<'a> PatchInks<'a> {
    fn new(paint_map: &PaintMap<'_>, patches: &'a [Patch]) -> Self {
        let offset = |patch: &Patch| minus(patch.ink, paint_map.colors[patch.paints[0] as usize]);
        let offsets: Vec<Channels> = patches.iter().map(offset).collect();
        let strengths = offsets.iter().map(|&offset| dot(offset, offset).sqrt()).collect();
        PatchInks { patches, offsets, strengths }
    }

    /// Of the patches on a paint, strongest first, those that lead: the strongest of each kind.
    fn leaders(&self, same_paint: &[u32]) -> Vec<usize> {
        let mut leaders: Vec<usize> = Vec::new();
        for k in same_paint.iter().map(|&k| k as usize) {
            if leaders.len() < MOST_LEADERS && self.leader(k, &leaders).is_none() {
                leaders.push(k);
            }
        }
        leaders
    }

    /// The leader of a patch: one of the same ink, or the weakest of its kind that is as strong as the patch.
    #[inline(never)]
    fn leader(&self, k: usize, leaders: &[usize]) -> Option<usize> {
        let mut found = None;
        for &leader in leaders.iter().filter(|&&leader| self.are_of_a_kind(k, leader)) {
            if self.is_same(k, leader) {
                return Some(leader);
            }
            if self.strengths[leader] >= self.strengths[k] {
                found = Some(leader);
            }
        }
        found
    }

    /// Whether a patch may be in the leader's ink, by a stroke thinner than a pixel.
    #[inline(never)]
    fn are_of_a_kind(&self, k: usize, leader: usize) -> bool {
        let is_small = self.patches[k].pixels.len() < SMALL_PX;
        let least = if is_small { SAME_INK_SHARE_OF_SMALL } else { SAME_INK_SHARE };
        self.patches[leader].is_fringed == self.patches[k].is_fringed
            && dot(self.offsets[k], self.offsets[leader])
                >= SAME_INK_COSINE * self.strengths[k] * self.strengths[leader]
            && self.strengths[k] >= least * self.strengths[leader]
    }

    fn is_same(&self, a: usize, b: usize) -> bool {
        distance_sq(self.patches[a].ink, self.patches[b].ink) <= ALIKE_SQ
    }
}
