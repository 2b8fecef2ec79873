//! Seventh stage: draws the drawing back, compares it with the image, and repairs it where they differ. Takes the drawing and the image,
//! gives a better drawing.
//!
//! One price decides: the bytes that a repair adds against the squared error that it removes. It follows from the noise of pixels
//! ([`PIXEL_NOISE`]): by the principle of the shortest description, n bytes are worth as much error as makes the image 256ⁿ times as
//! likely.
//!
//! 1. [`move_nodes`] moves the points of the drawing to where it resembles the image most.
//! 2. [`Additions`] finds where the image still differs, and adds the shapes that are worth their bytes; then the points move again.
mod additions;
mod comparison;
mod coordinates;
mod nodes;
mod patches;

use crate::api::{Options, ProgressMeter, Stopped};
use crate::fit::FitStyle;
use crate::geometry::Drawing;
use crate::raster::Pixels;
use additions::Additions;
use comparison::Comparison;
use nodes::move_nodes;

/// By how much the pixels of an edge differ from the area that the edge covers, as renderers draw it.
///
/// Unit: levels of one channel (0–255), RMS. Source: measured on the edges of resvg.
const PIXEL_NOISE: f32 = 5.0;

/// The squared error, in units of the variance of a pixel, that one byte is worth: 8 bits.
///
/// Unit: ratio. Source: a normal deviation of x σ takes x²/2 nats, and a byte 8 ln 2 nats.
const SQUARES_PER_BYTE: f32 = 11.09;

/// What it costs to move a coordinate by a pixel.
///
/// Unit: bytes. Source: a coordinate is a number of about two digits; a fifth or three times as much makes no difference.
const STIFFNESS_BYTES: f32 = 2.0;

/// How often the points of a drawing move before shapes are added.
///
/// Unit: count. Source: a fifth step gains less than .1 dB at the edges of small drawings, and nothing on large ones.
const MOST_STEPS: usize = 4;

/// How often shapes are added.
///
/// Unit: count. Source: a third round finds hardly any.
const ROUNDS: usize = 2;

/// How many pieces of edges, a pixel long or less, are moved in all: a drawing with more edges takes fewer steps, but at least one.
///
/// Unit: count. Source: bounds the time, to some milliseconds unless one step takes more.
const MOST_PIECES: usize = 40_000;

/// Repairs a drawing of the image.
pub(crate) fn repair(
    drawing: &mut Drawing,
    pixels: &Pixels,
    options: &Options,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let mut comparison = Comparison::new(drawing, pixels);
    let noise_sq = PIXEL_NOISE * PIXEL_NOISE + comparison.flat_noise_sq();
    let price = SQUARES_PER_BYTE * noise_sq;
    let stiffness = STIFFNESS_BYTES * price;
    let additions = Additions {
        price,
        speckle_px: options.filter_speckle_px as f32,
        layer_difference: options.layer_difference as f32,
        style,
    };
    let count = steps_for(&comparison);
    move_nodes(drawing, &mut comparison, stiffness, count);
    for _ in 0..ROUNDS.min(count) {
        if !additions.add(drawing, &comparison, meter)? {
            break;
        }
        comparison.update(drawing);
        move_nodes(drawing, &mut comparison, stiffness, count.div_ceil(2));
    }
    Ok(())
}

/// How often the points move.
fn steps_for(comparison: &Comparison<'_>) -> usize {
    (MOST_PIECES / comparison.canvas.pieces.len().max(1)).clamp(1, MOST_STEPS)
}
