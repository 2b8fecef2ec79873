//! One cubic through a run of samples: takes a stretch with its ends and end tangents, gives the lengths of
//! the handles.
//!
//! A candidate of the search is fitted only as far as it takes to accept or reject it, mostly one round: the
//! sums of a round predict the error of the next.

use super::cubic_error::{CubicEnds, CubicStep, Handles};
use super::cubic_samples::CubicSamples;
use super::stretch::Stretch;
use crate::fit::sampled::{Bound, Vector, WORST_OF_RMS};

/// A cubic between two knots.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cubic {
    pub handles: Handles,
    /// The mean and the largest of the squared distances of the samples.
    mean_sq: f64,
    worst_sq: f64,
}

/// The most rounds of moving parameters and handles to where the error is least.
///
/// Unit: count (rounds). Source: tuned; no derivation is known.
const CUBIC_ROUNDS: usize = 4;

/// A candidate whose error is below this share of the tolerance is accepted without a further round.
///
/// Unit: share of the tolerance (ratio), squared. Source: tuned; no derivation is known.
const SURE_SQ: f64 = 0.7 * 0.7;

/// A candidate whose error is above this multiple of the tolerance after a round is rejected without a
/// further round.
///
/// Unit: share of the tolerance (ratio), squared, for each round. Source: counted on drawings; of the
/// candidates that came within the tolerance in the third round, nine in ten were less than a seventh outside
/// after the second.
const HOPELESS_SQ: [f64; CUBIC_ROUNDS] = [3.0 * 3.0, 1.2 * 1.2, 0.0, 0.0];

/// A candidate whose expected error is below this share of the tolerance is accepted.
///
/// Unit: share of the tolerance (ratio), squared. Source: tuned; a round mostly leaves a little less than
/// expected.
const LIKELY_SQ: f64 = 0.9 * 0.9;

/// A distance of handles that is not seen: a cubic whose handles move by less in a round is finished, and one
/// whose handles end this near to its chord is written as a line.
///
/// Unit: pixels. Source: tuned; less than half the tenth of a pixel to which positions are rounded.
pub(super) const UNSEEN_PX: f64 = 0.04;

/// A cubic of which a round is expected to leave more than this share of the error is finished.
///
/// Unit: share (ratio), squared. Source: tuned; a round is not worth its time for a twentieth of the error.
const SETTLED_SHARE_SQ: f64 = 0.95 * 0.95;

/// The error up to which a cubic is accepted. Errors are compared by their squares, without square roots.
#[derive(Clone, Copy)]
pub(crate) struct CubicTolerance {
    /// One over the mean of the squared distances allowed.
    inverse_sq: f64,
}

impl CubicTolerance {
    pub fn new(mean_sq: f64) -> Self {
        CubicTolerance { inverse_sq: 1.0 / mean_sq }
    }

    /// The RMS distance of a cubic as a share of the tolerance, squared.
    pub fn rms_share_sq(&self, cubic: &Cubic) -> f64 {
        cubic.mean_sq * self.inverse_sq
    }

    /// The RMS or the worst distance of a cubic as a share of what is allowed to it, whichever is larger,
    /// squared.
    pub fn share_sq(&self, cubic: &Cubic) -> f64 {
        cubic.mean_sq.at_least(cubic.worst_sq / (WORST_OF_RMS * WORST_OF_RMS)) * self.inverse_sq
    }
}

impl Stretch<'_> {
    /// The least-squares cubic through the samples; the search starts from `handles` if given.
    pub fn cubic(&self, cubic_samples: &mut CubicSamples, handles: Option<Handles>) -> Cubic {
        self.fit(cubic_samples, handles, None)
    }

    /// The same, but only as far as it takes to know whether it is within the tolerance.
    pub fn candidate(&self, cubic_samples: &mut CubicSamples, tolerance: &CubicTolerance) -> Cubic {
        self.fit(cubic_samples, None, Some(tolerance))
    }

    #[inline(never)]
    fn fit(
        &self,
        cubic_samples: &mut CubicSamples,
        handles: Option<Handles>,
        tolerance: Option<&CubicTolerance>,
    ) -> Cubic {
        cubic_samples.take(self);
        let ends = CubicEnds::new(self.from, self.to, cubic_samples.length);
        let third = cubic_samples.length / 3.0;
        let straight = Handles { from: third, to: third };
        if cubic_samples.count == 0 {
            return Cubic { handles: straight, mean_sq: 0.0, worst_sq: 0.0 };
        }
        let mut best = Cubic { handles: straight, mean_sq: f64::INFINITY, worst_sq: f64::INFINITY };
        let mut handles = handles.unwrap_or_else(|| ends.handles(cubic_samples));
        for (round, hopeless_sq) in HOPELESS_SQ.into_iter().enumerate() {
            let CubicStep { mean_sq, worst_sq, better, expected_sq } = ends.project(handles, cubic_samples);
            // A round can increase the error, if a handle would leave its bounds.
            if mean_sq < best.mean_sq {
                best = Cubic { handles, mean_sq, worst_sq };
            }
            if let Some(tolerance) = tolerance {
                let share_sq = tolerance.share_sq(&best);
                if share_sq <= SURE_SQ || share_sq > hopeless_sq || round > 0 && share_sq <= 1.0 {
                    break;
                }
                let worst_sq = worst_sq * (expected_sq / mean_sq);
                let next = Cubic { handles: better, mean_sq: expected_sq, worst_sq };
                if tolerance.share_sq(&next) < LIKELY_SQ {
                    best = next;
                    break;
                }
            }
            let is_settled =
                (better.from - handles.from).abs() < UNSEEN_PX && (better.to - handles.to).abs() < UNSEEN_PX;
            if is_settled || expected_sq >= SETTLED_SHARE_SQ * mean_sq {
                if best.handles == handles {
                    best.handles = better;
                }
                break;
            }
            handles = better;
        }
        best
    }

    /// The four control points.
    pub fn controls(&self, cubic: &Cubic) -> [Vector; 4] {
        let (p0, p3) = (self.from.point, self.to.point);
        [p0, p0 + self.from.tangent * cubic.handles.from, p3 - self.to.tangent * cubic.handles.to, p3]
    }
}
