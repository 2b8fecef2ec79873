//! Before the first stage: undoes what happened to the picture after it was drawn, as far as its pixels tell
//! ([`formation`](crate::formation)). Takes pixels as they came, gives pixels as a program draws them: each a paint, or a mixture of the
//! paints that meet in it. A clean picture stays as it is, bit for bit.
//!
//! 1. [`shrink`]: an enlarged picture returns to the size that it was drawn at.
//! 2. [`flatten`]: noise, dither and what compression leaves go; fine patterns stay.
//! 3. [`sharpen`]: wide edges become a pixel wide.

mod alike_mean;
mod blocks;
mod cut_off;
mod flatten;
mod means;
mod mixtures;
mod painted_pixels;
mod possible_color;
mod sharpen;
mod shrink;
mod slopes;
mod steepen;
mod tile;
mod window_rows;

use crate::api::{ProgressMeter, Stopped};
use crate::formation::{EdgeWidth, Enlargement, Grain, Palette, Sharpening};
use crate::raster::Pixels;
use flatten::flatten;
pub(crate) use mixtures::restore_mixtures;
use sharpen::{sharpen, soften};
use shrink::shrink;

/// A picture as it was drawn, as far as its pixels tell.
pub(crate) struct Restored<'a> {
    pub pixels: Pixels<'a>,
    /// What lay over its paints. Traces of it are left.
    pub grain: Option<Grain>,
    /// Its colors, if they are few.
    pub palette: Option<Palette>,
    pub enlargement: Option<Enlargement>,
    /// How wide edges were.
    pub edges: Option<EdgeWidth>,
}

/// Restores the picture in its own memory.
pub(crate) fn restore<'a>(
    mut pixels: Pixels<'a>,
    meter: &mut ProgressMeter<'_>,
) -> Result<Restored<'a>, Stopped> {
    let mut grain = Grain::of(&pixels);
    let mut sharpening = grain.is_none().then(|| Sharpening::of(&pixels)).flatten();
    let enlargement = if sharpening.is_some() { Enlargement::of(&pixels, Some(&Grain{range:255,..Grain::LEAST})) } else { Enlargement::of(&pixels, grain.as_ref()) };
    if let Some(enlargement) = &enlargement {
        if sharpening.is_some() {
            let mut copy = pixels.data.to_vec();
            let shrunk = shrink(Pixels { data: &mut copy, ..pixels }, enlargement, meter)?;
            sharpening = Sharpening::of(&shrunk);
            if let Some(sharpening) = &mut sharpening {
                sharpening.deviation_px *= pixels.width as f32 / enlargement.size.0 as f32;
                soften(&mut pixels, sharpening, meter)?;
            }
        }
        pixels = shrink(pixels, enlargement, meter)?;
        grain = Grain::of(&pixels);
    } else {
        sharpening = sharpening.filter(|found| found.is_sure);
        if let Some(sharpening) = &sharpening {
            soften(&mut pixels, sharpening, meter)?;
        }
    }
    if let Ok(f) = std::env::var("DBGOUT") { std::fs::write(f, pixels.data.as_flattened()).unwrap(); }
    if std::env::var("DBG").is_ok() { eprintln!("sharpening {sharpening:?} enlargement {enlargement:?} grain {grain:?}"); }
    if let Some(grain) = &grain {
        flatten(&mut pixels, grain, meter)?;
    }
    let edges = EdgeWidth::of(&pixels);
    if let Some(edges) = &edges {
        sharpen(&mut pixels, edges, grain.is_some(), meter)?;
    }
    let palette = Palette::of(&pixels);
    Ok(Restored { pixels, grain, palette, enlargement, edges })
}
