//! Lets a gradient absorb a smaller region beside it, if the bytes of the boundary are worth more than what the region's pixels show.
//! Such regions are what is left of bands: pieces that settling cut off, and rims of pixels that were mixed with what lies beyond an edge.

use super::bytes::BOUNDARY_BYTES;
use super::contacts::Lists;
use crate::algorithms::DisjointSets;
use crate::api::{ProgressMeter, Stopped};
use crate::classify::byte_price;
use crate::merge::{Layers, RegionPaints};
use crate::raster::{Cracks, Pixels};

/// The work of comparing a pixel with two regions, in the units of [`ProgressMeter`].
const COMPARISON_UNITS: usize = 4;

/// Regions that may be absorbed, and by which.
struct Candidates<'a> {
    pixels: &'a Pixels<'a>,
    layers: &'a Layers,
    paints: RegionPaints,
    /// For each region, the larger ones beside it that gradients fill.
    larger: Lists,
    /// For each of these, by how much the squared error would grow.
    growth: Vec<f32>,
    /// The growth at which it does not pay.
    most: f32,
}

impl<'a> Candidates<'a> {
    fn find(pixels: &'a Pixels<'a>, layers: &'a Layers, cracks: &Cracks, areas: &[u32], most: f32) -> Self {
        let paints = RegionPaints::of(layers);
        let mut pairs = Vec::new();
        cracks.for_each(&layers.labels.ids, 0..pixels.height, |a, b, _| {
            // Of equal areas, the later region counts as larger, on whichever side it lies: no two absorb each other.
            let [small, large] =
                if (areas[a as usize], a) < (areas[b as usize], b) { [a, b] } else { [b, a] };
            if paints.is_shaded(large) && layers.fills[small as usize].alpha() > 0 {
                pairs.push(u64::from(small) << u32::BITS | u64::from(large));
            }
        });
        let larger = Lists::new(pairs, areas.len());
        let growth = vec![0.0; larger.entries.len()];
        Candidates { pixels, layers, paints, larger, growth, most }
    }

    /// Compares the pixels of the regions with both gradients, those that others touch by the variance of a pixel at an edge.
    fn compare(
        &mut self,
        cracks: &Cracks,
        [at_edges, inner]: [f32; 2],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let labels = &self.layers.labels;
        for y in 0..self.pixels.height {
            let (first, mut compared) = (y * self.pixels.width, 0);
            cracks.for_each_run(y, |run| {
                let own = labels.ids[first + run.start];
                for place in self.larger.places(own) {
                    let (large, growth) = (self.larger.entries[place] as u32, &mut self.growth[place]);
                    for pixel in run.clone() {
                        if *growth > self.most {
                            break;
                        }
                        let (nearer, is_touched) =
                            self.paints.nearer_by(self.pixels, labels, first + pixel, [own, large]);
                        *growth += if is_touched { nearer * inner / at_edges } else { nearer };
                        compared += 1;
                    }
                }
            });
            meter.advance(COMPARISON_UNITS * compared)?;
        }
        Ok(())
    }

    /// The larger region that absorbs a region best, or the region itself if none pays.
    fn best(&self, region: u32) -> u32 {
        let (mut best, mut least) = (region, self.most);
        for place in self.larger.places(region) {
            if self.growth[place] < least {
                (best, least) = (self.larger.entries[place] as u32, self.growth[place]);
            }
        }
        best
    }
}

/// Joins regions with the larger regions that absorb them. `variances`: that of a pixel at an edge, and of others.
pub(super) fn absorb(
    pixels: &Pixels,
    layers: &mut Layers,
    cracks: &mut Cracks,
    variances: [f32; 2],
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let count = layers.labels.count;
    let mut areas = vec![0u32; count];
    layers.labels.ids.iter().for_each(|&id| areas[id as usize] += 1);
    let most = BOUNDARY_BYTES as f32 * byte_price(variances[1]);
    let mut candidates = Candidates::find(pixels, layers, cracks, &areas, most);
    candidates.compare(cracks, variances, meter)?;
    let by: Vec<u32> = (0..count as u32).map(|region| candidates.best(region)).collect();
    let mut sets = DisjointSets::new(count);
    for (region, &by) in (0..).zip(&by) {
        sets.union(region, by);
    }
    let joined = sets.into_labels();
    if joined.count == count {
        return Ok(());
    }
    // Of the regions that become one, the one that none absorbs has the gradient.
    for (region, &group) in joined.ids.iter().enumerate().filter(|&(region, _)| by[region] as usize == region)
    {
        layers.fills[group as usize] = layers.fills[region];
        layers.gradient_of[group as usize] = layers.gradient_of[region];
    }
    layers.fills.truncate(joined.count);
    layers.gradient_of.truncate(joined.count);
    cracks.regroup(&mut layers.labels, &joined, meter)
}

#[cfg(test)]
#[cfg(feature = "gradients")]
mod tests {
    use super::*;
    use crate::color::{PremultipliedColor, StraightColor};
    use crate::geometry::{FLAT, Gradient, GradientShape, GradientStop, Point};
    use crate::raster::Labels;

    const SIDE: usize = 12;

    /// The labels that are left of a gray gradient from the left, a rim of one column that is `mixed`, and white beyond.
    fn absorbed(mixed: [u8; 3]) -> Vec<u32> {
        let stop =
            |offset, level: u8| GradientStop { offset, color: StraightColor([level, level, level, 255]) };
        let ends = [Point::new(0.0, 0.0), Point::new(SIDE as f32, 0.0)];
        let gradient = Gradient::new(GradientShape::Linear(ends), vec![stop(0.0, 60), stop(1.0, 180)]);
        let [r, g, b] = mixed;
        let row = |x: usize| match x {
            0..7 => (0, [65 + 10 * x as u8; 3]),
            7 => (1, [r, g, b]),
            _ => (2, [255; 3]),
        };
        let rows = || (0..SIDE * SIDE).map(|pixel| row(pixel % SIDE));
        let mut data: Vec<_> = rows().map(|(_, [r, g, b])| [r, g, b, 255]).collect();
        let pixels = Pixels { width: SIDE, height: SIDE, data: &mut data };
        let mut layers = Layers {
            width: SIDE,
            height: SIDE,
            labels: Labels { ids: rows().map(|(id, _)| id).collect(), count: 3 },
            fills: [[95; 3], mixed, [255; 3]].map(|[r, g, b]| PremultipliedColor([r, g, b, 255])).to_vec(),
            gradients: vec![gradient],
            gradient_of: vec![0, FLAT, FLAT],
        };
        let meter = &mut ProgressMeter::idle();
        let mut cracks = Cracks::find(&layers.labels.ids, SIDE, meter).unwrap();
        absorb(&pixels, &mut layers, &mut cracks, [25.0, 8.0], meter).unwrap();
        assert_eq!((layers.gradient_of[0], layers.fills.len()), (0, layers.labels.count));
        layers.labels.ids[..SIDE].to_vec()
    }

    #[test]
    fn a_rim_of_mixed_pixels_is_absorbed() {
        assert_eq!(absorbed([190; 3]), [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    }

    /// One lies around three sides of the other.
    #[test]
    fn of_two_gradients_of_equal_areas_one_stays() {
        let stop = |offset| GradientStop { offset, color: StraightColor([90, 90, 90, 255]) };
        let ends = [Point::default(), Point::new(5.0, 0.0)];
        let gradient = || Gradient::new(GradientShape::Linear(ends), vec![stop(0.0), stop(1.0)]);
        let mut data = vec![[90, 90, 90, 255]; 30];
        let pixels = Pixels { width: 5, height: 6, data: &mut data };
        let ids =
            [[0; 5], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0]];
        let mut layers = Layers {
            width: 5,
            height: 6,
            labels: Labels { ids: ids.concat(), count: 2 },
            fills: vec![PremultipliedColor([90, 90, 90, 255]); 2],
            gradients: vec![gradient(), gradient()],
            gradient_of: vec![0, 1],
        };
        let meter = &mut ProgressMeter::idle();
        let mut cracks = Cracks::find(&layers.labels.ids, 5, meter).unwrap();
        absorb(&pixels, &mut layers, &mut cracks, [25.0, 8.0], meter).unwrap();
        assert_eq!((layers.labels.count, layers.gradient_of), (1, vec![1]));
    }

    #[test]
    fn a_line_in_a_color_of_its_own_stays() {
        assert_eq!(absorbed([190, 120, 190]), [0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2]);
    }
}
