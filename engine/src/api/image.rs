//! The public image type: borrowed RGBA pixels whose size and length have been checked.

use super::error::{Error, MAX_SIDE_PX};

/// A borrowed image: 8-bit R, G, B, A per pixel in this order, straight alpha, sRGB, rows from top to bottom without padding.
///
/// ```
/// use tracesmith::{Error, Image};
///
/// let two_pixels = [29, 161, 242, 255, 255, 255, 255, 0];
/// assert_eq!(Image::new(2, 1, &two_pixels)?.width(), 2);
/// assert_eq!(Image::new(2, 2, &two_pixels).unwrap_err().code(), "invalid_length");
/// # Ok::<(), Error>(())
/// ```
///
/// # Guarantees
/// Both sides are 1 to [`MAX_SIDE_PX`](Image::MAX_SIDE_PX) and the buffer holds exactly
/// `width × height × 4` bytes.
#[derive(Debug, Clone, Copy)]
pub struct Image<'a> {
    width: u32,
    height: u32,
    rgba: &'a [u8],
}

impl<'a> Image<'a> {
    /// The longest side accepted, in pixels. Up to this size, an `f32` holds positions in steps of 1/256 px.
    pub const MAX_SIDE_PX: u32 = MAX_SIDE_PX;

    /// Borrows `rgba`, which must hold `width × height × 4` bytes. Nothing is copied.
    ///
    /// # Errors
    /// [`Error::InvalidDimensions`] if a side is not 1 to [`MAX_SIDE_PX`](Image::MAX_SIDE_PX) pixels long, [`Error::InvalidLength`] if the
    /// buffer has another length.
    pub fn new(width: u32, height: u32, rgba: &'a [u8]) -> Result<Self, Error> {
        let side_ok = |side: u32| (1..=Self::MAX_SIDE_PX).contains(&side);
        if !side_ok(width) || !side_ok(height) {
            return Err(Error::InvalidDimensions { width, height });
        }
        let expected = u64::from(width) * u64::from(height) * 4;
        if rgba.len() as u64 != expected {
            return Err(Error::InvalidLength { expected, received: rgba.len() as u64 });
        }
        Ok(Image { width, height, rgba })
    }

    /// The width, in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The height, in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels: `width × height × 4` bytes.
    pub fn rgba(&self) -> &'a [u8] {
        self.rgba
    }
}
