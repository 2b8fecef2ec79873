//! Moves the points of a drawing so that it comes nearer to the image: Gauss and Newton's method, with conjugate gradients for each step.

use wide::f32x4;

use super::coordinates::Coordinates;
use crate::color::Channels;
use crate::geometry::{Drawing, Point, times};
use crate::raster::Pixels;
use crate::render::{Canvas, Vertex};

/// Steps of Gauss and Newton's method.
const STEPS: usize = 3;

/// Steps of conjugate gradients for each of these.
const INNER_STEPS: usize = 8;

/// What moving a coordinate costs.
const STIFFNESS: f32 = 0.003 * 255.0 * 255.0;

const MOST_MOVE_PX: f32 = 0.7;

/// The drawing beside the image.
struct Comparison {
    canvas: Canvas,
    /// The squared error over all pixels.
    error: f64,
    /// What the image has more than the drawing, by fragment.
    lacking: Vec<f32x4>,
    /// For each fragment, the number of its pixel among those with fragments.
    place: Vec<u32>,
    places: usize,
}

/// Draws a drawing.
fn draw(drawing: &Drawing, (width, height): (usize, usize)) -> Canvas {
    let mut canvas = Canvas::new(width, height);
    let mut slot = 0;
    for group in drawing.shapes.chunk_by(|a, b| a.color == b.color && a.color.is_opaque()) {
        let first = canvas.outline.edges.len();
        for curve in group.iter().flat_map(|shape| &shape.curves) {
            slot = canvas.outline.push(curve, slot);
        }
        canvas.paint(first, group[0].color.premultiplied().channels());
    }
    canvas
}

fn compare(drawing: &Drawing, pixels: &Pixels) -> Comparison {
    let mut canvas = draw(drawing, (pixels.width, pixels.height));
    let mut error = 0.0f64;
    let mut at = Vec::new();
    canvas.composite(|pixel, color| {
        let lacking = f32x4::new(pixels.channels(pixel as usize)) - color;
        error += f64::from((lacking * lacking).reduce_add());
        at.push((pixel, lacking));
    });
    let mut place_of = vec![u32::MAX; pixels.data.len()];
    for (k, &(pixel, _)) in at.iter().enumerate() {
        place_of[pixel as usize] = k as u32;
    }
    for (pixel, _) in place_of.iter().enumerate().filter(|(_, place)| **place == u32::MAX) {
        if let Some(color) = canvas.flat_color(pixel) {
            let lacking = f32x4::new(pixels.channels(pixel)) - f32x4::new(color);
            error += f64::from((lacking * lacking).reduce_add());
        }
    }
    let place: Vec<u32> = canvas.fragments.iter().map(|fragment| place_of[fragment.pixel as usize]).collect();
    Comparison { canvas, error, lacking: at.iter().map(|&(_, lacking)| lacking).collect(), places: at.len(), place }
}

/// The squared errors of a drawing as a function of its coordinates, linearized.
struct Linearized<'a> {
    comparison: &'a Comparison,
    coordinates: &'a Coordinates,
    /// For each edge, the vector by whose product with a move of the edge its area changes.
    normals: Vec<Point>,
    moves: Vec<Point>,
    vertices: Vec<Point>,
    sums: Vec<f32x4>,
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
            *value += STIFFNESS * by;
        }
        for &[a, b] in &self.coordinates.beside {
            let (a, b) = (self.coordinates.of_point[a as usize], self.coordinates.of_point[b as usize]);
            for (a, b) in a.into_iter().zip(b) {
                let apart = STIFFNESS * (change(a) - change(b));
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
        scale.iter_mut().for_each(|value| *value = 1.0 / (*value + 3.0 * STIFFNESS));
        let mut at = vec![0.0; count];
        let mut product = vec![0.0; count];
        let mut along: Vec<f32> = lacking.iter().zip(&scale).map(|(a, b)| a * b).collect();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let mut size: f32 = dot(&lacking, &along);
        for _ in 0..INNER_STEPS {
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
pub(crate) fn move_nodes(drawing: &mut Drawing, pixels: &Pixels) {
    let coordinates = Coordinates::of(drawing, (pixels.width, pixels.height));
    let mut now = compare(drawing, pixels);
    for _ in 0..STEPS {
        let mut by = Linearized::new(&now, &coordinates).step();
        by.iter_mut().for_each(|value| *value = value.clamp(-MOST_MOVE_PX, MOST_MOVE_PX));
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

#[allow(dead_code)]
type Unused = Channels;
