//! Region adjacency: which regions touch, and how many pixel sides they share. Takes a partition, gives [`Contacts`].

use std::ops::Range;

use crate::api::{ProgressMeter, Stopped};
use crate::raster::{Labels, Partition, Pixels};

/// Cost of finding or relabeling a contact, in the units of [`ProgressMeter`].
const RELABEL_UNITS: usize = 4;

/// Cost of one contact in one round, in the units of [`ProgressMeter`].
pub(crate) const CONTACT_UNITS: usize = 16;

/// A neighbor of a region, and how many pixel sides the two share.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    pub other: u32,
    pub length: u32,
}

/// The region adjacency graph.
///
/// # Guarantees
/// Each pair of neighbors occurs once, under the smaller label.
pub(crate) struct Contacts {
    /// For each region, the end of its contacts in `contacts`.
    ends: Vec<u32>,
    contacts: Vec<Contact>,
}

impl Contacts {
    /// Finds all contacts except those between two regions that both stay; regions beyond the end of `stays` do not. Linear in pixels
    /// beside cracks.
    pub fn new(
        pixels: &Pixels,
        partition: &Partition,
        stays: &[bool],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let mut lists = ContactLists::new(partition.labels.count, 0);
        for rows in pixels.bands() {
            meter.advance(rows.len() * pixels.width)?;
            lists.find(partition, rows, stays);
        }
        lists.unlinked(Vec::new(), meter)
    }

    pub fn regions(&self) -> usize {
        self.ends.len()
    }

    /// The contacts stored under a region: those with larger labels.
    pub fn of(&self, region: usize) -> &[Contact] {
        let start = if region == 0 { 0 } else { self.ends[region - 1] };
        &self.contacts[start as usize..self.ends[region] as usize]
    }

    /// Replaces regions by their groups. Contacts within a group are dropped, and those between the same two groups are added up.
    pub fn relabel(&mut self, groups: &Labels, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let mut lists = ContactLists::new(groups.count, self.contacts.len());
        let mut start = 0;
        for (&end, &group) in self.ends.iter().zip(&groups.ids) {
            meter.advance(RELABEL_UNITS * (end as usize - start))?;
            for contact in &self.contacts[start..end as usize] {
                let other = groups.ids[contact.other as usize];
                if other != group {
                    lists.add(group, other, contact.length);
                }
            }
            start = end as usize;
        }
        *self = lists.unlinked(std::mem::take(&mut self.contacts), meter)?;
        Ok(())
    }
}

/// The contacts of each region as a linked list, in the order in which they are found. A pair may occur more than once.
pub(crate) struct ContactLists {
    /// For each region, its last link, or `END`.
    last: Vec<u32>,
    links: Vec<ContactLink>,
}

struct ContactLink {
    contact: Contact,
    /// The previous link of the region, or `END`.
    before: u32,
}

const END: u32 = u32::MAX;

/// How many links a list of few regions reserves at once.
const FEWEST_LINKS: usize = 64;

impl ContactLists {
    pub fn new(regions: usize, contacts: usize) -> Self {
        ContactLists { last: vec![END; regions], links: Vec::with_capacity(contacts) }
    }

    /// Adds the contacts within some rows and with the row below each, except those between two regions that both stay.
    #[inline(never)]
    pub fn find(&mut self, partition: &Partition, rows: Range<usize>, stays: &[bool]) {
        let stays = |region: u32| stays.get(region as usize).is_some_and(|&stays| stays);
        partition.cracks.for_each(&partition.labels.ids, rows, |a, b, length| {
            if !(stays(a) && stays(b)) {
                self.add(a, b, length);
            }
        });
    }

    #[inline(never)]
    fn add(&mut self, a: u32, b: u32, length: u32) {
        let regions = self.last.len();
        let (last, other) = (&mut self.last[a.min(b) as usize], a.max(b));
        match self.links.get_mut(*last as usize) {
            // Two regions that touch mostly touch in the next pixels as well.
            Some(link) if link.contact.other == other => link.contact.length += length,
            _ => {
                if self.links.len() == self.links.capacity() {
                    // Doubling the capacity would take too much memory on a large image.
                    self.links.reserve_exact(regions.max(FEWEST_LINKS));
                }
                self.links.push(ContactLink { contact: Contact { other, length }, before: *last });
                *last = self.links.len() as u32 - 1;
            }
        }
    }

    /// Adds up the contacts of the same pair and stores them region by region, in the memory of `contacts`.
    pub fn unlinked(
        self,
        mut contacts: Vec<Contact>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Contacts, Stopped> {
        let ContactLists { last: mut ends, links } = self;
        contacts.clear();
        contacts.reserve_exact(links.len());
        // For each region, the index of the last contact with it.
        let mut positions = vec![END; ends.len()];
        for end in &mut ends {
            let first = contacts.len() as u32;
            let mut next = *end;
            while let Some(&ContactLink { contact, before }) = links.get(next as usize) {
                let position = &mut positions[contact.other as usize];
                match contacts.get_mut(*position as usize) {
                    Some(kept) if *position >= first => kept.length += contact.length,
                    _ => {
                        *position = contacts.len() as u32;
                        contacts.push(contact);
                    }
                }
                next = before;
            }
            meter.advance(RELABEL_UNITS * (contacts.len() - first as usize))?;
            *end = contacts.len() as u32;
        }
        Ok(Contacts { ends, contacts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::connected_components;

    fn pairs(contacts: &Contacts) -> Vec<(u32, u32, u32)> {
        let of =
            |a: usize| contacts.of(a).iter().map(move |contact| (a as u32, contact.other, contact.length));
        let mut pairs: Vec<_> = (0..contacts.regions()).flat_map(of).collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn contacts_follow_absorbed_regions() {
        let meter = &mut ProgressMeter::idle();
        let partition = connected_components(&b"aabccbddd".map(u32::from), 3, meter).unwrap();
        let pixels = Pixels { width: 3, height: 3, data: &mut [] };
        let mut contacts = Contacts::new(&pixels, &partition, &[], meter).unwrap();
        assert_eq!(pairs(&contacts), [(0, 1, 1), (0, 2, 2), (1, 2, 1), (1, 3, 1), (2, 3, 2)]);
        contacts.relabel(&Labels { ids: vec![0, 1, 2, 0], count: 3 }, meter).unwrap();
        assert_eq!(pairs(&contacts), [(0, 1, 2), (0, 2, 4), (1, 2, 1)]);
        contacts.relabel(&Labels { ids: vec![0, 1, 1], count: 2 }, meter).unwrap();
        assert_eq!(pairs(&contacts), [(0, 1, 6)]);
    }
}
