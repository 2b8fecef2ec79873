use super::adjacency::{CONTACT_UNITS, Contact, Contacts};
use super::criterion::{Criterion, RegionSummary};
use super::region_stats::Region;
use crate::algorithms::{DisjointSets, ordered};
use crate::api::{ProgressMeter, Stopped};
use crate::color::distance_sq;
use crate::raster::Labels;

/// So many contacts are looked at before the progress meter is asked.
const CONTACTS_PER_LOOK: usize = 1024;

/// Rounds until nobody joins; two that are to stay do not join each other (none is, of regions beyond `stays`). Gives the new
/// label of each old one, if any joined; `regions` are those that are left.
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
        proposals.gather(&summaries, &contacts, criterion, meter)?;
        meter.advance(summaries.len())?;
        let mut sets = DisjointSets::new(summaries.len());
        let mut joined = false;
        for proposer in proposals.granted(&summaries, round) {
            meter.advance(CONTACT_UNITS)?;
            let Some((root, absorbed)) = proposals.fulfilled(proposer, &summaries, &mut sets, criterion)
            else {
                continue;
            };
            let [root, absorbed] = [root, absorbed].map(|region| region as usize);
            summaries[root] = criterion.joined(regions, &summaries[root], &summaries[absorbed]);
            proposals.news[root] = RegionChange::Grown;
            joined = true;
        }
        if !joined {
            break;
        }
        let round = sets.into_labels();
        contacts.relabel(&round, meter)?;
        meter.advance(summaries.len())?;
        round.keep_first_of_each(&mut summaries);
        proposals.follow(&round);
        groups.then(round);
    }
    *regions = summaries.iter().map(|summary| regions[summary.name as usize]).collect();
    Ok(groups.whole())
}

/// One grouping after another. Each is of the groups of the one before, so the later are smaller.
#[derive(Default)]
struct RegionGroups(Vec<Labels>);

impl RegionGroups {
    /// Follows up with `next`; at once where that halves nothing, so that all take linear room and time.
    fn then(&mut self, next: Labels) {
        match self.0.last_mut() {
            Some(last) if last.ids.len() < 2 * next.ids.len() => {
                next.follow(&mut last.ids);
                last.count = next.count;
            }
            _ => self.0.push(next),
        }
    }

    fn whole(mut self) -> Option<Labels> {
        let mut whole = self.0.pop()?;
        while let Some(mut before) = self.0.pop() {
            whole.follow(&mut before.ids);
            whole.ids = before.ids;
        }
        Some(whole)
    }
}

/// A wish to join a neighbor.
#[derive(Clone, Copy)]
struct MergeProposal {
    cost: f32,
    /// Or `NOBODY`.
    target: u32,
    length: u32,
    /// Only joined when the target wishes for it too.
    needs_consent: bool,
}

const NOBODY: u32 = u32::MAX;

impl MergeProposal {
    const NONE: MergeProposal =
        MergeProposal { cost: f32::INFINITY, target: NOBODY, length: 0, needs_consent: true };

    /// Becomes the cheaper of two wishes that a region, seen like that, may have.
    fn give_way(&mut self, proposal: &MergeProposal, from: &RegionSummary, summaries: &[RegionSummary]) {
        let is_tie = || proposal.cost == self.cost && self.target != NOBODY;
        let scattered = |target: u32| tie_break(from.name, summaries[target as usize].name);
        if proposal.cost < self.cost || is_tie() && scattered(proposal.target) < scattered(self.target) {
            *self = *proposal;
        }
    }
}

/// Scatters the pairs that cost the same, by their names. By index all would look the same way, and few pairs in a pattern would agree.
pub(crate) fn tie_break(a: u32, b: u32) -> u32 {
    const ODD: [u32; 2] = [0x9E37_79B1, 0x85EB_CA77];
    let mixed = a.min(b).wrapping_mul(ODD[0]) ^ a.max(b).wrapping_mul(ODD[1]);
    (mixed ^ (mixed >> 15)).wrapping_mul(ODD[1])
}

/// What happened to a region since all wishes were gathered.
#[derive(Clone, Copy, PartialEq)]
enum RegionChange {
    Nothing,
    /// It has to choose anew.
    Open,
    /// It took in others.
    Grown,
}

/// For each region, the neighbor that it would rather join. A wish holds until its region or the neighbor has grown; a neighbor
/// that has may become the better choice.
struct MergeProposals {
    proposals: Vec<MergeProposal>,
    news: Vec<RegionChange>,
}

impl MergeProposals {
    fn new(regions: usize) -> Self {
        MergeProposals {
            proposals: vec![MergeProposal::NONE; regions],
            news: vec![RegionChange::Open; regions],
        }
    }

    fn of(&self, region: u32) -> &MergeProposal {
        &self.proposals[region as usize]
    }

    /// Looks at the contacts of regions with news.
    fn gather(
        &mut self,
        summaries: &[RegionSummary],
        contacts: &Contacts,
        criterion: &Criterion<'_>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let mut looked_at = 0;
        for region in 0..contacts.regions() {
            let contacts = contacts.of(region);
            self.look(region, contacts, summaries, criterion);
            looked_at += contacts.len();
            if looked_at >= CONTACTS_PER_LOOK {
                meter.advance(looked_at * CONTACT_UNITS)?;
                looked_at = 0;
            }
        }
        self.news.fill(RegionChange::Nothing);
        meter.advance(looked_at * CONTACT_UNITS)
    }

    /// Looks at those of a region's contacts where either has news.
    fn look(
        &mut self,
        region: usize,
        contacts: &[Contact],
        summaries: &[RegionSummary],
        criterion: &Criterion<'_>,
    ) {
        let (summary, is_news) = (&summaries[region], self.news[region] != RegionChange::Nothing);
        let mut proposal = self.proposals[region];
        for &Contact { other, length } in contacts {
            if !is_news && self.news[other as usize] == RegionChange::Nothing {
                continue;
            }
            let (neighbor, back) = (&summaries[other as usize], &mut self.proposals[other as usize]);
            let cost = distance_sq(summary.mean, neighbor.mean);
            if cost > proposal.cost && cost > back.cost {
                continue;
            }
            let is_one = criterion.is_one((summary, neighbor), cost, length);
            let to = |target, needs_consent| MergeProposal { cost, target, length, needs_consent };
            if is_one || summary.is_speckle {
                proposal.give_way(&to(other, is_one || neighbor.is_speckle), summary, summaries);
            }
            if is_one || neighbor.is_speckle {
                back.give_way(&to(region as u32, is_one || summary.is_speckle), neighbor, summaries);
            }
        }
        self.proposals[region] = proposal;
    }

    /// Follows regions into their groups.
    fn follow(&mut self, groups: &Labels) {
        groups.keep_first_of_each(&mut self.proposals);
        groups.keep_first_of_each(&mut self.news);
        for region in 0..self.proposals.len() {
            let proposal = &mut self.proposals[region];
            if proposal.target != NOBODY {
                proposal.target = groups.ids[proposal.target as usize];
            }
            let holds = self.news[region] != RegionChange::Grown
                && (proposal.target == NOBODY || self.news[proposal.target as usize] != RegionChange::Grown);
            if !holds {
                *proposal = MergeProposal::NONE;
                if self.news[region] == RegionChange::Nothing {
                    self.news[region] = RegionChange::Open;
                }
            }
        }
    }

    /// The regions whose wishes come true in this round, the cheapest first: of two that wish for each other both, and
    /// whoever wishes for the larger of these at not much more than they cost each other; and who wishes for one that is much larger.
    /// Were it only those two, a background would take in one neighbor a round; were it all, it would take the far before the near.
    fn granted(&self, summaries: &[RegionSummary], round: u32) -> Vec<u32> {
        /// What such a third may cost, times what the two do: more and more, so that rounds are few.
        const MERGE_PATIENCE: f32 = 2.0;
        const PATIENCE_PER_ROUND: f32 = 0.5;
        /// What is so many times as large stays as it is when such a one joins it, and need not wish for that.
        const MUCH_LARGER: f32 = 8.0;
        let most = MERGE_PATIENCE + PATIENCE_PER_ROUND * round as f32;
        let area = |region: u32| summaries[region as usize].area;
        let is_granted = |&proposer: &u32| {
            let proposal = self.of(proposer);
            if proposal.target == NOBODY {
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
            back.target != NOBODY
                && self.of(back.target).target == proposal.target
                && leads(proposal.target, back.target)
                && proposal.cost <= most * back.cost
        };
        // The bits of numbers that are not negative are in the order of the numbers.
        ordered((0..summaries.len() as u32).filter(is_granted), |proposer| self.of(proposer).cost.to_bits())
    }

    /// Joins a region's set and that of the one it wishes for, or of whatever has taken that in; not where that has become another
    /// color. Gives the region that stays and the one absorbed.
    fn fulfilled(
        &self,
        proposer: u32,
        summaries: &[RegionSummary],
        sets: &mut DisjointSets,
        criterion: &Criterion<'_>,
    ) -> Option<(u32, u32)> {
        let proposal = self.of(proposer);
        let (a, b) = (sets.find(proposer), sets.find(proposal.target));
        let is_welcome = || {
            !proposal.needs_consent || self.of(proposal.target).target == proposer || {
                let (a, b) = (&summaries[a as usize], &summaries[b as usize]);
                criterion.is_one((a, b), distance_sq(a.mean, b.mean), proposal.length)
            }
        };
        (a != b && is_welcome()).then(|| (sets.link(a, b), a.max(b)))
    }
}
