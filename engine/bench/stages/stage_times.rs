use std::ops::ControlFlow;
use std::time::Duration;

use cpu_time::ProcessTime;
use tracesmith::trace_with;

use crate::pictures::Picture;

/// The name under which the complete trace is reported among the stages.
const WHOLE: &str = "whole";

/// The CPU time of each stage of one trace, after that of the complete trace.
pub type Record = Vec<(&'static str, Duration)>;

/// The stage times of one image, from as many traces as criterion asks for. All stages share the traces, because measuring one stage
/// requires a complete trace.
pub struct StageTimes<'a> {
    picture: &'a Picture,
    records: Vec<Record>,
}

impl<'a> StageTimes<'a> {
    pub fn new(picture: &'a Picture) -> Self {
        // A first trace to warm up caches and memory.
        record(picture);
        StageTimes { picture, records: vec![record(picture)] }
    }

    /// The times of the first trace, which are also the list of what is measured.
    pub fn first(&self) -> Record {
        self.records[0].clone()
    }

    /// The time of a stage in the next traces. `next` is the index of the first of them and is advanced.
    pub fn take(&mut self, stage: &str, next: &mut usize, traces: u64) -> Duration {
        let end = *next + traces as usize;
        while self.records.len() < end {
            self.records.push(record(self.picture));
        }
        let times = self.records[*next..end].iter().flatten();
        *next = end;
        times.filter(|(name, _)| *name == stage).map(|(_, time)| *time).sum()
    }
}

/// Traces once. The times of a stage that starts several times are added.
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
    traced.expect("the images can be traced");
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
