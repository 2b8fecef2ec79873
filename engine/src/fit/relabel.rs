//! What lies where once the edges are fitted: a loose fit leaves pixels on its other side, and what is hidden under a shape has
//! to stay under the shape as it is drawn.

use std::ops::Range;

use super::edges::Edges;
use super::{FIT_UNITS, FitStyle, Fitter};
use crate::algorithms::sort;
use crate::api::{ProgressMeter, Stopped};
use crate::geometry::Point;
use crate::outline::{Arc, ArcSamples, NOISE_STAIRCASE_PX, lattice_point};
use crate::raster::Labels;

/// Curves are cut into lines of this length, px.
const RELABEL_STEP_PX: f32 = 1.5;
/// Places within a row are told apart in such parts of a pixel.
const PARTS: f32 = 4096.0;

/// Gives pixels whose middle lies between a boundary's cracks and its fitted curve to the region on the other side. The curve of
/// a boundary whose samples are good lies within its pixels; one that crosses the edges of a third region, so that these would show
/// inside out, is fitted again, closely.
pub(crate) fn relabel(
    labels: &mut Labels,
    width: usize,
    (arcs, samples): (&[Arc], &[ArcSamples]),
    edges: &mut Edges,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let (mut crossings, mut fitter) = (Vec::new(), Fitter::new());
    for (index, (arc, samples)) in arcs.iter().zip(samples).enumerate() {
        if samples.exact || samples.noise_px <= NOISE_STAIRCASE_PX {
            continue;
        }
        let run = [(index as u32, false)];
        between(arc, &edges.run(&run).flattened(RELABEL_STEP_PX), &mut crossings);
        if passes_others(&crossings, (&labels.ids, width), arc) {
            meter.advance(FIT_UNITS * samples.points.len())?;
            edges.fit_closely(index as u32, samples, (&mut fitter, style));
            between(arc, &edges.run(&run).flattened(RELABEL_STEP_PX), &mut crossings);
        }
        let size = (width, labels.ids.len() / width);
        for_each_inside(&crossings, size, &mut |pixels| {
            labels.ids[pixels].iter_mut().for_each(|id| *id = arc.other_side(*id));
        });
    }
    Ok(())
}

/// Whether a pixel between a boundary's cracks and its curve is of a third region: the curve crosses that one's edges.
fn passes_others(crossings: &[u64], (ids, width): (&[u32], usize), arc: &Arc) -> bool {
    let mut passes = false;
    for_each_inside(crossings, (width, ids.len() / width), &mut |pixels| {
        passes |= ids[pixels].iter().any(|&id| id != arc.left && id != arc.right);
    });
    passes
}

/// Where the outline of what lies between an arc and its curve crosses the middle of a row of pixels: row, place in the row, and
/// whether downward, packed in the order of scanning.
#[inline(never)]
fn between(arc: &Arc, curve: &[Point], crossings: &mut Vec<u64>) {
    crossings.clear();
    let corners = arc.corners.iter().map(|&corner| lattice_point(corner));
    let back = curve.iter().rev().copied();
    if arc.closed {
        let first = curve[curve.len() - 1];
        cross_rows(corners, lattice_point(arc.corners[0]), crossings);
        cross_rows(back, first, crossings);
    } else {
        cross_rows(corners.chain(back), lattice_point(arc.corners[0]), crossings);
    }
    sort(crossings, 0);
}

/// The crossings of a polygon that ends where it began, at `first`.
fn cross_rows(points: impl Iterator<Item = Point>, first: Point, crossings: &mut Vec<u64>) {
    let mut from = first;
    for to in points.chain([first]) {
        let (upper, lower) = if from.y < to.y { (from, to) } else { (to, from) };
        let slope = (lower.x - upper.x) / (lower.y - upper.y);
        // None where it is level.
        for row in (upper.y - 0.5).ceil().max(0.0) as u32..(lower.y - 0.5).ceil().max(0.0) as u32 {
            let x = upper.x + slope * (row as f32 + 0.5 - upper.y);
            let place = (x.max(0.0) * PARTS) as u64;
            crossings.push(u64::from(row) << 32 | place << 1 | u64::from(from.y < to.y));
        }
        from = to;
    }
}

/// Calls with the pixels of each row whose middle the outline winds around; it may lead out of the picture.
#[inline(never)]
fn for_each_inside(crossings: &[u64], (width, height): (usize, usize), each: &mut dyn FnMut(Range<usize>)) {
    let column = |crossing: u64| {
        let place = ((crossing & 0xFFFF_FFFF) >> 1) as f32 / PARTS;
        ((place - 0.5).ceil().max(0.0) as usize).min(width)
    };
    let mut winding = 0;
    for pair in crossings.windows(2) {
        winding += if pair[0] & 1 == 1 { 1 } else { -1 };
        let (row, start, end) = ((pair[0] >> 32) as usize, column(pair[0]), column(pair[1]));
        // Of each row the sum is zero at its end.
        if winding != 0 && start < end && row < height {
            each(row * width + start..row * width + end);
        }
    }
}
