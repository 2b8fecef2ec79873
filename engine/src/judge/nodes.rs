//! Moves the points of a drawing to where it resembles the image most: Gauss and Newton's method, each step of which is solved by conjugate
//! gradients (M. R. Hestenes and E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", 1952), scaled by the diagonal.

use super::comparison::Comparison;
use super::coordinates::Coordinates;
use crate::algorithms::kth_smallest;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, dot, minus, plus};
use crate::geometry::{Drawing, Point};
use crate::render::{Stretch, VisibleFragment};

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

/// In so many pixels that differ, points are moved; where more differ, in those that differ most.
///
/// Unit: count. Source: bounds the time of a step, to some milliseconds.
const MOST_DIFFERING: usize = 8192;

/// The work of a stretch that moves, in a step of conjugate gradients, in the units of [`ProgressMeter`].
const STRETCH_UNITS: usize = 64;

/// What of the edges near a vertex lies in a pixel: the vector whose product with a move of the vertex is the area that the path gains.
#[derive(Clone, Copy)]
struct Entry {
    vertex: u32,
    pull: Point,
}

/// A path in a pixel: the color that the pixel gains, and the end of its entries; those of the path before end where they begin.
#[derive(Clone, Copy)]
struct Fragment {
    gain: Channels,
    end: u32,
}

/// The squared error, beside that of the drawing, as a function of how its coordinates move.
struct LeastSquares<'a> {
    comparison: &'a Comparison<'a>,
    coordinates: &'a Coordinates,
    /// What moving a coordinate by a pixel costs, and what it costs to move two points that follow each other one pixel apart.
    stiffness: f32,
    entries: Vec<Entry>,
    fragments: Vec<Fragment>,
    /// The pixels, and where the fragments of each end.
    rows: Vec<(u32, u32)>,
    /// How each vertex moves, and how it is pulled.
    by: Vec<Point>,
    pulls: Vec<Point>,
    /// The stretches that move, and the pairs of points that follow each other and one of which moves.
    stretches: Vec<u32>,
    beside: Vec<([u32; 2], f32)>,
}

impl<'a> LeastSquares<'a> {
    fn new(comparison: &'a Comparison<'a>, coordinates: &'a Coordinates, stiffness: f32) -> Self {
        let still = vec![Point::default(); comparison.canvas.outline.vertices.len()];
        LeastSquares {
            comparison,
            coordinates,
            stiffness,
            entries: Vec::new(),
            fragments: Vec::new(),
            rows: Vec::new(),
            by: still.clone(),
            pulls: still,
            stretches: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// The coordinates that matter in pixels where the image differs from the drawing: 1, the others 0.
    fn near_differences(&self) -> Vec<f32> {
        let canvas = &self.comparison.canvas;
        let mut points = vec![Point::default(); self.coordinates.point_count()];
        let least = least_followed(&self.comparison.differing);
        for &(pixel, _) in self.comparison.differing.iter().filter(|(_, square)| *square >= least) {
            for edge in canvas.visible_edges(pixel as usize) {
                let stretch = canvas.outline.stretch_of[edge as usize];
                for slot in canvas.outline.stretches[stretch as usize].slots {
                    points[slot as usize] = Point::new(1.0, 1.0);
                }
            }
        }
        let mut near = vec![0.0; self.coordinates.count + 1];
        self.coordinates.collect(&mut points, true, &mut near);
        near.iter_mut().for_each(|near| *near = f32::from(*near > 0.0));
        near
    }

    /// Finds the stretches that move if coordinates with a scale above zero do, and returns which these are.
    fn find_moving(&mut self, scale: &[f32]) -> Vec<bool> {
        let outline = &self.comparison.canvas.outline;
        let moves = self.coordinates.moving(scale);
        let is_moving = |stretch: &Stretch| stretch.slots.iter().any(|&slot| moves[slot as usize]);
        let moving: Vec<bool> = outline.stretches.iter().map(is_moving).collect();
        self.stretches = (0..moving.len() as u32).filter(|&k| moving[k as usize]).collect();
        let pairs = self.coordinates.beside.iter();
        self.beside = pairs.copied().filter(|(pair, _)| pair.iter().any(|&k| moves[k as usize])).collect();
        moving
    }

    /// Finds how the colors of pixels change when stretches move. Returns how much the vertices are pulled toward the image, and their
    /// part of the diagonal of the matrix of [`product`](Self::product).
    fn linearize(&mut self, moving: &[bool]) -> [Vec<Point>; 2] {
        let canvas = &self.comparison.canvas;
        let mut pulls = self.pulls.clone();
        let mut squares = pulls.clone();
        let mut visible = Vec::new();
        let moves = |edge: u32| moving[canvas.outline.stretch_of[edge as usize] as usize];
        for pixel in self.comparison.edge_pixels.iter().map(|&pixel| pixel as usize) {
            if !canvas.visible_edges(pixel).any(moves) {
                continue;
            }
            let at = (pixel % canvas.size.0, pixel / canvas.size.0);
            let lacking =
                minus(self.comparison.pixels.channels(pixel), canvas.visible_fragments(pixel, &mut visible));
            for VisibleFragment { number, gain } in &visible {
                let (pull, square) = (dot(*gain, lacking), dot(*gain, *gain));
                if square == 0.0 {
                    continue;
                }
                let first = self.entries.len();
                for &edge in canvas.edges_of(*number).iter().filter(|&&edge| moves(edge)) {
                    let [from, to] = canvas.pulls(edge, at);
                    match self.entries[first..].last_mut() {
                        Some(last) if last.vertex == edge - 1 => last.pull = last.pull + from,
                        _ => self.entries.push(Entry { vertex: edge - 1, pull: from }),
                    }
                    self.entries.push(Entry { vertex: edge, pull: to });
                }
                if self.entries.len() == first {
                    continue;
                }
                self.fragments.push(Fragment { gain: *gain, end: self.entries.len() as u32 });
                for Entry { vertex, pull: along } in &self.entries[first..] {
                    let vertex = *vertex as usize;
                    pulls[vertex] = pulls[vertex] + *along * pull;
                    let own = Point::new(along.x * along.x, along.y * along.y);
                    squares[vertex] = squares[vertex] + own * square;
                }
            }
            self.rows.push((pixel as u32, self.fragments.len() as u32));
        }
        [pulls, squares]
    }

    /// Sums for each coordinate what is given for each vertex, by the weights of its points or by their squares.
    fn gather(&self, vertices: &[Point], squared: bool) -> Vec<f32> {
        let outline = &self.comparison.canvas.outline;
        let mut points = vec![Point::default(); self.coordinates.point_count()];
        for &stretch in &self.stretches {
            outline.collect(&outline.stretches[stretch as usize], vertices, squared, &mut points);
        }
        for &(pair, stiffness) in self.beside.iter().filter(|_| squared) {
            let square = self.stiffness * stiffness;
            for point in pair {
                points[point as usize] = points[point as usize] + Point::new(square, square);
            }
        }
        let mut out = vec![0.0; self.coordinates.count + 1];
        self.coordinates.collect(&mut points, squared, &mut out);
        out
    }

    /// The product of the Gauss-Newton matrix and a vector of moves. `points` are buffers for how the points move and are pulled.
    fn product(&mut self, moves: &[f32], points: &mut [Vec<Point>; 2], out: &mut [f32]) {
        let outline = &self.comparison.canvas.outline;
        let [points, pulled] = points;
        self.coordinates.spread(moves, points);
        for &stretch in &self.stretches {
            outline.spread(&outline.stretches[stretch as usize], points, &mut self.by);
        }
        self.pulls.fill(Point::default());
        self.pull_back();
        pulled.fill(Point::default());
        for &stretch in &self.stretches {
            outline.collect(&outline.stretches[stretch as usize], &self.pulls, false, pulled);
        }
        for &(pair, stiffness) in &self.beside {
            let [a, b] = pair.map(|point| point as usize);
            let apart = (points[a] - points[b]) * (self.stiffness * stiffness);
            pulled[a] = pulled[a] + apart;
            pulled[b] = pulled[b] - apart;
        }
        self.coordinates.collect(pulled, false, out);
        for (out, by) in out.iter_mut().zip(moves) {
            *out += self.stiffness * by;
        }
    }

    /// Pulls the vertices by what their moves change in the colors of pixels.
    fn pull_back(&mut self) {
        let LeastSquares { entries, fragments, rows, by, pulls, .. } = self;
        let (mut first, mut first_entry) = (0, 0);
        for &(_, end) in rows.iter() {
            let fragments = &fragments[first..end as usize];
            first = end as usize;
            let change = change(fragments, entries, first_entry, by);
            for Fragment { gain, end } in fragments {
                let pull = dot(*gain, change);
                for Entry { vertex, pull: along } in &entries[first_entry..*end as usize] {
                    let value = &mut pulls[*vertex as usize];
                    *value = *value + *along * pull;
                }
                first_entry = *end as usize;
            }
        }
    }

    /// How the colors of pixels change if the coordinates move so.
    fn changes(&mut self, moves: &[f32]) -> Vec<(u32, Channels)> {
        let outline = &self.comparison.canvas.outline;
        let mut points = vec![Point::default(); self.coordinates.point_count()];
        self.coordinates.spread(moves, &mut points);
        for &stretch in &self.stretches {
            outline.spread(&outline.stretches[stretch as usize], &points, &mut self.by);
        }
        let (mut first, mut first_entry) = (0, 0);
        let of_row = |&(pixel, end): &(u32, u32)| {
            let fragments = &self.fragments[first..end as usize];
            let change = change(fragments, &self.entries, first_entry, &self.by);
            first = end as usize;
            first_entry = self.fragments[first - 1].end as usize;
            (pixel, change)
        };
        self.rows.iter().map(of_row).collect()
    }

    /// How the coordinates should move, and the least that this should save; `None` if no coordinate would save enough.
    fn solve(&mut self, meter: &mut ProgressMeter<'_>) -> Result<Option<(Vec<f32>, f32)>, Stopped> {
        let near = self.near_differences();
        let moving = self.find_moving(&near);
        let [pulls, squares] = self.linearize(&moving);
        let (mut lacking, mut scale) = (self.gather(&pulls, false), self.gather(&squares, true));
        for ((scale, lacking), near) in scale.iter_mut().zip(&lacking).zip(near) {
            *scale = 1.0 / (*scale + self.stiffness);
            // The least of a quadratic function is its gradient's square over its curvature lower.
            if near == 0.0 || *lacking * *lacking * *scale < LEAST_SAVED * self.stiffness {
                *scale = 0.0;
            }
        }
        scale[self.coordinates.count] = 0.0;
        let moving = self.find_moving(&scale);
        if self.stretches.is_empty() {
            return Ok(None);
        }
        self.restrict(&moving);
        let mut moves = vec![0.0; scale.len()];
        let mut product = moves.clone();
        let mut points = [(); 2].map(|()| vec![Point::default(); self.coordinates.point_count()]);
        let mut along: Vec<f32> = lacking.iter().zip(&scale).map(|(a, b)| a * b).collect();
        let mut size = sum_of_products(&lacking, &along);
        let end = size * SOLVED;
        for _ in 0..INNER_STEPS {
            if size <= end {
                break;
            }
            meter.advance(STRETCH_UNITS * self.stretches.len())?;
            self.product(&along, &mut points, &mut product);
            let share = size / sum_of_products(&along, &product).max(f32::MIN_POSITIVE);
            add(&mut moves, share, &along);
            add(&mut lacking, -share, &product);
            let before = size;
            size = lacking.iter().zip(&scale).map(|(lacking, scale)| lacking * lacking * scale).sum();
            for ((along, lacking), scale) in along.iter_mut().zip(&lacking).zip(&scale) {
                *along = lacking * scale + size / before * *along;
            }
        }
        let moving = scale.iter().filter(|scale| **scale > 0.0).count() as f32;
        Ok(Some((moves, LEAST_SAVED * self.stiffness * moving)))
    }

    /// Leaves out what other stretches change than those that move.
    fn restrict(&mut self, moving: &[bool]) {
        let outline = &self.comparison.canvas.outline;
        let moves = |vertex: usize| moving[outline.stretch_of[vertex] as usize];
        let (mut fragment_count, mut entry_count, mut row_count) = (0, 0, 0);
        let (mut fragment, mut entry) = (0, 0);
        for row in 0..self.rows.len() {
            let before_row = fragment_count;
            let (pixel, row_end) = self.rows[row];
            for k in fragment..row_end as usize {
                let Fragment { gain, end } = self.fragments[k];
                let before = entry_count;
                for k in entry..end as usize {
                    if moves(self.entries[k].vertex as usize) {
                        self.entries[entry_count] = self.entries[k];
                        entry_count += 1;
                    }
                }
                entry = end as usize;
                if entry_count > before {
                    self.fragments[fragment_count] = Fragment { gain, end: entry_count as u32 };
                    fragment_count += 1;
                }
            }
            fragment = row_end as usize;
            if fragment_count > before_row {
                self.rows[row_count] = (pixel, fragment_count as u32);
                row_count += 1;
            }
        }
        self.rows.truncate(row_count);
    }
}

/// How the color of a pixel changes if vertices move so, given its fragments and the number of its first entry.
fn change(fragments: &[Fragment], entries: &[Entry], mut first: usize, by: &[Point]) -> Channels {
    let mut change: Channels = [0.0; 4];
    for Fragment { gain, end } in fragments {
        let moved = entries[first..*end as usize].iter();
        let grows = moved.map(|entry| entry.pull.dot(by[entry.vertex as usize])).sum();
        change = plus(change, grows, *gain);
        first = *end as usize;
    }
    change
}

/// The least squared difference that points are moved for: of too many, only the largest count.
fn least_followed(differing: &[(u32, f32)]) -> f32 {
    let step = differing.len().div_ceil(MOST_DIFFERING);
    if step < 2 {
        return 0.0;
    }
    let squares: Vec<f32> = differing.iter().step_by(step).map(|&(_, square)| square).collect();
    kth_smallest(&squares, squares.len() - squares.len() / step)
}

fn sum_of_products(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f32], share: f32, values: &[f32]) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += share * value);
}

/// Moves the points of a drawing in at most `steps` steps, as long as each lowers the error by what the coordinates cost. Of a single step,
/// the outcome is predicted instead of drawn.
pub(crate) fn move_nodes(
    drawing: &mut Drawing,
    comparison: &mut Comparison<'_>,
    stiffness: f32,
    steps: usize,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let coordinates = Coordinates::of(drawing, &comparison.canvas);
    for _ in 0..steps {
        let mut squares = LeastSquares::new(comparison, &coordinates, stiffness);
        let Some((mut by, least)) = squares.solve(meter)? else { break };
        by.iter_mut().for_each(|value| *value = value.clamp(-LONGEST_STEP_PX, LONGEST_STEP_PX));
        coordinates.apply(drawing, &by);
        if steps == 1 {
            let changes = squares.changes(&by);
            comparison.predict(&changes);
            break;
        }
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
