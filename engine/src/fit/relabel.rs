//! Adapts the labels of pixels to the fitted edges: takes layers and edges, gives each pixel to the region whose curves hold most of it.
//! A loose fit leaves pixels on its other side, and what is hidden under a shape has to stay under the shape as it is drawn.

use super::edges::{Edges, SampledArcs};
use crate::geometry::{Curve, Segment};
use crate::merge::Layers;
use crate::outline::{Arc, NOISE_STAIRCASE_PX, OUTSIDE, lattice_point};
use crate::render::{Outline, Sweep};

/// Gives pixels that lie between the cracks of a boundary and its fitted curve to the region on the other side.
///
/// The curve of a boundary with accurate samples lies within its own pixels, and is left out.
pub(crate) fn relabel(layers: &mut Layers, arcs: SampledArcs<'_>, edges: &Edges) {
    let size = (layers.width, layers.height);
    let (mut outline, mut sweep) = (Outline::default(), Sweep::default());
    for (index, (arc, samples)) in (0..).zip(arcs.arcs.iter().zip(arcs.samples)) {
        let regions = [arc.left, arc.right];
        if samples.exact || samples.noise_px <= NOISE_STAIRCASE_PX || regions.contains(&OUTSIDE) {
            continue;
        }
        outline.clear();
        push_strip(arc, &edges.curve(&[(index, false)]), &mut outline);
        sweep.run(&outline, 0, size);
        for covered in sweep.covered.iter().filter(|covered| covered.area.abs() > 0.5) {
            let pixels = covered.pixels.start as usize..covered.pixels.end as usize;
            for id in layers.labels.ids[pixels].iter_mut().filter(|id| regions.contains(id)) {
                *id = regions[usize::from(*id == arc.left)];
            }
        }
    }
}

/// The area between the cracks of an arc and its curve.
fn push_strip(arc: &Arc, curve: &Curve, outline: &mut Outline) {
    let back = arc.corners.iter().rev().map(|&corner| Segment::line(lattice_point(corner)));
    let Curve { start, segments, .. } = curve.clone();
    let back = back.chain((!arc.closed).then_some(Segment::line(start)));
    if arc.closed {
        outline.push(curve, 0);
        let start = lattice_point(arc.corners[0]);
        outline.push(&Curve { start, segments: back.collect(), closed: true }, 0);
    } else {
        outline.push(&Curve { start, segments: segments.into_iter().chain(back).collect(), closed: true }, 0);
    }
}
