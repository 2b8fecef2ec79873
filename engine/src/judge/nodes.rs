//! Moves the points of a drawing to where it resembles the image most: Gauss and Newton's method, each step of which is solved by conjugate
//! gradients (M. R. Hestenes and E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", 1952), scaled by the diagonal.

use super::comparison::Comparison;
use super::coordinates::Coordinates;
use crate::color::{Channels, dot, plus};
use crate::geometry::{Drawing, Point, complex_product};
use crate::render::{Canvas, Vertex};

/// Steps of conjugate gradients.
///
/// Unit: count. Source: with 4, drawings come .1 dB less near to the truth at their edges, with 16 .04 dB nearer.
const INNER_STEPS: usize = 8;

/// The farthest that a coordinate moves in a step.
///
/// Unit: pixels. Source: the derivative of a pixel's coverage holds while the edge stays in the pixel.
const FARTHEST_PX: f32 = 0.7;

/// The squared error, beside that of the drawing, as a function of how its coordinates move.
struct LeastSquares<'a> {
    comparison: &'a Comparison<'a>,
    coordinates: &'a Coordinates,
    /// What moving a coordinate by a pixel costs, and what it costs to move two points that follow each other one pixel apart.
    stiffness: f32,
    /// For each edge, the vector whose product with a move of the edge is the area that it gains.
    normals: Vec<Point>,
    /// For each vertex, how it moves, or is pulled.
    vertices: Vec<Point>,
}

impl<'a> LeastSquares<'a> {
    fn new(comparison: &'a Comparison<'a>, coordinates: &'a Coordinates, stiffness: f32) -> Self {
        let outline = &comparison.canvas.outline;
        let normals = outline.edges.iter().map(|edge| {
            let [from, to] = [edge.from, edge.to].map(|vertex| outline.vertices[vertex as usize].at);
            Point::new(from.y - to.y, to.x - from.x)
        });
        let vertices = vec![Point::default(); outline.vertices.len()];
        LeastSquares { comparison, coordinates, stiffness, normals: normals.collect(), vertices }
    }

    /// How much the coordinates are pulled toward the image, and the diagonal of the matrix of [`product`](Self::product).
    fn gradient(&mut self) -> [Vec<f32>; 2] {
        let canvas = &self.comparison.canvas;
        let mut pulls = vec![Point::default(); self.vertices.len()];
        let mut squares = pulls.clone();
        for drawn in &canvas.pixels {
            let lacking = self.comparison.lacking(drawn.pixel as usize);
            for fragment in &canvas.fragments[drawn.fragments.clone()] {
                let (pull, square) = (dot(fragment.gain, lacking), dot(fragment.gain, fragment.gain));
                for piece in &canvas.pieces[fragment.pieces.clone()] {
                    let edge = canvas.outline.edges[piece.edge as usize];
                    let normal = self.normals[piece.edge as usize];
                    for (vertex, share) in [edge.from, edge.to].into_iter().zip(piece.pull) {
                        let along = normal * share;
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
    #[inline(never)]
    fn gather(&self, values: &[Point], squared: bool, out: &mut [f32]) {
        for (vertex, &value) in self.comparison.canvas.outline.vertices.iter().zip(values) {
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

    /// The product of the Gauss-Newton matrix and a vector of moves.
    fn product(&mut self, moves: &[f32], out: &mut [f32]) {
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
        let by: Vec<Point> = canvas.outline.vertices.iter().map(of_vertex).collect();
        self.vertices.fill(Point::default());
        for drawn in &canvas.pixels {
            self.pull_back(canvas, drawn.fragments.clone(), &by);
        }
        out.fill(0.0);
        self.gather(&self.vertices, false, out);
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
    fn pull_back(&mut self, canvas: &Canvas, fragments: std::ops::Range<usize>, by: &[Point]) {
        let Canvas { pieces, outline, .. } = canvas;
        let mut change: Channels = [0.0; 4];
        for fragment in &canvas.fragments[fragments.clone()] {
            let mut grows = 0.0;
            for piece in &pieces[fragment.pieces.clone()] {
                let edge = outline.edges[piece.edge as usize];
                let by = by[edge.from as usize] * piece.pull[0] + by[edge.to as usize] * piece.pull[1];
                grows += self.normals[piece.edge as usize].dot(by);
            }
            change = plus(change, grows, fragment.gain);
        }
        for fragment in &canvas.fragments[fragments] {
            let pull = dot(fragment.gain, change);
            for piece in &pieces[fragment.pieces.clone()] {
                let edge = outline.edges[piece.edge as usize];
                let along = self.normals[piece.edge as usize] * pull;
                for (vertex, share) in [edge.from, edge.to].into_iter().zip(piece.pull) {
                    let value = &mut self.vertices[vertex as usize];
                    *value = *value + along * share;
                }
            }
        }
    }

    /// How the coordinates should move.
    fn solve(&mut self) -> Vec<f32> {
        let [mut lacking, mut scale] = self.gradient();
        // Each coordinate has two neighbors along its curve.
        scale.iter_mut().for_each(|value| *value = 1.0 / (*value + 3.0 * self.stiffness));
        scale[self.coordinates.count] = 0.0;
        let scaled = |lacking: &[f32]| -> Vec<f32> { lacking.iter().zip(&scale).map(|(a, b)| a * b).collect() };
        let mut moves = vec![0.0; scale.len()];
        let mut product = moves.clone();
        let mut along = scaled(&lacking);
        let mut size = sum_of_products(&lacking, &along);
        let end = size * super::param("CGEND", 0.01);
        for _ in 0..INNER_STEPS {
            if size <= end {
                break;
            }
            self.product(&along, &mut product);
            let share = size / sum_of_products(&along, &product).max(f32::MIN_POSITIVE);
            add(&mut moves, share, &along);
            add(&mut lacking, -share, &product);
            let next = scaled(&lacking);
            let before = std::mem::replace(&mut size, sum_of_products(&lacking, &next));
            let kept = std::mem::replace(&mut along, next);
            add(&mut along, size / before, &kept);
        }
        moves
    }
}

#[inline(never)]
fn sum_of_products(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline(never)]
fn add(to: &mut [f32], share: f32, values: &[f32]) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += share * value);
}

/// Moves the points of a drawing in at most `steps` steps, as long as each lowers the error by what the coordinates cost.
pub(crate) fn move_nodes(drawing: &mut Drawing, comparison: &mut Comparison<'_>, stiffness: f32, steps: usize) {
    let size = (comparison.pixels.width, comparison.pixels.height);
    let coordinates = Coordinates::of(drawing, size);
    let least = f64::from(super::param("STOP", 0.03) * stiffness) * coordinates.count as f64;
    for _ in 0..steps {
        let mut by = LeastSquares::new(comparison, &coordinates, stiffness).solve();
        by.iter_mut().for_each(|value| *value = value.clamp(-FARTHEST_PX, FARTHEST_PX));
        coordinates.apply(drawing, &by);
        let before = comparison.error;
        comparison.update(drawing);
        if comparison.error > before {
            by.iter_mut().for_each(|value| *value = -*value);
            coordinates.apply(drawing, &by);
            comparison.update(drawing);
        }
        if comparison.error + least > before {
            break;
        }
    }
}
