//! What some regions cost by a model: one color, one gradient, or several over each other; and the best model.

use super::bytes::{
    BAND_BYTES, BOUNDARY_BYTES, CROSSED_BYTES, ELLIPSE_BYTES, OVER_BYTES, SHORTEST_BYTES, STOP_BYTES,
    bytes_of,
};
use super::contacts::Lists;
use super::crossed::crossed;
use super::fit::Fit;
use super::freedom::Freedom;
use super::guess::guess;
use super::layers::{Layer, STEPS, color_over, error_of, refit, share_of, unknowns};
use super::samples::{MOST_SAMPLES, Sample, Samples, mean};
use crate::geometry::Axis;

/// The most gradients over each other.
///
/// Unit: count. Source: bounds the time.
const MOST_LAYERS: usize = 3;

/// The most pixels that a gradient is fitted to while groups are looked for.
///
/// Unit: count. Source: bounds the time of a fit.
pub(super) const SAMPLES_TO_COMPARE: usize = 96;

/// How often an axis is improved while groups of one gradient are looked for.
///
/// Unit: count. Source: bounds the time.
const STEPS_TO_COMPARE: usize = 2;

/// Regions that one gradient explains, or several over each other.
#[derive(Clone, Default)]
pub(super) struct Group {
    pub members: Vec<u32>,
    /// The gradients, the lowest first. None: one color.
    pub layers: Vec<Layer>,
    pub error: f32,
    /// Error, and bytes by their price: those of the gradient and of the path.
    pub cost: f32,
    /// How many members there were when the axis was guessed.
    first: usize,
}

/// Finds models for regions.
pub(super) struct Models<'a> {
    pub samples: &'a Samples,
    pub contacts: &'a Lists,
    /// The squared error that a byte must save.
    price: f32,
    /// For each region, what its own color costs.
    flat: Vec<f32>,
    /// For each region, the most of that which is the error of one of its pixels that are looked at.
    most_of_one: Vec<f32>,
}

impl<'a> Models<'a> {
    pub fn new(samples: &'a Samples, contacts: &'a Lists, price: f32) -> Self {
        let mut models = Models { samples, contacts, price, flat: Vec::new(), most_of_one: Vec::new() };
        let regions = 0..samples.regions() as u32;
        models.flat = regions.clone().map(|id| models.of_one(id).cost).collect();
        models.most_of_one = regions.map(|id| largest_error(samples.of(id))).collect();
        models
    }

    /// A region in its own color.
    pub fn of_one(&self, id: u32) -> Group {
        self.flat_group(vec![id], self.samples.of(id))
    }

    /// The regions with the best model for all of them: one color, a linear gradient, or a radial one around a circle or an ellipse. It starts
    /// with the fit of a group, unless the members are twice as many as when that was found.
    #[inline(never)]
    pub fn group(&self, members: Vec<u32>, like: Option<&Group>) -> Group {
        let samples = self.samples.some_of(&members, SAMPLES_TO_COMPARE);
        let mut best = self.flat_group(members, &samples);
        let path = self.cost_of_path(&best.members);
        let old = like.filter(|like| best.members.len() < 2 * like.first);
        if old.is_none() && best.error < self.price * SHORTEST_BYTES as f32 {
            return best;
        }
        let mut first = best.first;
        let mut start = None;
        if let Some(Group { layers, first: before, .. }) = old
            && let Some(Layer { fit, .. }) = layers.first()
        {
            start = Some((fit.axis, fit.freedom));
            first = *before;
        }
        if let Some(group) = self.best_gradient(&samples, start, (best.cost - path, best.error), true) {
            best = Group { members: best.members, cost: group.cost + path, first, ..group };
        }
        best
    }

    /// The best gradient by itself, from an axis on or from guesses, if it costs less than what has some cost and error. Only the lowest may have
    /// a focus beside its center: of a highlight over it, this would explain what the lowest leaves.
    fn best_gradient(
        &self,
        samples: &[Sample],
        start: Option<(Axis, Freedom)>,
        (mut cost, mut error): (f32, f32),
        is_lowest: bool,
    ) -> Option<Group> {
        let mut best: Option<Group> = None;
        let [linear, mut circle] = if start.is_some() { Default::default() } else { guess(samples) };
        for k in 0.. {
            let found =
                best.as_ref().map(|group| &group.layers[0].fit).filter(|fit| is_lowest && fit.axis.is_radial);
            let (axis, freedom) = match (k, start, found) {
                (0, Some(start), _) => start,
                (0, None, _) => (linear, Freedom::Direction),
                (1, None, _) => (circle, Freedom::Center),
                (2, None, _) => (circle, Freedom::Ellipse),
                (3, None, Some(_)) => (circle, Freedom::Focus),
                // What the best one could not change.
                (4, None, Some(Fit { axis, freedom: Freedom::Ellipse, .. })) => (*axis, Freedom::Focus),
                (4, None, Some(Fit { axis, freedom: Freedom::Focus, .. })) => (*axis, Freedom::Ellipse),
                _ => break,
            };
            let mut fit = Fit::new(axis, freedom);
            fit.refine(samples, false, STEPS_TO_COMPARE);
            if k == 1 {
                circle = fit.axis;
            }
            let group = self.group_by(vec![Layer { fit, color: [0.0; 4] }], samples, false);
            if group.cost < cost {
                (cost, error) = (group.cost, group.error);
                best = Some(group);
            }
            // Another axis is not worth its time where the error is less than its bytes would cost.
            if error < self.price * [STOP_BYTES, ELLIPSE_BYTES][k.min(1)] as f32 {
                break;
            }
        }
        best
    }

    /// The regions with the gradients of a group, and with one more over these if it pays. `None` if that does not cost less than `most`.
    pub fn layered(&self, members: &[u32], like: &Group, most: f32) -> Option<Group> {
        if self.layered_in(members, like, true).cost >= most {
            return None;
        }
        Some(self.layered_in(members, like, false)).filter(|group| group.cost < most)
    }

    /// The same, whatever it costs. A trial looks at few pixels, and its cost is the least that can be: as if what is fitted to these left no
    /// more error in others.
    pub fn layered_in(&self, members: &[u32], like: &Group, is_trial: bool) -> Group {
        let most_samples = if is_trial { SAMPLES_TO_COMPARE } else { MOST_SAMPLES };
        let samples = self.samples.some_of(members, most_samples);
        let path = self.cost_of_path(members);
        let rated = |layers: Vec<Layer>| {
            let mut group = self.group_by(layers, &samples, false);
            if is_trial {
                group.cost = group.error + self.price * bytes_of(&group.layers, false) as f32;
            }
            group
        };
        let mut layers = like.layers.clone();
        refit(&mut layers, &samples);
        let mut best = rated(layers);
        if best.error > self.price * (SHORTEST_BYTES + OVER_BYTES) as f32
            && like.layers.len() < MOST_LAYERS
            && let Some(color) = color_over(&like.layers, &samples)
        {
            let mut layers = like.layers.clone();
            let last = layers.len();
            layers.push(Layer { fit: layers[0].fit.clone(), color });
            let share = share_of(&layers, last, &samples);
            if let Some(mut group) = self.best_gradient(&share, None, (f32::INFINITY, f32::INFINITY), false) {
                layers[last].fit = group.layers.remove(0).fit;
                refit(&mut layers, &samples);
                let group = rated(layers);
                if group.cost < best.cost {
                    best = group;
                }
            }
        }
        best.cost += path;
        Group { first: members.len(), members: members.to_vec(), ..best }
    }

    /// The regions with two gradients that cross. `None` if that cannot cost less than `most`, even if it explained all.
    pub fn crossed(&self, members: &[u32], most: f32) -> Option<Group> {
        let path = self.cost_of_path(members);
        if members.len() < 2 || path + self.price * CROSSED_BYTES as f32 >= most {
            return None;
        }
        let samples = self.samples.some_of(members, usize::MAX);
        let mut layers = crossed(&samples, most)?;
        refit(&mut layers, &samples);
        let mut group = self.group_by(layers, &samples, false);
        group.cost += path;
        Some(Group { first: members.len(), members: members.to_vec(), ..group })
    }

    /// A group with as few stops as pay, at their best places. `None` if it does not pay after all.
    pub fn finished(&self, Group { members, mut layers, .. }: Group) -> Option<Group> {
        if layers.is_empty() {
            return None;
        }
        let samples = self.samples.some_of(&members, MOST_SAMPLES);
        refit(&mut layers, &samples);
        let mut likely = self.group_by(layers, &samples, true);
        // From the uppermost on, as they were refitted: what lies beneath makes up for what is simplified above.
        for k in (0..likely.layers.len()).rev() {
            let share = share_of(&likely.layers, k, &samples);
            // Stops go one by one, each time the one whose absence adds least error. How many stay is first estimated, then tried.
            for moves_stops in [false, true] {
                let mut next = Some(likely.layers[k].fit.clone());
                while let Some(mut fit) = next {
                    if moves_stops {
                        fit.refine(&share, true, STEPS);
                    }
                    next = fit.with_fewer_stops(&share);
                    let mut layers = likely.layers.clone();
                    layers[k].fit = fit;
                    let group = self.group_by(layers, &samples, true);
                    if group.cost <= likely.cost {
                        likely = group;
                    } else if moves_stops {
                        break;
                    }
                }
            }
        }
        // Other pixels tell what gradients show between those that they were fitted to.
        let samples = self.samples.some_of(&members, usize::MAX);
        likely = self.group_by(likely.layers, &samples, true);
        likely.cost += self.cost_of_path(&members);
        let pays = likely.cost < self.flat_cost(&members);
        pays.then_some(Group { members, ..likely })
    }

    /// Whether the error that gradients leave would not pay for another one.
    pub fn is_explained(&self, group: &Group) -> bool {
        !group.layers.is_empty() && group.error < self.price * SHORTEST_BYTES as f32
    }

    /// What regions cost in their own colors.
    pub fn flat_cost(&self, members: &[u32]) -> f32 {
        members.iter().map(|&id| self.flat[id as usize]).sum()
    }

    /// Whether regions cost so much that a gradient may cost less. By what one pixel differs, no gradient can be told.
    pub fn may_pay(&self, members: &[u32]) -> bool {
        let most = members.iter().map(|&id| self.most_of_one[id as usize]).fold(0.0, f32::max);
        self.flat_cost(members) - most > self.price * (BAND_BYTES + SHORTEST_BYTES) as f32
    }

    /// What the path around some regions costs, as far as it does not follow edges.
    fn cost_of_path(&self, members: &[u32]) -> f32 {
        let is_outside = |id: &u32| !members.contains(id);
        let boundaries: usize =
            members.iter().map(|&id| self.contacts.of(id).filter(is_outside).count()).sum();
        self.price * (BAND_BYTES + BOUNDARY_BYTES * boundaries / 2) as f32
    }

    /// Regions in one color.
    fn flat_group(&self, members: Vec<u32>, samples: &[Sample]) -> Group {
        let (_, error) = mean(samples);
        let cost = error + self.cost_of_path(&members);
        Group { layers: Vec::new(), error, cost, first: members.len(), members }
    }

    /// A group with gradients, without its members and what the path costs. Two stops are the least, and what more there are will pay, unless they are
    /// `all` that are needed.
    fn group_by(&self, layers: Vec<Layer>, samples: &[Sample], all: bool) -> Group {
        // The error to expect in all pixels: what is fitted to a few of them leaves less error in these than in others (H. Akaike's final
        // prediction error, "Fitting Autoregressive Models for Prediction", 1969).
        let (count, unknowns) = (samples.len() as f32, unknowns(&layers, all) as f32);
        let error = error_of(&layers, samples);
        let factor = if count > unknowns { (count + unknowns) / (count - unknowns) } else { f32::INFINITY };
        let cost = error * factor + self.price * bytes_of(&layers, all) as f32;
        Group { layers, error, cost, ..Group::default() }
    }
}

/// The largest error that the mean of some pixels leaves in one.
fn largest_error(samples: &[Sample]) -> f32 {
    let (mean, _) = mean(samples);
    samples.iter().map(|sample| sample.error_of(mean)).fold(0.0, f32::max)
}
