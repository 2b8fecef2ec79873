//! The squared error, beside that of the drawing, as a function of how points move, to first order: Gauss and Newton's normal equations, as
//! blocks of the stretches of outlines.

use super::comparison::Comparison;
use crate::color::{Channels, dot, plus};
use crate::geometry::Point;
use crate::render::{Outline, VisibleFragment};

/// Stands for no block, and for a stretch that does not move.
const NONE: u32 = u32::MAX;

/// Of the four points of a stretch, the coordinates: x and y of the first two, then those of the others.
type OfStretch = [[f32; 4]; 2];

/// What one stretch does in a pixel.
struct Lever {
    /// The place of the stretch among those that move.
    place: u32,
    /// The color that the pixel gains if the area within the outline grows by all of it.
    gain: Channels,
    /// By how much that area grows with each coordinate.
    pull: OfStretch,
}

/// The products of the derivatives by the coordinates of two stretches, summed over the pixels that both pass.
struct Block {
    places: [u32; 2],
    products: [OfStretch; 8],
    /// The next block of the first stretch.
    next: u32,
}

impl Block {
    fn new(places: [u32; 2], next: u32) -> Self {
        Block { places, products: [ZERO; 8], next }
    }

    fn add(&mut self, share: f32, first: &OfStretch, second: &OfStretch) {
        for (row, first) in self.products.iter_mut().zip(first.as_flattened()) {
            // Of a line, the coordinates between its ends are 0.
            if *first != 0.0 {
                add(row, share * first, second);
            }
        }
    }
}

const ZERO: OfStretch = [[0.0; 4]; 2];

fn add(to: &mut OfStretch, share: f32, values: &OfStretch) {
    *to = [plus(to[0], share, values[0]), plus(to[1], share, values[1])];
}

fn product(a: &OfStretch, b: &OfStretch) -> f32 {
    dot(a[0], b[0]) + dot(a[1], b[1])
}

pub(crate) struct NormalEquations<'a> {
    outline: &'a Outline,
    /// The stretches that move.
    stretches: Vec<u32>,
    /// First that of each stretch with itself, then those of two stretches.
    blocks: Vec<Block>,
    /// How much the coordinates of each stretch are pulled toward the image.
    pulls: Vec<OfStretch>,
    levers: Vec<Lever>,
    /// The pixels, and where the levers of each end.
    rows: Vec<(u32, u32)>,
}

impl<'a> NormalEquations<'a> {
    /// Of the stretches for which `moves` is true.
    pub fn new(comparison: &'a Comparison<'_>, moves: &[bool]) -> Self {
        let canvas = &comparison.canvas;
        let stretches: Vec<u32> = (0..moves.len() as u32).filter(|&k| moves[k as usize]).collect();
        let mut place_of = vec![NONE; moves.len()];
        for (&stretch, place) in stretches.iter().zip(0..) {
            place_of[stretch as usize] = place;
        }
        let mut equations = NormalEquations {
            outline: &canvas.outline,
            blocks: (0..stretches.len() as u32).map(|place| Block::new([place; 2], NONE)).collect(),
            pulls: vec![ZERO; stretches.len()],
            stretches,
            levers: Vec::with_capacity(comparison.visible.len()),
            rows: Vec::with_capacity(comparison.edge_pixels.len()),
        };
        let place = |edge: u32| place_of[canvas.outline.stretch_of[edge as usize] as usize];
        for (at, visible) in comparison.at_edges() {
            let (first, pixel) = (equations.levers.len(), at.pixel as usize);
            let pixel = (pixel % canvas.size.0, pixel / canvas.size.0);
            for &VisibleFragment { number, gain } in visible.iter().filter(|visible| visible.gain != [0.0; 4])
            {
                let before = equations.levers.len();
                for &edge in canvas.edges_of(number).iter().filter(|&&edge| place(edge) != NONE) {
                    let pull = canvas.outline.passed_on(edge, canvas.pulls(edge, pixel));
                    let place = place(edge);
                    match equations.levers[before..].last_mut().filter(|lever| lever.place == place) {
                        Some(lever) => add(&mut lever.pull, 1.0, &pull),
                        None => equations.levers.push(Lever { place, gain, pull }),
                    }
                }
            }
            if equations.levers.len() > first {
                equations.add_pixel(first, at.lacking);
                equations.rows.push((at.pixel, equations.levers.len() as u32));
            }
        }
        equations
    }

    /// Adds a pixel that lacks a color, of which the levers from number `first` on are.
    fn add_pixel(&mut self, first: usize, lacking: Channels) {
        for k in first..self.levers.len() {
            let place = self.levers[k].place;
            let pull = dot(self.levers[k].gain, lacking);
            add(&mut self.pulls[place as usize], pull, &self.levers[k].pull);
            for other in first..=k {
                let places = [place, self.levers[other].place];
                let share = dot(self.levers[k].gain, self.levers[other].gain);
                let block = self.block(places);
                let [of_first, of_second] = if block.1 { [other, k] } else { [k, other] };
                let NormalEquations { blocks, levers, .. } = self;
                blocks[block.0].add(share, &levers[of_first].pull, &levers[of_second].pull);
            }
        }
    }

    /// The number of the block of two stretches, and whether the second one is its first.
    fn block(&mut self, [a, b]: [u32; 2]) -> (usize, bool) {
        let places = [a.min(b), a.max(b)];
        let mut number = places[0];
        while self.blocks[number as usize].places != places {
            let next = self.blocks[number as usize].next;
            if next == NONE {
                number = self.blocks.len() as u32;
                let next = std::mem::replace(&mut self.blocks[places[0] as usize].next, number);
                self.blocks.push(Block::new(places, next));
                break;
            }
            number = next;
        }
        (number as usize, b < a)
    }

    pub fn stretch_count(&self) -> usize {
        self.stretches.len()
    }

    /// Adds how much each point is pulled toward the image.
    pub fn add_pulls(&self, points: &mut [Point]) {
        for (place, pulls) in (0..).zip(&self.pulls) {
            self.add(place, pulls, points);
        }
    }

    /// Adds the diagonal of the matrix.
    pub fn add_diagonal(&self, points: &mut [Point]) {
        for (place, block) in (0..).zip(&self.blocks[..self.stretches.len()]) {
            let mut diagonal = ZERO;
            (0..8).for_each(|k| diagonal[k / 4][k % 4] = block.products[k][k / 4][k % 4]);
            self.add(place, &diagonal, points);
        }
    }

    /// Adds the product of the matrix and a vector of moves.
    pub fn add_product(&self, moves: &[Point], points: &mut [Point]) {
        for Block { places: [a, b], products, .. } in &self.blocks {
            let of_second = self.of(*b, moves);
            let mut of_first = ZERO;
            (0..8).for_each(|k| of_first[k / 4][k % 4] = product(&products[k], &of_second));
            self.add(*a, &of_first, points);
            if a != b {
                let mut of_second = ZERO;
                for (row, by) in products.iter().zip(self.of(*a, moves).as_flattened()) {
                    add(&mut of_second, *by, row);
                }
                self.add(*b, &of_second, points);
            }
        }
    }

    /// How the colors of pixels change if the points move so.
    pub fn changes(&self, moves: &[Point]) -> Vec<(u32, Channels)> {
        let mut first = 0;
        let of_row = |&(pixel, end): &(u32, u32)| {
            let mut change = [0.0; 4];
            for Lever { place, gain, pull } in &self.levers[first..end as usize] {
                change = plus(change, product(pull, &self.of(*place, moves)), *gain);
            }
            first = end as usize;
            (pixel, change)
        };
        self.rows.iter().map(of_row).collect()
    }

    fn of(&self, place: u32, points: &[Point]) -> OfStretch {
        let slots = self.outline.stretches[self.stretches[place as usize] as usize].slots;
        let [a, b, c, d] = slots.map(|slot| points[slot as usize]);
        [[a.x, a.y, b.x, b.y], [c.x, c.y, d.x, d.y]]
    }

    fn add(&self, place: u32, values: &OfStretch, points: &mut [Point]) {
        let slots = self.outline.stretches[self.stretches[place as usize] as usize].slots;
        for (slot, value) in slots.into_iter().zip(values.as_flattened().as_chunks().0) {
            let &[x, y] = value;
            let point = &mut points[slot as usize];
            *point = *point + Point::new(x, y);
        }
    }
}
