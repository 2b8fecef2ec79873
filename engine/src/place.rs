use crate::bleed::{Bleed, Line, largest_colors};
use crate::geometry::Point;
use crate::noise::{
    NOISE_INKED_PX, NOISE_STAIRCASE_PX, keeps_to_axes, noise_of_mixtures, noise_of_ramp, smoothed,
    wavering_px,
};
use crate::outline::{Arc, OUTSIDE, Outlines};
use crate::parallel::Work;
use crate::pixels::{Channels, Pixels, distance_sq};
use crate::segment::Labels;
use crate::stroke::Inks;
use crate::watch::{Stopped, Watch};

/// How far a boundary looks into the region on either side, in pixels: a sharp edge, at 45° to the grid, is a mixture
/// over less than two.
const REACH_PX: usize = 3;

/// Below this contrast (Euclidean, 8-bit levels) a pixel's color says nothing about coverage.
const LEAST_CONTRAST: f32 = 10.0;

/// A crack across the slope of its edge is left out when coverage changes this much faster along it than across it.
const OBLIQUE: f32 = 1.7;

/// A side's pure paint is reached where less than this part is the other's, and what noise of so many levels makes of it.
const IMPURE: f32 = 0.05;
const IMPURE_LEVELS: f32 = 6.0;
/// Of so many pixels across a shape one is pure.
const PURE_PX: usize = 3;
/// A crack parts pixels that are mostly the one from those that are mostly the other paint: the edge is near to it.
const FARTHEST_PX: f32 = 0.65;
/// So many samples in a row may be left out.
const LONGEST_GAP: usize = 3;

/// A mean mixture below this along an arc that is not straight means that there was no anti-aliasing.
const MIXED_SHARE: f32 = 0.02;

/// What placing one corner of an arc takes, in the units of [`Watch`].
const CORNER_UNITS: usize = 16;

/// The outline samples of one arc.
///
/// # Guarantees
/// At least one point; open arcs begin and end with their junctions' places, the same for every arc that meets there.
pub(crate) struct Samples {
    pub points: Vec<Point>,
    /// Root mean square error expected of the points.
    pub noise_px: f32,
    /// The points are exact corners to be joined by straight lines (the picture's border).
    pub exact: bool,
}

/// Puts each boundary where the colors beside it say that it was drawn.
///
/// Across a crack, pixel by pixel, the share of the one paint in the mixture is the share of the pixel's width that it
/// covers: their sum is where the edge crosses that row or column.
pub(crate) fn place(
    pixels: &Pixels,
    labels: &Labels,
    (colors, inks): (&[Channels], &Inks),
    outlines: &Outlines,
    watch: &mut Watch<'_>,
) -> Result<Vec<Samples>, Stopped> {
    let largest = largest_colors(outlines, colors);
    let placer = Placer { pixels, labels, colors, inks, largest };
    let units = |arc: &&Arc| CORNER_UNITS * arc.corners.len();
    Work { units, begin: || |arc: &Arc| placer.sample(arc) }.on(outlines.arcs.iter(), watch)
}

/// The corners of the pixels themselves, for exact outlines.
pub(crate) fn pixel_corners(outlines: &Outlines) -> Vec<Samples> {
    outlines.arcs.iter().map(lattice_samples).collect()
}

fn lattice_samples(arc: &Arc) -> Samples {
    let corners = &arc.corners;
    let n = corners.len();
    let turns = |i: usize| {
        if !arc.closed && (i == 0 || i + 1 == n) {
            return true;
        }
        let (p, q, r) = (corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]);
        !((p.0 == q.0 && q.0 == r.0) || (p.1 == q.1 && q.1 == r.1))
    };
    let points = (0..n).filter(|&i| turns(i)).map(|i| lattice_point(corners[i])).collect();
    Samples { points, noise_px: 0.0, exact: true }
}

pub(crate) fn lattice_point((x, y): (u32, u32)) -> Point {
    Point::new(x as f32, y as f32)
}

struct Placer<'a> {
    pixels: &'a Pixels,
    labels: &'a Labels,
    colors: &'a [Channels],
    inks: &'a Inks,
    largest: Vec<Channels>,
}

/// One crack between a pixel of the left region and one of the right.
struct Crack {
    middle: Point,
    /// From left to right.
    normal: (i32, i32),
    left: (i32, i32),
    right: (i32, i32),
}

impl Crack {
    fn all(arc: &Arc) -> impl ExactSizeIterator<Item = Crack> {
        let n = arc.corners.len();
        let cracks = if arc.closed { n } else { n - 1 };
        (0..cracks).map(move |i| Crack::new(arc.corners[i], arc.corners[(i + 1) % n]))
    }

    fn new(from: (u32, u32), to: (u32, u32)) -> Self {
        let (x, y) = (from.0 as i32, from.1 as i32);
        let (dx, dy) = (to.0 as i32 - x, to.1 as i32 - y);
        let (left, right) = match (dx, dy) {
            (1, _) => ((x, y - 1), (x, y)),
            (_, 1) => ((x, y), (x - 1, y)),
            (-1, _) => ((x - 1, y), (x - 1, y - 1)),
            _ => ((x - 1, y - 1), (x, y - 1)),
        };
        let middle = Point::new(x as f32 + dx as f32 * 0.5, y as f32 + dy as f32 * 0.5);
        Crack { middle, normal: (-dy, dx), left, right }
    }
}

/// What one crack tells.
struct Sample {
    point: Point,
    /// How far the two pixels beside the crack are from being pure, 0 to 1.
    mixed: f32,
    believed: bool,
}

/// The samples of a whole arc.
struct Placed {
    points: Vec<Point>,
    /// Of those samples, how far the pixels beside them are from being pure, added up.
    mixed: f32,
    /// The differences between the pixels beside each crack, added up.
    steps: f32,
}

impl Placer<'_> {
    fn sample(&self, arc: &Arc) -> Samples {
        if arc.left == OUTSIDE || arc.right == OUTSIDE {
            return lattice_samples(arc);
        }
        let contrast = distance_sq(self.colors[arc.left as usize], self.colors[arc.right as usize]).sqrt();
        let Placed { mut points, mixed, steps } = self.place(arc, contrast);
        let cracks = Crack::all(arc).len() as f32;
        let antialiased = contrast >= LEAST_CONTRAST && mixed >= MIXED_SHARE * cracks;
        let noise_px = if let Some(noise_px) = noise_of_ramp(contrast, steps, cracks) {
            noise_px
        } else if antialiased || keeps_to_axes(arc) {
            noise_of_mixtures(contrast, &points)
        } else if self.is_inked(arc) {
            points = smoothed(&points, arc.closed);
            NOISE_INKED_PX
        } else {
            NOISE_STAIRCASE_PX
        };
        Samples { points, noise_px, exact: false }
    }

    /// Where a color seems to bleed through, but not every pixel agrees, it is believed if the boundary gets smoother so.
    fn place(&self, arc: &Arc, contrast: f32) -> Placed {
        const SMOOTHER: f32 = 0.75;
        let plain = || self.place_with(arc, contrast, None);
        let Some(bleed) = self.find_bleed(arc, contrast) else { return plain() };
        let with = |second_on_top| self.place_with(arc, contrast, Some((&bleed, second_on_top)));
        if let Some(second_on_top) = bleed.second_on_top {
            return with(second_on_top);
        }
        let mut smoothest = plain();
        let mut least = SMOOTHER * wavering_px(&smoothest.points);
        for second_on_top in [true, false] {
            let placed = with(second_on_top);
            let wavering = wavering_px(&placed.points);
            if wavering < least {
                (smoothest, least) = (placed, wavering);
            }
        }
        smoothest
    }

    fn find_bleed(&self, arc: &Arc, contrast: f32) -> Option<Bleed> {
        if contrast < LEAST_CONTRAST || self.largest.is_empty() {
            return None;
        }
        let paints = (self.colors[arc.left as usize], self.colors[arc.right as usize]);
        let mut pixels = Vec::with_capacity(2 * arc.corners.len());
        for crack in Crack::all(arc) {
            pixels.extend([self.value(crack.left), self.value(crack.right)]);
        }
        Bleed::find(paints, &pixels, &self.largest)
    }

    #[inline(never)]
    fn place_with(&self, arc: &Arc, contrast: f32, bleed: Option<(&Bleed, bool)>) -> Placed {
        let (first, last) = (arc.corners[0], arc.corners[arc.corners.len() - 1]);
        let mut points = Vec::with_capacity(arc.corners.len() + 1);
        if !arc.closed {
            points.push(lattice_point(first));
        }
        let (mut mixed, mut steps) = (0.0, 0.0);
        let mut skipped = 0;
        for crack in Crack::all(arc) {
            steps += distance_sq(self.value(crack.left), self.value(crack.right)).sqrt();
            if contrast < LEAST_CONTRAST {
                points.push(crack.middle);
                continue;
            }
            let sample = self.locate(&crack, arc, contrast, bleed);
            skipped = if sample.believed { 0 } else { skipped + 1 };
            if skipped == 0 || skipped > LONGEST_GAP {
                points.push(sample.point);
                mixed += sample.mixed;
            }
        }
        if !arc.closed {
            points.push(lattice_point(last));
        }
        if points.is_empty() {
            points.extend(arc.corners.iter().map(|&corner| lattice_point(corner)));
        }
        Placed { points, mixed, steps }
    }

    /// Whether a boundary runs below a stroke for the most part.
    fn is_inked(&self, arc: &Arc) -> bool {
        let is_inked = |pair: &&[(u32, u32)]| {
            let crack = Crack::new(pair[0], pair[1]);
            [crack.left, crack.right].iter().any(|&at| self.inks.color_at(self.index(at)).is_some())
        };
        self.inks.field.is_some() && 2 * arc.corners.windows(2).filter(is_inked).count() >= arc.corners.len()
    }

    fn locate(&self, crack: &Crack, arc: &Arc, contrast: f32, bleed: Option<(&Bleed, bool)>) -> Sample {
        let (nx, ny) = crack.normal;
        let left = self.run(crack.left, (-nx, -ny), arc.left);
        let right = self.run(crack.right, (nx, ny), arc.right);
        let a = self.reference(arc.left, arc.right, &left);
        let b = self.reference(arc.right, arc.left, &right);
        let line = match bleed {
            Some((bleed, second_on_top)) => Line::with(bleed, second_on_top, a, b),
            None => Line::new(a, b),
        };
        let [in_left, in_right] = [&left, &right].map(|run| run.values.map(|value| line.share(value)));
        let over_left: f32 = left.weights.iter().zip(in_left).map(|(weight, share)| weight * share).sum();
        let over_right: f32 =
            right.weights.iter().zip(in_right).map(|(weight, share)| weight * (1.0 - share)).sum();
        let offset = over_right - over_left;
        let point = crack.middle + Point::new(nx as f32, ny as f32) * offset;
        let mixed = 0.5 * (in_left[0] + 1.0 - in_right[0]);
        // Where the pure paint of a side is not reached along the row, the row runs into another edge.
        let pure_share = 1.0 - IMPURE - IMPURE_LEVELS / contrast;
        let pure = left.reaches(in_left, |share| 1.0 - share > pure_share)
            && right.reaches(in_right, |share| share > pure_share);
        let near = offset.abs() <= FARTHEST_PX;
        let believed = pure && near && !self.is_oblique(crack, [in_left[0], in_right[0]], &line);
        Sample { point, mixed, believed }
    }

    /// The colors of a region's pixels from a boundary inward, and how much of each belongs to this boundary: a thin
    /// region's middle parts it between the boundaries on its two sides.
    fn run(&self, start: (i32, i32), step: (i32, i32), label: u32) -> Run {
        let mut run =
            Run { values: [[0.0; 4]; REACH_PX], weights: [0.0; REACH_PX], thin: false, inner: Breadth::Cut };
        let room = self.room(start, step);
        let stride = step.1 as isize * self.pixels.width as isize + step.0 as isize;
        let (mut at, mut length) = (self.index(start), 0);
        while length < room.min(2 * REACH_PX) && self.labels.ids[at] == label {
            if length < REACH_PX {
                run.values[length] = self.pixels.channels(at);
            }
            length += 1;
            at = at.wrapping_add_signed(stride);
        }
        run.thin = length < room.min(2 * REACH_PX);
        let depth_px = length.clamp(1, REACH_PX) as i32 - 1;
        let innermost = (start.0 + depth_px * step.0, start.1 + depth_px * step.1);
        run.inner =
            if length < PURE_PX { Breadth::Narrow } else { self.breadth(innermost, (step.1, step.0), label) };
        let depth = if run.thin { length as f32 * 0.5 } else { (length.min(REACH_PX)) as f32 };
        for (k, weight) in run.weights.iter_mut().enumerate() {
            *weight = (depth - k as f32).clamp(0.0, 1.0);
        }
        run
    }

    /// What lies beside a pixel, `across` being a step sideways.
    fn breadth(&self, at: (i32, i32), across: (i32, i32), label: u32) -> Breadth {
        let same = |k: i32| self.label((at.0 + k * across.0, at.1 + k * across.1)) == Some(label);
        match (same(-1), same(1)) {
            (true, true) => Breadth::Enclosed,
            (true, false) if same(-2) => Breadth::Cut,
            (false, true) if same(2) => Breadth::Cut,
            _ => Breadth::Narrow,
        }
    }

    /// The pure color on one side: the region's own, or, where the region is not flat, the one found farthest inside,
    /// unless another edge passes there and mixes it.
    fn reference(&self, label: u32, other: u32, run: &Run) -> Channels {
        const FLAT: f32 = 0.15;
        let (color, far) = (self.colors[label as usize], self.colors[other as usize]);
        let contrast_sq = distance_sq(color, far);
        let innermost = run.values[REACH_PX - 1];
        let is_full = run.weights[REACH_PX - 1] > 0.0 && !run.thin;
        let differs = distance_sq(innermost, color) > FLAT * FLAT * contrast_sq;
        let unmixed = || run.inner != Breadth::Cut || distance_sq(innermost, far) > contrast_sq;
        if is_full && differs && unmixed() { innermost } else { color }
    }

    /// `here` has the shares of the two pixels beside the crack.
    fn is_oblique(&self, crack: &Crack, here: [f32; 2], line: &Line) -> bool {
        // Along the crack, one pixel each way; beyond the border a pixel has itself for a neighbor.
        let (tx, ty) = (crack.normal.1, -crack.normal.0);
        let row = |k: i32| {
            let at = |(x, y): (i32, i32), own: f32| {
                let position = (x + k * tx, y + k * ty);
                self.label(position).map_or(own, |_| line.share(self.value(position)))
            };
            (at(crack.left, here[0]), at(crack.right, here[1]))
        };
        let (before, here, after) = (row(-1), (here[0], here[1]), row(1));
        let across = (before.1 - before.0 + here.1 - here.0 + after.1 - after.0) / 3.0;
        let along = (after.0 + after.1 - before.0 - before.1) / 4.0;
        along.abs() > OBLIQUE * across.abs()
    }

    fn index(&self, (x, y): (i32, i32)) -> usize {
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

    fn value(&self, at: (i32, i32)) -> Channels {
        self.pixels.channels(self.index(at))
    }
}

struct Run {
    values: [Channels; REACH_PX],
    weights: [f32; REACH_PX],
    thin: bool,
    /// Whether the last of the values may be a pure one.
    inner: Breadth,
}

/// What lies beside a pixel of a run.
#[derive(Clone, Copy, PartialEq)]
enum Breadth {
    /// Its own region on both sides.
    Enclosed,
    /// Its region is so narrow there that no pixel of it is pure.
    Narrow,
    /// Another edge on one side.
    Cut,
}

impl Run {
    /// Whether one of the colors is pure by its share, if any can be.
    fn reaches(&self, shares: [f32; REACH_PX], is_pure: impl Fn(f32) -> bool) -> bool {
        let reached = |(&weight, share): (&f32, f32)| weight > 0.0 && is_pure(share);
        self.inner == Breadth::Narrow || self.weights.iter().zip(shares).any(reached)
    }
}
