use crate::algorithms::sorted_by_key;
use crate::color::{Channels, distance_sq};

/// The largest by their areas, of different colors.
pub(crate) fn largest_of_distinct_colors(
    ids: Vec<u32>,
    areas: &[u32],
    colors: &[Channels],
    most: usize,
) -> Vec<u32> {
    /// As near as this (Euclidean, 8-bit levels) two colors are one.
    const SAME_COLOR_SQ: f32 = 20.0 * 20.0;
    let color = |id: u32| colors[id as usize];
    let mut largest = Vec::with_capacity(most);
    for id in sorted_by_key(ids.into_iter(), |id| !areas[id as usize]) {
        if largest.len() < most
            && largest.iter().all(|&other| distance_sq(color(other), color(id)) > SAME_COLOR_SQ)
        {
            largest.push(id);
        }
    }
    largest
}
