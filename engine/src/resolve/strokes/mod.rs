mod bodies;
mod clusters;
mod draw;
mod extend_paints;
mod find_ink;
mod ink_layer;
mod overlay;
mod paint_tally;
mod patch;
mod reject;
mod shared_ink;
mod subpixel_print;
mod tips;

pub(crate) use draw::DOT_REACH_PX;
pub(crate) use ink_layer::SolvedInkLayer;
pub(crate) use overlay::Overlay;

use std::borrow::Cow;

use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::color::ColorMetric;
use crate::parallel::Work;
use crate::raster::within_reach;
use crate::resolve::paints::{
    Assignment, EXPLAIN_PIXEL_UNITS, PaintMap, are_of_three, explain_pixel, is_thin,
};
use crate::resolve::straight_lines::{FoundLines, find_lines};
use clusters::clusters;
use draw::StrokeBuilder;
use find_ink::{PatchVerdict, find_ink};
use paint_tally::PaintTally;
use patch::{DrawnStroke, PATCH_PIXEL_UNITS, Patch};
use reject::reject_doubtful;
use shared_ink::share_inks;
use subpixel_print::{PRINT_LEAST_PX, is_of_print, remove_fringes};

/// Finds thin strokes and small print among the pixels that no pair of paints explains: patches whose pixels are all
/// mixtures of the paints around them and of one ink. Their pixels go to the paints; the ink is drawn over them, as
/// far as it covers each. What are mostly mixtures of two paints and one of those `beneath` others is an edge over that, and no stroke.
///
/// A region with a thin core is a stroke where an ink explains it (one that straddles two rows of pixels looks like a
/// region of a paler color), and a paint where none does.
pub(crate) fn strokes(
    paint_map: &mut PaintMap<'_>,
    (unexplained, beneath): (&[u32], &[u32]),
    assignment: &mut Assignment,
    (metric, speckle_px): (&ColorMetric, f32),
    meter: &mut ProgressMeter<'_>,
) -> Result<Overlay, Stopped> {
    let mut accepted: Vec<Patch> = Vec::new();
    let FoundLines { lines, covered, on_line } =
        find_lines(paint_map, (metric, speckle_px), (unexplained, beneath), assignment, meter)?;
    let mut overlay = Overlay { lines, pixels: covered, ..Overlay::default() };
    let mut pending = Cow::Borrowed(unexplained);
    if !overlay.lines.is_empty() {
        let is_open = |&i: &u32| assignment.is_open(&paint_map.labels, i as usize);
        pending = Cow::Owned(unexplained.iter().copied().filter(is_open).collect());
    }
    let mut small = Vec::new();
    while !pending.is_empty() {
        let mut rejected = Vec::new();
        for found in all_judged(paint_map, (&pending, beneath), metric, meter)? {
            match found {
                Ok((mut patch, above)) => {
                    rejected.extend(patch.take_bare(paint_map));
                    if patch.is_fringed {
                        let paper = paint_map.colors[patch.paints[0] as usize];
                        remove_fringes(paint_map, &patch.pixels, (paper, patch.ink));
                    }
                    accepted.push(patch);
                    accepted.extend(above);
                }
                Err(pixels) if pixels.iter().any(|&i| is_thin(paint_map.labels.ids[i as usize])) => {
                    rejected.extend(pixels)
                }
                Err(pixels) if pixels.len() < PRINT_LEAST_PX => small.push(pixels),
                Err(_) => {}
            }
        }
        pending = Cow::Owned(as_paints(paint_map, assignment, &rejected, meter)?);
    }
    if accepted.is_empty() {
        return Ok(overlay);
    }
    add_dots_of_print(paint_map, small, &mut accepted, meter)?;
    meter.advance(assignment.pixel_count())?;
    let mut builder = StrokeBuilder::new(paint_map, assignment, &on_line);
    for patch in &accepted {
        builder.take(&patch.pixels);
    }
    // Those last that may be tips: not where a stroke took the shape in.
    let tips: Vec<bool> = accepted.iter().map(|patch| builder.shape_of_tip(patch).is_some()).collect();
    for is_late in [false, true] {
        for (patch, _) in accepted.iter_mut().zip(&tips).filter(|&(_, &is_tip)| is_tip == is_late) {
            meter.advance(PATCH_PIXEL_UNITS * patch.pixels.len())?;
            match is_late.then(|| builder.shape_of_tip(patch)).flatten() {
                Some(shape) => builder.give_tip(patch, shape),
                None => builder.absorb_bodies(patch),
            }
        }
    }
    accepted.retain(|patch| !patch.pixels.is_empty());
    share_inks(paint_map, &mut accepted);
    builder.draw(&accepted, speckle_px, meter)?;
    for patch in &accepted {
        meter.advance(PATCH_PIXEL_UNITS * patch.pixels.len())?;
        builder.extend_paints(patch);
    }
    builder.solve(&mut overlay, meter)?;
    let drawn = |patch: Patch| {
        let ink = patch.pixels.iter().find_map(|&i| overlay.topmost(i as usize));
        DrawnStroke { patch, ink }
    };
    let strokes = accepted.into_iter().map(drawn).collect();
    let doubtful = reject_doubtful(paint_map, assignment, (strokes, &mut overlay), meter)?;
    as_paints(paint_map, assignment, &doubtful, meter)?;
    Ok(overlay)
}

/// The patches among the pixels; of those that are no strokes, their pixels.
fn all_judged(
    paint_map: &PaintMap<'_>,
    (pixels, beneath): (&[u32], &[u32]),
    metric: &ColorMetric,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<PatchVerdict>, Stopped> {
    let units = |pixels: &Vec<u32>| PATCH_PIXEL_UNITS * pixels.len();
    let begin = || {
        let mut tally = PaintTally::new(paint_map);
        move |pixels| {
            let (patch, above) = find_ink(paint_map, pixels, metric, &mut tally)?;
            let is_edge = !patch.is_on_one_color && are_of_three(paint_map, &patch.pixels, beneath);
            if is_edge { Err(patch.pixels) } else { Ok((patch, above)) }
        }
    };
    let patches = clusters(paint_map, pixels, meter)?;
    Work { units, begin }.run(patches.into_iter(), meter)
}

/// Adds what is beside print rendered in sub-pixels and of its ink, but too small to show that by itself.
#[inline(never)]
fn add_dots_of_print(
    paint_map: &mut PaintMap<'_>,
    small: Vec<Vec<u32>>,
    accepted: &mut Vec<Patch>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    if small.is_empty() || !accepted.iter().any(|patch| patch.is_fringed) {
        return Ok(());
    }
    // For each pixel, the patch of such print that it belongs to, by its number from 1.
    let mut print_at = vec![0u32; paint_map.labels.ids.len()];
    for (k, patch) in (1..).zip(&*accepted).filter(|(_, patch)| patch.is_fringed) {
        patch.pixels.iter().for_each(|&i| print_at[i as usize] = k);
    }
    for dot in small {
        meter.advance(PATCH_PIXEL_UNITS * dot.len())?;
        let near = within_reach(&dot, paint_map.size(), DOT_REACH_PX);
        let number = near.into_iter().map(|j| print_at[j as usize]).find(|&print| print > 0);
        let Some(number) = number else { continue };
        let Patch { paints, ink, .. } = &accepted[number as usize - 1];
        let (paper, ink) = (paints[0], *ink);
        let color = paint_map.colors[paper as usize];
        if is_of_print(paint_map, &dot, (color, ink)) {
            remove_fringes(paint_map, &dot, (color, ink));
            accepted.push(Patch::new(paint_map, dot, (vec![paper], ink), true));
        }
    }
    Ok(())
}

/// Makes the regions with a thin core among the pixels paints, and gives the pixels that these explain to them. Returns the others.
fn as_paints(
    paint_map: &mut PaintMap<'_>,
    assignment: &mut Assignment,
    pixels: &[u32],
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<u32>, Stopped> {
    for i in pixels.iter().map(|&i| i as usize) {
        // A region with a core is part of one patch, as a whole.
        if is_thin(paint_map.labels.ids[i]) {
            assignment.give(i, paint_map.make_paint(i));
        }
    }
    let mut unexplained = Vec::new();
    for part in pixels.chunks(PIXELS_PER_ADVANCE) {
        meter.advance(EXPLAIN_PIXEL_UNITS * part.len())?;
        for &i in part {
            match explain_pixel(paint_map, i as usize, assignment.of(i as usize)) {
                Some(paint) => assignment.give(i as usize, paint),
                None => unexplained.push(i),
            }
        }
    }
    Ok(unexplained)
}
