//! Which patches are drawn with one ink.

use super::patch::Patch;
use crate::algorithms::sorted_by_key;
use crate::color::{ALIKE_SQ, Channels, PremultipliedColor, distance_sq, dot, minus};
use crate::resolve::paints::{PaintMap, is_paint};

/// An ink belongs to the strongest one of its kind on the same paint when it has at least this share of its strength: the stroke is
/// thinner than a pixel, not paler. A paler one would break where it covers less than half of a pixel.
const SAME_INK_SHARE: f32 = 0.68;
/// Of so few pixels it may be a tip, which has less.
const SMALL_PX: usize = 16;
const SAME_INK_SHARE_OF_SMALL: f32 = 0.5;

/// Two inks are of a kind when the cosine between their directions from the paint is at least this.
const SAME_INK_COSINE: f32 = 0.98;

/// Of print rendered in sub-pixels two inks no farther apart are one (Euclidean, 8-bit levels): the filter leaves thin letters weaker and tinted.
const SAME_FRINGED_SQ: f32 = 48.0 * 48.0;

/// On a paint so many inks may lead.
const MOST_LEADERS: usize = 16;

/// Whether a patch on one color shows its ink in full: it took in a region with a core, or not only a line of pixels along a row or a
/// column is of the strongest of its colors, as it might be of a stroke thinner than a pixel.
#[inline(never)]
fn shows_full_ink(paint_map: &PaintMap<'_>, patch: &Patch) -> bool {
    /// What so near to it is the same color (Euclidean, 8-bit levels, squared).
    const FULL_INK_SAME_SQ: f32 = 6.0 * 6.0;
    /// So many pixels are of it, this share of all, in so many rows and columns.
    const FULL_INK_FEWEST_PX: usize = 6;
    const FULL_INK_SHARE: f32 = 0.08;
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

/// Strokes thinner than a pixel never show their ink's full strength; others of the same kind do.
pub(crate) fn share_inks(paint_map: &PaintMap<'_>, patches: &mut [Patch]) {
    let own = PatchInks::new(paint_map, patches);
    let paints: Vec<PremultipliedColor> = own
        .patches
        .iter()
        .map(|patch| PremultipliedColor::nearest(paint_map.colors[patch.paints[0] as usize]))
        .collect();
    let on_one_color = (0..own.patches.len() as u32).filter(|&k| own.patches[k as usize].is_on_one_color);
    // The bits of numbers that are not negative are in the order of the numbers.
    let strongest_first = sorted_by_key(on_one_color, |k| !own.strengths[k as usize].to_bits());
    let order = sorted_by_key(strongest_first.into_iter(), |k| paints[k as usize].sort_key());
    let mut pooled = Vec::new();
    for same_paint in order.chunk_by(|&a, &b| paints[a as usize] == paints[b as usize]) {
        let leaders = own.leaders(paint_map, same_paint);
        let with_ink = |&k: &u32| Some((k as usize, own.leader(k as usize, &leaders)?));
        pooled.extend(same_paint.iter().filter_map(with_ink).map(|(k, leader)| (k, own.patches[leader].ink)));
    }
    for (k, ink) in pooled {
        patches[k].ink = ink;
    }
}

/// The inks of patches as each shows its own.
struct PatchInks<'a> {
    patches: &'a [Patch],
    /// How each differs from its paint, and by how much.
    offsets: Vec<Channels>,
    strengths: Vec<f32>,
}

impl<'a> PatchInks<'a> {
    fn new(paint_map: &PaintMap<'_>, patches: &'a [Patch]) -> Self {
        let offset = |patch: &Patch| minus(patch.ink, paint_map.colors[patch.paints[0] as usize]);
        let offsets: Vec<Channels> = patches.iter().map(offset).collect();
        let strengths = offsets.iter().map(|&offset| dot(offset, offset).sqrt()).collect();
        PatchInks { patches, offsets, strengths }
    }

    /// Of the patches on a paint, strongest first, those that lead their kinds: the strongest ones, and those of paler inks shown in full.
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

    /// Who leads a patch: one of the same ink, or the weakest of its kind that is as strong.
    #[inline(never)]
    fn leader(&self, k: usize, leaders: &[usize]) -> Option<usize> {
        let mut found = None;
        for &leader in leaders.iter().filter(|&&leader| self.are_kin(k, leader)) {
            if self.is_same(k, leader) {
                return Some(leader);
            }
            if self.strengths[leader] >= self.strengths[k] {
                found = Some(leader);
            }
        }
        found
    }

    /// Whether an ink may be another one in strokes thinner than a pixel.
    #[inline(never)]
    fn are_kin(&self, k: usize, leader: usize) -> bool {
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
