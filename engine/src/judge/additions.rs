//! Adds shapes where the image shows what the drawing lacks.

use std::mem::take;

use super::bar::Bar;
use super::comparison::Comparison;
use super::patches::{EDGE_PARTS, Patch, PatchLimits, find_patches};
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{
    Channels, ColorMetric, LEAST_DIFFERENCE_SQ, MIXTURE_RESIDUAL_SQ, PremultipliedColor, StraightColor,
    distance_sq, dot, minus, projection, times,
};
use crate::coverage::{Contour, Field, contours};
use crate::fit::{ContourFitter, FitStyle};
use crate::geometry::{Curve, Drawing, Paint, Point, Shape};
use crate::raster::{is_among, within_reach};
use crate::render::{Covered, Outline, Sweep};
use crate::svg::bytes_of;

/// The boxes of all patches hold at most so many times the pixels of the image; a patch for which there is no room is not added.
///
/// Unit: count. Source: bounds the time; hundreds of drawings need less than one.
const MOST_FIELDS: usize = 8;

/// A paint on one side of a patch takes about half of the pixels around; at least one in so many.
///
/// Unit: count. Source: at the ends of a short patch, there are more of others; 3 and 5 are as good.
const AROUND_PER_BEYOND: usize = 4;

/// The color of nothing.
pub(super) const BARE: Channels = [0.0; 4];

/// What decides which shapes are added.
pub(crate) struct Additions<'a> {
    pub limits: PatchLimits,
    /// The variance of one channel of a pixel, in general and where no edge is near.
    pub variances: [f32; 2],
    /// Whether noise was smoothed or mixtures put back: then a mixture of paints along an edge is no ink.
    pub was_worn: bool,
    pub style: &'a FitStyle,
}

/// What was done to a drawing.
#[derive(PartialEq)]
pub(crate) enum Change {
    None,
    /// Pixels were cut out of shapes; the comparison shows the drawing as it is now.
    Cut,
    /// Shapes were added, with or without cuts; the comparison only predicts how they look.
    Added,
}

/// A patch on its way to a shape.
struct Draft {
    color: StraightColor,
    /// The best curves so far; none if nothing is worth its bytes.
    curves: Vec<Curve>,
    /// By how much they lower the squared error, less what the bytes of their path data cost.
    worth: f32,
}

/// Drafts of one color: one path.
struct Group {
    color: StraightColor,
    /// By how much it lowers the squared error, less what its bytes cost.
    worth: f32,
    members: Vec<Vec<Curve>>,
}

/// An ink that may explain a patch.
struct Trial<'a> {
    patch: &'a Patch,
    /// The pixels of the patch, and those around them.
    near: Vec<u32>,
    ink: Channels,
    /// Whether the ink is a paint beside the patch, which only mixes into it.
    is_beyond: bool,
}

impl Additions<'_> {
    /// Adds the shapes that save more error than their bytes cost, and cuts away what the image does not show.
    ///
    /// Each patch is drawn in two ways, as a straight bar and by its contours. What is worth more is added. If a paint beside the patch explains
    /// nothing of it, the patch is drawn in its own color. The shapes from `first` on were added before; new ones may share their paths.
    pub fn add(
        &self,
        drawing: &mut Drawing,
        first: usize,
        now: &mut Comparison<'_>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Change, Stopped> {
        let patches = find_patches(now, &self.limits, meter)?;
        let mut brush = Brush::default();
        let mut room = MOST_FIELDS * now.pixels.data.len();
        let size = (now.pixels.width, now.pixels.height);
        let mut trials = Vec::with_capacity(patches.len());
        let mut bare = Vec::new();
        for patch in &patches {
            if projection(patch.ink, patch.ground, BARE).0 < MIXTURE_RESIDUAL_SQ {
                if !patch.is_speckle {
                    bare.extend(&patch.pixels);
                }
                continue;
            }
            let near = within_reach(&patch.pixels, size, 2);
            let beyond = paint_beyond(patch, &near, now, &self.limits.metric);
            // What belongs to a paint beside it is no speckle. But noise is left at edges, and one without anti-aliasing says little of where it is.
            if (beyond.is_some() && !self.was_worn && !patch.is_rounded) || !patch.is_speckle {
                let ink = beyond.unwrap_or(patch.ink);
                trials.push(Trial { patch, near, ink, is_beyond: beyond.is_some() });
            }
        }
        let has_cut = self.cut(&bare, drawing, now, (&mut brush, &mut room), meter)?;
        let mut drafts = self.drafts(&trials, now, (&mut brush, &mut room), meter)?;
        let mut is_explained = drafts.iter().map(|draft| !draft.curves.is_empty());
        trials.retain(|Trial { patch, is_beyond, .. }| {
            !is_explained.next().unwrap_or(true) && *is_beyond && !self.was_worn && !patch.is_speckle
        });
        trials.iter_mut().for_each(|trial| (trial.ink, trial.is_beyond) = (trial.patch.ink, false));
        drafts.append(&mut self.drafts(&trials, now, (&mut brush, &mut room), meter)?);
        drafts.retain(|draft| !draft.curves.is_empty());
        let count = drawing.shapes.len();
        for Group { color, members, .. } in self.groups(drafts, &drawing.shapes[first..], now, &mut brush) {
            let paint = Paint::Flat(color);
            let last_of_path = drawing.shapes[first..].iter().rposition(|shape| shape.paint == paint);
            let mut place = last_of_path.map_or(drawing.shapes.len(), |last| first + last + 1);
            for curves in members {
                let shape = Shape { paint, curves };
                // Over those before it, it may save less.
                if self.worth(&shape, now, &mut brush) > 0.0 {
                    now.predict(&brush.changes);
                    drawing.shapes.insert(place, shape);
                    place += 1;
                }
            }
        }
        let has_added = drawing.shapes.len() > count;
        Ok(if has_added {
            Change::Added
        } else if has_cut {
            Change::Cut
        } else {
            Change::None
        })
    }

    /// Draws patches in inks: a draft for each. `room` is how many pixels the boxes of patches may still have.
    fn drafts(
        &self,
        trials: &[Trial<'_>],
        now: &mut Comparison<'_>,
        (brush, room): (&mut Brush, &mut usize),
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<Draft>, Stopped> {
        let mut drafts = Vec::with_capacity(trials.len());
        let (mut found, mut numbers) = (Vec::new(), Vec::new());
        for trial in trials {
            let inked = InkedPixels::of(trial, now, &self.limits.metric);
            let color = PremultipliedColor::nearest(trial.ink).straight();
            let mut draft = Draft { color, curves: Vec::new(), worth: 0.0 };
            self.offer(&mut draft, inked.bar.curve().into_iter().collect(), now, brush);
            found.append(&mut contours_of(&inked.shares, &trial.near, (now.pixels.width, room), meter)?);
            numbers.resize(found.len(), drafts.len());
            drafts.push(draft);
        }
        let drawn: Vec<&Contour> = found.iter().collect();
        // The ink and what is drawn beside it are known about, and so is where a patch ends.
        let fitter = ContourFitter { antialiased: false, paper_noise: 0.0, style: self.style };
        let mut curves = fitter.curves(&drawn, meter)?.into_iter().zip(numbers).peekable();
        while let Some((curve, number)) = curves.next() {
            let mut outline = vec![curve];
            while let Some((curve, _)) = curves.next_if(|&(_, next)| next == number) {
                outline.push(curve);
            }
            self.offer(&mut drafts[number], outline, now, brush);
        }
        Ok(drafts)
    }

    /// Takes these curves for a patch if they are worth more than what it has.
    fn offer(&self, draft: &mut Draft, curves: Vec<Curve>, now: &mut Comparison<'_>, brush: &mut Brush) {
        let shape = Shape { paint: Paint::Flat(draft.color), curves };
        let worth = self.worth(&shape, now, brush);
        if worth > draft.worth {
            (draft.worth, draft.curves) = (worth, shape.curves);
        }
    }

    /// By how much a shape over the drawing lowers the squared error, weighted, less what the bytes of its path data cost.
    fn worth(&self, shape: &Shape, now: &mut Comparison<'_>, brush: &mut Brush) -> f32 {
        let gain = brush.gain(now, shape, self.variances);
        // Whatever its bytes.
        if gain <= 0.0 {
            return gain;
        }
        gain - self.limits.price * bytes_of(shape, &[]).data as f32
    }

    /// Gives drafts one color, or that of shapes `added` before, where that saves more bytes than it loses error, the drafts that are worth most
    /// first.
    fn groups(
        &self,
        mut drafts: Vec<Draft>,
        added: &[Shape],
        now: &mut Comparison<'_>,
        brush: &mut Brush,
    ) -> Vec<Group> {
        let by_worth =
            sorted_by_key(0..drafts.len() as u32, |k| u32::MAX - drafts[k as usize].worth.to_bits());
        let mut groups = Vec::new();
        for shape in added {
            if let Paint::Flat(color) = shape.paint {
                groups.push(Group { color, worth: f32::MAX, members: Vec::new() });
            }
        }
        for k in by_worth {
            let Draft { color, curves, worth } = &mut drafts[k as usize];
            let mut shape = Shape { paint: Paint::Flat(*color), curves: take(curves) };
            let alone = *worth - self.limits.price * bytes_of(&shape, &[]).element as f32;
            let apart = |group: &Group| {
                let [one, other] = [group.color, *color].map(|color| color.premultiplied().channels());
                distance_sq(one, other)
            };
            let alike = groups.iter_mut().map(|group| (apart(group), group));
            let alike = alike.filter(|(apart, _)| *apart <= LEAST_DIFFERENCE_SQ);
            if let Some((_, nearest)) = alike.min_by(|a, b| a.0.total_cmp(&b.0)) {
                shape.paint = Paint::Flat(nearest.color);
                let shared = self.worth(&shape, now, brush);
                if shared > alone.max(0.0) {
                    nearest.worth += shared;
                    nearest.members.push(shape.curves);
                    continue;
                }
            }
            groups.push(Group { color: *color, worth: alone, members: vec![shape.curves] });
        }
        groups.retain(|group| group.worth > 0.0);
        groups
    }
}

/// The pixels that the ink of a patch covers, more or less.
struct InkedPixels {
    /// Each pixel, and how much of it is covered, 0 to 1.
    shares: Vec<(u32, f32)>,
    bar: Bar,
}

impl InkedPixels {
    fn of(
        &Trial { patch, ink, is_beyond, .. }: &Trial<'_>,
        now: &Comparison<'_>,
        metric: &ColorMetric,
    ) -> Self {
        let size = (now.pixels.width, now.pixels.height);
        let mut bar = Bar::default();
        // Of the pixels around a patch, its ink may cover a little.
        let share = |pixel: u32| {
            let [seen, drawn] = [now.pixels.channels(pixel as usize), now.canvas.color(pixel as usize)];
            let is_drawn = is_beyond && metric.same_layer(drawn, ink);
            let share = if is_drawn { 1.0 } else { ink_share(seen, drawn, ink) };
            bar.add((pixel as usize % size.0, pixel as usize / size.0), share);
            (pixel, share)
        };
        let shares = within_reach(&patch.pixels, size, 1).into_iter().map(share).collect();
        InkedPixels { shares, bar }
    }
}

/// The contours of what covers these shares of pixels, 0 to 1, found in the bounding box of the pixels `near`, which are in order: the
/// same, and those around them. `room` is how many pixels the boxes may still have.
pub(super) fn contours_of(
    shares: &[(u32, f32)],
    near: &[u32],
    (width_of_all, room): (usize, &mut usize),
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Contour>, Stopped> {
    let column = |pixel: &u32| *pixel as usize % width_of_all;
    let left = near.iter().map(column).min().unwrap_or(0);
    let width = near.iter().map(column).max().unwrap_or(0) + 1 - left;
    let [top, bottom] =
        [near.first(), near.last()].map(|end| end.map_or(0, |&end| end as usize / width_of_all));
    let area = width * (bottom + 1 - top);
    if area > *room {
        return Ok(Vec::new());
    }
    *room -= area;
    let in_box = |pixel: u32| (pixel as usize / width_of_all - top) * width + column(&pixel) - left;
    let mut coverage = vec![0; area];
    for &(pixel, share) in shares {
        coverage[in_box(pixel)] = (share * 255.0 + 0.5) as u8;
    }
    let near = near.iter().map(|&pixel| in_box(pixel) as u32).collect();
    let mut found = contours(&Field::solved(coverage, width, near, meter)?);
    let corner = Point::new(left as f32, top as f32);
    for point in found.iter_mut().flat_map(|contour| &mut contour.points) {
        *point = *point + corner;
    }
    Ok(found)
}

/// The paint that is drawn beside a patch, if the ink of the patch is a mixture on the way to it: then the patch belongs to what is drawn.
fn paint_beyond(patch: &Patch, near: &[u32], now: &Comparison<'_>, metric: &ColorMetric) -> Option<Channels> {
    let (mut around, mut beyond, mut least_share, mut paint) = (0, 0, 1.0, patch.ink);
    for &pixel in near.iter().filter(|pixel| !is_among(&patch.pixels, **pixel)) {
        around += 1;
        let drawn = now.canvas.color(pixel as usize);
        let (residual_sq, share) = projection(patch.ink, patch.ground, drawn);
        if residual_sq < MIXTURE_RESIDUAL_SQ && share < 1.0 && !metric.same_layer(drawn, patch.ink) {
            beyond += 1;
            if share < least_share {
                (least_share, paint) = (share, drawn);
            }
        }
    }
    (beyond * AROUND_PER_BEYOND > around).then_some(paint)
}

/// How much of a pixel an ink over what is drawn there covers.
pub(super) fn ink_share(seen: Channels, drawn: Channels, ink: Channels) -> f32 {
    let by = minus(ink, drawn);
    (dot(minus(seen, drawn), by) / dot(by, by).max(1.0)).clamp(0.0, 1.0)
}

/// Buffers to draw a shape.
#[derive(Default)]
pub(super) struct Brush {
    /// How the last shape changes each pixel that it covers.
    changes: Vec<(u32, Channels)>,
    outline: Outline,
    pub(super) sweep: Sweep,
}

impl Brush {
    /// Finds which pixels a shape covers.
    pub(super) fn sweep(&mut self, shape: &Shape, now: &mut Comparison<'_>) {
        self.outline.clear();
        for curve in &shape.curves {
            self.outline.push(curve, 0);
        }
        now.canvas.sweep(&self.outline, &mut self.sweep);
    }

    /// By how much a shape over the drawing lowers the squared error. That of pixels counts for more where their variance is less than
    /// `general`: an edge that the drawing shows in a pixel or beside it adds some of the change across it.
    fn gain(&mut self, now: &mut Comparison<'_>, shape: &Shape, [general, inner]: [f32; 2]) -> f32 {
        let Paint::Flat(paint) = shape.paint else { return 0.0 };
        self.changes.clear();
        self.sweep(shape, now);
        let paint = paint.premultiplied().channels();
        let mut gain = 0.0;
        let mut cover = |pixel: usize, area: f32| {
            let drawn = now.canvas.color(pixel);
            let lacking = minus(now.pixels.channels(pixel), drawn);
            let by = minus(paint, times(paint[3] / 255.0, drawn));
            let change = times(area.abs().min(1.0), by);
            let after = minus(lacking, change);
            self.changes.push((pixel as u32, change));
            let across = now.steepest_change(pixel);
            let variance = inner + across / f32::from(EDGE_PARTS * EDGE_PARTS * 3);
            gain += (dot(lacking, lacking) - dot(after, after)) * (general / variance).max(1.0);
        };
        for Covered { pixels, area, .. } in &self.sweep.covered {
            pixels.clone().for_each(|pixel| cover(pixel as usize, *area));
        }
        gain
    }
}
