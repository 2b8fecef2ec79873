use wide::{f32x4, i32x4};

use crate::color::Channels;

/// Pixel count and channel sums of a growing region; of one of millions of pixels so many times less of both that they fit.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColorSums {
    count: i32,
    sum: [i32; 4],
}

impl ColorSums {
    pub fn area(&self) -> u32 {
        self.count as u32
    }

    /// To the last bit, once for each region.
    pub fn exact_mean(&self) -> Channels {
        self.sum.map(|sum| (f64::from(sum) / f64::from(self.count)) as f32)
    }

    pub fn mean(&self) -> Channels {
        (f32x4::from_i32x4(i32x4::new(self.sum)) * f32x4::splat(1.0 / self.count as f32)).to_array()
    }

    pub fn add(&mut self, value: &[u8; 4], count: i32) {
        let sum = (i32x4::new(value.each_ref().map(|&v| i32::from(v))) * i32x4::splat(count)).to_array();
        *self = self.and(&ColorSums { count, sum });
    }

    /// Where the sums would outgrow their bits, they are halved; the mean stays.
    pub fn and(&self, other: &ColorSums) -> ColorSums {
        /// Two sums of so many 8-bit values fit into 31 bits.
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
