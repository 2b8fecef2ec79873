//! Adds shapes where the image shows what the drawing lacks.

use super::comparison::Comparison;
use super::patches::{Patch, PatchLimits, find_patches};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, dot, minus, plus, times};
use crate::coverage::{Contour, Field, contours};
use crate::fit::{ContourFitter, FitStyle};
use crate::geometry::{Curve, Drawing, Point, Shape};
use crate::raster::within_reach;
use crate::render::{Covered, Outline, Sweep};
use crate::svg::bytes_of;

/// The boxes of all patches hold at most so many times the pixels of the image; a patch for which there is no room is not added.
///
/// Unit: count. Source: bounds the time; hundreds of drawings need less than one.
const MOST_FIELDS: usize = 8;

const COVERAGE_NOISES: [f32; 3] = [0.0, 0.1, 1.0];

/// A way to draw a patch.
struct Candidate {
    /// By how much it lowers the squared error, less what its bytes cost.
    worth: f32,
    curves: Vec<Curve>,
}

/// What decides which shapes are added.
pub(crate) struct Additions<'a> {
    pub limits: PatchLimits,
    pub style: &'a FitStyle,
}

impl Additions<'_> {
    /// Adds the shapes that save more error than their bytes cost. Returns whether there are any.
    pub fn add(
        &self,
        drawing: &mut Drawing,
        now: &Comparison<'_>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<bool, Stopped> {
        let mut patches = find_patches(now, &self.limits, meter)?;
        let before = drawing.shapes.len();
        let mut best = Vec::with_capacity(patches.len());
        let (mut found, mut numbers) = (Vec::new(), Vec::new());
        let mut room = MOST_FIELDS * now.pixels.data.len();
        for (number, patch) in patches.iter_mut().enumerate() {
            let mut bar = Bar::default();
            found.append(&mut contours_of(&self.limits, now, patch, &mut room, &mut bar, meter)?);
            numbers.resize(found.len(), number);
            best.push(Candidate { worth: 0.0, curves: Vec::new() });
            if std::env::var("NOBAR").is_err() && let Some(curve) = bar.curve() {
                self.improve(&mut best[number], now, patch, vec![curve]);
            }
        }
        let drawn: Vec<&Contour> = found.iter().collect();
        for paper_noise in COVERAGE_NOISES {
            let fitter = ContourFitter { antialiased: true, paper_noise, style: self.style };
            let mut curves = fitter.curves(&drawn, meter)?.into_iter().zip(&numbers).peekable();
            while let Some((curve, &number)) = curves.next() {
                let mut outline = vec![curve];
                while let Some((curve, _)) = curves.next_if(|(_, next)| **next == number) {
                    outline.push(curve);
                }
                self.improve(&mut best[number], now, &patches[number], outline);
            }
        }
        for (patch, Candidate { curves, .. }) in patches.iter().zip(best).filter(|(_, best)| best.worth > 0.0) {
            drawing.shapes.push(Shape { color: patch.color(), curves });
        }
        Ok(drawing.shapes.len() > before)
    }

    /// Takes the curves for a patch, if they are worth more than the best so far.
    fn improve(&self, best: &mut Candidate, now: &Comparison<'_>, patch: &Patch, curves: Vec<Curve>) {
        let shape = Shape { color: patch.color(), curves };
        let worth = gain(now, &shape) - self.limits.price * bytes_of(&shape) as f32;
        if worth > best.worth {
            *best = Candidate { worth, curves: shape.curves };
        }
    }
}

/// The contours of a patch, found in the patch's bounding box. `room` is how many pixels the boxes may still have.
fn contours_of(
    self_limits: &PatchLimits,
    now: &Comparison<'_>,
    patch: &mut Patch,
    room: &mut usize,
    bar: &mut Bar,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Contour>, Stopped> {
    let size = (now.pixels.width, now.pixels.height);
    // Of the pixels around a patch, its ink may cover a little.
    let inked = within_reach(&patch.pixels, size, 1);
    let near = within_reach(&patch.pixels, size, 2);
    if let Some(limit) = std::env::var("RING").ok().and_then(|v| v.parse::<f32>().ok()) {
        let ground = minus(patch.ink, patch.lacking);
        let square = dot(patch.lacking, patch.lacking);
        let (mut beyond, mut all, mut most) = (0.0, 0.0, 1.0);
        let mut ink = patch.ink;
        for &pixel in near.iter().filter(|p| patch.pixels.binary_search(p).is_err()) {
            let drawn = now.canvas.color(pixel as usize);
            let off = minus(drawn, ground);
            let along = dot(off, patch.lacking) / square;
            all += 1.0;
            if along > 1.0 && dot(off, off) - along * along * square < 75.0 && !self_limits.metric.same_layer(drawn, patch.ink) {
                beyond += 1.0;
                if along > most { most = along; ink = drawn; }
            }
        }
        if beyond > limit * all { patch.ink = ink; }
    }
    let column = |pixel: &u32| *pixel as usize % size.0;
    let left = near.iter().map(column).min().unwrap_or(0);
    let width = near.iter().map(column).max().unwrap_or(0) + 1 - left;
    let [top, bottom] = [near.first(), near.last()].map(|end| end.map_or(0, |&end| end as usize / size.0));
    let area = width * (bottom + 1 - top);
    if area > *room {
        return Ok(Vec::new());
    }
    *room -= area;
    let in_box = |pixel: u32| (pixel as usize / size.0 - top) * width + column(&pixel) - left;
    let mut coverage = vec![0; area];
    for &pixel in &inked {
        let share = ink_share(now, pixel as usize, patch.ink);
        bar.add(pixel as usize % size.0, pixel as usize / size.0, share);
        coverage[in_box(pixel)] = (share * 255.0 + 0.5) as u8;
    }
    let near = near.into_iter().map(|pixel| in_box(pixel) as u32).collect();
    let mut found = contours(&Field::solved(coverage, width, near, meter)?);
    let corner = Point::new(left as f32, top as f32);
    for point in found.iter_mut().flat_map(|contour| &mut contour.points) {
        *point = *point + corner;
    }
    Ok(found)
}

/// The moments of a patch's coverage, and the rectangle that has them: what a straight stroke or a small shape is.
#[derive(Default)]
struct Bar {
    area: f32,
    first: Point,
    /// Of x², xy and y².
    second: [f32; 3],
}

impl Bar {
    fn add(&mut self, x: usize, y: usize, share: f32) {
        let center = Point::new(x as f32 + 0.5, y as f32 + 0.5);
        self.area += share;
        self.first = self.first + center * share;
        for (sum, square) in self.second.iter_mut().zip([center.x * center.x, center.x * center.y, center.y * center.y]) {
            *sum += square * share;
        }
    }

    /// The rectangle with the same area, middle, direction and length.
    fn curve(&self) -> Option<Curve> {
        if self.area <= 0.0 {
            return None;
        }
        let middle = self.first * (1.0 / self.area);
        let [xx, xy, yy] = self.second.map(|sum| sum / self.area);
        let (xx, xy, yy) = (xx - middle.x * middle.x, xy - middle.x * middle.y, yy - middle.y * middle.y);
        // The larger eigenvalue, and its direction.
        let (half, difference) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let radius = (difference * difference + xy * xy).sqrt();
        let along = if difference > 0.0 { Point::new(difference + radius, xy) } else { Point::new(xy, radius - difference) };
        let length = along.length();
        let along = if length > 0.0 { along * (1.0 / length) } else { Point::new(1.0, 0.0) };
        // A pixel has the variance 1/12 in each direction, and a bar of length l has l²/12.
        let length = (12.0 * (half + radius) + 1.0).sqrt();
        let (along, across) = (along * (0.5 * length), Point::new(-along.y, along.x) * (0.5 * self.area / length));
        let corners = [middle - along - across, middle + along - across, middle + along + across, middle - along + across];
        Some(Curve::polyline(&corners, true))
    }
}

/// How much of a pixel an ink over the drawing covers.
fn ink_share(now: &Comparison<'_>, pixel: usize, ink: Channels) -> f32 {
    let by = minus(ink, now.canvas.color(pixel));
    if dot(by, by) < 75.0 && std::env::var("FULL").is_ok() { return 1.0; }
    (dot(now.lacking(pixel), by) / dot(by, by).max(1.0)).clamp(0.0, 1.0)
}

/// By how much a shape over the drawing lowers the squared error.
fn gain(now: &Comparison<'_>, shape: &Shape) -> f32 {
    let mut outline = Outline::default();
    for curve in &shape.curves {
        outline.push(curve, 0);
    }
    let paint = shape.color.premultiplied().channels();
    let mut gain = 0.0;
    let mut cover = |pixel: usize, area: f32| {
        let (lacking, drawn) = (now.lacking(pixel), now.canvas.color(pixel));
        let by = minus(paint, times(paint[3] / 255.0, drawn));
        let after = plus(lacking, -area.abs().min(1.0), by);
        gain += dot(lacking, lacking) - dot(after, after);
    };
    let size = (now.pixels.width, now.pixels.height);
    let mut sweep = Sweep::default();
    sweep.run(&outline, 0, size);
    for Covered { pixels, area, .. } in &sweep.covered {
        pixels.clone().for_each(|pixel| cover(pixel as usize, *area));
    }
    gain
}
