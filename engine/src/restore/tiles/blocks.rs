//! What colors the pixels of a blurred picture can have had.
//!
//! Where the darkest or brightest color around a pixel is that of a flat area, nothing was darker or brighter: what a correction adds beyond
//! is ringing. Where it is that of a thin line or a small dot, the blur has weakened it, and nothing bounds it.

use wide::f32x4;

/// Colors that differ by less than this are one color, rounded.
///
/// Unit: levels of one channel (0–255). Source: half a level of rounding, as the corrections bring it up; half of it and twice as much give
/// the same.
pub(super) const ROUNDING: u8 = 4;

/// The extreme colors of square blocks of pixels.
pub(super) struct Blocks {
    /// The binary logarithm of their side.
    shift: u32,
    columns: usize,
    extremes: Vec<Extremes>,
}

/// The least and the greatest value of each channel: of all pixels, and of those in flat areas.
type Extremes = [[f32x4; 2]; 2];

const NONE: [f32x4; 2] = [f32x4::splat(255.0), f32x4::ZERO];

impl Blocks {
    /// For a square picture.
    pub fn new(side: usize, shift: u32) -> Self {
        let columns = (side >> shift) + 1;
        Blocks { shift, columns, extremes: vec![[NONE; 2]; columns * columns] }
    }

    fn of(&self, [x, y]: [usize; 2]) -> usize {
        (y >> self.shift) * self.columns + (x >> self.shift)
    }

    /// Whether a block begins one pixel before this column.
    pub fn begins_before(&self, x: usize) -> bool {
        (x - 1) & ((1 << self.shift) - 1) == 0
    }

    #[inline(never)]
    pub fn add(&mut self, place: [usize; 2], color: [u8; 4], is_flat: bool) {
        let block = self.of(place);
        let color = f32x4::new(color.map(f32::from));
        for extremes in &mut self.extremes[block][..1 + usize::from(is_flat)] {
            *extremes = joined(*extremes, [color; 2]);
        }
    }

    /// Adds to each block the eight around it.
    #[inline(never)]
    pub fn join_neighbors(&mut self) {
        for step in [1, self.columns] {
            let alone = self.extremes.clone();
            for (i, extremes) in self.extremes.iter_mut().enumerate() {
                for j in [i.wrapping_sub(step), i + step] {
                    let is_beside = step > 1 || j / self.columns == i / self.columns;
                    if let Some(others) = alone.get(j).filter(|_| is_beside) {
                        *extremes = [joined(extremes[0], others[0]), joined(extremes[1], others[1])];
                    }
                }
            }
        }
    }

    /// The least and the greatest value of each channel that a pixel can have had.
    #[inline(never)]
    pub fn bounds(&self, place: [usize; 2]) -> [f32x4; 2] {
        let [[least, greatest], flat] = self.extremes[self.of(place)];
        let rounding = f32x4::splat(ROUNDING.into());
        let [zero, full] = [f32x4::ZERO, NONE[0]];
        [
            least.simd_lt(flat[0] - rounding).select(zero, least),
            greatest.simd_gt(flat[1] + rounding).select(full, greatest),
        ]
    }
}

fn joined(a: [f32x4; 2], b: [f32x4; 2]) -> [f32x4; 2] {
    [a[0].fast_min(b[0]), a[1].fast_max(b[1])]
}
