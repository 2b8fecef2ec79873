//! Explains mixed pixels by three paints.

use super::assignment::Assignment;
use super::paint_map::{AXES, EXPLAIN_PIXEL_UNITS, MOST_BACKDROPS, PAGES, PaintMap, is_coreless, is_paint};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, PremultipliedColor, distance_sq, dot, minus, plus, solve_in_plane};
use crate::parallel::Work;

/// Gives open pixels that are mixtures of three paints to the one that covers most of them: where three shapes meet, and where a
/// paint shows through between two that were drawn side by side.
pub(crate) fn explain_by_three(
    paint_map: &mut PaintMap<'_>,
    assignment: &mut Assignment,
    unexplained: &[u32],
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let map = &*paint_map;
    let explain = |&i: &u32| {
        let i = i as usize;
        let is_open = is_coreless(assignment.of(i)) && assignment.is_open(&map.labels, i);
        if is_open { paint_of_three(map, i) } else { None }
    };
    let found =
        Work { units: |_: &_| EXPLAIN_PIXEL_UNITS, begin: || &explain }.run(unexplained.iter(), meter)?;
    for (&i, found) in unexplained.iter().zip(found) {
        if let Some(OfThree { paint, color }) = found {
            assignment.give(i as usize, paint);
            paint_map.pixels.replace(i as usize, PremultipliedColor::nearest(color));
        }
    }
    Ok(())
}

/// What three paints make of a pixel.
#[derive(Clone, Copy)]
struct OfThree {
    /// The one that covers most.
    paint: u32,
    /// The pixel's color, without the page where that shows between the other two.
    color: Channels,
}

/// The paint beside pixel `i` that covers most of it, if it is a mixture of three: of two beside it, and of one that is beside it
/// too or, by a small part, is one of the backdrops or the page.
#[inline(never)]
fn paint_of_three(paint_map: &PaintMap<'_>, i: usize) -> Option<OfThree> {
    /// How much of a pixel the backdrop of two paints can show, at most.
    ///
    /// Unit: share of a pixel (coverage). Source: two shapes drawn one after the other over half of a pixel each leave a quarter of it;
    /// the rest is a margin for noise, tuned.
    const MOST_SHARE_OF_BACKDROP: f32 = 0.3;
    let mut paints = DistinctPaints::default();
    for &label in paint_map.paints_across(i).as_flattened() {
        if is_paint(label) {
            paints.add(label);
        }
    }
    let beside = paints.count;
    if beside < 2 {
        return None;
    }
    paint_map.backdrops.iter().for_each(|&paint| paints.add(paint));
    let pages = paints.count - PAGES.len();
    let value = paint_map.pixels.channels(i);
    let colors = paints.found().iter().map(|&paint| paint_map.colors[paint as usize]);
    let mut offsets = [[0.0; 4]; MOST_PAINTS_OF_PIXEL];
    offsets.iter_mut().zip(colors).for_each(|(offset, color)| *offset = color);
    let mut best = (paint_map.mixture_tolerance_sq, None);
    for third in 2..paints.count {
        let plane = MixturePlanes::through(offsets[third], value, &offsets[..third]);
        for second in 1..third.min(beside) {
            for first in 0..second {
                let Some((residual, shares)) = plane.mixture(first, second) else { continue };
                let all_beside = third < beside;
                if residual >= best.0 || !all_beside && shares[2] > MOST_SHARE_OF_BACKDROP {
                    continue;
                }
                let color = if third < pages {
                    Some(value)
                } else {
                    let [a, b, page] =
                        [first, second, third].map(|k| paint_map.colors[paints.ids[k] as usize]);
                    over_page(&shares, [a, b], page, paint_map.mixture_tolerance_sq)
                };
                let owners = if all_beside { 0..3 } else { 0..2 };
                let most = owners.max_by(|&k, &l| shares[k].total_cmp(&shares[l]));
                if let (Some(color), Some(most)) = (color, most) {
                    best =
                        (residual, Some(OfThree { paint: paints.ids[[first, second, third][most]], color }));
                }
            }
        }
    }
    best.1
}

/// What two paints, drawn one after the other over a page, would make of a pixel without the page: of the upper one's share y,
/// the page shows y(1 − y), since the lower one covers the rest of the pixel and is mixed with the page. `None` if it shows more or less.
fn over_page(
    shares: &[f32; 3],
    [a, b]: [Channels; 2],
    page: Channels,
    tolerance_sq: f32,
) -> Option<Channels> {
    let excess = |share: f32| (share * (1.0 - share) - shares[2]).abs();
    let (excess, share, lower) = match [excess(shares[0]), excess(shares[1])] {
        [first, second] if first < second => (first, shares[0], b),
        [_, second] => (second, 1.0 - shares[1], a),
    };
    let is_shown = excess * excess * distance_sq(page, lower) <= tolerance_sq;
    is_shown.then(|| plus(b, share, minus(a, b)))
}

/// Whether most pixels of a patch are mixtures of three paints: where two shapes end together, the backdrop of both shows along their
/// edge.
pub(crate) fn are_of_three(paint_map: &PaintMap<'_>, pixels: &[u32]) -> bool {
    /// How many of its pixels make a patch the edge of two shapes over a third.
    ///
    /// Unit: share (ratio). Source: tuned; no derivation is known. Before there was a test, a shadow on a disk became a stroke.
    const LEAST_EXPLAINED_SHARE: f32 = 0.6;
    let is_of_three = |&&i: &&u32| {
        is_coreless(paint_map.labels.ids[i as usize]) && paint_of_three(paint_map, i as usize).is_some()
    };
    pixels.iter().filter(is_of_three).count() as f32 >= LEAST_EXPLAINED_SHARE * pixels.len() as f32
}

/// How many paints a pixel may mix: those in reach along the axes, and the backdrops.
const MOST_PAINTS_OF_PIXEL: usize = 2 * AXES.len() + MOST_BACKDROPS + PAGES.len();

/// Different paints, in the order in which they were found.
#[derive(Default)]
struct DistinctPaints {
    ids: [u32; MOST_PAINTS_OF_PIXEL],
    count: usize,
}

impl DistinctPaints {
    fn add(&mut self, paint: u32) {
        if !self.found().contains(&paint) {
            self.ids[self.count] = paint;
            self.count += 1;
        }
    }

    fn found(&self) -> &[u32] {
        &self.ids[..self.count]
    }
}

/// The planes through one color and any two of others, and a pixel that may be a mixture of three such colors. Keeps what is the same
/// for many of these planes.
struct MixturePlanes {
    /// The pixel's offset from the one color.
    value: Channels,
    /// The others' offsets from it.
    others: [Channels; MOST_PAINTS_OF_PIXEL],
    /// The squared length of each of these.
    squares: [f32; MOST_PAINTS_OF_PIXEL],
    /// The dot product of each with the pixel's.
    along: [f32; MOST_PAINTS_OF_PIXEL],
}

impl MixturePlanes {
    fn through(color: Channels, value: Channels, others: &[Channels]) -> Self {
        let mut planes = MixturePlanes {
            value: minus(value, color),
            others: [[0.0; 4]; MOST_PAINTS_OF_PIXEL],
            squares: [0.0; MOST_PAINTS_OF_PIXEL],
            along: [0.0; MOST_PAINTS_OF_PIXEL],
        };
        for (k, &other) in others.iter().enumerate() {
            let offset = minus(other, color);
            planes.others[k] = offset;
            planes.squares[k] = dot(offset, offset);
            planes.along[k] = dot(offset, planes.value);
        }
        planes
    }

    /// The pixel's squared distance from the plane through two others, and the shares of these two and of the one color; none where a share
    /// is negative or the three lie on a line.
    fn mixture(&self, a: usize, b: usize) -> Option<(f32, [f32; 3])> {
        let (u, v) = (self.others[a], self.others[b]);
        let products = [self.squares[a], dot(u, v), self.squares[b]];
        let [x, y] = solve_in_plane(products, [self.along[a], self.along[b]])?;
        let shares = [x, y, 1.0 - x - y];
        let nearest: Channels = std::array::from_fn(|k| x * u[k] + y * v[k]);
        shares.iter().all(|&share| share >= 0.0).then(|| (distance_sq(self.value, nearest), shares))
    }
}
