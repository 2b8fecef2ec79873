//! Geometry in color space: mixtures of two colors lie on a line, of three in a plane.

use super::channels::{Channels, distance_sq, dot, minus, plus, times};

/// The sine, squared, of the least angle between two ways through color space that are not taken for one.
const LEAST_SINE_SQ: f32 = 0.02;

/// Two colors are alike when no farther apart than this (Euclidean, 8-bit levels).
pub(crate) const ALIKE_SQ: f32 = 24.0 * 24.0;

/// A pixel lies on the line between two colors when it is no farther from it than this (Euclidean, 8-bit levels):
/// twice what rounding and a little sharpening leave.
pub(crate) const MIXTURE_RESIDUAL_SQ: f32 = 10.0 * 10.0;

/// The same where compression left noise: most of it lies along edges, and beyond the colors that meet there, too.
pub(crate) const NOISY_MIXTURE_RESIDUAL_SQ: f32 = 24.0 * 24.0;

/// A pixel of a stroke lies this near to the line from a paint to the ink (Euclidean, 8-bit levels): so many levels and so much of
/// the distance from paint to ink, but not more than of two colors that are alike.
const INK_RESIDUAL: f32 = 4.0;
const INK_RESIDUAL_SHARE: f32 = 0.1;

/// The mixtures of two colors.
pub(crate) struct Mixtures {
    from: Channels,
    edge: Channels,
    length_sq: f32,
}

impl Mixtures {
    pub fn new(a: Channels, b: Channels) -> Self {
        let edge = minus(b, a);
        Mixtures { from: a, edge, length_sq: dot(edge, edge) }
    }

    /// Of the one nearest to a value: its squared distance, and the second color's share.
    pub fn nearest(&self, value: Channels) -> (f32, f32) {
        let Mixtures { from, edge, length_sq } = *self;
        if length_sq == 0.0 {
            return (distance_sq(value, from), 0.0);
        }
        let share = (dot(minus(value, from), edge) / length_sq).clamp(0.0, 1.0);
        (distance_sq(value, plus(from, share, edge)), share)
    }
}

/// Squared distance of `value` from the segment a–b, and how far along it lies (0 at a, 1 at b).
pub(crate) fn projection(value: Channels, a: Channels, b: Channels) -> (f32, f32) {
    Mixtures::new(a, b).nearest(value)
}

/// How much of a mixture of two paints and an ink each of the paints is, and its squared distance from their plane; where the three lie
/// on one line, all that is not ink is of the first.
#[inline(never)]
pub(crate) fn shares_of_paints(color: Channels, paints: [Channels; 2], ink: Channels) -> (f32, [f32; 2]) {
    let [a, b] = paints.map(|paint| minus(paint, ink));
    let value = minus(color, ink);
    let (aa, along) = (dot(a, a), [dot(value, a), dot(value, b)]);
    let shares = solve_in_plane([aa, dot(a, b), dot(b, b)], along).unwrap_or([along[0] / aa.max(1.0), 0.0]);
    let shares @ [of_a, of_b] = shares.map(|share| share.max(0.0));
    (distance_sq(value, plus(times(of_a, a), of_b, b)), shares)
}

/// Where two lines through color space come nearest to each other: from two points, in two directions. None where they hardly part.
pub(crate) fn closest_approach(points: [Channels; 2], [u, v]: [Channels; 2]) -> Option<Channels> {
    let between = minus(points[1], points[0]);
    let products = [dot(u, u), -dot(u, v), dot(v, v)];
    let [s, t] = solve_in_plane(products, [dot(between, u), -dot(between, v)])?;
    let (a, b) = (plus(points[0], s, u), plus(points[1], t, v));
    Some(std::array::from_fn(|c| 0.5 * (a[c] + b[c])))
}

/// How far along each of two directions, `u` and `v`, lies what is nearest to a place in their plane, given the products `uu`, `uv` and
/// `vv`, and those of the place with either. None where the two are nearly one.
pub(crate) fn solve_in_plane([uu, uv, vv]: [f32; 3], [along_u, along_v]: [f32; 2]) -> Option<[f32; 2]> {
    let determinant = uu * vv - uv * uv;
    let parted = determinant > LEAST_SINE_SQ * uu * vv;
    parted.then(|| [(along_u * vv - along_v * uv) / determinant, (along_v * uu - along_u * uv) / determinant])
}

pub(crate) fn is_alike(a: Channels, b: Channels) -> bool {
    distance_sq(a, b) <= ALIKE_SQ
}

/// Largest squared residual of a mixture of a paint and an ink.
pub(crate) fn ink_tolerance_sq(paint: Channels, ink: Channels) -> f32 {
    let tolerance = INK_RESIDUAL + INK_RESIDUAL_SHARE * distance_sq(paint, ink).sqrt();
    (tolerance * tolerance).min(ALIKE_SQ)
}
