use super::assignment::Assignment;
use super::paint_map::{PaintMap, is_coreless, is_paint};
use crate::color::{distance_sq, projection};

/// Gives the mixed pixels along the picture's border, where an edge runs so flat that the paint beyond it is seen only farther
/// along: to that paint, for the edge goes on until nothing of it is left.
pub(crate) fn explain_border(paint_map: &PaintMap<'_>, assignment: &mut Assignment) {
    let (width, height) = paint_map.size();
    if width < 3 || height < 3 {
        return;
    }
    // The first pixel of a line, the way along it, and the way into the picture.
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

/// Follows one line of the border.
fn explain_line(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    line: impl Iterator<Item = usize>,
    inward: isize,
) {
    /// Nothing of less contrast is taken for an edge (Euclidean, 8-bit levels).
    const BORDER_LEAST_CONTRAST_SQ: f32 = 60.0 * 60.0;
    /// What rounding leaves of a share.
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
            if residual < paint_map.residual_sq
                && distance_sq(from, to) >= BORDER_LEAST_CONTRAST_SQ
                && share >= BORDER_LEAST_SHARE
            {
                assignment.give(i, outer);
            }
        }
    }
}
