//! A spatial index of the fitted edges: short lines along them, in square cells, four lines to a vector. Takes edges, finds the lines near
//! to a straight way.

use wide::f32x4;

use crate::algorithms::F32_LANES;
use crate::fit::Edges;
use crate::geometry::Point;

/// Length of the lines that edges are cut into.
///
/// Unit: pixels. Source: tuned: shorter lines take longer to search, longer ones leave round edges.
pub(crate) const LINE_PX: f32 = 1.5;
/// No point of a line is farther than this from its middle.
///
/// Unit: pixels. Source: half of [`LINE_PX`], and a margin, since lines are longer where a curve's parameter moves fast.
const HALF_PX: f32 = 1.0;
/// Side of a cell.
///
/// Unit: pixels. Source: tuned on time: four lines long.
const CELL_PX: f32 = 6.0;
/// Position of an empty lane: far outside of every image.
///
/// Unit: pixels. Source: an image has at most 65,535 pixels a side.
const NOWHERE_PX: f32 = -1e6;

/// Four lines, with the arc that each belongs to.
#[derive(Clone, Copy)]
pub(crate) struct FourSegments {
    /// The coordinates of their starts and of their ends.
    x: [[f32; F32_LANES]; 2],
    y: [[f32; F32_LANES]; 2],
    pub arcs: [u32; F32_LANES],
}

/// The ends of four lines relative to a point and a direction: how far along the direction their starts and their ends lie, and how far to
/// its right.
pub(crate) struct RelativeEnds {
    pub along: [f32x4; 2],
    pub aside: [f32x4; 2],
}

impl FourSegments {
    const EMPTY: FourSegments = FourSegments {
        x: [[NOWHERE_PX; F32_LANES]; 2],
        y: [[NOWHERE_PX; F32_LANES]; 2],
        arcs: [0; F32_LANES],
    };

    fn put(&mut self, lane: usize, ends: &[Point], arc: u32) {
        for (end, point) in ends.iter().enumerate() {
            (self.x[end][lane], self.y[end][lane]) = (point.x, point.y);
        }
        self.arcs[lane] = arc;
    }

    pub fn relative_to(&self, at: Point, direction: Point) -> RelativeEnds {
        let [x, y, dx, dy] = [at.x, at.y, direction.x, direction.y].map(f32x4::splat);
        let [ax, bx] = self.x.map(|of| f32x4::new(of) - x);
        let [ay, by] = self.y.map(|of| f32x4::new(of) - y);
        RelativeEnds {
            along: [dx * ax + dy * ay, dx * bx + dy * by],
            aside: [dx * ay - dy * ax, dx * by - dy * bx],
        }
    }

    /// The lines with an end in a point.
    pub fn ending_at(&self, at: Point) -> impl Iterator<Item = ([Point; 2], u32)> {
        let [x, y] = [at.x, at.y].map(f32x4::splat);
        let ends_there = |end: usize| f32x4::new(self.x[end]).simd_eq(x) & f32x4::new(self.y[end]).simd_eq(y);
        let ending = (ends_there(0) | ends_there(1)).to_bitmask();
        lanes(ending)
            .map(|lane| ([0, 1].map(|end| Point::new(self.x[end][lane], self.y[end][lane])), self.arcs[lane]))
    }
}

/// The indices of the bits that are set.
pub(crate) fn lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < F32_LANES).then_some(lane)
    })
}

/// The index.
pub(crate) struct SegmentGrid {
    /// The points of all arcs, one arc after the other.
    points: Vec<Point>,
    /// For each arc, the index of its first point. One more at the end.
    firsts: Vec<u32>,
    columns: usize,
    rows: usize,
    /// The lines, by the cells of their middles, row by row.
    fours: Vec<FourSegments>,
    /// For each cell, its first lane in `fours`. One more at the end.
    starts: Vec<u32>,
}

impl SegmentGrid {
    /// The lines along those arcs for which `is_kept` holds, in an image of `(width, height)`.
    pub fn new(edges: &Edges, is_kept: impl Fn(u32) -> bool, (width, height): (usize, usize)) -> Self {
        let cells = |size: usize| size / CELL_PX as usize + 1;
        let (mut points, mut firsts) = (Vec::new(), vec![0]);
        for arc in 0..edges.count() as u32 {
            if is_kept(arc) {
                edges.curve(&[(arc, false)]).flatten(LINE_PX, &mut points);
            }
            firsts.push(points.len() as u32);
        }
        let (columns, rows) = (cells(width), cells(height));
        let (fours, starts) = (Vec::new(), vec![0; columns * rows + 1]);
        let mut grid = SegmentGrid { points, firsts, columns, rows, fours, starts };
        grid.fill_cells();
        grid
    }

    /// Sorts the lines into their cells, by counting.
    fn fill_cells(&mut self) {
        let arcs = self.firsts.len() as u32 - 1;
        let mut starts = std::mem::take(&mut self.starts);
        let mut cells = Vec::with_capacity(self.points.len());
        for arc in 0..arcs {
            cells.extend(self.along(arc).windows(2).map(|ends| self.cell(ends) as u32));
        }
        cells.iter().for_each(|&cell| starts[cell as usize] += 1);
        let mut sum = 0;
        for start in &mut starts {
            let count = *start;
            *start += sum;
            sum += count.next_multiple_of(F32_LANES as u32);
        }
        let mut fours = vec![FourSegments::EMPTY; sum as usize / F32_LANES];
        let mut cells = cells.iter();
        // Filled from the end, each cell's end becomes its start.
        for arc in 0..arcs {
            for (ends, &cell) in self.along(arc).windows(2).zip(&mut cells) {
                let start = &mut starts[cell as usize];
                *start -= 1;
                let position = *start as usize;
                fours[position / F32_LANES].put(position % F32_LANES, ends, arc);
            }
        }
        (self.fours, self.starts) = (fours, starts);
    }

    /// The points along an arc; empty if it is not kept.
    pub fn along(&self, arc: u32) -> &[Point] {
        &self.points[self.firsts[arc as usize] as usize..self.firsts[arc as usize + 1] as usize]
    }

    /// The cell of a line between two points.
    fn cell(&self, ends: &[Point]) -> usize {
        let middle = (ends[0] + ends[1]) * 0.5;
        self.row(middle.y) * self.columns + self.column(middle.x)
    }

    fn row(&self, y: f32) -> usize {
        // Processors convert floats to signed numbers of 32 bits fastest.
        ((y * (1.0 / CELL_PX)) as i32).max(0).min(self.rows as i32 - 1) as usize
    }

    fn column(&self, x: f32) -> usize {
        ((x * (1.0 / CELL_PX)) as i32).max(0).min(self.columns as i32 - 1) as usize
    }

    /// Whether `holds` is true for any lines near to the way between two points. It is called with the lines of some cells at a time, all
    /// those that cross the way and others.
    #[inline(never)]
    pub fn any_near(&self, [from, to]: [Point; 2], holds: &mut dyn FnMut(&[FourSegments]) -> bool) -> bool {
        let (upper, lower) = if from.y < to.y { (from, to) } else { (to, from) };
        let per_row = 1.0 / (lower.y - upper.y).max(1e-6);
        (self.row(upper.y - HALF_PX)..=self.row(lower.y + HALF_PX)).any(|row| {
            let top = row as f32 * CELL_PX - HALF_PX - upper.y;
            // Not by `clamp`, which is calls in WebAssembly.
            let x = |y: f32| match y * per_row {
                part if part <= 0.0 => upper.x,
                part if part >= 1.0 => lower.x,
                part => upper.x + (lower.x - upper.x) * part,
            };
            let (a, b) = (x(top), x(top + CELL_PX + 2.0 * HALF_PX));
            let (left, right) = if a < b { (a, b) } else { (b, a) };
            let [first, last] = [self.column(left - HALF_PX), self.column(right + HALF_PX) + 1];
            let [first, last] =
                [first, last].map(|x| self.starts[row * self.columns + x] as usize / F32_LANES);
            holds(&self.fours[first..last])
        })
    }
}
