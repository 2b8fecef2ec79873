use crate::runs::{CHUNK, changing};
use crate::segment::Labels;

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
    /// Linear in pixels.
    pub fn new(labels: &Labels, width: usize) -> Self {
        let mut room = Room::new(labels.count);
        let cracks = Cracks::find(labels, width);
        cracks.for_each(|a, b, _| room.count(a, b));
        room.open();
        cracks.for_each(|a, b, length| room.put(a, b, length));
        room.added_up()
    }

    pub fn regions(&self) -> usize {
        self.ends.len() - 1
    }

    /// The contacts that are kept under a region: those with larger labels.
    pub fn of(&self, region: usize) -> &[Contact] {
        let start = if region == 0 { 0 } else { self.ends[region - 1] };
        &self.contacts[start as usize..self.ends[region] as usize]
    }

    /// Follows regions into their groups.
    pub fn relabel(&mut self, groups: &Labels) {
        let mut room = Room::new(groups.count);
        self.for_each_between(groups, |a, b, _| room.count(a, b));
        room.open();
        self.for_each_between(groups, |a, b, length| room.put(a, b, length));
        *self = room.added_up();
    }

    /// Visits the contacts between different groups.
    fn for_each_between(&self, groups: &Labels, mut visit: impl FnMut(u32, u32, u32)) {
        for region in 0..self.regions() {
            let group = groups.ids[region];
            for contact in self.of(region) {
                let other = groups.ids[contact.other as usize];
                if other != group {
                    visit(group, other, contact.length);
                }
            }
        }
    }
}

/// Room for the contacts of each region.
struct Room {
    /// How many contacts each region has, from its successor on; then where its next one goes.
    ends: Vec<u32>,
    contacts: Vec<Contact>,
}

impl Room {
    fn new(regions: usize) -> Self {
        Room { ends: vec![0; regions + 1], contacts: Vec::new() }
    }

    fn count(&mut self, a: u32, b: u32) {
        self.ends[a.min(b) as usize + 1] += 1;
    }

    /// All are counted.
    fn open(&mut self) {
        for i in 1..self.ends.len() {
            self.ends[i] += self.ends[i - 1];
        }
        let count = self.ends[self.ends.len() - 1] as usize;
        self.contacts = vec![Contact { other: 0, length: 0 }; count];
    }

    fn put(&mut self, a: u32, b: u32, length: u32) {
        let end = &mut self.ends[a.min(b) as usize];
        self.contacts[*end as usize] = Contact { other: a.max(b), length };
        *end += 1;
    }

    /// Makes one of the contacts of the same pair.
    fn added_up(mut self) -> Contacts {
        // Where the contact with each region was kept last.
        let mut places = vec![u32::MAX; self.ends.len() - 1];
        let (mut start, mut kept) = (0, 0);
        for end in self.ends.iter_mut().take(places.len()) {
            let first = kept;
            for k in start..*end {
                let contact = self.contacts[k as usize];
                let place = &mut places[contact.other as usize];
                if (first..kept).contains(place) {
                    self.contacts[*place as usize].length += contact.length;
                } else {
                    *place = kept;
                    self.contacts[kept as usize] = contact;
                    kept += 1;
                }
            }
            (start, *end) = (*end, kept);
        }
        self.contacts.truncate(kept as usize);
        self.contacts.shrink_to_fit();
        Contacts { ends: self.ends, contacts: self.contacts }
    }
}

/// The sides between pixels of different regions.
pub(crate) struct Cracks<'a> {
    ids: &'a [u32],
    width: usize,
    /// Where the chunks of rows begin that have any beside or below them.
    starts: Vec<u32>,
}

impl<'a> Cracks<'a> {
    pub fn find(labels: &'a Labels, width: usize) -> Self {
        let ids = &labels.ids;
        let mut starts = Vec::new();
        for first in (0..ids.len()).step_by(width) {
            let row = &ids[first..first + width];
            let below = ids.get(first + width..first + 2 * width).unwrap_or(row);
            starts.extend(changing(row, below).map(|range| (first + range.start) as u32));
        }
        Cracks { ids, width, starts }
    }

    /// Visits every stretch of a side that parts the same two regions, with its length.
    pub fn for_each(&self, mut visit: impl FnMut(u32, u32, u32)) {
        for &start in &self.starts {
            let row_end = (start as usize / self.width + 1) * self.width;
            let (start, end) = (start as usize, (start as usize + CHUNK).min(row_end));
            for pair in self.ids[start..(end + 1).min(row_end)].windows(2) {
                if pair[0] != pair[1] {
                    visit(pair[0], pair[1], 1);
                }
            }
            let below = self.ids.get(start + self.width..end + self.width).unwrap_or(&[]);
            for_each_stretch(&self.ids[start..end], below, &mut visit);
        }
    }
}

/// Visits what lies between a row and the one below.
fn for_each_stretch(row: &[u32], below: &[u32], mut visit: impl FnMut(u32, u32, u32)) {
    let mut pairs = row.iter().copied().zip(below.iter().copied()).peekable();
    while let Some((a, b)) = pairs.next() {
        let mut length = 1;
        while pairs.next_if_eq(&(a, b)).is_some() {
            length += 1;
        }
        if a != b {
            visit(a, b, length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::connected;

    fn pairs(contacts: &Contacts) -> Vec<(u32, u32, u32)> {
        let of =
            |a: usize| contacts.of(a).iter().map(move |contact| (a as u32, contact.other, contact.length));
        let mut pairs: Vec<_> = (0..contacts.regions()).flat_map(of).collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn contacts_follow_what_was_absorbed() {
        let labels = connected(b"aabccbddd", 3);
        let mut contacts = Contacts::new(&labels, 3);
        assert_eq!(pairs(&contacts), [(0, 1, 1), (0, 2, 2), (1, 2, 1), (1, 3, 1), (2, 3, 2)]);
        contacts.relabel(&Labels { ids: vec![0, 1, 2, 0], count: 3 });
        assert_eq!(pairs(&contacts), [(0, 1, 2), (0, 2, 4), (1, 2, 1)]);
        contacts.relabel(&Labels { ids: vec![0, 1, 1], count: 2 });
        assert_eq!(pairs(&contacts), [(0, 1, 6)]);
    }
}
