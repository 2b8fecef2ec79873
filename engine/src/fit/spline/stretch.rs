//! Where a curve may end and the next begin, and what lies between two such places.
use crate::fit::sampled::{SampledOutline, Vector, turn_deg};

/// A place where one cubic may end and the next begin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Knot {
    /// The sample it stands for.
    pub index: usize,
    pub point: Vector,
    pub tangent: Vector,
}

/// A run of samples between two stops, of which a cubic may take the place.
pub(crate) struct Stretch<'a> {
    pub samples: &'a SampledOutline,
    pub from: &'a Knot,
    pub to: &'a Knot,
    /// First and last sample that are believed.
    pub believed: (usize, usize),
}

/// The turn from one tangent to the other by way of the chord, so that more than half a turn is seen as such.
pub(crate) fn turn_between_deg(from: &Knot, to: &Knot) -> f64 {
    let chord = to.point - from.point;
    // Where neither turn is a right angle, both together are less than half a turn, and the chord tells nothing.
    if chord.dot(from.tangent) > 0.0 && chord.dot(to.tangent) > 0.0 {
        return turn_deg(from.tangent, to.tangent);
    }
    turn_deg(from.tangent, chord) + turn_deg(chord, to.tangent)
}
