//! Solves four samples in each pixel near an edge, such that they give back the coverage of the pixels. Works on four pixels at once.

use crate::algorithms::F32_LANES;
use wide::f32x4;

use crate::api::{ProgressMeter, Stopped};

/// The samples at the quarter points of a pixel: top left, top right, bottom left, bottom right.
pub(crate) type QuarterSamples = [f32; 4];

/// Rounds of correction.
///
/// Unit: count. Source: the error falls by about two thirds in each, so four leave about a hundredth.
const SUPERSAMPLE_ROUNDS: usize = 4;

/// Steepness of the soft step. The solver works on samples multiplied by it, which is exact, because it is a power of two.
///
/// Unit: per unit of coverage. Source: across a sharp edge, interpolated coverage then goes from bare to covered within half a pixel.
const STEEPNESS: f32 = 2.0;

/// Weight of its own column, and of its own row, at a quarter point; the next column or row has the rest.
///
/// Unit: share (ratio). Source: bilinear interpolation.
const OWN_WEIGHT: f32 = 0.75;

/// The work for a pixel in a round, in the units of [`ProgressMeter`].
const SUPERSAMPLE_PIXEL_UNITS: usize = 2;

/// Entries beyond the last pixel that are written and read together with it.
pub(crate) const SUPERSAMPLE_MARGIN: usize = F32_LANES + 1;

/// Solves the samples of the pixels `near`, given in row order. They begin as interpolated coverage. With a `plane`, they are corrected in
/// [`SUPERSAMPLE_ROUNDS`] rounds by what their pixel lacks.
///
/// `plane` is a buffer of zeros, one for each pixel and [`SUPERSAMPLE_MARGIN`] more. Afterwards it is undefined for the pixels near, and still
/// zero for the others.
pub(crate) fn supersample(
    coverage: &[u8],
    width: usize,
    near: &[u32],
    plane: Option<&mut [f32]>,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<QuarterSamples>, Stopped> {
    meter.advance(SUPERSAMPLE_PIXEL_UNITS * near.len())?;
    let mut solver = Solver::new(coverage, width, near);
    if let Some(plane) = plane {
        for _ in 0..SUPERSAMPLE_ROUNDS {
            meter.advance(SUPERSAMPLE_PIXEL_UNITS * near.len())?;
            solver.correct(plane);
        }
    }
    Ok(solver.samples(near.len()))
}

/// Up to four pixels next to each other in a row, one in each lane.
struct PixelLanes {
    place: LaneGroup,
    /// The coverage of each pixel.
    share: f32x4,
    /// 1 for a pixel, 0 for a lane that is not used.
    solved: f32x4,
    samples: [f32x4; 4],
}

/// Which pixels a group of lanes holds.
#[derive(Clone, Copy)]
struct LaneGroup {
    first: usize,
    count: usize,
    /// Whether none of them touches the border of the image.
    inner: bool,
}

struct Solver {
    width: usize,
    height: usize,
    groups: Vec<PixelLanes>,
}

impl Solver {
    fn new(coverage: &[u8], width: usize, near: &[u32]) -> Self {
        let mut solver = Solver { width, height: coverage.len() / width, groups: Vec::new() };
        solver.groups.reserve(near.len() / 2);
        let mut rows = ShareRows::new(coverage, width);
        let mut row_end = 0;
        let mut rest = near;
        while let Some(&first) = rest.first() {
            let first = first as usize;
            if first >= row_end {
                rows.turn_to(first / width);
                row_end = (rows.y + 1) * width;
            }
            let most = rest.len().min(F32_LANES).min(row_end - first);
            let count = (1..most).find(|&k| rest[k] as usize != first + k).unwrap_or(most);
            rest = &rest[count..];
            let place = LaneGroup { first, count, inner: solver.is_inner(row_end, first, count) };
            let around = rows.around(first + width - row_end);
            let solved = std::array::from_fn(|lane| f32::from(u8::from(lane < count)));
            solver.groups.push(PixelLanes {
                place,
                share: around[1][1],
                solved: f32x4::new(solved),
                samples: interpolated(&around),
            });
        }
        solver
    }

    /// One round: what each pixel lacks is interpolated like coverage, and added to the samples.
    fn correct(&mut self, plane: &mut [f32]) {
        for group in &self.groups {
            // The bits of zero are zero, those of minus zero are not; their sum is zero.
            let lacking = (group.share - covered(&group.samples)) * group.solved + f32x4::ZERO;
            // Unused lanes write zeros, over zeros or over pixels whose values follow.
            if let Some(out) = plane[group.place.first..].first_chunk_mut() {
                *out = lacking.to_array();
            }
        }
        for index in 0..self.groups.len() {
            let changes = interpolated(&self.around(self.groups[index].place, plane));
            for (sample, change) in self.groups[index].samples.iter_mut().zip(changes) {
                *sample += change;
            }
        }
    }

    fn is_inner(&self, row_end: usize, first: usize, count: usize) -> bool {
        let rows = self.width < row_end && row_end < self.width * self.height;
        rows && first + self.width > row_end && first + count < row_end
    }

    /// The values around the pixels of a group. A pixel at the border of the image is its own neighbor beyond it.
    fn around(&self, place: LaneGroup, plane: &[f32]) -> LaneNeighborhood {
        let (first, width) = (place.first, self.width);
        let row = |start: usize| plane.get(start..).and_then(|row| row.first_chunk());
        if place.inner
            && let (Some(above), Some(here), Some(below)) =
                (row(first - width - 1), row(first - 1), row(first + width - 1))
        {
            return [above, here, below].map(to_lanes);
        }
        let (x, y) = (first % width, first / width);
        [y.saturating_sub(1), y, (y + 1).min(self.height - 1)].map(|y| {
            to_lanes(&std::array::from_fn(|k| plane[y * width + (x + k).saturating_sub(1).min(width - 1)]))
        })
    }

    /// The samples of all pixels, in their order.
    fn samples(&self, count: usize) -> Vec<QuarterSamples> {
        let mut samples = Vec::with_capacity(count + F32_LANES);
        for group in &self.groups {
            let four = group.samples.map(|sample| sample * f32x4::splat(1.0 / STEEPNESS));
            let pixels = f32x4::transpose(four).map(f32x4::to_array);
            // Always four, which are copied without a call; the superfluous ones are dropped.
            let length = samples.len() + group.place.count;
            samples.extend_from_slice(&pixels);
            samples.truncate(length);
        }
        samples
    }
}

/// The coverage of a row, of the one above and of the one below, 0 to 1. Each row has its first and its last pixel once more at its ends.
struct ShareRows<'a> {
    coverage: &'a [u8],
    width: usize,
    y: usize,
    shares: [Vec<f32>; 3],
}

impl<'a> ShareRows<'a> {
    fn new(coverage: &'a [u8], width: usize) -> Self {
        let shares = std::array::from_fn(|_| vec![0.0; width + 2 * F32_LANES]);
        ShareRows { coverage, width, y: usize::MAX - 1, shares }
    }

    /// Moves to row `y`.
    fn turn_to(&mut self, y: usize) {
        let last = self.coverage.len() / self.width - 1;
        if y == self.y + 1 {
            self.shares.rotate_left(1);
        } else {
            self.read(0, y.saturating_sub(1));
            self.read(1, y);
        }
        self.read(2, (y + 1).min(last));
        self.y = y;
    }

    fn read(&mut self, place: usize, y: usize) {
        let row = &self.coverage[y * self.width..(y + 1) * self.width];
        let (shares, rest) = self.shares[place][1..].split_at_mut(self.width);
        let ((shares_of_four, last), (fours, last_covered)) = (shares.as_chunks_mut(), row.as_chunks());
        for (shares, four) in shares_of_four.iter_mut().zip(fours) {
            *shares = (f32x4::new(four.map(f32::from)) / f32x4::splat(255.0)).to_array();
        }
        for (share, &covered) in last.iter_mut().zip(last_covered) {
            *share = f32::from(covered) / 255.0;
        }
        rest.fill(shares[self.width - 1]);
        self.shares[place][0] = self.shares[place][1];
    }

    /// The values around the four pixels of the row from column `x` on.
    fn around(&self, x: usize) -> LaneNeighborhood {
        self.shares.each_ref().map(|row| match row[x..].first_chunk() {
            Some(six) => to_lanes(six),
            None => [f32x4::ZERO; 3],
        })
    }
}

/// In three rows, the values of the pixels to the left of four pixels, of themselves, and of those to their right.
type LaneNeighborhood = [[f32x4; 3]; 3];

/// Four pixels of a row, and one more at either end.
type LaneWindow = [f32; F32_LANES + 2];

/// The left neighbors, the pixels and the right neighbors, as lanes.
fn to_lanes(six: &LaneWindow) -> [f32x4; 3] {
    let fours = six.array_windows::<F32_LANES>().map(|&four| f32x4::new(four));
    let mut threes = [f32x4::ZERO; 3];
    threes.iter_mut().zip(fours).for_each(|(place, four)| *place = four);
    threes
}

/// Interpolates the values at the quarter points of four pixels, multiplied by [`STEEPNESS`].
fn interpolated([above, here, below]: &LaneNeighborhood) -> [f32x4; 4] {
    let (near, far) = (OWN_WEIGHT, 1.0 - OWN_WEIGHT);
    let [own, beside, diagonal] =
        [near * near, near * far, far * far].map(|weight| f32x4::splat(STEEPNESS * weight));
    let middle = here[1] * own;
    let corner = |side: f32x4, over: f32x4, far: f32x4| middle + (side + over) * beside + far * diagonal;
    [
        corner(here[0], above[1], above[0]),
        corner(here[2], above[1], above[2]),
        corner(here[0], below[1], below[0]),
        corner(here[2], below[1], below[2]),
    ]
}

/// How much of four pixels their samples cover, by a soft step at one half.
fn covered(samples: &[f32x4; 4]) -> f32x4 {
    let bare = f32x4::splat(0.5 * STEEPNESS - 0.5);
    let [a, b, c, d] = samples.map(|sample| (sample - bare).fast_max(f32x4::ZERO).fast_min(f32x4::ONE));
    (a + b + c + d) * f32x4::splat(0.25)
}
