//! Finds smooth shading: bands that one gradient explains. Takes layers and their planar map; gives the layers with the bands joined, and
//! their gradients.
//!
//! Regions were found otherwise, each as if it were flat; here they are only joined. The steps, in order:
//! 1. [`contacts`]: between which regions a boundary only cuts a ramp.
//! 2. [`samples`]: some pixels of each region stand for all.
//! 3. [`groups`]: connected bands are tried all at once, then from the largest on with their neighbors. A group stands if its gradient's
//!    error and bytes together are less than those of its bands, at the price of a byte that the judge has.
//! 4. [`model`]: the gradient of a group, linear or radial, and its stops. A first guess in closed form ([`guess`]) is refined by least
//!    squares ([`fit`]).
mod axis;
mod contacts;
mod fit;
mod groups;
mod guess;
mod model;
mod profile;
mod samples;
mod settle;

use crate::algorithms::DisjointSets;
use crate::api::{ProgressMeter, Stopped};
use crate::classify::{byte_price, pixel_variance};
use crate::color::{PremultipliedColor, StraightColor};
use crate::geometry::{Gradient, GradientShape, GradientStop, Point};
use crate::merge::Layers;
use crate::outline::{OUTSIDE, PlanarMap};
use crate::raster::{Cracks, Pixels};
use axis::Axis;
use contacts::Contacts;
use fit::Fit;
use groups::{Finished, Search};
use model::{Centered, MOST_SAMPLES};
use profile::mean;
use samples::Samples;
use settle::settle;

/// Joins bands that gradients explain. Returns whether there are any.
pub(crate) fn shade(
    pixels: &Pixels,
    layers: &mut Layers,
    cracks: &mut Cracks,
    map: &PlanarMap,
    meter: &mut ProgressMeter<'_>,
) -> Result<bool, Stopped> {
    let contacts = Contacts::find(pixels, layers, map);
    let samples = Samples::take(pixels, (layers, cracks), &contacts, meter)?;
    let variance = pixel_variance(samples.noise_sq());
    let price = byte_price(variance);
    let is_seen: Vec<bool> = layers.fills.iter().map(|fill| fill.alpha() > 0).collect();
    let search = Search::new(&samples, &contacts, layers.labels.count, price, pixels.data.len());
    let groups = search.run(&is_seen, meter)?;
    if groups.is_empty() {
        return Ok(false);
    }
    // The group of each region, from 1 on.
    let mut group_of = vec![0; layers.labels.count];
    for (group, number) in groups.iter().zip(1..) {
        group.members.iter().for_each(|&id| group_of[id as usize] = number);
    }
    let mut sets = DisjointSets::new(layers.labels.count);
    let mut corners = vec![Vec::new(); groups.len() + 1];
    for arc in map.arcs.iter() {
        let group = |region: u32| if region == OUTSIDE { 0 } else { group_of[region as usize] };
        let [left, right] = [arc.left, arc.right].map(group);
        if left == right && left > 0 {
            sets.union(arc.left, arc.right);
        } else {
            for group in [left, right] {
                corners[group].extend(arc.corners.iter().map(|&(x, y)| Point::new(x as f32, y as f32)));
            }
        }
    }
    let (mut gradients, mut fills) = (vec![None], vec![PremultipliedColor::TRANSPARENT]);
    for (Finished { members, mut fit, .. }, corners) in groups.into_iter().zip(&corners[1..]) {
        let inside = Centered::of(&samples, &members, MOST_SAMPLES);
        let (mut least, mut most) = (fit.knots[0], fit.knots[fit.knots.len() - 1]);
        for &corner in corners {
            let offset = fit.axis.at(corner).value;
            (least, most) = (least.min(offset), most.max(offset));
        }
        let apart_px = inside.samples.iter().map(|sample| sample.weight).fold(0.0, f32::max).sqrt();
        // Pixels that touch an edge are not looked at: the middle of the next is at most 1½ diagonals from the edge.
        let margin_px = 1.5 * std::f32::consts::SQRT_2 + apart_px;
        if let Axis::Radial { center, .. } = fit.axis
            && layers.label_at(center).is_some_and(|id| members.contains(&id))
        {
            least = 0.0;
        }
        fit.extend(least, margin_px);
        fit.extend(most, margin_px);
        let gradient = gradient(&fit);
        let mut fill = PremultipliedColor::nearest(mean(&inside.samples).0);
        if gradient.is_opaque() {
            fill.0[3] = u8::MAX;
        } else {
            fill.0[3] = fill.0[3].clamp(1, u8::MAX - 1);
        }
        fills.push(fill);
        gradients.push(Some(Box::new(gradient)));
    }
    let joined = sets.into_labels();
    let mut of_label = group_of.clone();
    let mut flat = layers.fills.clone();
    joined.keep_first_of_each(&mut of_label);
    joined.keep_first_of_each(&mut flat);
    layers.fills =
        of_label.iter().zip(flat).map(|(&group, flat)| if group > 0 { fills[group] } else { flat }).collect();
    layers.gradients = of_label.iter().map(|&group| gradients[group].clone()).collect();
    cracks.regroup(&mut layers.labels, &joined, meter)?;
    settle(pixels, layers, cracks, variance, meter)?;
    Ok(true)
}

/// The gradient of a fit. Beyond its ends, renderers go on in the color of the end, so ends of one color are left out.
fn gradient(fit: &Fit) -> Gradient {
    let color = |k: usize| {
        let color = PremultipliedColor::nearest(fit.colors[k].map(|channel| channel.clamp(0.0, 255.0)));
        clipped(color).straight()
    };
    let (mut first, mut last) = (0, fit.knots.len() - 1);
    while last > first + 1 && color(last) == color(last - 1) {
        last -= 1;
    }
    while last > first + 1 && color(first) == color(first + 1) {
        first += 1;
    }
    let (from, to) = match fit.axis {
        Axis::Linear(_) => (fit.knots[first], fit.knots[last]),
        Axis::Radial { .. } => (0.0, fit.knots[last]),
    };
    let shape = match fit.axis {
        Axis::Linear(along) => GradientShape::Linear([along * from, along * to]),
        Axis::Radial { center, bend } if fit.is_ellipse => {
            GradientShape::Radial { center, axes: Axis::radii(bend).map(|axis| axis * to) }
        }
        Axis::Radial { center, .. } => {
            GradientShape::Radial { center, axes: [Point::new(to, 0.0), Point::new(0.0, to)] }
        }
    };
    let offset = |k: usize| ((fit.knots[k] - from) / (to - from)).clamp(0.0, 1.0);
    let mut stops: Vec<GradientStop> =
        (first..=last).map(|k| GradientStop { offset: offset(k), color: color(k) }).collect();
    color_transparent_stops(&mut stops);
    Gradient::new(shape, stops)
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
