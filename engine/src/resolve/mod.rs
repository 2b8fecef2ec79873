//! Second stage: explains the pixels of a drawing by paints, straight lines and strokes. Takes the segments. Gives the image in its paints,
//! with what nothing explains left as it is, and what is drawn over these.
//!
//! # What a drawing consists of
//! A drawing has areas of one color, and edges between them. Where an edge crosses a pixel, the renderer mixes the two colors in
//! proportion to the area that each covers. Such a *mixed pixel* has no color of its own: its color says where the edge runs. Segmenting
//! leaves most mixed pixels in small regions of their own, and this stage finds out what they are.
//!
//! - A *core* is a pixel that is in the same region as all eight of its neighbors. A region with a core is wider than an edge.
//!   A pixel on the image's border has fewer neighbors and is never a core.
//! - A *paint* is a region with a core: an area that was drawn in one color. A region without one is either mixed pixels, or something
//!   too thin to have a core.
//! - A *thin region* has only a thin core: a pixel that is in the same region as at least five of its neighbors. It is a small paint, or a
//!   stroke or straight line that straddles two rows of pixels. Mixtures of two paints are not looked for in it. What neither a line nor
//!   an ink explains, or what shows more ground than ink on grounds of several colors, is promoted to a paint.
//! - A *straight line* is a rectangle of one color along rows or columns of pixels, with a paint on both sides: a frame, a grid line, a
//!   tick. It is about one row or column, or at least about one pixel wide across two, or wider across three; what fills three is a paint.
//!   One that fills two rows is found only in the ink of another line; otherwise it is a stroke or a thin paint. Rows of a frame with shade
//!   are lines each. One stretch of a line without a change is at least 20 px and `filterSpeckle` long, or 2 px if the line meets another
//!   one and has a known ink.
//! - A *stroke* is a group of nearby pixels that mixtures of the paints around them and of one color, its *ink*, explain nearly all: a
//!   letter, a curve of a chart, an outline. Mostly it is thin; where it is wide, as a bold letter is, and its ground is of one color, the
//!   areas of its color join it. An ink's color is the mean of the pixels that differ most from the grounds, or that of a paint or another
//!   stroke that shows it in full. An ink is a color here; layers number the inks by stroke, so that two strokes of one color have
//!   different numbers. A few pixels beside a large paint of their color are no stroke: that paint and the grounds get them.
//! - The *ground* of a line or a stroke is the paint that it was drawn over. Each pixel mixes the ink with one ground, which may differ
//!   from pixel to pixel. If the paints of a stroke differ in color and a pixel clearly shows one, that is its ground; otherwise the paints
//!   beside the stroke run on under it from its edge inward, and where they do not reach, the paint that fits best is the ground.
//! - A *backdrop* is one of the (at most three) largest paints of different colors: where two other paints meet, it may show between
//!   them. Only step 4 below, and the tests that tell a stroke or line from an edge, use it.
//!
//! # Why inks lie over paints
//! The edge between two paints is one curve, read from the mixed pixels between them. That does not work for a stroke: most of its
//! pixels are mixed, each edge lies within a pixel or two of the other one, and there is no paint between them to compare with. So a stroke
//! is taken out of the image. Its pixels are given to its grounds, as if it had never been drawn; how much of each pixel its ink
//! covers is kept in a layer, whose contours are drawn over the paints. A stroke of the size of a speckle is taken out and
//! not drawn, unless it belongs to print or to a line.
//! Straight lines are taken out in the same way. Lines and strokes together are the [`Overlay`].
//!
//! # Open and given pixels
//! [`PaintMap`] says which region each pixel is part of, and which regions are paints. [`Assignment`](paints::Assignment) says which region
//! each pixel belongs to; at first that is its own, and the pixel is *open*. A pixel that is part of no paint is *unpainted*; while it is
//! also open, it is not explained yet. A step that explains it *gives* it to a paint. Each step searches among the pixels that the steps
//! before left unexplained. A line may take over given pixels, but none of a paint; only a stroke takes over pixels of paints: the areas of
//! its color, with the mixed pixels around these, given or not.
//!
//! 1. [`explain_by_two`]: two paints (or one, on both sides) on opposite sides of the pixel, within two pixels along a row, a column or a
//!    diagonal, are mixed in it. The one that covers more gets it. Before that, on the image's border: if a mixed pixel has a paint inward
//!    of it and another farther along the border, the latter gets it even if it covers only a little, so that a flat edge is followed to
//!    its end.
//! 2. [`find_lines`]: a straight line covers it. The paint beside it gets it: of lines or rows beside each other, that of the first is
//!    above or on the left, that of the last below or on the right. Pixels where something crosses stay open for step 3.
//! 3. [`StrokeSearch`]: a stroke covers it. The ground gets it. Thin regions that no ink explains become paints, and the other pixels of
//!    their candidates are explained by two paints again; the search starts over with what is left of these. A stroke whose outline does
//!    not match its coverage is dropped: its pixels are open again, thin regions among them become paints, and two paints are tried once
//!    more. Those of its pixels that a line had given to a ground go back to that ground. Print that was rendered in sub-pixels has its
//!    fringes replaced in the map's image.
//! 4. [`explain_by_three`]: three paints are mixed in it. Of the paints beside it, the one that covers most gets it; a backdrop that shows
//!    by a small part never does. The *page*, white or nothing, is a backdrop that the rest of the image need not show; where it shows
//!    between two shapes that were drawn side by side, the pixel gets the color that it would have without it.
//!
//! A pixel that nothing explains stays open. Its region remains, and becomes a shape of its own unless merging joins it with another one.
//! At the end, [`repaint()`] gives every given pixel the color of its paint; open pixels keep theirs.
mod overlay;
mod paints;
mod repaint;
mod straight_lines;
mod strokes;

pub(crate) use overlay::Overlay;
pub(crate) use repaint::{Repainted, Uncovered};
pub(crate) use straight_lines::ROUNDING_SQ;
pub(crate) use strokes::{DOT_REACH_PX, SolvedInkLayer};

use crate::api::{ProgressMeter, Stage, Stopped};
use crate::classify::Tuning;
use crate::raster::{Cracks, Labels, Partition, Pixels};
use crate::segment::Segments;
use paints::{
    CoredRegions, EXPLAIN_PIXEL_UNITS, PaintMap, UnpaintedPixels, explain_by_three, explain_by_two,
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
    /// Whether nothing was looked for, because the image is a photograph or noise.
    pub is_photograph: bool,
}

/// Finds paints, straight lines and strokes, and gives every pixel that they explain to a paint. In a photograph or noise (much
/// grain, and paints that are many and small, or hardly any) nothing is looked for.
pub(crate) fn resolve<'a>(
    pixels: Pixels<'a>,
    segments: Segments,
    tuning: &Tuning,
    meter: &mut ProgressMeter<'_>,
) -> Result<Resolved<'a>, Stopped> {
    let count = pixels.data.len();
    meter.begin(Stage::Resolve, 2 * EXPLAIN_PIXEL_UNITS * count)?;
    let regions = CoredRegions::find(segments, pixels.width, meter)?;
    if is_photograph(&pixels, &regions) {
        return unresolved(pixels, regions.into_labels(), meter);
    }
    let (mut paint_map, mut assignment) = PaintMap::new(pixels, regions, tuning.mixture_tolerance_sq, meter)?;
    let unpainted = explain_by_two(&paint_map, &mut assignment, meter)?;
    let UnpaintedPixels { unexplained, .. } = &unpainted;
    let FoundLines { lines, covered: under_lines, on_line } =
        find_lines(&paint_map, &mut assignment, unexplained, tuning, meter)?;
    let search = StrokeSearch { unexplained, under_lines: &under_lines, on_line: &on_line, tuning };
    let FoundStrokes { inks, covered: under_inks } = search.find(&mut paint_map, &mut assignment, meter)?;
    drop(on_line);
    meter.advance(count)?;
    explain_by_three(&mut paint_map, &mut assignment, unexplained, meter)?;
    let (repainted, partition) = repaint(paint_map, assignment, unpainted, [under_lines, under_inks], meter)?;
    Ok(Resolved { repainted, partition, overlay: Overlay { inks, lines }, is_photograph: false })
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
        is_photograph: true,
    })
}
