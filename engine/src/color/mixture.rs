//! Geometry in color space: mixtures of two colors lie on the line between them, mixtures of three in their plane.
//!
//! Also the tolerances for colors and mixtures that several stages share. All distances are Euclidean, over the four channels.

use super::channels::{Channels, distance_sq, dot, minus, plus, times};

/// Least squared sine of the angle between two directions in color space; below it, which is 8 degrees, both count as one direction.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const LEAST_SINE_SQ: f32 = 0.02;

/// Largest distance of two colors that count as alike.
///
/// Unit: color levels², Euclidean. Source: tuned; no derivation is known.
pub(crate) const ALIKE_SQ: f32 = 24.0 * 24.0;

/// Colors that differ by less are one color, and pixels that do are left alone.
///
/// Unit: levels of one channel (0–255), squared. Source: tuned; with 9, drawings come no
/// nearer to the truth at their edges, and with 75, .05 dB less near.
pub(crate) const LEAST_DIFFERENCE_SQ: f32 = 25.0;

/// Largest distance from the line between two colors at which a pixel counts as a mixture of them.
///
/// Unit: color levels², Euclidean. Source: twice what rounding and a little sharpening leave.
pub(crate) const MIXTURE_RESIDUAL_SQ: f32 = 10.0 * 10.0;

/// The same as [`MIXTURE_RESIDUAL_SQ`] in noisy images: compression leaves most of its noise along edges, beyond the colors that
/// meet there too.
///
/// Unit: color levels², Euclidean. Source: tuned on drawings: with 10 levels, ringing of JPEG was taken for strokes, with ragged edges.
pub(crate) const NOISY_MIXTURE_RESIDUAL_SQ: f32 = 24.0 * 24.0;

/// Largest distance of a pixel of a stroke from the line between paint and ink: this, and [`INK_RESIDUAL_SHARE`] of their distance, but not
/// more than the distance of two colors that are alike ([`ALIKE_SQ`]).
///
/// Unit: color levels (0–255, Euclidean). Source: tuned; no derivation is known.
const INK_RESIDUAL: f32 = 4.0;

/// The part of that distance that grows with the contrast of paint and ink.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const INK_RESIDUAL_SHARE: f32 = 0.1;

/// The line between two colors.
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

    /// The mixture nearest to a color: the squared distance to it, and the share of the second color in it.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn nearest(&self, value: Channels) -> (f32, f32) {
        let Mixtures { from, edge, length_sq } = *self;
        let share = if length_sq == 0.0 { 0.0 } else { dot(minus(value, from), edge) / length_sq };
        let share = share.clamp(0.0, 1.0);
        let apart = minus(value, plus(from, share, edge));
        (dot(apart, apart), share)
    }
}

/// The squared distance of `value` from the mixtures of `a` and `b`, and the share of `b` in the nearest one.
pub(crate) fn projection(value: Channels, a: Channels, b: Channels) -> (f32, f32) {
    Mixtures::new(a, b).nearest(value)
}

/// The mixture of two colors that shows so much of the second, 0 to 1.
pub(crate) fn mixture(a: Channels, b: Channels, share: f32) -> Channels {
    plus(a, share, minus(b, a))
}

/// The shares of two paints in a mixture of both and an ink.
pub(crate) struct PaintShares {
    /// The squared distance of the mixture from the plane of the three colors.
    pub residual_sq: f32,
    /// The share of each paint. What remains to 1 is ink.
    pub shares: [f32; 2],
}

/// Finds the shares of two paints in a mixture of both and an ink. If the three colors lie on one line, the first paint has everything that
/// is not ink.
#[inline(never)]
pub(crate) fn shares_of_paints(color: Channels, paints: [Channels; 2], ink: Channels) -> PaintShares {
    let [a, b] = paints.map(|paint| minus(paint, ink));
    let value = minus(color, ink);
    let (aa, along) = (dot(a, a), [dot(value, a), dot(value, b)]);
    let shares = solve_in_plane([aa, dot(a, b), dot(b, b)], along).unwrap_or([along[0] / aa.max(1.0), 0.0]);
    let shares @ [of_a, of_b] = shares.map(|share| share.max(0.0));
    PaintShares { residual_sq: distance_sq(value, plus(times(of_a, a), of_b, b)), shares }
}

/// The middle between the nearest points of two lines in color space, each given by a point and a direction. `None` if they are nearly
/// parallel.
pub(crate) fn closest_approach(points: [Channels; 2], [u, v]: [Channels; 2]) -> Option<Channels> {
    let between = minus(points[1], points[0]);
    let products = [dot(u, u), -dot(u, v), dot(v, v)];
    let [s, t] = solve_in_plane(products, [dot(between, u), -dot(between, v)])?;
    let (a, b) = (plus(points[0], s, u), plus(points[1], t, v));
    Some(std::array::from_fn(|c| 0.5 * (a[c] + b[c])))
}

/// The coordinates along two directions `u` and `v` of the point in their plane that is nearest to a given one, from the products `uu`, `uv`
/// and `vv` and those of the given point with `u` and `v`. `None` if the directions are nearly parallel.
pub(crate) fn solve_in_plane([uu, uv, vv]: [f32; 3], [along_u, along_v]: [f32; 2]) -> Option<[f32; 2]> {
    let determinant = uu * vv - uv * uv;
    let parted = determinant > LEAST_SINE_SQ * uu * vv;
    parted.then(|| [(along_u * vv - along_v * uv) / determinant, (along_v * uu - along_u * uv) / determinant])
}

/// Whether two colors count as alike.
pub(crate) fn is_alike(a: Channels, b: Channels) -> bool {
    distance_sq(a, b) <= ALIKE_SQ
}

/// The largest squared distance of a pixel of a stroke from the line between its paint and its ink.
pub(crate) fn ink_tolerance_sq(paint: Channels, ink: Channels) -> f32 {
    let tolerance = INK_RESIDUAL + INK_RESIDUAL_SHARE * distance_sq(paint, ink).sqrt();
    (tolerance * tolerance).min(ALIKE_SQ)
}
