//! The engine's native exports. Callers use the TypeScript surface around them, which checks what it passes.

#[path = "../../call.rs"]
mod call;

use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::bindgen_prelude::{AsyncTask, Uint8Array};
use napi::{Env, Error, Result, Status, Task};
use napi_derive::napi;

/// The engine's version.
#[napi]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Traces on the calling thread; `settings` has one `name=value` a line, numbers by their bits.
///
/// # Errors
/// A message, `code: message`.
#[napi]
pub fn trace_sync(width: u32, height: u32, rgba: Uint8Array, settings: String) -> Result<String> {
    guarded(width, height, &rgba, &settings)
}

/// Traces on one of libuv's threads. The pixels are copied first: their owner may write to them meanwhile.
#[napi]
pub fn trace(width: u32, height: u32, rgba: Uint8Array, settings: String) -> AsyncTask<Tracing> {
    AsyncTask::new(Tracing { width, height, rgba: rgba.to_vec(), settings })
}

/// One call of [`trace`], on its way to another thread.
pub struct Tracing {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
    settings: String,
}

impl Task for Tracing {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        guarded(self.width, self.height, &self.rgba, &self.settings)
    }

    fn resolve(&mut self, _env: Env, svg: String) -> Result<String> {
        Ok(svg)
    }
}

/// The engine never panics; should it, the process goes on.
fn guarded(width: u32, height: u32, rgba: &[u8], settings: &str) -> Result<String> {
    catch_unwind(AssertUnwindSafe(|| call::trace(width, height, rgba, settings)))
        .unwrap_or_else(|_| Err("engine_failure: the engine panicked".to_owned()))
        .map_err(|message| Error::new(Status::GenericFailure, message))
}
