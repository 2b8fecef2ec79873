//! Color sums of growing regions.

use wide::{f32x4, i32x4};

use crate::color::Channels;

/// The pixel count and the channel sums of a region. For a region of millions of pixels, both are scaled down together until they fit.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColorSums {
    count: i32,
    sum: [i32; 4],
}

impl ColorSums {
    /// The pixel count, scaled down in regions of more than four million pixels.
    pub fn area(&self) -> u32 {
        self.count as u32
    }

    /// The mean color, exact to the last bit; slower than [`mean`](ColorSums::mean).
    pub fn exact_mean(&self) -> Channels {
        self.sum.map(|sum| (f64::from(sum) / f64::from(self.count)) as f32)
    }

    /// The mean color.
    pub fn mean(&self) -> Channels {
        (f32x4::from_i32x4(i32x4::new(self.sum)) * f32x4::splat(1.0 / self.count as f32)).to_array()
    }

    /// Adds `count` pixels of one color.
    pub fn add(&mut self, value: &[u8; 4], count: i32) {
        let sum = (i32x4::new(value.each_ref().map(|&v| i32::from(v))) * i32x4::splat(count)).to_array();
        *self = self.and(&ColorSums { count, sum });
    }

    /// The sums of two regions together. If they could overflow, count and sums are halved, which keeps the mean.
    pub fn and(&self, other: &ColorSums) -> ColorSums {
        /// Sums of fewer 8-bit values than twice this fit into 31 bits.
        const MOST_COUNTED: i32 = 1 << 22;
        let count = self.count + other.count;
        let sum = (i32x4::new(self.sum) + i32x4::new(other.sum)).to_array();
        if count < MOST_COUNTED {
            ColorSums { count, sum }
        } else {
            ColorSums { count: count / 2, sum: sum.map(|s| s / 2) }
        }
    }
}
