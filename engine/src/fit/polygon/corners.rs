//! Which vertices are corners: takes the vertices of a polygon, gives its corners, its sides and which of these are
//! straight.

use super::side::{PolygonSide, list_sides, list_turns};
use super::straight::{STRAIGHT_SIDE_PX, mark_straight, snap_to_axes};
use super::vertex::Vertex;
use crate::fit::sampled::{Bound, CLEAN_DEVIATION_PX, SampledOutline, Vector, wrapped};

/// The least turn that makes a corner below the threshold between two straight sides whose samples follow them up
/// to where they meet.
///
/// Unit: degrees. Source: tuned; without such corners, the fins of a 64 px drawing were rounded.
const SHARP_TURN_DEG: f64 = 25.0;

/// The polygon with the lines of its sides and its corners.
#[derive(Default)]
pub(crate) struct PolygonFrame {
    pub vertices: Vec<Vertex>,
    pub sides: Vec<PolygonSide>,
    /// For each vertex, whether it is a corner.
    pub corners: Vec<bool>,
    /// The turn at the start of each side, in degrees; the two ends of an open outline have a turn of 0.
    turns: Vec<f64>,
}

impl PolygonFrame {
    /// Finds the sides and corners that belong to the vertices.
    pub fn complete(&mut self, samples: &SampledOutline, threshold_deg: f64) {
        list_sides(samples, &self.vertices, &mut self.sides);
        list_turns(samples, &self.sides, &mut self.turns);
        self.corners.clear();
        for vertex in 0..self.turns.len() {
            let is_corner = self.is_corner(samples, vertex, threshold_deg);
            self.corners.push(is_corner);
        }
        mark_straight(samples, &mut self.sides, &self.turns, &self.corners);
        snap_to_axes(&mut self.sides);
        self.add_line_corners(threshold_deg);
    }

    /// Whether a vertex turns by the threshold or more; the ends of an open outline count as corners.
    fn is_corner(&self, samples: &SampledOutline, vertex: usize, threshold_deg: f64) -> bool {
        let PolygonFrame { sides, turns, .. } = self;
        if !samples.closed && (vertex == 0 || vertex == turns.len() - 1) {
            return true;
        }
        let turn = turns[vertex].abs();
        let before = wrapped(vertex + sides.len() - 1, sides.len());
        let turns_enough = turn > threshold_deg;
        let is_sharp_enough = turn > SHARP_TURN_DEG.at_least(line_threshold_deg(threshold_deg))
            && is_sharp(samples, &sides[before], &sides[vertex], turn);
        // No outline turns by more than half a turn: at that threshold, a turn alone makes no corner.
        threshold_deg < 180.0 && (turns_enough || is_sharp_enough)
    }

    /// Makes vertices between two straight sides corners where these turn by enough.
    fn add_line_corners(&mut self, threshold_deg: f64) {
        let PolygonFrame { sides, corners, turns, .. } = self;
        let enough_deg = line_threshold_deg(threshold_deg);
        for vertex in 0..corners.len() {
            let (before, after) =
                (wrapped(vertex + sides.len() - 1, sides.len()), wrapped(vertex, sides.len()));
            if sides[before].straight && sides[after].straight {
                corners[vertex] |= turns[vertex].abs() >= enough_deg;
            }
        }
    }
}

/// The turn that makes a corner between two straight sides. They are clearer evidence than a turn alone, so
/// they need only the square of the threshold's share of half a turn (60 degrees: 20; 90: 45; 180: 180).
fn line_threshold_deg(threshold_deg: f64) -> f64 {
    threshold_deg * threshold_deg / 180.0
}

/// Whether the samples follow two sides up to where their lines meet.
fn is_sharp(samples: &SampledOutline, before: &PolygonSide, after: &PolygonSide, turn_deg: f64) -> bool {
    let near_px = 2.0 * CLEAN_DEVIATION_PX + samples.noise_px;
    let is_line =
        |side: &PolygonSide| side.length >= STRAIGHT_SIDE_PX * samples.pixel && side.is_line(turn_deg);
    let follows =
        |&point: &Vector| before.line.offset(point).abs().at_most(after.line.offset(point).abs()) <= near_px;
    // Indices of samples run on past the seam.
    let lap = if after.first < before.last { samples.count } else { 0 };
    let (first, last) = (before.trusted.last, after.trusted.first + lap);
    is_line(before)
        && is_line(after)
        && last <= samples.last_index()
        && samples.run(first, last).iter().all(follows)
}
