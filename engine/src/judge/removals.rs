//! Takes away what is not worth its bytes: slivers, and strokes that nothing shows.

use super::comparison::Comparison;
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{dot, minus};
use crate::geometry::Drawing;
use crate::svg::bytes_of;

/// Takes away the paths whose absence adds less error than their bytes are worth, at `price` a byte. Returns for each shape whether it stays.
///
/// Of a path that covers a visible pixel fully, it is not known what is below; it stays. That may be a pixel that comes into view as another path
/// is taken away.
pub(crate) fn remove_needless(
    drawing: &Drawing,
    now: &mut Comparison<'_>,
    price: f32,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<bool>, Stopped> {
    let canvas = &now.canvas;
    // Paths, and the places of edge pixels in which they can be seen.
    let mut seen: Vec<(u32, u32)> = Vec::new();
    for ((_, visible), place) in now.at_edges().zip(0..) {
        let paths = visible.iter().map(|fragment| canvas.path_of(fragment.number));
        seen.extend(paths.filter(|&path| !now.is_whole[path as usize]).map(|path| (path, place)));
    }
    meter.advance(seen.len())?;
    // From the top, so that of two that cover the same, one stays.
    let from_top = sorted_by_key(0..seen.len() as u32, |k| u32::MAX - seen[k as usize].0);
    // Where the shapes of each path end; path 0 has none.
    let mut ends = vec![0];
    for path in drawing.paths() {
        ends.push(ends[ends.len() - 1] + path.len());
    }
    let mut is_kept = vec![true; drawing.shapes.len()];
    let mut is_removed = vec![false; canvas.path_count()];
    let mut next = 0;
    while next < from_top.len() {
        let first = next;
        let path = seen[from_top[first] as usize].0;
        // The error that its absence adds; `None` if it is not known what is below.
        let mut added = (!now.is_whole[path as usize]).then_some(0.0);
        while let Some(&(of, place)) =
            from_top.get(next).map(|&k| &seen[k as usize]).filter(|seen| seen.0 == path)
        {
            next += 1;
            let Some(sum) = added else { continue };
            let pixel = now.edge_pixels[place as usize].pixel as usize;
            let mut error = |is_absent: bool| {
                is_removed[of as usize] = is_absent;
                let lacking = minus(now.pixels.channels(pixel), canvas.color_without(pixel, &is_removed)?);
                Some(dot(lacking, lacking))
            };
            added = error(true).zip(error(false)).map(|(without, with)| sum + (without - with));
        }
        let shapes = ends[path as usize - 1]..ends[path as usize];
        let (mut data, mut element) = (0, 0);
        for shape in &drawing.shapes[shapes.clone()] {
            let bytes = bytes_of(shape, &drawing.gradients);
            (data, element) = (data + bytes.data, bytes.element);
        }
        let bytes = data + element;
        if added.is_some_and(|added| added < price * bytes as f32) {
            is_removed[path as usize] = true;
            is_kept[shapes].fill(false);
            for &k in &from_top[first..next] {
                let pixel = now.edge_pixels[seen[k as usize].1 as usize].pixel as usize;
                now.is_whole[canvas.path_below(pixel)] = true;
            }
        }
    }
    for &(_, place) in seen.iter().filter(|(path, _)| is_removed[*path as usize]) {
        now.remove(place as usize, &is_removed);
    }
    now.is_absent = is_removed;
    Ok(is_kept)
}
