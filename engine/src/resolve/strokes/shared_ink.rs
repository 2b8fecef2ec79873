//! Gives strokes of one kind the same ink.
//!
//! A stroke that is thinner than a pixel never shows its ink's full strength; other strokes of the same kind on the same paint may. The
//! strongest patches, and paler ones that show their ink in full, lead; the others get the ink of the leader of their kind.

use super::patch::Patch;
use crate::algorithms::sorted_by_key;
use crate::color::{ALIKE_SQ, Channels, PremultipliedColor, distance_sq, dot, minus};
use crate::resolve::paints::{PaintMap, is_paint};

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

/// How far two inks of print rendered in sub-pixels may be from each other if they are one: the filter leaves thin letters weaker and
/// tinted.
///
/// Unit: color levels², Euclidean (48 levels). Source: tuned; no derivation is known.
const SAME_FRINGED_SQ: f32 = 48.0 * 48.0;

/// How many patches on one paint lead, at most.
///
/// Unit: count. Source: tuned; no derivation is known.
const MOST_LEADERS: usize = 16;

/// Whether a patch on one color shows its ink in full: it took in a region with a core, or its strongest color lies in several rows
/// and columns. Of a stroke thinner than a pixel, the strongest color may be a line of pixels along one row or column.
#[inline(never)]
fn shows_full_ink(paint_map: &PaintMap<'_>, patch: &Patch) -> bool {
    /// How far a color may be from the strongest one to count as the same.
    ///
    /// Unit: color levels², Euclidean (6 levels). Source: tuned; no derivation is known.
    const FULL_INK_SAME_SQ: f32 = 6.0 * 6.0;
    /// How many pixels have the strongest color, at least.
    ///
    /// Unit: pixels². Source: tuned; no derivation is known.
    const FULL_INK_FEWEST_PX: usize = 6;
    /// How many of the patch's pixels have it, at least.
    ///
    /// Unit: share (ratio). Source: tuned; no derivation is known.
    const FULL_INK_SHARE: f32 = 0.08;
    /// In how many rows, and in how many columns, it occurs, at least.
    ///
    /// Unit: count. Source: a stroke thinner than a pixel has its strongest color in one row, or in two where it lies between them.
    const FEWEST_LINES: usize = 3;
    if patch.is_fringed || patch.pixels.iter().any(|&i| is_paint(paint_map.labels.ids[i as usize])) {
        return true;
    }
    let (paint, width) = (paint_map.colors[patch.paints[0] as usize], paint_map.pixels.width as u32);
    let color = |i: u32| paint_map.pixels.channels(i as usize);
    let strength = |i: u32| distance_sq(color(i), paint);
    let stronger = |best, &i: &u32| if strength(i) > strength(best) { i } else { best };
    let ink = color(patch.pixels.iter().fold(patch.pixels[0], stronger));
    let same = || patch.pixels.iter().copied().filter(|&i| distance_sq(color(i), ink) <= FULL_INK_SAME_SQ);
    let lines = |line: fn(u32, u32) -> u32| {
        let mut lines = sorted_by_key(same(), |i| line(i, width));
        lines.dedup_by_key(|i| line(*i, width));
        lines.len()
    };
    let count = same().count();
    let is_full = count >= FULL_INK_FEWEST_PX && count as f32 >= FULL_INK_SHARE * patch.pixels.len() as f32;
    let is_in_many =
        || lines(|i, width| i / width) >= FEWEST_LINES && lines(|i, width| i % width) >= FEWEST_LINES;
    is_full && is_in_many()
}

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
        let leaders = own.leaders(paint_map, same_paint);
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

    /// Of the patches on a paint, strongest first, those that lead: the strongest ones, and those that show a paler ink in full.
    fn leaders(&self, paint_map: &PaintMap<'_>, same_paint: &[u32]) -> Vec<usize> {
        let mut leaders: Vec<usize> = Vec::new();
        for k in same_paint.iter().map(|&k| k as usize) {
            let is_led = match self.leader(k, &leaders) {
                None => false,
                Some(leader) => self.is_same(k, leader) || !shows_full_ink(paint_map, &self.patches[k]),
            };
            if !is_led && leaders.len() < MOST_LEADERS {
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
        let same_sq = if self.patches[a].is_fringed { SAME_FRINGED_SQ } else { ALIKE_SQ };
        distance_sq(self.patches[a].ink, self.patches[b].ink) <= same_sq
    }
}
