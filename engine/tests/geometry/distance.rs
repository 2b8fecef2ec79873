//! How far a traced outline lies from the true one.
use std::fmt;

use kurbo::{BezPath, Point};

use crate::picture::polylines;
use crate::traced::{Kind, TracedPath};
use crate::truth::Truth;

/// Outlines are looked at in steps of this, px.
const STEP_PX: f64 = 0.25;

/// Distances between two outlines, px, looked at both ways.
pub struct Distances {
    pub rms: f64,
    pub p95: f64,
    pub worst: f64,
    /// Of the true corners from the nearest node.
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

pub fn distances(truth: &Truth, traced: &TracedPath) -> Distances {
    let mut away = one_way(&truth.outline, &traced.outline);
    away.extend(one_way(&traced.outline, &truth.outline));
    away.sort_by(f64::total_cmp);
    let square: f64 = away.iter().map(|d| d * d).sum();
    Distances {
        rms: (square / away.len() as f64).sqrt(),
        p95: away[away.len() * 95 / 100],
        worst: away[away.len() - 1],
        corner: corner_error(&truth.corners, traced),
        lines: traced.count(Kind::Line),
        cubics: traced.count(Kind::Cubic),
        arcs: traced.count(Kind::Arc),
    }
}

/// The distance of each of the one outline's points, evenly spread, from the other.
fn one_way(from: &BezPath, to: &BezPath) -> Vec<f64> {
    let edges: Vec<(Point, Point)> = polylines(to)
        .iter()
        .flat_map(|line| line.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>())
        .collect();
    spread(from).into_iter().map(|point| nearest(point, &edges)).collect()
}

pub fn spread(path: &BezPath) -> Vec<Point> {
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
    let square = edges.iter().map(|&(a, b)| {
        let (along, away) = (b - a, point - a);
        let t = (away.dot(along) / along.hypot2().max(1e-18)).clamp(0.0, 1.0);
        (away - along * t).hypot2()
    });
    square.fold(f64::INFINITY, f64::min).sqrt()
}

pub fn corner_error(corners: &[Point], traced: &TracedPath) -> f64 {
    let nearest = |corner: &Point| {
        traced.pieces.iter().map(|piece| (piece.from - *corner).hypot()).fold(f64::INFINITY, f64::min)
    };
    corners.iter().map(nearest).fold(0.0, f64::max)
}
