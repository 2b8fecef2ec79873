use std::ops::ControlFlow;

use super::error::Error;

/// A step of tracing, in the order in which they come; not every picture needs all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Pixels are made comparable.
    Prepare,
    /// Pixels that belong together become regions.
    Segment,
    /// Mixed pixels find the paints that they are made of, strokes their inks.
    Resolve,
    /// Speckles and regions of one layer join.
    Merge,
    /// Regions get outlines, placed where the mixed pixels say.
    Outline,
    /// Outlines become lines, arcs and curves.
    Fit,
    /// Curves become text.
    Write,
}

impl Stage {
    /// A stable, machine-readable name.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Prepare => "prepare",
            Stage::Segment => "segment",
            Stage::Resolve => "resolve",
            Stage::Merge => "merge",
            Stage::Outline => "outline",
            Stage::Fit => "fit",
            Stage::Write => "write",
        }
    }

    /// Where the stage begins and ends, as parts of all work: about the means over drawn pictures and photographs.
    fn span(self) -> (f32, f32) {
        match self {
            Stage::Prepare => (0.0, 0.05),
            Stage::Segment => (0.05, 0.25),
            Stage::Resolve => (0.25, 0.45),
            Stage::Merge => (0.45, 0.6),
            Stage::Outline => (0.6, 0.7),
            Stage::Fit => (0.7, 0.98),
            Stage::Write => (0.98, 1.0),
        }
    }
}

/// How far tracing has come.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// An estimate of how much of all work is done, 0 to 1; it never falls.
    pub fraction: f32,
}

/// The observer wants no drawing any more.
#[derive(Debug)]
pub(crate) struct Stopped;

impl From<Stopped> for Error {
    fn from(_: Stopped) -> Self {
        Error::Cancelled
    }
}

/// So much work is done between two reports. A unit is what is done to a pixel in passing, a few nanoseconds.
const UNITS_PER_REPORT: usize = 1 << 17;

/// Where pixels are visited one by one, so many are between two calls of [`ProgressMeter::advance`].
pub(crate) const PIXELS_PER_ADVANCE: usize = 1 << 12;

/// Tells an observer how far the work has come, and the work whether to go on. Without an observer it only counts.
pub(crate) struct ProgressMeter<'a> {
    observer: Option<&'a mut dyn FnMut(Progress) -> ControlFlow<()>>,
    stage: Stage,
    /// Units since the stage began, and as many as it will probably take.
    done: usize,
    expected: usize,
    next_report: usize,
}

impl<'a> ProgressMeter<'a> {
    pub fn new(observer: &'a mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        ProgressMeter { observer: Some(observer), ..ProgressMeter::idle() }
    }

    /// Nobody is told, and the work always goes on.
    pub fn idle() -> Self {
        ProgressMeter { observer: None, stage: Stage::Prepare, done: 0, expected: 1, next_report: 0 }
    }

    /// A stage begins, of about so many units.
    #[inline(never)]
    pub fn begin(&mut self, stage: Stage, expected: usize) -> Result<(), Stopped> {
        (self.stage, self.done, self.expected) = (stage, 0, expected.max(1));
        self.report()
    }

    /// So many more units are about to be done.
    #[inline(never)]
    pub fn advance(&mut self, units: usize) -> Result<(), Stopped> {
        self.done += units;
        if self.done < self.next_report { Ok(()) } else { self.report() }
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stopped> {
        self.next_report = self.done + UNITS_PER_REPORT;
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let (start, end) = self.stage.span();
        let within = (self.done as f32 / self.expected as f32).min(1.0);
        let fraction = start + within * (end - start);
        match observer(Progress { stage: self.stage, fraction }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }
}
