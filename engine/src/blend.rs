//! What a mixture of colors is made of, and where two rows of such mixtures say that an ink lies.
use crate::pixels::{Channels, dot, minus, plus};

/// The sine, squared, of the angle between two ways through color space that tell where they meet.
const LEAST_SINE_SQ: f32 = 0.02;

/// How much of a mixture of two paints and an ink each of the paints is; where they and the ink lie on one line, all that is not ink is
/// of the first. None where they are off it by more than `largest_sq` (squared, Euclidean, 8-bit levels).
#[inline(never)]
pub(crate) fn of_paints(
    color: Channels,
    paints: [Channels; 2],
    ink: Channels,
    largest_sq: f32,
) -> Option<[f32; 2]> {
    let [a, b] = paints.map(|paint| minus(paint, ink));
    let value = minus(color, ink);
    let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
    let (va, vb) = (dot(value, a), dot(value, b));
    let determinant = aa * bb - ab * ab;
    let shares = match determinant > LEAST_SINE_SQ * aa * bb {
        true => [(va * bb - vb * ab) / determinant, (vb * aa - va * ab) / determinant],
        false => [va / aa.max(1.0), 0.0],
    };
    let shares @ [of_a, of_b] = shares.map(|share: f32| share.max(0.0));
    let residual = minus(value, plus(a.map(|v| v * of_a), of_b, b));
    (dot(residual, residual) <= largest_sq).then_some(shares)
}

/// Where two lines through color space come nearest to each other: from two points, in two directions.
pub(crate) fn meeting(points: [Channels; 2], [u, v]: [Channels; 2]) -> Option<Channels> {
    let between = minus(points[1], points[0]);
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let determinant = uu * vv - uv * uv;
    if determinant <= LEAST_SINE_SQ * uu * vv {
        return None;
    }
    let (du, dv) = (dot(between, u), dot(between, v));
    let (s, t) = ((du * vv - dv * uv) / determinant, (du * uv - dv * uu) / determinant);
    let (a, b) = (plus(points[0], s, u), plus(points[1], t, v));
    Some(std::array::from_fn(|c| 0.5 * (a[c] + b[c])))
}
