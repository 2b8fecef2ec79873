//! Divides edges by the pixels that they pass.

use crate::geometry::Point;

/// A piece of an edge, in one pixel.
#[derive(Clone, Copy, Default)]
pub(crate) struct Piece {
    pub edge: u32,
    /// By how much its middle moves with each end of the edge, times its share of the edge's length. Of what lies to the left of the image
    /// no pixel shows a move, and of an edge along a border of pixels each of the two shows half.
    pub shares: [f32; 2],
}

/// What of an edge lies in one pixel, or to the left of the image.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cell {
    pub column: u32,
    pub row: u32,
    pub piece: Piece,
    /// The height that it passes, positive downward: how much it adds to the coverage of all pixels on its right.
    pub rise: f32,
    /// How much it adds to the coverage of its own pixel.
    pub area: f32,
}

/// Appends what of an edge lies in the pixels that it passes, in order. What lies above, below and on the right of the image is left out;
/// what lies on its left counts as the left border.
pub(super) fn append_cells(
    edge: u32,
    [from, to]: [Point; 2],
    (width, height): (u32, u32),
    cells: &mut Vec<Cell>,
) {
    let (x, y) = (floor(from.x), floor(from.y));
    let by = to - from;
    let is_inside = |at: f32, least: i32| at > least as f32 && at < (least + 1) as f32;
    let is_short = is_inside(from.x, x) && is_inside(to.x, x) && is_inside(from.y, y) && is_inside(to.y, y);
    if is_short && (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
        let area = by.y * (1.0 - (from.x + 0.5 * by.x - x as f32));
        let piece = Piece { edge, shares: [0.5; 2] };
        cells.push(Cell { column: x as u32, row: y as u32, piece, rise: by.y, area });
        return;
    }
    let (mut column, mut across) = Walk::new(from.x, x, by.x);
    let (mut row, mut down) = Walk::new(from.y, y, by.y);
    let beyond = neighbor_along([from, to]);
    let shown = if beyond == (0, 0) { 1.0 } else { 0.5 };
    let (mut start, mut height_at) = (0.0, from.y);
    while start < 1.0 {
        // Of a row that is passed from border to border, the whole height: rounding would add up along the row.
        let (end, reached) = if down.next <= across.next && down.next <= 1.0 {
            (down.next, down.border as f32)
        } else if across.next < 1.0 {
            (across.next, from.y + by.y * across.next)
        } else {
            (1.0, to.y)
        };
        let rise = reached - std::mem::replace(&mut height_at, reached);
        if end > start && row >= 0 && row < height as i32 && column < width as i32 {
            let middle = 0.5 * (start + end);
            let (along, length) = if column >= 0 {
                ((from.x + by.x * middle - column as f32).clamp(0.0, 1.0), shown * (end - start))
            } else {
                (0.0, 0.0)
            };
            let piece = Piece { edge, shares: [length * (1.0 - middle), length * middle] };
            let area = rise * (1.0 - along);
            let cell = Cell { column: column.max(0) as u32, row: row as u32, piece, rise, area };
            if beyond != (0, 0) && column >= beyond.0 && row >= beyond.1 {
                let (column, row) = (cell.column - beyond.0 as u32, cell.row - beyond.1 as u32);
                cells.push(Cell { column, row, piece, rise: 0.0, area: 0.0 });
            }
            cells.push(cell);
        }
        start = if end > start { end } else { start };
        // At a corner of pixels, both are passed at once.
        column += across.pass(start);
        row += down.pass(start);
    }
}

/// How many columns and rows back the pixels are into which an edge moves, too: those beyond the border that it runs along.
fn neighbor_along([from, to]: [Point; 2]) -> (i32, i32) {
    let is_along = |from: f32, to: f32| from == to && from == floor(from) as f32;
    match (is_along(from.x, to.x), is_along(from.y, to.y)) {
        (true, false) => (1, 0),
        (false, true) => (0, 1),
        _ => (0, 0),
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
    border: i32,
    /// The share of the edge after which it passes the next border.
    next: f32,
}

impl Walk {
    /// The column or row in which the edge begins, and its walk.
    fn new(from: f32, floor: i32, by: f32) -> (i32, Self) {
        let step = if by > 0.0 { 1 } else { -1 };
        let first = if by < 0.0 && from == floor as f32 { floor - 1 } else { floor };
        let border = if by < 0.0 { first } else { first + 1 };
        let pace = if by == 0.0 { f32::INFINITY } else { 1.0 / by };
        (first, Walk { from, pace, step, border, next: (border as f32 - from) * pace })
    }

    /// Moves to the next border if this one is passed at `start`. Without a branch: none could be foretold.
    fn pass(&mut self, start: f32) -> i32 {
        let step = self.step * i32::from(self.next <= start);
        self.border += step;
        self.next = (self.border as f32 - self.from) * self.pace;
        step
    }
}
