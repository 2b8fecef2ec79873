//! Finds groups of regions that one gradient explains: chains of bands, between which there is no edge.

use super::contacts::Lists;
use super::fit::{Fit, Freedom};
use super::guess::guess;
use super::samples::{Sample, Samples, mean};
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;

/// Length of the path of a band.
const BAND_BYTES: usize = r##"<path fill="#123456" d="M12.3 12.3c1 2 3 4 5 6z"/>"##.len();

/// What a boundary that cuts a ramp adds to the paths on both of its sides.
///
/// Unit: bytes. Source: measured on shaded drawings, all bytes over all boundaries: 43 to 100.
const BOUNDARY_BYTES: usize = 60;

/// Length of a linear gradient without its stops.
const LINEAR_BYTES: usize =
    r#"<linearGradient id="abcde" gradientUnits="userSpaceOnUse" x1="12.3" y1="12.3" x2="12.3" y2="12.3"></linearGradient>"#.len();

/// By how much a radial gradient around an ellipse is longer: its matrix stands in place of four lengths.
const ELLIPSE_BYTES: usize =
    r#"cx="0" cy="0" r="1" gradientTransform="matrix(12.3 12.3 12.3 12.3 123.4 123.4)""#.len()
        - 4 * r#" x1="12.3""#.len();

/// Length of a stop.
const STOP_BYTES: usize = r##"<stop offset=".123" stop-color="#123456"/>"##.len();

/// Length of a linear gradient with two stops: none is shorter.
const SHORTEST_BYTES: usize = LINEAR_BYTES + 2 * STOP_BYTES;

/// One fit for so many pixels of the image is tried at most, and [`FEWEST_FITS`] more.
///
/// Unit: count. Source: bounds the time; of shaded drawings, few need as many.
const PIXELS_PER_FIT: usize = 1024;

/// Fits for which there is always time.
///
/// Unit: count. Source: bounds the time; drawings of 128 pixels with twenty bands need up to sixty.
const FEWEST_FITS: usize = 64;

/// The most pixels that a gradient is fitted to.
///
/// Unit: count. Source: bounds the time of a fit.
pub(super) const MOST_SAMPLES: usize = 256;

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
const STEPS_TO_COMPARE: usize = 3;

/// Regions that one gradient explains.
#[derive(Default)]
pub(super) struct Group {
    pub members: Vec<u32>,
    /// `None`: one color.
    pub fit: Option<Fit>,
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
            let whole = self.group(members, None);
            // Where the error that is left would not pay for another gradient, one is all.
            if whole.fit.is_some() && whole.error < self.price * SHORTEST_BYTES as f32 {
                found.extend(self.finished(whole));
                continue;
            }
            self.grow(&whole.members, meter)?;
            let cost: f32 = whole.members.iter().map(|&id| self.groups[id as usize].cost).sum();
            if whole.fit.is_some() && whole.cost < cost {
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

    /// A group with as few stops as pay, at their best places. `None` if it does not pay after all.
    fn finished(&self, Group { members, fit, .. }: Group) -> Option<Group> {
        let mut fit = fit?;
        let samples = self.samples.some_of(&members, MOST_SAMPLES);
        fit.solve(&samples);
        fit.refine(&samples, false, STEPS);
        // Stops go one by one, each time the one whose absence adds least error. How many stay is first estimated, then tried.
        let mut likely = self.group_by(Vec::new(), fit, &samples, true);
        for moves_stops in [false, true] {
            let mut next = likely.fit.clone();
            while let Some(mut fit) = next {
                if moves_stops {
                    fit.refine(&samples, true, STEPS);
                }
                next = fit.with_fewer_stops(&samples);
                let group = self.group_by(Vec::new(), fit, &samples, true);
                if group.cost <= likely.cost {
                    likely = group;
                } else if moves_stops {
                    break;
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
        let (_, error) = mean(samples, self.samples.allowed);
        let cost = error + self.cost_of_path(&members);
        Group { fit: None, error, cost, first: members.len(), members }
    }

    /// A group with a fit. What its cost lacks is the path's. Two stops are the least, and what more there are will pay, unless they are
    /// `all` that are needed.
    fn group_by(&self, members: Vec<u32>, fit: Fit, samples: &[Sample], all: bool) -> Group {
        // The error to expect in all pixels: what is fitted to a few of them leaves less error in these than in others (H. Akaike's final
        // prediction error, "Fitting Autoregressive Models for Prediction", 1969).
        let (count, unknowns) = (samples.len() as f32, (fit.unknowns(all) + fit.count) as f32);
        let error = fit.error_of(samples, self.samples.allowed);
        let factor = if count > unknowns { (count + unknowns) / (count - unknowns) } else { f32::INFINITY };
        let bytes = LINEAR_BYTES
            + if fit.freedom == Freedom::Ellipse { ELLIPSE_BYTES } else { 0 }
            + STOP_BYTES * if all { fit.count } else { 2 };
        let cost = error * factor + self.price * bytes as f32;
        Group { first: members.len(), members, fit: Some(fit), error, cost }
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
        if let Some(Group { fit: Some(fit), first: before, .. }) = old {
            fits.push((fit.axis, fit.freedom));
            first = *before;
        } else {
            let [linear, radial] = guess(&samples);
            fits.extend([
                (linear, Freedom::Direction),
                (radial, Freedom::Center),
                (radial, Freedom::Ellipse),
            ]);
        }
        for k in 0..fits.len() {
            let mut fit = Fit::new(&samples, fits[k].0, fits[k].1);
            fit.refine(&samples, false, STEPS_TO_COMPARE);
            if k == 1 {
                fits[2].0 = fit.axis;
            }
            let group = self.group_by(Vec::new(), fit, &samples, false);
            if group.cost + path < best.cost {
                best = Group { members: best.members, cost: group.cost + path, first, ..group };
            }
            // Another axis is not worth its time where the error is less than its bytes would cost.
            if best.error < self.price * [STOP_BYTES, ELLIPSE_BYTES][k.min(1)] as f32 {
                break;
            }
        }
        best
    }

    /// Grows groups from the largest regions on.
    fn grow(&mut self, members: &[u32], meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let weight = |id: u32| self.samples.of(id).iter().map(|sample| sample.weight).sum::<f32>() as u32;
        for seed in sorted_by_key(members.iter().copied(), |id| u32::MAX - weight(id)) {
            let near: Vec<u32> = self.contacts.of(seed).chain([seed]).collect();
            if self.group_of[seed as usize] != seed || !self.may_pay(&near) {
                continue;
            }
            meter.advance(self.samples.of(seed).len())?;
            let mut taken = vec![seed];
            let mut group = self.group(vec![seed], None);
            while self.fits_left > 0 {
                let near = self.next_neighbors(&group, &taken);
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
                let next = self.group(members, Some(&group));
                if next.cost >= before {
                    break;
                }
                taken.extend(near);
                group = next;
            }
            let before: f32 = taken.iter().map(|&id| self.groups[id as usize].cost).sum();
            if group.fit.is_some() && group.cost < before {
                taken.iter().for_each(|&id| self.groups[id as usize] = Group::default());
                group.members.iter().for_each(|&id| self.group_of[id as usize] = seed);
                self.groups[seed as usize] = group;
            }
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
        let Some(fit) = &group.fit else {
            found.truncate(1);
            return found;
        };
        let (mut explained, mut nearest) = (Vec::new(), (f32::INFINITY, None));
        for other in found {
            let Group { members, cost, .. } = &self.groups[other as usize];
            let samples = self.samples.some_of(members, SAMPLES_TO_COMPARE);
            let more = fit.error_of(&samples, self.samples.allowed) - cost;
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
