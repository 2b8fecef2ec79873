use crate::pixels::{Channels, ColorMetric, Pixels, distance_sq};
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
pub(crate) const AXES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

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
    let colors = mean_colors(&pixels, &labels);
    watch.advance(count)?;
    let cores = cores(&labels, width, pixels.height, watch)?;
    let mut view = View { pixels: &pixels, labels: &labels, cores, colors: &colors };
    let mut owners = labels.ids.clone();
    let mut unexplained = Vec::new();
    for i in 0..count {
        if i % width == 0 {
            watch.advance(PIXEL_UNITS * width)?;
        }
        explain(&view, i, &mut owners, &mut unexplained);
    }
    let inks = strokes(&mut view, unexplained, &mut owners, (metric, speckle_px), watch)?;
    watch.advance(count)?;
    let mut plane = Pixels { width: pixels.width, height: pixels.height, data: pixels.data.clone() };
    for (i, &owner) in owners.iter().enumerate() {
        if owner != labels.ids[i] {
            plane.data[i] = rounded(colors[owner as usize]);
        }
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
        for (dx, dy) in AXES {
            let sides = (self.paint_along(i, dx, dy), self.paint_along(i, -dx, -dy));
            let (Some(a), Some(b)) = sides else { continue };
            let (residual, share) = projection(value, self.colors[a as usize], self.colors[b as usize]);
            if residual < best.0 {
                best = (residual, Some(if share < 0.5 { a } else { b }));
            }
        }
        best.1
    }

    pub fn is_paint(&self, label: u32) -> bool {
        self.cores[label as usize] == Core::Full
    }

    /// The first paint met from pixel `i` in steps of (dx, dy).
    pub fn paint_along(&self, i: usize, dx: isize, dy: isize) -> Option<u32> {
        let (width, height) = (self.pixels.width as isize, self.pixels.height as isize);
        let (x, y) = (i as isize % width, i as isize / width);
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

fn cores(labels: &Labels, width: usize, height: usize, watch: &mut Watch<'_>) -> Result<Vec<Core>, Stopped> {
    const NEIGHBORS_OF_A_THIN_CORE: u32 = 5;
    const NEIGHBORS: u32 = 8;
    let mut cores = vec![Core::None; labels.count];
    for y in 0..height {
        watch.advance(width)?;
        for x in 0..width {
            let id = labels.ids[y * width + x];
            if cores[id as usize] == Core::Full {
                continue;
            }
            let mut agreeing = 0;
            for v in y.saturating_sub(1)..(y + 2).min(height) {
                for u in x.saturating_sub(1)..(x + 2).min(width) {
                    agreeing += u32::from(labels.ids[v * width + u] == id);
                }
            }
            // The pixel itself was counted as well.
            let core = match agreeing - 1 {
                NEIGHBORS => Core::Full,
                NEIGHBORS_OF_A_THIN_CORE.. => Core::Thin,
                _ => Core::None,
            };
            cores[id as usize] = cores[id as usize].max(core);
        }
    }
    Ok(cores)
}

fn mean_colors(pixels: &Pixels, labels: &Labels) -> Vec<Channels> {
    let mut sums = vec![[0.0f64; 4]; labels.count];
    let mut counts = vec![0.0f64; labels.count];
    for (i, &id) in labels.ids.iter().enumerate() {
        counts[id as usize] += 1.0;
        for (sum, v) in sums[id as usize].iter_mut().zip(pixels.data[i]) {
            *sum += f64::from(v);
        }
    }
    sums.iter().zip(&counts).map(|(sum, &count)| sum.map(|s| (s / count) as f32)).collect()
}
