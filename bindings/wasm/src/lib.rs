//! The engine's WebAssembly exports. Callers use the TypeScript surface around them, which checks what it passes.

mod bmp;
#[path = "../../call.rs"]
mod call;
mod table;

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

/// Traces straight-alpha sRGB RGBA, `width × height × 4` bytes; `settings` has one `name=value` a line, numbers by their bits.
///
/// # Errors
/// A string, `code: message`.
#[wasm_bindgen]
pub fn trace(width: u32, height: u32, rgba: &[u8], settings: &str) -> Result<String, String> {
    call::trace(width, height, rgba, settings)
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
