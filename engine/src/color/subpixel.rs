use wide::f32x4;

use super::channels::{Channels, minus};

/// Ink and paper are so many levels apart in each of the three channels: within less there are no shares to be read.
const SUBPIXEL_LEAST_CONTRAST: f32 = 40.0;

/// The ink's share in each channel of a pixel.
pub(crate) struct ChannelShares {
    paper: Channels,
    /// What a level is of the way from paper to ink.
    scale: Channels,
}

impl ChannelShares {
    /// None where paper and ink are too near to each other.
    pub fn new(paper: Channels, ink: Channels) -> Option<Self> {
        let way = minus(ink, paper);
        let is_apart = way[3] == 0.0 && way[..3].iter().all(|way| way.abs() >= SUBPIXEL_LEAST_CONTRAST);
        is_apart.then(|| ChannelShares { paper, scale: way.map(|way| 1.0 / way) })
    }

    pub fn of(&self, color: [u8; 4]) -> Channels {
        let way = minus(color.map(f32::from), self.paper);
        (f32x4::new(way) * f32x4::new(self.scale)).to_array()
    }
}

/// In which order the channels of a pixel change over between those of two others: 1 from the first channel to the last, -1 from the last
/// to the first; 0 where they do not, or all at once.
#[inline(never)]
pub(crate) fn channel_order([before, here, after]: [[u8; 4]; 3]) -> i32 {
    /// The shares of the first and the last are so far apart.
    const SPREAD: f32 = 0.15;
    let Some(shares) = ChannelShares::new(before.map(f32::from), after.map(f32::from)) else { return 0 };
    let [r, g, b, _] = shares.of(here);
    let is_between = [r, g, b].iter().all(|share| (0.0..=1.0).contains(share)) && (g - r) * (b - g) >= 0.0;
    if is_between && (b - r).abs() > SPREAD { (b - r).signum() as i32 } else { 0 }
}
