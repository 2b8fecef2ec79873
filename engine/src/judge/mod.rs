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

/// Repairs a drawing of the image.
pub(crate) fn repair(
    drawing: &mut Drawing,
    pixels: &Pixels,
    options: &Options,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let noise = param("NOISE", PIXEL_NOISE);
    let price = SQUARES_PER_BYTE * noise * noise;
    let stiffness = param("STIFF", STIFFNESS_BYTES) * price;
    let additions = Additions {
        price,
        speckle_px: options.filter_speckle_px as f32,
        layer_difference: options.layer_difference as f32,
        style,
    };
    let mut comparison = Comparison::new(drawing, pixels);
    move_nodes(drawing, &mut comparison, stiffness, param("STEPS", 3.0) as usize);
    for _ in 0..param("ADDS", 2.0) as usize {
        if !additions.add(drawing, &comparison, meter)? {
            break;
        }
        comparison.update(drawing);
        move_nodes(drawing, &mut comparison, stiffness, param("STEPS2", 2.0) as usize);
    }
    Ok(())
}

#[cfg(target_family = "wasm")]
pub(crate) fn param(_: &str, default: f32) -> f32 {
    default
}
#[cfg(not(target_family = "wasm"))]
pub(crate) fn param(name: &str, default: f32) -> f32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
