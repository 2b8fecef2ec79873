//! Sub-pixel-rendered print: each color channel has a coverage of its own, a third of a pixel from the next.

use wide::f32x4;

use super::channels::{Channels, minus};

/// Least difference of ink and ground in each of R, G and B; with less, the coverage of a channel cannot be read.
///
/// Unit: levels of one channel (0–255). Source: tuned; no derivation is known.
const SUBPIXEL_LEAST_CONTRAST: f32 = 40.0;

/// Reads the share of an ink in each channel of a pixel.
pub(crate) struct ChannelShares {
    ground: Channels,
    /// For each channel, the share that one level of difference from the ground stands for.
    scale: Channels,
}

impl ChannelShares {
    /// `None` if ground and ink are too similar.
    pub fn new(ground: Channels, ink: Channels) -> Option<Self> {
        let way = minus(ink, ground);
        let is_apart = way[3] == 0.0 && way[..3].iter().all(|way| way.abs() >= SUBPIXEL_LEAST_CONTRAST);
        is_apart.then(|| ChannelShares { ground, scale: way.map(|way| 1.0 / way) })
    }

    /// The share of the ink in each channel of a color.
    pub fn of(&self, color: [u8; 4]) -> Channels {
        let way = minus(color.map(f32::from), self.ground);
        (f32x4::new(way) * f32x4::new(self.scale)).to_array()
    }
}
