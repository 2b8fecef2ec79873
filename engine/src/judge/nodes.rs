//! Moves the points of a drawing so that it comes nearer to the image: Gauss and Newton's method, with conjugate gradients for each step.

use wide::f32x4;

use super::comparison::{Comparison, compare};
use super::coordinates::Coordinates;
use crate::geometry::{Drawing, Point, times};
use crate::raster::Pixels;
use crate::render::Vertex;



/// What moving a coordinate costs.
const STIFFNESS: f32 = 0.003 * 255.0 * 255.0;

const MOST_MOVE_PX: f32 = 0.7;

/// The squared errors of a drawing as a function of its coordinates, linearized.
struct Linearized<'a> {
    comparison: &'a Comparison,
    coordinates: &'a Coordinates,
    /// For each edge, the vector by whose product with a move of the edge its area changes.
    normals: Vec<Point>,
    moves: Vec<Point>,
    vertices: Vec<Point>,
    sums: Vec<f32x4>,
    stiff: f32,
    smooth: f32,
}

impl<'a> Linearized<'a> {
    fn new(comparison: &'a Comparison, coordinates: &'a Coordinates) -> Self {
        let outline = &comparison.canvas.outline;
        let at = |vertex: u32| outline.vertices[vertex as usize].at;
        let normal = |by: Point| Point::new(-by.y, by.x);
        Linearized {
            comparison,
            coordinates,
            normals: outline.edges.iter().map(|edge| normal(at(edge.to) - at(edge.from))).collect(),
            moves: vec![Point::default(); coordinates.of_point.len()],
            vertices: vec![Point::default(); outline.vertices.len()],
            sums: vec![f32x4::ZERO; comparison.places],
            stiff: param("STIFF", 0.003) * 65025.0,
            smooth: param("SMOOTH", 0.003) * 65025.0,
        }
    }

    /// Adds to `out` the transposed derivative of what `by_fragment` gives, scaled by `gain · sum`.
    fn transposed(&mut self, pull_of: impl Fn(usize, u32) -> f32, out: &mut [f32]) {
        let canvas = &self.comparison.canvas;
        self.vertices.fill(Point::default());
        for piece in &canvas.pieces {
            let fragment = piece.fragment as usize;
            let pull = pull_of(fragment, self.comparison.place[fragment]);
            let edge = canvas.outline.edges[piece.edge as usize];
            let along = self.normals[piece.edge as usize] * pull;
            let [a, b] = [edge.from as usize, edge.to as usize];
            self.vertices[a] = self.vertices[a] + along * piece.pull[0];
            self.vertices[b] = self.vertices[b] + along * piece.pull[1];
        }
        for (vertex, &value) in canvas.outline.vertices.iter().zip(&self.vertices) {
            if value == Point::default() {
                continue;
            }
            for (&slot, &weight) in vertex.slots.iter().zip(&vertex.weights) {
                let value = times(value, Point::new(weight.x, -weight.y));
                let [x, y] = self.coordinates.of_point[slot as usize];
                if let Some(out) = out.get_mut(x as usize) {
                    *out += value.x;
                }
                if let Some(out) = out.get_mut(y as usize) {
                    *out += value.y;
                }
            }
        }
    }

    /// The gradient: how the coordinates should move.
    fn pull(&mut self, out: &mut [f32]) {
        let comparison = self.comparison;
        out.fill(0.0);
        self.transposed(
            |fragment, place| {
                let f = &comparison.canvas.fragments[fragment];
                if place == u32::MAX { 0.0 } else { f.sign * (f.gain * comparison.lacking[place as usize]).reduce_add() }
            },
            out,
        );
    }

    fn diagonal(&mut self) -> Vec<f32> {
        let canvas = &self.comparison.canvas;
        let mut out = vec![0.0; self.coordinates.count];
        let mut by_vertex = vec![Point::default(); canvas.outline.vertices.len()];
        for piece in &canvas.pieces {
            let fragment = &canvas.fragments[piece.fragment as usize];
            let edge = canvas.outline.edges[piece.edge as usize];
            let scale = (fragment.gain * fragment.gain).reduce_add() * fragment.sign.abs();
            let normal = self.normals[piece.edge as usize];
            for (vertex, pull) in [edge.from, edge.to].into_iter().zip(piece.pull) {
                let along = normal * (pull * 2.0);
                let value = &mut by_vertex[vertex as usize];
                *value = *value + Point::new(along.x * along.x, along.y * along.y) * (scale * 0.5);
            }
        }
        for (vertex, &value) in canvas.outline.vertices.iter().zip(&by_vertex) {
            for (&slot, &weight) in vertex.slots.iter().zip(&vertex.weights) {
                let [x, y] = self.coordinates.of_point[slot as usize];
                let share = weight.dot(weight);
                if let Some(out) = out.get_mut(x as usize) {
                    *out += value.x * share;
                }
                if let Some(out) = out.get_mut(y as usize) {
                    *out += value.y * share;
                }
            }
        }
        out
    }

    /// The product of the Gauss-Newton matrix and a vector.
    fn product(&mut self, by: &[f32], out: &mut [f32]) {
        let comparison = self.comparison;
        let canvas = &comparison.canvas;
        let change = |number: u32| by.get(number as usize).copied().unwrap_or(0.0);
        for (value, &[x, y]) in self.moves.iter_mut().zip(&self.coordinates.of_point) {
            *value = Point::new(change(x), change(y));
        }
        let moved = |vertex: &Vertex, moves: &[Point]| {
            vertex.slots.iter().zip(&vertex.weights).fold(Point::default(), |sum, (&slot, &weight)| {
                sum + times(moves[slot as usize], weight)
            })
        };
        for (value, vertex) in self.vertices.iter_mut().zip(&canvas.outline.vertices) {
            *value = moved(vertex, &self.moves);
        }
        self.sums.fill(f32x4::ZERO);
        for piece in &canvas.pieces {
            let edge = canvas.outline.edges[piece.edge as usize];
            let place = comparison.place[piece.fragment as usize];
            let fragment = &canvas.fragments[piece.fragment as usize];
            let by = self.vertices[edge.from as usize] * piece.pull[0] + self.vertices[edge.to as usize] * piece.pull[1];
            let grows = self.normals[piece.edge as usize].dot(by) * fragment.sign;
            if place != u32::MAX {
                self.sums[place as usize] += fragment.gain * f32x4::splat(grows);
            }
        }
        out.fill(0.0);
        let sums = std::mem::take(&mut self.sums);
        self.transposed(
            |fragment, place| {
                let f = &canvas.fragments[fragment];
                if place == u32::MAX { 0.0 } else { f.sign * (f.gain * sums[place as usize]).reduce_add() }
            },
            out,
        );
        self.sums = sums;
        for (value, by) in out.iter_mut().zip(by) {
            *value += self.stiff * by;
        }
        for &[a, b] in &self.coordinates.beside {
            let (a, b) = (self.coordinates.of_point[a as usize], self.coordinates.of_point[b as usize]);
            for (a, b) in a.into_iter().zip(b) {
                let apart = self.smooth * (change(a) - change(b));
                if let Some(out) = out.get_mut(a as usize) {
                    *out += apart;
                }
                if let Some(out) = out.get_mut(b as usize) {
                    *out -= apart;
                }
            }
        }
    }

    /// A step of Gauss and Newton's method.
    fn step(&mut self) -> Vec<f32> {
        let count = self.coordinates.count;
        let mut lacking = vec![0.0; count];
        self.pull(&mut lacking);
        let mut scale = self.diagonal();
        scale.iter_mut().for_each(|value| *value = 1.0 / (*value + self.stiff + 2.0 * self.smooth));
        let mut at = vec![0.0; count];
        let mut product = vec![0.0; count];
        let mut along: Vec<f32> = lacking.iter().zip(&scale).map(|(a, b)| a * b).collect();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let mut size: f32 = dot(&lacking, &along);
        for _ in 0..param("INNER", 8.0) as usize {
            if size <= 0.0 {
                break;
            }
            self.product(&along, &mut product);
            let share = size / dot(&along, &product).max(f32::MIN_POSITIVE);
            for k in 0..count {
                at[k] += share * along[k];
                lacking[k] -= share * product[k];
            }
            let before = size;
            size = lacking.iter().zip(&scale).map(|(a, b)| a * a * b).sum();
            let go_on = size / before;
            for k in 0..count {
                along[k] = lacking[k] * scale[k] + go_on * along[k];
            }
        }
        at
    }
}

/// Moves the points of a drawing to where it resembles the image most.
pub(crate) fn move_nodes(drawing: &mut Drawing, pixels: &Pixels, steps: usize) {
    let coordinates = Coordinates::of(drawing, (pixels.width, pixels.height));
    let most = param("MOST", 0.7);
    let mut now = compare(drawing, pixels);
    for _ in 0..steps {
        let mut by = Linearized::new(&now, &coordinates).step();
        by.iter_mut().for_each(|value| *value = value.clamp(-most, most));
        coordinates.apply(drawing, &by);
        let next = compare(drawing, pixels);
        if std::env::var("JUDGE_LOG").is_ok() {
            eprintln!("{} -> {} ({} coordinates, {} pieces)", now.error, next.error, by.len(), now.canvas.pieces.len());
        }
        if next.error > now.error {
            by.iter_mut().for_each(|value| *value = -*value);
            coordinates.apply(drawing, &by);
            break;
        }
        now = next;
    }
}

pub(crate) fn param(name: &str, default: f32) -> f32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
