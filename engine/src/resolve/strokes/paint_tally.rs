//! Counts the paints around a candidate.

use crate::algorithms::sorted_by_key;
use crate::resolve::paints::{PaintMap, is_paint};

/// Counts how often each paint is met, in room that is kept for the next candidate.
pub(crate) struct PaintTally {
    /// For each region with a core; all 0 between candidates.
    counts: Vec<u32>,
}

impl PaintTally {
    pub fn new(paint_map: &PaintMap<'_>) -> Self {
        PaintTally { counts: vec![0; paint_map.with_core()] }
    }

    /// The paints met first along the axes from some pixels, most frequent first.
    pub fn paints_around(&mut self, paint_map: &PaintMap<'_>, pixels: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        // Mostly the same paint is met again and again, so it is counted when another one is met.
        let (mut met, mut times) = (u32::MAX, 0);
        for &i in pixels {
            for &paint in paint_map.paints_across(i as usize).as_flattened() {
                if paint == met {
                    times += 1;
                } else if is_paint(paint) {
                    self.count(met, times, &mut found);
                    (met, times) = (paint, 1);
                }
            }
        }
        self.count(met, times, &mut found);
        let found = sorted_by_key(found.into_iter(), |paint| paint);
        let frequent = sorted_by_key(found.into_iter(), |paint| !self.counts[paint as usize]);
        for &paint in &frequent {
            self.counts[paint as usize] = 0;
        }
        frequent
    }

    fn count(&mut self, paint: u32, times: u32, found: &mut Vec<u32>) {
        let Some(count) = self.counts.get_mut(paint as usize) else { return };
        if *count == 0 {
            found.push(paint);
        }
        *count += times;
    }
}
