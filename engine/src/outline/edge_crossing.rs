//! Where an edge crosses the rows and columns of pixels, told by how much of each pixel along them it covers.

use super::bleed_through::{BleedThrough, MixtureLine, MixtureResidual};
use super::planar_map::Arc;
use crate::color::{Channels, distance_sq};
use crate::geometry::Point;
use crate::raster::{Labels, Pixels, column_and_row};

/// How far a boundary looks into the region on either side, in pixels: a sharp edge, at 45° to the grid, is a mixture
/// over less than two.
const CROSSING_REACH_PX: usize = 3;

/// A crack across the slope of its edge is left out when coverage changes this much faster along it than across it.
const OBLIQUE: f32 = 1.7;

/// A side's pure paint is reached where less than this part is the other's, and what noise of so many levels makes of it.
const IMPURE: f32 = 0.05;
const IMPURE_LEVELS: f32 = 6.0;
/// Of so many pixels across a shape one is pure.
const PURE_PX: usize = 3;
/// A crack parts pixels that are mostly the one from those that are mostly the other paint: the edge is near to it.
const FARTHEST_PX: f32 = 0.65;

/// One crack between a pixel of the left region and one of the right.
pub(crate) struct PixelCrack {
    pub middle: Point,
    /// From left to right.
    normal: (i32, i32),
    pub left: (i32, i32),
    pub right: (i32, i32),
}

impl PixelCrack {
    pub fn all(arc: &Arc) -> impl Iterator<Item = PixelCrack> {
        let corners = &arc.corners;
        let onward = corners[1..].iter().chain(arc.closed.then_some(&corners[0]));
        corners.iter().zip(onward).map(|(&from, &to)| PixelCrack::new(from, to))
    }

    pub fn new(from: (u32, u32), to: (u32, u32)) -> Self {
        let (x, y) = (from.0 as i32, from.1 as i32);
        let (dx, dy) = (to.0 as i32 - x, to.1 as i32 - y);
        // Without asking which way it goes, which cannot be foretold: the left pixel is the one above where the way is to the right or
        // up, and the one on the left of its first corner where it is to the left or up.
        let left = (x - i32::from(dx + dy < 0), y - i32::from(dx > dy));
        let normal = (-dy, dx);
        let middle = Point::new(x as f32 + dx as f32 * 0.5, y as f32 + dy as f32 * 0.5);
        PixelCrack { middle, normal, left, right: (left.0 + normal.0, left.1 + normal.1) }
    }
}

/// Where a crack lies among the pixels.
struct CrackPlace {
    /// The indices of the pixels beside it, and what leads from the left one to the right one.
    left: usize,
    right: usize,
    across: isize,
    /// Whether nobody who looks from here meets the border.
    is_inner: bool,
}

/// What one crack tells.
pub(crate) struct CrossingSample {
    pub point: Point,
    /// How far the two pixels beside the crack are from being pure, 0 to 1.
    pub mixed: f32,
    pub believed: bool,
}

/// The picture in which edges are looked for.
pub(crate) struct EdgeCrossings<'a> {
    pub pixels: &'a Pixels<'a>,
    pub labels: &'a Labels,
}

impl EdgeCrossings<'_> {
    /// Where an edge crosses the row of a crack. Tells `off` how the pixels beside the crack are off the line between the edge's paints.
    pub fn locate(
        &self,
        crack: &PixelCrack,
        edge: &EdgePaints<'_>,
        off: Option<&mut MixtureResidual>,
    ) -> CrossingSample {
        let (nx, ny) = crack.normal;
        let spot = self.spot(crack);
        let most = |start, step| {
            if spot.is_inner {
                2 * CROSSING_REACH_PX
            } else {
                self.room(start, step).min(2 * CROSSING_REACH_PX)
            }
        };
        let left = self.run((spot.left, -spot.across), (most(crack.left, (-nx, -ny)), edge.arc.left));
        let right = self.run((spot.right, spot.across), (most(crack.right, (nx, ny)), edge.arc.right));
        let [a, b] = edge.paints;
        let own_line =
            edge.line_of([self.inner_paint(&left, [a, b], edge), self.inner_paint(&right, [b, a], edge)]);
        let line = own_line.as_ref().unwrap_or(&edge.line);
        let [l, r] = [&left, &right].map(|run| run.values);
        let [[left_near, right_near, left_next, right_next], [left_far, right_far, ..]] =
            [[l[0], r[0], l[1], r[1]], [l[2], r[2], l[2], r[2]]].map(|values| line.shares(values));
        if let Some(off) = off {
            let near = [l[0], r[0]];
            let shares =
                if own_line.is_none() { [left_near, right_near] } else { edge.line.shares_of_two(near) };
            off.add(&edge.line, near, shares);
        }
        let (in_left, in_right) = ([left_near, left_next, left_far], [right_near, right_next, right_far]);
        let offset = right.weighed(in_right.map(|share| 1.0 - share)) - left.weighed(in_left);
        let point = crack.middle + Point::new(nx as f32, ny as f32) * offset;
        let mixed = 0.5 * (left_near + 1.0 - right_near);
        // Where the pure paint of a side is not reached along the row, the row runs into another edge.
        let pure_share = edge.pure_share;
        let believed = offset.abs() <= FARTHEST_PX
            && self.reaches(&left, in_left, |share| 1.0 - share > pure_share)
            && self.reaches(&right, in_right, |share| share > pure_share)
            && !self.is_oblique((crack, &spot), [left_near, right_near], line);
        CrossingSample { point, mixed, believed }
    }

    /// The colors of a region's pixels from a boundary inward, and how much of each belongs to this boundary: a thin
    /// region's middle parts it between the boundaries on its two sides.
    #[inline(never)]
    fn run(&self, (first, stride): (usize, isize), (most, label): (usize, u32)) -> ColorRun {
        let at = |k: usize| first.wrapping_add_signed(k as isize * stride);
        let length = (0..most).take_while(|&k| self.labels.ids[at(k)] == label).count();
        let thin = length < most;
        let value = |k: usize| if k < length { self.pixels.data[at(k)] } else { [0; 4] };
        ColorRun { values: [value(0), value(1), value(2)], length, thin, first, stride }
    }

    fn spot(&self, crack: &PixelCrack) -> CrackPlace {
        const MARGIN_PX: usize = 2 * CROSSING_REACH_PX;
        let is_inside =
            |at: i32, size: usize| (at as usize).wrapping_sub(MARGIN_PX) < size.saturating_sub(2 * MARGIN_PX);
        let ((x, y), left, across) = (crack.left, self.index(crack.left), self.stride(crack.normal));
        let is_inner = is_inside(x, self.pixels.width) && is_inside(y, self.pixels.height);
        CrackPlace { left, right: left.wrapping_add_signed(across), across, is_inner }
    }

    /// Whether one of a run's colors is pure by its share, if any can be.
    fn reaches(
        &self,
        run: &ColorRun,
        shares: [f32; CROSSING_REACH_PX],
        is_pure: impl Fn(f32) -> bool,
    ) -> bool {
        let reached = |(&weight, share): (&f32, f32)| (weight > 0.0) & is_pure(share);
        // Which of them it is cannot be foretold, that there is one can.
        run.length < PURE_PX
            || run.weights().iter().zip(shares).map(reached).fold(false, |any, reached| any | reached)
            || self.breadth(run) == RunBreadth::Narrow
    }

    /// What lies beside the last of a run's pixels that may be pure.
    fn breadth(&self, run: &ColorRun) -> RunBreadth {
        let width = self.pixels.width;
        let at = run.first.wrapping_add_signed((PURE_PX as isize - 1) * run.stride);
        let (x, y) = column_and_row(at as u32, width as u32);
        let (x, y) = (x as i32, y as i32);
        let across = if run.stride.unsigned_abs() == width { (1, 0) } else { (0, 1) };
        let label = self.label((x, y));
        let same = |k: i32| self.label((x + k * across.0, y + k * across.1)) == label;
        match (same(-1), same(1)) {
            (true, true) => RunBreadth::Enclosed,
            (true, false) if same(-2) => RunBreadth::Cut,
            (false, true) if same(2) => RunBreadth::Cut,
            _ => RunBreadth::Narrow,
        }
    }

    /// The pure color on one side, where it is not the region's own: where the region is not flat, the one found farthest inside, unless
    /// another edge passes there and mixes it.
    fn inner_paint(
        &self,
        run: &ColorRun,
        [own, far]: [Channels; 2],
        edge: &EdgePaints<'_>,
    ) -> Option<Channels> {
        const FLAT_SHARE: f32 = 0.15;
        if run.thin || run.length < CROSSING_REACH_PX {
            return None;
        }
        let innermost = run.values[CROSSING_REACH_PX - 1].map(f32::from);
        let differs = distance_sq(innermost, own) > FLAT_SHARE * FLAT_SHARE * edge.contrast_sq;
        let unmixed =
            || self.breadth(run) != RunBreadth::Cut || distance_sq(innermost, far) > edge.contrast_sq;
        (differs && unmixed()).then_some(innermost)
    }

    /// `here` has the shares of the two pixels beside the crack.
    fn is_oblique(
        &self,
        (crack, spot): (&PixelCrack, &CrackPlace),
        here: [f32; 2],
        line: &MixtureLine,
    ) -> bool {
        // Along the crack, one pixel each way; beyond the border a pixel has itself for a neighbor.
        let along = (crack.normal.1, -crack.normal.0);
        let stride = self.stride(along);
        let stride_to = |step| if spot.is_inner || self.room(crack.left, step) > 1 { stride } else { 0 };
        let (before, after) = (-stride_to((-along.0, -along.1)), stride_to(along));
        let (left, right) = (spot.left, spot.right);
        let value = |at: usize, stride: isize| self.pixels.data[at.wrapping_add_signed(stride)];
        let around = [value(left, before), value(right, before), value(left, after), value(right, after)];
        let [left_before, right_before, left_after, right_after] = line.shares(around);
        let across = (right_before - left_before + here[1] - here[0] + right_after - left_after) / 3.0;
        let along = (left_after + right_after - left_before - right_before) / 4.0;
        along.abs() > OBLIQUE * across.abs()
    }

    /// From a pixel to the next, by their indices.
    fn stride(&self, step: (i32, i32)) -> isize {
        step.1 as isize * self.pixels.width as isize + step.0 as isize
    }

    pub fn index(&self, (x, y): (i32, i32)) -> usize {
        y as usize * self.pixels.width + x as usize
    }

    /// How many pixels there are from one to the border, itself among them.
    fn room(&self, (x, y): (i32, i32), step: (i32, i32)) -> usize {
        match step {
            (1, _) => self.pixels.width - x as usize,
            (-1, _) => x as usize + 1,
            (_, 1) => self.pixels.height - y as usize,
            _ => y as usize + 1,
        }
    }

    fn label(&self, (x, y): (i32, i32)) -> Option<u32> {
        let inside =
            x >= 0 && y >= 0 && (x as usize) < self.pixels.width && (y as usize) < self.pixels.height;
        inside.then(|| self.labels.ids[y as usize * self.pixels.width + x as usize])
    }

    pub fn pixel(&self, at: (i32, i32)) -> [u8; 4] {
        self.pixels.data[self.index(at)]
    }
}

/// How much of each of a region's pixels from a boundary inward belongs to that, by how far that reaches, in half pixels: in a thin
/// region to its middle.
const BOUNDARY_WEIGHTS: [[f32; CROSSING_REACH_PX]; 2 * CROSSING_REACH_PX + 1] = [
    [0.0, 0.0, 0.0],
    [0.5, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 0.5, 0.0],
    [1.0, 1.0, 0.0],
    [1.0, 1.0, 0.5],
    [1.0, 1.0, 1.0],
];

/// The first of a region's pixels from a boundary inward; none is black and transparent.
struct ColorRun {
    values: [[u8; 4]; CROSSING_REACH_PX],
    /// How many there are, of twice as many.
    length: usize,
    /// Whether something else follows on these.
    thin: bool,
    /// The index of the first, and what leads from one to the next.
    first: usize,
    stride: isize,
}

impl ColorRun {
    fn weights(&self) -> &'static [f32; CROSSING_REACH_PX] {
        &BOUNDARY_WEIGHTS[if self.thin { self.length } else { 2 * self.length.min(CROSSING_REACH_PX) }]
    }

    /// How much of what the pixels have shares of belongs to the boundary.
    fn weighed(&self, shares: [f32; CROSSING_REACH_PX]) -> f32 {
        let ([a, b, c], [x, y, z]) = (*self.weights(), shares);
        a * x + b * y + c * z
    }
}

/// What all cracks of an arc have in common.
pub(crate) struct EdgePaints<'a> {
    pub arc: &'a Arc,
    /// The colors of the regions on its left and right, and how far they are apart.
    pub paints: [Channels; 2],
    pub contrast: f32,
    contrast_sq: f32,
    /// With more than this share a pixel is of a side's pure paint.
    pure_share: f32,
    bleed: Option<(&'a BleedThrough, bool)>,
    line: MixtureLine,
}

impl<'a> EdgePaints<'a> {
    /// Of an arc, with the paints on its left and right.
    pub fn new(arc: &'a Arc, paints: [Channels; 2]) -> Self {
        let contrast_sq = distance_sq(paints[0], paints[1]);
        let contrast = contrast_sq.sqrt();
        let pure_share = 1.0 - IMPURE - IMPURE_LEVELS / contrast;
        let line = MixtureLine::new(paints[0], paints[1]);
        EdgePaints { arc, paints, contrast, contrast_sq, pure_share, bleed: None, line }
    }

    /// The same, with a color that bleeds through.
    pub fn with(&self, bleed: &'a BleedThrough, second_on_top: bool) -> Self {
        let bleed = Some((bleed, second_on_top));
        let [a, b] = self.paints;
        EdgePaints { bleed, line: line(bleed, a, b), ..*self }
    }

    /// The mixtures where a side, or both, has a paint of its own.
    fn line_of(&self, inner: [Option<Channels>; 2]) -> Option<MixtureLine> {
        let [a, b] = self.paints;
        match inner {
            [None, None] => None,
            [left, right] => Some(line(self.bleed, left.unwrap_or(a), right.unwrap_or(b))),
        }
    }
}

fn line(bleed: Option<(&BleedThrough, bool)>, a: Channels, b: Channels) -> MixtureLine {
    match bleed {
        Some((bleed, second_on_top)) => MixtureLine::with(bleed, second_on_top, a, b),
        None => MixtureLine::new(a, b),
    }
}

/// What lies beside a pixel of a run.
#[derive(Clone, Copy, PartialEq)]
enum RunBreadth {
    /// Its own region on both sides.
    Enclosed,
    /// Its region is so narrow there that no pixel of it is pure.
    Narrow,
    /// Another edge on one side.
    Cut,
}
