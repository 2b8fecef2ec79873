//! Explains mixed pixels along the image's border.

use super::assignment::Assignment;
use super::paint_map::{PaintMap, is_coreless, is_paint};
use crate::color::projection;

/// Gives mixed pixels along the image's border to the paint on the other side of their edge. Where an edge leaves the image at a flat angle, that paint is
/// seen only farther along the border; it gets every pixel of which it covers anything, so that the edge is followed to its end.
pub(crate) fn explain_border(paint_map: &PaintMap<'_>, assignment: &mut Assignment) {
    let (width, height) = paint_map.size();
    if width < 3 || height < 3 {
        return;
    }
    // Of each line of the border, its first pixel, the step along it, the step into the image, and its length.
    let (right, down) = (1, width as isize);
    let last = width * height - 1;
    let lines = [
        (0, right, down, width),
        (0, down, right, height),
        (last, -right, -down, width),
        (last, -down, -right, height),
    ];
    for (first, along, inward, length) in lines {
        let end = first.wrapping_add_signed((length as isize - 1) * along);
        for (first, along) in [(first, along), (end, -along)] {
            let line = (0..length).map(|k| first.wrapping_add_signed(k as isize * along));
            explain_line(paint_map, assignment, line, inward);
        }
    }
}

/// Follows one line of the border, from a paint along the mixed pixels next to it.
fn explain_line(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    line: impl Iterator<Item = usize>,
    inward: isize,
) {
    /// How much of a pixel the outer paint covers, at least.
    ///
    /// Unit: share of a pixel (coverage). Source: what rounding leaves of a share, 5 levels of the least contrast; tuned.
    const BORDER_LEAST_SHARE: f32 = 0.08;
    let mut outer = None;
    for i in line {
        let label = paint_map.labels.ids[i];
        let inner = paint_map.labels.ids[i.wrapping_add_signed(inward)];
        if is_paint(label) {
            outer = Some(label);
        } else if let Some(outer) = outer
            && assignment.is_open(&paint_map.labels, i)
            && is_coreless(label)
            && is_paint(inner)
        {
            let (from, to) = (paint_map.colors[inner as usize], paint_map.colors[outer as usize]);
            let (residual, share) = projection(paint_map.pixels.channels(i), from, to);
            if residual < paint_map.mixture_tolerance_sq && share >= BORDER_LEAST_SHARE {
                assignment.give(i, outer);
            }
        }
    }
}
