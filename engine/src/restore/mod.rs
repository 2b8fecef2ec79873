//! Before the first stage: undoes what happened to the picture after it was drawn, as far as its pixels tell
//! ([`formation`](crate::formation)). Takes pixels as they came, gives pixels as a program draws them: each a paint, or a mixture of the
//! paints that meet in it. A clean picture stays as it is, bit for bit.
//!
//! 1. [`soften`]: the rims that a sharpened picture has beside its edges go.
//! 2. [`shrink`]: an enlarged picture returns to the size that it was drawn at.
//! 3. [`blend`]: the pattern of ordered dither becomes weaker.
//! 4. [`flatten`]: noise, dither and what compression leaves go; fine patterns stay.
//! 5. [`sharpen`]: wide edges become a pixel wide.

mod alike_mean;
mod blend;
mod flatten;
mod means;
mod mixtures;
mod painted_pixels;
mod possible_color;
mod shrink;
mod slopes;
mod tiles;
mod window_rows;

use crate::api::{ProgressMeter, Stopped};
use crate::formation::{EdgeWidth, Enlargement, Grain, Palette, Sharpening};
use crate::raster::Pixels;
use blend::blend;
use flatten::flatten;
pub(crate) use mixtures::restore_mixtures;
use shrink::shrink;
use tiles::{sharpen, soften};

/// A picture as it was drawn, as far as its pixels tell.
pub(crate) struct Restored<'a> {
    pub pixels: Pixels<'a>,
    /// What lay over its paints. Traces of it are left.
    pub grain: Option<Grain>,
    /// Its colors, if they are few.
    pub palette: Option<Palette>,
    pub enlargement: Option<Enlargement>,
    pub sharpening: Option<Sharpening>,
    /// How wide edges were.
    pub edges: Option<EdgeWidth>,
}

/// Restores the picture in its own memory.
pub(crate) fn restore<'a>(
    mut pixels: Pixels<'a>,
    meter: &mut ProgressMeter<'_>,
) -> Result<Restored<'a>, Stopped> {
    let mut grain = Grain::of(&pixels);
    let rims = if grain.is_none() { Sharpening::of(&pixels) } else { None };
    let is_dithered = grain.as_ref().is_some_and(|grain| grain.is_ordered_dither);
    // Enlarging would have blurred the dither.
    let enlargement =
        if is_dithered { None } else { Enlargement::of(&pixels, grain.as_ref(), rims.is_some()) };
    let sharpening = match &enlargement {
        Some(enlargement) if rims.is_some() => sharpening_after(&pixels, enlargement, meter)?,
        _ => rims.filter(|rims| rims.is_sure),
    };
    if let Some(sharpening) = &sharpening {
        soften(&mut pixels, sharpening, meter)?;
    }
    if let Some(enlargement) = &enlargement {
        pixels = shrink(pixels, enlargement, meter)?;
        grain = Grain::of(&pixels);
    }
    if is_dithered {
        let width = pixels.width;
        blend(pixels.data, width, meter)?;
    }
    if let Some(grain) = &grain {
        flatten(&mut pixels, grain, meter)?;
    }
    let edges = EdgeWidth::of(&pixels);
    if let Some(edges) = &edges {
        sharpen(&mut pixels, edges, grain.is_some(), meter)?;
    }
    let palette = Palette::of(&pixels);
    Ok(Restored { pixels, grain, palette, enlargement, sharpening, edges })
}

/// How an enlarged picture was sharpened, measured at the size that it had before.
fn sharpening_after(
    pixels: &Pixels<'_>,
    enlargement: &Enlargement,
    meter: &mut ProgressMeter<'_>,
) -> Result<Option<Sharpening>, Stopped> {
    let mut copy = pixels.data.to_vec();
    let before = shrink(Pixels { data: &mut copy, ..*pixels }, enlargement, meter)?;
    let factor = pixels.width as f32 / before.width as f32;
    let enlarged = |found: Sharpening| Sharpening { deviation_px: found.deviation_px * factor, ..found };
    Ok(Sharpening::of(&before).map(enlarged))
}
