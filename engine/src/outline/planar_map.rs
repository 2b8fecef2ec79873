//! The planar map of the regions: arcs between junctions, and the loops that they form around regions. Takes labels and cracks.

use super::lattice::{ArcWalker, Junction, Lattice, OUTSIDE};
use crate::api::{ProgressMeter, Stopped};
use crate::raster::{Cracks, Labels, WORD};

/// Cost of a step along a boundary, in the units of [`ProgressMeter`].
pub(super) const STEP_UNITS: usize = 4;

/// A boundary between two regions, from junction to junction, or all around one of them.
///
/// # Guarantees
/// `corners` are lattice points one pixel apart. On a walk along them, `left` lies to the left on the screen: y points down, so on a walk
/// to the right it lies above. If `closed`, the last step leads back to the first point, which is not repeated.
pub(crate) struct Arc {
    pub corners: Vec<(u32, u32)>,
    pub left: u32,
    pub right: u32,
    pub closed: bool,
}

impl Arc {
    /// The first or the last lattice point.
    pub fn corner(&self, at_end: bool) -> (u32, u32) {
        self.corners[if at_end { self.corners.len() - 1 } else { 0 }]
    }

    /// [`corner`](Self::corner) as one number: no side of an image is longer than 16 bits.
    pub fn corner_key(&self, at_end: bool) -> u32 {
        let (x, y) = self.corner(at_end);
        x << 16 | y
    }

    /// The region on the left of a walk along the arc, or along the arc reversed.
    pub fn near_side(&self, reversed: bool) -> u32 {
        if reversed { self.right } else { self.left }
    }

    /// The region on the right of a walk along the arc, or along the arc reversed.
    pub fn far_side(&self, reversed: bool) -> u32 {
        if reversed { self.left } else { self.right }
    }
}

/// A closed walk along arcs around a region, which lies to the left.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    pub region: u32,
    /// For each arc, its index and whether it is walked from its end to its start.
    pub steps: Vec<(u32, bool)>,
    /// Signed area in pixels, positive for the outer loop of a region, negative for a hole.
    pub area_px: i64,
}

/// The boundaries of all regions.
///
/// # Guarantees
/// Every crack between two regions, and every pixel side along the image's border, belongs to exactly one arc. Every side of an arc
/// belongs to exactly one loop, except the outside of the image.
pub(crate) struct PlanarMap {
    pub arcs: Vec<Arc>,
    pub loops: Vec<Loop>,
}

/// Finds the junctions, the arcs between them, and the loops of arcs around the regions.
pub(crate) fn planar_map(
    labels: &Labels,
    cracks: &Cracks,
    meter: &mut ProgressMeter<'_>,
) -> Result<PlanarMap, Stopped> {
    let lattice = Lattice::of(cracks);
    let junctions = lattice.junctions(meter)?;
    let mut walker = ArcWalker::new(&labels.ids, lattice);
    let (arcs, exits) = walk_open_arcs(&mut walker, &junctions, meter)?;
    let loops = chain_loops(&arcs, &exits);
    let mut map = PlanarMap { arcs, loops };
    add_closed_arcs(&mut map, &mut walker, meter)?;
    Ok(map)
}

/// How arcs leave their junctions.
#[derive(Default)]
struct JunctionExits {
    /// For each junction and direction, the arc that leaves there and whether it is walked from its end.
    arcs: Vec<[Option<(u32, bool)>; 4]>,
    /// For each arc, the junction at its start and at its end, and the direction in which it leaves it.
    ends: Vec<[(u32, usize); 2]>,
}

/// The arcs between junctions, each walked once: from the first of its two exits.
fn walk_open_arcs(
    walker: &mut ArcWalker<'_>,
    junctions: &[Junction],
    meter: &mut ProgressMeter<'_>,
) -> Result<(Vec<Arc>, JunctionExits), Stopped> {
    let mut arcs = Vec::new();
    let mut exits = JunctionExits { arcs: vec![[None; 4]; junctions.len()], ends: Vec::new() };
    for (junction, &Junction { x, y, cracks }) in junctions.iter().enumerate() {
        for direction in (0..4).filter(|direction| cracks & (1 << direction) != 0) {
            if exits.arcs[junction][direction].is_some() {
                continue;
            }
            let walk = walker.walk((x, y), direction);
            meter.advance(STEP_UNITS * walk.corners.len())?;
            let Ok(end) = junctions.binary_search_by_key(&(walk.end.1, walk.end.0), |at| (at.y, at.x)) else {
                continue;
            };
            let arrival = (walk.last_direction + 2) % 4;
            let index = arcs.len() as u32;
            exits.arcs[junction][direction] = Some((index, false));
            exits.arcs[end][arrival] = Some((index, true));
            exits.ends.push([(junction as u32, direction), (end as u32, arrival)]);
            arcs.push(Arc { corners: walk.corners, left: walk.left, right: walk.right, closed: false });
        }
    }
    Ok((arcs, exits))
}

/// Adds the boundaries without a junction. Each is a loop for the regions on both of its sides.
fn add_closed_arcs(
    map: &mut PlanarMap,
    walker: &mut ArcWalker<'_>,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let words = walker.lattice.words;
    for word in 0..walker.unwalked.len() {
        // A walk clears the bits of its cracks.
        while walker.unwalked[word] != 0 {
            let x = word % words * WORD + walker.unwalked[word].trailing_zeros() as usize;
            let walk = walker.walk((x as u32, (word / words - 1) as u32), 1);
            meter.advance(STEP_UNITS * walk.corners.len())?;
            let arc = Arc { corners: walk.corners, left: walk.left, right: walk.right, closed: true };
            let index = map.arcs.len() as u32;
            let area_px = closed_area(&arc.corners);
            for (region, reversed, area_px) in [(arc.left, false, area_px), (arc.right, true, -area_px)] {
                if region != OUTSIDE {
                    map.loops.push(Loop { region, steps: vec![(index, reversed)], area_px });
                }
            }
            map.arcs.push(arc);
        }
    }
    Ok(())
}

/// Chains arcs into loops: at each junction, the sharpest left turn that keeps the region on the left.
fn chain_loops(arcs: &[Arc], exits: &JunctionExits) -> Vec<Loop> {
    let mut loops = Vec::new();
    let mut used = vec![[false; 2]; arcs.len()];
    for first in 0..arcs.len() as u32 {
        for first_reversed in [false, true] {
            let region = arcs[first as usize].near_side(first_reversed);
            if used[first as usize][usize::from(first_reversed)] || region == OUTSIDE {
                continue;
            }
            let mut steps = Vec::new();
            let mut area_px = 0;
            let (mut index, mut reversed) = (first, first_reversed);
            while !used[index as usize][usize::from(reversed)] {
                used[index as usize][usize::from(reversed)] = true;
                steps.push((index, reversed));
                let arc = &arcs[index as usize];
                area_px += open_area(&arc.corners) * if reversed { -1 } else { 1 };
                let Some(next) = next_step(arcs, exits, (index, reversed)) else { break };
                (index, reversed) = next;
            }
            loops.push(Loop { region, steps, area_px: area_px / 2 });
        }
    }
    loops
}

/// The step that follows another around the same region.
fn next_step(arcs: &[Arc], exits: &JunctionExits, (index, reversed): (u32, bool)) -> Option<(u32, bool)> {
    let region = arcs[index as usize].near_side(reversed);
    let (junction, back) = exits.ends[index as usize][usize::from(!reversed)];
    // Left turn, straight on, right turn: y points down, so a left turn is one direction back.
    let ways = [1, 2, 3].map(|turn| exits.arcs[junction as usize][(back + turn) % 4]);
    ways.into_iter().flatten().find(|&(next, from_end)| arcs[next as usize].near_side(from_end) == region)
}

/// Twice the signed area that a run of lattice points adds to its loop.
fn open_area(corners: &[(u32, u32)]) -> i64 {
    // The region is on the left and y points down, so outer loops run counterclockwise on the screen.
    corners.windows(2).map(|pair| cross(pair[1], pair[0])).sum()
}

fn closed_area(corners: &[(u32, u32)]) -> i64 {
    (open_area(corners) + cross(corners[0], corners[corners.len() - 1])) / 2
}

fn cross(a: (u32, u32), b: (u32, u32)) -> i64 {
    i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::{Partition, connected_components};

    fn map(rows: &[&str]) -> PlanarMap {
        let values: Vec<u32> = rows.iter().flat_map(|row| row.bytes()).map(u32::from).collect();
        let meter = &mut ProgressMeter::idle();
        let Partition { labels, cracks } = connected_components(&values, rows[0].len(), meter).unwrap();
        planar_map(&labels, &cracks, meter).unwrap()
    }

    fn areas(map: &PlanarMap) -> Vec<(u32, i64)> {
        let mut areas: Vec<_> = map.loops.iter().map(|l| (l.region, l.area_px)).collect();
        areas.sort_unstable();
        areas
    }

    #[test]
    fn an_enclosed_square_is_one_arc_and_a_hole() {
        let map = map(&["aaaa", "abba", "abba", "aaaa"]);
        assert_eq!(map.arcs.len(), 2);
        assert_eq!(areas(&map), [(0, -4), (0, 16), (1, 4)]);
    }

    #[test]
    fn three_regions_meet_in_two_junctions() {
        let map = map(&["aab", "aab", "ccc"]);
        assert_eq!(areas(&map), [(0, 4), (1, 2), (2, 3)]);
    }

    #[test]
    fn a_checkerboard_keeps_its_four_pixels_apart() {
        let map = map(&["ab", "ba"]);
        assert_eq!(areas(&map), [(0, 1), (1, 1), (2, 1), (3, 1)]);
        assert_eq!(map.arcs.len(), 8);
    }

    #[test]
    fn one_region_is_the_border() {
        let map = map(&["aaa", "aaa"]);
        assert_eq!(areas(&map), [(0, 6)]);
    }
}
