//! Knots, where a curve may end and the next begin, and stretches of samples between them.

use crate::fit::sampled::{SampleRange, SampledOutline, Vector, turn_deg};

/// A place where one cubic may end and the next begin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Knot {
    /// The sample it belongs to.
    pub index: usize,
    pub point: Vector,
    /// The unit tangent, in the direction of the outline.
    pub tangent: Vector,
}

/// The samples between two knots, which a curve may replace.
pub(crate) struct Stretch<'a> {
    pub samples: &'a SampledOutline,
    pub from: &'a Knot,
    pub to: &'a Knot,
    /// The samples that no corner rounds off.
    pub trusted: SampleRange,
}

/// The turn from one tangent to the other by way of the chord, so that more than half a turn is measured as
/// such.
pub(crate) fn turn_between_deg(from: &Knot, to: &Knot) -> f64 {
    let chord = to.point - from.point;
    // If both turns are less than a right angle, their sum is less than half a turn, and the chord is not
    // needed.
    if chord.dot(from.tangent) > 0.0 && chord.dot(to.tangent) > 0.0 {
        return turn_deg(from.tangent, to.tangent);
    }
    turn_deg(from.tangent, chord) + turn_deg(chord, to.tangent)
}
