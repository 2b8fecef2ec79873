//! Adapts the labels of pixels to the fitted edges: takes layers and edges, gives each pixel to the region
//! whose curves hold its center. A loose fit leaves pixels on its other side, and what is hidden under a
//! shape has to stay under the shape as it is drawn.

use std::ops::Range;

use super::edges::{Edges, SampledArcs};
use super::fitter::{FIT_UNITS, Fitter};
use crate::algorithms::sort;
use crate::api::{ProgressMeter, Stopped};
use crate::geometry::Point;
use crate::merge::Layers;
use crate::outline::{Arc, NOISE_STAIRCASE_PX, lattice_point};

/// The length of the lines that stand for a curve.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const RELABEL_STEP_PX: f32 = 1.5;

/// Positions within a pixel that a crossing's key tells apart.
///
/// Unit: count per pixel. Source: 12 bits, beside 16 for the column and one for the direction, fit into the key's 32.
const SUBPIXELS: f32 = 4096.0;

/// Gives pixels whose center lies between the cracks of a boundary and its fitted curve to the region on the
/// other side.
///
/// The curve of a boundary with accurate samples lies within its own pixels, and is left out. A curve that
/// crosses the edges of a third region, which would then show inside out, is fitted again, closely.
pub(crate) fn relabel(
    layers: &mut Layers,
    arcs: SampledArcs<'_>,
    edges: &mut Edges,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let mut strip = Strip { width: layers.width, height: layers.height, crossings: Vec::new() };
    let (ids, mut fitter) = (&mut layers.labels.ids, Fitter::new());
    for (index, (arc, samples)) in arcs.arcs.iter().zip(arcs.samples).enumerate() {
        if samples.exact || samples.noise_px <= NOISE_STAIRCASE_PX {
            continue;
        }
        let step = [(index as u32, false)];
        strip.find(arc, &edges.curve(&step).flattened(RELABEL_STEP_PX));
        if strip.holds_others(ids, arc) {
            meter.advance(FIT_UNITS * samples.points.len())?;
            edges.fit_closely(index as u32, samples, &mut fitter);
            strip.find(arc, &edges.curve(&step).flattened(RELABEL_STEP_PX));
        }
        strip.for_each_run(&mut |pixels| {
            ids[pixels].iter_mut().for_each(|id| *id = arc.other_side(*id));
        });
    }
    Ok(())
}

/// The area between the cracks of an arc and its curve.
struct Strip {
    /// The size of the image.
    width: usize,
    height: usize,
    /// Where its outline crosses the middle of a row of pixels: the row, the position in the row, and whether
    /// it runs downward, packed into keys in scanning order.
    crossings: Vec<u64>,
}

impl Strip {
    #[inline(never)]
    fn find(&mut self, arc: &Arc, curve: &[Point]) {
        self.crossings.clear();
        let corners = arc.corners.iter().map(|&corner| lattice_point(corner));
        let back = curve.iter().rev().copied();
        if arc.closed {
            let first = curve[curve.len() - 1];
            self.cross_rows(corners, lattice_point(arc.corners[0]));
            self.cross_rows(back, first);
        } else {
            self.cross_rows(corners.chain(back), lattice_point(arc.corners[0]));
        }
        sort(&mut self.crossings, 0);
    }

    /// Adds the crossings of a polygon that starts and ends at `first`.
    fn cross_rows(&mut self, points: impl Iterator<Item = Point>, first: Point) {
        let mut from = first;
        for to in points.chain([first]) {
            let (upper, lower) = if from.y < to.y { (from, to) } else { (to, from) };
            let slope = (lower.x - upper.x) / (lower.y - upper.y);
            // A level line crosses no row, so its slope is not used.
            for row in (upper.y - 0.5).ceil().max(0.0) as u32..(lower.y - 0.5).ceil().max(0.0) as u32 {
                let x = upper.x + slope * (row as f32 + 0.5 - upper.y);
                let position = (x.max(0.0) * SUBPIXELS) as u64;
                self.crossings.push(u64::from(row) << 32 | position << 1 | u64::from(from.y < to.y));
            }
            from = to;
        }
    }

    /// Whether it holds a pixel of a third region, which means that the curve crosses that region's edges.
    fn holds_others(&self, ids: &[u32], arc: &Arc) -> bool {
        let mut holds = false;
        self.for_each_run(&mut |pixels| {
            holds |= ids[pixels].iter().any(|&id| id != arc.left && id != arc.right);
        });
        holds
    }

    /// Calls `each` with the runs of pixels whose centers it holds, clipped to the image.
    #[inline(never)]
    fn for_each_run(&self, each: &mut dyn FnMut(Range<usize>)) {
        let column = |crossing: u64| {
            let position = ((crossing & 0xFFFF_FFFF) >> 1) as f32 / SUBPIXELS;
            ((position - 0.5).ceil().max(0.0) as usize).min(self.width)
        };
        let mut winding = 0;
        for pair in self.crossings.windows(2) {
            winding += if pair[0] & 1 == 1 { 1 } else { -1 };
            let (row, start, end) = ((pair[0] >> 32) as usize, column(pair[0]), column(pair[1]));
            // The winding number is zero at the end of each row.
            if winding != 0 && start < end && row < self.height {
                each(row * self.width + start..row * self.width + end);
            }
        }
    }
}
