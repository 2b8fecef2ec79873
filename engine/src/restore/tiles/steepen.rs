//! Makes the edges of a picture a pixel wide.

use wide::f32x4;

use super::blocks::ROUNDING;
use super::tile::{Tile, around, beside};

/// Makes each pixel a color of its surroundings that does not change, or a mixture of two of them, by the share that an edge through the
/// middle of the transition covers.
pub(super) fn steepen(tile: &mut Tile) {
    let plateaus = plateaus(tile);
    let steep = |i: usize| {
        let here = tile.sharp[plateaus[i]];
        let Some(way) = way_to_other_side(tile, &plateaus, i) else { return here };
        here + way * f32x4::splat(coverage(tile, i, here, way))
    };
    let steep: Vec<_> = tile.active.iter().map(|&i| steep(i)).collect();
    let Tile { active, sharp, .. } = tile;
    active.iter().zip(steep).for_each(|(&i, color)| sharp[i] = color);
}

/// For each pixel, the pixel whose color does not change, on this side of the steepest place of an edge: where one comes to by always going
/// to the neighbor at which colors change least.
fn plateaus(tile: &Tile) -> Vec<usize> {
    let mut steepness = vec![0.0; tile.sharp.len()];
    for &i in &tile.active {
        let [left, right, above, below] = beside(i, tile.side).map(|j| tile.sharp[j]);
        steepness[i] = length_sq(right - left) + length_sq(below - above);
    }
    let mut next: Vec<usize> = (0..tile.sharp.len()).collect();
    for &i in &tile.active {
        if steepness[i] > f32::from(ROUNDING).powi(2) {
            for j in around(i, tile.side) {
                if steepness[j] < steepness[next[i]] {
                    next[i] = j;
                }
            }
        }
    }
    for &i in &tile.active {
        let mut end = i;
        while next[end] != end {
            end = next[end];
        }
        let mut passed = i;
        while passed != end {
            passed = std::mem::replace(&mut next[passed], end);
        }
    }
    next
}

/// From the color of a pixel's plateau to that of a neighbor's plateau: of those unlike it, the one of which the pixel is most nearly a
/// mixture.
fn way_to_other_side(tile: &Tile, plateaus: &[usize], i: usize) -> Option<f32x4> {
    let here = tile.sharp[plateaus[i]];
    let apart = tile.sharp[i] - here;
    let (mut nearest_sq, mut best) = (f32::MAX, None);
    for j in around(i, tile.side) {
        if plateaus[j] == plateaus[i] {
            continue;
        }
        let way = tile.sharp[plateaus[j]] - here;
        if length_sq(way) < f32::from(ROUNDING).powi(2) {
            continue;
        }
        let residual_sq = length_sq(apart - way * f32x4::splat(share(apart, way)));
        if residual_sq < nearest_sq {
            (nearest_sq, best) = (residual_sq, Some(way));
        }
    }
    best
}

/// How much of a pixel lies beyond the edge between two colors.
///
/// The place of the edge follows from the sum of the shares across it, whatever its profile; its direction from their gradient.
fn coverage(tile: &Tile, i: usize, here: f32x4, way: f32x4) -> f32 {
    let share_at = |j: usize| share(tile.sharp[j] - here, way);
    let [left, right, above, below] = beside(i, tile.side).map(share_at);
    let (across, down) = (right - left, below - above);
    let length = (across * across + down * down).sqrt();
    let middle = share_at(i);
    if length == 0.0 {
        return middle;
    }
    let (a, b) = if across.abs() > down.abs() { (left, right) } else { (above, below) };
    let place = middle - 0.5 + (a.max(b).max(middle) + a.min(b).min(middle) - 1.0);
    let (across, down) = (across.abs() / length, down.abs() / length);
    covered(place * across.max(down), across.max(down), across.min(down))
}

/// The share of a pixel on the near side of a line at this distance from its center. `long` and `short` are the parts of the line's unit
/// normal along the axes, the greater first.
fn covered(distance: f32, long: f32, short: f32) -> f32 {
    let (away, corner) = (distance.abs(), 0.5 * (long + short));
    let beyond = match corner - away {
        rest if rest <= 0.0 => 0.0,
        rest if rest < short => 0.5 * rest * rest / (long * short),
        _ => 0.5 - away / long,
    };
    if distance > 0.0 { 1.0 - beyond } else { beyond }
}

fn share(apart: f32x4, way: f32x4) -> f32 {
    ((apart * way).reduce_add() / length_sq(way)).clamp(0.0, 1.0)
}

fn length_sq(color: f32x4) -> f32 {
    (color * color).reduce_add()
}
