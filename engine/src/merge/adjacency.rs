use std::ops::Range;

use crate::api::{ProgressMeter, Stopped};
use crate::raster::{Cracks, Labels, Pixels};

/// What finding or moving a contact takes, in the units of [`ProgressMeter`].
const RELABEL_UNITS: usize = 4;

/// What a round does for a contact, in the units of [`ProgressMeter`].
pub(crate) const CONTACT_UNITS: usize = 16;

/// A region that another touches, and how many pixel sides they share.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    pub other: u32,
    pub length: u32,
}

/// Which regions touch.
///
/// # Guarantees
/// Each pair once, under the smaller label.
pub(crate) struct Contacts {
    /// Where the contacts of each region end.
    ends: Vec<u32>,
    contacts: Vec<Contact>,
}

impl Contacts {
    /// But for those of two that both are to stay (none is, of regions beyond `stays`). Linear in pixels beside cracks.
    pub fn new(
        pixels: &Pixels,
        (labels, cracks): (&Labels, &Cracks),
        stays: &[bool],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let mut lists = ContactLists::new(labels.count, 0);
        for rows in pixels.bands() {
            meter.advance(rows.len() * pixels.width)?;
            lists.find((labels, cracks), rows, stays);
        }
        lists.unlinked(Vec::new(), meter)
    }

    pub fn regions(&self) -> usize {
        self.ends.len()
    }

    /// The contacts that are kept under a region: those with larger labels.
    pub fn of(&self, region: usize) -> &[Contact] {
        let start = if region == 0 { 0 } else { self.ends[region - 1] };
        &self.contacts[start as usize..self.ends[region] as usize]
    }

    /// Follows regions into their groups.
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

/// The contacts of each region in a chain, as they are found; some pairs more than once.
pub(crate) struct ContactLists {
    /// The last link of each region's, or `END`.
    last: Vec<u32>,
    links: Vec<ContactLink>,
}

struct ContactLink {
    contact: Contact,
    /// The link before it, or `END`.
    before: u32,
}

const END: u32 = u32::MAX;

/// There is always room for so many more.
const FEWEST_LINKS: usize = 64;

impl ContactLists {
    pub fn new(regions: usize, contacts: usize) -> Self {
        ContactLists { last: vec![END; regions], links: Vec::with_capacity(contacts) }
    }

    /// Finds the contacts of pixels in some rows, and with those below, but for those of two that both are to stay.
    #[inline(never)]
    pub fn find(&mut self, (labels, cracks): (&Labels, &Cracks), rows: Range<usize>, stays: &[bool]) {
        let stays = |region: u32| stays.get(region as usize).is_some_and(|&stays| stays);
        cracks.for_each(&labels.ids, rows, |a, b, length| {
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
            // What touches goes on to touch in the next pixels, for the most part.
            Some(link) if link.contact.other == other => link.contact.length += length,
            _ => {
                if self.links.len() == self.links.capacity() {
                    // Doubled room would be too much in a large picture.
                    self.links.reserve_exact(regions.max(FEWEST_LINKS));
                }
                self.links.push(ContactLink { contact: Contact { other, length }, before: *last });
                *last = self.links.len() as u32 - 1;
            }
        }
    }

    /// Makes one of the contacts of the same pair, and puts them in rows, in the room given.
    pub fn unlinked(
        self,
        mut contacts: Vec<Contact>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Contacts, Stopped> {
        let ContactLists { last: mut ends, links } = self;
        contacts.clear();
        contacts.reserve_exact(links.len());
        // Where the contact with each region was kept last.
        let mut places = vec![END; ends.len()];
        for end in &mut ends {
            let first = contacts.len() as u32;
            let mut next = *end;
            while let Some(&ContactLink { contact, before }) = links.get(next as usize) {
                let place = &mut places[contact.other as usize];
                match contacts.get_mut(*place as usize) {
                    Some(kept) if *place >= first => kept.length += contact.length,
                    _ => {
                        *place = contacts.len() as u32;
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
    use crate::raster::connected;

    fn pairs(contacts: &Contacts) -> Vec<(u32, u32, u32)> {
        let of =
            |a: usize| contacts.of(a).iter().map(move |contact| (a as u32, contact.other, contact.length));
        let mut pairs: Vec<_> = (0..contacts.regions()).flat_map(of).collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn contacts_follow_what_was_absorbed() {
        let meter = &mut ProgressMeter::idle();
        let (labels, cracks) = connected(&b"aabccbddd".map(u32::from), 3, meter).unwrap();
        let pixels = Pixels { width: 3, height: 3, data: &mut [] };
        let mut contacts = Contacts::new(&pixels, (&labels, &cracks), &[], meter).unwrap();
        assert_eq!(pairs(&contacts), [(0, 1, 1), (0, 2, 2), (1, 2, 1), (1, 3, 1), (2, 3, 2)]);
        contacts.relabel(&Labels { ids: vec![0, 1, 2, 0], count: 3 }, meter).unwrap();
        assert_eq!(pairs(&contacts), [(0, 1, 2), (0, 2, 4), (1, 2, 1)]);
        contacts.relabel(&Labels { ids: vec![0, 1, 1], count: 2 }, meter).unwrap();
        assert_eq!(pairs(&contacts), [(0, 1, 6)]);
    }
}
