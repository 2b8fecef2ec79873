use wide::{f32x4, i32x4};

use super::segment_grid::{FourSegments, RelativeEnds, SegmentGrid, lanes};
use crate::geometry::Point;
use crate::merge::Layers;
use crate::outline::{Arc, OUTSIDE};

/// How far a shape may run on under the shapes above it, px.
pub(crate) const COVER_REACH_PX: f32 = 12.0;
/// Looked for in such steps; in finer ones along pixels, whose sides the labels tell exactly.
const COVER_STEP_PX: f32 = 1.0;
const COVER_FINE_STEP_PX: f32 = 0.5;
/// So many steps at once; [`COVER_REACH_PX`] is a whole number of these.
const COVER_STEPS: usize = 4;
/// A fitted edge that ends what covers another may have crossed that one by so much, px.
const CROSSED_PX: f32 = 2.0;
/// Edges nearer to each other than this are one, px: what was between them has no width.
const SAME_PX: f32 = 0.05;

/// Which shapes lie over which.
pub(crate) struct Occlusion<'a> {
    pub layers: &'a Layers,
    pub alpha: &'a [u8],
    /// Painting order of each region, from 1; 0 is not painted.
    pub rank: Vec<u32>,
    pub arcs: &'a [Arc],
    /// Of fitted edges; of edges along pixels the labels tell all.
    pub grid: Option<SegmentGrid>,
}

impl Occlusion<'_> {
    /// Whether a shape is painted over a region and lets nothing through.
    pub fn covers(&self, other: u32, region: u32) -> bool {
        self.rank[other as usize] > self.rank[region as usize] && self.alpha[other as usize] == 255
    }

    /// Whether a place is covered by the region itself or by what is painted over it; nobody sees what lies beyond the picture.
    pub fn is_under(&self, region: u32, point: Point) -> bool {
        self.is_label_under(region, self.label_at(point))
    }

    pub fn is_label_under(&self, region: u32, label: Option<u32>) -> bool {
        label.is_none_or(|id| id == region || self.covers(id, region))
    }

    pub fn label_at(&self, point: Point) -> Option<u32> {
        let (width, height) = (self.layers.width, self.layers.height);
        let inside = point.x >= 0.0 && point.y >= 0.0 && point.x < width as f32 && point.y < height as f32;
        // Signed numbers of 32 bits are the ones that processors convert to.
        let [x, y] = [point.x, point.y].map(|place| place as i32 as usize);
        inside.then(|| self.layers.labels.ids[y * width + x])
    }

    fn reach_step_px(&self) -> f32 {
        if self.grid.is_some() { COVER_STEP_PX } else { COVER_FINE_STEP_PX }
    }

    /// The labels so many steps on and the next ones, from a place in a direction, where all of them lie in the picture.
    fn labels_along(&self, from: Point, direction: Point, steps: f32) -> [u32; COVER_STEPS] {
        let reach =
            (f32x4::new([0.0, 1.0, 2.0, 3.0]) + f32x4::splat(steps)) * f32x4::splat(self.reach_step_px());
        let along =
            |from: f32, direction: f32| (f32x4::splat(from) + f32x4::splat(direction) * reach).trunc_int();
        let (x, y) = (along(from.x, direction.x), along(from.y, direction.y));
        let places = y * i32x4::splat(self.layers.width as i32) + x;
        places.to_array().map(|place| self.layers.labels.ids[place as u32 as usize])
    }

    /// How far outward from a place nothing shows, up to the border, px.
    pub fn reach(&self, region: u32, at: Point, outward: Point, border: f32) -> f32 {
        let is_open = |reach: f32| self.is_under(region, at + outward * reach);
        let (mut reach, step_px) = (0.0, self.reach_step_px());
        while reach < COVER_REACH_PX.min(border) && is_open(reach + step_px) {
            reach += step_px;
        }
        reach
    }

    /// The same where the border is farther away.
    pub fn reach_within(&self, region: u32, at: Point, outward: Point) -> f32 {
        let (mut steps, mut last, step_px) = (0.0, region, self.reach_step_px());
        while steps * step_px < COVER_REACH_PX {
            for label in self.labels_along(at, outward, steps + 1.0) {
                // Most steps end in the shape of the one before.
                if label != last && !self.is_label_under(region, Some(label)) {
                    return steps * step_px;
                }
                (steps, last) = (steps + 1.0, label);
            }
        }
        COVER_REACH_PX
    }

    /// Whether an arc parts what shows nothing, a region and what covers it, from what would show.
    #[inline(never)]
    pub fn is_rim(&self, region: u32, arc: u32) -> bool {
        let Arc { left, right, .. } = self.arcs[arc as usize];
        let hides = |id: u32| id == OUTSIDE || id == region || self.covers(id, region);
        hides(left) != hides(right)
    }

    /// The same, or where asked for whether it is an edge of the region's own.
    #[inline(never)]
    pub fn is_limit(&self, region: u32, arc: u32, or_own: bool) -> bool {
        let Arc { left, right, .. } = self.arcs[arc as usize];
        or_own && (left == region || right == region) || self.is_rim(region, arc)
    }

    /// How far from a place in a direction the edge lies at which a region and what covers it end, px, if nearer than `most`. Where
    /// there is none it may have crossed the place.
    #[inline(never)]
    pub fn room(&self, region: u32, at: Point, direction: Point, most: f32) -> Option<f32> {
        let (mut ahead, mut behind) = (most, -CROSSED_PX);
        let way = [at + direction * behind, at + direction * most];
        let mut look = |four: &FourSegments| {
            let RelativeEnds { along, aside: [a, b] } = four.seen(at, direction);
            let crossed = (a.simd_gt(f32x4::ZERO) ^ b.simd_gt(f32x4::ZERO)).to_bitmask();
            if crossed == 0 {
                return;
            }
            let distances = ((along[0] * b - along[1] * a) / (b - a)).to_array();
            for lane in lanes(crossed) {
                let (distance, arc) = (distances[lane], four.arcs[lane]);
                if distance <= behind || distance >= ahead || !self.is_rim(region, arc) {
                    continue;
                }
                let Arc { left, right, .. } = self.arcs[arc as usize];
                if distance > -SAME_PX {
                    ahead = distance.max(0.0);
                } else if left != region && right != region {
                    behind = distance;
                }
            }
        };
        self.grid.as_ref()?.any(way, 0.0, &mut |fours| {
            fours.iter().for_each(&mut look);
            false
        });
        if ahead < most { Some(ahead) } else { (behind > -CROSSED_PX).then_some(behind) }
    }

    /// How far from a place the picture ends in a direction, px.
    pub fn border_along(&self, from: Point, direction: Point) -> f32 {
        let along = |from: f32, direction: f32, size: usize| {
            let border = if direction > 0.0 { size as f32 } else { 0.0 };
            if direction == 0.0 { f32::MAX } else { ((border - from) / direction).max(0.0) }
        };
        let (width, height) = (self.layers.width, self.layers.height);
        along(from.x, direction.x, width).min(along(from.y, direction.y, height))
    }

    pub fn inside(&self, point: Point) -> Point {
        let (width, height) = (self.layers.width as f32, self.layers.height as f32);
        Point::new(point.x.max(0.0).min(width), point.y.max(0.0).min(height))
    }
}
