use std::ops::Range;

use super::criterion::Criterion;
use super::rounds::tie_break;
use crate::algorithms::DisjointSets;
use crate::api::{ProgressMeter, Stopped};
use crate::raster::{Cracks, Labels, Pixels};

/// Fewer pixels a region, on average, are noise or the grain of a photograph. What is known of each region and contact would
/// take many times the room of the picture.
const PIXELS_PER_REGION: usize = 9;

/// A grain joins another that does not name it at so many times the cost that that one has in mind: rounds are fewer, and the drawing truer.
const NOISE_PATIENCE: u32 = 4;

/// Where grains are smaller, on average, chains of them would run through all of the picture.
const PIXELS_PER_LISTED_REGION: usize = 4;

/// Joins the grains of noise, in rounds like [`merge`](crate::merge::merge), but by color alone and without a list of contacts: each
/// names the neighbor of the nearest color; those that name each other join, whoever names a larger region joins that, and with patience
/// others join as well.
pub(crate) fn join_noise_regions(
    pixels: &Pixels,
    (labels, cracks): (&mut Labels, &mut Cracks),
    criterion: &Criterion<'_>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let are_few = |count: usize| count * PIXELS_PER_REGION <= pixels.data.len();
    if criterion.is_every_boundary_meant() || are_few(labels.count) {
        return Ok(());
    }
    let speckle_area = (criterion.speckle_px * criterion.speckle_px).min(f32::from(u16::MAX)) as u16;
    let mut noise_regions = NoiseRegions::measure(pixels, labels, speckle_area, meter)?;
    while !are_few(labels.count) {
        let Some(groups) = noise_regions.join(pixels, (labels, cracks), meter)? else { break };
        cracks.regroup(labels, &groups, meter)?;
    }
    Ok(())
}

/// Every region's color and pixels, in as little room as will do for the first of many rounds.
struct NoiseRegions {
    colors: Vec<[u8; 4]>,
    /// Counted as far as 16 bits go.
    areas: Vec<u16>,
    /// A region of fewer pixels is a grain: as many as a square of a speckle's size has.
    least: u16,
}

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
        least: u16,
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
        Ok(NoiseRegions { colors, areas, least })
    }

    /// Adds the figures of a region to those of the one that takes it in.
    fn absorb(&mut self, region: usize, other: usize) {
        let [own, more] = [self.areas[region], self.areas[other]].map(u32::from);
        let (whole, color) = (own + more, self.colors[other]);
        self.colors[region] = std::array::from_fn(|c| {
            let sum = u32::from(self.colors[region][c]) * own + u32::from(color[c]) * more;
            ((sum + whole / 2) / whole) as u8
        });
        self.areas[region] = self.areas[region].saturating_add(self.areas[other]);
    }

    /// One round. Gives the new label of each region, if any joined.
    fn join(
        &mut self,
        pixels: &Pixels,
        (labels, cracks): (&Labels, &Cracks),
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Option<Labels>, Stopped> {
        let mut proposals = vec![NoiseProposal::NONE; labels.count];
        for rows in pixels.bands() {
            meter.advance(rows.len() * pixels.width)?;
            self.proposal(&mut proposals, (labels, cracks), rows);
        }
        let is_patient = labels.count * PIXELS_PER_LISTED_REGION <= pixels.data.len();
        let mut sets = DisjointSets::new(labels.count);
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

    fn is_granted(&self, region: u32, proposals: &[NoiseProposal], is_patient: bool) -> bool {
        let proposal = proposals[region as usize];
        proposals.get(proposal.target as usize).is_some_and(|back| {
            !self.is_noise(proposal.target)
                || back.target == region
                || is_patient && proposal.cost <= NOISE_PATIENCE * back.cost
        })
    }

    /// What regions wish for by the contacts of pixels in some rows, and with those below.
    fn proposal(
        &self,
        proposals: &mut [NoiseProposal],
        (labels, cracks): (&Labels, &Cracks),
        rows: Range<usize>,
    ) {
        cracks.for_each(&labels.ids, rows, |a, b, _| {
            let is_noise = [a, b].map(|region| self.is_noise(region));
            if is_noise == [false; 2] {
                return;
            }
            let cost = self.distance_sq(a, b);
            for (from, target, is_noise) in [(a, b, is_noise[0]), (b, a, is_noise[1])] {
                let current = &mut proposals[from as usize];
                let is_better = cost < current.cost
                    || cost == current.cost && tie_break(from, target) < tie_break(from, current.target);
                if is_noise && is_better {
                    *current = NoiseProposal { cost, target };
                }
            }
        });
    }

    fn is_noise(&self, region: u32) -> bool {
        self.areas[region as usize] < self.least
    }

    fn distance_sq(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.colors[a as usize], self.colors[b as usize]);
        (0..4).map(|c| u32::from(a[c].abs_diff(b[c])).pow(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Options;
    use crate::color::ColorMetric;
    use crate::merge::criterion::BOUNDARY_WORTH;
    use crate::raster::connected;

    fn joined(pixels: &Pixels, options: &Options) -> Labels {
        let metric = ColorMetric::new(options);
        let meter = &mut ProgressMeter::idle();
        let (mut labels, mut cracks) = connected(
            &pixels.data.iter().map(|&color| u32::from_le_bytes(color)).collect::<Vec<_>>(),
            pixels.width,
            meter,
        )
        .unwrap();
        let criterion = Criterion::new(&metric, options, BOUNDARY_WORTH);
        join_noise_regions(pixels, (&mut labels, &mut cracks), &criterion, meter).unwrap();
        labels
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
        assert_eq!(connected(&labels.ids, 64, &mut ProgressMeter::idle()).unwrap().0.count, labels.count);
    }

    #[test]
    fn where_no_speckle_is_filtered_every_grain_is_meant() {
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
