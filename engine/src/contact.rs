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

    fn key(&self) -> u64 {
        u64::from(self.a) << 32 | u64::from(self.b)
    }
}

/// Which regions touch.
///
/// # Guarantees
/// Each pair once, sorted by `a`, then `b`.
pub(crate) struct Contacts {
    sorted: Vec<Contact>,
    /// Kept between rounds for its room.
    moved: Vec<Contact>,
}

impl Contacts {
    /// Linear in pixels: sorted by counting.
    pub fn new(labels: &Labels, width: usize) -> Self {
        let mut ends = vec![0u32; labels.count + 1];
        for_each_crack(labels, width, |a, b| ends[a.min(b) as usize + 1] += 1);
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        let mut sorted = vec![Contact { a: 0, b: 0, length: 0 }; ends[labels.count] as usize];
        for_each_crack(labels, width, |a, b| {
            let slot = &mut ends[a.min(b) as usize];
            sorted[*slot as usize] = Contact::new(a, b, 1);
            *slot += 1;
        });
        let groups = sorted.chunk_by_mut(|left, right| left.a == right.a);
        groups.for_each(|group| sort_by_key(group, Contact::key));
        let mut contacts = Contacts { sorted, moved: Vec::new() };
        contacts.add_up();
        contacts
    }

    pub fn iter(&self) -> impl Iterator<Item = &Contact> {
        self.sorted.iter()
    }

    /// Follows regions into their groups, which are numbered in the order of their first regions. Only contacts of
    /// others are sorted again.
    pub fn relabel(&mut self, groups: &Labels) {
        let firsts = firsts(groups);
        let moved = &mut self.moved;
        moved.clear();
        self.sorted.retain_mut(|contact| {
            let (a, b) = (contact.a, contact.b);
            let followed = Contact::new(groups.ids[a as usize], groups.ids[b as usize], contact.length);
            let stays = firsts[followed.a as usize] == a && firsts[followed.b as usize] == b;
            if stays {
                *contact = followed;
            } else if followed.a != followed.b {
                moved.push(followed);
            }
            stays
        });
        sort_by_key(&mut self.moved, Contact::key);
        self.take_in_moved();
        self.add_up();
    }

    /// Merges the two sorted lists, from their ends, in place.
    fn take_in_moved(&mut self) {
        let mut kept = self.sorted.len();
        self.sorted.extend_from_slice(&self.moved);
        let mut end = self.sorted.len();
        while let Some(last) = self.moved.last() {
            end -= 1;
            if kept > 0 && self.sorted[kept - 1].key() > last.key() {
                kept -= 1;
                self.sorted[end] = self.sorted[kept];
            } else {
                self.sorted[end] = *last;
                self.moved.pop();
            }
        }
    }

    /// Makes one of the contacts of the same pair.
    fn add_up(&mut self) {
        self.sorted.dedup_by(|next, kept| {
            let same = next.key() == kept.key();
            if same {
                kept.length += next.length;
            }
            same
        });
    }
}

/// The first region of each group.
fn firsts(groups: &Labels) -> Vec<u32> {
    let mut firsts = Vec::with_capacity(groups.count);
    for (region, &group) in groups.ids.iter().enumerate() {
        if group as usize == firsts.len() {
            firsts.push(region as u32);
        }
    }
    firsts
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
        contacts.iter().map(|contact| (contact.a, contact.b, contact.length)).collect()
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
