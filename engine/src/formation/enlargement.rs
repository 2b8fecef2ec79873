//! Recognizes pictures that were enlarged.

use crate::raster::Pixels;

/// How a picture was enlarged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enlargement {
    /// Width and height before.
    pub size: (usize, usize),
}

impl Enlargement {
    pub fn of(_pixels: &Pixels) -> Option<Self> {
        None
    }
}
