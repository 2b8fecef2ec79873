//! Coverage at four points of each pixel near an edge, such that the pixels come out as they are: four pixels at a time.
use wide::f32x4;

/// The values at a pixel's quarter points: top left, top right, bottom left, bottom right.
pub(crate) type Quarters = [f32; 4];

/// Rounds of correction; the error falls by about two thirds in each.
const ROUNDS: usize = 4;

/// Steepness of the soft step: from nothing to all over half a pixel, across a sharp edge's interpolated coverage.
const STEEPNESS: f32 = 2.0;

/// Bilinear weights at a quarter point: of its own pixel, of each of the two beside it, of the diagonal one.
const OWN: f32 = 0.5625;
const BESIDE: f32 = 0.1875;
const DIAGONAL: f32 = 0.0625;

/// Four pixels beside each other.
const LANES: usize = 4;

/// So many entries beyond the last pixel are written and read with it.
pub(crate) const MARGIN: usize = LANES + 1;

/// The samples of the pixels `near`, given in row order. They begin as the interpolated coverage; where it is `antialiased` they are
/// corrected, a few times, by what the pixel that they stand for would be lacking.
///
/// `plane` is zero for every pixel, and has [`MARGIN`] more entries; it is left with anything for those near, and zero for others.
pub(crate) fn solve(coverage: &[u8], width: usize, near: &[u32], plane: Option<&mut [u32]>) -> Vec<Quarters> {
    let mut solver = Solver::new(coverage, width, near);
    if let Some(plane) = plane {
        for _ in 0..ROUNDS {
            solver.correct(plane);
        }
    }
    solver.samples(near.len())
}

/// Up to four pixels beside each other.
struct Group {
    place: Place,
    share: f32x4,
    /// 1 for a pixel, 0 for what only fills up the four.
    solved: f32x4,
    samples: [f32x4; 4],
}

#[derive(Clone, Copy)]
struct Place {
    first: usize,
    count: usize,
    /// Whether none of them is at the picture's border.
    inner: bool,
}

struct Solver {
    width: usize,
    height: usize,
    groups: Vec<Group>,
}

impl Solver {
    fn new(coverage: &[u8], width: usize, near: &[u32]) -> Self {
        let mut solver = Solver { width, height: coverage.len() / width, groups: Vec::new() };
        solver.groups.reserve(near.len() / 2);
        let mut row_end = 0;
        let mut rest = near;
        while let Some(&first) = rest.first() {
            let first = first as usize;
            while first >= row_end {
                row_end += width;
            }
            let most = rest.len().min(LANES).min(row_end - first);
            let count = (1..most).find(|&k| rest[k] as usize != first + k).unwrap_or(most);
            rest = &rest[count..];
            let place = Place { first, count, inner: solver.is_inner(row_end, first, count) };
            let around = solver.around(place, coverage, |share| SHARES[share as usize]);
            let solved = std::array::from_fn(|lane| f32::from(u8::from(lane < count)));
            solver.groups.push(Group {
                place,
                share: four(&around[1], 1),
                solved: f32x4::new(solved),
                samples: interpolated(&around),
            });
        }
        solver
    }

    /// One round: what each pixel lacks is spread over the samples as coverage was. It is put into the plane as the bits of a number.
    fn correct(&mut self, plane: &mut [u32]) {
        for group in &self.groups {
            // The bits of zero are zero, those of minus zero are not; their sum is zero.
            let lacking = (group.share - covered(&group.samples)) * group.solved + f32x4::ZERO;
            // What fills up the four is put where nothing was, or where other pixels follow.
            if let Some(out) = plane[group.place.first..].first_chunk_mut() {
                *out = lacking.to_array().map(f32::to_bits);
            }
        }
        for index in 0..self.groups.len() {
            let changes = interpolated(&self.around(self.groups[index].place, plane, f32::from_bits));
            for (sample, change) in self.groups[index].samples.iter_mut().zip(changes) {
                *sample += change;
            }
        }
    }

    fn is_inner(&self, row_end: usize, first: usize, count: usize) -> bool {
        let rows = self.width < row_end && row_end < self.width * self.height;
        rows && first + self.width > row_end && first + count < row_end
    }

    /// The values of up to four pixels and of those around them, three rows; the picture's border is its own neighbor.
    fn around<T: Copy>(&self, place: Place, plane: &[T], value: impl Fn(T) -> f32) -> [Six; 3] {
        let (first, width) = (place.first, self.width);
        let row = |start: usize| plane.get(start..).and_then(|row| row.first_chunk::<{ LANES + 2 }>());
        if place.inner
            && let (Some(above), Some(here), Some(below)) =
                (row(first - width - 1), row(first - 1), row(first + width - 1))
        {
            return [above, here, below].map(|row| row.map(&value));
        }
        let (x, y) = (first % width, first / width);
        [y.saturating_sub(1), y, (y + 1).min(self.height - 1)].map(|y| {
            std::array::from_fn(|k| value(plane[y * width + (x + k).saturating_sub(1).min(width - 1)]))
        })
    }

    fn samples(&self, count: usize) -> Vec<Quarters> {
        let mut samples = Vec::with_capacity(count);
        for group in &self.groups {
            let pixels = f32x4::transpose(group.samples).map(f32x4::to_array);
            samples.extend_from_slice(&pixels[..group.place.count]);
        }
        samples
    }
}

/// Four pixels of a row and the two beside them.
type Six = [f32; LANES + 2];

/// Coverage in 255ths, 0 to 1.
pub(crate) const SHARES: [f32; 256] = {
    let mut shares = [0.0; 256];
    let mut share = 0;
    while share < 256 {
        shares[share] = share as f32 / 255.0;
        share += 1;
    }
    shares
};

fn four(six: &Six, at: usize) -> f32x4 {
    f32x4::new([six[at], six[at + 1], six[at + 2], six[at + 3]])
}

/// Values at the quarter points of four pixels, between their own and their neighbors'.
fn interpolated([above, here, below]: &[Six; 3]) -> [f32x4; 4] {
    let own = four(here, 1) * f32x4::splat(OWN);
    let (up, down) = (four(above, 1), four(below, 1));
    let corner = |beside: f32x4, over: f32x4, diagonal: f32x4| {
        own + (beside + over) * f32x4::splat(BESIDE) + diagonal * f32x4::splat(DIAGONAL)
    };
    [
        corner(four(here, 0), up, four(above, 0)),
        corner(four(here, 2), up, four(above, 2)),
        corner(four(here, 0), down, four(below, 0)),
        corner(four(here, 2), down, four(below, 2)),
    ]
}

/// How much of four pixels their samples cover, by a soft step about one half.
fn covered(samples: &[f32x4; 4]) -> f32x4 {
    let half = f32x4::splat(0.5);
    let [a, b, c, d] = samples.map(|sample| {
        ((sample - half) * f32x4::splat(STEEPNESS) + half).fast_max(f32x4::ZERO).fast_min(f32x4::ONE)
    });
    (a + b + c + d) * f32x4::splat(0.25)
}
