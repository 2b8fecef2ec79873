use super::line::{LINE_LEAST_SHARE, OPAQUE, ROUNDING_SQ, StraightLine, row_shares};
use super::pixel_rows::{MOST_ROWS, RowBand, UniformRun};
use crate::color::{
    Channels, ColorMetric, MIXTURE_RESIDUAL_SQ, closest_approach, distance_sq, minus, projection,
};
use crate::resolve::paints::{PaintMap, are_of_three};

/// The ink of one across two rows differs from the ground by at least this (Euclidean, 8-bit levels).
const LINE_LEAST_CONTRAST_SQ: f32 = 60.0 * 60.0;

/// Where two rows between paints say that an ink lies, it is off a color of the picture by this at most (Euclidean, 8-bit levels): in a
/// row that has little of it, what the paint on the other side leaves of itself tells as much.
const MEETING_SQ: f32 = 32.0 * 32.0;

/// A line between two paints in a single row covers more than this of it.
const LEAST_BETWEEN_PAINTS: f32 = 0.75;

/// Half the way from ground to ink was rounded by at most this (Euclidean, 8-bit levels).
const HALFWAY_ROUNDING: f32 = 1.5;

/// So many colors are looked for in the picture.
pub(crate) const MOST_LINE_INKS: usize = 16;

impl<'a, 'v> UniformRun<'a, 'v> {
    fn line(self, ink: Channels, shares: [f32; 2]) -> StraightLine<'a, 'v> {
        StraightLine { run: self, sheaf: self, ink, shares, start: self.first, end: self.last }
    }

    /// As a line: of one row, of its color; one pixel wide of two with different shares, of an ink that the picture has; of three, of the color
    /// in the middle. A row between two paints may be their edge over one of those `beneath`.
    #[inline(never)]
    pub fn whole(self, inks: &mut KnownInks<'_, '_>, beneath: &[u32]) -> Option<StraightLine<'a, 'v>> {
        let (ground, [color, middle, other]) =
            (self.ground_color(), self.band.colors(self.first).map(|color| color.map(f32::from)));
        match self.band.rows {
            1 => {
                let is_edge =
                    self.parts_paints() && are_of_three(self.band.paint_map, &[self.first as u32], beneath);
                return (!is_edge).then(|| self.line(color, [1.0; 2]));
            }
            MOST_ROWS => return self.of(&[middle]),
            _ if self.parts_paints() => return self.between_paints(inks),
            _ => {}
        }
        let ink: Channels = std::array::from_fn(|c| color[c] + other[c] - ground[c]);
        let nearest: Channels = ink.map(|v| v.clamp(0.0, 255.0));
        let contrast_sq = distance_sq(ground, nearest);
        let is_color = distance_sq(ink, nearest) <= ROUNDING_SQ && contrast_sq >= LINE_LEAST_CONTRAST_SQ;
        let line = self.of(&[nearest]).filter(|_| is_color)?;
        // Two equal rows are one of their own color, unless the line lies in the middle between them.
        let off_middle = (line.shares[0] - 0.5) * contrast_sq.sqrt();
        let is_one = color != other || off_middle.abs() <= HALFWAY_ROUNDING;
        let known = inks.nearest(nearest, ROUNDING_SQ).filter(|_| is_one)?;
        Some(StraightLine { ink: known, ..line })
    }

    /// As a line in each row, as buttons and frames have them: of their own colors, where these are no mixtures of what lies beside them. The
    /// first and the last row may show their paints as well, shaded, and of three the edges of the next.
    #[inline(never)]
    pub fn bevel(self, metric: &ColorMetric) -> Vec<StraightLine<'a, 'v>> {
        let UniformRun { band: band @ RowBand { paint_map, rows, across, .. }, first, last, grounds } = self;
        let mut lines = Vec::new();
        if rows == 1 || paint_map.residual_sq > MIXTURE_RESIDUAL_SQ {
            return lines;
        }
        let [before, after] = grounds.map(|ground| paint_map.colors[ground as usize]);
        // From the paint before the rows to the one after them.
        let color = |place: usize| match place {
            0 => before,
            _ if place > rows => after,
            _ => paint_map.pixels.channels(first + (place - 1) * across),
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
            let run = UniformRun {
                band: RowBand { rows: 1, ..band },
                first: first + offset,
                last: last + offset,
                grounds: [ground; 2],
            };
            lines.push(StraightLine { sheaf: self, ..run.line(own, [1.0; 2]) });
        }
        lines
    }

    /// As a line across two rows between two paints: of an ink that the picture has, and that each row is a mixture of with its paint.
    #[inline(never)]
    fn between_paints(self, inks: &mut KnownInks<'_, '_>) -> Option<StraightLine<'a, 'v>> {
        let paints = self.grounds.map(|ground| self.band.paint_map.colors[ground as usize]);
        let colors = self.band.colors(self.first).map(|color| color.map(f32::from));
        let ink = closest_approach(paints, [minus(colors[0], paints[0]), minus(colors[2], paints[1])])?;
        let known = inks.nearest(ink.map(|v| v.clamp(0.0, 255.0)), MEETING_SQ)?;
        self.of(&[known])
    }

    /// As a line of one of some inks.
    #[inline(never)]
    pub fn of(self, inks: &[Channels]) -> Option<StraightLine<'a, 'v>> {
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

/// The colors of the picture that a line may have.
pub(crate) struct KnownInks<'a, 'v> {
    paint_map: &'a PaintMap<'v>,
    unexplained: &'a [u32],
    /// How many were looked for.
    asked: usize,
    found: Vec<Channels>,
}

impl<'a, 'v> KnownInks<'a, 'v> {
    pub fn new(paint_map: &'a PaintMap<'v>, unexplained: &'a [u32]) -> Self {
        KnownInks { paint_map, unexplained, asked: 0, found: Vec::new() }
    }

    /// The color that is meant by one that is off it by no more than this: one that was found before, or else the nearest of a paint, or
    /// of a pixel that is drawn over the paints.
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
