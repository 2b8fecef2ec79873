//! Progress: the stages, and the meter that counts work, reports to the observer and stops the trace if the observer says so.
//!
//! The stages count work in units of about one pixel. Every 131,072 units the meter calls the observer. A stop travels up as the error
//! [`Stopped`], so nothing is left behind. Each stage has a fixed share of all work, so the fraction reported is an estimate that never
//! falls, not a measurement.

use std::ops::ControlFlow;

use super::error::Error;

/// The stages of a trace, in their order. Not every image passes through all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Converts the pixels: premultiplied colors, or darkness in binary mode.
    Prepare,
    /// Joins pixels of similar color into regions.
    Segment,
    /// Explains anti-aliased pixels as mixtures of paints, and finds thin lines and strokes.
    Resolve,
    /// Joins speckles with their surroundings, and regions of one layer.
    Merge,
    /// Outlines the regions, with sub-pixel positions read from mixed pixels.
    Outline,
    /// Fits lines, arcs and curves to the outlines, and orders the shapes.
    Fit,
    /// Draws the drawing back, compares it with the image, and repairs it where they differ.
    Repair,
    /// Writes the SVG text.
    Write,
}

impl Stage {
    /// A stable, machine-readable name: the variant in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Prepare => "prepare",
            Stage::Segment => "segment",
            Stage::Resolve => "resolve",
            Stage::Merge => "merge",
            Stage::Outline => "outline",
            Stage::Fit => "fit",
            Stage::Repair => "repair",
            Stage::Write => "write",
        }
    }

    /// Where the stage begins and ends, as shares of all work.
    ///
    /// The shares are about the means of the times measured over drawings and photographs.
    fn span(self) -> (f32, f32) {
        match self {
            Stage::Prepare => (0.0, 0.05),
            Stage::Segment => (0.05, 0.25),
            Stage::Resolve => (0.25, 0.45),
            Stage::Merge => (0.45, 0.6),
            Stage::Outline => (0.6, 0.7),
            Stage::Fit => (0.7, 0.8),
            Stage::Repair => (0.8, 0.98),
            Stage::Write => (0.98, 1.0),
        }
    }
}

/// How far a trace has come.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// An estimate of the share of all work that is done, 0 to 1. It never falls.
    pub fraction: f32,
}

/// The observer asked to stop. Becomes [`Error::Cancelled`].
#[derive(Debug)]
pub(crate) struct Stopped;

impl From<Stopped> for Error {
    fn from(_: Stopped) -> Self {
        Error::Cancelled
    }
}

/// Work between two reports.
///
/// Unit: count (units of [`ProgressMeter`], a few nanoseconds each). Source: about a millisecond of work, so that a stop takes effect
/// soon and calls of the observer cost nothing.
const UNITS_PER_REPORT: usize = 1 << 17;

/// Pixels between two calls of [`ProgressMeter::advance`] in loops that visit pixels one by one.
///
/// Unit: pixels. Source: few enough for a report in time, many enough that the call costs nothing.
pub(crate) const PIXELS_PER_ADVANCE: usize = 1 << 12;

/// Counts work in units of about one pixel, reports it to the observer and returns [`Stopped`] when the observer asks for it.
pub(crate) struct ProgressMeter<'a> {
    observer: Option<&'a mut dyn FnMut(Progress) -> ControlFlow<()>>,
    stage: Stage,
    /// Units done since the stage began.
    done: usize,
    /// An estimate of all units of the stage.
    expected: usize,
    next_report: usize,
    /// The fraction of the last report.
    reported: f32,
}

impl<'a> ProgressMeter<'a> {
    pub fn new(observer: &'a mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        ProgressMeter { observer: Some(observer), ..ProgressMeter::idle() }
    }

    /// A meter without an observer. It never stops.
    pub fn idle() -> Self {
        ProgressMeter {
            observer: None,
            stage: Stage::Prepare,
            done: 0,
            expected: 1,
            next_report: 0,
            reported: 0.0,
        }
    }

    /// Begins a stage of about `expected` units, and reports it. Stages that are gone through again are reported as the latest one so far.
    #[inline(never)]
    pub fn begin(&mut self, stage: Stage, expected: usize) -> Result<(), Stopped> {
        (self.stage, self.done, self.expected) = (stage.max(self.stage), 0, expected.max(1));
        self.report()
    }

    /// Counts `units` that are about to be done, and reports if enough have been done since the last report.
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
        self.reported = self.reported.max(start + within * (end - start));
        match observer(Progress { stage: self.stage, fraction: self.reported }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }
}
