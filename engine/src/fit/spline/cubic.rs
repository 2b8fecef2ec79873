//! One cubic through a run of samples, its ends and end tangents given.

use super::cubic_error::{CubicEnds, CubicSamples, CubicStep};
use super::stretch::Stretch;
use crate::fit::sampled::{Bound, Vector};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Cubic {
    /// Lengths of the two handles.
    pub handles: (f64, f64),
    /// Of the squared distances from it their mean, and the largest.
    mean_sq: f64,
    worst_sq: f64,
}

/// Rounds of moving the times and the handles toward where the error is least.
const CUBIC_ROUNDS: usize = 4;
/// A candidate so far within tolerance after a round is taken to be, and one so far out of it never comes in: of those that do in the
/// third round, nine in ten lacked less than a seventh after the second. It has no fourth.
const SURE_SQ: f64 = 0.7 * 0.7;
const HOPELESS_SQ: [f64; CUBIC_ROUNDS] = [3.0 * 3.0, 1.2 * 1.2, 0.0, 0.0];
/// The same of what its next round is expected to leave; it mostly leaves a little less.
const LIKELY_SQ: f64 = 0.9 * 0.9;
const UNLIKELY_SQ: f64 = 1.8 * 1.8;
/// Handles that move by less than this have found their length, and those that leave more than this part of the error.
const SETTLED_PX: f64 = 0.04;
const SETTLED_PART_SQ: f64 = 0.95 * 0.95;
/// The worst distance allowed to a cubic, in RMS distances allowed.
const CUBIC_WORST_OF_RMS: f64 = 4.0;

/// What is allowed to a cubic. All of it is compared by squares, without a root.
#[derive(Clone, Copy)]
pub(crate) struct CubicTolerance {
    /// One over the mean of the squared distances.
    inverse_sq: f64,
}

impl CubicTolerance {
    /// By the mean of the squared distances.
    pub fn new(mean_sq: f64) -> Self {
        CubicTolerance { inverse_sq: 1.0 / mean_sq }
    }

    /// Of what is allowed the part that a cubic takes by its RMS distance, squared.
    pub fn mean_part_sq(&self, cubic: &Cubic) -> f64 {
        cubic.mean_sq * self.inverse_sq
    }

    /// The larger of that and the part it takes by its worst distance.
    pub fn part_sq(&self, cubic: &Cubic) -> f64 {
        const WORST_PART_SQ: f64 = 1.0 / (CUBIC_WORST_OF_RMS * CUBIC_WORST_OF_RMS);
        cubic.mean_sq.at_least(WORST_PART_SQ * cubic.worst_sq) * self.inverse_sq
    }
}

impl Stretch<'_> {
    /// The least squares cubic through the samples, to begin with `handles` if there are any.
    pub fn cubic(&self, cubic_samples: &mut CubicSamples, handles: Option<(f64, f64)>) -> Cubic {
        self.fitted(cubic_samples, handles, None)
    }

    /// The same as far as it takes to know whether it is within what is allowed.
    pub fn candidate(&self, cubic_samples: &mut CubicSamples, allowed: &CubicTolerance) -> Cubic {
        self.fitted(cubic_samples, None, Some(allowed))
    }

    #[inline(never)]
    fn fitted(
        &self,
        cubic_samples: &mut CubicSamples,
        handles: Option<(f64, f64)>,
        allowed: Option<&CubicTolerance>,
    ) -> Cubic {
        let (from, to) = (self.from, self.to);
        cubic_samples.take(self);
        let ends = CubicEnds::new(from, to, cubic_samples.length);
        let third = cubic_samples.length / 3.0;
        if cubic_samples.count == 0 {
            return Cubic { handles: (third, third), mean_sq: 0.0, worst_sq: 0.0 };
        }
        let mut best = Cubic { handles: (third, third), mean_sq: f64::INFINITY, worst_sq: f64::INFINITY };
        let mut handles = handles.unwrap_or_else(|| ends.handles(cubic_samples));
        for (round, hopeless_sq) in HOPELESS_SQ.into_iter().enumerate() {
            let CubicStep { mean_sq, worst_sq, better, expected_sq } = ends.project(handles, cubic_samples);
            // A round may also lead away, where a handle would leave its bounds.
            if mean_sq < best.mean_sq {
                best = Cubic { handles, mean_sq, worst_sq };
            }
            if let Some(allowed) = allowed {
                let part_sq = allowed.part_sq(&best);
                if part_sq <= SURE_SQ || part_sq > hopeless_sq || round > 0 && part_sq <= 1.0 {
                    break;
                }
                let worst_sq = worst_sq * (expected_sq / mean_sq);
                let next = Cubic { handles: better, mean_sq: expected_sq, worst_sq };
                if !(LIKELY_SQ..UNLIKELY_SQ).contains(&allowed.part_sq(&next)) {
                    best = next;
                    break;
                }
            }
            let is_settled =
                (better.0 - handles.0).abs() < SETTLED_PX && (better.1 - handles.1).abs() < SETTLED_PX;
            if is_settled || expected_sq >= SETTLED_PART_SQ * mean_sq {
                if best.handles == handles {
                    best.handles = better;
                }
                break;
            }
            handles = better;
        }
        best
    }

    /// Start, handles' ends and end.
    pub fn controls(&self, cubic: &Cubic) -> [Vector; 4] {
        let (p0, p3) = (self.from.point, self.to.point);
        [p0, p0 + self.from.tangent * cubic.handles.0, p3 - self.to.tangent * cubic.handles.1, p3]
    }
}
