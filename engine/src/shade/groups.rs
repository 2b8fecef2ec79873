//! Finds groups of regions that one gradient explains: chains of bands, between which there is no edge.

use super::contacts::Contacts;
use super::fit::Fit;
use super::model::{Centered, MOST_SAMPLES, Model, SHORTEST_BYTES};
use super::samples::Samples;
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::api::{ProgressMeter, Stopped};
use crate::geometry::Point;

/// Length of the path of a band.
const BAND_BYTES: usize = r##"<path fill="#123456" d="M12.3 12.3c1 2 3 4 5 6z"/>"##.len();

/// What a boundary that cuts a ramp adds to the paths on both of its sides.
///
/// Unit: bytes. Source: measured on shaded drawings, all bytes over all boundaries: 43 to 100.
const BOUNDARY_BYTES: usize = 60;

/// One fit for so many pixels of the image is tried at most.
///
/// Unit: count. Source: bounds the time, to about a tenth of all.
const PIXELS_PER_FIT: usize = 4096;

/// To so many pixels a gradient is fitted while groups are looked for.
///
/// Unit: count. Source: bounds the time of a fit.
const SAMPLES_TO_COMPARE: usize = 192;

/// Regions that one gradient explains.
struct Group {
    members: Vec<u32>,
    model: Model,
    /// Error, and bytes by their price: those of the gradient and of the path.
    cost: f32,
    /// The origin of the model.
    center: Point,
    /// How many members there were when the model was found.
    first: usize,
}

/// Regions, and the gradient that explains them.
pub(super) struct Finished {
    pub members: Vec<u32>,
    pub fit: Fit,
    /// By how much less it costs than the colors of the regions.
    saved: f32,
}

/// What is left of the search.
pub(super) struct Search<'a> {
    samples: &'a Samples,
    contacts: &'a Contacts,
    /// The squared error that a byte must save.
    price: f32,
    fits_left: usize,
    /// For each region, what its own color costs: error, and bytes by their price.
    flat: Vec<f32>,
}

impl<'a> Search<'a> {
    pub fn new(
        samples: &'a Samples,
        contacts: &'a Contacts,
        regions: usize,
        price: f32,
        pixels: usize,
    ) -> Self {
        let fits_left = pixels / PIXELS_PER_FIT + 16;
        let mut search = Search { samples, contacts, price, fits_left, flat: Vec::new() };
        let flat = |id: u32| Model::flat(samples.of(id)).error + search.cost_of_path(&[id]);
        search.flat = (0..regions as u32).map(flat).collect();
        search
    }

    /// All groups that a gradient explains better than flat colors, with the gradients.
    pub fn run(mut self, is_seen: &[bool], meter: &mut ProgressMeter<'_>) -> Result<Vec<Finished>, Stopped> {
        let mut found = Vec::new();
        for members in self.connected(is_seen) {
            meter.advance(members.len())?;
            let flat = self.flat_cost(&members);
            // A gradient with two stops cannot cost less.
            if flat < self.price * (BAND_BYTES + SHORTEST_BYTES) as f32 {
                continue;
            }
            let whole = self.group(members);
            // Where the error that is left would not pay for another gradient, one is all.
            if whole.model.fit.is_some() && whole.model.error < self.price * SHORTEST_BYTES as f32 {
                found.extend(self.finished(whole));
                continue;
            }
            let mut parts = self.parts(&whole.members, meter)?;
            self.join(&mut parts, meter)?;
            let parts: Vec<Finished> = parts.into_iter().filter_map(|part| self.finished(part)).collect();
            let saved: f32 = parts.iter().map(|part| part.saved).sum();
            match self.finished(whole) {
                Some(whole) if whole.saved > saved => found.push(whole),
                _ => found.extend(parts),
            }
        }
        Ok(found)
    }

    /// A group with its stops. `None` if it does not pay after all.
    fn finished(&self, group: Group) -> Option<Finished> {
        let Group { members, model, .. } = group;
        let pixels = Centered::of(self.samples, &members, MOST_SAMPLES);
        let (cost, fit) = model.with_few_stops(&pixels, self.price)?;
        let saved = self.flat_cost(&members) - cost - self.cost_of_path(&members);
        (saved > 0.0).then(|| Finished { members, fit: fit.shifted(pixels.center), saved })
    }

    /// What regions cost in their own colors.
    fn flat_cost(&self, members: &[u32]) -> f32 {
        members.iter().map(|&id| self.flat[id as usize]).sum()
    }

    /// What the path around some regions costs, as far as it does not follow edges.
    fn cost_of_path(&self, members: &[u32]) -> f32 {
        let is_outside = |&(id, is_smooth): &(u32, bool)| is_smooth && !members.contains(&id);
        let boundaries: usize =
            members.iter().map(|&id| self.contacts.of(id).filter(is_outside).count()).sum();
        self.price * (BAND_BYTES + BOUNDARY_BYTES * boundaries / 2) as f32
    }

    /// The regions that are connected by boundaries that only cut ramps.
    fn connected(&self, is_seen: &[bool]) -> Vec<Vec<u32>> {
        let count = self.flat.len();
        let mut sets = DisjointSets::new(count);
        for id in (0..count as u32).filter(|&id| is_seen[id as usize]) {
            for (other, _) in self.contacts.of(id).filter(|&(other, is_smooth)| is_smooth && other < id) {
                sets.union(id, other);
            }
        }
        let groups = sets.into_labels();
        let mut found = vec![Vec::new(); groups.count];
        for id in (0..count).filter(|&id| is_seen[id]) {
            found[groups.ids[id] as usize].push(id as u32);
        }
        found.retain(|members| !members.is_empty());
        found
    }

    /// The regions with the best model for all of them.
    fn group(&mut self, members: Vec<u32>) -> Group {
        self.fits_left = self.fits_left.saturating_sub(1);
        let pixels = Centered::of(self.samples, &members, SAMPLES_TO_COMPARE);
        let model = Model::best(&pixels, self.price);
        let cost = model.cost + self.cost_of_path(&members);
        Group { model, cost, center: pixels.center, first: members.len(), members }
    }

    /// A group with more members. Its model is the group's, refined, unless the members are twice as many as when it was found.
    fn grown(&mut self, group: &Group, members: Vec<u32>) -> Group {
        if let Some(fit) = &group.model.fit
            && members.len() < 2 * group.first
        {
            self.fits_left = self.fits_left.saturating_sub(1);
            let pixels = Centered::of(self.samples, &members, SAMPLES_TO_COMPARE);
            let model = Model::refined(&pixels, fit.shifted(group.center - pixels.center), self.price);
            let cost = model.cost + self.cost_of_path(&members);
            return Group { model, cost, center: pixels.center, first: group.first, members };
        }
        self.group(members)
    }

    /// Grows groups from the largest regions on.
    fn parts(&mut self, members: &[u32], meter: &mut ProgressMeter<'_>) -> Result<Vec<Group>, Stopped> {
        let mut is_open = vec![false; self.flat.len()];
        members.iter().for_each(|&id| is_open[id as usize] = true);
        let weight = |id: u32| self.samples.of(id).iter().map(|sample| sample.weight).sum::<f32>() as u32;
        let seeds = sorted_by_key(members.iter().copied(), |id| u32::MAX - weight(id));
        let mut groups: Vec<Group> = Vec::new();
        for seed in seeds {
            if self.fits_left == 0 {
                break;
            }
            if !is_open[seed as usize] || !self.may_pay(seed, &is_open) {
                continue;
            }
            meter.advance(self.samples.of(seed).len())?;
            is_open[seed as usize] = false;
            let mut group = self.group(vec![seed]);
            while self.fits_left > 0 {
                let taken = self.next_neighbors(&group, &is_open);
                if taken.is_empty() {
                    break;
                }
                let mut members = group.members.clone();
                members.extend_from_slice(&taken);
                let before = group.cost + self.flat_cost(&taken);
                let next = self.grown(&group, members);
                if next.cost >= before {
                    break;
                }
                taken.iter().for_each(|&id| is_open[id as usize] = false);
                group = next;
            }
            if group.model.fit.is_some() && group.cost < self.flat_cost(&group.members) {
                groups.push(group);
            } else {
                group.members[1..].iter().for_each(|&id| is_open[id as usize] = true);
            }
        }
        Ok(groups)
    }

    /// Whether a region and its neighbors cost so much that a gradient may cost less.
    fn may_pay(&self, seed: u32, is_open: &[bool]) -> bool {
        let near = self.contacts.of(seed).filter(|&(id, is_smooth)| is_smooth && is_open[id as usize]);
        let all = near.map(|(id, _)| self.flat[id as usize]).sum::<f32>() + self.flat[seed as usize];
        all > self.price * (BAND_BYTES + SHORTEST_BYTES) as f32
    }

    /// The neighbors that the gradient of a group, as it is, explains better than their own colors do. If there is none, the one that it
    /// explains best: perhaps another fit does better.
    fn next_neighbors(&self, group: &Group, is_open: &[bool]) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for &id in &group.members {
            let near =
                self.contacts.of(id).filter(|&(other, is_smooth)| is_smooth && is_open[other as usize]);
            for (other, _) in near {
                if !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        let Some(fit) = &group.model.fit else { return found.into_iter().take(1).collect() };
        let (mut explained, mut nearest) = (Vec::new(), (f32::INFINITY, None));
        for other in found {
            let more = fit.error_of(self.samples.of(other), group.center) - self.flat[other as usize];
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

    /// Whether the gradient of a group explains another better than the colors of its bands do.
    fn explains(&self, group: &Group, other: &Group) -> bool {
        let flat = self.flat_cost(&other.members);
        let pixels = Centered::of(self.samples, &other.members, SAMPLES_TO_COMPARE);
        let from = group.center - pixels.center;
        group.model.fit.as_ref().is_some_and(|fit| fit.error_of(&pixels.samples, from) < flat)
    }

    /// Joins groups as long as one gradient costs less than two.
    fn join(&mut self, groups: &mut Vec<Group>, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let mut one = 0;
        while one < groups.len() {
            let mut other = one + 1;
            while other < groups.len() && self.fits_left > 0 {
                meter.advance(groups[one].members.len())?;
                if !self.explains(&groups[one], &groups[other])
                    && !self.explains(&groups[other], &groups[one])
                {
                    other += 1;
                    continue;
                }
                let both = [&groups[one].members[..], &groups[other].members[..]].concat();
                let joined = self.group(both);
                if joined.model.fit.is_some() && joined.cost < groups[one].cost + groups[other].cost {
                    groups[one] = joined;
                    groups.remove(other);
                    other = one + 1;
                } else {
                    other += 1;
                }
            }
            one += 1;
        }
        Ok(())
    }
}
