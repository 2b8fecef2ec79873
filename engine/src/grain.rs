use std::ops::Range;

use crate::cracks::Cracks;
use crate::pixels::Pixels;
use crate::rounds::tie_break;
use crate::rule::Rule;
use crate::segment::{DisjointSets, Labels};
use crate::watch::{Stopped, Watch};

/// Fewer pixels a region, on average, are noise or the grain of a photograph. What is known of each region and contact would
/// take many times the room of the picture.
const PIXELS_PER_REGION: usize = 7;

/// So many are enough for the grains that are left to join by all that is known of them.
const ENOUGH_PIXELS_PER_REGION: usize = 9;

/// Joins the grains of noise, in rounds like [`merge`](crate::merge::merge), but by color alone and without a list of contacts: each
/// names the neighbor of the nearest color; those that name each other join, and whoever names a larger region joins that.
pub(crate) fn join_grains(
    pixels: &Pixels,
    labels: &mut Labels,
    cracks: &Cracks,
    rule: &Rule<'_>,
    watch: &mut Watch<'_>,
) -> Result<(), Stopped> {
    if rule.is_every_boundary_meant() || labels.count * PIXELS_PER_REGION <= pixels.data.len() {
        return Ok(());
    }
    let speckle_area = (rule.speckle_px * rule.speckle_px).min(f32::from(u16::MAX)) as u16;
    let mut grains = Grains::measure(pixels, labels, speckle_area, watch)?;
    while labels.count * ENOUGH_PIXELS_PER_REGION > pixels.data.len() {
        let Some(groups) = grains.join(pixels, (labels, cracks), watch)? else { break };
        labels.regroup(&groups, watch)?;
    }
    Ok(())
}

/// Every region's color and pixels, in as little room as will do for the first of many rounds.
struct Grains {
    colors: Vec<[u8; 4]>,
    /// Counted as far as 16 bits go.
    areas: Vec<u16>,
    /// A region of fewer pixels is a grain: as many as a square of a speckle's size has.
    least: u16,
}

#[derive(Clone, Copy)]
struct Wish {
    cost: u32,
    target: u32,
}

impl Wish {
    const NONE: Wish = Wish { cost: u32::MAX, target: u32::MAX };
}

impl Grains {
    fn measure(pixels: &Pixels, labels: &Labels, least: u16, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let mut grains = Grains { colors: vec![[0; 4]; labels.count], areas: vec![0; labels.count], least };
        let rows = labels.ids.chunks_exact(pixels.width).zip(pixels.data.chunks_exact(pixels.width));
        for (ids, colors) in rows {
            watch.advance(pixels.width)?;
            ids.iter().zip(colors).for_each(|(&id, &color)| grains.add(id as usize, color, 1));
        }
        Ok(grains)
    }

    fn add(&mut self, region: usize, color: [u8; 4], area: u16) {
        let [own, other] = [self.areas[region], area].map(u32::from);
        if own == 0 {
            // Of noise, most regions are a pixel.
            (self.colors[region], self.areas[region]) = (color, area);
            return;
        }
        let mean = |c: usize| {
            let sum = u32::from(self.colors[region][c]) * own + u32::from(color[c]) * other;
            ((sum + (own + other) / 2) / (own + other)) as u8
        };
        self.colors[region] = std::array::from_fn(mean);
        self.areas[region] = self.areas[region].saturating_add(area);
    }

    /// One round. Gives the new label of each region, if any joined.
    fn join(
        &mut self,
        pixels: &Pixels,
        (labels, cracks): (&Labels, &Cracks),
        watch: &mut Watch<'_>,
    ) -> Result<Option<Labels>, Stopped> {
        let mut wishes = vec![Wish::NONE; labels.count];
        for rows in pixels.bands() {
            watch.advance(rows.len() * pixels.width)?;
            self.wish(&mut wishes, (labels, cracks), rows);
        }
        let mut sets = DisjointSets::new(labels.count);
        let mut joined = false;
        for (region, wish) in (0..).zip(&wishes) {
            let is_granted = wish.target != Wish::NONE.target
                && (!self.is_grain(wish.target) || wishes[wish.target as usize].target == region);
            let (a, b) = if is_granted { (sets.find(region), sets.find(wish.target)) } else { (0, 0) };
            if a != b {
                let (root, child) = (sets.union(a, b) as usize, a.max(b) as usize);
                self.add(root, self.colors[child], self.areas[child]);
                joined = true;
            }
        }
        let groups = sets.into_labels();
        groups.keep_first_of_each(&mut self.colors);
        groups.keep_first_of_each(&mut self.areas);
        Ok(joined.then_some(groups))
    }

    /// What regions wish for by the contacts of pixels in some rows, and with those below.
    fn wish(&self, wishes: &mut [Wish], (labels, cracks): (&Labels, &Cracks), rows: Range<usize>) {
        cracks.for_each(&labels.ids, rows, |a, b, _| {
            let is_grain = [a, b].map(|region| self.is_grain(region));
            if is_grain == [false; 2] {
                return;
            }
            let cost = self.distance_sq(a, b);
            for (from, target, is_grain) in [(a, b, is_grain[0]), (b, a, is_grain[1])] {
                let current = &mut wishes[from as usize];
                let is_better = cost < current.cost
                    || cost == current.cost && tie_break(from, target) < tie_break(from, current.target);
                if is_grain && is_better {
                    *current = Wish { cost, target };
                }
            }
        });
    }

    fn is_grain(&self, region: u32) -> bool {
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
    use crate::Options;
    use crate::pixels::ColorMetric;
    use crate::rule::BOUNDARY_WORTH;
    use crate::segment::connected;

    fn joined(pixels: &Pixels, options: &Options) -> Labels {
        let metric = ColorMetric::new(options);
        let watch = &mut Watch::idle();
        let mut labels = connected(&pixels.data, pixels.width, watch).unwrap();
        let cracks = Cracks::find(&labels.ids, pixels.width, watch).unwrap();
        let rule = Rule::new(&metric, options, BOUNDARY_WORTH);
        join_grains(pixels, &mut labels, &cracks, &rule, watch).unwrap();
        labels
    }

    fn noise() -> Pixels {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let data = (0..64 * 64).map(|_| [random(), random(), random(), 255]).collect();
        Pixels { width: 64, height: 64, data }
    }

    #[test]
    fn noise_has_few_regions_and_they_are_connected() {
        let labels = joined(&noise(), &Options::default());
        assert!(labels.count * PIXELS_PER_REGION <= 64 * 64, "{}", labels.count);
        assert_eq!(connected(&labels.ids, 64, &mut Watch::idle()).unwrap().count, labels.count);
    }

    #[test]
    fn where_no_speckle_is_filtered_every_grain_is_meant() {
        let options = Options { filter_speckle_px: 0.0, ..Options::default() };
        assert_eq!(joined(&noise(), &options).count, 64 * 64);
    }

    #[test]
    fn neighbors_of_the_nearest_color_join() {
        let data = [10, 12, 90, 92, 200, 203].map(|v| [v, v, v, 255]).to_vec();
        let labels = joined(&Pixels { width: 6, height: 1, data }, &Options::default());
        assert_eq!(labels.ids[..2], [0, 0]);
        assert_eq!(labels.ids[2], labels.ids[3]);
    }
}
