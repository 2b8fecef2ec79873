//! First joins in noise: the smallest regions ("grains") join by color alone, in rounds over the labels, until the list of contacts
//! that [`rounds`](super::rounds) needs is affordable. Takes a partition, joins some of its regions.
//!
//! The rounds here resemble those of [`join_in_rounds`](super::rounds::join_in_rounds), but store 6 bytes a region, know no contact
//! lengths, and ask no [`Criterion`]. Noise would otherwise take several times the memory of the image.

use std::ops::Range;

use super::criterion::Criterion;
use super::rounds::tie_break;
use crate::algorithms::DisjointSets;
use crate::api::{ProgressMeter, Stopped};
use crate::color::byte_distance_sq;
use crate::raster::{Labels, Partition, Pixels};

/// Regions with fewer pixels on average are noise or the grain of a photograph, and join here first.
///
/// Unit: pixels a region. Source: memory: contacts take 62 bytes a pixel on a dense photograph without this step, 42 with it.
const PIXELS_PER_REGION: usize = 9;

/// A region joins one that names a third region if that costs at most this many times what the other has in mind.
///
/// Unit: ratio of squared color distances. Source: tuned on drawings: without it, rounds are three times as many and photographs lose
/// about 0.05 dB of PSNR.
const NOISE_PATIENCE: u32 = 4;

/// Patience applies only from this average area on: below it, chains of grains would run through the whole image.
///
/// Unit: pixels a region. Source: tuned; no derivation is known.
const PIXELS_PER_PATIENT_REGION: usize = 4;

/// Joins the grains of noise until regions are few. In each round, every grain names the neighbor of the nearest color; then two that
/// name each other join, a grain that names a larger region joins it, and others join as far as [`NOISE_PATIENCE`] allows.
pub(crate) fn join_noise_regions(
    pixels: &Pixels,
    partition: &mut Partition,
    criterion: &Criterion<'_>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let are_few = |count: usize| count * PIXELS_PER_REGION <= pixels.data.len();
    if criterion.is_every_boundary_meant() || are_few(partition.labels.count) {
        return Ok(());
    }
    let speckle_area = (criterion.speckle_px * criterion.speckle_px).min(f32::from(u16::MAX)) as u16;
    let mut noise_regions = NoiseRegions::measure(pixels, &partition.labels, speckle_area, meter)?;
    while !are_few(partition.labels.count) {
        let Some(groups) = noise_regions.join_once(pixels, partition, meter)? else { break };
        partition.regroup(&groups, meter)?;
    }
    Ok(())
}

/// The color and area of every region, in as little memory as the first rounds need.
struct NoiseRegions {
    colors: Vec<[u8; 4]>,
    /// Saturates at 16 bits.
    areas: Vec<u16>,
    /// A region with fewer pixels is a grain: the area of a square as large as a speckle.
    speckle_area: u16,
}

/// The neighbor that a grain names in a round, and the squared color distance to it.
#[derive(Clone, Copy)]
struct NoiseProposal {
    cost: u32,
    target: u32,
}

impl NoiseProposal {
    const NONE: NoiseProposal = NoiseProposal { cost: u32::MAX, target: u32::MAX };
}

impl NoiseRegions {
    fn measure(
        pixels: &Pixels,
        labels: &Labels,
        speckle_area: u16,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let mut sums = vec![[0u32; 4]; labels.count];
        let mut areas = vec![0u32; labels.count];
        let rows = labels.ids.chunks_exact(pixels.width).zip(pixels.data.chunks_exact(pixels.width));
        for (ids, colors) in rows {
            meter.advance(pixels.width)?;
            for (&id, color) in ids.iter().zip(colors) {
                areas[id as usize] += 1;
                sums[id as usize].iter_mut().zip(color).for_each(|(sum, &v)| *sum += u32::from(v));
            }
        }
        let mean = |(sum, area): (&[u32; 4], &u32)| sum.map(|v| ((v + area / 2) / area) as u8);
        let colors = sums.iter().zip(&areas).map(mean).collect();
        let areas = areas.into_iter().map(|area| area.min(u32::from(u16::MAX)) as u16).collect();
        Ok(NoiseRegions { colors, areas, speckle_area })
    }

    /// Adds the color and area of `other` to those of `region`.
    fn absorb(&mut self, region: usize, other: usize) {
        let [own, more] = [self.areas[region], self.areas[other]].map(u32::from);
        let (whole, color) = (own + more, self.colors[other]);
        self.colors[region] = std::array::from_fn(|c| {
            let sum = u32::from(self.colors[region][c]) * own + u32::from(color[c]) * more;
            ((sum + whole / 2) / whole) as u8
        });
        self.areas[region] = self.areas[region].saturating_add(self.areas[other]);
    }

    /// One round. Returns the new label of each region, if any joined.
    fn join_once(
        &mut self,
        pixels: &Pixels,
        partition: &Partition,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Option<Labels>, Stopped> {
        let count = partition.labels.count;
        let mut proposals = vec![NoiseProposal::NONE; count];
        for rows in pixels.bands() {
            meter.advance(rows.len() * pixels.width)?;
            self.propose(&mut proposals, partition, rows);
        }
        let is_patient = count * PIXELS_PER_PATIENT_REGION <= pixels.data.len();
        let mut sets = DisjointSets::new(count);
        let mut joined = false;
        for (region, proposal) in (0..).zip(&proposals) {
            if !self.is_granted(region, &proposals, is_patient) {
                continue;
            }
            let (a, b) = (sets.find(region), sets.find(proposal.target));
            if a != b {
                self.absorb(sets.union(a, b) as usize, a.max(b) as usize);
                joined = true;
            }
        }
        let groups = sets.into_labels();
        groups.keep_first_of_each(&mut self.colors);
        groups.keep_first_of_each(&mut self.areas);
        Ok(joined.then_some(groups))
    }

    /// Whether a region joins the one that it names.
    fn is_granted(&self, region: u32, proposals: &[NoiseProposal], is_patient: bool) -> bool {
        let proposal = proposals[region as usize];
        proposals.get(proposal.target as usize).is_some_and(|back| {
            !self.is_grain(proposal.target)
                || back.target == region
                || is_patient && proposal.cost <= NOISE_PATIENCE * back.cost
        })
    }

    /// Updates the proposals by the contacts within some rows and with the row below each.
    fn propose(&self, proposals: &mut [NoiseProposal], partition: &Partition, rows: Range<usize>) {
        partition.cracks.for_each(&partition.labels.ids, rows, |a, b, _| {
            let is_grain = [a, b].map(|region| self.is_grain(region));
            if is_grain == [false; 2] {
                return;
            }
            let cost = self.distance_sq(a, b);
            for (from, target, is_grain) in [(a, b, is_grain[0]), (b, a, is_grain[1])] {
                let current = &mut proposals[from as usize];
                let is_better = cost < current.cost
                    || cost == current.cost && tie_break(from, target) < tie_break(from, current.target);
                if is_grain && is_better {
                    *current = NoiseProposal { cost, target };
                }
            }
        });
    }

    fn is_grain(&self, region: u32) -> bool {
        self.areas[region as usize] < self.speckle_area
    }

    fn distance_sq(&self, a: u32, b: u32) -> u32 {
        byte_distance_sq(self.colors[a as usize], self.colors[b as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Options;
    use crate::classify::BoundaryWorth;
    use crate::color::ColorMetric;
    use crate::raster::connected_components;
    use crate::resolve::Overlay;

    fn joined(pixels: &Pixels, options: &Options) -> Labels {
        let metric = ColorMetric::new(options);
        let meter = &mut ProgressMeter::idle();
        let mut partition = connected_components(
            &pixels.data.iter().map(|&color| u32::from_le_bytes(color)).collect::<Vec<_>>(),
            pixels.width,
            meter,
        )
        .unwrap();
        let criterion = Criterion::new(&metric, BoundaryWorth::UNCLASSIFIED, &Overlay::default(), options);
        join_noise_regions(pixels, &mut partition, &criterion, meter).unwrap();
        partition.labels
    }

    fn noise() -> Pixels<'static> {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let data: Vec<_> = (0..64 * 64).map(|_| [random(), random(), random(), 255]).collect();
        Pixels { width: 64, height: 64, data: data.leak() }
    }

    #[test]
    fn noise_has_few_regions_and_they_are_connected() {
        let labels = joined(&noise(), &Options::default());
        assert!(labels.count * PIXELS_PER_REGION <= 64 * 64, "{}", labels.count);
        assert_eq!(
            connected_components(&labels.ids, 64, &mut ProgressMeter::idle()).unwrap().labels.count,
            labels.count
        );
    }

    #[test]
    fn without_a_speckle_filter_every_grain_stays() {
        let options = Options { filter_speckle_px: 0.0, ..Options::default() };
        assert_eq!(joined(&noise(), &options).count, 64 * 64);
    }

    #[test]
    fn neighbors_of_the_nearest_color_join() {
        let data = [10, 12, 90, 92, 200, 203].map(|v| [v, v, v, 255]).to_vec();
        let labels = joined(&Pixels { width: 6, height: 1, data: data.leak() }, &Options::default());
        assert_eq!(labels.ids[..2], [0, 0]);
        assert_eq!(labels.ids[2], labels.ids[3]);
    }
}
