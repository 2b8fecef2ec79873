use super::cracks::{Cracks, WORD};
use super::labels::Labels;
use crate::algorithms::{CHUNK, DisjointSets, splat_chunk};
use crate::api::{ProgressMeter, Stopped};

/// Which runs of pixels hang together, by their sides, where no crack parts them.
pub(crate) struct Components {
    /// For each run, row by row, an element of the set of its piece.
    elements: Vec<u32>,
    /// Of elements.
    labels: Labels,
}

/// A run of the row above.
struct LabelRun {
    end: usize,
    element: u32,
}

impl Components {
    /// Linear in runs.
    pub fn find(cracks: &Cracks, meter: &mut ProgressMeter<'_>) -> Result<Self, Stopped> {
        let mut sets = DisjointSets(Vec::new());
        let mut elements = Vec::new();
        let (mut above, mut runs) = (Vec::new(), Vec::new());
        for y in 0..cracks.height() {
            meter.advance(cracks.width)?;
            let row_above = y.checked_sub(1).map(|above| cracks.row(above)).unwrap_or_default();
            let is_open = |x: usize| row_above[x / WORD].below >> (x % WORD) & 1 == 0;
            // The first run above that may lie beside the next run, and where it begins.
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

    /// Visits every run: its pixels and its piece's label.
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

    /// The labels of all pixels, in the room given.
    pub fn labels(self, cracks: &Cracks, mut ids: Vec<u32>) -> Labels {
        self.for_each_run(cracks, |run, label| fill(&mut ids[run.start..], run.len(), label));
        Labels { ids, count: self.count() }
    }
}

/// Writes a label so many times, by chunks: what comes after is written over by what does. How long a run is cannot be foretold, but
/// most are shorter than a chunk.
fn fill(ids: &mut [u32], count: usize, label: u32) {
    match ids.get_mut(..count.next_multiple_of(CHUNK)) {
        Some(ids) => ids.as_chunks_mut().0.fill(splat_chunk(label)),
        None => ids[..count].fill(label),
    }
}

/// Groups pixels that are edge-connected and equal, and tells where their sides are.
pub(crate) fn connected(
    values: &[u32],
    width: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<(Labels, Cracks), Stopped> {
    let cracks = Cracks::find(values, width, meter)?;
    let labels = Components::find(&cracks, meter)?.labels(&cracks, vec![0; values.len()]);
    Ok((labels, cracks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_joins_a_u_shape_from_below() {
        let (labels, _) = connected(&[1, 0, 1, 1, 0, 1, 1, 1, 1], 3, &mut ProgressMeter::idle()).unwrap();
        assert_eq!(labels.ids, [0, 1, 0, 0, 1, 0, 0, 0, 0]);
        assert_eq!(labels.count, 2);
    }

    #[test]
    fn runs_join_those_above_that_they_touch_and_no_others() {
        let values = b"aabbaacaddbbbacaaabbbccc".map(u32::from);
        let (labels, _) = connected(&values, 8, &mut ProgressMeter::idle()).unwrap();
        assert_eq!(labels.ids, [0, 0, 1, 1, 2, 2, 3, 4, 5, 5, 1, 1, 1, 2, 3, 4, 6, 6, 1, 1, 1, 3, 3, 3]);
    }
}
