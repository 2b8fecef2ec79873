//! The calling thread and its helpers. These are begun for one piece of a stage and have ended when that is done: none waits for
//! work meanwhile, and where this is part of a library, none is left when that is unloaded.

use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

use super::thread_budget::BusyThreads;
use crate::api::{ProgressMeter, Stopped};

/// Beginning a thread and waiting for its end takes about as long as a tenth of this.
pub(crate) const WORTH_HELP_UNITS: usize = 1 << 17;

/// What a thread takes at once: so little that all end at about the same time and a report is never far, and so much that taking
/// it costs nothing.
const BATCH_UNITS: usize = 1 << 15;

/// Does what is left to do, with as many helpers as are free, and adds the answers to the others.
pub(crate) fn finish<Item, Answer, Units, Begin, Do>(
    (units, begin): (&Units, &Begin),
    items: impl Iterator<Item = Item> + Send,
    (answer, answers): (&mut Do, &mut Vec<Answer>),
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped>
where
    Item: Send,
    Answer: Send,
    Units: Fn(&Item) -> usize + Sync,
    Begin: Fn() -> Do + Sync,
    Do: FnMut(Item) -> Answer,
{
    let mut items = items.peekable();
    if items.peek().is_none() {
        return Ok(());
    }
    let queue = WorkQueue { items, batches: 0, untold: Vec::new(), is_stopped: false };
    let shared = SharedQueue { units, queue: Mutex::new(queue) };
    let free = BusyThreads::helping(usize::MAX);
    let help = || {
        let mut answer = begin();
        std::iter::from_fn(|| shared.part(&mut answer)).collect::<Vec<_>>()
    };
    let mut parts = scope(|scope| {
        // Where no more threads can be had, those that are there do the work.
        let helper = |_| Builder::new().name("tracesmith".to_owned()).spawn_scoped(scope, help).ok();
        let helpers: Vec<_> = (0..free.threads()).map_while(helper).collect();
        let parts = shared.watched_parts(answer, meter);
        // Each is waited for by itself: a scope ends a little before its threads do.
        let others =
            helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let others: Vec<BatchAnswers<Answer>> = others.flatten().collect();
        parts.map(|parts| parts.into_iter().chain(others).collect::<Vec<_>>())
    })?;
    shared.tell(meter)?;
    parts.sort_unstable_by_key(|part| part.batch);
    answers.extend(parts.into_iter().flat_map(|part| part.answers));
    Ok(())
}

/// Does two things, the one on another thread if there is a free one.
pub(crate) fn both_with_help<One: Send, Other>(
    one: impl FnOnce() -> One + Send,
    other: impl FnOnce() -> Other,
) -> (One, Other) {
    let free = BusyThreads::helping(1);
    let one = Mutex::new(Some(one));
    // Whoever comes first.
    let take = || one.lock().unwrap_or_else(PoisonError::into_inner).take();
    let help = || take().map(|one| one());
    scope(|scope| {
        let helper = |_| Builder::new().name("tracesmith".to_owned()).spawn_scoped(scope, help).ok();
        let helper = (0..free.threads()).find_map(helper);
        let other = other();
        let own = help();
        let helped = helper.and_then(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (own.or(helped).expect("somebody has taken it"), other)
    })
}

/// What waits to be done.
struct WorkQueue<Items> {
    items: Items,
    /// How many were taken.
    batches: usize,
    /// The units of items that were taken, and of which the progress meter does not know yet.
    untold: Vec<usize>,
    is_stopped: bool,
}

/// The answers to a batch of items.
struct BatchAnswers<Answer> {
    batch: usize,
    answers: Vec<Answer>,
}

struct SharedQueue<'a, Units, Items> {
    units: &'a Units,
    queue: Mutex<WorkQueue<Items>>,
}

impl<Item, Units: Fn(&Item) -> usize, Items: Iterator<Item = Item>> SharedQueue<'_, Units, Items> {
    /// What the calling thread does. It asks the progress meter, and tells it of the items in their order.
    fn watched_parts<Answer>(
        &self,
        answer: &mut impl FnMut(Item) -> Answer,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<BatchAnswers<Answer>>, Stopped> {
        let mut parts = Vec::new();
        while let Some(part) = self.part(answer) {
            parts.push(part);
            self.tell(meter).inspect_err(|_| self.queue().is_stopped = true)?;
        }
        Ok(parts)
    }

    fn part<Answer>(&self, answer: &mut impl FnMut(Item) -> Answer) -> Option<BatchAnswers<Answer>> {
        let (batch, items) = self.queue().take(self.units)?;
        Some(BatchAnswers { batch, answers: items.into_iter().map(answer).collect() })
    }

    fn tell(&self, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let untold = std::mem::take(&mut self.queue().untold);
        untold.into_iter().try_for_each(|units| meter.advance(units))
    }

    fn queue(&self) -> MutexGuard<'_, WorkQueue<Items>> {
        // Should one thread panic, its panic is passed on, not that of the others.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Items: Iterator> WorkQueue<Items> {
    fn take(&mut self, units: impl Fn(&Items::Item) -> usize) -> Option<(usize, Vec<Items::Item>)> {
        if self.is_stopped {
            return None;
        }
        let mut batch = Vec::new();
        let mut sum = 0;
        while sum < BATCH_UNITS
            && let Some(item) = self.items.next()
        {
            let units = units(&item);
            self.untold.push(units);
            sum += units;
            batch.push(item);
        }
        self.batches += 1;
        (!batch.is_empty()).then_some((self.batches, batch))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::thread::ThreadId;
    use std::thread::current;
    use std::thread::yield_now;
    use std::time::Duration;
    use std::time::Instant;

    use super::*;
    use crate::parallel::Work;
    use crate::parallel::thread_budget::limit_threads;

    const ITEMS: usize = 1000;
    /// So many are done before help is called.
    const ALONE: usize = 64;

    /// Which thread does each item, where none goes on alone before `threads` of them have begun.
    fn who(threads: usize) -> Vec<ThreadId> {
        let _busy = BusyThreads::calling();
        let seen = Mutex::new(Vec::new());
        let deadline = Instant::now() + Duration::from_secs(20);
        let answer = |item| {
            let id = current().id();
            let is_met = || {
                let mut seen = seen.lock().unwrap();
                if !seen.contains(&id) {
                    seen.push(id);
                }
                seen.len() >= threads
            };
            while item > ALONE && !is_met() && Instant::now() < deadline {
                yield_now();
            }
            id
        };
        let work = Work { units: |_: &_| WORTH_HELP_UNITS / ALONE, begin: || answer };
        work.run(0..ITEMS, &mut ProgressMeter::idle()).unwrap()
    }

    #[test]
    fn helpers_come_as_far_as_there_are_threads_for_them() {
        // Other tests may be tracing.
        limit_threads(64);
        let together = who(3);
        assert!(together.iter().any(|&id| id != together[0]), "nobody helped");
        assert!(
            together[..ALONE].iter().all(|&id| id == current().id()),
            "little work is not worth a thread"
        );
        limit_threads(1);
        assert!(who(1).iter().all(|&id| id == current().id()));
        limit_threads(0);
    }

    #[test]
    fn work_that_is_stopped_ends_before_all_is_done() {
        let mut reports = 0;
        let mut observer = |_| {
            reports += 1;
            if reports < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let work = Work { units: |_: &_| WORTH_HELP_UNITS, begin: || |_| () };
        let mut items = 0..usize::MAX;
        assert!(work.run(items.by_ref(), &mut ProgressMeter::new(&mut observer)).is_err());
        assert_eq!(reports, 3);
    }
}
