use crate::mixture::{AXES, View, projection};
use crate::pixels::{Channels, distance_sq};

/// A pixel of a stroke lies this near to the line from a paint to the ink (Euclidean, 8-bit levels).
const STROKE_RESIDUAL_SQ: f32 = 24.0 * 24.0;

/// This share of a patch must be mixtures of paint and ink for it to be a stroke.
const STROKE_SHARE: f32 = 0.85;

/// Paints that a stroke may run between.
const MOST_PAINTS: usize = 4;

/// The faintest coverage that still is a line's crest and not its fringe.
const LEAST_CREST: f32 = 0.2;

/// An ink belongs to the strongest one of its kind on the same paint when it has at least this share of its strength:
/// the stroke is thinner than a pixel, not paler.
const SAME_INK_SHARE: f32 = 0.5;

/// Two inks are of a kind when the cosine between their directions from the paint is at least this.
const SAME_INK_COSINE: f32 = 0.98;

/// A patch of pixels without a core, and what it seems to be drawn with.
struct Patch {
    pixels: Vec<u32>,
    paints: Vec<u32>,
    ink: Channels,
}

/// Finds thin strokes among the pixels that no pair of paints explains: patches whose pixels are all mixtures of the
/// paints around them and of one ink, the color in the patch that is farthest from these. Gives each such pixel to the ink
/// (a new label, from the number of labels on) or to a paint, and returns the inks' colors.
pub(crate) fn strokes(view: &View<'_>, unexplained: &[u32], owners: &mut [u32]) -> Vec<Channels> {
    let mut patches: Vec<Patch> =
        patches(view, unexplained).into_iter().filter_map(|pixels| patch(view, pixels)).collect();
    pool_inks(view, &mut patches);
    let mut inks = Vec::new();
    let mut coverage = vec![0.0f32; if patches.is_empty() { 0 } else { owners.len() }];
    for patch in &patches {
        let label = (view.labels.count + inks.len()) as u32;
        if draw(view, patch, label, &mut coverage, owners) {
            inks.push(patch.ink);
        }
    }
    inks
}

/// The unexplained pixels, grouped with their eight neighbors.
fn patches(view: &View<'_>, unexplained: &[u32]) -> Vec<Vec<u32>> {
    let (width, height) = (view.pixels.width as i64, view.pixels.height as i64);
    let mut waiting = vec![0u8; ((width * height) as usize).div_ceil(8)];
    for &i in unexplained {
        waiting[i as usize / 8] |= 1 << (i % 8);
    }
    let mut take = |i: usize| {
        let found = waiting[i / 8] & (1 << (i % 8)) != 0;
        waiting[i / 8] &= !(1 << (i % 8));
        found
    };
    let mut patches = Vec::new();
    for &first in unexplained {
        if !take(first as usize) {
            continue;
        }
        let mut patch = vec![first];
        let mut next = 0;
        while next < patch.len() {
            let (x, y) = (i64::from(patch[next]) % width, i64::from(patch[next]) / width);
            next += 1;
            for v in (y - 1).max(0)..(y + 2).min(height) {
                for u in (x - 1).max(0)..(x + 2).min(width) {
                    let j = (v * width + u) as usize;
                    if take(j) {
                        patch.push(j as u32);
                    }
                }
            }
        }
        patches.push(patch);
    }
    patches
}

/// The paints around a patch and its ink; none when its pixels are not mixtures of these.
fn patch(view: &View<'_>, pixels: Vec<u32>) -> Option<Patch> {
    let paints = paints_around(view, &pixels);
    if paints.is_empty() {
        return None;
    }
    let strength = |&i: &u32| {
        let value = view.pixels.channels(i as usize);
        paints
            .iter()
            .map(|&paint| distance_sq(value, view.colors[paint as usize]))
            .fold(f32::INFINITY, f32::min)
    };
    let strongest = pixels.iter().map(strength).fold(0.0, f32::max);
    let (mut sum, mut count) = ([0.0f32; 4], 0.0);
    for i in pixels.iter().filter(|i| strength(i) >= 0.9 * strongest) {
        count += 1.0;
        for (s, v) in sum.iter_mut().zip(view.pixels.channels(*i as usize)) {
            *s += v;
        }
    }
    let ink = sum.map(|s| s / count);
    let mixtures = pixels.iter().filter(|&&i| mixture(view, i, &paints, ink).0 <= STROKE_RESIDUAL_SQ).count();
    (mixtures as f32 >= STROKE_SHARE * pixels.len() as f32).then_some(Patch { pixels, paints, ink })
}

/// The paints met first along the axes from the patch's pixels, most frequent first.
fn paints_around(view: &View<'_>, pixels: &[u32]) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for &i in pixels {
        for (dx, dy) in AXES {
            found.extend(view.paint_along(i as usize, dx, dy));
            found.extend(view.paint_along(i as usize, -dx, -dy));
        }
    }
    found.sort_unstable();
    let mut counted: Vec<(usize, u32)> =
        found.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
    counted.sort_unstable_by_key(|&(count, paint)| (std::cmp::Reverse(count), paint));
    counted.into_iter().take(MOST_PAINTS).map(|(_, paint)| paint).collect()
}

/// Of the paints, the one that best explains a pixel as a mixture with the ink: squared residual, paint, ink's share.
fn mixture(view: &View<'_>, i: u32, paints: &[u32], ink: Channels) -> (f32, u32, f32) {
    let value = view.pixels.channels(i as usize);
    let mut best = (f32::INFINITY, paints[0], 0.0);
    for &paint in paints {
        let (residual, share) = projection(value, view.colors[paint as usize], ink);
        if residual < best.0 {
            best = (residual, paint, share);
        }
    }
    best
}

/// Strokes thinner than a pixel never show their ink's full strength; others of the same kind do.
fn pool_inks(view: &View<'_>, patches: &mut [Patch]) {
    let mut order: Vec<usize> = (0..patches.len()).filter(|&k| patches[k].paints.len() == 1).collect();
    let offset = |patch: &Patch| -> Channels {
        let paint = view.colors[patch.paints[0] as usize];
        std::array::from_fn(|c| patch.ink[c] - paint[c])
    };
    let strength: Vec<f32> =
        patches.iter().map(|patch| distance_sq(offset(patch), [0.0; 4]).sqrt()).collect();
    order.sort_by(|&a, &b| {
        let paint = |k: usize| patches[k].paints[0];
        paint(a).cmp(&paint(b)).then(strength[b].total_cmp(&strength[a])).then(a.cmp(&b))
    });
    // The inks that lead their kinds, on the paint at hand.
    let mut leaders: Vec<usize> = Vec::new();
    for &k in &order {
        if leaders.last().is_some_and(|&leader| patches[leader].paints[0] != patches[k].paints[0]) {
            leaders.clear();
        }
        let own = offset(&patches[k]);
        let leader = leaders.iter().copied().find(|&leader| {
            let theirs = offset(&patches[leader]);
            let dot: f32 = (0..4).map(|c| own[c] * theirs[c]).sum();
            dot >= SAME_INK_COSINE * strength[k] * strength[leader]
                && strength[k] >= SAME_INK_SHARE * strength[leader]
        });
        match leader {
            Some(leader) => patches[k].ink = patches[leader].ink,
            None if leaders.len() < 16 => leaders.push(k),
            None => {}
        }
    }
}

/// Gives a patch's pixels to its ink or its paints; tells whether the ink got any.
fn draw(view: &View<'_>, patch: &Patch, label: u32, coverage: &mut [f32], owners: &mut [u32]) -> bool {
    for &i in &patch.pixels {
        coverage[i as usize] = mixture(view, i, &patch.paints, patch.ink).2;
    }
    let mut drawn = false;
    for &i in &patch.pixels {
        let share = coverage[i as usize];
        if share >= 0.5 || (share >= LEAST_CREST && is_crest(view, i as usize, coverage)) {
            owners[i as usize] = label;
            drawn = true;
        } else {
            owners[i as usize] = mixture(view, i, &patch.paints, patch.ink).1;
        }
    }
    drawn
}

/// Whether coverage falls off on both sides, across or down.
fn is_crest(view: &View<'_>, i: usize, coverage: &[f32]) -> bool {
    let (width, height) = (view.pixels.width, view.pixels.height);
    let (x, y) = (i % width, i / width);
    let falls = |before: Option<usize>, after: Option<usize>| {
        let at = |j: Option<usize>| j.map_or(0.0, |j| coverage[j]);
        let (before, here, after) = (at(before), coverage[i], at(after));
        (here > before && here >= after) || (here >= before && here > after)
    };
    let across = falls((x > 0).then(|| i - 1), (x + 1 < width).then(|| i + 1));
    let down = falls((y > 0).then(|| i - width), (y + 1 < height).then(|| i + width));
    across || down
}
