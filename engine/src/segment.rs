use crate::parallel::both;
use crate::pixels::{Channels, ColorMetric, Pixels};
use crate::runs::run_end;
use crate::step::{PAIR_UNITS, Steps};
use crate::watch::{Stage, Stopped, Watch};

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
    /// Applies a grouping of the labels.
    pub fn regroup(&mut self, groups: &Labels) {
        let mut start = 0;
        while start < self.ids.len() {
            let end = run_end(&self.ids, start);
            let group = groups.ids[self.ids[start] as usize];
            self.ids[start..end].fill(group);
            start = end;
        }
        self.count = groups.count;
    }

    /// Of grouped entries, keeps the first of each group, in their order: the one that took in the others.
    pub fn keep_first_of_each<T>(&self, entries: &mut Vec<T>) {
        let (mut kept, mut index) = (0, 0);
        entries.retain(|_| {
            let is_first = self.ids[index] == kept;
            kept += u32::from(is_first);
            index += 1;
            is_first
        });
    }
}

/// A forest of disjoint sets with path halving; the smaller index is the root, so results do not depend on order.
pub(crate) struct DisjointSets(pub Vec<u32>);

impl DisjointSets {
    pub fn new(count: usize) -> Self {
        DisjointSets((0..count as u32).collect())
    }

    pub fn find(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            let grandparent = self.0[self.0[i as usize] as usize];
            self.0[i as usize] = grandparent;
            i = grandparent;
        }
        i
    }

    /// Joins two sets and gives the root.
    pub fn union(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.find(a), self.find(b));
        let (root, child) = (a.min(b), a.max(b));
        self.0[child as usize] = root;
        root
    }

    /// The set of a run: that of the equal pixels above it, all joined, or a new one.
    fn join_above<T: Copy + PartialEq>(
        &mut self,
        (values, ids): (&[T], &[u32]),
        value: T,
        run: std::ops::Range<usize>,
    ) -> u32 {
        let mut joined = None;
        let mut x = run.start;
        while x < run.end.min(values.len()) {
            if values[x] == value {
                joined = Some(self.union(joined.unwrap_or(ids[x]), ids[x]));
            }
            x = run_end(&values[..run.end], x);
        }
        joined.unwrap_or_else(|| {
            self.0.push(self.0.len() as u32);
            self.0.len() as u32 - 1
        })
    }

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

/// Groups pixels that are edge-connected and equal.
pub(crate) fn connected<T: Copy + PartialEq>(values: &[T], width: usize) -> Labels {
    let (ids, sets) = connect(values, width);
    numbered(ids, sets)
}

/// For each pixel, an element of the set of the edge-connected pixels that equal it: an element for each run of a row that
/// touches no equal run above it.
fn connect<T: Copy + PartialEq>(values: &[T], width: usize) -> (Vec<u32>, DisjointSets) {
    let mut sets = DisjointSets(Vec::new());
    let mut ids = vec![0u32; values.len()];
    let mut above: (&[T], &[u32]) = (&[], &[]);
    for (row, ids) in values.chunks_exact(width).zip(ids.chunks_exact_mut(width)) {
        let mut start = 0;
        while start < width {
            let end = run_end(row, start);
            let id = sets.join_above(above, row[start], start..end);
            ids[start..end].fill(id);
            start = end;
        }
        above = (row, ids);
    }
    (ids, sets)
}

fn numbered(ids: Vec<u32>, sets: DisjointSets) -> Labels {
    let mut labels = Labels { count: sets.0.len(), ids };
    labels.regroup(&sets.into_labels());
    labels
}

/// Pixel count and channel sums of a growing region.
#[derive(Clone, Copy)]
struct Sums {
    count: f32,
    sum: Channels,
}

impl Sums {
    fn mean(&self) -> Channels {
        self.sum.map(|s| s / self.count)
    }
}

/// Units a pixel, in pictures where most pixels differ from their neighbors.
const EXPECTED_UNITS: usize = 2 + 2 * PAIR_UNITS;

/// Joins pixels into regions of one color: neighbors in the order of their difference, each pair only while the *means*
/// of the two regions belong to one layer, so that a smooth ramp is cut into bands instead of running together.
///
/// Linear in pixels: differences are small integers, sorted by counting.
pub(crate) fn segment(
    pixels: &Pixels,
    metric: &ColorMetric,
    watch: &mut Watch<'_>,
) -> Result<Labels, Stopped> {
    watch.begin(Stage::Segment, EXPECTED_UNITS * pixels.data.len())?;
    let count = pixels.data.len();
    let connected_with_sums = || {
        let (ids, mut sets) = connect(&pixels.data, pixels.width);
        let sums = sums(pixels, &ids, &mut sets);
        (ids, sets, sums)
    };
    let steps = || Steps::new(pixels, metric.largest_joining_step(), watch);
    let ((ids, mut sets, mut sums), steps) = both(count, connected_with_sums, steps);
    let steps = steps?;
    watch.advance(count)?;
    steps.for_each(pixels.width, watch, |i, j| {
        let (a, b) = (sets.find(ids[i]), sets.find(ids[j]));
        if a == b {
            return;
        }
        let (sa, sb) = (sums[a as usize], sums[b as usize]);
        if metric.same_layer(sa.mean(), sb.mean()) {
            let root = sets.union(a, b);
            let mut sum = sa.sum;
            for (s, v) in sum.iter_mut().zip(sb.sum) {
                *s += v;
            }
            sums[root as usize] = Sums { count: sa.count + sb.count, sum };
        }
    })?;
    Ok(numbered(ids, sets))
}

fn sums(pixels: &Pixels, ids: &[u32], sets: &mut DisjointSets) -> Vec<Sums> {
    let mut sums = vec![Sums { count: 0.0, sum: [0.0; 4] }; sets.0.len()];
    for (y, row) in ids.chunks_exact(pixels.width).enumerate() {
        let mut start = 0;
        while start < row.len() {
            let end = run_end(row, start);
            let entry = &mut sums[sets.find(row[start]) as usize];
            entry.count += (end - start) as f32;
            // All pixels of a flat patch are equal: the product is exact where a running sum would stagnate.
            entry.sum = pixels.channels(y * pixels.width + start).map(|v| v * entry.count);
            start = end;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_joins_a_u_shape_from_below() {
        let labels = connected(&[1, 0, 1, 1, 0, 1, 1, 1, 1], 3);
        assert_eq!(labels.ids, [0, 1, 0, 0, 1, 0, 0, 0, 0]);
        assert_eq!(labels.count, 2);
    }

    #[test]
    fn a_long_ramp_is_cut_into_bands() {
        let data: Vec<[u8; 4]> = (0..256).map(|x| [x as u8, x as u8, x as u8, 255]).collect();
        let pixels = Pixels { width: 256, height: 1, data };
        let metric = ColorMetric::new(&crate::Options::default());
        let labels = segment(&pixels, &metric, &mut Watch::idle()).unwrap();
        assert!((8..=64).contains(&labels.count), "{}", labels.count);
    }
}
