//! Strokes and small print: what is too thin to have a core.
//!
//! The steps, in order ([`StrokeSearch::find`]):
//! 1. Open pixels near to each other are a [`Candidate`] ([`clusters`]).
//! 2. A candidate becomes a [`Patch`] if its pixels are mixtures of the paints around it and of one ink ([`mod@find_ink`]). Print rendered in
//!    sub-pixels counts as such, once its colored fringes are coverage ([`subpixel_print`]). What remains of thin regions is promoted to
//!    paints, which may explain more pixels; then the search starts over with those that are still open.
//! 3. A patch takes in the wide parts of its letter ([`bodies`]). One that is the tip of a larger shape goes back to that shape
//!    ([`tips`]).
//! 4. Patches of one kind get one ink ([`shared_ink`]).
//! 5. Patches give their pixels to the grounds, and their coverage to a layer of inks ([`draw`]). The paints beside a patch run on
//!    under it ([`extend_paints`]).
//! 6. The layers are solved to finer coverage ([`ink_layer`]). Lines too thin for it are taken out, to be drawn along their middles, and a
//!    stroke whose outline misses its pixels is taken back ([`reject`]).
mod bodies;
mod clusters;
mod draw;
mod extend_paints;
mod find_ink;
mod ink_layer;
mod inks;
mod paint_tally;
mod patch;
mod reject;
mod shared_ink;
mod subpixel_print;
mod tips;

pub(crate) use draw::DOT_REACH_PX;
pub(crate) use ink_layer::SolvedInkLayer;
pub(crate) use inks::Inks;

use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::classify::Tuning;
use crate::parallel::Work;
use crate::resolve::paints::{
    Assignment, EXPLAIN_PIXEL_UNITS, PaintMap, are_of_three, explain_pixel, is_paint,
};
use clusters::cluster_pixels;
use draw::StrokeBuilder;
use find_ink::find_ink;
use paint_tally::PaintTally;
use patch::{Candidate, PATCH_PIXEL_UNITS, Patch};
use reject::{JudgedPixels, reject_doubtful};
use shared_ink::share_inks;
use subpixel_print::{PRINT_LEAST_PX, add_dots_of_print, remove_fringes};

/// The search for strokes among the pixels that no pair of paints explains.
pub(crate) struct StrokeSearch<'a> {
    pub unexplained: &'a [u32],
    /// The pixels that were given to the ground of a straight line.
    pub under_lines: &'a [u32],
    /// For each pixel, whether a straight line lies on it; empty if there are no lines. Strokes of a line's ink that touch it begin in it, and
    /// are drawn even if small. Open pixels on a line are searched like others.
    pub on_line: &'a [bool],
    pub tuning: &'a Tuning,
}

/// The strokes of an image.
#[derive(Default)]
pub(crate) struct FoundStrokes {
    pub inks: Inks,
    /// The pixels that were given to a paint because an ink explains them.
    pub covered: Vec<u32>,
}

/// What candidates turned out to be.
#[derive(Default)]
struct Judged {
    patches: Vec<Patch>,
    /// Pixels of regions with a thin core that are no strokes, and the other pixels of their candidates that no ink explains.
    rejected: Vec<u32>,
    /// Candidates without such a region that are too small to show whether they are print rendered in sub-pixels.
    small: Vec<Candidate>,
}

impl StrokeSearch<'_> {
    /// Finds strokes and gives their pixels to the grounds; the inks are to be drawn over these.
    ///
    /// A region with a thin core is a stroke where an ink explains it, for a stroke that straddles two rows of pixels looks like a region
    /// of a paler color. Where none does, it becomes a paint.
    pub fn find(
        &self,
        paint_map: &mut PaintMap<'_>,
        assignment: &mut Assignment,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<FoundStrokes, Stopped> {
        let patches = self.patches(paint_map, assignment, meter)?;
        if patches.is_empty() {
            return Ok(FoundStrokes::default());
        }
        let mut grounds = self.under_lines.to_vec();
        grounds.iter_mut().for_each(|ground| *ground = assignment.of(*ground as usize));
        let (patches, mut inks) = self.draw(paint_map, assignment, patches, meter)?;
        let JudgedPixels { covered, doubtful } =
            reject_doubtful(paint_map, assignment, &patches, &mut inks, meter)?;
        // A rejected stroke may have taken in pixels of a line, which have a ground.
        for (&i, &ground) in self.under_lines.iter().zip(&grounds) {
            if !is_paint(assignment.of(i as usize)) {
                assignment.give(i as usize, ground);
            }
        }
        promote_and_explain(paint_map, assignment, &doubtful, meter)?;
        Ok(FoundStrokes { inks, covered })
    }

    /// The patches, and what becomes a paint because it is none.
    fn patches(
        &self,
        paint_map: &mut PaintMap<'_>,
        assignment: &mut Assignment,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<Patch>, Stopped> {
        let is_open = |&i: &u32| assignment.is_open(&paint_map.labels, i as usize);
        let mut pending: Vec<u32> = self.unexplained.iter().copied().filter(is_open).collect();
        let mut found = Judged::default();
        while !pending.is_empty() {
            let first = found.patches.len();
            self.find_patches(paint_map, &pending, &mut found, meter)?;
            remove_fringes(paint_map, &found.patches[first..]);
            let rejected = std::mem::take(&mut found.rejected);
            pending = promote_and_explain(paint_map, assignment, &rejected, meter)?;
        }
        let Judged { mut patches, small, .. } = found;
        let first = patches.len();
        add_dots_of_print(paint_map, &small, &mut patches, meter)?;
        remove_fringes(paint_map, &patches[first..]);
        Ok(patches)
    }

    /// Judges the candidates among some pixels. What are mostly mixtures of two paints and of a backdrop of both is an edge over that one,
    /// and no stroke.
    fn find_patches(
        &self,
        paint_map: &PaintMap<'_>,
        pending: &[u32],
        judged: &mut Judged,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let units = |candidate: &Candidate| PATCH_PIXEL_UNITS * candidate.pixels.len();
        let begin = || {
            let mut tally = PaintTally::new(paint_map);
            move |candidate| {
                let found = find_ink(paint_map, candidate, &self.tuning.metric, &mut tally)?;
                let is_edge = !found.is_on_one_color && are_of_three(paint_map, &found.pixels);
                if is_edge { Err(Candidate { pixels: found.pixels }) } else { Ok(found) }
            }
        };
        let candidates = cluster_pixels(paint_map, pending, meter)?;
        for found in (Work { units, begin }).run(candidates.into_iter(), meter)? {
            match found {
                Ok(mut patch) => {
                    judged.rejected.extend(patch.take_bare(paint_map));
                    if !patch.pixels.is_empty() {
                        judged.patches.push(patch);
                    }
                }
                Err(candidate) if candidate.has_thin_region(paint_map) => {
                    judged.rejected.extend(candidate.pixels);
                }
                Err(candidate) if candidate.pixels.len() < PRINT_LEAST_PX => judged.small.push(candidate),
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Gives the pixels of patches to the grounds, and solves the inks over these.
    fn draw(
        &self,
        paint_map: &PaintMap<'_>,
        assignment: &mut Assignment,
        mut patches: Vec<Patch>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(Vec<Patch>, Inks), Stopped> {
        meter.advance(assignment.pixel_count())?;
        let mut builder = StrokeBuilder::new(paint_map, assignment, self.on_line);
        for patch in &patches {
            builder.take(&patch.pixels);
        }
        builder.grow(&mut patches, meter)?;
        share_inks(paint_map, &mut patches);
        builder.draw(&patches, self.tuning.speckle_px, meter)?;
        for patch in &patches {
            meter.advance(PATCH_PIXEL_UNITS * patch.pixels.len())?;
            builder.extend_paints(patch);
        }
        let inks = builder.solve(meter)?;
        Ok((patches, inks))
    }
}

/// Makes the regions with a thin core among some pixels paints, and gives the pixels that two paints now explain to these. Returns the
/// others. A region with a core is part of one patch, as a whole.
fn promote_and_explain(
    paint_map: &mut PaintMap<'_>,
    assignment: &mut Assignment,
    pixels: &[u32],
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<u32>, Stopped> {
    paint_map.promote(pixels, assignment);
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
