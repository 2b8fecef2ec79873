//! Two gradients that cross: how colors fade across, and over it, in the color of what lies around, how they fade along. The soft shadow of a card
//! is the product of both; ellipses, longer or shorter, fit its corners.

use super::fit::Fit;
use super::freedom::{Freedom, bent};
use super::layers::{Layer, is_opaque, share_of};
use super::samples::{MOST_SAMPLES, Sample, middle, some};
use super::together::Together;
use crate::color::{Channels, distance_sq, dot, minus, plus};
use crate::geometry::{Axis, Point};

/// From so many pairs of ellipses the fit starts, evenly spread between circles and lines. Of two starts, the better goes on; of these again.
///
/// Unit: count. Source: with four, shadows take a twentieth more bytes; more change nothing.
const STARTS: u8 = 8;

/// How many steps all that are left share in each round, and how many the best one gets in the end.
///
/// Unit: count. Source: bounds the time; more change nothing.
const STEPS: [usize; 2] = [48, 45];

/// How often stops are spread before that.
///
/// Unit: count. Source: bounds the time; more change nothing.
const SPREADS: usize = 2;

/// Pixels that differ from what lies around by less than so small a part of what the most different one does lie around, too.
///
/// Unit: count (parts). Source: with an eighth or a half, shadows come less near.
const FAINT_PART: u8 = 4;

/// What most differs from what lies around is so much; under what lies over it, it can be more.
///
/// Unit: levels. Source: half of what a channel holds.
const MOST_APART: u8 = 128;

/// Two gradients that cross, fitted to some pixels. `None` where what lies around is translucent, or if the first steps leave an error of
/// `most` or more.
#[inline(never)]
pub(super) fn crossed(samples: &[Sample], most: f32) -> Option<Vec<Layer>> {
    let around = color_around(samples).filter(|&[.., alpha]| is_opaque(alpha))?;
    let (apart, aside) = apart_from(around, samples)?;
    if aside >= most {
        return None;
    }
    let center = center_of(&apart);
    let few = some(apart.iter(), apart.len(), MOST_SAMPLES);
    let start = |start: u8| start_with(f32::from(start) / f32::from(STARTS + 1), center, &few);
    let mut started: Vec<Together> = (1..=STARTS).map(start).collect();
    while started.len() > 1 {
        let steps = STEPS[0] / started.len();
        started.iter_mut().for_each(|started| started.refine(steps));
        let half = started.split_off(started.len() / 2);
        for (one, other) in started.iter_mut().zip(half) {
            if other.error < one.error {
                *one = other;
            }
        }
    }
    let best = started.pop().filter(|best| aside + best.error < most)?;
    let mut best = Together::new(best.layers, &apart);
    best.refine(STEPS[1]);
    let mut layers = Vec::from(best.layers);
    layers[1].color = around;
    let share = share_of(&layers, 0, samples);
    layers[0].fit.refine(&share, false, 0);
    Some(layers)
}

/// In the first channel, how much pixels differ from what lies around, as the most different one does; and the squared error of how they differ
/// otherwise.
fn apart_from(around: Channels, samples: &[Sample]) -> Option<(Vec<Sample>, f32)> {
    let most = samples
        .iter()
        .max_by(|a, b| distance_sq(a.color, around).total_cmp(&distance_sq(b.color, around)))?;
    let along = minus(most.color, around);
    let length_sq = dot(along, along).max(1.0);
    let mut apart = samples.to_vec();
    let mut aside = 0.0;
    for sample in &mut apart {
        let share = (dot(minus(sample.color, around), along) / length_sq).max(0.0);
        aside += sample.error_of(plus(around, share, along));
        sample.color = [share * f32::from(MOST_APART), 0.0, 0.0, 0.0];
        sample.scale(length_sq / (f32::from(MOST_APART) * f32::from(MOST_APART)));
    }
    Some((apart, aside))
}

/// Two upright gradients around a point, more or less long, with the colors and the stops that their pixels ask for.
#[inline(never)]
fn start_with(bend: f32, center: Point, apart: &[Sample]) -> Together<'_> {
    let mut layers = [bend, -bend].map(|bend| {
        let rows = bent(Point::new(bend, 0.0));
        let axis = Axis { origin: center, rows, is_radial: true, lean: Point::default() };
        Layer { fit: Fit::new(axis, Freedom::Ellipse), color: [0.0; 4] }
    });
    layers[0].fit.refine(apart, false, 0);
    for spreads in 0..=SPREADS {
        for k in [1, 0] {
            if spreads > 0 {
                layers[k].fit.spread();
            }
            let share = share_of(&layers, k, apart);
            layers[k].fit.refine(&share, false, 0);
        }
    }
    Together::new(layers, apart)
}

/// The color of the pixels that lie farthest out.
fn color_around(samples: &[Sample]) -> Option<Channels> {
    let (origin, _) = middle(samples);
    let axis = Axis { origin, rows: Axis::CIRCLE, is_radial: true, lean: Point::default() };
    let mut fit = Fit::new(axis, Freedom::Center);
    fit.refine(samples, false, 0);
    fit.colors[..fit.count].last().copied()
}

/// The middle of the pixels that differ from what lies around.
fn center_of(apart: &[Sample]) -> Point {
    let [mut from, mut to] = [f32::INFINITY, -f32::INFINITY].map(|far| Point::new(far, far));
    for Sample { at, .. } in
        apart.iter().filter(|sample| f32::from(FAINT_PART) * sample.color[0] >= f32::from(MOST_APART))
    {
        from = Point::new(from.x.min(at.x), from.y.min(at.y));
        to = Point::new(to.x.max(at.x), to.y.max(at.y));
    }
    (from + to) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shade::layers::error_of;

    /// Pixels around a dark card of 40 × 24, of which the shadow is blurred.
    fn shadow() -> Vec<Sample> {
        let within =
            |at: f32, from: f32, to: f32| 1.0 / (1.0 + (from - at).exp2()) / (1.0 + (at - to).exp2());
        let sample = |k: u32| {
            let at = Point::new((k % 25 * 4) as f32, (k / 25 * 4) as f32);
            let dark = within(at.x / 2.0, 15.0, 35.0) * within(at.y / 2.0, 19.0, 31.0);
            Sample {
                at,
                color: [250.0 - 120.0 * dark, 250.0 - 60.0 * dark, 250.0, 255.0],
                weight: 16.0,
                allowed: 0.75,
            }
        };
        let is_card =
            |sample: &Sample| (32.0..68.0).contains(&sample.at.x) && (40.0..60.0).contains(&sample.at.y);
        (0..625).map(sample).filter(|sample| !is_card(sample)).collect()
    }

    #[test]
    fn a_blurred_rectangle_is_two_gradients() {
        let samples = shadow();
        let layers = crossed(&samples, f32::INFINITY).unwrap();
        assert!(error_of(&layers, &samples) < 10_000.0 * 0.5, "{}", error_of(&layers, &samples));
        let [r, g, b, _] = layers[1].color;
        assert!((r - 250.0).abs() < 2.0 && (g - 250.0).abs() < 2.0 && (b - 250.0).abs() < 2.0);
    }

    #[test]
    fn stops_gather_where_colors_change() {
        let mut samples = shadow();
        samples.iter_mut().for_each(|sample| sample.color = [9.0 * sample.at.x.clamp(40.0, 60.0) - 300.0; 4]);
        let axis = Axis { rows: [Point::new(1.0, 0.0), Point::default()], ..Axis::default() };
        let mut fit = Fit::new(axis, Freedom::Direction);
        fit.refine(&samples, false, 0);
        let largest = |fit: &Fit| {
            let changes = fit.colors[..fit.count].windows(2).map(|pair| distance_sq(pair[0], pair[1]));
            changes.fold(0.0, f32::max).sqrt()
        };
        let before = largest(&fit);
        fit.spread();
        fit.refine(&samples, false, 0);
        assert!(largest(&fit) < before * 0.8, "{before} {}", largest(&fit));
        assert!((1..fit.count).all(|k| fit.offset(k - 1) < fit.offset(k)));
    }

    #[test]
    fn what_differs_in_several_ways_is_not_tried() {
        let mut samples = shadow();
        samples.iter_mut().for_each(|sample| sample.color[2] = if sample.at.x < 50.0 { 90.0 } else { 250.0 });
        assert!(crossed(&samples, 1e6).is_none());
        assert!(crossed(&samples, f32::INFINITY).is_some());
    }

    #[test]
    fn there_is_none_on_translucent_ground() {
        let mut samples = shadow();
        samples.iter_mut().for_each(|sample| sample.color = sample.color.map(|channel| channel * 0.5));
        assert!(crossed(&samples, f32::INFINITY).is_none());
    }
}
