//! Finds groups of regions that one gradient explains, or a few over each other: chains of bands, between which there is no edge.

use super::bytes::{
    BAND_BYTES, BOUNDARY_BYTES, ELLIPSE_BYTES, OVER_BYTES, SHORTEST_BYTES, STOP_BYTES, bytes_of,
};
use super::contacts::Lists;
use super::fit::{Fit, Freedom};
use super::guess::guess;
use super::layers::{Layer, color_over, error_of, refit, share_of};
use super::samples::{Sample, Samples, mean};
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;
use crate::geometry::Axis;

/// The most gradients over each other.
///
/// Unit: count. Source: bounds the time.
const MOST_LAYERS: usize = 3;

/// One fit for so many pixels of the image is tried at most, and [`FEWEST_FITS`] more.
///
/// Unit: count. Source: bounds the time; of shaded drawings, few need as many.
const PIXELS_PER_FIT: usize = 1024;

/// Fits for which there is always time.
///
/// Unit: count. Source: bounds the time; drawings of 128 pixels with twenty bands need up to sixty.
const FEWEST_FITS: usize = 64;

/// How many fits it takes to try gradients over each other.
///
/// Unit: count. Source: counted, as long as these are few.
const LAYERED_FITS: usize = 4;

/// The most pixels that a gradient is fitted to.
///
/// Unit: count. Source: bounds the time of a fit.
pub(super) const MOST_SAMPLES: usize = 512;

/// The same while groups are looked for.
///
/// Unit: count. Source: bounds the time of a fit.
const SAMPLES_TO_COMPARE: usize = 96;

/// How often an axis is improved.
///
/// Unit: count. Source: bounds the time; fits of clean gradients end before.
const STEPS: usize = 6;

/// The same while groups are looked for.
///
/// Unit: count. Source: bounds the time.
const STEPS_TO_COMPARE: usize = 2;

/// Regions that one gradient explains, or several over each other.
#[derive(Clone, Default)]
pub(super) struct Group {
    pub members: Vec<u32>,
    /// The gradients, the lowest first. None: one color.
    pub layers: Vec<Layer>,
    error: f32,
    /// Error, and bytes by their price: those of the gradient and of the path.
    cost: f32,
    /// How many members there were when the axis was guessed.
    first: usize,
}

/// What is left of the search.
pub(super) struct Search<'a> {
    samples: &'a Samples,
    contacts: &'a Lists,
    /// The squared error that a byte must save.
    price: f32,
    fits_left: usize,
    /// For each region, what its own color costs.
    flat: Vec<f32>,
    /// The groups, each at the number of one of its regions; the others are empty.
    groups: Vec<Group>,
    /// The group of each region.
    group_of: Vec<u32>,
}

impl<'a> Search<'a> {
    /// All regions by themselves.
    pub fn new(samples: &'a Samples, contacts: &'a Lists, price: f32, pixels: usize) -> Self {
        let fits_left = pixels / PIXELS_PER_FIT + FEWEST_FITS;
        let (flat, groups, group_of) = Default::default();
        let mut search = Search { samples, contacts, price, fits_left, flat, groups, group_of };
        for id in 0..samples.regions() as u32 {
            let group = search.flat_group(vec![id], samples.of(id));
            search.flat.push(group.cost);
            search.groups.push(group);
            search.group_of.push(id);
        }
        search
    }

    /// Finds the groups that a gradient explains better than flat colors.
    pub fn run(
        mut self,
        fills: &[PremultipliedColor],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<Group>, Stopped> {
        let mut found = Vec::new();
        for members in self.connected(fills) {
            meter.advance(members.len())?;
            if !self.may_pay(&members) {
                continue;
            }
            let whole = self.whole(members);
            if self.is_explained(&whole) {
                found.extend(self.finished(whole));
                continue;
            }
            self.grow(&whole.members, meter)?;
            let cost: f32 = whole.members.iter().map(|&id| self.groups[id as usize].cost).sum();
            if !whole.layers.is_empty() && whole.cost < cost {
                found.extend(self.finished(whole));
                continue;
            }
            for id in whole.members {
                let group = std::mem::take(&mut self.groups[id as usize]);
                found.extend(self.finished(group));
            }
        }
        Ok(found)
    }

    /// All of some regions, with gradients over the first as long as one more pays.
    fn whole(&mut self, members: Vec<u32>) -> Group {
        let mut whole = self.group(members, None);
        while !whole.layers.is_empty() && !self.is_explained(&whole) {
            let next = self.layered(whole.members.clone(), &whole);
            if next.layers.len() == whole.layers.len() || next.cost >= whole.cost {
                break;
            }
            whole = next;
        }
        whole
    }

    /// Whether the error that gradients leave would not pay for another one.
    fn is_explained(&self, group: &Group) -> bool {
        !group.layers.is_empty() && group.error < self.price * SHORTEST_BYTES as f32
    }

    /// A group with as few stops as pay, at their best places. `None` if it does not pay after all.
    fn finished(&self, Group { members, mut layers, .. }: Group) -> Option<Group> {
        if layers.is_empty() {
            return None;
        }
        let samples = self.samples.some_of(&members, MOST_SAMPLES);
        refit(&mut layers, &samples, STEPS);
        let mut likely = self.group_by(Vec::new(), layers, &samples, true);
        for k in 0..likely.layers.len() {
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
                    let group = self.group_by(Vec::new(), layers, &samples, true);
                    if group.cost <= likely.cost {
                        likely = group;
                    } else if moves_stops {
                        break;
                    }
                }
            }
        }
        likely.cost += self.cost_of_path(&members);
        let pays = likely.cost < self.flat_cost(&members);
        pays.then_some(Group { members, ..likely })
    }

    /// What regions cost in their own colors.
    fn flat_cost(&self, members: &[u32]) -> f32 {
        members.iter().map(|&id| self.flat[id as usize]).sum()
    }

    /// Whether regions cost so much that a gradient may cost less.
    fn may_pay(&self, members: &[u32]) -> bool {
        self.flat_cost(members) > self.price * (BAND_BYTES + SHORTEST_BYTES) as f32
    }

    /// What the path around some regions costs, as far as it does not follow edges.
    fn cost_of_path(&self, members: &[u32]) -> f32 {
        let is_outside = |id: &u32| !members.contains(id);
        let boundaries: usize =
            members.iter().map(|&id| self.contacts.of(id).filter(is_outside).count()).sum();
        self.price * (BAND_BYTES + BOUNDARY_BYTES * boundaries / 2) as f32
    }

    /// The regions that are seen, connected by boundaries that only cut ramps.
    fn connected(&self, fills: &[PremultipliedColor]) -> Vec<Vec<u32>> {
        let mut sets = DisjointSets::new(fills.len());
        for id in 0..fills.len() as u32 {
            for other in self.contacts.of(id).filter(|&other| other < id) {
                sets.union(id, other);
            }
        }
        let groups = sets.into_labels();
        let mut found = vec![Vec::new(); groups.count];
        for (id, _) in fills.iter().enumerate().filter(|(_, fill)| fill.alpha() > 0) {
            found[groups.ids[id] as usize].push(id as u32);
        }
        found
    }

    /// Regions in one color.
    fn flat_group(&self, members: Vec<u32>, samples: &[Sample]) -> Group {
        let (_, error) = mean(samples);
        let cost = error + self.cost_of_path(&members);
        Group { layers: Vec::new(), error, cost, first: members.len(), members }
    }

    /// A group with a fit. What its cost lacks is the path's. Two stops are the least, and what more there are will pay, unless they are
    /// `all` that are needed.
    fn group_by(&self, members: Vec<u32>, layers: Vec<Layer>, samples: &[Sample], all: bool) -> Group {
        // The error to expect in all pixels: what is fitted to a few of them leaves less error in these than in others (H. Akaike's final
        // prediction error, "Fitting Autoregressive Models for Prediction", 1969).
        let unknowns: usize = layers.iter().map(|Layer { fit, .. }| fit.unknowns(all) + fit.count).sum();
        let (count, unknowns) = (samples.len() as f32, unknowns as f32);
        let error = error_of(&layers, samples);
        let factor = if count > unknowns { (count + unknowns) / (count - unknowns) } else { f32::INFINITY };
        let cost = error * factor + self.price * bytes_of(&layers, all) as f32;
        Group { first: members.len(), members, layers, error, cost }
    }

    /// The regions with the best model for all of them: one color, a linear gradient, or a radial one around a circle or an ellipse. It starts
    /// with the fit of a group, unless the members are twice as many as when that was found.
    #[inline(never)]
    fn group(&mut self, members: Vec<u32>, like: Option<&Group>) -> Group {
        self.fits_left = self.fits_left.saturating_sub(1);
        let samples = self.samples.some_of(&members, SAMPLES_TO_COMPARE);
        let mut best = self.flat_group(members, &samples);
        let path = self.cost_of_path(&best.members);
        let old = like.filter(|like| best.members.len() < 2 * like.first);
        if old.is_none() && best.error < self.price * SHORTEST_BYTES as f32 {
            return best;
        }
        let mut first = best.first;
        let mut fits = Vec::with_capacity(3);
        if let Some(Group { layers, first: before, .. }) = old
            && let Some(Layer { fit, .. }) = layers.first()
        {
            fits.push((fit.axis, fit.freedom));
            first = *before;
        }
        if let Some(group) = self.best_gradient(&samples, fits, (best.cost - path, best.error)) {
            best = Group { members: best.members, cost: group.cost + path, first, ..group };
        }
        best
    }

    /// The best gradient by itself, from some axes on or from guesses, if it costs less than what has some cost and error.
    fn best_gradient(
        &self,
        samples: &[Sample],
        mut fits: Vec<(Axis, Freedom)>,
        (mut cost, mut error): (f32, f32),
    ) -> Option<Group> {
        let mut best = None;
        if fits.is_empty() {
            let [linear, radial] = guess(samples);
            fits.extend([
                (linear, Freedom::Direction),
                (radial, Freedom::Center),
                (radial, Freedom::Ellipse),
            ]);
        }
        for k in 0..fits.len() {
            let mut fit = Fit::new(samples, fits[k].0, fits[k].1);
            fit.refine(samples, false, STEPS_TO_COMPARE);
            if k == 1 {
                fits[2].0 = fit.axis;
            }
            let group = self.group_by(Vec::new(), vec![Layer { fit, color: [0.0; 4] }], samples, false);
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

    /// The regions with the gradients of a group, and with one more over these if it pays.
    fn layered(&mut self, members: Vec<u32>, like: &Group) -> Group {
        self.fits_left = self.fits_left.saturating_sub(LAYERED_FITS);
        let samples = self.samples.some_of(&members, MOST_SAMPLES);
        let path = self.cost_of_path(&members);
        let mut layers = like.layers.clone();
        refit(&mut layers, &samples, STEPS_TO_COMPARE);
        let mut best = self.group_by(Vec::new(), layers, &samples, false);
        if best.error > self.price * (SHORTEST_BYTES + OVER_BYTES) as f32
            && like.layers.len() < MOST_LAYERS
            && let Some(color) = color_over(&like.layers, &samples)
        {
            let mut layers = like.layers.clone();
            layers.push(Layer { fit: layers[0].fit.clone(), color });
            let share = share_of(&layers, layers.len() - 1, &samples);
            if let Some(mut group) = self.best_gradient(&share, Vec::new(), (f32::INFINITY, f32::INFINITY)) {
                let last = layers.len() - 1;
                layers[last].fit = group.layers.remove(0).fit;
                refit(&mut layers, &samples, STEPS_TO_COMPARE);
                let group = self.group_by(Vec::new(), layers, &samples, false);
                if group.cost < best.cost {
                    best = group;
                }
            }
        }
        best.cost += path;
        Group { first: members.len(), members, ..best }
    }

    /// Grows groups from the largest regions on; then, of those with a gradient, from the largest on with gradients over it.
    fn grow(&mut self, members: &[u32], meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let weight = |id: u32| self.samples.of(id).iter().map(|sample| sample.weight).sum::<f32>() as u32;
        let seeds = sorted_by_key(members.iter().copied(), |id| u32::MAX - weight(id));
        for is_layered in [false, true] {
            for &seed in &seeds {
                self.grow_from(seed, is_layered, meter)?;
            }
        }
        Ok(())
    }

    /// Grows the group of a region by those beside it, as long as there is one for which that pays.
    fn grow_from(
        &mut self,
        seed: u32,
        is_layered: bool,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        if self.group_of[seed as usize] != seed {
            return Ok(());
        }
        let mut group = self.groups[seed as usize].clone();
        if !is_layered {
            let near: Vec<u32> = self.contacts.of(seed).chain([seed]).collect();
            if !self.may_pay(&near) {
                return Ok(());
            }
            group = self.group(vec![seed], None);
        } else if group.layers.is_empty() {
            return Ok(());
        }
        meter.advance(self.samples.of(seed).len())?;
        let mut taken = vec![seed];
        let mut tried = taken.clone();
        while self.fits_left > 0 {
            let near = self.next_neighbors(&group, &tried);
            if near.is_empty() {
                break;
            }
            let mut members = group.members.clone();
            let mut before = group.cost;
            for &id in &near {
                let group = &self.groups[id as usize];
                before += group.cost;
                members.extend_from_slice(&group.members);
            }
            let next =
                if is_layered { self.layered(members, &group) } else { self.group(members, Some(&group)) };
            tried.extend(&near);
            if next.cost < before {
                taken.extend(near);
                group = next;
            }
        }
        let before: f32 = taken.iter().map(|&id| self.groups[id as usize].cost).sum();
        if !group.layers.is_empty() && group.cost < before {
            taken.iter().for_each(|&id| self.groups[id as usize] = Group::default());
            group.members.iter().for_each(|&id| self.group_of[id as usize] = seed);
            self.groups[seed as usize] = group;
        }
        Ok(())
    }

    /// The groups beside a group that its gradient, as it is, explains better than they do. If there is none, the one that it explains
    /// best: perhaps another fit does better.
    fn next_neighbors(&self, group: &Group, taken: &[u32]) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for &id in &group.members {
            for other in self.contacts.of(id).map(|other| self.group_of[other as usize]) {
                if !taken.contains(&other) && !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        if group.layers.is_empty() {
            found.truncate(1);
            return found;
        }
        let (mut explained, mut nearest) = (Vec::new(), (f32::INFINITY, None));
        for other in found {
            let Group { members, cost, .. } = &self.groups[other as usize];
            let samples = self.samples.some_of(members, SAMPLES_TO_COMPARE);
            let more = error_of(&group.layers, &samples) - cost;
            if more < 0.0 {
                explained.push(other);
            } else if more < nearest.0 {
                nearest = (more, Some(other));
            }
        }
        if explained.is_empty() {
            explained.extend(nearest.1);
        }
        explained
    }
}
