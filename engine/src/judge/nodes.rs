//! Moves the points of a drawing to where it resembles the image most: Gauss and Newton's method, each step of which is solved by conjugate
//! gradients (M. R. Hestenes and E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", 1952), scaled by the diagonal.

use std::ops::Range;

use super::comparison::Comparison;
use super::coordinates::Coordinates;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, dot, plus};
use crate::geometry::{Drawing, Point};
use crate::render::{Canvas, Piece, Vertex, complex_product};

/// Steps of conjugate gradients.
///
/// Unit: count. Source: with 4, drawings come .1 dB less near to the truth at their edges; with 16, .04 dB nearer.
const INNER_STEPS: usize = 6;

/// The farthest that a coordinate moves in a step.
///
/// Unit: pixels. Source: the derivative of a pixel's coverage holds while the edge stays in the pixel.
const LONGEST_STEP_PX: f32 = 0.7;

/// Conjugate gradients end when the squared gradient, scaled, has fallen to this share.
///
/// Unit: share (ratio). Source: steps after that change nothing that remains after rounding coordinates.
const SOLVED: f32 = 0.02;

/// A coordinate moves if that alone would save this much.
///
/// Unit: share of what moving it by a pixel costs (ratio). Source: twice the variance of the noise is saved by chance.
const LEAST_SAVED: f32 = 0.1;

/// The work of moving a vertex in a step of conjugate gradients, in the units of [`ProgressMeter`].
const VERTEX_UNITS: usize = 16;

/// The squared error, beside that of the drawing, as a function of how its coordinates move.
struct LeastSquares<'a> {
    comparison: &'a Comparison<'a>,
    coordinates: &'a Coordinates,
    /// What moving a coordinate by a pixel costs, and what it costs to move two points that follow each other one pixel apart.
    stiffness: f32,
    /// For each vertex, how it is pulled.
    pulls: Vec<Point>,
    /// The vertices that move, and the pixels in which they change something.
    vertices: Vec<u32>,
    pixels: Vec<u32>,
}

impl<'a> LeastSquares<'a> {
    fn new(comparison: &'a Comparison<'a>, coordinates: &'a Coordinates, stiffness: f32) -> Self {
        let vertices = comparison.canvas.outline.vertices.len();
        LeastSquares {
            comparison,
            coordinates,
            stiffness,
            pulls: vec![Point::default(); vertices],
            vertices: (0..vertices as u32).collect(),
            pixels: Vec::new(),
        }
    }

    /// How much the coordinates are pulled toward the image, and the diagonal of the matrix of [`product`](Self::product).
    fn gradient(&mut self) -> [Vec<f32>; 2] {
        let canvas = &self.comparison.canvas;
        let mut pulls = self.pulls.clone();
        let mut squares = pulls.clone();
        for drawn in &canvas.pixels {
            let lacking = self.comparison.lacking(drawn.pixel as usize);
            for fragment in &canvas.fragments[drawn.fragments.clone()] {
                let (pull, square) = (dot(fragment.gain, lacking), dot(fragment.gain, fragment.gain));
                for piece in &canvas.pieces[fragment.pieces.clone()] {
                    for (vertex, along) in piece.ends.into_iter().zip(piece.pulls) {
                        let vertex = vertex as usize;
                        pulls[vertex] = pulls[vertex] + along * pull;
                        // Both ends of an edge move a point between its ends alike, so squares of sums count twice.
                        let doubled = Point::new(along.x * along.x, along.y * along.y) * (2.0 * square);
                        squares[vertex] = squares[vertex] + doubled;
                    }
                }
            }
        }
        [(pulls, false), (squares, true)].map(|(values, squared)| {
            let mut out = vec![0.0; self.coordinates.count + 1];
            self.gather(&values, squared, &mut out);
            out
        })
    }

    /// Adds to the coordinates what is given for each vertex, by the weights of its points or by their squares.
    fn gather(&self, values: &[Point], squared: bool, out: &mut [f32]) {
        for &vertex in &self.vertices {
            let (value, vertex) =
                (values[vertex as usize], &self.comparison.canvas.outline.vertices[vertex as usize]);
            for (&slot, &weight) in vertex.slots.iter().zip(&vertex.weights) {
                let value = if squared {
                    value * weight.dot(weight)
                } else {
                    complex_product(value, Point::new(weight.x, -weight.y))
                };
                let [x, y] = self.coordinates.of_point[slot as usize];
                out[x as usize] += value.x;
                out[y as usize] += value.y;
            }
        }
    }

    /// The product of the Gauss-Newton matrix and a vector of moves. `by` is a buffer of zeros for how each vertex moves.
    fn product(&mut self, moves: &[f32], by: &mut [Point], out: &mut [f32]) {
        let canvas = &self.comparison.canvas;
        let of_point = &self.coordinates.of_point;
        let moved = |point: u32| {
            let [x, y] = of_point[point as usize];
            Point::new(moves[x as usize], moves[y as usize])
        };
        let of_vertex = |vertex: &Vertex| {
            let terms = vertex.slots.iter().zip(&vertex.weights);
            terms.fold(Point::default(), |sum, (&slot, &weight)| sum + complex_product(moved(slot), weight))
        };
        for &vertex in &self.vertices {
            by[vertex as usize] = of_vertex(&canvas.outline.vertices[vertex as usize]);
        }
        self.pulls.fill(Point::default());
        for k in 0..self.pixels.len() {
            let drawn = &canvas.pixels[self.pixels[k] as usize];
            self.pull_back(canvas, drawn.fragments.clone(), by);
        }
        out.fill(0.0);
        self.gather(&self.pulls, false, out);
        for (out, by) in out.iter_mut().zip(moves) {
            *out += self.stiffness * by;
        }
        for &[a, b] in &self.coordinates.beside {
            for (a, b) in of_point[a as usize].into_iter().zip(of_point[b as usize]) {
                let apart = self.stiffness * (moves[a as usize] - moves[b as usize]);
                out[a as usize] += apart;
                out[b as usize] -= apart;
            }
        }
    }

    /// Pulls the vertices by what their moves change in the color of a pixel, given its fragments.
    fn pull_back(&mut self, canvas: &Canvas, fragments: Range<usize>, by: &[Point]) {
        let mut change: Channels = [0.0; 4];
        for fragment in &canvas.fragments[fragments.clone()] {
            let mut grows = 0.0;
            for Piece { ends, pulls } in &canvas.pieces[fragment.pieces.clone()] {
                grows += pulls[0].dot(by[ends[0] as usize]) + pulls[1].dot(by[ends[1] as usize]);
            }
            change = plus(change, grows, fragment.gain);
        }
        for fragment in &canvas.fragments[fragments] {
            let pull = dot(fragment.gain, change);
            for Piece { ends, pulls } in &canvas.pieces[fragment.pieces.clone()] {
                for (&vertex, &along) in ends.iter().zip(pulls) {
                    let value = &mut self.pulls[vertex as usize];
                    *value = *value + along * pull;
                }
            }
        }
    }

    /// How the coordinates should move, and the least that this should save; `None` if no coordinate would save enough.
    fn solve(&mut self, meter: &mut ProgressMeter<'_>) -> Result<Option<(Vec<f32>, f32)>, Stopped> {
        meter.advance(VERTEX_UNITS * self.vertices.len())?;
        let [mut lacking, mut scale] = self.gradient();
        for (scale, lacking) in scale.iter_mut().zip(&lacking) {
            // Each coordinate has two neighbors along its curve.
            *scale = 1.0 / (*scale + 3.0 * self.stiffness);
            // The least of a quadratic function is its gradient's square over its curvature lower.
            if *lacking * *lacking * *scale < LEAST_SAVED * self.stiffness {
                *scale = 0.0;
            }
        }
        scale[self.coordinates.count] = 0.0;
        if !self.restrict(&scale) {
            return Ok(None);
        }
        let scaled =
            |lacking: &[f32]| -> Vec<f32> { lacking.iter().zip(&scale).map(|(a, b)| a * b).collect() };
        let mut moves = vec![0.0; scale.len()];
        let (mut product, mut by) = (moves.clone(), self.pulls.clone());
        by.fill(Point::default());
        let mut along = scaled(&lacking);
        let mut size = sum_of_products(&lacking, &along);
        let end = size * SOLVED;
        for _ in 0..INNER_STEPS {
            if size <= end {
                break;
            }
            meter.advance(VERTEX_UNITS * self.vertices.len())?;
            self.product(&along, &mut by, &mut product);
            let share = size / sum_of_products(&along, &product).max(f32::MIN_POSITIVE);
            add(&mut moves, share, &along);
            add(&mut lacking, -share, &product);
            let next = scaled(&lacking);
            let before = std::mem::replace(&mut size, sum_of_products(&lacking, &next));
            let kept = std::mem::replace(&mut along, next);
            add(&mut along, size / before, &kept);
        }
        let moving = scale.iter().filter(|scale| **scale > 0.0).count() as f32;
        Ok(Some((moves, LEAST_SAVED * self.stiffness * moving)))
    }

    /// Restricts the work to what coordinates with a scale above zero change. Returns whether there are any.
    fn restrict(&mut self, scale: &[f32]) -> bool {
        let canvas = &self.comparison.canvas;
        let moves = |&point: &u32| {
            let [x, y] = self.coordinates.of_point[point as usize];
            scale[x as usize] > 0.0 || scale[y as usize] > 0.0
        };
        let is_moving: Vec<bool> =
            canvas.outline.vertices.iter().map(|vertex| vertex.slots.iter().any(moves)).collect();
        self.vertices.retain(|&vertex| is_moving[vertex as usize]);
        let is_moved = |k: &u32| {
            let fragments = &canvas.fragments[canvas.pixels[*k as usize].fragments.clone()];
            let mut pieces = fragments.iter().flat_map(|fragment| &canvas.pieces[fragment.pieces.clone()]);
            pieces.any(|piece| piece.ends.iter().any(|&vertex| is_moving[vertex as usize]))
        };
        self.pixels = (0..canvas.pixels.len() as u32).filter(is_moved).collect();
        !self.vertices.is_empty()
    }
}

fn sum_of_products(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f32], share: f32, values: &[f32]) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += share * value);
}

/// Moves the points of a drawing in at most `steps` steps, as long as each lowers the error by what the coordinates cost.
pub(crate) fn move_nodes(
    drawing: &mut Drawing,
    comparison: &mut Comparison<'_>,
    stiffness: f32,
    steps: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let size = (comparison.pixels.width, comparison.pixels.height);
    let coordinates = Coordinates::of(drawing, size);
    for _ in 0..steps {
        let mut problem = LeastSquares::new(comparison, &coordinates, stiffness);
        let Some((mut by, least)) = problem.solve(meter)? else { break };
        by.iter_mut().for_each(|value| *value = value.clamp(-LONGEST_STEP_PX, LONGEST_STEP_PX));
        coordinates.apply(drawing, &by);
        let before = comparison.error;
        comparison.update(drawing, meter)?;
        if comparison.error > before {
            by.iter_mut().for_each(|value| *value = -*value);
            coordinates.apply(drawing, &by);
            comparison.update(drawing, meter)?;
        }
        if comparison.error + f64::from(least) > before {
            break;
        }
    }
    Ok(())
}
