//! The engine's WebAssembly exports. Callers use the TypeScript surface around them, which checks what it passes.

mod bmp;
#[path = "../../call.rs"]
mod call;
#[cfg(target_family = "wasm")]
mod memory;
mod table;

use tracesmith::trace_in_place;
use wasm_bindgen::prelude::*;

/// The engine's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The engine's option table as a JSON array.
#[wasm_bindgen]
pub fn option_table() -> String {
    table::json()
}

#[wasm_bindgen]
extern "C" {
    /// An object with one method. What that throws would pass through the engine without freeing anything: it must not throw.
    pub type Observer;

    #[wasm_bindgen(method)]
    fn reached(this: &Observer, stage: &str, fraction: f32) -> bool;
}

/// Traces straight-alpha sRGB RGBA, `width × height × 4` bytes; `settings` has one `name=value` a line, numbers by their bits.
/// `observer` is told how far the work has come, and says whether to go on.
///
/// # Errors
/// A string, `code: message`.
#[wasm_bindgen]
pub fn trace(
    width: u32,
    height: u32,
    mut rgba: Vec<u8>,
    settings: &str,
    observer: Option<Observer>,
) -> Result<String, String> {
    let mut observer =
        |stage, fraction| observer.as_ref().is_none_or(|observer| observer.reached(stage, fraction));
    call::trace(settings, &mut observer, |options, report| {
        trace_in_place((width, height), &mut rgba, options, report)
    })
}

/// Decodes a BMP: width and height as little-endian `u32`, then straight-alpha sRGB RGBA.
///
/// # Errors
/// A string, `code: message`.
#[wasm_bindgen]
pub fn decode_bmp(bytes: &[u8], max_pixels: f64, max_side_px: u32) -> Result<Vec<u8>, String> {
    // JavaScript has no u64 without BigInt; the cast saturates, and NaN becomes 0: nothing is allowed.
    bmp::decode(bytes, &bmp::Limits { max_pixels: max_pixels as u64, max_side_px })
}
