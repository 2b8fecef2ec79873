mod paints;
mod straight_lines;
mod strokes;

pub(crate) use straight_lines::Hairline;
pub(crate) use strokes::{DOT_REACH_PX, Overlay, SolvedInkLayer};

use crate::api::{ProgressMeter, Stage, Stopped};
use crate::color::{ColorMetric, PremultipliedColor};
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
    pub mixed: Vec<(u32, PremultipliedColor)>,
    pub overlay: Overlay,
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
    meter: &mut ProgressMeter<'_>,
) -> Result<Painted<'a>, Stopped> {
    let Segments { mut labels, groups, sums } = segment(&pixels, metric, meter)?;
    let count = pixels.data.len();
    meter.begin(Stage::Resolve, 2 * EXPLAIN_PIXEL_UNITS * count)?;
    let cores = cores(&mut labels, &groups, pixels.width, meter)?;
    drop(groups);
    if is_photograph(&pixels, &labels, &cores) {
        drop((sums, cores));
        let cracks = Cracks::find(&labels.ids, pixels.width, meter)?;
        return Ok(Painted { labels, cracks, plane: pixels, mixed: Vec::new(), overlay: Overlay::default() });
    }
    let (mut paint_map, mut assignment) =
        PaintMap::new((pixels.reborrow(), residual_sq), labels, (cores, sums), meter)?;
    let [explained, unexplained] = explain_by_two(&paint_map, &mut assignment, meter)?;
    attach_tips(&paint_map, &mut assignment, &explained);
    let beneath = paints_beneath(&paint_map);
    let overlay =
        strokes(&mut paint_map, (&unexplained, &beneath), &mut assignment, (metric, speckle_px), meter)?;
    meter.advance(count)?;
    explain_by_three(&paint_map, &mut assignment, (&unexplained, &beneath), meter)?;
    let PaintMap { labels, colors, .. } = paint_map;
    let colors: Vec<PremultipliedColor> = colors.into_iter().map(PremultipliedColor::nearest).collect();
    let color = |i: usize| colors[assignment.of(i) as usize];
    let width = pixels.width;
    let given = || {
        let mut plane = pixels;
        let mut mixed = Vec::new();
        let is_given = |&i: &usize| !assignment.is_open(&labels, i);
        for i in overlay.pixels.iter().map(|&i| i as usize) {
            match is_given(&i) {
                true => {
                    plane.replace(i, color(i));
                }
                // Its own region's: only placing takes it for that paint.
                false => mixed.push((i as u32, color(i))),
            }
        }
        for pixels in [&explained, &unexplained] {
            for i in pixels.iter().map(|&i| i as usize).filter(is_given) {
                let paint = color(i);
                let value = plane.replace(i, paint);
                if value != paint {
                    mixed.push((i as u32, value));
                }
            }
        }
        (plane, mixed)
    };
    let found = || {
        let cracks = Cracks::find(assignment.regions(), width, meter)?;
        Ok((Components::find(&cracks, meter)?, cracks))
    };
    let ((plane, mixed), found) = both(count, given, found);
    let (components, cracks) = found?;
    Ok(Painted {
        labels: components.labels(&cracks, assignment.into_regions()),
        cracks,
        plane,
        mixed,
        overlay,
    })
}
