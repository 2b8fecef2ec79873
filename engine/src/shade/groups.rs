//! Finds groups of regions that one gradient explains, or a few over each other: chains of bands, between which there is no edge.

use super::contacts::Lists;
use super::layers::error_of;
use super::models::{Group, Models, SAMPLES_TO_COMPARE};
use super::samples::Samples;
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;

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

/// What is left of the search.
pub(super) struct Search<'a> {
    models: Models<'a>,
    fits_left: usize,
    /// The groups, each at the number of one of its regions; the others are empty.
    groups: Vec<Group>,
    /// The group of each region.
    group_of: Vec<u32>,
}

impl<'a> Search<'a> {
    /// All regions by themselves. `price` is the squared error that a byte must save.
    pub fn new(samples: &'a Samples, contacts: &'a Lists, price: f32, pixels: usize) -> Self {
        let models = Models::new(samples, contacts, price);
        let group_of: Vec<u32> = (0..samples.regions() as u32).collect();
        let groups = group_of.iter().map(|&id| models.of_one(id)).collect();
        Search { models, fits_left: pixels / PIXELS_PER_FIT + FEWEST_FITS, groups, group_of }
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
            if !self.models.may_pay(&members) {
                continue;
            }
            let whole = self.whole(members);
            if self.models.is_explained(&whole) {
                found.extend(self.models.finished(whole));
                continue;
            }
            self.grow(&whole.members, meter)?;
            let grown = whole.members.iter().map(|&id| std::mem::take(&mut self.groups[id as usize]));
            let grown: Vec<Group> = grown.collect();
            let likely: f32 = grown.iter().map(|group| group.cost).sum();
            let crossed = self.models.crossed(&whole.members, likely);
            let others = [Some(whole), crossed].into_iter().flatten().filter(|other| other.cost < likely);
            found.extend(self.cheapest(grown, others));
        }
        Ok(found)
    }

    /// All of some regions, with gradients over the first as long as one more pays, and one like the last would be enough.
    fn whole(&mut self, members: Vec<u32>) -> Group {
        let most = self.models.flat_cost(&members);
        let mut whole = self.group(members, None);
        let mut is_near = true;
        while is_near && !whole.layers.is_empty() && !self.models.is_explained(&whole) {
            self.fits_left = self.fits_left.saturating_sub(LAYERED_FITS);
            let next = self.models.layered_in(&whole.members, &whole, false);
            if next.layers.len() == whole.layers.len() || next.cost >= whole.cost {
                break;
            }
            is_near = next.cost * (next.cost / whole.cost) < most;
            whole = next;
        }
        whole
    }

    /// Some groups, or one of others for all their members: what costs least in the end.
    fn cheapest(&self, groups: Vec<Group>, others: impl Iterator<Item = Group>) -> Vec<Group> {
        let (mut cost, mut best) = (0.0, Vec::new());
        for group in groups {
            let flat = self.models.flat_cost(&group.members);
            let finished = self.models.finished(group);
            cost += finished.as_ref().map_or(flat, |group| group.cost);
            best.extend(finished);
        }
        for other in others.filter_map(|other| self.models.finished(other)) {
            if other.cost < cost {
                (cost, best) = (other.cost, vec![other]);
            }
        }
        best
    }

    /// The regions that are seen, connected by boundaries that only cut ramps.
    fn connected(&self, fills: &[PremultipliedColor]) -> Vec<Vec<u32>> {
        let mut sets = DisjointSets::new(fills.len());
        for id in 0..fills.len() as u32 {
            for other in self.models.contacts.of(id).filter(|&other| other < id) {
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

    fn group(&mut self, members: Vec<u32>, like: Option<&Group>) -> Group {
        self.fits_left = self.fits_left.saturating_sub(1);
        self.models.group(members, like)
    }

    /// Grows groups from the largest regions on; then, of those with a gradient, from the largest on with gradients over it.
    fn grow(&mut self, members: &[u32], meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let weight =
            |id: u32| self.models.samples.of(id).iter().map(|sample| sample.weight).sum::<f32>() as u32;
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
            let near: Vec<u32> = self.models.contacts.of(seed).chain([seed]).collect();
            if !self.models.may_pay(&near) {
                return Ok(());
            }
            group = self.group(vec![seed], None);
        } else if group.layers.is_empty() {
            return Ok(());
        }
        meter.advance(self.models.samples.of(seed).len())?;
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
            tried.extend(&near);
            let next = if is_layered {
                self.fits_left = self.fits_left.saturating_sub(LAYERED_FITS);
                self.models.layered(&members, &group, before)
            } else {
                Some(self.group(members, Some(&group))).filter(|group| group.cost < before)
            };
            if let Some(next) = next {
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
            for other in self.models.contacts.of(id).map(|other| self.group_of[other as usize]) {
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
            let samples = self.models.samples.some_of(members, SAMPLES_TO_COMPARE);
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
