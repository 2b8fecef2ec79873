//! Finds smooth shading: bands that one gradient explains. Takes layers and their planar map; gives the layers with the bands joined, and
//! their gradients.
//!
//! Regions were found otherwise, each as if it were flat; here they are only joined. The steps, in order:
//! 1. [`contacts`]: between which regions a boundary only cuts a ramp.
//! 2. [`samples`]: some pixels of each region stand for all.
//! 3. [`groups`]: connected bands are tried all at once, then from the largest on with their neighbors; then with translucent gradients over
//!    the first ([`layers`]), such as highlights, or with two that cross ([`crossed`]), such as shadows. A group stands if its gradients' error
//!    and [`bytes`] together are less than those of its bands, at the price of a byte that the judge has where no edge is near. A first
//!    [`guess`] of a gradient, linear or radial, in closed form is refined by least squares ([`fit`], and of two that cross [`together`]).
//! 4. Boundaries between gradients [`settle`] where these agree, and gradients are fitted to the pixels that they have then; this twice. Their
//!    colors follow from more pixels than their axes. At last, gradients [`absorb`] what is left of bands beside them.
mod absorption;
mod bytes;
mod contacts;
mod crossed;
mod equations;
mod fit;
mod freedom;
mod groups;
mod guess;
mod layers;
mod models;
mod samples;
mod together;

use crate::algorithms::DisjointSets;
use crate::api::{ProgressMeter, Stopped};
use crate::classify::{byte_price, variances};
use crate::color::{Channels, ColorMetric, PremultipliedColor, StraightColor, minus, plus};
use crate::geometry::{Axis, FLAT, Gradient, GradientShape, GradientStop, Point};
use crate::merge::{Layers, RegionPaints, SettledBoundaries, settle};
use crate::outline::{OUTSIDE, PlanarMap};
use crate::raster::{Cracks, Pixels};
use absorption::absorb;
use contacts::smooth_contacts;
use fit::Fit;
use groups::Search;
use layers::{Layer, fit_colors, fit_to};
use samples::{MOST_SAMPLES, PIXELS_PER_REGION, PIXELS_TO_COLOR_BY, Sample, Samples, mean, step_to};

/// How often boundaries settle, and gradients are fitted anew to the pixels that this gave them (after S. P. Lloyd, "Least Squares Quantization in
/// PCM", 1982).
///
/// Unit: count. Source: bounds the time; with one, shaded drawings come .1 dB less near to the truth, and with four hardly nearer.
const MOST_REFITS: usize = 2;

/// Joins bands that gradients explain. Returns whether there are any.
pub(crate) fn shade(
    pixels: &Pixels,
    layers: &mut Layers,
    cracks: &mut Cracks,
    map: &PlanarMap,
    (metric, was_worn): (&ColorMetric, bool),
    meter: &mut ProgressMeter<'_>,
) -> Result<bool, Stopped> {
    let contacts = smooth_contacts(pixels, layers, map);
    let samples =
        Samples::take(pixels, (layers, cracks), &contacts, (metric, PIXELS_PER_REGION), &|_| true, meter)?;
    // The pixels that are looked at are surer than those at edges.
    let [variance, inner] = variances(samples.noise_sq, metric.shades_sq(), was_worn);
    let inner = inner.min(variance);
    let search = Search::new(&samples, &contacts, byte_price(inner), pixels.data.len());
    let groups = search.run(&layers.fills, meter)?;
    if groups.is_empty() {
        return Ok(false);
    }
    let mut group_of = vec![FLAT; layers.labels.count];
    for (group, number) in groups.iter().zip(0..) {
        group.members.iter().for_each(|&id| group_of[id as usize] = number);
    }
    let in_groups = |id: u32| group_of[id as usize] != FLAT;
    let samples =
        Samples::take(pixels, (layers, cracks), &contacts, (metric, PIXELS_TO_COLOR_BY), &in_groups, meter)?;
    let mut sets = DisjointSets::new(layers.labels.count);
    let mut corners = vec![Vec::new(); groups.len()];
    for arc in map.arcs.iter() {
        let group = |region: u32| if region == OUTSIDE { FLAT } else { group_of[region as usize] };
        let [left, right] = [arc.left, arc.right].map(group);
        if left == right && left != FLAT {
            sets.union(arc.left, arc.right);
        } else {
            for group in [left, right].into_iter().filter(|&group| group != FLAT) {
                let found = arc.corners.iter().map(|&(x, y)| Point::new(x as f32, y as f32));
                corners[group as usize].extend(found);
            }
        }
    }
    let joined = sets.into_labels();
    joined.keep_first_of_each(&mut group_of);
    joined.keep_first_of_each(&mut layers.fills);
    layers.gradient_of = group_of;
    cracks.regroup(&mut layers.labels, &joined, meter)?;
    let mut groups: Vec<_> = groups.into_iter().map(|group| group.layers).collect();
    let mut inside = samples.of_gradients(layers, groups.len());
    for _ in 0..MOST_REFITS {
        draw(layers, &groups, &inside, &corners);
        let paints = RegionPaints::of(layers);
        let settled = settle(pixels, (&mut layers.labels, cracks), &paints, variance, meter)?;
        let Some(SettledBoundaries { origins, .. }) = settled else { break };
        layers.fills = origins.iter().map(|&id| layers.fills[id as usize]).collect();
        layers.gradient_of = origins.iter().map(|&id| layers.gradient_of[id as usize]).collect();
        inside = samples.of_gradients(layers, groups.len());
        groups.iter_mut().zip(&inside).for_each(|(group, inside)| fit_to(group, inside));
    }
    groups.iter_mut().zip(&inside).for_each(|(group, inside)| fit_colors(group, inside));
    draw(layers, &groups, &inside, &corners);
    absorb(pixels, layers, cracks, [variance, inner], meter)?;
    Ok(true)
}

/// Gives regions their gradients: those of some groups, which have pixels inside and corners around them.
fn draw(layers: &mut Layers, groups: &[Vec<Layer>], inside: &[Vec<Sample>], corners: &[Vec<Point>]) {
    let (mut gradients, mut fills) = (Vec::with_capacity(groups.len()), Vec::with_capacity(groups.len()));
    for (number, group) in (0..).zip(groups) {
        let (inside, corners) = (&inside[number as usize], &corners[number as usize]);
        let drawn = |fit: &Fit| {
            let region = layers.label_at(fit.axis.origin);
            let holds_origin = region.is_some_and(|id| layers.gradient_of[id as usize] == number);
            gradient(fit, inside, corners, holds_origin)
        };
        let mut gradient = drawn(&group[0].fit);
        for layer in &group[1..] {
            let mut over = drawn(&layer.premultiplied());
            let [r, g, b, _] = layer.color.map(|channel| (channel + 0.5) as u8);
            for stop in &mut over.stops {
                stop.color = StraightColor([r, g, b, stop.color.0[3]]);
            }
            gradient.over.push(over);
        }
        let mut fill = PremultipliedColor::nearest(mean(inside).0);
        if gradient.is_opaque() {
            fill.0[3] = u8::MAX;
        } else {
            fill.0[3] = fill.0[3].clamp(1, u8::MAX - 1);
        }
        fills.push(fill);
        gradients.push(gradient);
    }
    for (fill, gradient) in layers.fills.iter_mut().zip(&layers.gradient_of) {
        *fill = *fills.get(*gradient as usize).unwrap_or(fill);
    }
    layers.gradients = gradients;
}

/// The gradient of a fit, for regions with some corners.
fn gradient(fit: &Fit, inside: &[Sample], corners: &[Point], holds_origin: bool) -> Gradient {
    let mut offsets: Vec<f32> = (0..fit.count).map(|stop| fit.offset(stop)).collect();
    let mut colors = fit.colors[..fit.count].to_vec();
    // How far the pixels are apart that the ends were found from.
    let step = step_to(inside.len(), MOST_SAMPLES) as f32;
    let apart_px = inside.iter().map(|sample| step * sample.weight).fold(0.0, f32::max).sqrt();
    // Pixels that touch an edge are not looked at: the middle of the next is at most 1½ diagonals from the edge.
    let margin_px = 1.5 * std::f32::consts::SQRT_2 + apart_px;
    let around = corners.iter().map(|&corner| fit.axis.offset(corner));
    let around = around.chain((holds_origin && fit.axis.is_radial).then_some(0.0));
    let (least, most) =
        around.fold((offsets[0], offsets[0]), |(least, most), at| (least.min(at), most.max(at)));
    extend(&mut offsets, &mut colors, most, margin_px);
    offsets.reverse();
    colors.reverse();
    extend(&mut offsets, &mut colors, least, margin_px);
    offsets.reverse();
    colors.reverse();
    let mut stops: Vec<GradientStop> = Vec::with_capacity(offsets.len());
    for (offset, color) in offsets.into_iter().zip(colors) {
        let color = clipped(PremultipliedColor::nearest(color.map(|channel| channel.clamp(0.0, 255.0))));
        stops.push(GradientStop { offset, color: color.straight() });
    }
    color_transparent_stops(&mut stops);
    // Beyond its ends, renderers go on in the color of the end, so ends of one color are left out.
    for _ in 0..2 {
        while stops.len() > 2 && stops[stops.len() - 1].color == stops[stops.len() - 2].color {
            stops.pop();
        }
        stops.reverse();
    }
    let Axis { origin, rows: [a, b], is_radial, lean } = fit.axis;
    let from = if is_radial { 0.0 } else { stops[0].offset };
    let to = stops[stops.len() - 1].offset;
    let shape = if is_radial {
        // The inverse of a symmetric matrix.
        let by = to / a.cross(b);
        let axes = [Point::new(b.y, -a.y) * by, Point::new(-b.x, a.x) * by];
        GradientShape::Radial { focus: origin, axes, lean }
    } else {
        GradientShape::Linear([origin + a * from, origin + a * to])
    };
    stops.iter_mut().for_each(|stop| stop.offset = ((stop.offset - from) / (to - from)).clamp(0.0, 1.0));
    Gradient::new(shape, stops)
}

/// Extends the last stop by at most `most` so that it reaches an offset, as far as colors can change on as they do, and no farther than it lies
/// from the stop before: how they change beyond is not known. Stops are in order, rising or falling.
#[inline(never)]
fn extend(offsets: &mut [f32], colors: &mut [Channels], offset: f32, most: f32) {
    let last = offsets.len() - 1;
    let length = offsets[last] - offsets[last - 1];
    if length == 0.0 {
        return;
    }
    let by = minus(colors[last], colors[last - 1]);
    let mut share = ((offset - offsets[last]) / length).min(most / length.abs()).clamp(0.0, 1.0);
    let ([.., alpha], [.., alpha_by]) = (colors[last], by);
    for (channel, (&color, by)) in colors[last].iter().zip(by).enumerate() {
        // No channel grows above alpha, nor falls below zero. Half a level more is rounded off.
        let above = if channel == 3 { (255.0 - color, by) } else { (alpha - color, by - alpha_by) };
        for (room, by) in [above, (color, -by)] {
            let room = 0.5 + room.max(0.0);
            if by * share > room {
                share = room / by;
            }
        }
    }
    offsets[last] += share * length;
    colors[last] = plus(colors[last], share, by);
}

/// With no channel above alpha.
fn clipped(PremultipliedColor([r, g, b, alpha]): PremultipliedColor) -> PremultipliedColor {
    PremultipliedColor([r.min(alpha), g.min(alpha), b.min(alpha), alpha])
}

/// Gives transparent stops the color of the stop beside them, since renderers mix colors and opacities apart.
fn color_transparent_stops(stops: &mut [GradientStop]) {
    let seen = |stop: &&GradientStop| stop.color.0[3] > 0;
    for k in 0..stops.len() {
        if stops[k].color.0[3] == 0 {
            let beside = stops[..k].iter().rev().chain(&stops[k + 1..]).find(seen);
            let [r, g, b, _] = beside.map_or([0; 4], |stop| stop.color.0);
            stops[k].color = StraightColor([r, g, b, 0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the last of three stops ends up, and its first channel.
    fn extended(offsets: [f32; 3], levels: [f32; 3], to: f32) -> [f32; 2] {
        let (mut offsets, mut colors) = (offsets, levels.map(|level| [level, level, level, 255.0]));
        extend(&mut offsets, &mut colors, to, 36.0);
        [offsets[2], colors[2][0]]
    }

    #[test]
    fn a_gradient_goes_on_to_the_outline() {
        assert_eq!(extended([0.0, 10.0, 30.0], [10.0, 20.0, 60.0], 34.0), [34.0, 68.0]);
        assert_eq!(extended([30.0, 10.0, 0.0], [10.0, 20.0, 60.0], -5.0), [-5.0, 80.0]);
    }

    #[test]
    fn a_short_way_between_stops_tells_nothing_of_what_lies_far_beyond() {
        assert_eq!(extended([0.0, 10.0, 10.5], [10.0, 20.0, 60.0], 40.0), [11.0, 100.0]);
    }
}
