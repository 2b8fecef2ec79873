//! Divides edges by the pixels that they pass.

use crate::geometry::Point;

/// What of an edge lies in one pixel, or to the left of the image.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub pixel: u32,
    /// The height that it passes, positive downward: how much it adds to the coverage of all pixels on its right.
    pub rise: f32,
    /// How much it adds to the coverage of its own pixel.
    pub area: f32,
    /// How far the edge's two ends move it, as shares of the edge's length. Zero outside of the image.
    pub pull: [f32; 2],
}

/// Visits the pixels that an edge passes, in order. What lies above, below and on the right of the image is left out; what lies on its
/// left counts as the left border.
pub(crate) fn for_each_cell(
    [from, to]: [Point; 2],
    (width, height): (usize, usize),
    mut visit: impl FnMut(Cell),
) {
    let by = to - from;
    let (mut column, mut across) = Walk::new(from.x, by.x);
    let (mut row, mut down) = Walk::new(from.y, by.y);
    // An edge along the border between two rows or columns of pixels moves into either.
    let beyond = match (by.x == 0.0 && from.x.fract() == 0.0, by.y == 0.0 && from.y.fract() == 0.0) {
        (true, false) => 1,
        (false, true) => width as u32,
        _ => 0,
    };
    let (mut start, mut height_at) = (0.0, from.y);
    while start < 1.0 {
        let end = across.next.min(down.next).min(1.0);
        // Of a row that is passed from border to border, the whole height: rounding would add up along the row.
        let reached = if end == down.next {
            down.border as f32
        } else if end == 1.0 {
            to.y
        } else {
            from.y + by.y * end
        };
        let rise = reached - std::mem::replace(&mut height_at, reached);
        if end > start && row >= 0 && row < height as i32 && column < width as i32 {
            let (length, middle) = (end - start, 0.5 * (start + end));
            let inside = column >= 0;
            let along = if inside { (from.x + by.x * middle - column as f32).clamp(0.0, 1.0) } else { 0.0 };
            let share = if beyond == 0 { length } else { 0.5 * length };
            let pull = if inside { [share * (1.0 - middle), share * middle] } else { [0.0; 2] };
            let pixel = row as u32 * width as u32 + column.max(0) as u32;
            if beyond != 0 && pixel >= beyond && (beyond > 1 || column > 0) {
                visit(Cell { pixel: pixel - beyond, rise: 0.0, area: 0.0, pull });
            }
            visit(Cell { pixel, rise, area: rise * (1.0 - along), pull });
        }
        start = start.max(end);
        // At a corner of pixels, both are passed at once.
        if across.next <= start {
            column += across.pass();
        }
        if down.next <= start {
            row += down.pass();
        }
    }
}

/// Where an edge passes from column to column, or from row to row.
struct Walk {
    from: f32,
    by: f32,
    step: i32,
    border: i32,
    /// The share of the edge after which it passes the next border.
    next: f32,
}

impl Walk {
    /// The column or row in which the edge begins, and its walk.
    fn new(from: f32, by: f32) -> (i32, Self) {
        let floor = from.floor() as i32;
        let step = if by > 0.0 { 1 } else { -1 };
        let first = if by < 0.0 && from == floor as f32 { floor - 1 } else { floor };
        let mut walk = Walk { from, by, step, border: if by > 0.0 { first } else { first + 1 }, next: 0.0 };
        if by == 0.0 {
            walk.next = f32::INFINITY;
        } else {
            walk.pass();
        }
        (first, walk)
    }

    /// Moves to the next border.
    fn pass(&mut self) -> i32 {
        self.border += self.step;
        self.next = (self.border as f32 - self.from) / self.by;
        self.step
    }
}
