//! Region merging in rounds: each region proposes to join one neighbor, and the proposals that can be granted together are, the cheapest
//! first. Takes regions and their contacts, gives the groups to join.
//!
//! The scheme is that of O. Borůvka's minimum spanning tree (1926), by the distance of mean colors. Two regions that propose to each
//! other join. So that few rounds suffice even if one background touches everything, a region may also join the larger of two that join,
//! at somewhat more cost, or one that is much larger than itself. Only regions that grew, and their neighbors, choose anew.

use super::adjacency::{CONTACT_UNITS, Contact, Contacts};
use super::criterion::{Criterion, NeighborPair, RegionSummary};
use super::region_stats::Region;
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::api::{ProgressMeter, Stopped};
use crate::color::distance_sq;
use crate::raster::Labels;

/// How many contacts are weighed between two calls of the progress meter.
const CONTACTS_PER_ADVANCE: usize = 1024;

/// What the larger of two that join may cost a third region, as a multiple of what the two cost each other, in the first round.
///
/// Unit: ratio of squared color distances. Source: tuned on drawings: 1.2 took 22 rounds for a photograph; no picture lost fidelity at 2.
const MERGE_PATIENCE: f32 = 2.0;

/// How much that multiple grows with each round, so that rounds are few.
///
/// Unit: ratio of squared color distances. Source: tuned on the number of rounds; no derivation is known.
const PATIENCE_PER_ROUND: f32 = 0.5;

/// A region joins one at least this many times as large without being proposed to: the larger one's mean hardly changes.
///
/// Unit: ratio of areas. Source: tuned on drawings: merging photographs takes an eighth less time, with fidelity within noise.
const MUCH_LARGER: f32 = 8.0;

/// Runs rounds until no region joins another. Two regions that both stay do not join; regions beyond the end of `stays` may. Returns the
/// new label of each old one, if any joined; `regions` then holds those that are left.
pub(crate) fn join_in_rounds(
    regions: &mut Vec<Region>,
    mut contacts: Contacts,
    criterion: &Criterion<'_>,
    stays: &[bool],
    meter: &mut ProgressMeter<'_>,
) -> Result<Option<Labels>, Stopped> {
    let mut groups = RegionGroups::default();
    let stays = stays.iter().copied().chain(std::iter::repeat(false));
    let mut summaries: Vec<RegionSummary> = (0..)
        .zip(regions.iter().zip(stays))
        .map(|(name, (region, stays))| criterion.summary(region, name, stays))
        .collect();
    let mut proposals = MergeProposals::new(regions.len());
    for round in 0.. {
        proposals.update(&summaries, &contacts, criterion, meter)?;
        meter.advance(summaries.len())?;
        let mut sets = DisjointSets::new(summaries.len());
        let mut joined = false;
        for proposer in proposals.granted(&summaries, round) {
            meter.advance(CONTACT_UNITS)?;
            let Some((root, absorbed)) = proposals.link(proposer, &summaries, &mut sets, criterion) else {
                continue;
            };
            let [root, absorbed] = [root, absorbed].map(|region| region as usize);
            summaries[root] = criterion.joined(regions, &summaries[root], &summaries[absorbed]);
            proposals.changes[root] = RegionChange::Grown;
            joined = true;
        }
        if !joined {
            break;
        }
        let round = sets.into_labels();
        contacts.relabel(&round, meter)?;
        meter.advance(summaries.len())?;
        round.keep_first_of_each(&mut summaries);
        proposals.relabel(&round);
        groups.push(round);
    }
    *regions = summaries.iter().map(|summary| regions[summary.name as usize]).collect();
    Ok(groups.composed())
}

/// The groupings of all rounds, in order. Each groups the groups of the one before, so later ones are smaller.
#[derive(Default)]
struct RegionGroups(Vec<Labels>);

impl RegionGroups {
    /// Appends a grouping. If it leaves more than half of the groups, it is composed with the one before, so that memory and time stay
    /// linear.
    fn push(&mut self, next: Labels) {
        match self.0.last_mut() {
            Some(last) if last.ids.len() < 2 * next.ids.len() => {
                next.apply_to(&mut last.ids);
                last.count = next.count;
            }
            _ => self.0.push(next),
        }
    }

    /// All groupings as one.
    fn composed(mut self) -> Option<Labels> {
        let mut whole = self.0.pop()?;
        while let Some(mut before) = self.0.pop() {
            whole.apply_to(&mut before.ids);
            whole.ids = before.ids;
        }
        Some(whole)
    }
}

/// The neighbor that a region would rather join.
#[derive(Clone, Copy)]
struct MergeProposal {
    /// Squared distance of the mean colors.
    cost: f32,
    /// The neighbor, or `NO_REGION`.
    target: u32,
    length: u32,
    /// Whether the target has a say. It has none if a speckle, which differs from all of its neighbors, joins a larger region.
    needs_consent: bool,
}

const NO_REGION: u32 = u32::MAX;

impl MergeProposal {
    const NONE: MergeProposal =
        MergeProposal { cost: f32::INFINITY, target: NO_REGION, length: 0, needs_consent: true };

    /// Becomes `proposal` if that is cheaper for the region `from`.
    #[inline(never)]
    fn improve(&mut self, proposal: &MergeProposal, from: &RegionSummary, summaries: &[RegionSummary]) {
        let is_tie = || proposal.cost == self.cost && self.target != NO_REGION;
        let scattered = |target: u32| tie_break(from.name, summaries[target as usize].name);
        if proposal.cost < self.cost || is_tie() && scattered(proposal.target) < scattered(self.target) {
            *self = *proposal;
        }
    }
}

/// Orders pairs of equal cost by a fixed scattering of their labels. Ordered by index, all regions of a pattern would propose in the same
/// direction, and few pairs would agree.
pub(crate) fn tie_break(a: u32, b: u32) -> u32 {
    // Large odd numbers, as in the mixing steps of xxHash.
    const ODD: [u32; 2] = [0x9E37_79B1, 0x85EB_CA77];
    let mixed = a.min(b).wrapping_mul(ODD[0]) ^ a.max(b).wrapping_mul(ODD[1]);
    (mixed ^ (mixed >> 15)).wrapping_mul(ODD[1])
}

/// What happened to a region since the last update of the proposals.
#[derive(Clone, Copy, PartialEq)]
enum RegionChange {
    Nothing,
    /// It has to choose anew, but is as it was.
    Open,
    /// It absorbed others.
    Grown,
}

/// The proposals of all regions. One stays valid until its region or its target has grown; a neighbor that has grown may become the
/// better choice.
struct MergeProposals {
    proposals: Vec<MergeProposal>,
    changes: Vec<RegionChange>,
}

impl MergeProposals {
    fn new(regions: usize) -> Self {
        MergeProposals {
            proposals: vec![MergeProposal::NONE; regions],
            changes: vec![RegionChange::Open; regions],
        }
    }

    fn of(&self, region: u32) -> &MergeProposal {
        &self.proposals[region as usize]
    }

    /// Weighs the contacts of changed regions.
    fn update(
        &mut self,
        summaries: &[RegionSummary],
        contacts: &Contacts,
        criterion: &Criterion<'_>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let mut weighed = 0;
        for region in 0..contacts.regions() {
            let contacts = contacts.of(region);
            self.weigh(region, contacts, summaries, criterion);
            weighed += contacts.len();
            if weighed >= CONTACTS_PER_ADVANCE {
                meter.advance(weighed * CONTACT_UNITS)?;
                weighed = 0;
            }
        }
        self.changes.fill(RegionChange::Nothing);
        meter.advance(weighed * CONTACT_UNITS)
    }

    /// Weighs those contacts of a region where either side has changed.
    fn weigh(
        &mut self,
        region: usize,
        contacts: &[Contact],
        summaries: &[RegionSummary],
        criterion: &Criterion<'_>,
    ) {
        let (summary, has_changed) = (&summaries[region], self.changes[region] != RegionChange::Nothing);
        let mut proposal = self.proposals[region];
        for &Contact { other, length } in contacts {
            if !has_changed && self.changes[other as usize] == RegionChange::Nothing {
                continue;
            }
            let (neighbor, back) = (&summaries[other as usize], &mut self.proposals[other as usize]);
            let cost = distance_sq(summary.mean, neighbor.mean);
            if cost > proposal.cost && cost > back.cost {
                continue;
            }
            let is_one =
                criterion.is_one(&NeighborPair { regions: [summary, neighbor], distance_sq: cost, length });
            let to = |target, needs_consent| MergeProposal { cost, target, length, needs_consent };
            if is_one || summary.is_speckle {
                proposal.improve(&to(other, is_one || neighbor.is_speckle), summary, summaries);
            }
            if is_one || neighbor.is_speckle {
                back.improve(&to(region as u32, is_one || summary.is_speckle), neighbor, summaries);
            }
        }
        self.proposals[region] = proposal;
    }

    /// Replaces regions by their groups, and drops the proposals that no longer hold.
    fn relabel(&mut self, groups: &Labels) {
        groups.keep_first_of_each(&mut self.proposals);
        groups.keep_first_of_each(&mut self.changes);
        for region in 0..self.proposals.len() {
            let proposal = &mut self.proposals[region];
            if proposal.target != NO_REGION {
                proposal.target = groups.ids[proposal.target as usize];
            }
            let holds = self.changes[region] != RegionChange::Grown
                && (proposal.target == NO_REGION
                    || self.changes[proposal.target as usize] != RegionChange::Grown);
            if !holds {
                *proposal = MergeProposal::NONE;
                if self.changes[region] == RegionChange::Nothing {
                    self.changes[region] = RegionChange::Open;
                }
            }
        }
    }

    /// The regions whose proposals are granted in this round, the cheapest first:
    /// - one of two that propose to each other;
    /// - a region that proposes to the larger of two such, at not much more than the two cost each other;
    /// - a region that proposes to a much larger one, or that is a speckle.
    ///
    /// With the first kind alone, a background would absorb one neighbor a round; with all proposals, it would absorb distant colors
    /// before near ones.
    fn granted(&self, summaries: &[RegionSummary], round: u32) -> Vec<u32> {
        let patience = MERGE_PATIENCE + PATIENCE_PER_ROUND * round as f32;
        let area = |region: u32| summaries[region as usize].area;
        let is_granted = |&proposer: &u32| {
            let proposal = self.of(proposer);
            if proposal.target == NO_REGION {
                return false;
            }
            let back = self.of(proposal.target);
            if back.target == proposer {
                // One of the two is enough.
                return proposer < proposal.target;
            }
            if !proposal.needs_consent || area(proposer) * MUCH_LARGER <= area(proposal.target) {
                return true;
            }
            let leads = |region, other| (area(region), other) > (area(other), region);
            back.target != NO_REGION
                && self.of(back.target).target == proposal.target
                && leads(proposal.target, back.target)
                && proposal.cost <= patience * back.cost
        };
        // The bits of floats that are not negative are in the order of the floats.
        sorted_by_key((0..summaries.len() as u32).filter(is_granted), |proposer| {
            self.of(proposer).cost.to_bits()
        })
    }

    /// Joins the set of a region and that of its target, unless the target's set has changed its color too much in this round. Returns
    /// the region that stays and the one absorbed.
    fn link(
        &self,
        proposer: u32,
        summaries: &[RegionSummary],
        sets: &mut DisjointSets,
        criterion: &Criterion<'_>,
    ) -> Option<(u32, u32)> {
        let proposal = self.of(proposer);
        let (a, b) = (sets.find(proposer), sets.find(proposal.target));
        let is_still_one = || {
            !proposal.needs_consent || self.of(proposal.target).target == proposer || {
                let regions @ [a, b] = [&summaries[a as usize], &summaries[b as usize]];
                let distance_sq = distance_sq(a.mean, b.mean);
                criterion.is_one(&NeighborPair { regions, distance_sq, length: proposal.length })
            }
        };
        (a != b && is_still_one()).then(|| (sets.link(a, b), a.max(b)))
    }
}
