//! Divides edges by the pixels that they pass.

use crate::geometry::Point;

/// What of an edge lies in one pixel, or to the left of the image.
pub(super) struct Cell {
    pub pixel: u32,
    /// By how much its middle moves with each end of the edge, times its share of the edge's length. Of what lies to the left of the image
    /// no pixel shows a move, and of an edge along a border of pixels each of the two shows half.
    pub shares: [f32; 2],
    /// The height that it passes, positive downward: how much it adds to the coverage of all pixels on its right.
    pub rise: f32,
    /// How much it adds to the coverage of its own pixel.
    pub area: f32,
}

/// Visits what of an edge lies in the pixels that it passes, in order. What lies above, below and on the right of the image is left out;
/// what lies on its left counts as the left border.
#[inline]
pub(super) fn for_each_cell(
    [from, to]: [Point; 2],
    (width, height): (u32, u32),
    mut visit: impl FnMut(Cell),
) {
    let by = to - from;
    let is_along = |at: f32, by: f32| by == 0.0 && at > 0.0 && at == floor(at) as f32;
    // How many columns and rows back the pixels are into which the edge moves, too: those beyond the border that it runs along.
    let beyond = [is_along(from.x, by.x), is_along(from.y, by.y)].map(i32::from);
    let shown = if beyond == [0; 2] { 1.0 } else { 0.5 };
    let (mut back, mut counts) = ([0; 2], 1.0);
    loop {
        let (mut column, mut across) = Walk::new(from.x, by.x);
        let (mut row, mut down) = Walk::new(from.y, by.y);
        (column, row) = (column - back[0], row - back[1]);
        let (mut start, mut height_at) = (0.0, from.y);
        while start < 1.0 {
            let next = if across.next < down.next { across.next } else { down.next };
            // Not a number counts as the end.
            let end = if next < 1.0 { next } else { 1.0 };
            // Of a row that is passed from border to border, the whole height: rounding would add up along the row.
            let reached = if down.next <= end {
                down.border
            } else if end < 1.0 {
                from.y + by.y * end
            } else {
                to.y
            };
            let rise = counts * (reached - std::mem::replace(&mut height_at, reached));
            if end > start && (row as u32) < height && column < width as i32 {
                let middle = 0.5 * (start + end);
                let (along, length) = if column >= 0 {
                    (from.x + by.x * middle - column as f32, shown * (end - start))
                } else {
                    (0.0, 0.0)
                };
                let to_end = length * middle;
                let pixel = row as u32 * width + column.max(0) as u32;
                visit(Cell { pixel, shares: [length - to_end, to_end], rise, area: rise * (1.0 - along) });
            }
            start = if end > start { end } else { start };
            // At a corner of pixels, both are passed at once.
            column += across.pass(start);
            row += down.pass(start);
        }
        if beyond == back {
            return;
        }
        (back, counts) = (beyond, 0.0);
    }
}

/// `f32::floor`, which is a call of a function on some targets.
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole - i32::from(whole as f32 > value)
}

/// Where an edge passes from column to column, or from row to row.
struct Walk {
    from: f32,
    /// Of the edge, what it takes to pass a pixel.
    pace: f32,
    step: i32,
    border: f32,
    /// The share of the edge after which it passes the next border.
    next: f32,
}

impl Walk {
    /// The column or row in which the edge begins, and its walk.
    fn new(from: f32, by: f32) -> (i32, Self) {
        let floor = floor(from);
        let step = if by > 0.0 { 1 } else { -1 };
        let first = if by < 0.0 && from == floor as f32 { floor - 1 } else { floor };
        let border = if by < 0.0 { first } else { first + 1 } as f32;
        let pace = if by == 0.0 { f32::INFINITY } else { 1.0 / by };
        (first, Walk { from, pace, step, border, next: (border - from) * pace })
    }

    /// Moves to the next border if this one is passed at `start`. Without a branch: none could be foretold.
    fn pass(&mut self, start: f32) -> i32 {
        let step = self.step * i32::from(self.next <= start);
        self.border += step as f32;
        self.next = (self.border - self.from) * self.pace;
        step
    }
}
