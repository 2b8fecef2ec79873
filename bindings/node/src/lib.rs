//! The engine's native exports. The TypeScript surface wraps them and validates their arguments.

#[path = "../../rust/call.rs"]
mod call;

use std::ffi::{c_int, c_long};
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mimalloc::MiMalloc;
use napi::bindgen_prelude::{AsyncTask, FnArgs, Function, Uint8Array};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Error, Result, Status, Task};
use napi_derive::{module_init, napi};
use tracesmith::{Image, Options, trace_in_place, trace_with};

/// A trace frees all of its memory at the end. mimalloc keeps it for the next trace; the operating system would zero it page by
/// page.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

unsafe extern "C" {
    /// mimalloc's function that sets an option unless the environment does.
    fn mi_option_set_default(option: c_int, value: c_long);
}

/// `mi_option_purge_delay` in mimalloc.h.
const PURGE_DELAY: c_int = 15;
/// How long mimalloc keeps freed memory before it gives it to the operating system. By default 10 ms: what one trace frees is then gone
/// before another one on the same thread needs it, which costs 2 to 13 % of the CPU where several run at once. A second costs nothing, as
/// never does.
const PURGE_DELAY_MS: c_long = 1_000;

/// The maximum number of threads for all traces of the process together. Ignored if it is not a positive integer.
const THREADS_VARIABLE: &str = "TRACESMITH_THREADS";

/// Reads the environment when the addon is loaded, on the main thread: reading it on another thread could race with writes.
#[module_init]
fn start() {
    let threads = std::env::var(THREADS_VARIABLE).ok().and_then(|text| text.parse().ok());
    tracesmith::limit_threads(threads.unwrap_or(0));
    // SAFETY: the function stores a number, and no other thread uses the addon yet.
    unsafe { mi_option_set_default(PURGE_DELAY, PURGE_DELAY_MS) };
}

/// The engine's version.
#[napi]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The observer's arguments: the stage's name and the share of the work that is done, 0 to 1.
type ProgressArgs = FnArgs<(&'static str, f64)>;

/// Traces on the calling thread. `options` has one `name=value` per line, a number as the hexadecimal bits of its `f64`.
/// `observer` returns whether to continue.
///
/// # Errors
/// A message, `code: message`.
#[napi]
pub fn trace_sync(
    width: u32,
    height: u32,
    rgba: Uint8Array,
    options: String,
    observer: Option<Function<'_, ProgressArgs, bool>>,
) -> Result<String> {
    let mut observer = |stage, fraction: f32| {
        // The surface's observer does not throw. If another one does, the trace stops, so that its error is reported early.
        observer.as_ref().is_none_or(|call| call.call((stage, f64::from(fraction)).into()).unwrap_or(false))
    };
    catch_panics(&options, &mut observer, |options, on_progress| {
        trace_with(&Image::new(width, height, &rgba)?, options, on_progress)
    })
}

/// Connects JavaScript with one trace that runs on another thread.
#[napi]
#[derive(Default)]
pub struct TraceControl(Arc<Shared>);

#[derive(Default)]
struct Shared {
    is_stopped: AtomicBool,
    /// Not yet taken by JavaScript: of each stage the first report and the latest.
    reports: Mutex<Vec<(&'static str, f64)>>,
}

#[napi]
impl TraceControl {
    /// Of a trace that was not stopped and has not started.
    #[napi(constructor)]
    pub fn new() -> Self {
        TraceControl::default()
    }

    /// Stops the trace, which ends within about ten milliseconds.
    #[napi]
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The reports since the last call, each a stage's name and the share of the work that is done, 0 to 1.
    #[napi(ts_return_type = "[string, number][]")]
    pub fn take_reports(&self) -> Vec<(&'static str, f64)> {
        take(&mut *self.0.lock_reports())
    }
}

impl Shared {
    /// A busy main thread takes its reports late, so those within a stage replace each other.
    fn add_report(&self, stage: &'static str, fraction: f64) {
        let mut reports = self.lock_reports();
        if let [.., (before, _), (last, latest)] = reports.as_mut_slice()
            && (*before, *last) == (stage, stage)
        {
            *latest = fraction;
        } else {
            reports.push((stage, fraction));
        }
    }

    fn lock_reports(&self) -> MutexGuard<'_, Vec<(&'static str, f64)>> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// More would be of no use: one call takes all reports.
const MAX_QUEUED_NOTICES: usize = 1;

/// Tells JavaScript, on the main thread, that there are reports; does not keep the process alive.
type Notice = ThreadsafeFunction<(), (), (), Status, false, true, MAX_QUEUED_NOTICES>;

/// Traces on a thread of libuv's pool. The pixels are copied first, because JavaScript may change them during the trace. Without
/// `notice`, there are no reports. The last ones may have no notice before the promise settles: JavaScript takes them then.
#[napi(ts_return_type = "Promise<string>")]
pub fn trace(
    width: u32,
    height: u32,
    rgba: Uint8Array,
    options: String,
    control: &TraceControl,
    notice: Option<Notice>,
) -> AsyncTask<TraceTask> {
    let shared = control.0.clone();
    AsyncTask::new(TraceTask { width, height, rgba: rgba.to_vec(), options, shared, notice })
}

/// The arguments of one [`trace`] call, moved to another thread.
pub struct TraceTask {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
    options: String,
    shared: Arc<Shared>,
    notice: Option<Notice>,
}

impl Task for TraceTask {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        let TraceTask { width, height, rgba, options, shared, notice } = self;
        let mut observer = |stage, fraction: f32| {
            if let Some(notice) = notice {
                shared.add_report(stage, f64::from(fraction));
                notice.call((), ThreadsafeFunctionCallMode::NonBlocking);
            }
            !shared.is_stopped.load(Ordering::Relaxed)
        };
        catch_panics(options, &mut observer, |options, on_progress| {
            trace_in_place((*width, *height), rgba, options, on_progress)
        })
    }

    fn resolve(&mut self, _env: Env, svg: String) -> Result<String> {
        Ok(svg)
    }
}

/// A safety net: the engine is not expected to panic, but a panic must not end the process.
fn catch_panics(
    options: &str,
    observer: &mut call::Observer<'_>,
    engine: impl FnOnce(&Options, call::OnProgress<'_>) -> std::result::Result<String, tracesmith::Error>,
) -> Result<String> {
    catch_unwind(AssertUnwindSafe(|| call::trace(options, observer, engine)))
        .unwrap_or_else(|_| Err("engine_failure: the engine panicked".to_owned()))
        .map_err(|message| Error::new(Status::GenericFailure, message))
}
