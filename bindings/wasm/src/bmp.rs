use std::io::Cursor;

use image::codecs::bmp::BmpDecoder;
use image::{ColorType, ImageDecoder};

/// What a picture may measure; checked against the header, before anything is allocated for pixels.
pub(crate) struct Limits {
    /// Most pixels, width × height.
    pub max_pixels: u64,
    /// Longest side, in pixels.
    pub max_side_px: u32,
}

/// Bytes before the pixels in the answer: width and height, each a little-endian `u32`.
const HEADER_BYTES: usize = 8;

/// Decodes a BMP to width, height and straight-alpha sRGB RGBA in one buffer, so that one copy takes it out.
///
/// # Errors
/// `image_too_large: …` or `invalid_image: …`.
pub(crate) fn decode(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, String> {
    // The decoder has a bound of its own, with an error that cannot be told from a broken file's.
    if let Some((width, height)) = stated_size(bytes) {
        check(width, height, limits)?;
    }
    let decoder = BmpDecoder::new(Cursor::new(bytes)).map_err(invalid)?;
    let (width, height) = decoder.dimensions();
    check(width, height, limits)?;
    let color = decoder.color_type();
    let size = usize::try_from(decoder.total_bytes()).map_err(|_| too_large(width, height, limits))?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(invalid)?;
    let mut answer = Vec::with_capacity(HEADER_BYTES + width as usize * height as usize * 4);
    answer.extend(width.to_le_bytes());
    answer.extend(height.to_le_bytes());
    append_rgba(&mut answer, &pixels, color)?;
    Ok(answer)
}

/// Width and height as the header states them; `None` where it has another shape: the decoder says what is wrong.
fn stated_size(bytes: &[u8]) -> Option<(u32, u32)> {
    const OS2_HEADER_BYTES: u32 = 12;
    let at = |offset: usize| Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?));
    if at(14)? == OS2_HEADER_BYTES {
        let both = at(18)?;
        return Some((both & 0xffff, both >> 16));
    }
    // A negative height means that the top row comes first.
    Some((at(18)?, at(22)?.cast_signed().unsigned_abs()))
}

fn check(width: u32, height: u32, limits: &Limits) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err(format!("invalid_image: BMP of {width} × {height} px"));
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.max_pixels || width.max(height) > limits.max_side_px {
        return Err(too_large(width, height, limits));
    }
    Ok(())
}

fn append_rgba(answer: &mut Vec<u8>, pixels: &[u8], color: ColorType) -> Result<(), String> {
    match color {
        ColorType::Rgba8 => answer.extend_from_slice(pixels),
        ColorType::Rgb8 => {
            let (triples, _) = pixels.as_chunks::<3>();
            answer.extend(triples.iter().flat_map(|&[r, g, b]| [r, g, b, u8::MAX]));
        }
        ColorType::L8 => answer.extend(pixels.iter().flat_map(|&luma| [luma, luma, luma, u8::MAX])),
        _ => return Err("invalid_image: BMP of an unexpected color type".into()),
    }
    Ok(())
}

// What the decoder says in detail would take 10 kB of the module.
fn invalid(error: image::ImageError) -> String {
    let what = match error {
        image::ImageError::Unsupported(_) => "is of a kind that is not supported",
        image::ImageError::IoError(_) => "ends too early",
        _ => "is broken",
    };
    format!("invalid_image: BMP {what}")
}

fn too_large(width: u32, height: u32, limits: &Limits) -> String {
    let Limits { max_pixels, max_side_px } = limits;
    format!(
        "image_too_large: BMP of {width} × {height} px, more than {max_pixels} pixels or {max_side_px} px a side"
    )
}
