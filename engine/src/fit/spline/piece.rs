//! The pieces of an outline: takes the polygon with its corners, gives its lines and its smooth stretches in
//! order.

use crate::fit::polygon::PolygonFrame;
use crate::fit::sampled::{SampledOutline, wrapped};

/// One line, or one smooth stretch of sides.
#[derive(Clone, Copy)]
pub(crate) struct OutlinePiece {
    /// Its first side, and the number of its sides.
    pub side: usize,
    pub count: usize,
    pub straight: bool,
    /// The samples at its ends, beyond `samples.count` past the seam.
    pub first: usize,
    pub last: usize,
}

/// Lists the pieces in order from a corner or from the start of a line; none for a closed outline that has
/// neither.
pub(crate) fn list_pieces(samples: &SampledOutline, frame: &PolygonFrame, pieces: &mut Vec<OutlinePiece>) {
    let sides = &frame.sides;
    let is_start = |side: usize| {
        let before = &sides[wrapped(side + sides.len() - 1, sides.len())];
        frame.corners[side] || sides[side].straight || before.straight
    };
    pieces.clear();
    let corner = (0..sides.len()).find(|&side| frame.corners[side]);
    let start = if samples.closed {
        corner.or_else(|| (0..sides.len()).find(|&side| is_start(side)))
    } else {
        Some(0)
    };
    let Some(start) = start else { return };
    for step in 0..sides.len() {
        let index = wrapped(start + step, sides.len());
        let lap = if index < start { samples.count } else { 0 };
        let (side, last) = (&sides[index], sides[index].last + lap);
        if step == 0 || is_start(index) {
            let first = side.first + lap;
            pieces.push(OutlinePiece { side: index, count: 1, straight: side.straight, first, last });
        } else if let Some(piece) = pieces.last_mut() {
            piece.count += 1;
            piece.last = last;
        }
    }
}
