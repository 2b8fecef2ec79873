use crate::algorithms::{CHUNK, DisjointSets, is_uniform, splat_chunk};

/// Which region each pixel belongs to.
///
/// # Guarantees
/// `ids` has one entry a pixel, each below `count`; every id below `count` occurs; numbered by first pixel in
/// row order.
pub(crate) struct Labels {
    pub ids: Vec<u32>,
    pub count: usize,
}

impl Labels {
    /// Gives labels' groups instead of them.
    // Called, for its callers are several: it would be in the module as often.
    #[inline(never)]
    pub fn apply_to(&self, ids: &mut [u32]) {
        let follow = |ids: &mut [u32]| ids.iter_mut().for_each(|id| *id = self.ids[*id as usize]);
        let (chunks, rest) = ids.as_chunks_mut::<CHUNK>();
        for chunk in chunks {
            if is_uniform(chunk, chunk[0]) {
                *chunk = splat_chunk(self.ids[chunk[0] as usize]);
            } else {
                follow(chunk);
            }
        }
        follow(rest);
    }

    /// Of grouped entries: which groups have more than one.
    pub fn have_several_members(&self) -> Vec<bool> {
        let mut seen = 0;
        let mut several = vec![false; self.count];
        for &group in &self.ids {
            several[group as usize] = group < seen;
            seen = seen.max(group + 1);
        }
        several
    }

    /// Of grouped entries, keeps the first of each group, in their order: the one that took in the others.
    // Called, for its callers are several: it would be in the module as often.
    #[inline(never)]
    pub fn keep_first_of_each<T: Copy>(&self, entries: &mut Vec<T>) {
        let mut kept = 0;
        for (index, &group) in self.ids.iter().enumerate() {
            // What is no first one is written over by the next.
            entries[kept] = entries[index];
            kept += usize::from(group as usize == kept);
        }
        entries.truncate(kept);
    }
}

impl DisjointSets {
    /// Renumbers the roots 0, 1, 2 … by index and gives each element its root's number.
    pub fn into_labels(mut self) -> Labels {
        let mut count = 0;
        for i in 0..self.0.len() {
            let parent = self.0[i];
            // A parent is never above its child, so it has its number already.
            self.0[i] = if parent == i as u32 {
                count += 1;
                count - 1
            } else {
                self.0[parent as usize]
            };
        }
        Labels { ids: self.0, count: count as usize }
    }
}
