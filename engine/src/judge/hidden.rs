//! Edges that shapes above hide, along lines that take few bytes.

use std::ops::Range;

use crate::geometry::{Curve, Drawing, Point, Segment, Way};
use crate::render::{Canvas, Outline, Sweep};

/// How much of what covers a hidden edge lies beside it.
///
/// Unit: pixels. Source: edges above may move so far; with half of it, hairlines show beside cutouts, for 1 % fewer bytes.
const HIDDEN_PX: f32 = 0.6;

/// Moves the corners of hidden edges to where they take few bytes, if they stay hidden; those that are not needed, to the corner before.
/// `canvas` shows the drawing.
pub(crate) fn shorten_hidden(drawing: &mut Drawing, canvas: &mut Canvas) {
    let shapes_of_paths = drawing.shapes_of_paths();
    let mut cover = Cover {
        canvas,
        paths: 1..shapes_of_paths.len() as u32 + 1,
        outline: Outline::default(),
        sweep: Sweep::default(),
    };
    let mut shapes = drawing.shapes.iter_mut();
    for count in shapes_of_paths {
        cover.paths.start += 1;
        for curve in shapes.by_ref().take(count).flat_map(|shape| &mut shape.curves) {
            cover.shorten(curve);
        }
    }
}

/// What lies above a path.
struct Cover<'a> {
    canvas: &'a mut Canvas,
    paths: Range<u32>,
    /// Buffers to draw what lies between edges.
    outline: Outline,
    sweep: Sweep,
}

impl Cover<'_> {
    /// Shortens the hidden edges of a curve: lines with hidden corners between them.
    fn shorten(&mut self, curve: &mut Curve) {
        // The points of an edge, up to the segment that is looked at.
        let mut edge = vec![curve.start];
        for k in 0..curve.segments.len() {
            let end = curve.segments[k].end;
            let are_lines = |pair: &[Segment]| pair.iter().all(|segment| segment.way == Way::Line);
            let goes_on = curve.segments.get(k..k + 2).is_some_and(are_lines) && self.hides_point(end);
            // A line between two points that can be seen is of no interest.
            let is_hidden = (goes_on || edge.len() > 1) && self.hides_line([edge[edge.len() - 1], end]);
            if is_hidden {
                edge.push(end);
            }
            if !(is_hidden && goes_on) {
                let last = if is_hidden { k } else { k.saturating_sub(1) };
                self.shorten_edge(&edge, &mut curve.segments[..last]);
                edge.clear();
                edge.push(end);
            }
        }
    }

    /// Moves the corners of an edge, which the last of these segments end at.
    fn shorten_edge(&mut self, edge: &[Point], segments: &mut [Segment]) {
        let Some(corners) = edge.get(1..edge.len() - 1).filter(|corners| !corners.is_empty()) else { return };
        let shorter = self.shorter(edge);
        if self.hides_between(edge, &shorter) {
            let first = segments.len() - corners.len();
            segments[first..].iter_mut().zip(shorter).for_each(|(segment, corner)| segment.end = corner);
        }
    }

    /// Corners that take fewer bytes than those of an edge, as many. Each lies at whole pixels from the one before, and stands for as many of the
    /// edge's as it can; the last one may make a right angle instead.
    fn shorter(&self, edge: &[Point]) -> Vec<Point> {
        let (end, corners) = (edge[edge.len() - 1], &edge[1..edge.len() - 1]);
        let joins = |from, corner, to| {
            self.hides_point(corner) && self.hides_line([from, corner]) && self.hides_line([corner, to])
        };
        let (mut found, mut at, mut passed) = (Vec::new(), edge[0], 0);
        while passed < corners.len() && !self.hides_line([at, end]) {
            let right_angles = [Point::new(end.x, at.y), Point::new(at.x, end.y)];
            let last = right_angles.into_iter().find(|&corner| joins(at, corner, end));
            let next = || {
                (passed..corners.len()).rev().find_map(|k| {
                    let by = corners[k] - at;
                    let (x, y) = (by.x.round(), by.y.round());
                    let near = [Point::new(x, 0.0), Point::new(0.0, y), Point::new(x, y)].map(|by| at + by);
                    let corner = near.into_iter().find(|&corner| joins(at, corner, edge[k + 2]))?;
                    Some((k + 1, corner))
                })
            };
            let last = last.map(|corner| (corners.len(), corner));
            (passed, at) = last.or_else(next).unwrap_or((passed + 1, corners[passed]));
            found.push(at);
        }
        found.resize(corners.len(), at);
        found
    }

    /// Whether a line is hidden, seen at places half a pixel apart, on one side of it and on the other by turns. Up to a pixel from its ends, the cover
    /// may end the nearer beside it.
    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    fn hides_line(&self, [from, to]: [Point; 2]) -> bool {
        let by = to - from;
        let length = by.length();
        let across = Point::new(-by.y, by.x).unit();
        let places = (2.0 * length) as usize + 2;
        let is_hidden = |k: usize| {
            let share = k as f32 / places as f32;
            let side = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            self.hides(from + by * share, across * side * (length * share.min(1.0 - share)).min(1.0))
        };
        // Most lines that can be seen are seen in their middle.
        (0..places).all(|k| is_hidden(if k == 0 { places / 2 } else { k }))
    }

    fn hides_point(&self, at: Point) -> bool {
        let around = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        around.into_iter().all(|(x, y)| self.hides(at, Point::new(x, y)))
    }

    /// Whether a point of the image is hidden, and what lies beside it in a direction, which is at most 1 long. Beyond the image nothing shows.
    #[inline(never)]
    fn hides(&self, at: Point, direction: Point) -> bool {
        // Edges may lie in the next pixel or in this one: half of the way is looked at by a point beside it, half from there.
        let half = direction * (0.5 * HIDDEN_PX);
        let beside = at + half;
        let (width, height) = (self.canvas.size.0 as f32, self.canvas.size.1 as f32);
        let is_in_image = |Point { x, y }: Point| x >= 0.0 && y >= 0.0 && x <= width && y <= height;
        let is_covered = || self.canvas.is_covered(beside, -half.length(), self.paths.clone());
        is_in_image(at) && (!is_in_image(beside) || is_covered())
    }

    /// Whether shapes above cover the middle of each pixel of which half or more is between an edge and one over other corners.
    fn hides_between(&mut self, edge: &[Point], corners: &[Point]) -> bool {
        let around: Vec<Point> = edge.iter().chain(corners.iter().rev()).copied().collect();
        self.outline.clear();
        self.outline.push(&Curve::polyline(&around, true), 0);
        self.canvas.sweep(&self.outline, &mut self.sweep);
        let mut between = self.sweep.covered.iter().filter(|covered| covered.area.abs() >= 0.5);
        between.all(|covered| self.canvas.are_covered(covered.pixels.clone(), self.paths.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::StraightColor;
    use crate::geometry::{Paint, Shape};

    /// What the first of some polygons runs through, from its second point on, in an image of 20 × 20 pixels.
    fn corners_of_first(shapes: &[&[(f32, f32)]]) -> Vec<(f32, f32)> {
        let shapes = shapes.iter().zip(0..).map(|(points, red)| {
            let points: Vec<Point> = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
            let curves = vec![Curve::polyline(&points, true)];
            Shape { paint: Paint::Flat(StraightColor([red, 0, 0, 255])), curves }
        });
        let mut drawing = Drawing { shapes: shapes.collect(), gradients: Vec::new() };
        let mut canvas = Canvas::new(&[]);
        canvas.clear((20, 20));
        for shape in &drawing.shapes {
            canvas.paint(shape.paint, |outline| {
                outline.push(&shape.curves[0], 0);
            });
        }
        shorten_hidden(&mut drawing, &mut canvas);
        let mut ends: Vec<_> = drawing.shapes[0].curves[0]
            .segments
            .iter()
            .map(|segment| (segment.end.x, segment.end.y))
            .collect();
        ends.dedup();
        ends
    }

    const UPPER: &[(f32, f32)] = &[(10.0, 0.0), (20.0, 0.0), (20.0, 20.0), (10.0, 20.0)];

    /// From (10, 15.3) around what can be seen of it; then over hidden corners back.
    const LOWER: [(f32, f32); 7] =
        [(10.0, 15.3), (2.0, 15.3), (2.0, 4.2), (10.0, 4.2), (13.1, 5.4), (12.4, 9.9), (13.3, 14.6)];

    #[test]
    fn an_edge_that_need_not_turn_runs_straight() {
        let mut lower = LOWER;
        lower[3] = (19.0, 10.0);
        assert_eq!(corners_of_first(&[&lower, UPPER]), [(2.0, 15.3), (2.0, 4.2), (19.0, 10.0), (10.0, 15.3)]);
    }

    #[test]
    fn an_edge_along_the_end_of_its_cover_turns_at_right_angles() {
        let found = corners_of_first(&[&LOWER, UPPER]);
        assert_eq!(found, [(2.0, 15.3), (2.0, 4.2), (10.0, 4.2), (12.0, 4.2), (12.0, 15.3), (10.0, 15.3)]);
    }

    #[test]
    fn corners_that_can_be_seen_stay() {
        let narrower = UPPER.iter().map(|&(x, y)| (x + 3.2, y)).collect::<Vec<_>>();
        let found = corners_of_first(&[&LOWER, &narrower]);
        assert_eq!(found, [&LOWER[1..], &LOWER[..1]].concat());
    }

    #[test]
    fn what_can_be_seen_between_keeps_an_edge_where_it_is() {
        let rectangle =
            |[x, y]: [f32; 2], [right, bottom]: [f32; 2]| [(x, y), (right, y), (right, bottom), (x, bottom)];
        // Around a window.
        let [left, right] = [[10.0, 12.0], [14.0, 20.0]].map(|[from, to]| rectangle([from, 0.0], [to, 20.0]));
        let [top, bottom] = [[0.0, 8.0], [12.0, 20.0]].map(|[from, to]| rectangle([11.0, from], [15.0, to]));
        let lower = [(11.0, 15.3), (2.0, 15.3), (2.0, 4.2), (11.0, 4.2), (16.1, 5.4), (16.3, 14.6)];
        let found = corners_of_first(&[&lower, &left, &right, &top, &bottom]);
        assert_eq!(found, [&lower[1..], &lower[..1]].concat());
        let window = rectangle([11.5, 7.0], [14.5, 13.0]);
        let found = corners_of_first(&[&lower, &left, &right, &top, &bottom, &window]);
        assert_eq!(found, [(2.0, 15.3), (2.0, 4.2), (11.0, 4.2), (11.0, 15.3)], "nothing can be seen");
    }
}
