//! Recognizes what lies over the paints of a picture: noise, dither, and what compression leaves.

use crate::raster::Pixels;

/// What lies over the paints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    /// How far pixels lie from their paint: the standard deviation of a channel, in levels.
    pub deviation: f32,
}

impl Grain {
    pub fn of(_pixels: &Pixels) -> Option<Self> {
        None
    }
}
