//! What a byte of the drawing is worth.

/// By how much the pixels of an edge differ from the area that the edge covers, as renderers draw it.
///
/// Unit: levels of one channel (0–255), RMS. Source: measured on the edges of resvg.
const PIXEL_NOISE: f32 = 5.0;

/// The squared error, in units of the variance of a pixel, that one byte is worth: 8 bits.
///
/// Unit: ratio. Source: a normal deviation of x σ takes x²/2 nats, and a byte 8 ln 2 nats.
const SQUARES_PER_BYTE: f32 = 11.09;

/// The quarter of the sums of three squared normal deviations that are least are below this.
///
/// Unit: variances. Source: the chi-squared distribution of three degrees of freedom.
pub(crate) const QUARTER_OF_SQUARES: f32 = 1.213;

/// A channel of a pixel and one of a paint that were both rounded differ by a variance of one squared level in so many.
///
/// Unit: count (parts). Source: derived: a twelfth for each.
const ROUNDED: u8 = 6;

/// The variance of one channel of a pixel in which the image has noise of some variance: in general and where no edge is near.
///
/// The second is that of rounding, and of noise or the shades of one layer, whichever is greater. Where noise was smoothed or mixtures put back,
/// it is not known, and taken to be the same.
pub(crate) fn variances(noise_sq: f32, shades_sq: f32, was_worn: bool) -> [f32; 2] {
    let general = PIXEL_NOISE * PIXEL_NOISE + noise_sq;
    let inner = 1.0 / f32::from(ROUNDED) + noise_sq.max(shades_sq);
    [general, if was_worn { general } else { inner }]
}

/// The squared error, over pixels of some variance, that a byte must save: by the principle of the shortest description, n bytes are
/// worth as much error as makes the image 256ⁿ times as likely.
pub(crate) fn byte_price(variance: f32) -> f32 {
    SQUARES_PER_BYTE * variance
}
