//! The distance between a traced outline and the true one.

use std::fmt;

use kurbo::{BezPath, Point};

use crate::ground_truth::GroundTruth;
use crate::picture::polylines;
use crate::traced_svg::{Kind, TracedPath};

/// The distance between sample points along an outline, px.
const STEP_PX: f64 = 0.25;

/// Distances in px from each outline to the other, and the segments of the traced one.
pub struct Distances {
    pub rms: f64,
    pub p95: f64,
    pub worst: f64,
    /// The largest distance of a true corner from the nearest node.
    pub corner: f64,
    pub lines: usize,
    pub cubics: usize,
    pub arcs: usize,
}

impl fmt::Display for Distances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Distances { rms, p95, worst, corner, lines, cubics, arcs } = self;
        write!(f, "rms {rms:.3} p95 {p95:.3} worst {worst:.3} corner {corner:.3} l{lines} c{cubics} a{arcs}")
    }
}

pub fn distances(truth: &GroundTruth, traced: &TracedPath) -> Distances {
    let mut samples = one_way_distances(&truth.outline, &traced.outline);
    samples.extend(one_way_distances(&traced.outline, &truth.outline));
    samples.sort_by(f64::total_cmp);
    let sum_sq: f64 = samples.iter().map(|d| d * d).sum();
    Distances {
        rms: (sum_sq / samples.len() as f64).sqrt(),
        p95: samples[samples.len() * 95 / 100],
        worst: samples[samples.len() - 1],
        corner: corner_error(&truth.corners, traced),
        lines: traced.count(Kind::Line),
        cubics: traced.count(Kind::Cubic),
        arcs: traced.count(Kind::Arc),
    }
}

/// The distance of each sample point on `from` to `to`.
fn one_way_distances(from: &BezPath, to: &BezPath) -> Vec<f64> {
    let edges: Vec<(Point, Point)> = polylines(to)
        .iter()
        .flat_map(|line| line.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>())
        .collect();
    sample_points(from).into_iter().map(|point| nearest(point, &edges)).collect()
}

fn sample_points(path: &BezPath) -> Vec<Point> {
    let mut points = Vec::new();
    for line in polylines(path) {
        for pair in line.windows(2) {
            let steps = ((pair[1] - pair[0]).hypot() / STEP_PX).ceil().max(1.0) as usize;
            points.extend((0..steps).map(|step| pair[0].lerp(pair[1], step as f64 / steps as f64)));
        }
    }
    points
}

fn nearest(point: Point, edges: &[(Point, Point)]) -> f64 {
    let distances_sq = edges.iter().map(|&(a, b)| {
        let (along, offset) = (b - a, point - a);
        let t = (offset.dot(along) / along.hypot2().max(1e-18)).clamp(0.0, 1.0);
        (offset - along * t).hypot2()
    });
    distances_sq.fold(f64::INFINITY, f64::min).sqrt()
}

/// The largest distance of a corner from the nearest node.
pub fn corner_error(corners: &[Point], traced: &TracedPath) -> f64 {
    let nearest = |corner: &Point| {
        traced.segments.iter().map(|segment| (segment.from - *corner).hypot()).fold(f64::INFINITY, f64::min)
    };
    corners.iter().map(nearest).fold(0.0, f64::max)
}
