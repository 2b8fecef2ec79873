//! Straight lines one pixel wide along the rows or columns of pixels, as frames and grids of charts are. One that lies across two rows
//! looks like two paler lines beside each other; that it is one is told by their coverages, which add up to a pixel of an ink that the
//! picture has. A line that parts paints of several colors, as in a heat map, runs on between all of them. A frame and the shade or light
//! along it, as buttons have them, are two lines beside each other, each of its own color.
use crate::band::{Band, Straight};
use crate::blend::{meeting, of_paints, projection};
use crate::geometry::Point;
use crate::mixture::MIXTURE_RESIDUAL_SQ;
use crate::order::ordered;
use crate::patch::{mixture, tolerance_sq};
use crate::pixels::{Channels, ColorMetric, distance_sq, minus, rounded};
use crate::triple::are_of_three;
use crate::view::{View, is_paint};
use crate::watch::{Stopped, Watch};

/// A line is at least so long, px, and no speckle: what is shorter may be a shape's shading.
const LEAST_PX: usize = 20;

/// One that begins or ends at such a line may be shorter, like the ticks of an axis.
const LEAST_TICK_PX: usize = 2;

/// Each of the two rows has at least this share of the line.
const LEAST_SHARE: f32 = 0.05;

/// Nothing shows through a line.
const OPAQUE: f32 = 250.0;

/// The ink of one across two rows differs from the ground by at least this (Euclidean, 8-bit levels).
const LEAST_CONTRAST_SQ: f32 = 60.0 * 60.0;

/// What rounding leaves between the ink and a color of the picture, and between a row and the mixtures of ground and ink.
const ROUNDING_SQ: f32 = 6.0 * 6.0;

/// Where two rows between paints say that an ink lies, it is off a color of the picture by this at most (Euclidean, 8-bit levels): in a
/// row that has little of it, what the paint on the other side leaves of itself tells as much.
const MEETING_SQ: f32 = 32.0 * 32.0;

/// The paint on the other side of a line leaves no more than this of itself in a row, where a renderer drew the line over both.
const MOST_REMAINS: f32 = 0.15;

/// A line between two paints in a single row covers more than this of it.
const LEAST_BETWEEN_PAINTS: f32 = 0.75;

/// What a line covers of a row differs by so much where it runs on between other paints.
const SAME_SHARE: f32 = 0.1;

/// Half the way from ground to ink was rounded by at most this (Euclidean, 8-bit levels).
const HALF_LEVELS: f32 = 1.5;

/// So many colors are looked for in the picture.
const MOST_INKS: usize = 16;

/// A line runs on through a crossing or a corner for so many pixels, where the ink covers at least this much of its width.
const JOINT_PX: usize = 8;
const JOINT_SHARE: f32 = 0.5;
/// What crosses it there covers no more than this share more of a pixel; more is drawn for itself.
const CROSSING_SHARE: f32 = 0.25;

/// A line: the rectangle from one corner to the other, of one color.
pub(crate) struct Hairline {
    pub corners: [Point; 2],
    pub ink: [u8; 4],
}

/// The lines among the pixels that no pair of paints explains, and the pixels that they cover. These go to the paints beside them; but
/// where others cross or touch a line and more is drawn, what is left unexplained has to tell it.
pub(crate) fn hairlines(
    view: &View<'_>,
    (metric, speckle_px): (&ColorMetric, f32),
    (unexplained, beneath): (&[u32], &[u32]),
    owners: &mut [u32],
    watch: &mut Watch<'_>,
) -> Result<(Vec<Hairline>, Vec<u32>), Stopped> {
    let least_px = LEAST_PX.max(speckle_px.ceil() as usize);
    let mut inks = KnownInks { view, unexplained, asked: 0, found: Vec::new() };
    let mut ruler =
        Ruler { owners, on_line: Vec::new(), covered: Vec::new(), inks: Vec::new(), lines: Vec::new() };
    for_each_band(view, unexplained, 1, watch, |band, i| {
        for row in 0..band.rows {
            let first = ruler.first(band, i, row).filter(|&first| band.may_be_long(first, least_px));
            let Some(first) = first else { continue };
            let straight = band.straight(first, |i| ruler.is_open(view, i));
            let is_line =
                |straight: &Straight<'_, '_>| straight.length() >= least_px && !ruler.is_drawn(straight);
            let Some(straight) = straight.filter(is_line) else { continue };
            match straight.whole(&mut inks, beneath).filter(|line| line.is_seen(metric)) {
                Some(line) => ruler.draw(line),
                None => {
                    straight.bevel(metric).into_iter().flatten().flatten().for_each(|line| ruler.draw(line))
                }
            }
        }
    })?;
    if ruler.lines.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    // Others of their inks.
    for_each_band(view, unexplained, 8, watch, |band, i| {
        for row in 0..band.rows {
            let first = ruler.first(band, i, row).filter(|&first| band.may_be_long(first, LEAST_TICK_PX));
            let Some(first) = first else { continue };
            let straight = band.straight(first, |i| ruler.is_open(view, i));
            let is_line = |straight: &Straight<'_, '_>| {
                (straight.length() >= least_px || ruler.is_tick(straight)) && !ruler.is_drawn(straight)
            };
            let Some(straight) = straight.filter(is_line) else { continue };
            match straight.of(&ruler.inks).filter(|line| line.is_seen(metric)) {
                Some(line) => ruler.draw(line),
                None => {
                    let lines = straight.bevel(metric).into_iter().flatten().flatten();
                    let are_known = lines.clone().all(|line| ruler.inks.contains(&line.ink));
                    lines.filter(|_| are_known).for_each(|line| ruler.draw(line));
                }
            }
        }
    })?;
    let covered = std::mem::take(&mut ruler.covered);
    Ok((ruler.hairlines(), covered))
}

/// Calls with the bands that may begin with each of some pixels. `units` are those of [`Watch`] for a pixel.
fn for_each_band<'a, 'v>(
    view: &'a View<'v>,
    pixels: &[u32],
    units: usize,
    watch: &mut Watch<'_>,
    mut each: impl FnMut(Band<'a, 'v>, usize),
) -> Result<(), Stopped> {
    const PIXELS_PER_LOOK: usize = 4096;
    let (right, down) = (1, view.pixels.width);
    for pixels in pixels.chunks(PIXELS_PER_LOOK) {
        watch.advance(units * pixels.len())?;
        for &first in pixels {
            for (rows, along, across) in
                [(1, right, down), (1, down, right), (2, right, down), (2, down, right)]
            {
                each(Band { view, rows, along, across }, first as usize);
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
    /// Whether a short part begins or ends at a line.
    fn is_tick(&self, straight: &Straight<'_, '_>) -> bool {
        let Straight { band, first, last, .. } = *straight;
        let meets = |i: Option<usize>| i.is_some_and(|i| band.rows_at(i).any(|at| self.on_line[at]));
        straight.length() >= LEAST_TICK_PX && (meets(band.before(first)) || meets(band.after(last)))
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
                self.on_line[at] |= line.shares[row] > 0.0;
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

    /// The lines in painting order: the paler below. Where one ends at a stronger one, it runs on under that.
    #[inline(never)]
    fn hairlines(mut self) -> Vec<Hairline> {
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
        order.into_iter().map(hairline).collect()
    }
}

impl<'a, 'v> Straight<'a, 'v> {
    fn line(self, ink: Channels, shares: [f32; 2]) -> Line<'a, 'v> {
        Line { straight: self, ink, shares, start: self.first, end: self.last }
    }

    /// As a line one pixel wide: of one row, of its color; of two with different shares, of an ink that the picture has. A row between two
    /// paints may be their edge over one of those `beneath`.
    #[inline(never)]
    fn whole(self, inks: &mut KnownInks<'_, '_>, beneath: &[u32]) -> Option<Line<'a, 'v>> {
        let (ground, [color, other]) =
            (self.ground_color(), self.band.colors(self.first).map(|color| color.map(f32::from)));
        if self.band.rows == 1 {
            let is_edge = self.parts_paints() && are_of_three(self.band.view, &[self.first as u32], beneath);
            return (!is_edge).then(|| self.line(color, [1.0; 2]));
        }
        if self.parts_paints() {
            return self.between_paints(inks);
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

    /// As a line in each of two rows, as buttons have them: of their own colors, where these are no mixtures of what lies beside them. A row
    /// may show its paint as well, shaded.
    #[inline(never)]
    fn bevel(self, metric: &ColorMetric) -> Option<[Option<Line<'a, 'v>>; 2]> {
        if self.band.rows == 1 || self.band.view.residual_sq > MIXTURE_RESIDUAL_SQ {
            return None;
        }
        let colors = self.band.colors(self.first).map(|color| color.map(f32::from));
        let mut lines = [None, None];
        for (row, shares) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
            let (color, other) = (colors[row], colors[1 - row]);
            let paint = self.band.view.colors[self.grounds[row] as usize];
            if metric.same_layer(color, paint) {
                continue;
            }
            let is_own = color[3] >= OPAQUE
                && !metric.same_layer(color, other)
                && projection(color, paint, other).0 > ROUNDING_SQ;
            lines[row] = Some(self.line(color, shares)).filter(|_| is_own);
            lines[row].as_ref()?;
        }
        Some(lines)
    }

    /// As a line across two rows between two paints: of an ink that the picture has, and that each row is a mixture of with its paint.
    #[inline(never)]
    fn between_paints(self, inks: &mut KnownInks<'_, '_>) -> Option<Line<'a, 'v>> {
        let paints = self.grounds.map(|ground| self.band.view.colors[ground as usize]);
        let colors = self.band.colors(self.first).map(|color| color.map(f32::from));
        let ink = meeting(paints, [minus(colors[0], paints[0]), minus(colors[1], paints[1])])?;
        let known = inks.nearest(ink.map(|v| v.clamp(0.0, 255.0)), MEETING_SQ)?;
        self.of(&[known])
    }

    /// As a line of one of some inks.
    #[inline(never)]
    fn of(self, inks: &[Channels]) -> Option<Line<'a, 'v>> {
        let Straight { band, first, grounds, .. } = self;
        let least = match (band.rows, self.parts_paints()) {
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

/// What a line of an ink covers of the pixels of each row at a place, if they are mixtures of it with the paints on their sides. In a
/// single row: what is not of the one, and what is not of the other.
#[inline(never)]
fn shares(band: Band<'_, '_>, i: usize, grounds: [u32; 2], ink: Channels) -> Option<[f32; 2]> {
    let colors = band.colors(i).map(|color| color.map(f32::from));
    let mut paints = grounds.map(|ground| band.view.colors[ground as usize]);
    let are_alike = band.are_alike(grounds[0], grounds[1]);
    let mut shares = [0.0; 2];
    for (row, share) in shares.iter_mut().enumerate() {
        let other = if are_alike { paints[0] } else { paints[1] };
        let (residual_sq, [own, remains]) = of_paints(colors[row], [paints[0], other], ink);
        let beside = if band.rows == 1 { 0.0 } else { remains };
        if residual_sq > ROUNDING_SQ || own + remains > 1.0 - LEAST_SHARE || beside > MOST_REMAINS {
            return None;
        }
        *share = 1.0 - own - beside;
        paints.reverse();
    }
    Some(shares)
}

#[derive(Clone)]
struct Line<'a, 'v> {
    straight: Straight<'a, 'v>,
    ink: Channels,
    /// What it covers of the pixels of its first and of its last row.
    shares: [f32; 2],
    /// From pixel to pixel of the first row.
    start: usize,
    end: usize,
}

impl Line<'_, '_> {
    /// Whether nothing shows through it, and its ink is of another layer than its ground.
    fn is_seen(&self, metric: &ColorMetric) -> bool {
        let color = |ground: u32| self.straight.band.view.colors[ground as usize];
        let is_apart = |&ground: &u32| !metric.same_layer(color(ground), self.ink);
        self.ink[3] >= OPAQUE && self.straight.grounds.iter().all(is_apart)
    }

    /// The last pixel of the first row on the way from a pixel: over more straight parts, and the joints between and after these.
    fn follow(&self, from: usize, next: impl Fn(usize) -> Option<usize>) -> usize {
        let (mut end, mut joints) = (from, 0);
        while let Some(i) = next(end) {
            joints = if self.runs_on_at(i) { 0 } else { joints + 1 };
            if joints > JOINT_PX || (joints > 0 && !self.is_joint(i)) {
                break;
            }
            end = i;
        }
        end
    }

    #[inline(never)]
    fn runs_on_at(&self, i: usize) -> bool {
        let Straight { band, first, grounds, .. } = self.straight;
        match self.straight.parts_paints() {
            false => band.colors(i) == band.colors(first) && band.is_between(i, grounds),
            true => band.grounds(i).is_some_and(|grounds| self.is_as_wide(i, grounds)),
        }
    }

    /// Whether it lies in the pixels at a place between two other paints as it does between its own.
    fn is_as_wide(&self, i: usize, grounds: [u32; 2]) -> bool {
        let band = self.straight.band;
        let is_near = |[low, high]: [f32; 2]| {
            let [own_low, own_high] = self.shares;
            band.rows == 1 || ((low - own_low).abs() <= SAME_SHARE && (high - own_high).abs() <= SAME_SHARE)
        };
        shares(band, i, grounds, self.ink).is_some_and(is_near)
    }

    /// Whether the line runs on through pixels that are not as its straight part is: mixtures of ground and ink, or more of the ink
    /// where another translucent line crosses.
    #[inline(never)]
    fn is_joint(&self, i: usize) -> bool {
        let View { pixels, labels, colors, .. } = self.straight.band.view;
        let paint = self.straight.ground_color();
        let twice: Channels = std::array::from_fn(|c| 2.0 * self.ink[c] - paint[c]);
        let is_more = |at: usize| projection(pixels.channels(at), self.ink, twice).0 <= ROUNDING_SQ;
        let mut covered = 0.0;
        let rows = self.straight.band.rows_at(i).zip(self.shares);
        for (at, _) in rows.filter(|&(_, share)| share > 0.0) {
            let (residual_sq, paint, share) = self.mixture(at);
            let is_mixed = residual_sq <= tolerance_sq(colors[paint as usize], self.ink) || is_more(at);
            if is_paint(labels.ids[at]) || !is_mixed {
                return false;
            }
            covered += share;
        }
        covered >= JOINT_SHARE
    }

    /// How far the ink is off the ground (Euclidean, 8-bit levels).
    fn strength_sq(&self) -> f32 {
        distance_sq(self.ink, self.straight.ground_color())
    }

    /// Whether a pixel differs more from the ground than the line does.
    fn is_below(&self, i: usize) -> bool {
        let color = self.straight.band.view.pixels.channels(i);
        distance_sq(color, self.straight.ground_color()) > self.strength_sq()
    }

    fn corners(&self) -> [Point; 2] {
        let (Straight { band, .. }, start, end) = (self.straight, self.start, self.end);
        let place = |i: usize| {
            let width = band.view.pixels.width;
            Point::new((i % width) as f32, (i / width) as f32)
        };
        let unit = |step: usize| if step == 1 { Point::new(1.0, 0.0) } else { Point::new(0.0, 1.0) };
        let (along, across) = (unit(band.along), unit(band.across));
        let [low, high] = [1.0 - self.shares[0], self.shares[1]];
        let from = place(start) + across * low + along * (1.0 - self.reach_at(start));
        [from, place(end + band.thickness()) + across * high + along * self.reach_at(end)]
    }

    /// How much of a pixel's length the line takes where it ends: as much as it does in the row that nothing else is drawn in.
    fn reach_at(&self, i: usize) -> f32 {
        let rows = self.straight.band.rows_at(i).zip(self.shares);
        rows.map(|(at, share)| self.share(at) / share).fold(1.0, f32::min)
    }

    fn share(&self, i: usize) -> f32 {
        self.mixture(i).2
    }

    /// What explains a pixel best as the ink over one of the paints that may lie beneath.
    #[inline(never)]
    fn mixture(&self, i: usize) -> (f32, u32, f32) {
        let (paints, count) = self.paints_at(i);
        mixture(self.straight.band.view, i as u32, &paints[..count], self.ink)
    }

    /// The paints that may lie beneath the line in a pixel, and how many: its own, and where it parts paints those at the corners of a
    /// crossing.
    fn paints_at(&self, i: usize) -> ([u32; 6], usize) {
        let Straight { band, grounds: [first, second], .. } = self.straight;
        let mut paints = [first, second, 0, 0, 0, 0];
        if !self.straight.parts_paints() {
            return (paints, 1);
        }
        let (along, across) = (2 * band.along, 2 * band.across);
        let corners = [
            i + along + across,
            (i + along).wrapping_sub(across),
            (i + across).wrapping_sub(along),
            i.wrapping_sub(along + across),
        ];
        let mut count = 2;
        for corner in corners {
            if let Some(&paint) = band.view.labels.ids.get(corner).filter(|&&id| is_paint(id)) {
                paints[count] = paint;
                count += 1;
            }
        }
        (paints, count)
    }

    /// The region below the pixel of a row at a place of the line, unless something else is drawn there.
    fn beneath(&self, i: usize, row: usize, grounds: [u32; 2]) -> Option<u32> {
        let Band { view, across, .. } = self.straight.band;
        let at = i + row * across;
        let beside = view.labels.ids[if row == 0 { at - across } else { at + across }];
        let is_free = self.share(at) <= self.shares[row] + CROSSING_SHARE;
        is_free.then_some(if is_paint(beside) { beside } else { grounds[row] })
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
