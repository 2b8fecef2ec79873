use crate::order::ordered;
use crate::pixels::{Channels, ColorMetric, Pixels, distance_sq};
use crate::runs::{differing, run_end};
use crate::segment::{Labels, connected, segment};
use crate::stroke::{Inks, strokes};
use crate::watch::{Stage, Stopped, Watch};

/// A pixel lies on the line between two colors when it is no farther from it than this (Euclidean, 8-bit levels):
/// twice what rounding and a little sharpening leave.
pub(crate) const MIXTURE_RESIDUAL_SQ: f32 = 10.0 * 10.0;

/// How far to look along a ray for the paint on either side of an edge pixel: a sharp edge is at most two pixels wide.
const REACH_PX: isize = 2;

/// What looking around a pixel for its paints takes, in the units of [`Watch`].
const PIXEL_UNITS: usize = 8;

/// Opposite directions in which an edge pixel looks for the two paints that it mixes.
const AXES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Which paint each pixel belongs to.
///
/// # Guarantees
/// `labels` are edge-connected; in `plane`, a mixed pixel has the color of the paint that it was given to. `beneath` is the
/// picture without the inks: a pixel of a stroke has the color of the paint that the stroke runs over.
pub(crate) struct Painted {
    pub labels: Labels,
    pub plane: Pixels,
    pub beneath: Pixels,
    pub inks: Inks,
}

/// Gives every pixel that is a mixture of two paints beside it (what anti-aliasing leaves along an edge) to the paint that
/// covers more of it. The pixel's own color still tells how much; [`place`](crate::place) reads it there.
///
/// A paint is a region with a core: a pixel that agrees with all of its eight neighbors. Thin strokes have
/// none; [`strokes`] finds their ink, to be drawn over the paints. What nothing explains stays a region of its own.
pub(crate) fn resolve_mixtures(
    pixels: Pixels,
    metric: &ColorMetric,
    speckle_px: f32,
    watch: &mut Watch<'_>,
) -> Result<Painted, Stopped> {
    let labels = segment(&pixels, metric, watch)?;
    let (count, width) = (pixels.data.len(), pixels.width);
    watch.begin(Stage::Resolve, 2 * PIXEL_UNITS * count)?;
    let cores = cores(&labels, width, watch)?;
    let (colors, areas) = means(&pixels, &labels, &cores);
    watch.advance(count)?;
    let mut view = View { pixels: &pixels, labels: &labels, cores, colors: &colors };
    let mut owners = labels.ids.clone();
    let unexplained = explain_all(&view, &mut owners, watch)?;
    let inks = strokes(&mut view, &unexplained, &mut owners, (metric, speckle_px), watch)?;
    watch.advance(count)?;
    explain_by_three(&view, &largest_paints(&view, &areas), &mut owners, &unexplained, watch)?;
    let mut plane = Pixels { width: pixels.width, height: pixels.height, data: pixels.data.clone() };
    for i in differing(&owners, &labels.ids) {
        plane.data[i] = rounded(colors[owners[i] as usize]);
    }
    let mut beneath = pixels;
    for &i in &inks.pixels {
        beneath.data[i as usize] = rounded(colors[owners[i as usize] as usize]);
    }
    watch.advance(count)?;
    Ok(Painted { labels: connected(&owners, beneath.width), plane, beneath, inks })
}

fn rounded(color: Channels) -> [u8; 4] {
    color.map(|v| (v + 0.5) as u8)
}

/// Gives mixed pixels to their paints, and returns those that no two paints explain.
fn explain_all(view: &View<'_>, owners: &mut [u32], watch: &mut Watch<'_>) -> Result<Vec<u32>, Stopped> {
    let mut unexplained = Vec::new();
    let width = view.pixels.width;
    for (y, row) in view.labels.ids.chunks_exact(width).enumerate() {
        watch.advance(PIXEL_UNITS * width)?;
        let mut x = 0;
        while x < width {
            let end = run_end(row, x);
            if !view.is_paint(row[x]) {
                (x..end).for_each(|x| explain(view, y * width + x, owners, &mut unexplained));
            }
            x = end;
        }
    }
    Ok(unexplained)
}

/// Gives a mixed pixel to its paint; one that no two paints explain is added to the others.
pub(crate) fn explain(view: &View<'_>, i: usize, owners: &mut [u32], unexplained: &mut Vec<u32>) {
    let owner = match view.cores[view.labels.ids[i] as usize] {
        Core::Full => return,
        Core::Thin => None,
        Core::None => view.owner(i),
    };
    match owner {
        Some(paint) => owners[i] = paint,
        None => unexplained.push(i as u32),
    }
}

/// Gives pixels that are still on their own to the paint that covers most of them, where they are mixtures of three: where
/// three shapes meet, and where another shows through between two that were drawn side by side.
fn explain_by_three(
    view: &View<'_>,
    beneath: &[u32],
    owners: &mut [u32],
    unexplained: &[u32],
    watch: &mut Watch<'_>,
) -> Result<(), Stopped> {
    for &i in unexplained {
        watch.advance(PIXEL_UNITS)?;
        let label = view.labels.ids[i as usize];
        if owners[i as usize] == label && view.cores[label as usize] == Core::None {
            owners[i as usize] = view.owner_of_three(i as usize, beneath).unwrap_or(label);
        }
    }
    Ok(())
}

/// The paints that may lie beneath others.
fn largest_paints(view: &View<'_>, areas: &[u32]) -> Vec<u32> {
    const MOST: usize = 3;
    let mut paints =
        ordered((0..areas.len() as u32).filter(|&id| view.is_paint(id)), |id| !areas[id as usize]);
    paints.truncate(MOST);
    paints
}

/// How much of a region lies away from its edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Core {
    None,
    /// A pixel that agrees with five of its neighbors: as wide as a stroke that straddles two pixels.
    Thin,
    /// A pixel that agrees with all of its neighbors: a paint.
    Full,
}

/// The picture with its paints known.
pub(crate) struct View<'a> {
    pub pixels: &'a Pixels,
    pub labels: &'a Labels,
    /// For each label.
    pub cores: Vec<Core>,
    /// Mean color of each label.
    pub colors: &'a [Channels],
}

impl View<'_> {
    /// The paint that covers more of the mixed pixel `i`.
    fn owner(&self, i: usize) -> Option<u32> {
        let value = self.pixels.channels(i);
        let mut best = (MIXTURE_RESIDUAL_SQ, None);
        let mut before = None;
        for sides in self.paints_across(i) {
            let [Some(a), Some(b)] = sides else { continue };
            if before.replace(sides) == Some(sides) {
                continue;
            }
            let (residual, share) = projection(value, self.colors[a as usize], self.colors[b as usize]);
            if residual < best.0 {
                best = (residual, Some(if share < 0.5 { a } else { b }));
            }
        }
        best.1
    }

    /// The paint beside pixel `i` that covers most of it, if it is a mixture of three: two beside it, and one beside it too or,
    /// by little, from `beneath`.
    fn owner_of_three(&self, i: usize, beneath: &[u32]) -> Option<u32> {
        /// Of two edges that cover half of a pixel each, a quarter shows what lies beneath.
        const MOST_BENEATH: f32 = 0.3;
        let mut paints: Vec<u32> = Vec::with_capacity(2 * AXES.len() + beneath.len());
        for paint in self.paints_across(i).into_iter().flatten().flatten() {
            if !paints.contains(&paint) {
                paints.push(paint);
            }
        }
        let beside = paints.len();
        if beside < 2 {
            return None;
        }
        for &paint in beneath {
            if !paints.contains(&paint) {
                paints.push(paint);
            }
        }
        let triples = (2..paints.len()).flat_map(|c| (1..c.min(beside)).map(move |b| (b, c)));
        let triples = triples.flat_map(|(b, c)| (0..b).map(move |a| [a, b, c]));
        let value = self.pixels.channels(i);
        let mut best = (MIXTURE_RESIDUAL_SQ, None);
        for triple in triples {
            let colors = triple.map(|k| self.colors[paints[k] as usize]);
            let Some((residual, shares)) = mixture_of_three(value, colors) else { continue };
            let all_beside = triple[2] < beside;
            if residual < best.0 && (all_beside || shares[2] <= MOST_BENEATH) {
                let owners = if all_beside { 0..3 } else { 0..2 };
                let most = owners.max_by(|&k, &l| shares[k].total_cmp(&shares[l]));
                best = (residual, most.map(|k| paints[triple[k]]));
            }
        }
        best.1
    }

    pub fn is_paint(&self, label: u32) -> bool {
        self.cores[label as usize] == Core::Full
    }

    /// The first paints met from pixel `i` along each of the axes, on either side.
    pub fn paints_across(&self, i: usize) -> [[Option<u32>; 2]; AXES.len()] {
        let (width, height) = (self.pixels.width as isize, self.pixels.height as isize);
        // Of 32 bits, division is several times faster.
        let (x, y) = (i as u32 % width as u32, i as u32 / width as u32);
        let (x, y) = (x as isize, y as isize);
        let within = |at: isize, size: isize| at >= REACH_PX && at + REACH_PX < size;
        if !(within(x, width) && within(y, height)) {
            return AXES
                .map(|(dx, dy)| [self.paint_along((x, y), dx, dy), self.paint_along((x, y), -dx, -dy)]);
        }
        let first = |step: isize| {
            (1..=REACH_PX)
                .map(|k| self.labels.ids[i.wrapping_add_signed(k * step)])
                .find(|&id| self.is_paint(id))
        };
        AXES.map(|(dx, dy)| [first(dy * width + dx), first(-dy * width - dx)])
    }

    /// The first paint met from a pixel in steps of (dx, dy).
    fn paint_along(&self, (x, y): (isize, isize), dx: isize, dy: isize) -> Option<u32> {
        let (width, height) = (self.pixels.width as isize, self.pixels.height as isize);
        (1..=REACH_PX)
            .map(|k| (x + k * dx, y + k * dy))
            .take_while(|&(x, y)| x >= 0 && y >= 0 && x < width && y < height)
            .map(|(x, y)| self.labels.ids[(y * width + x) as usize])
            .find(|&id| self.is_paint(id))
    }
}

/// Squared distance of `value` from the segment a–b, and how far along it lies (0 at a, 1 at b).
pub(crate) fn projection(value: Channels, a: Channels, b: Channels) -> (f32, f32) {
    let length_sq = distance_sq(a, b);
    if length_sq == 0.0 {
        return (distance_sq(value, a), 0.0);
    }
    let along: f32 = (0..4).map(|c| (value[c] - a[c]) * (b[c] - a[c])).sum();
    let share = (along / length_sq).clamp(0.0, 1.0);
    let nearest: Channels = std::array::from_fn(|c| a[c] + share * (b[c] - a[c]));
    (distance_sq(value, nearest), share)
}

/// Squared distance of `value` from the plane of three colors, and its shares of each; none where one is negative.
fn mixture_of_three(value: Channels, [a, b, c]: [Channels; 3]) -> Option<(f32, [f32; 3])> {
    /// Below this the colors lie on a line.
    const FLAT: f32 = 0.02;
    let from = |color: Channels| -> Channels { std::array::from_fn(|k| color[k] - c[k]) };
    let dot = |p: Channels, q: Channels| -> f32 { (0..4).map(|k| p[k] * q[k]).sum() };
    let (u, v, w) = (from(a), from(b), from(value));
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let determinant = uu * vv - uv * uv;
    if determinant <= FLAT * uu * vv {
        return None;
    }
    let (p, q) = (dot(u, w), dot(v, w));
    let (x, y) = ((p * vv - q * uv) / determinant, (q * uu - p * uv) / determinant);
    let shares = [x, y, 1.0 - x - y];
    let nearest: Channels = std::array::from_fn(|k| c[k] + x * u[k] + y * v[k]);
    shares.iter().all(|&share| share >= 0.0).then(|| (distance_sq(value, nearest), shares))
}

fn cores(labels: &Labels, width: usize, watch: &mut Watch<'_>) -> Result<Vec<Core>, Stopped> {
    let mut cores = vec![Core::None; labels.count];
    let rows: Vec<&[u32]> = labels.ids.chunks_exact(width).collect();
    for (y, row) in rows.iter().enumerate() {
        watch.advance(width)?;
        let around = &rows[y.saturating_sub(1)..(y + 2).min(rows.len())];
        let mut x = 0;
        while x < width {
            let core = &mut cores[row[x] as usize];
            if *core == Core::Full {
                x = run_end(row, x);
                continue;
            }
            *core = (*core).max(core_at(around, row[x], x));
            x += 1;
        }
    }
    Ok(cores)
}

/// What a pixel is for its region, by its label, its column, and the rows around it.
fn core_at(rows: &[&[u32]], id: u32, x: usize) -> Core {
    const NEIGHBORS_OF_A_THIN_CORE: usize = 5;
    const NEIGHBORS: usize = 8;
    let agreeing = |row: &&[u32]| {
        row[x.saturating_sub(1)..(x + 2).min(row.len())].iter().filter(|&&other| other == id).count()
    };
    // The pixel itself is counted as well.
    match rows.iter().map(agreeing).sum::<usize>() - 1 {
        NEIGHBORS => Core::Full,
        NEIGHBORS_OF_A_THIN_CORE.. => Core::Thin,
        _ => Core::None,
    }
}

/// The mean color of each region that is a paint or may become one, and its pixels.
fn means(pixels: &Pixels, labels: &Labels, cores: &[Core]) -> (Vec<Channels>, Vec<u32>) {
    let mut sums = vec![[0u64; 4]; labels.count];
    let mut areas = vec![0u32; labels.count];
    let mut start = 0;
    while start < labels.ids.len() {
        let id = labels.ids[start] as usize;
        let end = run_end(&labels.ids, start);
        if cores[id] != Core::None {
            areas[id] += (end - start) as u32;
            add_up(&mut sums[id], &pixels.data[start..end]);
        }
        start = end;
    }
    let mean = |(sum, &area): (&[u64; 4], &u32)| sum.map(|s| (s as f64 / f64::from(area.max(1))) as f32);
    (sums.iter().zip(&areas).map(mean).collect(), areas)
}

fn add_up(sum: &mut [u64; 4], colors: &[[u8; 4]]) {
    /// So many sums of 8 bits fit into 32.
    const BLOCK: usize = 1 << 24;
    for block in colors.chunks(BLOCK) {
        let mut sum_32 = [0u32; 4];
        for color in block {
            for c in 0..4 {
                sum_32[c] += u32::from(color[c]);
            }
        }
        for c in 0..4 {
            sum[c] += u64::from(sum_32[c]);
        }
    }
}
