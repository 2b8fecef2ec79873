//! Selects large regions of distinct colors.

use crate::algorithms::sorted_by_key;
use crate::color::{Channels, distance_sq};

/// Distance up to which two colors count as one here.
///
/// Unit: color levels², Euclidean. Source: tuned; no derivation is known.
const DISTINCT_SQ: f32 = 20.0 * 20.0;

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
        if largest.len() < most
            && largest.iter().all(|&other| distance_sq(color(other), color(id)) > DISTINCT_SQ)
        {
            largest.push(id);
        }
    }
    largest
}
