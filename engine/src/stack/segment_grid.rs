//! The edges as they are drawn, cut into short lines that are found by where they lie.

use crate::algorithms::F32_LANES;
use wide::f32x4;

use crate::fit::Edges;
use crate::geometry::Point;

/// Lines are about as long, px.
pub(crate) const LINE_PX: f32 = 1.5;
/// A line's middle lies nearer than this to all of it, px: where a curve is fast its lines are longer.
const HALF_PX: f32 = 1.0;
/// Lines are kept by squares of this side, px.
const CELL_PX: f32 = 6.0;
/// Where no line is, px: far from every picture.
const NOWHERE_PX: f32 = -1e6;

/// Lines side by side.
#[derive(Clone, Copy)]
pub(crate) struct FourSegments {
    /// Where they begin and where they end.
    x: [[f32; F32_LANES]; 2],
    y: [[f32; F32_LANES]; 2],
    pub arcs: [u32; F32_LANES],
}

/// Where the ends of some lines lie, from the start and from the end of each: along a direction, and to its right.
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

    pub fn seen(&self, at: Point, direction: Point) -> RelativeEnds {
        let [x, y, dx, dy] = [at.x, at.y, direction.x, direction.y].map(f32x4::splat);
        let [ax, bx] = self.x.map(|of| f32x4::new(of) - x);
        let [ay, by] = self.y.map(|of| f32x4::new(of) - y);
        RelativeEnds {
            along: [dx * ax + dy * ay, dx * bx + dy * by],
            aside: [dx * ay - dy * ax, dx * by - dy * bx],
        }
    }

    /// Those that end at a place.
    pub fn ending(&self, at: Point) -> impl Iterator<Item = ([Point; 2], u32)> {
        let [x, y] = [at.x, at.y].map(f32x4::splat);
        let ends_there = |end: usize| f32x4::new(self.x[end]).simd_eq(x) & f32x4::new(self.y[end]).simd_eq(y);
        let ending = (ends_there(0) | ends_there(1)).to_bitmask();
        lanes(ending)
            .map(|lane| ([0, 1].map(|end| Point::new(self.x[end][lane], self.y[end][lane])), self.arcs[lane]))
    }
}

/// The lanes of the bits that are set.
pub(crate) fn lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < F32_LANES).then_some(lane)
    })
}

/// Lines along arcs.
pub(crate) struct SegmentGrid {
    /// The arcs' points one after the other, from the start of each to its end.
    points: Vec<Point>,
    /// For each arc, its first point; one more at the end.
    firsts: Vec<u32>,
    columns: usize,
    rows: usize,
    /// By the cells of their middles, row by row.
    fours: Vec<FourSegments>,
    /// For each cell, the first lane of its fours; one more at the end.
    starts: Vec<u32>,
}

impl SegmentGrid {
    /// Lines along those arcs of which `is_kept` holds.
    pub fn new(edges: &Edges, is_kept: impl Fn(u32) -> bool, (width, height): (usize, usize)) -> Self {
        let cells = |size: usize| size / CELL_PX as usize + 1;
        let (mut points, mut firsts) = (Vec::new(), vec![0]);
        for arc in 0..edges.count() as u32 {
            if is_kept(arc) {
                edges.run(&[(arc, false)]).flatten(LINE_PX, &mut points);
            }
            firsts.push(points.len() as u32);
        }
        let (columns, rows) = (cells(width), cells(height));
        let (fours, starts) = (Vec::new(), vec![0; columns * rows + 1]);
        let mut lines = SegmentGrid { points, firsts, columns, rows, fours, starts };
        lines.put_in_cells();
        lines
    }

    fn put_in_cells(&mut self) {
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
        // Each cell's end becomes its start.
        for arc in 0..arcs {
            for (ends, &cell) in self.along(arc).windows(2).zip(&mut cells) {
                let start = &mut starts[cell as usize];
                *start -= 1;
                let place = *start as usize;
                fours[place / F32_LANES].put(place % F32_LANES, ends, arc);
            }
        }
        (self.fours, self.starts) = (fours, starts);
    }

    /// The points along an arc; none where it is not kept.
    pub fn along(&self, arc: u32) -> &[Point] {
        &self.points[self.firsts[arc as usize] as usize..self.firsts[arc as usize + 1] as usize]
    }

    /// The cell of a line between two points.
    fn cell(&self, ends: &[Point]) -> usize {
        let middle = (ends[0] + ends[1]) * 0.5;
        self.row(middle.y) * self.columns + self.column(middle.x)
    }

    fn row(&self, y: f32) -> usize {
        // Signed numbers of 32 bits are the ones that processors convert to.
        ((y * (1.0 / CELL_PX)) as i32).max(0).min(self.rows as i32 - 1) as usize
    }

    fn column(&self, x: f32) -> usize {
        ((x * (1.0 / CELL_PX)) as i32).max(0).min(self.columns as i32 - 1) as usize
    }

    /// Whether something holds for lines, given a few at a time: those near to the way from one place to another, and others.
    #[inline(never)]
    pub fn any(
        &self,
        [from, to]: [Point; 2],
        around_px: f32,
        holds: &mut dyn FnMut(&[FourSegments]) -> bool,
    ) -> bool {
        let around = around_px + HALF_PX;
        let (upper, lower) = if from.y < to.y { (from, to) } else { (to, from) };
        let per_row = 1.0 / (lower.y - upper.y).max(1e-6);
        (self.row(upper.y - around)..=self.row(lower.y + around)).any(|row| {
            let top = row as f32 * CELL_PX - around - upper.y;
            // Not by `clamp`, which is calls in WebAssembly.
            let x = |y: f32| match y * per_row {
                part if part <= 0.0 => upper.x,
                part if part >= 1.0 => lower.x,
                part => upper.x + (lower.x - upper.x) * part,
            };
            let (a, b) = (x(top), x(top + CELL_PX + 2.0 * around));
            let (left, right) = if a < b { (a, b) } else { (b, a) };
            let [first, last] = [self.column(left - around), self.column(right + around) + 1];
            let [first, last] =
                [first, last].map(|x| self.starts[row * self.columns + x] as usize / F32_LANES);
            holds(&self.fours[first..last])
        })
    }
}
