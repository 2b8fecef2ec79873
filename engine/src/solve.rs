//! Coverage at four points of each pixel near an edge, such that the pixels come out as they are: row by row, four pixels
//! at a time.
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

/// The samples of the pixels `near`, given in row order. They begin as the interpolated coverage; where it is `antialiased` they are
/// corrected, a few times, by what the pixel that they stand for would be lacking.
pub(crate) fn solve(coverage: &[u8], width: usize, near: &[u32], antialiased: bool) -> Vec<Quarters> {
    let mut solver = Solver::new(coverage, width, near);
    if antialiased {
        let mut band = Band::new(width);
        for _ in 0..ROUNDS {
            solver.correct(&mut band);
        }
    }
    solver.samples(near.len())
}

/// Neighbors in a row, by fours.
struct Run {
    x: usize,
    count: usize,
    /// The first of its groups.
    first: usize,
}

impl Run {
    fn groups(&self) -> usize {
        self.count.div_ceil(LANES)
    }
}

/// The runs of one row of the picture.
#[derive(Clone, Copy)]
struct Row {
    y: usize,
    first: usize,
    end: usize,
}

#[derive(Clone, Copy)]
struct Group {
    share: f32x4,
    /// 1 for a pixel that is solved, 0 for one that only fills up the four.
    solved: f32x4,
    samples: [f32x4; 4],
}

struct Solver {
    width: usize,
    height: usize,
    rows: Vec<Row>,
    runs: Vec<Run>,
    groups: Vec<Group>,
}

impl Solver {
    fn new(coverage: &[u8], width: usize, near: &[u32]) -> Self {
        let height = coverage.len() / width;
        let mut solver = Solver { width, height, rows: Vec::new(), runs: Vec::new(), groups: Vec::new() };
        let mut around = [Vec::new(), Vec::new(), Vec::new()];
        let mut rest = near;
        while let Some(&start) = rest.first() {
            let (x, y) = (start as usize % width, start as usize / width);
            let within_row = &rest[..rest.len().min(width - x)];
            let (run, others) =
                rest.split_at(within_row.iter().zip(start..).take_while(|(a, b)| *a == b).count());
            rest = others;
            if solver.rows.last().is_none_or(|row| row.y != y) {
                solver.rows.push(Row { y, first: solver.runs.len(), end: solver.runs.len() });
            }
            let run = Run { x, count: run.len(), first: solver.groups.len() };
            let neighbors = [y.saturating_sub(1), y, (y + 1).min(height - 1)];
            for (shares, y) in around.iter_mut().zip(neighbors) {
                read_shares(&coverage[y * width..(y + 1) * width], &run, shares);
            }
            for group in 0..run.groups() {
                let [above, here, below] = [0, 1, 2].map(|k| six(&around[k], group * LANES));
                let solved =
                    std::array::from_fn(|lane| f32::from(u8::from(group * LANES + lane < run.count)));
                solver.groups.push(Group {
                    share: four(here, 1),
                    solved: f32x4::new(solved),
                    samples: interpolated(above, here, below),
                });
            }
            solver.runs.push(run);
            if let Some(row) = solver.rows.last_mut() {
                row.end += 1;
            }
        }
        solver
    }

    /// One round: what each pixel lacks is spread over the samples as coverage was.
    fn correct(&mut self, band: &mut Band) {
        for index in 0..self.rows.len() {
            let Row { y, first, end } = self.rows[index];
            self.read_lacking(index, band);
            if self.rows.get(index + 1).is_some_and(|next| next.y == y + 1) {
                self.read_lacking(index + 1, band);
            }
            let here = band.row(y);
            let above = if y == 0 { here } else { band.row(y - 1) };
            let below = if y + 1 == self.height { here } else { band.row(y + 1) };
            for run in &self.runs[first..end] {
                for (step, group) in self.groups[run.first..][..run.groups()].iter_mut().enumerate() {
                    let at = run.x + step * LANES;
                    let changes = interpolated(six(above, at), six(here, at), six(below, at));
                    for (sample, change) in group.samples.iter_mut().zip(changes) {
                        *sample += change;
                    }
                }
            }
        }
        for place in 0..band.rows.len() {
            self.forget(place, band);
        }
    }

    /// Puts what the pixels of a row are lacking into the band, unless it is there.
    fn read_lacking(&self, index: usize, band: &mut Band) {
        let row = &self.rows[index];
        let place = row.y % band.rows.len();
        if band.holds[place].is_some_and(|held| held.y == row.y) {
            return;
        }
        self.forget(place, band);
        band.holds[place] = Some(*row);
        let lacking = &mut band.rows[place];
        for run in &self.runs[row.first..row.end] {
            let groups = &self.groups[run.first..][..run.groups()];
            let (fours, _) = lacking[run.x + 1..].as_chunks_mut::<LANES>();
            for (out, group) in fours.iter_mut().zip(groups) {
                *out = ((group.share - covered(&group.samples)) * group.solved).to_array();
            }
            if run.x == 0 {
                lacking[0] = lacking[1];
            }
            if run.x + run.count == self.width {
                lacking[self.width + 1] = lacking[self.width];
            }
        }
    }

    /// Zeroes what a place of the band holds.
    fn forget(&self, place: usize, band: &mut Band) {
        let Some(row) = band.holds[place].take() else { return };
        for run in &self.runs[row.first..row.end] {
            band.rows[place][run.x..][..run.groups() * LANES + 2].fill(0.0);
        }
    }

    fn samples(&self, count: usize) -> Vec<Quarters> {
        let mut samples = Vec::with_capacity(count);
        for run in &self.runs {
            let mut left = run.count;
            for group in &self.groups[run.first..][..run.groups()] {
                let pixels = f32x4::transpose(group.samples).map(f32x4::to_array);
                samples.extend_from_slice(&pixels[..left.min(LANES)]);
                left = left.saturating_sub(LANES);
            }
        }
        samples
    }
}

/// What the pixels of three rows of the picture are lacking, each row in the place of its number's rest by three; begins with the
/// pixel to the left of the first.
struct Band {
    holds: [Option<Row>; 3],
    rows: [Vec<f32>; 3],
    /// What is not held lacks nothing.
    nothing: Vec<f32>,
}

impl Band {
    fn new(width: usize) -> Self {
        // Beside the neighbors at both ends, room for a group that begins with the last pixel.
        let nothing = vec![0.0; width + 2 + LANES];
        Band { holds: [None; 3], rows: std::array::from_fn(|_| nothing.clone()), nothing }
    }

    fn row(&self, y: usize) -> &[f32] {
        let place = y % self.rows.len();
        let is_held = self.holds[place].is_some_and(|held| held.y == y);
        if is_held { &self.rows[place] } else { &self.nothing }
    }
}

/// The shares of a run's pixels with those beside its ends, the picture's border being its own neighbor.
fn read_shares(row: &[u8], run: &Run, shares: &mut Vec<f32>) {
    let end = run.x + run.count;
    shares.clear();
    shares.push(SHARES[row[run.x.saturating_sub(1)] as usize]);
    shares.extend(row[run.x..end].iter().map(|&share| SHARES[share as usize]));
    shares.push(SHARES[row[end.min(row.len() - 1)] as usize]);
    shares.resize(run.groups() * LANES + 2, 0.0);
}

/// Coverage in 255ths, 0 to 1.
const SHARES: [f32; 256] = {
    let mut shares = [0.0; 256];
    let mut share = 0;
    while share < 256 {
        shares[share] = share as f32 / 255.0;
        share += 1;
    }
    shares
};

/// Four pixels of a row and the two beside them.
fn six(row: &[f32], at: usize) -> &[f32; LANES + 2] {
    row[at..].first_chunk().unwrap_or(&[0.0; LANES + 2])
}

fn four(six: &[f32; LANES + 2], at: usize) -> f32x4 {
    f32x4::new([six[at], six[at + 1], six[at + 2], six[at + 3]])
}

/// Values at the quarter points of four pixels, between their own and their neighbors'.
fn interpolated(above: &[f32; 6], here: &[f32; 6], below: &[f32; 6]) -> [f32x4; 4] {
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
