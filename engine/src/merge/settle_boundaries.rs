//! Moves the boundaries between bands of a ramp to where the image is half way between their colors, and those between gradients to where
//! these agree. Takes a partition and the paints of its regions; changes the partition.
//!
//! Region merging leaves such boundaries ragged, at the place where the joins happened to stop. Pixels beside a boundary go to the
//! neighboring region whose paint is nearer, wave by wave, until no pixel moves (iterated conditional modes: J. Besag, "On the
//! Statistical Analysis of Dirty Pictures", 1986). Sharp edges stay where they are.

use super::RegionPaints;
use crate::algorithms::set_bits;
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::color::distance_sq;
use crate::raster::{Components, Cracks, Labels, Pixels, SideBits, WORD, side_neighbors};

/// Two neighboring pixels of different regions lie on a ramp if they differ by less than this share of the regions' color distance.
///
/// Unit: share (ratio). Source: tuned below one half: across one mixed pixel, the larger step of a sharp edge is at least half.
pub(crate) const RAMP_STEP: f32 = 0.35;

/// Weight of the eight neighbors against the color: if all are of one region, that counts like this share of the way to its color.
///
/// Unit: share of the squared color distance between the regions. Source: tuned; no derivation is known.
const NEIGHBOR_WEIGHT: f32 = 0.1;

/// Cost of visiting a pixel, in the units of [`ProgressMeter`].
const SETTLE_UNITS: usize = 4;

/// Most visits, on average over the pixels of the image. Settling ends by itself, since every move brings a pixel nearer to its color;
/// this bounds the time for hostile images.
///
/// Unit: visits a pixel. Source: linear time; drawn images need far fewer.
const MOST_SETTLE_VISITS: usize = 16;

/// How regions changed when boundaries moved.
pub(crate) struct SettledBoundaries {
    /// For each new label, a connected part of a region, that region's former label.
    pub origins: Vec<u32>,
    /// For each former region, whether it gained or lost pixels.
    pub has_moved: Vec<bool>,
}

/// Moves boundaries on ramps. Where two paints agree within `noise_sq`, the variance of a pixel, a boundary is to be short. Parts of a region
/// that are no longer connected get labels of their own. Returns `None` if nothing moved.
#[inline(never)]
pub(crate) fn settle(
    pixels: &Pixels,
    (labels, cracks): (&mut Labels, &mut Cracks),
    paints: &RegionPaints,
    noise_sq: f32,
    meter: &mut ProgressMeter<'_>,
) -> Result<Option<SettledBoundaries>, Stopped> {
    let mut wave = pixels_beside_ramp_boundaries(pixels, (labels, cracks), paints, meter)?;
    if wave.is_empty() {
        return Ok(None);
    }
    let is_queued = vec![0; pixels.data.len().div_ceil(WORD)];
    let has_moved = vec![false; labels.count];
    let mut settler = BoundarySettler {
        pixels,
        paints,
        noise_sq,
        labels: &mut *labels,
        cracks: &mut *cracks,
        is_queued,
        has_moved,
    };
    let mut visits_left = MOST_SETTLE_VISITS * pixels.data.len();
    while !wave.is_empty() && visits_left >= wave.len() {
        visits_left -= wave.len();
        let mut next = Vec::new();
        for part in wave.chunks(PIXELS_PER_ADVANCE) {
            meter.advance(SETTLE_UNITS * part.len())?;
            part.iter().for_each(|&place| settler.visit(place, &mut next));
        }
        wave = next;
    }
    let has_moved = settler.has_moved;
    if !has_moved.contains(&true) {
        return Ok(None);
    }
    let components = Components::find(cracks, meter)?;
    let mut origins = vec![0; components.count()];
    components.for_each_run(cracks, |run, component| origins[component as usize] = labels.ids[run.start]);
    *labels = components.labels(cracks, std::mem::take(&mut labels.ids));
    Ok(Some(SettledBoundaries { origins, has_moved }))
}

/// Column and row of a pixel.
#[derive(Clone, Copy)]
struct PixelPos {
    x: u16,
    y: u16,
}

/// The pixels on both sides of boundaries that cut a ramp; some occur more than once. Most drawn art has none.
fn pixels_beside_ramp_boundaries(
    pixels: &Pixels,
    (labels, cracks): (&Labels, &Cracks),
    paints: &RegionPaints,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<PixelPos>, Stopped> {
    let (ids, width) = (&labels.ids[..], pixels.width);
    let mut found = Vec::new();
    for y in 0..pixels.height {
        meter.advance(width)?;
        let cuts_ramp = |i: usize, j: usize| {
            let contrast_sq = || distance_sq(paints.in_pixel(ids[i], i), paints.in_pixel(ids[j], i));
            paints.may_settle(ids[i], ids[j]) && is_on_ramp(pixels, i, j, contrast_sq())
        };
        cracks.for_each_word(y..y + 1, |first, SideBits { right, below }| {
            // First as bits, without branches: which sides cut a ramp is unpredictable.
            let of_ramps = |sides: u64, step: usize| {
                let places = set_bits(sides).map(|k| (k, first + k));
                places.fold(0, |bits, (k, i)| bits | u64::from(cuts_ramp(i, i + step)) << k)
            };
            let (right, below) = (of_ramps(right, 1), of_ramps(below, width));
            for k in set_bits(right | below) {
                let place = PixelPos { x: (first + k - y * width) as u16, y: y as u16 };
                if right >> k & 1 == 1 {
                    found.extend([place, PixelPos { x: place.x + 1, ..place }]);
                }
                if below >> k & 1 == 1 {
                    found.extend([place, PixelPos { y: place.y + 1, ..place }]);
                }
            }
        });
    }
    Ok(found)
}

/// Whether two neighboring pixels differ by little, compared with the squared color distance of their regions.
fn is_on_ramp(pixels: &Pixels, i: usize, j: usize, contrast_sq: f32) -> bool {
    distance_sq(pixels.channels(i), pixels.channels(j)) < RAMP_STEP * RAMP_STEP * contrast_sq
}

/// The state of settling.
struct BoundarySettler<'a> {
    pixels: &'a Pixels<'a>,
    paints: &'a RegionPaints,
    noise_sq: f32,
    labels: &'a mut Labels,
    cracks: &'a mut Cracks,
    /// One bit a pixel: whether it is in the next wave.
    is_queued: Vec<u64>,
    /// For each region, whether it gained or lost pixels.
    has_moved: Vec<bool>,
}

impl BoundarySettler<'_> {
    /// Moves a pixel to a better region, if there is one, and adds its neighbors outside of that region to the next wave.
    fn visit(&mut self, place: PixelPos, next: &mut Vec<PixelPos>) {
        let i = self.pixel(place);
        self.is_queued[i / WORD] &= !(1 << (i % WORD));
        let sides = side_neighbors(i, (self.pixels.width, self.pixels.height));
        let Some(region) = self.better_region(place, i, &sides) else { return };
        let ids = &mut self.labels.ids;
        self.has_moved[ids[i] as usize] = true;
        self.has_moved[region as usize] = true;
        ids[i] = region;
        let PixelPos { x, y } = place;
        let parts = sides.map(|j| ids[j] != region);
        self.cracks.set(usize::from(x), usize::from(y), parts);
        // Beyond the image's border the neighbor is the pixel itself, so these positions are never used there.
        let (left, right) = (x.wrapping_sub(1), x.wrapping_add(1));
        let (above, below) = (y.wrapping_sub(1), y.wrapping_add(1));
        let places = [(left, y), (right, y), (x, above), (x, below)].map(|(x, y)| PixelPos { x, y });
        let mut added = 0;
        for (k, (side, parts)) in sides.into_iter().zip(parts).enumerate() {
            let (queued, bit) = (&mut self.is_queued[side / WORD], side % WORD);
            let is_new = parts & (*queued >> bit & 1 == 0);
            *queued |= u64::from(is_new) << bit;
            added |= u64::from(is_new) << k;
        }
        set_bits(added).for_each(|k| next.push(places[k]));
    }

    /// The index of a pixel.
    fn pixel(&self, place: PixelPos) -> usize {
        usize::from(place.y) * self.pixels.width + usize::from(place.x)
    }

    /// The neighboring region whose paint is nearest to a pixel, if it is nearer than the pixel's own and the step there is a ramp's.
    fn better_region(&self, place: PixelPos, i: usize, sides: &[usize; 4]) -> Option<u32> {
        let ids = &self.labels.ids[..];
        let own = ids[i];
        let value = self.pixels.channels(i);
        let from = self.paints.in_pixel(own, i);
        let own_sq = distance_sq(value, from);
        let (mut best, mut most) = (None, 0.0);
        // The last neighboring region and its gain: two sides often belong to the same one.
        let (mut met, mut gain, mut contrast_sq) = (own, 0.0, 0.0);
        let others = sides.map(|j| ids[j]);
        // As bits, without branches: which sides differ is unpredictable.
        let differing = (0..others.len()).fold(0, |bits, k| bits | u64::from(others[k] != own) << k);
        for (j, other) in set_bits(differing).map(|k| (sides[k], others[k])) {
            if other != met {
                let to = self.paints.in_pixel(other, i);
                (met, contrast_sq) = (other, distance_sq(from, to));
                gain = if self.paints.are_flat() {
                    own_sq - distance_sq(value, to)
                } else {
                    self.paints.nearer_by(self.pixels, self.labels, i, [other, own]).0
                };
                let weight = (NEIGHBOR_WEIGHT * contrast_sq).max(self.noise_sq);
                if gain.abs() < weight {
                    gain += weight / 8.0 * self.majority(place, other, own) as f32;
                }
            }
            if gain > most && self.paints.may_settle(own, other) && is_on_ramp(self.pixels, i, j, contrast_sq)
            {
                (best, most) = (Some(other), gain);
            }
        }
        best
    }

    /// How many more of the eight neighbors belong to one region than to another.
    fn majority(&self, PixelPos { x, y }: PixelPos, one: u32, other: u32) -> i32 {
        let Pixels { width, height, .. } = *self.pixels;
        let ids = &self.labels.ids[..];
        let [x, y] = [x, y].map(usize::from);
        let votes =
            |ids: &[u32]| ids.iter().map(|&id| i32::from(id == one) - i32::from(id == other)).sum::<i32>();
        let columns = x.saturating_sub(1)..width.min(x + 2);
        let rows = (y.saturating_sub(1)..height.min(y + 2)).map(|y| &ids[y * width..][columns.clone()]);
        // Mostly three in a row, for which the loop is unrolled. The pixel itself votes for the other region: 1 undoes that.
        1 + rows.map(|row| row.as_array::<3>().map_or_else(|| votes(row), |row| votes(row))).sum::<i32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of grey levels.
    fn grey(rows: &[&[u8]]) -> Pixels<'static> {
        let data: Vec<_> = rows.concat().into_iter().map(|v| [v, v, v, 255]).collect();
        Pixels { width: rows[0].len(), height: rows.len(), data: data.leak() }
    }

    /// The new labels, and the region that each comes from.
    fn settled(pixels: &Pixels, ids: &[u32], levels: &[f32]) -> Option<(Vec<u32>, Vec<u32>)> {
        let paints = RegionPaints::flat(levels.iter().map(|&v| [v, v, v, 255.0]).collect());
        let mut labels = Labels { ids: ids.to_vec(), count: levels.len() };
        let meter = &mut ProgressMeter::idle();
        let mut cracks = Cracks::find(ids, pixels.width, meter).unwrap();
        let settled = settle(pixels, (&mut labels, &mut cracks), &paints, 0.0, meter).unwrap();
        settled.map(|settled| (labels.ids, settled.origins))
    }

    const RAMP: &[u8] = &[0, 4, 8, 12, 16, 20, 24, 28, 32, 36];

    #[test]
    fn a_ragged_boundary_on_a_ramp_moves_to_the_middle() {
        let pixels = grey(&[RAMP, RAMP, RAMP]);
        let ragged =
            [[0, 0, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]];
        let (ids, origins) = settled(&pixels, ragged.as_flattened(), &[8.0, 28.0]).unwrap();
        assert_eq!(ids, [[0, 0, 0, 0, 0, 1, 1, 1, 1, 1]; 3].concat());
        assert_eq!(origins, [0, 1]);
    }

    #[test]
    fn sharp_edges_stay() {
        // The fourth column is nearer to the left color, but the step beside it is as large as half the contrast.
        let edge: &[u8] = &[0, 0, 0, 90, 200, 200];
        let ids = [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1];
        assert!(settled(&grey(&[edge, edge]), &ids, &[0.0, 200.0]).is_none());
    }

    #[test]
    fn separated_parts_get_labels_of_their_own() {
        // The middle has the second region's color; it was one region with the dark ends, of which the left is larger.
        let pixels = grey(&[&[0, 0, 3, 7, 10, 10, 7, 3, 0], &[10; 9]]);
        let ids = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        let (ids, origins) = settled(&pixels, &ids, &[0.0, 10.0]).unwrap();
        assert_eq!(ids, [0, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(origins, [0, 1, 0]);
    }

    /// White over two gradients of one level each. On the left, the edge mixes white into a row of pixels: as one color, they would be nearer to
    /// the gradient on the right.
    #[cfg(feature = "gradients")]
    #[test]
    fn pixels_that_a_third_region_may_be_mixed_into_stay_with_their_gradient() {
        use crate::color::{PremultipliedColor, StraightColor};
        use crate::geometry::{FLAT, Gradient, GradientShape, GradientStop, Point};
        use crate::merge::Layers;
        let gradient = |level: u8| {
            let stop = |offset| GradientStop { offset, color: StraightColor([level, level, level, 255]) };
            let ends = [Point::new(0.0, 0.0), Point::new(8.0, 0.0)];
            Gradient::new(GradientShape::Linear(ends), vec![stop(0.0), stop(1.0)])
        };
        let mixed: &[u8] = &[131, 131, 131, 131, 130, 130, 130, 130];
        let pixels = grey(&[&[255; 8], mixed, &[100, 100, 100, 100, 130, 130, 130, 130]]);
        let ids = [[2; 8], [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]].concat();
        let meter = &mut ProgressMeter::idle();
        let mut cracks = Cracks::find(&ids, 8, meter).unwrap();
        let mut layers = Layers {
            width: 8,
            height: 3,
            labels: Labels { ids, count: 3 },
            fills: [100, 130, 255].map(|level| PremultipliedColor([level, level, level, 255])).to_vec(),
            gradients: vec![gradient(100), gradient(130)],
            gradient_of: vec![0, 1, FLAT],
        };
        let paints = RegionPaints::of(&layers);
        let settled = settle(&pixels, (&mut layers.labels, &mut cracks), &paints, 0.0, meter).unwrap();
        assert!(settled.is_none());
    }
}
