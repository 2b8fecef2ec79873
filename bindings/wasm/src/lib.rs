//! The engine's WebAssembly exports. The TypeScript surface wraps them and validates their arguments.

#[path = "../../rust/call.rs"]
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
    /// An object with one method, which must not throw: an exception would unwind through the engine and leak its memory.
    pub type Observer;

    #[wasm_bindgen(method)]
    fn report(this: &Observer, stage: &str, fraction: f32) -> bool;
}

/// Traces straight-alpha sRGB RGBA, `width × height × 4` bytes. `options` has one `name=value` per line, a number as the
/// hexadecimal bits of its `f64`. `observer` receives the progress and returns whether to continue.
///
/// # Errors
/// A string, `code: message`.
#[wasm_bindgen]
pub fn trace(
    width: u32,
    height: u32,
    mut rgba: Vec<u8>,
    options: &str,
    observer: Option<Observer>,
) -> Result<String, String> {
    let mut observer =
        |stage, fraction| observer.as_ref().is_none_or(|observer| observer.report(stage, fraction));
    call::trace(options, &mut observer, |options, on_progress| {
        trace_in_place((width, height), &mut rgba, options, on_progress)
    })
}
