//! Where a line touches the curve beside it: takes a straight piece, gives the sample at which the curve
//! begins.

use super::piece::OutlinePiece;
use crate::fit::polygon::PolygonFrame;
use crate::fit::sampled::{NEAR_NOISE, PLACED_PX, SampledOutline};

/// The most samples that are searched for where a curve has left its tangent.
///
/// Unit: count (samples). Source: tuned; bounds the work.
const CONTACT_SAMPLES: usize = 40;

/// The sample where a straight piece ends and its neighboring curve begins, toward its start or its end.
///
/// A curve leaves its tangent by s²/2r. Where it is four times as far away as noise explains, it is twice as
/// far from the point of contact, which therefore lies as far back again.
pub(crate) fn straight_run_end(
    samples: &SampledOutline,
    frame: &PolygonFrame,
    piece: &OutlinePiece,
    start: bool,
) -> usize {
    let side = &frame.sides[piece.side];
    let lap = piece.first - side.first;
    let allowed_px = PLACED_PX + NEAR_NOISE * samples.noise_px;
    // Four times as far away is twice as far along.
    let far_px = 4.0 * allowed_px;
    let away_px = |index: usize| side.line.offset(samples.at(index)).abs();
    let middle = (piece.first + piece.last) / 2;
    let step = |index: usize| if start { index.checked_sub(1) } else { Some(index + 1) };
    let back = |index: usize, by: usize| if start { index + by } else { index.saturating_sub(by) };
    let trusted = if start { side.trusted.first } else { side.trusted.last } + lap;
    let mut end = if start { trusted.min(middle) } else { trusted.max(middle) };
    while end != middle && away_px(end) > allowed_px {
        end = back(end, 1);
    }
    let bound = if start { piece.first } else { piece.last };
    while let Some(next) = step(end)
        && end != bound
        && away_px(next) <= allowed_px
    {
        end = next;
    }
    let mut far = end;
    let farthest = if start {
        end.saturating_sub(CONTACT_SAMPLES)
    } else {
        (end + CONTACT_SAMPLES).min(samples.last_index())
    };
    while far != farthest && away_px(far) < far_px {
        far = if start { far - 1 } else { far + 1 };
    }
    let has_left = away_px(far) >= far_px;
    let contact = back(end, if has_left { far.abs_diff(end).saturating_sub(1) } else { 0 });
    if start { contact.min(middle) } else { contact.max(middle) }
}
