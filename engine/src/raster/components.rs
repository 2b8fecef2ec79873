//! Connected components: edge-connected pixels of equal value.
//!
//! They are found by runs and cracks, without reading a pixel: runs of neighboring rows join if no crack lies between them.

use super::cracks::{Cracks, WORD};
use super::labels::Labels;
use super::partition::Partition;
use crate::algorithms::{CHUNK, DisjointSets, splat_chunk};
use crate::api::{ProgressMeter, Stopped};

/// The component of each run of pixels. Runs are connected if they share a pixel side without a crack.
pub(crate) struct Components {
    /// For each run, row by row, an element of the set of its component.
    elements: Vec<u32>,
    /// The component of each element.
    labels: Labels,
}

/// A run of the row above.
struct LabelRun {
    end: usize,
    element: u32,
}

impl Components {
    /// Finds the components of a partition, given its cracks. Linear in runs.
    pub fn find(cracks: &Cracks, meter: &mut ProgressMeter<'_>) -> Result<Self, Stopped> {
        let mut sets = DisjointSets(Vec::new());
        let mut elements = Vec::new();
        let (mut above, mut runs) = (Vec::new(), Vec::new());
        for y in 0..cracks.height() {
            meter.advance(cracks.width)?;
            let row_above = y.checked_sub(1).map(|above| cracks.row(above)).unwrap_or_default();
            let is_open = |x: usize| row_above[x / WORD].below >> (x % WORD) & 1 == 0;
            // The first run of the row above that may touch the next run, and where it begins.
            let (mut next, mut next_start) = (0, 0);
            cracks.for_each_run(y, |run| {
                let mut joined = None;
                while let Some(&LabelRun { end, element }) = above.get(next) {
                    if is_open(run.start.max(next_start)) {
                        joined = Some(joined.map_or(element, |joined| sets.union(joined, element)));
                    }
                    if end > run.end {
                        break;
                    }
                    (next, next_start) = (next + 1, end);
                    if end == run.end {
                        break;
                    }
                }
                let element = joined.unwrap_or_else(|| sets.begin());
                elements.push(element);
                runs.push(LabelRun { end: run.end, element });
            });
            std::mem::swap(&mut above, &mut runs);
            runs.clear();
        }
        Ok(Components { elements, labels: sets.into_labels() })
    }

    pub fn count(&self) -> usize {
        self.labels.count
    }

    /// Visits every run with its pixels and its component.
    pub fn for_each_run(&self, cracks: &Cracks, mut visit: impl FnMut(std::ops::Range<usize>, u32)) {
        let mut elements = self.elements.iter();
        for y in 0..cracks.height() {
            let first = y * cracks.width;
            cracks.for_each_run(y, |run| {
                if let Some(&element) = elements.next() {
                    visit(first + run.start..first + run.end, self.labels.ids[element as usize]);
                }
            });
        }
    }

    /// Writes the component of every pixel into `ids`.
    pub fn labels(self, cracks: &Cracks, mut ids: Vec<u32>) -> Labels {
        self.for_each_run(cracks, |run, label| fill(&mut ids[run.start..], run.len(), label));
        Labels { ids, count: self.count() }
    }
}

/// Writes a label `count` times, in whole chunks: the runs that follow overwrite what is written too far. Most runs are shorter than a
/// chunk, and a loop over unpredictable lengths would mispredict its end.
fn fill(ids: &mut [u32], count: usize, label: u32) {
    match ids.get_mut(..count.next_multiple_of(CHUNK)) {
        Some(ids) => ids.as_chunks_mut().0.fill(splat_chunk(label)),
        None => ids[..count].fill(label),
    }
}

/// Labels edge-connected pixels of equal value.
pub(crate) fn connected_components(
    values: &[u32],
    width: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<Partition, Stopped> {
    let cracks = Cracks::find(values, width, meter)?;
    let labels = Components::find(&cracks, meter)?.labels(&cracks, vec![0; values.len()]);
    Ok(Partition { labels, cracks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_joins_a_u_shape_from_below() {
        let Partition { labels, .. } =
            connected_components(&[1, 0, 1, 1, 0, 1, 1, 1, 1], 3, &mut ProgressMeter::idle()).unwrap();
        assert_eq!(labels.ids, [0, 1, 0, 0, 1, 0, 0, 0, 0]);
        assert_eq!(labels.count, 2);
    }

    #[test]
    fn runs_join_those_above_that_they_touch_and_no_others() {
        let values = b"aabbaacaddbbbacaaabbbccc".map(u32::from);
        let Partition { labels, .. } = connected_components(&values, 8, &mut ProgressMeter::idle()).unwrap();
        assert_eq!(labels.ids, [0, 0, 1, 1, 2, 2, 3, 4, 5, 5, 1, 1, 1, 2, 3, 4, 6, 6, 1, 1, 1, 3, 3, 3]);
    }
}
