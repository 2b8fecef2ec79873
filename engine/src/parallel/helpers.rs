//! The helper threads of one piece of work: they share a queue of its items with the calling thread and end with it.

use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

use super::thread_budget::BusyThreads;
use crate::api::{ProgressMeter, Stopped};

/// Least work for which helpers are called.
///
/// Unit: count (units of [`ProgressMeter`]). Source: measured: starting and joining a thread takes about a tenth of it.
pub(crate) const WORTH_HELP_UNITS: usize = 1 << 17;

/// Work that a thread takes from the queue at once.
///
/// Unit: count (units of [`ProgressMeter`]). Source: tuned: less makes the queue cost time, more lets threads end far apart and
/// delays reports.
const BATCH_UNITS: usize = 1 << 15;

/// Does the remaining items with as many helpers as are free, and appends the answers in the order of the items.
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
    let queue = WorkQueue { items, batches: 0, unreported: Vec::new(), is_stopped: false };
    let shared = SharedQueue { units, queue: Mutex::new(queue) };
    let free = BusyThreads::helping(usize::MAX);
    let help = || {
        let mut answer = begin();
        std::iter::from_fn(|| shared.answer_batch(&mut answer)).collect::<Vec<_>>()
    };
    let mut parts = scope(|scope| {
        // If the system refuses a thread, the others do the work.
        let helper = |_| Builder::new().name("tracesmith".to_owned()).spawn_scoped(scope, help).ok();
        let helpers: Vec<_> = (0..free.threads()).map_while(helper).collect();
        let parts = shared.answer_and_report(answer, meter);
        // Joined one by one: a scope may end a little before its threads do.
        let others =
            helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let others: Vec<BatchAnswers<Answer>> = others.flatten().collect();
        parts.map(|parts| parts.into_iter().chain(others).collect::<Vec<_>>())
    })?;
    shared.report(meter)?;
    parts.sort_unstable_by_key(|part| part.batch);
    answers.extend(parts.into_iter().flat_map(|part| part.answers));
    Ok(())
}

/// Runs two functions, `one` of them on another thread if one is free.
pub(crate) fn both_with_help<One: Send, Other>(
    one: impl FnOnce() -> One + Send,
    other: impl FnOnce() -> Other,
) -> (One, Other) {
    let free = BusyThreads::helping(1);
    let one = Mutex::new(Some(one));
    // The thread that comes first runs it.
    let take = || one.lock().unwrap_or_else(PoisonError::into_inner).take();
    let help = || take().map(|one| one());
    scope(|scope| {
        let helper = |_| Builder::new().name("tracesmith".to_owned()).spawn_scoped(scope, help).ok();
        let helper = (0..free.threads()).find_map(helper);
        let other = other();
        let own = help();
        let helped = helper.and_then(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (own.or(helped).expect("one of the two threads has run it"), other)
    })
}

/// The items that no thread has taken.
struct WorkQueue<Items> {
    items: Items,
    /// How many batches were taken.
    batches: usize,
    /// The units of items that were taken but not yet counted by the progress meter, in the order of the items.
    unreported: Vec<usize>,
    is_stopped: bool,
}

/// The answers for a batch of items, and its position.
struct BatchAnswers<Answer> {
    batch: usize,
    answers: Vec<Answer>,
}

/// The queue that the calling thread and its helpers share.
struct SharedQueue<'a, Units, Items> {
    units: &'a Units,
    queue: Mutex<WorkQueue<Items>>,
}

impl<Item, Units: Fn(&Item) -> usize, Items: Iterator<Item = Item>> SharedQueue<'_, Units, Items> {
    /// Answers batches on the calling thread, and reports the work of all threads after each.
    fn answer_and_report<Answer>(
        &self,
        answer: &mut impl FnMut(Item) -> Answer,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<BatchAnswers<Answer>>, Stopped> {
        let mut parts = Vec::new();
        while let Some(part) = self.answer_batch(answer) {
            parts.push(part);
            self.report(meter).inspect_err(|_| self.queue().is_stopped = true)?;
        }
        Ok(parts)
    }

    fn answer_batch<Answer>(&self, answer: &mut impl FnMut(Item) -> Answer) -> Option<BatchAnswers<Answer>> {
        let (batch, items) = self.queue().take(self.units)?;
        Some(BatchAnswers { batch, answers: items.into_iter().map(answer).collect() })
    }

    fn report(&self, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let unreported = std::mem::take(&mut self.queue().unreported);
        unreported.into_iter().try_for_each(|units| meter.advance(units))
    }

    fn queue(&self) -> MutexGuard<'_, WorkQueue<Items>> {
        // If a thread panics, its own panic is passed on, not the poisoning that others would see.
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
            self.unreported.push(units);
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
    /// Items done before helpers are called.
    const ALONE: usize = 64;

    /// Returns which thread did each item. After the first ones, no thread goes on before `threads` of them have begun.
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
