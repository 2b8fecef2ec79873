use std::ops::ControlFlow;
use std::time::Duration;

use cpu_time::ProcessTime;
use tracesmith::trace_with;

use crate::pictures::Picture;

/// A whole trace, as a part among its stages.
const WHOLE: &str = "whole";

/// How long each part of one trace took.
pub type Record = Vec<(&'static str, Duration)>;

/// Traces of one picture, made as they are asked for. All stages are told of the same traces: a run for every stage would
/// repeat all the others each time.
pub struct Log<'a> {
    picture: &'a Picture,
    records: Vec<Record>,
}

impl<'a> Log<'a> {
    pub fn new(picture: &'a Picture) -> Self {
        // The first trace pays for caches and pages that the others find ready.
        record(picture);
        Log { picture, records: vec![record(picture)] }
    }

    /// What is measured, and about how long it takes: the whole, then the stages in their order.
    pub fn parts(&self) -> Record {
        self.records[0].clone()
    }

    /// What one part took in so many traces, beginning with the one numbered `from`, which moves on.
    pub fn take(&mut self, part: &str, from: &mut usize, traces: u64) -> Duration {
        let to = *from + traces as usize;
        while self.records.len() < to {
            self.records.push(record(self.picture));
        }
        let taken = self.records[*from..to].iter().flatten();
        *from = to;
        taken.filter(|(name, _)| *name == part).map(|(_, time)| *time).sum()
    }
}

/// Traces once. A stage that begins several times counts as one.
fn record(picture: &Picture) -> Record {
    let start = ProcessTime::now();
    let mut starts = Vec::new();
    let traced = trace_with(&picture.image(), &picture.options, |progress| {
        let name = progress.stage.name();
        if starts.last().is_none_or(|(last, _)| *last != name) {
            starts.push((name, start.elapsed()));
        }
        ControlFlow::Continue(())
    });
    let end = start.elapsed();
    traced.expect("the pictures can be traced");
    let ends = starts.iter().skip(1).map(|(_, time)| *time).chain([end]);
    let mut record = vec![(WHOLE, end)];
    for ((name, start), end) in starts.iter().zip(ends) {
        match record.iter_mut().find(|(known, _)| known == name) {
            Some((_, time)) => *time += end - *start,
            None => record.push((*name, end - *start)),
        }
    }
    record
}
