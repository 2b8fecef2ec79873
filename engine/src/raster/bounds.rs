//! Where pixels lie: columns and rows, and the bounds of several pixels.

/// The smallest rectangle of columns and rows that holds some pixels.
pub(crate) struct Bounds {
    pub left: u32,
    pub top: u32,
    /// The last column.
    pub right: u32,
    /// The last row.
    pub bottom: u32,
}

impl Bounds {
    /// Those of no pixels.
    pub const NONE: Bounds = Bounds { left: u32::MAX, top: u32::MAX, right: 0, bottom: 0 };

    /// Widens the bounds so that they hold a pixel of an image of some width.
    #[inline]
    pub fn add(&mut self, pixel: u32, width: u32) {
        let (x, y) = column_and_row(pixel, width);
        let Bounds { left, top, right, bottom } = *self;
        *self = Bounds { left: left.min(x), top: top.min(y), right: right.max(x), bottom: bottom.max(y) };
    }

    /// The width or the height, whichever is greater, of bounds that hold pixels.
    pub fn extent(&self) -> u32 {
        (self.right - self.left).max(self.bottom - self.top) + 1
    }
}

/// The column and row of a pixel. One division of 32 bits: a remainder would be a second division in WebAssembly, and 64 bits take
/// several times as long natively.
pub(crate) fn column_and_row(pixel: u32, width: u32) -> (u32, u32) {
    let row = pixel / width;
    (pixel - row * width, row)
}
