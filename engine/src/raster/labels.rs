//! Labels: the region of each pixel, or the group of each entry of a list.

use crate::algorithms::{CHUNK, DisjointSets, is_uniform, splat_chunk};

/// The region of each pixel; or, for a list of other entries, the group of each.
///
/// # Guarantees
/// `ids` has one entry for each pixel. All are below `count`, and every number below `count` occurs. Numbers are given in the order of the
/// first pixels, row by row.
pub(crate) struct Labels {
    pub ids: Vec<u32>,
    pub count: usize,
}

impl Labels {
    /// Replaces each of `ids`, which are entries of this list, by its group.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn apply_to(&self, ids: &mut [u32]) {
        let replace = |ids: &mut [u32]| ids.iter_mut().for_each(|id| *id = self.ids[*id as usize]);
        let (chunks, rest) = ids.as_chunks_mut::<CHUNK>();
        for chunk in chunks {
            if is_uniform(chunk, chunk[0]) {
                *chunk = splat_chunk(self.ids[chunk[0] as usize]);
            } else {
                replace(chunk);
            }
        }
        replace(rest);
    }

    /// For each group, whether it has several members.
    pub fn have_several_members(&self) -> Vec<bool> {
        let mut seen = 0;
        let mut several = vec![false; self.count];
        for &group in &self.ids {
            several[group as usize] = group < seen;
            seen = seen.max(group + 1);
        }
        several
    }

    /// Keeps the first entry of each group, in their order: the one that the others joined.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn keep_first_of_each<T: Copy>(&self, entries: &mut Vec<T>) {
        let mut kept = 0;
        for (index, &group) in self.ids.iter().enumerate() {
            // An entry that is not the first of its group is overwritten by the next.
            entries[kept] = entries[index];
            kept += usize::from(group as usize == kept);
        }
        entries.truncate(kept);
    }
}

impl DisjointSets {
    /// Numbers the roots 0, 1, 2 … in their order, and labels each element with the number of its root.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
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
