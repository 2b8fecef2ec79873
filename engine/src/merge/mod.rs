//! Third stage: joins regions that are not worth a shape of their own. Takes the regions of the image, gives the layers to draw.
//!
//! The steps, in order:
//! 1. In noise, the smallest regions join by color alone ([`noise_regions`]).
//! 2. Small dots that belong to print are marked, so that the speckle filter keeps them ([`print_dots`]).
//! 3. Neighbors join in rounds ([`rounds`]), by the rules of [`Criterion`]: a speckle joins the neighbor of the nearest color, two
//!    neighbors of one layer join, and so do two whose boundary is not worth its length (Koepfler, Lopez and Morel, "A Multiscale
//!    Algorithm for Image Segmentation by Variational Method", 1994, for the functional of Mumford and Shah).
//! 4. On ramps, boundaries move to where the colors put them ([`settle_boundaries`]). Fragments that this separates join again.
//! 5. Each region gets a fill ([`region_stats`]).
//!
//! Rounds over a list of contacts take the place of a priority queue of neighbor pairs: each round is linear in contacts, rounds are
//! few, and no queue has to be kept up to date.

mod adjacency;
mod criterion;
mod noise_regions;
mod print_dots;
mod region_paints;
mod region_stats;
mod rounds;
mod settle_boundaries;

pub(crate) use criterion::Criterion;
pub(crate) use region_paints::RegionPaints;
pub(crate) use settle_boundaries::{RAMP_STEP, SettledBoundaries, settle};

use crate::api::{ColorMode, ProgressMeter, Stage, Stopped};
use crate::color::PremultipliedColor;
use crate::geometry::{EXISTS, FLAT, Gradient, Paint, Point};
use crate::parallel::both;
use crate::raster::{Cracks, Labels, Partition, Pixels};
use crate::resolve::Overlay;
use adjacency::{CONTACT_UNITS, ContactLists, Contacts};
use noise_regions::join_noise_regions;
use print_dots::DotSearch;
use region_stats::{Region, RegionMeasurement};
use rounds::join_in_rounds;

/// The regions to draw, one shape each.
///
/// # Guarantees
/// `labels` are edge-connected. `fills` has one entry for each label, `gradient_of` too or none at all.
pub(crate) struct Layers {
    pub width: usize,
    pub height: usize,
    pub labels: Labels,
    /// The color of each region; of a region that a gradient fills, its mean.
    pub fills: Vec<PremultipliedColor>,
    pub gradients: Vec<Gradient>,
    /// The number of the gradient that fills each region, or [`FLAT`].
    pub gradient_of: Vec<u32>,
}

impl Layers {
    /// The region at a point; `None` beyond the image.
    #[inline]
    pub fn label_at(&self, point: Point) -> Option<u32> {
        let (width, height) = (self.width, self.height);
        let inside = point.x >= 0.0 && point.y >= 0.0 && point.x < width as f32 && point.y < height as f32;
        // Processors convert floats to signed numbers of 32 bits fastest.
        let [x, y] = [point.x, point.y].map(|at| at as i32 as usize);
        inside.then(|| self.labels.ids[y * width + x])
    }

    /// What a region is filled with.
    pub fn paint(&self, label: usize) -> Paint {
        let fill = self.fills[label].straight();
        match (self.gradient_of.get(label), EXISTS) {
            (Some(&number), Some(exists)) if number != FLAT => {
                Paint::Gradient { number, is_opaque: fill.is_opaque(), exists }
            }
            _ => Paint::Flat(fill),
        }
    }
}

/// How many times merging goes through the pixels, for the estimate of [`ProgressMeter`].
const PASSES: usize = 8;

/// Joins speckles (`filterSpeckle`), neighbors of one layer (`layerDifference`) and neighbors whose boundary is not worth its length.
///
/// Returns the layers, and the pixel sides between them.
pub(crate) fn merge(
    pixels: &Pixels,
    mut partition: Partition,
    overlay: &Overlay,
    criterion: &Criterion<'_>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(Layers, Cracks), Stopped> {
    // The contacts of the first round take about half of the work on all contacts.
    let count = partition.labels.count;
    meter.begin(Stage::Merge, PASSES * pixels.data.len() + 2 * CONTACT_UNITS * count)?;
    join_noise_regions(pixels, &mut partition, criterion, meter)?;
    let (regions, contacts) = measure_with_contacts(pixels, &partition, meter)?;
    let dots = DotSearch { partition: &partition, regions: &regions, overlay, criterion }.dots(meter)?;
    let mut merger = RegionMerger { pixels, criterion, partition, regions };
    merger.join(contacts, &dots, meter)?;
    if !criterion.is_every_boundary_meant() {
        merger.settle(meter)?;
    }
    let RegionMerger { partition: Partition { labels, cracks }, regions, .. } = merger;
    let fill = match criterion.color_mode {
        ColorMode::Color => Region::fill,
        ColorMode::Binary => Region::black_or_nothing,
    };
    let fills = regions.iter().map(fill).collect();
    Ok((
        Layers {
            width: pixels.width,
            height: pixels.height,
            labels,
            fills,
            gradients: Vec::new(),
            gradient_of: Vec::new(),
        },
        cracks,
    ))
}

/// Measures all regions and finds their contacts, side by side.
fn measure_with_contacts(
    pixels: &Pixels,
    partition: &Partition,
    meter: &mut ProgressMeter<'_>,
) -> Result<(Vec<Region>, Contacts), Stopped> {
    let measurement = RegionMeasurement { pixels, partition, stale: &[] };
    let mut regions = vec![Region::EMPTY; partition.labels.count];
    let mut lists = ContactLists::new(partition.labels.count, 0);
    for rows in pixels.bands() {
        let units = 2 * rows.len() * pixels.width;
        meter.advance(units)?;
        both(
            units,
            || measurement.add_rows(rows.clone(), &mut regions),
            || lists.find(partition, rows.clone(), &[]),
        );
    }
    Ok((regions, lists.unlinked(Vec::new(), meter)?))
}

/// The partition and the statistics of its regions, while they join.
struct RegionMerger<'a> {
    pixels: &'a Pixels<'a>,
    criterion: &'a Criterion<'a>,
    partition: Partition,
    regions: Vec<Region>,
}

impl RegionMerger<'_> {
    /// Joins neighbors in rounds. A region marked in `dots` is kept although it is as small as a speckle.
    fn join(
        &mut self,
        contacts: Contacts,
        dots: &[bool],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        if let Some(groups) = join_in_rounds(&mut self.regions, contacts, self.criterion, dots, meter)? {
            self.partition.regroup(&groups, meter)?;
            // Absorbed pixels must not count for the color, and without the old boundaries the interior is larger.
            self.measure_anew(&groups.have_several_members(), meter)?;
        }
        Ok(())
    }

    /// Moves boundaries on ramps, then joins the fragments that this separated from their regions.
    fn settle(&mut self, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let Partition { labels, cracks } = &mut self.partition;
        let paints = RegionPaints::flat(self.regions.iter().map(Region::mean).collect());
        if let Some(settled) = settle(self.pixels, (labels, cracks), &paints, 0.0, meter)?
            && let Some(groups) = self.rejoin(settled, meter)?
        {
            self.partition.regroup(&groups, meter)?;
        }
        Ok(())
    }

    /// Measures the regions of the settled partition and joins fragments, as far as [`Criterion`] allows. The largest part of each
    /// former region stays. Returns the new label of each old one, if any joined.
    fn rejoin(
        &mut self,
        SettledBoundaries { origins, has_moved }: SettledBoundaries,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Option<Labels>, Stopped> {
        let mut stale = Vec::with_capacity(origins.len());
        let mut regions = Vec::with_capacity(origins.len());
        for &origin in &origins {
            stale.push(has_moved[origin as usize]);
            regions.push(self.regions[origin as usize]);
        }
        // Of each former region, the area and the label of the largest part.
        let mut largest = vec![(0, 0); self.regions.len()];
        self.regions = regions;
        self.measure_anew(&stale, meter)?;
        for (id, (region, &origin)) in self.regions.iter().zip(&origins).enumerate() {
            let largest = &mut largest[origin as usize];
            if region.area > largest.0 {
                *largest = (region.area, id);
            }
        }
        let mut is_main = vec![false; self.regions.len()];
        largest.iter().filter(|largest| largest.0 > 0).for_each(|&(_, id)| is_main[id] = true);
        if !is_main.contains(&false) {
            return Ok(None);
        }
        let contacts = Contacts::new(self.pixels, &self.partition, &is_main, meter)?;
        join_in_rounds(&mut self.regions, contacts, self.criterion, &is_main, meter)
    }

    /// Measures those regions anew that are `stale`.
    #[inline(never)]
    fn measure_anew(&mut self, stale: &[bool], meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        for (region, _) in self.regions.iter_mut().zip(stale).filter(|&(_, &stale)| stale) {
            *region = Region::EMPTY;
        }
        let measurement = RegionMeasurement { pixels: self.pixels, partition: &self.partition, stale };
        for rows in self.pixels.bands() {
            meter.advance(rows.len() * self.pixels.width)?;
            measurement.add_rows(rows, &mut self.regions);
        }
        Ok(())
    }
}
