//! The coordinates of a drawing that can move.

use super::edge_ends::{EdgeEnd, TOUCHING_PX, edge_ends};
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::geometry::{Drawing, Point, Way};
use crate::render::{Canvas, Stretch};

/// Stands for the number of a coordinate that stays or follows others, until the count of the others is known.
const NONE: u32 = u32::MAX;

/// Points so near to each other count as this far apart.
///
/// Unit: square pixels. Source: twice the tenth of a pixel to which coordinates are rounded.
const SHORTEST_SQ: f32 = 0.04;

/// The coordinates of a drawing that can move, numbered.
///
/// # Guarantees
/// Points that coincide move together, lines and handles along rows or columns of pixels stay along them, what lies on the border of the
/// image stays on it, and an edge that ends on an edge above it stays there.
pub(crate) struct Coordinates {
    /// For each point of the drawing, in the order of its curves, the numbers of its x and its y. All coordinates that stay where they are
    /// or follow others have the number `count`.
    of_point: Vec<[u32; 2]>,
    pub count: usize,
    /// The points that follow each other along a curve, and how much moving them one pixel apart costs: more where they are less than a
    /// pixel apart, since the direction from one to the other then turns farther.
    pub beside: Vec<([u32; 2], f32)>,
    /// For each stretch of the outlines, whether points of it move, and it is no line that paths above cover. Of such a line, a pixel shows
    /// only what renderers mix into edges.
    pub moving: Vec<bool>,
    followers: Vec<Follower>,
    /// The points that lie on edges. None depends on a later one.
    ends: Vec<EdgeEnd>,
}

/// The points of a drawing, in the order of its curves.
struct DrawnPoints {
    at: Vec<Point>,
    /// For each point, whether it is a node of its curve, and the number of its path, from 1 on.
    nodes: Vec<(bool, u32)>,
    beside: Vec<[u32; 2]>,
    /// Ends of lines, and of handles, which may be along a row or column.
    straight: Vec<[u32; 2]>,
}

impl DrawnPoints {
    fn of(drawing: &Drawing) -> Self {
        let at = drawing.points();
        let mut nodes = Vec::with_capacity(at.len());
        let (mut beside, mut straight) = (Vec::with_capacity(at.len()), Vec::with_capacity(at.len()));
        for (path, number) in drawing.paths().zip(1..) {
            for curve in path.iter().flat_map(|shape| &shape.curves) {
                nodes.push((true, number));
                for segment in &curve.segments {
                    let from = nodes.len() as u32 - 1;
                    match segment.way {
                        Way::Line => straight.push([from, from + 1]),
                        Way::Cubic(..) => {
                            straight.extend([[from, from + 1], [from + 2, from + 3]]);
                            nodes.extend([(false, number); 2]);
                        }
                        Way::Arc(..) | Way::HalfEllipse(..) => {}
                    }
                    nodes.push((true, number));
                    beside.extend((from..nodes.len() as u32 - 1).map(|point| [point, point + 1]));
                }
            }
        }
        DrawnPoints { at, nodes, beside, straight }
    }

    /// The points in an order in which those that coincide follow each other.
    fn in_order(&self) -> Vec<u32> {
        let by_y = sorted_by_key(0..self.at.len() as u32, |k| self.at[k as usize].y.to_bits());
        sorted_by_key(by_y.into_iter(), |k| self.at[k as usize].x.to_bits())
    }
}

/// A point between two covered lines, and those of its neighbors that are ends of what can be seen. It follows them.
struct Follower {
    point: u32,
    leaders: [u32; 2],
    count: usize,
}

impl Follower {
    fn leaders(&self) -> &[u32] {
        &self.leaders[..self.count]
    }

    /// How much it moves with each leader.
    fn share(&self) -> f32 {
        1.0 / self.count.max(1) as f32
    }
}

fn followers(stretches: &[Stretch], covered: &[bool]) -> Vec<Follower> {
    let is_covered = |k: usize| covered.get(k) == Some(&true);
    let mut found = Vec::new();
    for (k, pair) in stretches.windows(2).enumerate() {
        let (before, after) = (pair[0].slots, pair[1].slots);
        if !covered[k] || !covered[k + 1] || before[3] != after[0] {
            continue;
        }
        let leads = [k == 0 || !is_covered(k - 1), !is_covered(k + 2)];
        let leaders = if leads[0] { [before[0], after[3]] } else { [after[3]; 2] };
        found.push(Follower {
            point: before[3],
            leaders,
            count: leads.into_iter().filter(|leads| *leads).count(),
        });
    }
    found
}

impl Coordinates {
    /// `canvas` shows the drawing.
    pub fn of(drawing: &Drawing, canvas: &Canvas) -> Self {
        let points = DrawnPoints::of(drawing);
        let at = |k: u32| points.at[k as usize];
        let last = points.nodes.iter().map(|node| node.1).max().unwrap_or(0);
        let is_covered = |stretch: &Stretch| {
            let [from, .., to] = stretch.slots.map(|slot| points.at[slot as usize]);
            let above = points.nodes[stretch.slots[0] as usize].1 + 1..last + 1;
            stretch.is_line()
                && canvas.is_covered((from + to) * 0.5, 0.0, above.clone())
                && [from, to].iter().all(|&end| canvas.is_covered(end, TOUCHING_PX, above.clone()))
        };
        let covered: Vec<bool> = canvas.outline.stretches.iter().map(is_covered).collect();
        let followers = followers(&canvas.outline.stretches, &covered);
        let in_order = points.in_order();
        let ends = edge_ends(&in_order, &points.at, &points.nodes, canvas);
        let mut numbers = vec![0; 2 * points.at.len()];
        for end in &ends {
            numbers[2 * end.point as usize + end.axis] = NONE;
        }
        for &Follower { point, .. } in &followers {
            numbers[2 * point as usize..2 * point as usize + 2].fill(NONE);
        }
        let mut sets = DisjointSets::new(numbers.len());
        let mut union = |a: u32, b: u32| {
            if numbers[a as usize] != NONE && numbers[b as usize] != NONE {
                sets.union(a, b);
            }
        };
        let coinciding = in_order.array_windows().filter(|&&[a, b]| at(a) == at(b));
        for &[a, b] in coinciding.chain(&points.straight) {
            if at(a).x == at(b).x {
                union(2 * a, 2 * b);
            }
            if at(a).y == at(b).y {
                union(2 * a + 1, 2 * b + 1);
            }
        }
        let is_on_border = |k: u32| {
            let (point, size) = (at(k / 2), canvas.size);
            let (at, end) = if k.is_multiple_of(2) { (point.x, size.0) } else { (point.y, size.1) };
            at <= 0.0 || at >= end as f32
        };
        for k in (0..numbers.len() as u32).filter(|&k| is_on_border(k)) {
            numbers[sets.find(k) as usize] = NONE;
        }
        let mut count = 0;
        // The root of a set is its smallest element.
        for k in 0..numbers.len() {
            let root = sets.find(k as u32) as usize;
            if root != k {
                numbers[k] = numbers[root];
            } else if numbers[k] != NONE {
                numbers[k] = count;
                count += 1;
            }
        }
        let pairs = numbers.as_chunks().0.iter();
        let of_point: Vec<_> = pairs.map(|pair: &[u32; 2]| pair.map(|k| k.min(count))).collect();
        let mut moves: Vec<bool> = of_point.iter().map(|pair| *pair != [count; 2]).collect();
        ends.iter().for_each(|end| moves[end.point as usize] = true);
        let stretches = canvas.outline.stretches.iter().zip(&covered);
        let moving = stretches.map(|(stretch, is_covered)| {
            !is_covered && !stretch.is_start() && stretch.slots.iter().any(|&slot| moves[slot as usize])
        });
        let moving = moving.collect();
        let apart = points.beside.iter().filter(|&&[a, b]| at(a) != at(b));
        let beside = apart.map(|&[a, b]| {
            let apart = at(a) - at(b);
            ([a, b], 1.0 / apart.dot(apart).clamp(SHORTEST_SQ, 1.0))
        });
        Coordinates { of_point, count: count as usize, beside: beside.collect(), moving, followers, ends }
    }

    pub fn point_count(&self) -> usize {
        self.of_point.len()
    }

    /// How each point moves if the coordinates move so; the last one is for those that stay, and zero.
    pub fn spread(&self, by: &[f32], points: &mut [Point]) {
        for (point, &[x, y]) in points.iter_mut().zip(&self.of_point) {
            *point = Point::new(by[x as usize], by[y as usize]);
        }
        self.carry(points);
    }

    /// Moves what follows others along with them.
    pub fn carry(&self, points: &mut [Point]) {
        for end in &self.ends {
            end.follow(points);
        }
        for follower in &self.followers {
            let sum = follower.leaders().iter().fold(Point::default(), |sum, &k| sum + points[k as usize]);
            points[follower.point as usize] = sum * follower.share();
        }
    }

    /// How the coordinates are pulled if each point is pulled so: the transpose of [`spread`](Self::spread). If `squared`, of squares of pulls,
    /// as if none of them depended on another.
    pub fn collect(&self, points: &mut [Point], squared: bool, pulls: &mut [f32]) {
        for follower in &self.followers {
            let share = follower.share();
            let pull = std::mem::take(&mut points[follower.point as usize])
                * if squared { share * share } else { share };
            for &leader in follower.leaders() {
                points[leader as usize] = points[leader as usize] + pull;
            }
        }
        for end in self.ends.iter().rev() {
            end.pass_on(points, squared);
        }
        pulls.fill(0.0);
        for (point, &[x, y]) in points.iter().zip(&self.of_point) {
            pulls[x as usize] += point.x;
            pulls[y as usize] += point.y;
        }
    }

    /// Moves the points of the drawing.
    pub fn apply(&self, drawing: &mut Drawing, by: &[f32]) {
        let mut points = vec![Point::default(); self.of_point.len()];
        self.spread(by, &mut points);
        drawing.shift(&points);
    }
}
