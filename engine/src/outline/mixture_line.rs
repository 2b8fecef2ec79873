//! The mixtures of the two paints beside an edge: takes colors, gives the share of the second paint in each.

use wide::{bytemuck, f32x4, i32x4, u32x4};

use crate::color::{Channels, distance_sq, minus};

/// The mixtures of two paints: measures the share of the second one in a color.
pub(crate) struct MixtureLine {
    from: Channels,
    along: Channels,
    length_sq: f32,
}

impl MixtureLine {
    pub fn new(from: Channels, to: Channels) -> Self {
        MixtureLine { from, along: minus(to, from), length_sq: distance_sq(from, to) }
    }

    /// The share of the second paint in each of four colors, 0 to 1. Four at once, since within one color each addend waits for the one
    /// before.
    pub fn shares(&self, values: [[u8; 4]; 4]) -> [f32; 4] {
        if self.length_sq == 0.0 {
            return [0.0; 4];
        }
        let values = u32x4::new(values.map(u32::from_le_bytes));
        let part = |c: usize| {
            let channel: i32x4 = bytemuck::cast(values >> (8 * c as u32) & u32x4::splat(0xFF));
            (f32x4::from_i32x4(channel) - f32x4::splat(self.from[c])) * f32x4::splat(self.along[c])
        };
        let share = (part(0) + part(1) + part(2) + part(3)) / f32x4::splat(self.length_sq);
        let share = share & share.simd_gt(f32x4::ZERO);
        share.simd_lt(f32x4::ONE).bitselect(share, f32x4::ONE).to_array()
    }
}
