//! Straight lines along the rows or columns of pixels, as frames and grids of charts are. One that is a pixel wide and lies across two rows
//! looks like two paler lines beside each other; that it is one is told by their coverages, which add up to a pixel of an ink that the
//! picture has. One across three shows its ink in the middle. A line that parts paints of several colors, as in a heat map, runs on between all of them. A frame and the shade or light
//! along it, as buttons have them, are two or three lines beside each other, each of its own color.

use super::interpret::{KnownInks, MOST_LINE_INKS};
use super::line::StraightLine;
use super::pixel_rows::{MOST_ROWS, RowBand, UniformRun};
use crate::algorithms::sorted_by_key;
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::color::{Channels, ColorMetric, PremultipliedColor};
use crate::geometry::Point;
use crate::resolve::paints::{Assignment, PaintMap};

/// A line is at least so long, px, and no speckle: what is shorter may be a shape's shading.
const LINE_LEAST_PX: usize = 20;

/// One that begins or ends at such a line may be shorter, like the ticks of an axis.
const TICK_LEAST_PX: usize = 2;

/// A line: the rectangle from one corner to the other, of one color.
pub(crate) struct Hairline {
    pub corners: [Point; 2],
    pub ink: PremultipliedColor,
}

/// The lines of a picture.
#[derive(Default)]
pub(crate) struct FoundLines {
    pub lines: Vec<Hairline>,
    /// The pixels that went to what lies beneath them.
    pub covered: Vec<u32>,
    /// For each pixel, whether a line lies on it; empty where there is none.
    pub on_line: Vec<bool>,
}

/// The lines among the pixels that no pair of paints explains. The pixels that they cover go to the paints beside them; but
/// where others cross or touch a line and more is drawn, what is left unexplained has to tell it.
pub(crate) fn find_lines(
    paint_map: &PaintMap<'_>,
    (metric, speckle_px): (&ColorMetric, f32),
    (unexplained, beneath): (&[u32], &[u32]),
    assignment: &mut Assignment,
    meter: &mut ProgressMeter<'_>,
) -> Result<FoundLines, Stopped> {
    let least_px = LINE_LEAST_PX.max(speckle_px.ceil() as usize);
    let mut inks = KnownInks::new(paint_map, unexplained);
    let mut finder = LineFinder {
        assignment,
        on_line: Vec::new(),
        covered: Vec::new(),
        inks: Vec::new(),
        lines: Vec::new(),
    };
    for_each_band(paint_map, unexplained, 1, meter, |band, at| {
        let Some(run) = finder.run(band, at, (least_px, least_px)) else { return };
        match run.whole(&mut inks, beneath).filter(|line| line.is_seen(metric)) {
            Some(line) => finder.draw(line),
            None => run.bevel(metric).into_iter().for_each(|line| finder.draw(line)),
        }
    })?;
    if finder.lines.is_empty() {
        return Ok(FoundLines::default());
    }
    // Others of their inks.
    for_each_band(paint_map, unexplained, 8, meter, |band, at| {
        let Some(run) = finder.run(band, at, (TICK_LEAST_PX, least_px)) else { return };
        match run.of(&finder.inks).filter(|line| line.is_seen(metric)) {
            Some(line) => finder.draw(line),
            None => {
                let lines = run.bevel(metric);
                if lines.iter().all(|line| finder.inks.contains(&line.ink)) {
                    lines.into_iter().for_each(|line| finder.draw(line));
                }
            }
        }
    })?;
    Ok(finder.into_found())
}

/// Calls with the bands that may begin with each of some pixels, and with the pixel and the row of the band that it lies in. `units` are
/// those of [`ProgressMeter`] for a pixel.
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
                    // Of three, the first or the second is not explained.
                    let band = RowBand { paint_map, rows, along, across };
                    (0..rows.min(2)).for_each(|row| each(band, (pixel as usize, row)));
                }
            }
        }
    }
    Ok(())
}

/// The lines that are found.
struct LineFinder<'o, 'a, 'v> {
    assignment: &'o mut Assignment,
    /// For each pixel, whether a line lies on it; empty before there is one.
    on_line: Vec<bool>,
    /// The pixels that went to what lies beneath lines.
    covered: Vec<u32>,
    /// The first colors of lines.
    inks: Vec<Channels>,
    lines: Vec<StraightLine<'a, 'v>>,
}

impl<'a, 'v> LineFinder<'_, 'a, 'v> {
    /// What is straight in a band from about the pixel of one of its rows on, and not drawn yet: of at least so many pixels, or, where
    /// it may be a tick, of fewer. Mostly there is nothing, which is seen at once.
    #[inline(always)]
    fn run(
        &self,
        band: RowBand<'a, 'v>,
        (i, row): (usize, usize),
        least @ (least_tick_px, _): (usize, usize),
    ) -> Option<UniformRun<'a, 'v>> {
        let first = self.first(band, i, row).filter(|&first| band.may_be_long(first, least_tick_px))?;
        self.straight_from(band, first, least)
    }

    #[inline(never)]
    fn straight_from(
        &self,
        band: RowBand<'a, 'v>,
        first: usize,
        (least_tick_px, least_px): (usize, usize),
    ) -> Option<UniformRun<'a, 'v>> {
        let run = band.run(first, |i| self.assignment.is_open(&band.paint_map.labels, i))?;
        let length = run.length();
        let is_line = length >= least_px || (length >= least_tick_px && self.is_at_line(&run));
        (is_line && !self.is_drawn(&run)).then_some(run)
    }

    /// Whether a part begins or ends at a line.
    fn is_at_line(&self, run: &UniformRun<'_, '_>) -> bool {
        let UniformRun { band, first, last, .. } = *run;
        let meets = |i: Option<usize>| i.is_some_and(|i| band.rows_at(i).any(|at| self.on_line[at]));
        meets(band.before(first)) || meets(band.after(last))
    }

    /// Where a band may begin that has a pixel in one of its rows: that one's first row may be explained, and the second alone not.
    fn first(&self, band: RowBand<'_, '_>, i: usize, row: usize) -> Option<usize> {
        let first = i.checked_sub(row * band.across)?;
        (row == 0 || !self.assignment.is_open(&band.paint_map.labels, first)).then_some(first)
    }

    /// Whether a line was drawn there before: others run into its ends only.
    fn is_drawn(&self, run: &UniformRun<'_, '_>) -> bool {
        let UniformRun { band, first, .. } = *run;
        let middle = first + run.length() / 2 * band.along;
        !self.on_line.is_empty() && band.rows_at(middle).any(|at| self.on_line[at])
    }

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
                if let Some(owner) = line.beneath(i, row, grounds) {
                    self.assignment.give(at, owner);
                    self.covered.push(at as u32);
                }
            }
        }
        if self.inks.len() < MOST_LINE_INKS && !self.inks.contains(&line.ink) {
            self.inks.push(line.ink);
        }
        self.lines.push(line);
    }

    /// The lines are in painting order: the paler below. Where one ends at a stronger one, it runs on under that.
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
        // The bits of numbers that are not negative are in the order of the numbers.
        let order = sorted_by_key(0..lines.len() as u32, |k| lines[k as usize].strength_sq().to_bits());
        let to_hairline = |k: u32| {
            let line = &lines[k as usize];
            Hairline { corners: line.corners(), ink: PremultipliedColor::nearest(line.ink) }
        };
        let lines = order.into_iter().map(to_hairline).collect();
        FoundLines { lines, covered: self.covered, on_line: self.on_line }
    }
}
