//! Finds the straight lines of an image among its unexplained pixels, and gives the pixels that they cover to the paints beside them.

use super::interpret::{KnownInks, MOST_LINE_INKS};
use super::line::StraightLine;
use super::pixel_rows::{MOST_ROWS, RowBand, UniformRun};
use crate::algorithms::sorted_by_key;
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::classify::Tuning;
use crate::color::{Channels, PremultipliedColor};
use crate::geometry::Point;
use crate::resolve::paints::{Assignment, PaintMap};

/// How long a line is, at least; what is shorter may be the shading of a shape.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const LINE_LEAST_PX: usize = 20;

/// How long a line is, at least, that begins or ends at another one, like the ticks of an axis.
///
/// Unit: pixels. Source: what is shorter is a single pixel, which has no direction.
const TICK_LEAST_PX: usize = 2;

/// The work of looking for a line at an open pixel, in the units of [`ProgressMeter`]; and again, once there are lines.
const LINE_PIXEL_UNITS: usize = 1;
const TICK_PIXEL_UNITS: usize = 8;

/// A straight line to draw: the rectangle between two corners, of one color.
pub(crate) struct Hairline {
    pub corners: [Point; 2],
    pub ink: PremultipliedColor,
}

/// The lines of an image.
#[derive(Default)]
pub(crate) struct FoundLines {
    pub lines: Vec<Hairline>,
    /// The pixels that were given to the ground of a line.
    pub covered: Vec<u32>,
    /// For each pixel, whether a line lies on it; empty if there are no lines.
    pub on_line: Vec<bool>,
}

/// Finds the lines among the pixels that no two paints explain. The pixels that a line covers are given to the paints beside it. Where
/// another line crosses, pixels that this line does not fully explain stay open for the search for strokes.
pub(crate) fn find_lines(
    paint_map: &PaintMap<'_>,
    assignment: &mut Assignment,
    unexplained: &[u32],
    tuning: &Tuning,
    meter: &mut ProgressMeter<'_>,
) -> Result<FoundLines, Stopped> {
    let least_px = LINE_LEAST_PX.max(tuning.speckle_px.ceil() as usize);
    let mut inks = KnownInks::new(paint_map, unexplained);
    let mut finder = LineFinder {
        assignment,
        on_line: Vec::new(),
        covered: Vec::new(),
        inks: Vec::new(),
        lines: Vec::new(),
    };
    // First the long ones, then ticks and lines of the inks found.
    for (at_line_px, units) in [(least_px, LINE_PIXEL_UNITS), (TICK_LEAST_PX, TICK_PIXEL_UNITS)] {
        for_each_band(paint_map, unexplained, units, meter, |band, at| {
            if let Some(run) = finder.run(band, at, LeastLength { px: least_px, at_line_px }) {
                let line = if at_line_px == least_px {
                    run.as_one_line(&mut inks)
                } else {
                    run.as_line_of(&finder.inks)
                };
                finder.draw_run(run, line, tuning, at_line_px < least_px);
            }
        })?;
        if finder.lines.is_empty() {
            return Ok(FoundLines::default());
        }
    }
    Ok(finder.into_found())
}

/// Calls with the bands that may begin at each of some pixels, and with the pixel and the row of the band that it lies in. `units`: the work
/// for a pixel, in the units of [`ProgressMeter`].
fn for_each_band<'a, 'v>(
    paint_map: &'a PaintMap<'v>,
    pixels: &[u32],
    units: usize,
    meter: &mut ProgressMeter<'_>,
    mut each: impl FnMut(RowBand<'a, 'v>, (usize, usize)),
) -> Result<(), Stopped> {
    let (right, down) = (1, paint_map.pixels.width);
    for pixels in pixels.chunks(PIXELS_PER_ADVANCE) {
        meter.advance(units * pixels.len())?;
        for &pixel in pixels {
            for rows in 1..=MOST_ROWS {
                for (along, across) in [(right, down), (down, right)] {
                    // Of three rows, the first or the second one is open.
                    let band = RowBand { paint_map, rows, along, across };
                    (0..rows.min(2)).for_each(|row| each(band, (pixel as usize, row)));
                }
            }
        }
    }
    Ok(())
}

/// How long a run is, at least.
#[derive(Clone, Copy)]
struct LeastLength {
    px: usize,
    /// If it begins or ends at a line.
    at_line_px: usize,
}

/// The lines found so far.
struct LineFinder<'o, 'a, 'v> {
    assignment: &'o mut Assignment,
    /// For each pixel, whether a line lies on it; empty before the first line.
    on_line: Vec<bool>,
    /// The pixels that were given to the ground of a line.
    covered: Vec<u32>,
    /// The inks of the first lines that have different ones.
    inks: Vec<Channels>,
    lines: Vec<StraightLine<'a, 'v>>,
}

impl<'a, 'v> LineFinder<'_, 'a, 'v> {
    /// The run of a band that begins about pixel `i` in one of its rows, if it is not drawn yet and is long enough. Mostly there is none,
    /// which the first check finds out.
    #[inline(always)]
    fn run(
        &self,
        band: RowBand<'a, 'v>,
        (i, row): (usize, usize),
        least: LeastLength,
    ) -> Option<UniformRun<'a, 'v>> {
        let first = self.first(band, i, row).filter(|&first| band.may_be_long(first, least.at_line_px))?;
        self.run_from(band, first, least)
    }

    #[inline(never)]
    fn run_from(
        &self,
        band: RowBand<'a, 'v>,
        first: usize,
        least: LeastLength,
    ) -> Option<UniformRun<'a, 'v>> {
        let run = band.run(first, |i| self.assignment.is_open(&band.paint_map.labels, i))?;
        let length = run.length();
        let is_line = length >= least.px || (length >= least.at_line_px && self.is_at_line(&run));
        (is_line && !self.is_drawn(&run)).then_some(run)
    }

    /// Draws what a run is taken for: `line`, if that differs from its grounds, or else a line in each row. `of_known`: only in known inks.
    #[inline(never)]
    fn draw_run(
        &mut self,
        run: UniformRun<'a, 'v>,
        line: Option<StraightLine<'a, 'v>>,
        tuning: &Tuning,
        of_known: bool,
    ) {
        if let Some(line) = line.filter(|line| line.is_distinct(&tuning.metric)) {
            return self.draw(line);
        }
        let lines = run.as_lines_in_rows(tuning);
        if !of_known || lines.iter().all(|line| self.inks.contains(&line.ink)) {
            lines.into_iter().for_each(|line| self.draw(line));
        }
    }

    /// Whether a run begins or ends at a line.
    fn is_at_line(&self, run: &UniformRun<'_, '_>) -> bool {
        let UniformRun { band, first, last, .. } = *run;
        let meets = |i: Option<usize>| i.is_some_and(|i| band.rows_at(i).any(|at| self.on_line[at]));
        meets(band.before(first)) || meets(band.after(last))
    }

    /// The first pixel of a band that has pixel `i` in one of its rows. A band is looked at from its second row only where its first row is
    /// explained.
    fn first(&self, band: RowBand<'_, '_>, i: usize, row: usize) -> Option<usize> {
        let first = i.checked_sub(row * band.across)?;
        (row == 0 || !self.assignment.is_open(&band.paint_map.labels, first)).then_some(first)
    }

    /// Whether a line lies on a run already: at its middle, for lines cross at the ends as well.
    fn is_drawn(&self, run: &UniformRun<'_, '_>) -> bool {
        let UniformRun { band, first, .. } = *run;
        let middle = first + run.length() / 2 * band.along;
        !self.on_line.is_empty() && band.rows_at(middle).any(|at| self.on_line[at])
    }

    /// Follows a line to its ends and gives the pixels that it covers to their grounds.
    #[inline(never)]
    fn draw(&mut self, mut line: StraightLine<'a, 'v>) {
        let UniformRun { band, first, last, .. } = line.run;
        self.on_line.resize(self.assignment.pixel_count(), false);
        (line.start, line.end) =
            (line.follow(first, |i| band.before(i)), line.follow(last, |i| band.after(i)));
        let mut grounds = line.run.grounds;
        for i in (line.start..=line.end).step_by(band.along) {
            grounds = band.grounds(i).unwrap_or(grounds);
            for (row, at) in band.rows_at(i).enumerate() {
                self.on_line[at] = true;
                if let Some(paint) = line.ground(i, row, grounds) {
                    self.assignment.give(at, paint);
                    self.covered.push(at as u32);
                }
            }
        }
        if self.inks.len() < MOST_LINE_INKS && !self.inks.contains(&line.ink) {
            self.inks.push(line.ink);
        }
        self.lines.push(line);
    }

    /// Puts the lines in painting order, the paler ones below. Where a line ends at a stronger one, it runs on under that.
    #[inline(never)]
    fn into_found(mut self) -> FoundLines {
        let is_under = |line: &StraightLine<'_, '_>, i: usize| {
            let band = line.run.band;
            band.rows_at(i).all(|at| self.on_line[at] && line.is_below(at))
        };
        let mut lines = std::mem::take(&mut self.lines);
        for line in &mut lines {
            let band = line.run.band;
            let [start, end] = [band.before(line.start), band.after(line.end)];
            line.start = start.filter(|&i| is_under(line, i)).unwrap_or(line.start);
            line.end = end.filter(|&i| is_under(line, i)).unwrap_or(line.end);
        }
        // The bits of floats that are not negative sort like the floats.
        let order = sorted_by_key(0..lines.len() as u32, |k| lines[k as usize].strength_sq().to_bits());
        let to_hairline = |k: u32| {
            let line = &lines[k as usize];
            Hairline { corners: line.corners(), ink: PremultipliedColor::nearest(line.ink) }
        };
        let lines = order.into_iter().map(to_hairline).collect();
        FoundLines { lines, covered: self.covered, on_line: self.on_line }
    }
}
