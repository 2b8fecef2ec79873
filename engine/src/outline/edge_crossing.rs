//! Where an edge crosses a row or column of pixels. Takes a crack and the paints on both of its sides, gives a [`CrossingSample`].
//!
//! The crossing follows from coverage: the share of a side's paint in each pixel along the row is the part of the pixel that the side
//! covers, so the sum of the shares is the length of the row that lies on that side.

use super::mixture_line::MixtureLine;
use super::pixel_crack::PixelCrack;
use super::planar_map::Arc;
use super::rounded::CrackColors;
use crate::color::{Channels, distance_sq};
use crate::geometry::Point;
use crate::raster::{Labels, Pixels};

/// How many pixels on either side of a crack are read.
///
/// Unit: pixels. Source: a sharp edge at 45° to the grid mixes less than two pixels of a row on a side; one more for soft edges.
const CROSSING_REACH_PX: usize = 3;

/// A pixel counts as pure if the other side's share in it is at most this, and what [`IMPURE_LEVELS`] of noise add.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
pub(super) const IMPURE_SHARE: f32 = 0.05;

/// Noise that a pure pixel may show, which makes an apparent share of this over the contrast.
///
/// Unit: color levels (0–255, Euclidean). Source: tuned; no derivation is known.
const IMPURE_LEVELS: f32 = 6.0;

/// An anti-aliased edge that passes a jog mixes at least this much more of the other side's paint into a pixel beside it than into the next
/// one.
///
/// Unit: share of a pixel (coverage). Source: an edge at 45° halfway between the corners cuts an eighth off the pixels on both sides; all
/// others mix more.
pub(super) const LEAST_MIXTURE: f32 = 0.125;

/// Shortest run of a region's pixels that must have a pure one.
///
/// Unit: pixels. Source: each of its two edges mixes one pixel of the row, and one is left between.
const PURE_PX: usize = 3;

/// Largest believable distance of an edge from its crack.
///
/// Unit: pixels. Source: half a pixel, since a crack separates pixels that are mostly of one paint from those mostly of the other, and a
/// tuned margin for noise.
const FARTHEST_PX: f32 = 0.65;

/// The pixels beside a crack, by index.
struct CrackPlace {
    left: usize,
    right: usize,
    /// From the left pixel to the right one.
    across: isize,
    /// Whether no pixel that is read from here lies beyond the image's border.
    is_inner: bool,
}

/// Where an edge crosses the row or column of one crack.
pub(crate) struct CrossingSample {
    pub point: Point,
    /// How far the two pixels beside the crack are from being pure, 0 to 1.
    pub mixed: f32,
    /// Whether the pixels allow to place the edge here.
    pub is_reliable: bool,
    /// What the two pixels show of anti-aliasing.
    pub colors: CrackColors,
}

/// The image in which edges are placed.
pub(crate) struct EdgeCrossings<'a> {
    pub pixels: &'a Pixels<'a>,
    pub labels: &'a Labels,
}

impl EdgeCrossings<'_> {
    /// Places an edge on the row or column of a crack.
    pub fn locate(&self, crack: &PixelCrack, edge: &EdgePaints<'_>) -> CrossingSample {
        let (nx, ny) = crack.normal;
        let place = self.place_of(crack);
        let most = |start, step| {
            if place.is_inner {
                2 * CROSSING_REACH_PX
            } else {
                self.room(start, step).min(2 * CROSSING_REACH_PX)
            }
        };
        let left = self.run(place.left, -place.across, most(crack.left, (-nx, -ny)), edge.arc.left);
        let right = self.run(place.right, place.across, most(crack.right, (nx, ny)), edge.arc.right);
        let [l, r] = [&left, &right].map(|run| run.values);
        let [[left_near, right_near, left_next, right_next], [left_far, right_far, ..]] =
            [[l[0], r[0], l[1], r[1]], [l[2], r[2], l[2], r[2]]].map(|values| edge.line.shares(values));
        let (in_left, in_right) = ([left_near, left_next, left_far], [right_near, right_next, right_far]);
        let offset = right.weighted_sum(in_right.map(|share| 1.0 - share)) - left.weighted_sum(in_left);
        let point = crack.middle + Point::new(nx as f32, ny as f32) * offset;
        let mixed = 0.5 * (left_near + 1.0 - right_near);
        // If the row does not reach the pure paint of a side, it runs into another edge.
        let pure_share = edge.pure_share;
        let is_reliable = offset.abs() <= FARTHEST_PX
            && left.reaches(in_left, |share| 1.0 - share > pure_share)
            && right.reaches(in_right, |share| share > pure_share);
        let mixture = (left_near - left_next).max(right_next - right_near);
        // A step of less than half is none of two pure pixels, but of shading or blur.
        let is_pure = mixture < LEAST_MIXTURE && right_near - left_near > 0.5;
        let is_pure = (left.length >= PURE_PX && right.length >= PURE_PX).then_some(is_pure);
        let pixels = [place.left, place.right].map(|pixel| pixel as u32);
        let colors = CrackColors { normal: crack.normal, pixels, is_pure };
        CrossingSample { point, mixed, is_reliable, colors }
    }

    /// The pixels of the region `label` from a boundary inward, `most` at most.
    #[inline(never)]
    fn run(&self, first: usize, stride: isize, most: usize, label: u32) -> ColorRun {
        let at = |k: usize| first.wrapping_add_signed(k as isize * stride);
        let length = (0..most).take_while(|&k| self.labels.ids[at(k)] == label).count();
        let thin = length < most;
        let value = |k: usize| if k < length { self.pixels.data[at(k)] } else { [0; 4] };
        ColorRun { values: [value(0), value(1), value(2)], length, thin }
    }

    fn place_of(&self, crack: &PixelCrack) -> CrackPlace {
        const MARGIN_PX: usize = 2 * CROSSING_REACH_PX;
        let is_inside =
            |at: i32, size: usize| (at as usize).wrapping_sub(MARGIN_PX) < size.saturating_sub(2 * MARGIN_PX);
        let ((x, y), left, across) = (crack.left, self.index(crack.left), self.stride(crack.normal));
        let is_inner = is_inside(x, self.pixels.width) && is_inside(y, self.pixels.height);
        CrackPlace { left, right: left.wrapping_add_signed(across), across, is_inner }
    }

    /// The difference between the indices of a pixel and its neighbor.
    fn stride(&self, step: (i32, i32)) -> isize {
        step.1 as isize * self.pixels.width as isize + step.0 as isize
    }

    pub fn index(&self, (x, y): (i32, i32)) -> usize {
        y as usize * self.pixels.width + x as usize
    }

    /// The number of pixels from one to the border, both included.
    fn room(&self, (x, y): (i32, i32), step: (i32, i32)) -> usize {
        match step {
            (1, _) => self.pixels.width - x as usize,
            (-1, _) => x as usize + 1,
            (_, 1) => self.pixels.height - y as usize,
            _ => y as usize + 1,
        }
    }
}

/// Weights of a region's first pixels from a boundary inward, by the distance that belongs to the boundary, in half pixels. In a thin
/// region that is its middle, so that each of its two edges gets its half.
const BOUNDARY_WEIGHTS: [[f32; CROSSING_REACH_PX]; 2 * CROSSING_REACH_PX + 1] = [
    [0.0, 0.0, 0.0],
    [0.5, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 0.5, 0.0],
    [1.0, 1.0, 0.0],
    [1.0, 1.0, 0.5],
    [1.0, 1.0, 1.0],
];

/// The first pixels of a region from a boundary inward. Missing ones are transparent black.
struct ColorRun {
    values: [[u8; 4]; CROSSING_REACH_PX],
    /// How many pixels of the region follow each other, up to twice as many as `values` holds.
    length: usize,
    /// Whether another region, or the border, ends the run.
    thin: bool,
}

impl ColorRun {
    fn weights(&self) -> &'static [f32; CROSSING_REACH_PX] {
        &BOUNDARY_WEIGHTS[if self.thin { self.length } else { 2 * self.length.min(CROSSING_REACH_PX) }]
    }

    /// The sum of the pixels' shares that belongs to the boundary.
    #[inline]
    fn weighted_sum(&self, shares: [f32; CROSSING_REACH_PX]) -> f32 {
        let ([a, b, c], [x, y, z]) = (*self.weights(), shares);
        a * x + b * y + c * z
    }

    /// Whether one of the pixels is pure by its share, or the run is too short to have one.
    fn reaches(&self, shares: [f32; CROSSING_REACH_PX], is_pure: impl Fn(f32) -> bool) -> bool {
        let reached = |(&weight, share): (&f32, f32)| (weight > 0.0) & is_pure(share);
        // Without a branch for each pixel: which one is pure is unpredictable, that one is can be predicted.
        self.length < PURE_PX
            || self.weights().iter().zip(shares).map(reached).fold(false, |any, reached| any | reached)
    }
}

/// How the paints on both sides of an arc mix.
pub(crate) struct EdgePaints<'a> {
    pub arc: &'a Arc,
    /// The distance between the fills of the regions on the left and right.
    pub contrast: f32,
    /// Least share of a side's paint in a pure pixel.
    pure_share: f32,
    line: MixtureLine,
}

impl<'a> EdgePaints<'a> {
    pub fn new(arc: &'a Arc, paints: [Channels; 2]) -> Self {
        let contrast = distance_sq(paints[0], paints[1]).sqrt();
        let pure_share = 1.0 - IMPURE_SHARE - IMPURE_LEVELS / contrast;
        let line = MixtureLine::new(paints[0], paints[1]);
        EdgePaints { arc, contrast, pure_share, line }
    }
}
