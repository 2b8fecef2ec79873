//! What a run of pixels is: one line across its rows, or a line in each of them.

use super::line::{LINE_LEAST_SHARE, OPAQUE, ROUNDING_SQ, StraightLine, row_shares};
use super::pixel_rows::{MOST_ROWS, RowBand, UniformRun};
use crate::classify::{Surface, Tuning};
use crate::color::{Channels, closest_approach, distance_sq, minus, projection};
use crate::resolve::paints::{PaintMap, are_of_three};

/// The contrast between ink and ground of a line across two rows, at least.
///
/// Unit: color levels², Euclidean (60 levels). Source: tuned; no derivation is known.
const LINE_LEAST_CONTRAST_SQ: f32 = 60.0 * 60.0;

/// How far the ink that two rows between paints point to may be from a color of the image. It is less certain than elsewhere: in a row
/// with little ink, the remains of the paint on the other side weigh as much as the ink.
///
/// Unit: color levels², Euclidean (32 levels). Source: tuned; no derivation is known.
const MEETING_SQ: f32 = 32.0 * 32.0;

/// How much of its row a line between two paints covers, at least; what covers less may be their edge.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const LEAST_BETWEEN_PAINTS: f32 = 0.75;

/// How many inks are looked for in the image, for a look takes a pass over all open pixels.
///
/// Unit: count. Source: tuned; no derivation is known.
pub(crate) const MOST_LINE_INKS: usize = 16;

impl<'a, 'v> UniformRun<'a, 'v> {
    fn line(self, ink: Channels, shares: [f32; 2]) -> StraightLine<'a, 'v> {
        StraightLine { run: self, bundle: self, ink, shares, start: self.first, end: self.last }
    }

    /// The run as one line: a single row has the line's color; two rows have different shares of an ink that the image has; of three, the
    /// middle one shows the ink. A single row between two paints is no line if it may be their edge over a third paint.
    #[inline(never)]
    pub fn as_one_line(self, inks: &mut KnownInks<'_, '_>) -> Option<StraightLine<'a, 'v>> {
        let (ground, [color, middle, other]) =
            (self.ground_color(), self.band.colors(self.first).map(|color| color.map(f32::from)));
        match self.band.rows {
            1 => {
                let is_edge = self.parts_paints() && are_of_three(self.band.paint_map, &[self.first as u32]);
                return (!is_edge).then(|| self.line(color, [1.0; 2]));
            }
            MOST_ROWS => return self.as_line_of(&[middle]),
            _ if self.parts_paints() => return self.between_paints(inks),
            _ => {}
        }
        let ink: Channels = std::array::from_fn(|c| color[c] + other[c] - ground[c]);
        let nearest: Channels = ink.map(|v| v.clamp(0.0, 255.0));
        let contrast_sq = distance_sq(ground, nearest);
        let is_color = distance_sq(ink, nearest) <= ROUNDING_SQ && contrast_sq >= LINE_LEAST_CONTRAST_SQ;
        let line = self.as_line_of(&[nearest]).filter(|_| is_color)?;
        let known = inks.nearest(nearest, ROUNDING_SQ)?;
        Some(StraightLine { ink: known, ..line })
    }

    /// The run as lines in separate rows, each of its row's color, as buttons and frames have them.
    ///
    /// The first or the last row is skipped if it has nearly the color of the ground beside it, or if it is one of three rows
    /// and the antialiased edge of the middle one. If any other row is translucent, has nearly the color of a neighbor, or is a mixture of
    /// its neighbors, the run holds no lines. Nor does it in a noisy image, where noise could make lines of any rows.
    #[inline(never)]
    pub fn as_lines_in_rows(self, tuning: &Tuning) -> Vec<StraightLine<'a, 'v>> {
        let UniformRun { band: band @ RowBand { paint_map, rows, across, .. }, first, last, grounds } = self;
        let mut lines = Vec::new();
        if rows == 1 || tuning.surface == Surface::Noisy {
            return lines;
        }
        let [before, after] = grounds.map(|ground| paint_map.colors[ground as usize]);
        // The color of a row, from 1; before and after the rows, that of the paint.
        let color = |row: usize| match row {
            0 => before,
            _ if row > rows => after,
            _ => paint_map.pixels.channels(first + (row - 1) * across),
        };
        for row in 0..rows {
            let [above, own, below] = [row, row + 1, row + 2].map(color);
            let [is_above, is_below] = [above, below].map(|other| tuning.metric.same_layer(own, other));
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
            let run = UniformRun {
                band: RowBand { rows: 1, ..band },
                first: first + offset,
                last: last + offset,
                grounds: [ground; 2],
            };
            lines.push(StraightLine { bundle: self, ..run.line(own, [1.0; 2]) });
        }
        lines
    }

    /// The run as a line across two rows between two paints: each row is a mixture of its paint and of an ink that the image has.
    #[inline(never)]
    fn between_paints(self, inks: &mut KnownInks<'_, '_>) -> Option<StraightLine<'a, 'v>> {
        let paints = self.grounds.map(|ground| self.band.paint_map.colors[ground as usize]);
        let colors = self.band.colors(self.first).map(|color| color.map(f32::from));
        let ink = closest_approach(paints, [minus(colors[0], paints[0]), minus(colors[2], paints[1])])?;
        let known = inks.nearest(ink.map(|v| v.clamp(0.0, 255.0)), MEETING_SQ)?;
        self.as_line_of(&[known])
    }

    /// The run as a line of one of some inks.
    #[inline(never)]
    pub fn as_line_of(self, inks: &[Channels]) -> Option<StraightLine<'a, 'v>> {
        let UniformRun { band, first, grounds, .. } = self;
        let least = match (band.rows, self.parts_paints()) {
            (MOST_ROWS, _) => 0.0,
            (1, true) => 1.0 + LEAST_BETWEEN_PAINTS,
            (1, false) => 2.0 * (1.0 - LINE_LEAST_SHARE),
            _ => 1.0 - LINE_LEAST_SHARE,
        };
        inks.iter().find_map(|&ink| {
            let shares @ [low, high] = row_shares(band, first, grounds, ink)?;
            let is_wide = low + high > least;
            is_wide.then(|| self.line(ink, shares))
        })
    }
}

/// The colors of the image that a line across two rows, of which no pixel shows its full color, may have.
pub(crate) struct KnownInks<'a, 'v> {
    paint_map: &'a PaintMap<'v>,
    unexplained: &'a [u32],
    /// How many colors were looked for.
    asked: usize,
    found: Vec<Channels>,
}

impl<'a, 'v> KnownInks<'a, 'v> {
    pub fn new(paint_map: &'a PaintMap<'v>, unexplained: &'a [u32]) -> Self {
        KnownInks { paint_map, unexplained, asked: 0, found: Vec::new() }
    }

    /// The color of the image that is nearest to `ink`, within `off_sq`: one that was found before, or else a paint's, or else an open
    /// pixel's.
    #[inline(never)]
    fn nearest(&mut self, ink: Channels, off_sq: f32) -> Option<Channels> {
        let is_near = |&color: &Channels| distance_sq(color, ink) <= off_sq;
        if let Some(known) = self.found.iter().copied().find(is_near) {
            return Some(known);
        }
        if self.asked >= MOST_LINE_INKS {
            return None;
        }
        self.asked += 1;
        let PaintMap { colors, pixels, .. } = self.paint_map;
        let nearer = |best: Option<Channels>, color: Channels| {
            let is_nearer = |best| distance_sq(color, ink) < distance_sq(best, ink);
            if best.map_or(is_near(&color), is_nearer) { Some(color) } else { best }
        };
        let best = self.paint_map.paints().fold(None, |best, id| nearer(best, colors[id as usize]));
        let best = match best {
            None => self.unexplained.iter().fold(None, |best, &i| nearer(best, pixels.channels(i as usize))),
            paint => paint,
        };
        self.found.extend(best);
        best
    }
}
