//! Decodes BMP files: those that Windows writes and those of OS/2, without the compressions that only OS/2 has, and without JPEG and
//! PNG inside. Not with the crate `image`: it adds 20 kB to the WebAssembly module, this decoder 4.

mod header;
mod pixels;

use header::Header;
use tracesmith::push_numbers;

/// The largest image to decode; checked against the header before memory is allocated for pixels.
pub(crate) struct Limits {
    /// Width × height.
    pub max_pixels: u64,
    /// Longest side, in pixels.
    pub max_side_px: u32,
}

/// What is wrong with a file, as the end of a sentence.
type Problem = &'static str;
const TRUNCATED: Problem = "is truncated";
const CORRUPT: Problem = "is corrupt";
const UNSUPPORTED: Problem = "has an unsupported format";

/// Pixels before those of the image in the result: their bytes hold width and height.
const SIZE_PIXELS: usize = 2;
/// So many that their bytes can be counted.
const MOST_PIXELS: u64 = (isize::MAX / 4) as u64 - SIZE_PIXELS as u64;

/// Decodes a BMP to width and height, each a little-endian `u32`, and straight-alpha sRGB RGBA in one buffer, which JavaScript copies
/// out in one call.
///
/// # Errors
/// `image_too_large: …` or `invalid_image: …`.
pub(crate) fn decode(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, String> {
    let header = Header::read(bytes).map_err(invalid)?;
    let (width, height) = (header.width, header.height);
    if width == 0 || height == 0 {
        return Err(invalid("has an empty side"));
    }
    let count = u64::from(width) * u64::from(height);
    if count > limits.max_pixels.min(MOST_PIXELS) || width.max(height) > limits.max_side_px {
        return Err(too_large(width, height, limits));
    }
    let encoded = header.encoded(bytes).map_err(invalid)?;
    // What a file leaves out is black.
    let mut pixels = vec![[0, 0, 0, u8::MAX]; SIZE_PIXELS + count as usize];
    let (size, image) = pixels.split_at_mut(SIZE_PIXELS);
    size.copy_from_slice(&[width.to_le_bytes(), height.to_le_bytes()]);
    encoded.decode(image).map_err(invalid)?;
    Ok(pixels.into_flattened())
}

fn invalid(problem: Problem) -> String {
    String::from("invalid_image: the BMP ") + problem
}

fn too_large(width: u32, height: u32, limits: &Limits) -> String {
    let mut text = String::new();
    let parts = [
        ("image_too_large: the BMP has ", width.into()),
        (" × ", height.into()),
        (" px; the limit is ", limits.max_pixels),
        (" pixels and ", limits.max_side_px.into()),
    ];
    push_numbers(&mut text, &parts);
    text.push_str(" px per side");
    text
}
