use super::error::{Error, MAX_SIDE_PX};

/// A borrowed picture: 8-bit RGBA, straight alpha, sRGB, rows top to bottom without padding.
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
    /// The longest side taken, in pixels: positions stay exact in `f32` arithmetic.
    pub const MAX_SIDE_PX: u32 = MAX_SIDE_PX;

    /// Wraps `rgba`, `width × height × 4` bytes.
    ///
    /// # Errors
    /// [`Error::InvalidDimensions`] and [`Error::InvalidLength`].
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

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The bytes, `width × height × 4`.
    pub fn rgba(&self) -> &'a [u8] {
        self.rgba
    }
}
