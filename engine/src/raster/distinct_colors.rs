//! Selects large regions of distinct colors.

use crate::algorithms::sorted_by_key;
use crate::color::{Channels, is_alike};

/// The largest of the regions `ids` that have distinct colors, at most `most`, largest first.
pub(crate) fn largest_of_distinct_colors(
    ids: Vec<u32>,
    areas: &[u32],
    colors: &[Channels],
    most: usize,
) -> Vec<u32> {
    let color = |id: u32| colors[id as usize];
    let mut largest = Vec::with_capacity(most);
    for id in sorted_by_key(ids.into_iter(), |id| !areas[id as usize]) {
        if largest.len() < most && largest.iter().all(|&other| !is_alike(color(other), color(id))) {
            largest.push(id);
        }
    }
    largest
}
