mod paints;
mod straight_lines;
mod strokes;

pub(crate) use straight_lines::Hairline;
pub(crate) use strokes::{DOT_REACH_PX, Overlay, SolvedInkLayer};

use crate::api::{ProgressMeter, Stage, Stopped};
use crate::color::{ColorMetric, rounded};
use crate::parallel::both;
use crate::raster::{Components, Cracks, Labels, Pixels};
use crate::segment::{Segments, cores, segment};
use paints::{
    EXPLAIN_PIXEL_UNITS, PaintMap, attach_tips, explain_by_three, explain_by_two, is_photograph,
    paints_beneath,
};
use strokes::strokes;

/// Which paint each pixel belongs to.
///
/// # Guarantees
/// `labels` are edge-connected, `cracks` their sides; in `plane`, a mixed pixel has the color of the paint that it was given to, and so has a pixel of a
/// stroke: that of the paint that the stroke runs over.
pub(crate) struct Painted<'a> {
    pub labels: Labels,
    pub cracks: Cracks,
    pub plane: Pixels<'a>,
    /// Mixed pixels, far fewer than the picture has, and the colors that tell where edges run: their own, but of a pixel of a
    /// stroke that of the paint beneath.
    pub mixed: Vec<(u32, [u8; 4])>,
    pub inks: Overlay,
}

/// Gives every pixel that is a mixture of two paints beside it (what anti-aliasing leaves along an edge) to the paint that
/// covers more of it. The pixel's own color still tells how much; [`place`](crate::outline::place) reads it there.
///
/// A paint is a region with a core: a pixel that agrees with all of its eight neighbors. Thin strokes have
/// none; [`strokes`] finds their ink, to be drawn over the paints. What nothing explains stays a region of its own. So does every
/// region of a photograph.
pub(crate) fn resolve_mixtures<'a>(
    mut pixels: Pixels<'a>,
    (metric, residual_sq): (&ColorMetric, f32),
    speckle_px: f32,
    watch: &mut ProgressMeter<'_>,
) -> Result<Painted<'a>, Stopped> {
    let Segments { mut labels, groups, sums } = segment(&pixels, metric, watch)?;
    let count = pixels.data.len();
    watch.begin(Stage::Resolve, 2 * EXPLAIN_PIXEL_UNITS * count)?;
    let cores = cores(&mut labels, &groups, pixels.width, watch)?;
    drop(groups);
    if is_photograph(&pixels, &labels, &cores) {
        drop((sums, cores));
        let cracks = Cracks::find(&labels.ids, pixels.width, watch)?;
        return Ok(Painted { labels, cracks, plane: pixels, mixed: Vec::new(), inks: Overlay::default() });
    }
    let (mut view, mut owners) = PaintMap::new((pixels.lent(), residual_sq), labels, (cores, sums), watch)?;
    let [explained, unexplained] = explain_by_two(&view, &mut owners, watch)?;
    attach_tips(&view, &mut owners, &explained);
    let beneath = paints_beneath(&view);
    let inks = strokes(&mut view, (&unexplained, &beneath), &mut owners, (metric, speckle_px), watch)?;
    watch.advance(count)?;
    explain_by_three(&view, &mut owners, (&unexplained, &beneath), watch)?;
    let PaintMap { labels, colors, .. } = view;
    let colors: Vec<[u8; 4]> = colors.into_iter().map(rounded).collect();
    let color = |i: usize| colors[owners[i] as usize];
    let width = pixels.width;
    let given = || {
        let plane = pixels;
        let mut mixed = Vec::new();
        let is_given = |&i: &usize| owners[i] != labels.ids[i];
        for i in inks.pixels.iter().map(|&i| i as usize) {
            match is_given(&i) {
                true => plane.data[i] = color(i),
                // Its own region's: only placing takes it for that paint.
                false => mixed.push((i as u32, color(i))),
            }
        }
        for pixels in [&explained, &unexplained] {
            for i in pixels.iter().map(|&i| i as usize).filter(is_given) {
                let paint = color(i);
                let value = std::mem::replace(&mut plane.data[i], paint);
                if value != paint {
                    mixed.push((i as u32, value));
                }
            }
        }
        (plane, mixed)
    };
    let found = || {
        let cracks = Cracks::find(&owners, width, watch)?;
        Ok((Components::find(&cracks, watch)?, cracks))
    };
    let ((plane, mixed), found) = both(count, given, found);
    let (pieces, cracks) = found?;
    Ok(Painted { labels: pieces.labels(&cracks, owners), cracks, plane, mixed, inks })
}
