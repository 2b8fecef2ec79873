use crate::order::sort_by_key;
use crate::runs::{changing, run_end};
use crate::segment::Labels;

/// Two regions that touch, smaller label first, and how many pixel sides they share.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    pub a: u32,
    pub b: u32,
    pub length: u32,
}

impl Contact {
    fn new(a: u32, b: u32, length: u32) -> Self {
        Contact { a: a.min(b), b: a.max(b), length }
    }
}

/// Which regions touch.
///
/// # Guarantees
/// Each pair once, sorted by `a`, then `b`.
pub(crate) struct Contacts {
    sorted: Vec<Contact>,
}

impl Contacts {
    /// Linear in pixels: sorted by counting.
    pub fn new(labels: &Labels, width: usize) -> Self {
        let mut room = Room::new(labels.count);
        for_each_crack(labels, width, |a, b| room.count(&Contact::new(a, b, 1)));
        room.open();
        for_each_crack(labels, width, |a, b| room.put(Contact::new(a, b, 1)));
        Contacts { sorted: room.added_up() }
    }

    pub fn sorted(&self) -> &[Contact] {
        &self.sorted
    }

    /// Follows regions into their groups.
    pub fn relabel(&mut self, groups: &Labels) {
        let group = |region: u32| groups.ids[region as usize];
        let mut room = Room::new(groups.count);
        self.sorted.retain_mut(|contact| {
            *contact = Contact::new(group(contact.a), group(contact.b), contact.length);
            let touch = contact.a != contact.b;
            if touch {
                room.count(contact);
            }
            touch
        });
        room.open();
        self.sorted.iter().for_each(|&contact| room.put(contact));
        self.sorted = room.added_up();
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

    fn count(&mut self, contact: &Contact) {
        self.ends[contact.a as usize + 1] += 1;
    }

    /// All are counted.
    fn open(&mut self) {
        for i in 1..self.ends.len() {
            self.ends[i] += self.ends[i - 1];
        }
        let count = self.ends[self.ends.len() - 1] as usize;
        self.contacts = vec![Contact { a: 0, b: 0, length: 0 }; count];
    }

    fn put(&mut self, contact: Contact) {
        let end = &mut self.ends[contact.a as usize];
        self.contacts[*end as usize] = contact;
        *end += 1;
    }

    /// Sorts the contacts of each region and makes one of those of the same pair.
    fn added_up(mut self) -> Vec<Contact> {
        let of_each = self.contacts.chunk_by_mut(|left, right| left.a == right.a);
        of_each.for_each(|contacts| sort_by_key(contacts, |contact| u64::from(contact.b)));
        self.contacts.dedup_by(|next, kept| {
            let same = (next.a, next.b) == (kept.a, kept.b);
            if same {
                kept.length += next.length;
            }
            same
        });
        self.contacts
    }
}

/// Visits every side between two pixels of different regions.
fn for_each_crack(labels: &Labels, width: usize, mut visit: impl FnMut(u32, u32)) {
    let ids = &labels.ids;
    for row in ids.chunks_exact(width) {
        let mut end = run_end(row, 0);
        while end < width {
            visit(row[end - 1], row[end]);
            end = run_end(row, end);
        }
    }
    for (row, below) in ids.chunks_exact(width).zip(ids[width..].chunks_exact(width)) {
        for range in changing(row, below) {
            for (&a, &b) in row[range.clone()].iter().zip(&below[range]) {
                if a != b {
                    visit(a, b);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::connected;

    fn pairs(contacts: &Contacts) -> Vec<(u32, u32, u32)> {
        contacts.sorted().iter().map(|contact| (contact.a, contact.b, contact.length)).collect()
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
