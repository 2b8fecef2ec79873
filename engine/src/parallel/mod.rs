//! Runs independent pieces of work. With the feature `parallel`, free threads help; without it, the calling thread does everything.
//!
//! The answers come in the order of the items, and only the calling thread speaks to the [`ProgressMeter`], in that order too. So neither
//! the SVG nor the reports depend on the number of threads.
//!
//! The caller starts alone and calls helpers only after about a tenth of a millisecond of work, so small images start no threads. The
//! helpers are scoped threads of the standard library, started for one piece of work and joined after it, at some 30 µs each. A pool that
//! stays, such as rayon's, would save that, but was rejected: Node.js unloads an addon when its last user ends, and the threads of a pool
//! would go on in unloaded code; each pool adds its threads to those of its callers; and the observer must be called on the calling thread.
//!
//! Threads share the explaining of mixtures, the search for strokes, the placing of arcs, the fitting of edges and inks, and the stacking of
//! shapes. Joining pixels and regions stays with one thread, because each join depends on those before.
#[cfg(feature = "parallel")]
mod helpers;
#[cfg(feature = "parallel")]
mod thread_budget;

#[cfg(feature = "parallel")]
pub(crate) use thread_budget::BusyThreads;
#[cfg(feature = "parallel")]
pub use thread_budget::limit_threads;

use crate::api::{ProgressMeter, Stopped};

/// A function to be run on many items.
pub(crate) struct Work<Units, Begin> {
    /// Returns the work of an item, in the units of [`ProgressMeter`].
    pub units: Units,
    /// Makes the function, once for each thread: it may own buffers that it reuses.
    pub begin: Begin,
}

impl<Units, Begin> Work<Units, Begin> {
    /// Returns the answers in the order of the items.
    pub fn run<Item, Answer, Do>(
        &self,
        mut items: impl Iterator<Item = Item> + Send,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Vec<Answer>, Stopped>
    where
        Item: Send,
        Answer: Send,
        Units: Fn(&Item) -> usize + Sync,
        Begin: Fn() -> Do + Sync,
        Do: FnMut(Item) -> Answer,
    {
        let mut answers = Vec::new();
        let mut answer = (self.begin)();
        #[cfg(feature = "parallel")]
        let mut to_do_alone = helpers::WORTH_HELP_UNITS;
        for item in items.by_ref() {
            let units = (self.units)(&item);
            meter.advance(units)?;
            answers.push(answer(item));
            #[cfg(feature = "parallel")]
            match to_do_alone.checked_sub(units) {
                Some(left) => to_do_alone = left,
                None => break,
            }
        }
        #[cfg(feature = "parallel")]
        {
            let started = helpers::Started { answer: &mut answer, answers: &mut answers };
            helpers::finish(&self.units, &self.begin, items, started, meter)?;
        }
        Ok(answers)
    }
}

/// Runs two independent functions, each of about `units` units of work.
pub(crate) fn both<One: Send, Other>(
    units: usize,
    one: impl FnOnce() -> One + Send,
    other: impl FnOnce() -> Other,
) -> (One, Other) {
    #[cfg(feature = "parallel")]
    if units >= helpers::WORTH_HELP_UNITS {
        return helpers::both_with_help(one, other);
    }
    let _ = units;
    (one(), other())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_in_the_items_order() {
        let units = |&item: &usize| 1 << (item % 16);
        let mut meter = ProgressMeter::idle();
        let squares = Work { units, begin: || |item| item * item }.run(0..1000, &mut meter);
        assert!(squares.unwrap().into_iter().eq((0..1000).map(|item| item * item)));
    }

    #[test]
    fn both_are_done_with_or_without_help() {
        for units in [0, usize::MAX] {
            let mut here = 0;
            assert_eq!(both(units, || 1, || here += 2), (1, ()));
            assert_eq!(here, 2, "the other one may borrow from the calling thread");
        }
    }

    #[test]
    fn what_does_the_work_is_made_once_for_each_thread() {
        let begin = || {
            let mut done = 0;
            move |_| {
                done += 1;
                (std::thread::current().id(), done)
            }
        };
        let answers =
            Work { units: |_: &_| 1 << 12, begin }.run(0..1000, &mut ProgressMeter::idle()).unwrap();
        let of_thread = |id| answers.iter().filter(move |answer| answer.0 == id).map(|answer| answer.1);
        assert!(answers.iter().all(|&(id, _)| of_thread(id).eq(1..=of_thread(id).count())));
    }
}
