//! Moves the points of a drawing to where it resembles the image most: Gauss and Newton's method, each step of which is solved by conjugate
//! gradients (M. R. Hestenes and E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", 1952), scaled by the diagonal.

use super::comparison::Comparison;
use super::coordinates::Coordinates;
use super::fills::Fills;
use super::normal_equations::{LONGEST_STEP_PX, NormalEquations};
use super::quadratics::reduce_cubics;
use crate::api::{ProgressMeter, Stopped};
use crate::geometry::{Drawing, Point};

/// What a coordinate of a point takes in the SVG; moving it by a pixel costs as much.
///
/// Unit: bytes. Source: a number of about two digits; a fifth or three times as much makes no difference to how far points move.
const COORDINATE_BYTES: f32 = 2.0;

/// Steps of conjugate gradients.
///
/// Unit: count. Source: with 4, drawings come .1 dB less near to the truth at their edges; with 16, .04 dB nearer.
const INNER_STEPS: usize = 6;

/// Conjugate gradients end when the squared gradient, scaled, has fallen to this share.
///
/// Unit: share (ratio). Source: steps after that change nothing that remains after rounding coordinates.
const SOLVED: f32 = 0.02;

/// How often the points of a drawing move, before shapes are added and after.
///
/// Unit: count. Source: with two, drawings up to 64 px come .1 dB less near to the truth at their edges; a fourth gains next to nothing.
const MOST_STEPS: usize = 3;

/// How many pieces of edges, a pixel long or less, are moved in all: a drawing with more edges takes fewer steps, but at least one.
///
/// Unit: count. Source: bounds the time, to some milliseconds unless one step takes more; with 12 000, drawings above 192 px come .03 dB
/// less near to the truth at their edges.
const MOST_PIECES: usize = 20_000;

/// A step that promises to lower the error by less than so small a part of it is the last one.
///
/// Unit: count (parts). Source: steps after it bring drawings .02 dB nearer to the truth at their edges.
const LEAST_PART: u32 = 12;

/// The work of a stretch that moves, in a step of conjugate gradients, in the units of [`ProgressMeter`].
const STRETCH_UNITS: usize = 64;

/// How the coordinates should move, and the fills change.
struct Solution<'a> {
    equations: NormalEquations<'a>,
    /// By how much each coordinate moves; the last one is for those that stay.
    by: Vec<f32>,
    /// By how much the channels of each fill grow: four numbers.
    tints: Vec<f32>,
    /// By how much that lowers the squared error, as far as the error is the function that the equations take it for.
    gain: f32,
}

/// Finds how the coordinates should move; `None` if numbers overflow. `stiffness`: what moving a coordinate by a pixel costs, and
/// what it costs to move two points that follow each other one pixel apart.
fn solve<'a>(
    comparison: &'a Comparison<'_>,
    (coordinates, fills): (&Coordinates, &Fills),
    stiffness: f32,
    meter: &mut ProgressMeter<'_>,
) -> Result<Option<Solution<'a>>, Stopped> {
    let equations = NormalEquations::new(comparison, &coordinates.moving, fills);
    let mut points = vec![Point::default(); coordinates.point_count()];
    // After the coordinates come one for those that stay, and four for each fill.
    let moving = coordinates.count + 1;
    let mut scale = zeros(moving + 4 * fills.count);
    let mut lacking = zeros(scale.len());
    equations.add_pulls(&mut points);
    coordinates.collect(&mut points, false, &mut lacking);
    lacking[moving..].copy_from_slice(equations.fill_pulls());
    points.fill(Point::default());
    equations.add_diagonal(&mut points);
    for &([a, b], share) in &coordinates.beside {
        let square = Point::new(stiffness * share, stiffness * share);
        points[a as usize] = points[a as usize] + square;
        points[b as usize] = points[b as usize] + square;
    }
    coordinates.collect(&mut points, true, &mut scale);
    let (of_points, of_fills) = scale.split_at_mut(moving);
    of_points.iter_mut().for_each(|scale| *scale = 1.0 / (*scale + stiffness));
    for (scale, square) in of_fills.chunks_exact_mut(4).zip(equations.fill_squares()) {
        scale.fill(1.0 / (square + Fills::stiffness()));
    }
    scale[coordinates.count] = 0.0;
    let mut by = zeros(scale.len());
    let mut product = zeros(scale.len());
    let mut pulled_fills = zeros(4 * fills.count);
    let mut pulled = points.clone();
    let mut along: Vec<f32> = lacking.iter().zip(&scale).map(|(a, b)| a * b).collect();
    let mut size = sum_of_products(&lacking, &along);
    let end = size * SOLVED;
    let mut gain = 0.0;
    for _ in 0..INNER_STEPS {
        if size <= end {
            break;
        }
        meter.advance(STRETCH_UNITS * equations.stretch_count())?;
        coordinates.spread(&along, &mut points);
        pulled.fill(Point::default());
        pulled_fills.fill(0.0);
        add(&mut pulled_fills, Fills::stiffness(), &along[moving..]);
        equations.add_product(&points, &along[moving..], &mut pulled, &mut pulled_fills);
        for &([a, b], share) in &coordinates.beside {
            let apart = (points[a as usize] - points[b as usize]) * (stiffness * share);
            pulled[a as usize] = pulled[a as usize] + apart;
            pulled[b as usize] = pulled[b as usize] - apart;
        }
        coordinates.collect(&mut pulled, false, &mut product);
        add(&mut product[..moving], stiffness, &along);
        product[moving..].copy_from_slice(&pulled_fills);
        let share = size / sum_of_products(&along, &product).max(f32::MIN_POSITIVE);
        gain += share * size;
        add(&mut by, share, &along);
        add(&mut lacking, -share, &product);
        let before = size;
        size = lacking.iter().zip(&scale).map(|(lacking, scale)| lacking * lacking * scale).sum();
        for ((along, lacking), scale) in along.iter_mut().zip(&lacking).zip(&scale) {
            *along = lacking * scale + size / before * *along;
        }
    }
    let tints = by.split_off(moving);
    by.iter_mut().for_each(|value| *value = value.clamp(-LONGEST_STEP_PX, LONGEST_STEP_PX));
    Ok(size.is_finite().then_some(Solution { equations, by, tints, gain }))
}

// Not inlined: it has several callers, and each copy would grow the WebAssembly module.
#[inline(never)]
fn zeros(count: usize) -> Vec<f32> {
    vec![0.0; count]
}

fn sum_of_products(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f32], share: f32, values: &[f32]) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += share * value);
}

/// Whether so little of the error goes that no further step is worth its time.
pub(crate) fn is_little(gain: f64, error: f64) -> bool {
    f64::from(LEAST_PART) * gain < error
}

/// Moves the points of a drawing in a few steps, as long as each lowers the error by more than fitting as many coordinates to noise
/// would, of variance `noise_sq`. If it is looked at again, the outcome of the last one is predicted instead of drawn.
pub(crate) fn move_nodes(
    drawing: &mut Drawing,
    comparison: &mut Comparison<'_>,
    price: f32,
    noise_sq: f32,
    is_looked_at: bool,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let stiffness = COORDINATE_BYTES * price;
    // What two coordinates are worth, by which a quadratic is shorter than a cubic.
    let saved = 2.0 * stiffness;
    let mut coordinates = Coordinates::of(drawing, &comparison.canvas);
    let steps = (MOST_PIECES / comparison.canvas.piece_count().max(1)).clamp(1, MOST_STEPS);
    for step in 1..=steps {
        // Paths of one fill are one path: their numbers change when fills do. Also if nothing differs: what it finds to be paints stays.
        let fills = Fills::of(comparison);
        if comparison.differing.is_empty() {
            break;
        }
        let solution = solve(comparison, (&coordinates, &fills), stiffness, meter)?;
        let Some(Solution { equations, mut by, tints, gain }) = solution else {
            break;
        };
        coordinates.apply(drawing, &by);
        let paints = fills.apply(drawing, comparison, &tints);
        let added = if step == 1 { reduce_cubics(drawing, &coordinates, &equations, saved) } else { None };
        if step == steps || is_little(f64::from(gain), comparison.error) {
            if is_looked_at {
                let mut points = vec![Point::default(); coordinates.point_count()];
                coordinates.spread(&by, &mut points);
                let changes = equations.changes(&points, &tints);
                comparison.predict(&changes);
            }
            break;
        }
        let before = comparison.error + f64::from(added.unwrap_or_default());
        comparison.follow(drawing, meter)?;
        if comparison.error > before {
            by.iter_mut().for_each(|value| *value = -*value);
            coordinates.apply(drawing, &by);
            drawing.shapes.iter_mut().zip(paints).for_each(|(shape, paint)| shape.paint = paint);
            comparison.follow(drawing, meter)?;
        }
        if comparison.error + f64::from(noise_sq * coordinates.count as f32) > before {
            break;
        }
        if added.is_some() {
            coordinates = Coordinates::of(drawing, &comparison.canvas);
        }
    }
    Ok(())
}
