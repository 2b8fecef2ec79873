//! Straight lines along the rows or columns of pixels, as frames and grids of charts are. One that is a pixel wide and lies across two rows
//! looks like two paler lines beside each other; that it is one is told by their coverages, which add up to a pixel of an ink that the
//! picture has. One across three shows its ink in the middle. A line that parts paints of several colors, as in a heat map, runs on between all of them. A frame and the shade or light
//! along it, as buttons have them, are two or three lines beside each other, each of its own color.
use crate::band::{Band, MOST_ROWS, Straight};
use crate::blend::{meeting, projection};
use crate::geometry::Point;
use crate::line::{LEAST_SHARE, Line, OPAQUE, ROUNDING_SQ, shares};
use crate::mixture::MIXTURE_RESIDUAL_SQ;
use crate::order::ordered;
use crate::pixels::{Channels, ColorMetric, distance_sq, minus, rounded};
use crate::triple::are_of_three;
use crate::view::View;
use crate::watch::{Stopped, Watch};

/// A line is at least so long, px, and no speckle: what is shorter may be a shape's shading.
const LEAST_PX: usize = 20;

/// One that begins or ends at such a line may be shorter, like the ticks of an axis.
const LEAST_TICK_PX: usize = 2;

/// The ink of one across two rows differs from the ground by at least this (Euclidean, 8-bit levels).
const LEAST_CONTRAST_SQ: f32 = 60.0 * 60.0;

/// Where two rows between paints say that an ink lies, it is off a color of the picture by this at most (Euclidean, 8-bit levels): in a
/// row that has little of it, what the paint on the other side leaves of itself tells as much.
const MEETING_SQ: f32 = 32.0 * 32.0;

/// A line between two paints in a single row covers more than this of it.
const LEAST_BETWEEN_PAINTS: f32 = 0.75;

/// Half the way from ground to ink was rounded by at most this (Euclidean, 8-bit levels).
const HALF_LEVELS: f32 = 1.5;

/// So many colors are looked for in the picture.
const MOST_INKS: usize = 16;

/// A line: the rectangle from one corner to the other, of one color.
pub(crate) struct Hairline {
    pub corners: [Point; 2],
    pub ink: [u8; 4],
}

/// The lines of a picture.
#[derive(Default)]
pub(crate) struct Ruled {
    pub lines: Vec<Hairline>,
    /// The pixels that went to what lies beneath them.
    pub covered: Vec<u32>,
    /// For each pixel, whether a line lies on it; empty where there is none.
    pub on_line: Vec<bool>,
}

/// The lines among the pixels that no pair of paints explains. The pixels that they cover go to the paints beside them; but
/// where others cross or touch a line and more is drawn, what is left unexplained has to tell it.
pub(crate) fn hairlines(
    view: &View<'_>,
    (metric, speckle_px): (&ColorMetric, f32),
    (unexplained, beneath): (&[u32], &[u32]),
    owners: &mut [u32],
    watch: &mut Watch<'_>,
) -> Result<Ruled, Stopped> {
    let least_px = LEAST_PX.max(speckle_px.ceil() as usize);
    let mut inks = KnownInks { view, unexplained, asked: 0, found: Vec::new() };
    let mut ruler =
        Ruler { owners, on_line: Vec::new(), covered: Vec::new(), inks: Vec::new(), lines: Vec::new() };
    for_each_band(view, unexplained, 1, watch, |band, at| {
        let Some(straight) = ruler.straight(band, at, (least_px, least_px)) else { return };
        match straight.whole(&mut inks, beneath).filter(|line| line.is_seen(metric)) {
            Some(line) => ruler.draw(line),
            None => straight.bevel(metric).into_iter().for_each(|line| ruler.draw(line)),
        }
    })?;
    if ruler.lines.is_empty() {
        return Ok(Ruled::default());
    }
    // Others of their inks.
    for_each_band(view, unexplained, 8, watch, |band, at| {
        let Some(straight) = ruler.straight(band, at, (LEAST_TICK_PX, least_px)) else { return };
        match straight.of(&ruler.inks).filter(|line| line.is_seen(metric)) {
            Some(line) => ruler.draw(line),
            None => {
                let lines = straight.bevel(metric);
                if lines.iter().all(|line| ruler.inks.contains(&line.ink)) {
                    lines.into_iter().for_each(|line| ruler.draw(line));
                }
            }
        }
    })?;
    Ok(ruler.ruled())
}

/// Calls with the bands that may begin with each of some pixels, and with the pixel and the row of the band that it lies in. `units` are
/// those of [`Watch`] for a pixel.
fn for_each_band<'a, 'v>(
    view: &'a View<'v>,
    pixels: &[u32],
    units: usize,
    watch: &mut Watch<'_>,
    mut each: impl FnMut(Band<'a, 'v>, (usize, usize)),
) -> Result<(), Stopped> {
    const PIXELS_PER_LOOK: usize = 4096;
    let (right, down) = (1, view.pixels.width);
    for pixels in pixels.chunks(PIXELS_PER_LOOK) {
        watch.advance(units * pixels.len())?;
        for &pixel in pixels {
            for rows in 1..=MOST_ROWS {
                for (along, across) in [(right, down), (down, right)] {
                    // Of three, the first or the second is not explained.
                    let band = Band { view, rows, along, across };
                    (0..rows.min(2)).for_each(|row| each(band, (pixel as usize, row)));
                }
            }
        }
    }
    Ok(())
}

/// The lines that are found.
struct Ruler<'o, 'a, 'v> {
    owners: &'o mut [u32],
    /// For each pixel, whether a line lies on it; empty before there is one.
    on_line: Vec<bool>,
    /// The pixels that went to what lies beneath lines.
    covered: Vec<u32>,
    /// The first colors of lines.
    inks: Vec<Channels>,
    lines: Vec<Line<'a, 'v>>,
}

impl<'a, 'v> Ruler<'_, 'a, 'v> {
    /// What is straight in a band from about the pixel of one of its rows on, and not drawn yet: of at least so many pixels, or, where
    /// it may be a tick, of fewer. Mostly there is nothing, which is seen at once.
    #[inline(always)]
    fn straight(
        &self,
        band: Band<'a, 'v>,
        (i, row): (usize, usize),
        least @ (least_tick_px, _): (usize, usize),
    ) -> Option<Straight<'a, 'v>> {
        let first = self.first(band, i, row).filter(|&first| band.may_be_long(first, least_tick_px))?;
        self.straight_from(band, first, least)
    }

    #[inline(never)]
    fn straight_from(
        &self,
        band: Band<'a, 'v>,
        first: usize,
        (least_tick_px, least_px): (usize, usize),
    ) -> Option<Straight<'a, 'v>> {
        let straight = band.straight(first, |i| self.is_open(band.view, i))?;
        let length = straight.length();
        let is_line = length >= least_px || (length >= least_tick_px && self.is_at_line(&straight));
        (is_line && !self.is_drawn(&straight)).then_some(straight)
    }

    /// Whether a part begins or ends at a line.
    fn is_at_line(&self, straight: &Straight<'_, '_>) -> bool {
        let Straight { band, first, last, .. } = *straight;
        let meets = |i: Option<usize>| i.is_some_and(|i| band.rows_at(i).any(|at| self.on_line[at]));
        meets(band.before(first)) || meets(band.after(last))
    }

    /// Where a band may begin that has a pixel in one of its rows: that one's first row may be explained, and the second alone not.
    fn first(&self, band: Band<'_, '_>, i: usize, row: usize) -> Option<usize> {
        let first = i.checked_sub(row * band.across)?;
        (row == 0 || !self.is_open(band.view, first)).then_some(first)
    }

    /// Whether a pixel is still on its own; those beyond the picture may be taken for such.
    fn is_open(&self, view: &View<'_>, i: usize) -> bool {
        self.owners.get(i) == view.labels.ids.get(i)
    }

    /// Whether a line was drawn there before: others run into its ends only.
    fn is_drawn(&self, straight: &Straight<'_, '_>) -> bool {
        let Straight { band, first, .. } = *straight;
        let middle = first + straight.length() / 2 * band.along;
        !self.on_line.is_empty() && band.rows_at(middle).any(|at| self.on_line[at])
    }

    #[inline(never)]
    fn draw(&mut self, mut line: Line<'a, 'v>) {
        let Straight { band, first, last, .. } = line.straight;
        self.on_line.resize(self.owners.len(), false);
        (line.start, line.end) =
            (line.follow(first, |i| band.before(i)), line.follow(last, |i| band.after(i)));
        let mut grounds = line.straight.grounds;
        for i in (line.start..=line.end).step_by(band.along) {
            grounds = band.grounds(i).unwrap_or(grounds);
            for (row, at) in band.rows_at(i).enumerate() {
                self.on_line[at] = true;
                if let Some(owner) = line.beneath(i, row, grounds) {
                    self.owners[at] = owner;
                    self.covered.push(at as u32);
                }
            }
        }
        if self.inks.len() < MOST_INKS && !self.inks.contains(&line.ink) {
            self.inks.push(line.ink);
        }
        self.lines.push(line);
    }

    /// The lines are in painting order: the paler below. Where one ends at a stronger one, it runs on under that.
    #[inline(never)]
    fn ruled(mut self) -> Ruled {
        let is_under = |line: &Line<'_, '_>, i: usize| {
            let band = line.straight.band;
            band.rows_at(i).all(|at| self.on_line[at] && line.is_below(at))
        };
        let mut lines = std::mem::take(&mut self.lines);
        for line in &mut lines {
            let band = line.straight.band;
            let [start, end] = [band.before(line.start), band.after(line.end)];
            line.start = start.filter(|&i| is_under(line, i)).unwrap_or(line.start);
            line.end = end.filter(|&i| is_under(line, i)).unwrap_or(line.end);
        }
        // The bits of numbers that are not negative are in the order of the numbers.
        let order = ordered(0..lines.len() as u32, |k| lines[k as usize].strength_sq().to_bits());
        let hairline = |k: u32| {
            let line = &lines[k as usize];
            Hairline { corners: line.corners(), ink: rounded(line.ink) }
        };
        let lines = order.into_iter().map(hairline).collect();
        Ruled { lines, covered: self.covered, on_line: self.on_line }
    }
}

impl<'a, 'v> Straight<'a, 'v> {
    fn line(self, ink: Channels, shares: [f32; 2]) -> Line<'a, 'v> {
        Line { straight: self, sheaf: self, ink, shares, start: self.first, end: self.last }
    }

    /// As a line: of one row, of its color; one pixel wide of two with different shares, of an ink that the picture has; of three, of the color
    /// in the middle. A row between two paints may be their edge over one of those `beneath`.
    #[inline(never)]
    fn whole(self, inks: &mut KnownInks<'_, '_>, beneath: &[u32]) -> Option<Line<'a, 'v>> {
        let (ground, [color, middle, other]) =
            (self.ground_color(), self.band.colors(self.first).map(|color| color.map(f32::from)));
        match self.band.rows {
            1 => {
                let is_edge =
                    self.parts_paints() && are_of_three(self.band.view, &[self.first as u32], beneath);
                return (!is_edge).then(|| self.line(color, [1.0; 2]));
            }
            MOST_ROWS => return self.of(&[middle]),
            _ if self.parts_paints() => return self.between_paints(inks),
            _ => {}
        }
        let ink: Channels = std::array::from_fn(|c| color[c] + other[c] - ground[c]);
        let nearest: Channels = ink.map(|v| v.clamp(0.0, 255.0));
        let contrast_sq = distance_sq(ground, nearest);
        let is_color = distance_sq(ink, nearest) <= ROUNDING_SQ && contrast_sq >= LEAST_CONTRAST_SQ;
        let line = self.of(&[nearest]).filter(|_| is_color)?;
        // Two equal rows are one of their own color, unless the line lies in the middle between them.
        let off_middle = (line.shares[0] - 0.5) * contrast_sq.sqrt();
        let is_one = color != other || off_middle.abs() <= HALF_LEVELS;
        let known = inks.nearest(nearest, ROUNDING_SQ).filter(|_| is_one)?;
        Some(Line { ink: known, ..line })
    }

    /// As a line in each row, as buttons and frames have them: of their own colors, where these are no mixtures of what lies beside them. The
    /// first and the last row may show their paints as well, shaded, and of three the edges of the next.
    #[inline(never)]
    fn bevel(self, metric: &ColorMetric) -> Vec<Line<'a, 'v>> {
        let Straight { band: band @ Band { view, rows, across, .. }, first, last, grounds } = self;
        let mut lines = Vec::new();
        if rows == 1 || view.residual_sq > MIXTURE_RESIDUAL_SQ {
            return lines;
        }
        let [before, after] = grounds.map(|ground| view.colors[ground as usize]);
        // From the paint before the rows to the one after them.
        let color = |place: usize| match place {
            0 => before,
            _ if place > rows => after,
            _ => view.pixels.channels(first + (place - 1) * across),
        };
        for row in 0..rows {
            let [above, own, below] = [row, row + 1, row + 2].map(color);
            let [is_above, is_below] = [above, below].map(|other| metric.same_layer(own, other));
            let is_mixed = projection(own, above, below).0 <= ROUNDING_SQ;
            let (is_first, is_last) = (row == 0, row + 1 == rows);
            let is_edge = is_mixed && rows == MOST_ROWS;
            if is_first && (is_above || is_edge) || is_last && (is_below || is_edge) {
                continue;
            }
            if own[3] < OPAQUE || is_above || is_below || is_mixed {
                return Vec::new();
            }
            let (offset, ground) = (row * across, grounds[2 * row / rows]);
            let straight = Straight {
                band: Band { rows: 1, ..band },
                first: first + offset,
                last: last + offset,
                grounds: [ground; 2],
            };
            lines.push(Line { sheaf: self, ..straight.line(own, [1.0; 2]) });
        }
        lines
    }

    /// As a line across two rows between two paints: of an ink that the picture has, and that each row is a mixture of with its paint.
    #[inline(never)]
    fn between_paints(self, inks: &mut KnownInks<'_, '_>) -> Option<Line<'a, 'v>> {
        let paints = self.grounds.map(|ground| self.band.view.colors[ground as usize]);
        let colors = self.band.colors(self.first).map(|color| color.map(f32::from));
        let ink = meeting(paints, [minus(colors[0], paints[0]), minus(colors[2], paints[1])])?;
        let known = inks.nearest(ink.map(|v| v.clamp(0.0, 255.0)), MEETING_SQ)?;
        self.of(&[known])
    }

    /// As a line of one of some inks.
    #[inline(never)]
    fn of(self, inks: &[Channels]) -> Option<Line<'a, 'v>> {
        let Straight { band, first, grounds, .. } = self;
        let least = match (band.rows, self.parts_paints()) {
            (MOST_ROWS, _) => 0.0,
            (1, true) => 1.0 + LEAST_BETWEEN_PAINTS,
            (1, false) => 2.0 * (1.0 - LEAST_SHARE),
            _ => 1.0 - LEAST_SHARE,
        };
        inks.iter().find_map(|&ink| {
            let shares @ [low, high] = shares(band, first, grounds, ink)?;
            let is_wide = low + high > least;
            is_wide.then(|| self.line(ink, shares))
        })
    }
}

/// The colors of the picture that a line may have.
struct KnownInks<'a, 'v> {
    view: &'a View<'v>,
    unexplained: &'a [u32],
    /// How many were looked for.
    asked: usize,
    found: Vec<Channels>,
}

impl KnownInks<'_, '_> {
    /// The color that is meant by one that is off it by no more than this: one that was found before, or else the nearest of a paint, or
    /// of a pixel that is drawn over the paints.
    #[inline(never)]
    fn nearest(&mut self, ink: Channels, off_sq: f32) -> Option<Channels> {
        let is_near = |&color: &Channels| distance_sq(color, ink) <= off_sq;
        if let Some(known) = self.found.iter().copied().find(is_near) {
            return Some(known);
        }
        if self.asked >= MOST_INKS {
            return None;
        }
        self.asked += 1;
        let View { colors, pixels, .. } = self.view;
        let nearer = |best: Option<Channels>, color: Channels| {
            let is_nearer = |best| distance_sq(color, ink) < distance_sq(best, ink);
            if best.map_or(is_near(&color), is_nearer) { Some(color) } else { best }
        };
        let best = self.view.paints().fold(None, |best, id| nearer(best, colors[id as usize]));
        let best = match best {
            None => self.unexplained.iter().fold(None, |best, &i| nearer(best, pixels.channels(i as usize))),
            paint => paint,
        };
        self.found.extend(best);
        best
    }
}
