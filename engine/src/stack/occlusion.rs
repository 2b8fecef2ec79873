//! Which shapes are painted over which, and how far a cover reaches: by the labels, and where these are too coarse, by the fitted edges.

use wide::f32x4;

use super::segment_grid::{FourSegments, RelativeEnds, SegmentGrid, lanes};
use crate::geometry::Point;
use crate::merge::Layers;
use crate::outline::{Arc, OUTSIDE};

/// How far a shape may continue under the shapes above it.
///
/// Unit: pixels. Source: tuned; bounds the time for each point of a hidden edge.
pub(crate) const COVER_REACH_PX: f32 = 12.0;

/// Which shapes cover which.
pub(crate) struct Occlusion<'a> {
    pub layers: &'a Layers,
    pub alpha: &'a [u8],
    /// Painting order of each region, from 1; 0 is not painted.
    pub rank: Vec<u32>,
    pub arcs: &'a [Arc],
    pub grid: SegmentGrid,
}

impl Occlusion<'_> {
    /// Whether a shape is opaque and painted over a region.
    pub fn covers(&self, other: u32, region: u32) -> bool {
        self.rank[other as usize] > self.rank[region as usize] && self.alpha[other as usize] == 255
    }

    /// Whether a point lies in the region itself or below an opaque shape over it. Beyond the image nothing is visible, so that counts too.
    pub fn is_under(&self, region: u32, point: Point) -> bool {
        self.is_label_under(region, self.layers.label_at(point))
    }

    /// [`is_under`](Self::is_under) by the label of the point, `None` beyond the image.
    pub fn is_label_under(&self, region: u32, label: Option<u32>) -> bool {
        label.is_none_or(|id| id == region || self.covers(id, region))
    }

    /// How far outward from a point everything is covered, in whole pixels, up to the first that is not less than `most`.
    pub fn reach(&self, region: u32, at: Point, outward: Point, most: f32) -> f32 {
        let (mut reach, mut last) = (0.0, Some(region));
        while reach < most {
            let label = self.layers.label_at(at + outward * (reach + 1.0));
            // Most steps end in the same shape as the one before.
            if label != last && !self.is_label_under(region, label) {
                break;
            }
            (reach, last) = (reach + 1.0, label);
        }
        reach
    }

    /// Whether an arc is an edge at which a cover ends: between a region or what covers it, and what would be visible.
    #[inline(never)]
    pub fn is_rim(&self, region: u32, arc: u32) -> bool {
        let Arc { left, right, .. } = self.arcs[arc as usize];
        let hides = |id: u32| id == OUTSIDE || id == region || self.covers(id, region);
        hides(left) != hides(right)
    }

    /// Whether an arc limits a hidden edge: a cover ends at it, or, if `or_own`, the region itself does.
    #[inline(never)]
    pub fn is_limit(&self, region: u32, arc: u32, or_own: bool) -> bool {
        let Arc { left, right, .. } = self.arcs[arc as usize];
        or_own && (left == region || right == region) || self.is_rim(region, arc)
    }

    /// How far from a point in a direction the cover of a region ends, in pixels, by the fitted edges. `None` if none is nearer than
    /// `most`.
    #[inline(never)]
    pub fn room(&self, region: u32, at: Point, direction: Point, most: f32) -> Option<f32> {
        let mut ahead = most;
        let mut narrow = |four: &FourSegments| {
            let RelativeEnds { along, aside: [a, b] } = four.relative_to(at, direction);
            let crossed = (a.simd_gt(f32x4::ZERO) ^ b.simd_gt(f32x4::ZERO)).to_bitmask();
            if crossed == 0 {
                return;
            }
            let distances = ((along[0] * b - along[1] * a) / (b - a)).to_array();
            for lane in lanes(crossed) {
                let distance = distances[lane];
                if (0.0..ahead).contains(&distance) && self.is_rim(region, four.arcs[lane]) {
                    ahead = distance;
                }
            }
        };
        self.grid.any_near([at, at + direction * most], &mut |fours| {
            fours.iter().for_each(&mut narrow);
            false
        });
        (ahead < most).then_some(ahead)
    }

    /// How far from a point the image ends in a direction, in pixels.
    pub fn border_along(&self, from: Point, direction: Point) -> f32 {
        let along = |from: f32, direction: f32, size: usize| {
            let border = if direction > 0.0 { size as f32 } else { 0.0 };
            if direction == 0.0 { f32::MAX } else { ((border - from) / direction).max(0.0) }
        };
        let (width, height) = (self.layers.width, self.layers.height);
        along(from.x, direction.x, width).min(along(from.y, direction.y, height))
    }

    /// The nearest point within the image.
    pub fn inside(&self, point: Point) -> Point {
        let (width, height) = (self.layers.width as f32, self.layers.height as f32);
        Point::new(point.x.max(0.0).min(width), point.y.max(0.0).min(height))
    }
}
