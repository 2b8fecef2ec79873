//! The number of threads that trace at the same time. It is counted for the whole process, because all traces share its cores.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// The value of [`MOST_THREADS`] for one thread per core.
const UNLIMITED: usize = 0;
static MOST_THREADS: AtomicUsize = AtomicUsize::new(UNLIMITED);

/// The threads that trace now, callers and helpers.
static BUSY_THREADS: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of threads that all traces of this process use together. 0, the default, means the number of cores that the process
/// may use. The thread that calls [`trace`](crate::trace()) always works; with `most` = 1, it works alone.
///
/// Available with the feature `parallel`. The SVG does not depend on the number of threads.
pub fn limit_threads(most: usize) {
    MOST_THREADS.store(most, Ordering::Relaxed);
}

fn most() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    match MOST_THREADS.load(Ordering::Relaxed) {
        UNLIMITED => *CORES.get_or_init(|| available_parallelism().map_or(1, usize::from)),
        most => most,
    }
}

/// Counts threads as busy until it is dropped.
pub(crate) struct BusyThreads(usize);

impl BusyThreads {
    /// Counts the calling thread, which begins a trace.
    pub fn calling() -> Self {
        BUSY_THREADS.fetch_add(1, Ordering::Relaxed);
        BusyThreads(1)
    }

    /// Reserves as many helpers as are free, at most `wanted`.
    pub fn helping(wanted: usize) -> Self {
        let most = most();
        let free = |busy: usize| most.saturating_sub(busy).min(wanted);
        let before =
            BUSY_THREADS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |busy| Some(busy + free(busy)));
        BusyThreads(before.map_or(0, free))
    }

    pub fn threads(&self) -> usize {
        self.0
    }
}

impl Drop for BusyThreads {
    fn drop(&mut self) {
        BUSY_THREADS.fetch_sub(self.0, Ordering::Relaxed);
    }
}
