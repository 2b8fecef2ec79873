//! The squared error, beside that of the drawing, as a function of how points move and fills change, to first order: Gauss and Newton's normal
//! equations. Of their matrix, a block is formed for each stretch; where several stretches move in one pixel, or a fill may change, its product
//! with a vector is summed over such pixels.

use std::ops::Range;

use wide::f32x4;

use super::comparison::{Comparison, EdgePixel};
use super::fills::Fills;
use crate::color::{Channels, dot, plus};
use crate::geometry::Point;
use crate::render::{Canvas, OfStretch, Outline, VisibleFragment};

/// The farthest that a coordinate moves in a step.
///
/// Unit: pixels. Source: the derivative of a pixel's coverage holds while the edge stays in the pixel.
pub(super) const LONGEST_STEP_PX: f32 = 0.7;

/// Stands for a stretch that does not move.
const NONE: u32 = u32::MAX;

/// What one stretch does in a pixel.
struct Lever {
    /// The place of the stretch among those that move.
    place: u32,
    /// The color that the pixel gains if the area within the outline grows by all of it.
    gain: Channels,
    /// The squared gain.
    square: f32,
    /// By how much that area grows with each coordinate.
    pull: OfStretch,
}

/// How much of a pixel shows a fill that is not known.
struct Tint {
    fill: u32,
    share: f32,
}

const ZERO: OfStretch = [[0.0; 4]; 2];

fn add(to: &mut OfStretch, share: f32, values: &OfStretch) {
    *to = [plus(to[0], share, values[0]), plus(to[1], share, values[1])];
}

fn product(a: &OfStretch, b: &OfStretch) -> f32 {
    let [x, y] = [0, 1].map(|k| f32x4::new(a[k]) * f32x4::new(b[k]));
    let [first, second, third, fourth] = (x + y).to_array();
    (first + second) + (third + fourth)
}

/// The color without alpha, which no fill changes.
fn opaque([r, g, b, _]: Channels) -> Channels {
    [r, g, b, 0.0]
}

pub(crate) struct NormalEquations<'a> {
    outline: &'a Outline,
    /// The places of the points of each stretch that moves.
    slots: Vec<[u32; 4]>,
    /// How much the coordinates of each stretch are pulled toward the image.
    pulls: Vec<OfStretch>,
    /// The part of the matrix that belongs to the pixels in which only one stretch moves: most pixels. For each coordinate of the stretch, how
    /// it is pulled with the others.
    blocks: Vec<[OfStretch; 8]>,
    /// The diagonal of the rest of the matrix.
    squares: Vec<OfStretch>,
    levers: Vec<Lever>,
    tints: Vec<Tint>,
    rows: Vec<Row>,
    /// The rows of pixels in which several stretches move, or fills may change.
    shared: Vec<Row>,
    /// How much each fill is pulled toward the image.
    fill_pulls: Vec<Channels>,
    /// The diagonal of the matrix for the fills, and the part of it that belongs to pixels that show nothing else.
    fill_squares: Vec<f32>,
    whole: Vec<f32>,
}

/// What changes a pixel.
#[derive(Clone)]
struct Row {
    pixel: u32,
    levers: Range<u32>,
    tints: Range<u32>,
}

impl<'a> NormalEquations<'a> {
    /// Of the stretches for which `moving` is true, and of these fills.
    pub fn new(comparison: &'a Comparison<'_>, moving: &[bool], fills: &Fills) -> Self {
        let outline = &comparison.canvas.outline;
        let mut slots = Vec::with_capacity(moving.len());
        let mut place_of = vec![NONE; moving.len()];
        let stretches = outline.stretches.iter().zip(moving);
        for ((stretch, _), place) in stretches.zip(&mut place_of).filter(|((_, moving), _)| **moving) {
            *place = slots.len() as u32;
            slots.push(stretch.slots);
        }
        let mut equations = NormalEquations {
            outline,
            pulls: vec![ZERO; slots.len()],
            blocks: vec![[ZERO; 8]; slots.len()],
            squares: vec![ZERO; slots.len()],
            slots,
            levers: Vec::with_capacity(comparison.visible.len()),
            rows: Vec::with_capacity(comparison.edge_pixels.len()),
            shared: Vec::new(),
            tints: Vec::new(),
            fill_pulls: vec![[0.0; 4]; fills.count],
            fill_squares: vec![0.0; fills.count],
            whole: vec![0.0; fills.count],
        };
        let mut shares = Vec::new();
        for (at, visible) in comparison.at_edges() {
            if fills.count > 0 {
                shares.clear();
                comparison.canvas.find_shares(at.pixel as usize, &mut shares);
                equations.add_tints(fills, &shares, at.lacking);
            }
            equations.add_pixel(&comparison.canvas, &place_of, at, visible);
        }
        for &(pixel, fill) in &fills.whole {
            let fill = fill as usize;
            let pull = &mut equations.fill_pulls[fill];
            *pull = plus(*pull, 1.0, opaque(comparison.lacking(pixel as usize)));
            equations.whole[fill] += 1.0;
            equations.fill_squares[fill] += 1.0;
        }
        equations
    }

    fn add_tints(&mut self, fills: &Fills, shares: &[(u32, f32)], lacking: Channels) {
        for &(path, share) in shares {
            let Some(fill) = fills.of_path(path) else { continue };
            let (pull, square) = (&mut self.fill_pulls[fill as usize], &mut self.fill_squares[fill as usize]);
            *pull = plus(*pull, share, opaque(lacking));
            *square += share * share;
            self.tints.push(Tint { fill, share });
        }
    }

    fn add_pixel(&mut self, canvas: &Canvas, place_of: &[u32], at: &EdgePixel, visible: &[VisibleFragment]) {
        let (outline, first) = (self.outline, self.levers.len());
        for &VisibleFragment { number, gain } in visible.iter().filter(|visible| visible.gain != [0.0; 4]) {
            let mut last = NONE;
            for piece in canvas.pieces_of(number) {
                let stretch = outline.stretch_of[piece.edge as usize] as usize;
                let place = place_of[stretch];
                if place == NONE {
                    continue;
                }
                let pull = outline.pulls(&outline.stretches[stretch], piece.edge, piece.shares);
                match self.levers.last_mut() {
                    Some(lever) if place == last => add(&mut lever.pull, 1.0, &pull),
                    _ => self.levers.push(Lever { place, gain, square: dot(gain, gain), pull }),
                }
                last = place;
            }
        }
        let levers = &self.levers[first..];
        for Lever { place, gain, pull, .. } in levers {
            add(&mut self.pulls[*place as usize], dot(*gain, at.lacking), pull);
        }
        let first_tint = self.rows.last().map_or(0, |row| row.tints.end);
        let row = Row {
            pixel: at.pixel,
            levers: first as u32..self.levers.len() as u32,
            tints: first_tint..self.tints.len() as u32,
        };
        match levers {
            [] if row.tints.is_empty() => return,
            [Lever { place, square, pull, .. }] if row.tints.is_empty() => {
                let (of_x, of_y) = self.blocks[*place as usize].split_at_mut(4);
                for k in 0..4 {
                    add(&mut of_x[k], square * pull[0][k], pull);
                    add(&mut of_y[k], square * pull[1][k], pull);
                }
            }
            _ => {
                for Lever { place, square, pull, .. } in levers {
                    let squares = &mut self.squares[*place as usize];
                    *squares = [0, 1].map(|k| {
                        let products = f32x4::new(pull[k]) * f32x4::new(pull[k]);
                        plus(squares[k], *square, products.to_array())
                    });
                }
                self.shared.push(row.clone());
            }
        }
        self.rows.push(row);
    }

    /// How a pixel changes if stretches move and fills change so.
    #[inline]
    fn change(&self, row: &Row, moves: &[OfStretch], fills: &[Channels]) -> Channels {
        let change = self
            .tints_of(row)
            .iter()
            .fold([0.0; 4], |change, tint| plus(change, tint.share, fills[tint.fill as usize]));
        self.levers_of(row).iter().fold(change, |change, Lever { place, gain, pull, .. }| {
            plus(change, product(pull, &moves[*place as usize]), *gain)
        })
    }

    fn levers_of(&self, row: &Row) -> &[Lever] {
        &self.levers[row.levers.start as usize..row.levers.end as usize]
    }

    fn tints_of(&self, row: &Row) -> &[Tint] {
        &self.tints[row.tints.start as usize..row.tints.end as usize]
    }

    /// How much the fills are pulled toward the image, four numbers for each.
    pub fn fill_pulls(&self) -> &[f32] {
        self.fill_pulls.as_flattened()
    }

    /// The diagonal of the matrix for each fill.
    pub fn fill_squares(&self) -> &[f32] {
        &self.fill_squares
    }

    pub fn stretch_count(&self) -> usize {
        self.slots.len()
    }

    /// Adds how much each point is pulled toward the image.
    pub fn add_pulls(&self, points: &mut [Point]) {
        self.add(&self.pulls, points);
    }

    /// Adds the diagonal of the matrix.
    pub fn add_diagonal(&self, points: &mut [Point]) {
        let mut squares = self.squares.clone();
        for ([x, y], block) in squares.iter_mut().zip(&self.blocks) {
            for k in 0..4 {
                x[k] += block[k][0][k];
                y[k] += block[4 + k][1][k];
            }
        }
        self.add(&squares, points);
    }

    /// Adds the product of the matrix and a vector of moves, and of changes of fills.
    pub fn add_product(
        &self,
        moves: &[Point],
        fills: &[f32],
        points: &mut [Point],
        pulled_fills: &mut [f32],
    ) {
        let moves = self.of_stretches(moves);
        let fills = fills.as_chunks().0;
        let pulled_fills = pulled_fills.as_chunks_mut().0;
        let mut pulls = vec![ZERO; self.slots.len()];
        for ((pulls, block), [x, y]) in pulls.iter_mut().zip(&self.blocks).zip(&moves) {
            for (&by, pulled) in x.iter().chain(y).zip(block) {
                add(pulls, by, pulled);
            }
        }
        for row in &self.shared {
            let change = self.change(row, &moves, fills);
            for Lever { place, gain, pull, .. } in self.levers_of(row) {
                add(&mut pulls[*place as usize], dot(*gain, change), pull);
            }
            for Tint { fill, share } in self.tints_of(row) {
                let pulled = &mut pulled_fills[*fill as usize];
                *pulled = plus(*pulled, *share, opaque(change));
            }
        }
        for ((pulled, fill), whole) in pulled_fills.iter_mut().zip(fills).zip(&self.whole) {
            *pulled = plus(*pulled, *whole, *fill);
        }
        self.add(&pulls, points);
    }

    /// How the colors of pixels change if the points move and fills change so.
    pub fn changes(&self, moves: &[Point], fills: &[f32]) -> Vec<(u32, Channels)> {
        let moves = self.of_stretches(moves);
        self.rows.iter().map(|row| (row.pixel, self.change(row, &moves, fills.as_chunks().0))).collect()
    }

    /// The place of the first point of each stretch, and by how much the squared error grows if the points of that stretch alone move so, from
    /// where it is least.
    pub fn errors(&self, moves: &[Point]) -> Vec<(u32, f32)> {
        let moves = self.of_stretches(moves);
        let mut errors = Vec::with_capacity(self.slots.len());
        for ((slots, block), moves) in self.slots.iter().zip(&self.blocks).zip(&moves) {
            let each = moves.as_flattened().iter().zip(block).map(|(by, pulled)| by * product(pulled, moves));
            errors.push((slots[0], each.sum()));
        }
        for Lever { place, square, pull, .. } in self.shared.iter().flat_map(|row| self.levers_of(row)) {
            let by = product(pull, &moves[*place as usize]);
            errors[*place as usize].1 += square * by * by;
        }
        errors
    }

    /// The moves of the points of each stretch.
    fn of_stretches(&self, points: &[Point]) -> Vec<OfStretch> {
        let of = |slots: &[u32; 4]| {
            let [a, b, c, d] = slots.map(|slot| points[slot as usize]);
            [[a.x, b.x, c.x, d.x], [a.y, b.y, c.y, d.y]]
        };
        self.slots.iter().map(of).collect()
    }

    fn add(&self, values: &[OfStretch], points: &mut [Point]) {
        for (slots, [x, y]) in self.slots.iter().zip(values) {
            for k in 0..4 {
                let point = &mut points[slots[k] as usize];
                *point = *point + Point::new(x[k], y[k]);
            }
        }
    }
}
