//! Sub-pixel-rendered print: each color channel has a coverage of its own, a third of a pixel from the next.

use wide::f32x4;

use super::channels::{Channels, minus};

/// Least difference of ink and ground in each of R, G and B; with less, the coverage of a channel cannot be read.
///
/// Unit: levels of one channel (0–255). Source: tuned; no derivation is known.
const SUBPIXEL_LEAST_CONTRAST: f32 = 40.0;

/// Least difference of the coverages of R and B at a pixel that changes from channel to channel.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const CHANNEL_LEAST_SPREAD: f32 = 0.15;

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

/// The order in which the channels of the pixel `here` change from the color `before` to the color `after`: 1 for R, G, B, -1 for B, G, R,
/// 0 if they do not change one after the other.
#[inline(never)]
pub(crate) fn channel_order([before, here, after]: [[u8; 4]; 3]) -> i32 {
    let Some(shares) = ChannelShares::new(before.map(f32::from), after.map(f32::from)) else { return 0 };
    let [r, g, b, _] = shares.of(here);
    let is_between = [r, g, b].iter().all(|share| (0.0..=1.0).contains(share)) && (g - r) * (b - g) >= 0.0;
    if is_between && (b - r).abs() > CHANNEL_LEAST_SPREAD { (b - r).signum() as i32 } else { 0 }
}
