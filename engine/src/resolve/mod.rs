//! Second stage: explains the pixels of a drawing as paints, straight lines and strokes. Takes the segments, gives the image in its
//! paints and what is drawn over them.
//!
//! # What an image is made of
//! A drawing is flat colors with edges between them. A renderer gives a pixel that an edge crosses a color between the two, by the area
//! that each covers. So such a *mixed pixel* has no color of its own; its color says where the edge runs. Segmenting makes a
//! small region of nearly every mixed pixel. This stage finds out what they are.
//!
//! - A *core* is a pixel of a region that agrees with all eight of its neighbors. A region with a core is wider than any edge.
//! - A *paint* is a region with a core: a color that was drawn. Mixed pixels lie between paints, so a region without a core is
//!   mixed pixels, or something too thin to have a core.
//! - A region with a *thin* core (a pixel that agrees with five of its neighbors) may be either: a stroke that straddles two rows of
//!   pixels, or a small paint. It counts as mixed until the search for strokes has decided.
//! - A *straight line* is a rectangle of one color along rows or columns of pixels, such as a frame, a grid line or a tick. It may be as
//!   thin as a part of a pixel.
//! - A *stroke* is thin: a letter, a curve of a chart, an outline. It never shows its color in full over a core; its *ink* is the color
//!   that, mixed with the paints around it, explains all of its pixels.
//!
//! # Why inks lie over paints
//! An edge between two paints is one curve that both share. The edges of a thin stroke are two curves less than two pixels apart,
//! and cannot be read from single rows of pixels. So a stroke is cut out of the paints: its pixels are given to the paint beneath, as if it had never been drawn,
//! and its coverage is kept in a layer of its own, whose outline is drawn over the paints ([`Overlay`]).
//!
//! # Open and given pixels
//! [`PaintMap`] says what region each pixel is part of, [`Assignment`] what it belongs to. A pixel that belongs to its own region is *open*: if
//! that is no paint, nothing explains it yet. A step that explains it *gives* it to a paint. Each step looks at open pixels only:
//!
//! 1. Two paints beside the pixel are mixed in it ([`explain_by_two`]); the one that covers more gets it. The tips of shapes are kept
//!    connected ([`attach_tips`]).
//! 2. A straight line covers it ([`find_lines`]).
//! 3. A stroke covers it ([`StrokeSearch`]).
//! 4. Three paints are mixed in it ([`explain_by_three`]).
//!
//! A pixel that nothing explains stays open: its region is kept and becomes a shape of its own, unless merging joins it with another.
//! At the end, given pixels get the color of their paint ([`repaint`]).
mod overlay;
mod paints;
mod repaint;
mod straight_lines;
mod strokes;

pub(crate) use overlay::Overlay;
pub(crate) use repaint::Repainted;
pub(crate) use straight_lines::Hairline;
pub(crate) use strokes::{DOT_REACH_PX, SolvedInkLayer};

use crate::api::{ProgressMeter, Stage, Stopped};
use crate::classify::Tuning;
use crate::raster::{Cracks, Labels, Partition, Pixels};
use crate::segment::Segments;
use paints::{
    CoredRegions, EXPLAIN_PIXEL_UNITS, MixedPixels, PaintMap, attach_tips, explain_by_three, explain_by_two,
    is_photograph,
};
use repaint::repaint;
use straight_lines::{FoundLines, find_lines};
use strokes::{FoundStrokes, StrokeSearch};

/// What an image was made of.
///
/// # Guarantees
/// The regions of `partition` are edge-connected. Together they are the image without what `overlay` draws over it.
pub(crate) struct Resolved<'a> {
    pub repainted: Repainted<'a>,
    pub partition: Partition,
    pub overlay: Overlay,
}

/// Finds paints, straight lines and strokes, and gives every pixel that they explain to a paint. In a photograph nothing is looked for.
pub(crate) fn resolve<'a>(
    pixels: Pixels<'a>,
    segments: Segments,
    tuning: &Tuning,
    meter: &mut ProgressMeter<'_>,
) -> Result<Resolved<'a>, Stopped> {
    let count = pixels.data.len();
    meter.begin(Stage::Resolve, 2 * EXPLAIN_PIXEL_UNITS * count)?;
    let regions = CoredRegions::find(segments, pixels.width, meter)?;
    if is_photograph(&pixels, &regions.labels, &regions.cores) {
        return unresolved(pixels, regions.into_labels(), meter);
    }
    let (mut paint_map, mut assignment) = PaintMap::new(pixels, regions, tuning.mixture_residual_sq, meter)?;
    let mixed = explain_by_two(&paint_map, &mut assignment, meter)?;
    attach_tips(&paint_map, &mut assignment, &mixed.explained);
    let MixedPixels { unexplained, .. } = &mixed;
    let FoundLines { lines, mut covered, on_line } =
        find_lines(&paint_map, &mut assignment, unexplained, tuning, meter)?;
    let search = StrokeSearch { unexplained, on_line: &on_line, tuning };
    let FoundStrokes { inks, covered: under_inks } = search.find(&mut paint_map, &mut assignment, meter)?;
    covered.extend(under_inks);
    drop(on_line);
    meter.advance(count)?;
    explain_by_three(&paint_map, &mut assignment, unexplained, meter)?;
    let (repainted, partition) = repaint(paint_map, assignment, mixed, covered, meter)?;
    Ok(Resolved { repainted, partition, overlay: Overlay { inks, lines } })
}

/// Leaves an image as it is.
fn unresolved<'a>(
    pixels: Pixels<'a>,
    labels: Labels,
    meter: &mut ProgressMeter<'_>,
) -> Result<Resolved<'a>, Stopped> {
    let cracks = Cracks::find(&labels.ids, pixels.width, meter)?;
    Ok(Resolved {
        repainted: Repainted::unmixed(pixels),
        partition: Partition { labels, cracks },
        overlay: Overlay::default(),
    })
}
