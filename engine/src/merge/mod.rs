mod adjacency;
mod criterion;
mod noise_regions;
mod print_dots;
mod region_stats;
mod rounds;
mod settle_boundaries;

pub(crate) use criterion::{
    BOUNDARY_WORTH, BOUNDARY_WORTH_IN_FLAT_ART, BOUNDARY_WORTH_ON_RAMPS, Criterion, LINES_OF_A_SCREEN,
    WORTH_ON_SCREENS,
};
pub(crate) use settle_boundaries::RAMP_STEP;

use crate::api::{ColorMode, ProgressMeter, Stage, Stopped};
use crate::color::Channels;
use crate::parallel::both;
use crate::raster::{Cracks, Labels, Pixels};
use crate::resolve::Overlay;
use adjacency::{CONTACT_UNITS, ContactLists, Contacts};
use noise_regions::join_noise_regions;
use print_dots::print_dots;
use region_stats::{Region, measure_regions};
use rounds::join_in_rounds;
use settle_boundaries::{SettledBoundaries, settle};

/// Regions that stay shapes of their own.
///
/// # Guarantees
/// `labels` are edge-connected; `fills` has one entry a label, premultiplied like [`Pixels`].
pub(crate) struct Layers {
    pub width: usize,
    pub height: usize,
    pub labels: Labels,
    pub fills: Vec<[u8; 4]>,
}

/// So often the whole picture is gone through.
const PASSES: usize = 8;

/// Absorbs what `filterSpeckle` calls a speckle into the neighbor of the nearest color, and joins neighbors that
/// `layerDifference` calls one layer, or whose difference does not pay for the boundary between them (Koepfler, Lopez
/// and Morel's merging for the functional of Mumford and Shah).
///
/// Gives with the layers where their sides are.
///
/// Works in rounds over the list of contacts: each region names the neighbor that it would rather join, then
/// wishes come true as [`join_in_rounds`] says, the cheapest first. Rounds are few, whatever the picture. Then the
/// boundaries settle.
pub(crate) fn merge(
    pixels: &Pixels,
    (mut labels, mut cracks): (Labels, Cracks),
    overlay: &Overlay,
    criterion: &Criterion<'_>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(Layers, Cracks), Stopped> {
    // Of all contacts, those of the first round take about half of the work.
    meter.begin(Stage::Merge, PASSES * pixels.data.len() + 2 * CONTACT_UNITS * labels.count)?;
    join_noise_regions(pixels, (&mut labels, &mut cracks), criterion, meter)?;
    let (mut regions, contacts) = looked_at(pixels, (&labels, &cracks), meter)?;
    let dots = print_dots((&labels, pixels.width), &regions, overlay, criterion, meter)?;
    if let Some(groups) = join_in_rounds(&mut regions, contacts, criterion, &dots, meter)? {
        cracks.regroup(&mut labels, &groups, meter)?;
        // What was absorbed must not speak for the color, and an interior is larger without it.
        let has_grown = groups.are_of_several();
        let known: Vec<_> = (0..labels.count).map(|id| (!has_grown[id]).then_some(regions[id])).collect();
        regions = remeasured(pixels, (&labels, &cracks), &known, meter)?;
    }
    if !criterion.is_every_boundary_meant() {
        let colors: Vec<Channels> = regions.iter().map(Region::mean).collect();
        if let Some(settled) = settle(pixels, &mut labels, &mut cracks, &colors, meter)? {
            let (rejoined, groups) =
                rejoined(pixels, (&labels, &cracks), (&regions, settled), criterion, meter)?;
            regions = rejoined;
            if let Some(groups) = groups {
                cracks.regroup(&mut labels, &groups, meter)?;
            }
        }
    }
    let fill = match criterion.color_mode {
        ColorMode::Color => Region::fill,
        ColorMode::Binary => Region::black_or_nothing,
    };
    let fills = regions.iter().map(fill).collect();
    Ok((Layers { width: pixels.width, height: pixels.height, labels, fills }, cracks))
}

/// Measures all regions and finds their contacts.
fn looked_at(
    pixels: &Pixels,
    (labels, cracks): (&Labels, &Cracks),
    meter: &mut ProgressMeter<'_>,
) -> Result<(Vec<Region>, Contacts), Stopped> {
    let mut regions = vec![Region::EMPTY; labels.count];
    let mut lists = ContactLists::new(labels.count, 0);
    for rows in pixels.bands() {
        let units = 2 * rows.len() * pixels.width;
        meter.advance(units)?;
        both(
            units,
            || measure_regions(pixels, (labels, cracks), rows.clone(), &[], &mut regions),
            || lists.find((labels, cracks), rows.clone(), &[]),
        );
    }
    Ok((regions, lists.unlinked(Vec::new(), meter)?))
}

/// The figures of regions, of which those that are as they were are `known`.
fn remeasured(
    pixels: &Pixels,
    (labels, cracks): (&Labels, &Cracks),
    known: &[Option<Region>],
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Region>, Stopped> {
    let mut regions: Vec<Region> = known.iter().map(|known| known.unwrap_or(Region::EMPTY)).collect();
    let known: Vec<bool> = known.iter().map(Option::is_some).collect();
    for rows in pixels.bands() {
        meter.advance(rows.len() * pixels.width)?;
        measure_regions(pixels, (labels, cracks), rows, &known, &mut regions);
    }
    Ok(regions)
}

/// The regions that are left when the fragments of others have joined, as far as [`Criterion`] lets them, and the new label of each old one,
/// if any joined. `before`: the regions as they were.
fn rejoined(
    pixels: &Pixels,
    (labels, cracks): (&Labels, &Cracks),
    (before, SettledBoundaries { origins, has_moved }): (&[Region], SettledBoundaries),
    criterion: &Criterion<'_>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(Vec<Region>, Option<Labels>), Stopped> {
    let origin = |id: usize| origins[id] as usize;
    let known = |id: usize| (!has_moved[origin(id)]).then_some(before[origin(id)]);
    let known: Vec<_> = (0..labels.count).map(known).collect();
    let mut regions = remeasured(pixels, (labels, cracks), &known, meter)?;
    let mut largest = vec![None; before.len()];
    for (id, region) in regions.iter().enumerate() {
        let largest = &mut largest[origin(id)];
        if largest.is_none_or(|(area, _)| region.area > area) {
            *largest = Some((region.area, id));
        }
    }
    let is_main: Vec<bool> =
        (0..regions.len()).map(|id| largest[origin(id)].is_some_and(|largest| largest.1 == id)).collect();
    let groups = if is_main.contains(&false) {
        let contacts = Contacts::new(pixels, (labels, cracks), &is_main, meter)?;
        join_in_rounds(&mut regions, contacts, criterion, &is_main, meter)?
    } else {
        None
    };
    Ok((regions, groups))
}
