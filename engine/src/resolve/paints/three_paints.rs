use super::assignment::Assignment;
use super::paint_map::{AXES, EXPLAIN_PIXEL_UNITS, PaintMap, is_coreless, is_paint};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, distance_sq, dot, minus, solve_in_plane};
use crate::parallel::Work;
use crate::raster::largest_of_distinct_colors;

/// Gives pixels that are still on their own to the paint that covers most of them, where they are mixtures of three: where
/// three shapes meet, and where another shows through between two that were drawn side by side.
pub(crate) fn explain_by_three(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    (unexplained, beneath): (&[u32], &[u32]),
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let paint = |&i: &u32| {
        let (i, region) = (i as usize, assignment.of(i as usize));
        let is_open = is_coreless(region) && assignment.is_open(&paint_map.labels, i);
        let found = if is_open { owner_of_three(paint_map, i, beneath) } else { None };
        found.unwrap_or(region)
    };
    let found =
        Work { units: |_: &_| EXPLAIN_PIXEL_UNITS, begin: || &paint }.run(unexplained.iter(), meter)?;
    for (&i, paint) in unexplained.iter().zip(found) {
        assignment.give(i as usize, paint);
    }
    Ok(())
}

/// So many paints may lie beneath others: the largest.
const MOST_BENEATH: usize = 3;

/// The largest paints: any other may have been drawn over these.
pub(crate) fn paints_beneath(paint_map: &PaintMap<'_>) -> Vec<u32> {
    largest_of_distinct_colors(
        paint_map.paints().collect(),
        &paint_map.areas,
        &paint_map.colors,
        MOST_BENEATH,
    )
}

/// The paint beside pixel `i` that covers most of it, if it is a mixture of three: two beside it, and one beside it too or,
/// by little, from `beneath`.
#[inline(never)]
fn owner_of_three(paint_map: &PaintMap<'_>, i: usize, beneath: &[u32]) -> Option<u32> {
    /// Of two edges that cover half of a pixel each, a quarter shows what lies beneath.
    const MOST_SHARE_BENEATH: f32 = 0.3;
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
    beneath.iter().for_each(|&paint| paints.add(paint));
    let value = paint_map.pixels.channels(i);
    let colors = paints.found().iter().map(|&paint| paint_map.colors[paint as usize]);
    let mut offsets = [[0.0; 4]; MOST_PAINTS_OF_PIXEL];
    offsets.iter_mut().zip(colors).for_each(|(offset, color)| *offset = color);
    let mut best = (paint_map.residual_sq, None);
    for third in 2..paints.count {
        let plane = MixturePlanes::through(offsets[third], value, &offsets[..third]);
        for second in 1..third.min(beside) {
            for first in 0..second {
                let Some((residual, shares)) = plane.mixture(first, second) else { continue };
                let all_beside = third < beside;
                if residual < best.0 && (all_beside || shares[2] <= MOST_SHARE_BENEATH) {
                    let owners = if all_beside { 0..3 } else { 0..2 };
                    let most = owners.max_by(|&k, &l| shares[k].total_cmp(&shares[l]));
                    best = (residual, most.map(|k| paints.ids[[first, second, third][k]]));
                }
            }
        }
    }
    best.1
}

/// Whether most pixels of a patch are mixtures of three: where two shapes end together, what lies beneath both shows through their edge.
pub(crate) fn are_of_three(paint_map: &PaintMap<'_>, pixels: &[u32], beneath: &[u32]) -> bool {
    const LEAST_EXPLAINED_SHARE: f32 = 0.6;
    let is_of_three = |&&i: &&u32| {
        is_coreless(paint_map.labels.ids[i as usize])
            && owner_of_three(paint_map, i as usize, beneath).is_some()
    };
    pixels.iter().filter(is_of_three).count() as f32 >= LEAST_EXPLAINED_SHARE * pixels.len() as f32
}

/// Paints beside a pixel and beneath others, at most.
const MOST_PAINTS_OF_PIXEL: usize = 2 * AXES.len() + MOST_BENEATH;

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

/// The planes through one color and any two others, and a pixel that may be a mixture of such three: what is the same for many
/// of these planes.
struct MixturePlanes {
    /// From the one color: to the pixel, and to each of the others.
    value: Channels,
    others: [Channels; MOST_PAINTS_OF_PIXEL],
    /// Of each of the others, its square and its product with the pixel.
    squares: [f32; MOST_PAINTS_OF_PIXEL],
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

    /// Squared distance of the pixel from the plane through two others, and its shares of each and of the one color; none where one
    /// is negative, or the three lie on a line.
    fn mixture(&self, a: usize, b: usize) -> Option<(f32, [f32; 3])> {
        let (u, v) = (self.others[a], self.others[b]);
        let products = [self.squares[a], dot(u, v), self.squares[b]];
        let [x, y] = solve_in_plane(products, [self.along[a], self.along[b]])?;
        let shares = [x, y, 1.0 - x - y];
        let nearest: Channels = std::array::from_fn(|k| x * u[k] + y * v[k]);
        shares.iter().all(|&share| share >= 0.0).then(|| (distance_sq(self.value, nearest), shares))
    }
}
