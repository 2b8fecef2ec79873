//! The rows around a row, with margins, so that windows need no case for the picture's edges.

use wide::{bytemuck, u8x16};

use crate::algorithms::{CHUNK, is_uniform};

/// Pixels of a vector.
pub(super) const LANES: usize = 4;

/// How far windows reach to each side.
///
/// Unit: pixels. Source: a filter of five rows and columns; wider ones lose what is small.
pub(super) const REACH: usize = 2;

/// Rows of a window.
pub(super) const ROWS: usize = 2 * REACH + 1;

/// The rows around a row of a picture. The pixels beyond the picture's edges equal the nearest within.
pub(super) struct WindowRows {
    /// Each has [`REACH`] pixels before the first, and as many as a chunk after the last.
    rows: [Vec<[u8; 4]>; ROWS],
    width: usize,
    y: usize,
}

impl WindowRows {
    /// Before the first row of a picture.
    pub fn new(data: &[[u8; 4]], width: usize) -> Self {
        let mut windows = WindowRows { rows: Default::default(), width, y: 0 };
        for k in 1..ROWS {
            windows.read(data, k.saturating_sub(REACH + 1), k);
        }
        windows
    }

    /// Goes on to the next row. Rows that were read before may have changed since.
    #[inline(never)]
    pub fn advance(&mut self, data: &[[u8; 4]]) {
        self.rows.rotate_left(1);
        self.read(data, self.y + REACH, ROWS - 1);
        self.y += 1;
    }

    /// Reads a row of the picture, or the last one, into row `place` of the window.
    #[inline(never)]
    fn read(&mut self, data: &[[u8; 4]], y: usize, place: usize) {
        let y = y.min(data.len() / self.width - 1);
        let row = &data[y * self.width..][..self.width];
        let padded = &mut self.rows[place];
        padded.clear();
        padded.resize(REACH, row[0]);
        padded.extend_from_slice(row);
        padded.resize(self.width + 2 * REACH + CHUNK, row[self.width - 1]);
    }

    /// The first pixels of each row from the window of pixel `x` on: the windows of `count` pixels.
    pub fn spans(&self, x: usize, count: usize) -> [&[[u8; 4]]; ROWS] {
        self.rows.each_ref().map(|row| &row[x..x + count + 2 * REACH])
    }

    /// Whether all pixels in the windows of a chunk are equal.
    #[inline(never)]
    pub fn is_uniform(&self, x: usize) -> bool {
        let value = self.rows[0][x];
        self.spans(x, CHUNK).iter().all(|span| {
            let ends = [span.first_chunk::<CHUNK>(), span.last_chunk()];
            ends.into_iter().flatten().all(|chunk| is_uniform(chunk, value))
        })
    }
}

/// The first pixels of a row as a vector.
pub(super) fn lanes(row: &[[u8; 4]]) -> u8x16 {
    bytemuck::cast::<[[u8; 4]; LANES], _>(row.first_chunk().copied().unwrap_or_default())
}
