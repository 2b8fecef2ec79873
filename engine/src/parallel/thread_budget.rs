//! How many threads trace at the same time. They are a matter of the whole process, as cores are.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// As many as there are cores for this process, unless somebody said otherwise.
const UNLIMITED: usize = 0;
static MOST_THREADS: AtomicUsize = AtomicUsize::new(UNLIMITED);

/// Threads that trace now: those that called, and those that help them.
static BUSY_THREADS: AtomicUsize = AtomicUsize::new(0);

/// Lets all traces of this process together use at most so many threads; 0 is the default, as many as there are cores, or as the
/// limits of the process allow. The thread that calls [`trace`](crate::trace) always works, and none but that where `most` is 1.
///
/// Only with the feature `parallel`. What is drawn does not depend on it.
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

/// So many threads are at work while this lives.
pub(crate) struct BusyThreads(usize);

impl BusyThreads {
    /// The calling thread begins a trace.
    pub fn calling() -> Self {
        BUSY_THREADS.fetch_add(1, Ordering::Relaxed);
        BusyThreads(1)
    }

    /// As many helpers as nobody else needs, and no more than `wanted`.
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
