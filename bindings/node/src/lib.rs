//! The engine's native exports. Callers use the TypeScript surface around them, which checks what it passes.

#[path = "../../call.rs"]
mod call;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mimalloc::MiMalloc;
use napi::bindgen_prelude::{AsyncTask, FnArgs, Function, Uint8Array};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Error, Result, Status, Task};
use napi_derive::{module_init, napi};
use tracesmith::{Image, Options, trace_in_place, trace_with};

/// A trace gives back all memory that it took. This one keeps it for the next, which the system would clear it for page by page.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// How many threads all traces of the process together use; anything but a whole number above 0 says nothing.
const THREADS_VARIABLE: &str = "TRACESMITH_THREADS";

/// The environment is read as the addon is loaded, on Node.js's own thread: others must not while that may write to it.
#[module_init]
fn begin() {
    let threads = std::env::var(THREADS_VARIABLE).ok().and_then(|text| text.parse().ok());
    tracesmith::limit_threads(threads.unwrap_or(0));
}

/// The engine's version.
#[napi]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What an observer is told: the stage's name, and how much of all work is done.
type Report = FnArgs<(&'static str, f64)>;

/// Traces on the calling thread; `settings` has one `name=value` a line, numbers by their bits. `observer` says whether to go on.
///
/// # Errors
/// A message, `code: message`.
#[napi]
pub fn trace_sync(
    width: u32,
    height: u32,
    rgba: Uint8Array,
    settings: String,
    observer: Option<Function<'_, Report, bool>>,
) -> Result<String> {
    let mut observer = |stage, fraction: f32| {
        // The surface's function does not throw; of another's failure, the caller is not to wait for the end.
        observer.as_ref().is_none_or(|call| call.call((stage, f64::from(fraction)).into()).unwrap_or(false))
    };
    guarded(&settings, &mut observer, |options, report| {
        trace_with(&Image::new(width, height, &rgba)?, options, report)
    })
}

/// Ends one trace, even while another thread is at it.
#[napi]
#[derive(Default)]
pub struct Stop(Arc<AtomicBool>);

#[napi]
impl Stop {
    /// Nothing is stopped yet.
    #[napi(constructor)]
    pub fn new() -> Self {
        Stop::default()
    }

    /// Has the trace end within some ten milliseconds.
    #[napi]
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How many reports may wait for a busy main thread; further ones are dropped.
const MOST_WAITING: usize = 8;

/// Calls a function of the main thread from another one; keeps no process alive.
type Observer = ThreadsafeFunction<Report, (), Report, Status, false, true, MOST_WAITING>;

/// Traces on one of libuv's threads. The pixels are copied first: their owner may write to them meanwhile.
#[napi(ts_return_type = "Promise<string>")]
pub fn trace(
    width: u32,
    height: u32,
    rgba: Uint8Array,
    settings: String,
    stop: &Stop,
    observer: Option<Observer>,
) -> AsyncTask<Tracing> {
    AsyncTask::new(Tracing { width, height, rgba: rgba.to_vec(), settings, stop: stop.0.clone(), observer })
}

/// One call of [`trace`], on its way to another thread.
pub struct Tracing {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
    settings: String,
    stop: Arc<AtomicBool>,
    observer: Option<Observer>,
}

impl Task for Tracing {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        let Tracing { width, height, rgba, settings, stop, observer } = self;
        let mut observer = |stage, fraction: f32| {
            if let Some(observer) = observer {
                let report = (stage, f64::from(fraction)).into();
                observer.call(report, ThreadsafeFunctionCallMode::NonBlocking);
            }
            !stop.load(Ordering::Relaxed)
        };
        guarded(settings, &mut observer, |options, report| {
            trace_in_place((*width, *height), rgba, options, report)
        })
    }

    fn resolve(&mut self, _env: Env, svg: String) -> Result<String> {
        Ok(svg)
    }
}

/// The engine never panics; should it, the process goes on.
fn guarded(
    settings: &str,
    observer: &mut call::Observer<'_>,
    engine: impl FnOnce(&Options, call::Report<'_>) -> std::result::Result<String, tracesmith::Error>,
) -> Result<String> {
    catch_unwind(AssertUnwindSafe(|| call::trace(settings, observer, engine)))
        .unwrap_or_else(|_| Err("engine_failure: the engine panicked".to_owned()))
        .map_err(|message| Error::new(Status::GenericFailure, message))
}
