use std::io::Cursor;

use image::codecs::bmp::BmpDecoder;
use image::{ColorType, ImageDecoder};

/// The largest image to decode; checked against the header before memory is allocated for pixels.
pub(crate) struct Limits {
    /// Width × height.
    pub max_pixels: u64,
    /// Longest side, in pixels.
    pub max_side_px: u32,
}

/// Bytes before the pixels in the result: width and height, each a little-endian `u32`.
const HEADER_BYTES: usize = 8;

/// Decodes a BMP to width, height and straight-alpha sRGB RGBA in one buffer, which JavaScript copies out in one call.
///
/// # Errors
/// `image_too_large: …` or `invalid_image: …`.
pub(crate) fn decode(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, String> {
    // Checked before the decoder's own limit, whose error does not differ from that of a corrupt file.
    if let Some((width, height)) = header_size(bytes) {
        check(width, height, limits)?;
    }
    let decoder = BmpDecoder::new(Cursor::new(bytes)).map_err(invalid)?;
    let (width, height) = decoder.dimensions();
    check(width, height, limits)?;
    let color = decoder.color_type();
    let size = usize::try_from(decoder.total_bytes()).map_err(|_| too_large(width, height, limits))?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(invalid)?;
    let mut result = Vec::with_capacity(HEADER_BYTES + width as usize * height as usize * 4);
    result.extend(width.to_le_bytes());
    result.extend(height.to_le_bytes());
    append_rgba(&mut result, &pixels, color)?;
    Ok(result)
}

/// Width and height from the header; `None` if it is too short, which the decoder reports.
fn header_size(bytes: &[u8]) -> Option<(u32, u32)> {
    const OS2_HEADER_BYTES: u32 = 12;
    let at = |offset: usize| Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?));
    if at(14)? == OS2_HEADER_BYTES {
        let size = at(18)?;
        return Some((size & 0xffff, size >> 16));
    }
    // A negative height means that rows run from top to bottom.
    Some((at(18)?, at(22)?.cast_signed().unsigned_abs()))
}

fn check(width: u32, height: u32, limits: &Limits) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err(format!("invalid_image: the BMP has an empty side: {width} × {height} px"));
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.max_pixels || width.max(height) > limits.max_side_px {
        return Err(too_large(width, height, limits));
    }
    Ok(())
}

fn append_rgba(result: &mut Vec<u8>, pixels: &[u8], color: ColorType) -> Result<(), String> {
    match color {
        ColorType::Rgba8 => result.extend_from_slice(pixels),
        ColorType::Rgb8 => {
            let (triples, _) = pixels.as_chunks::<3>();
            result.extend(triples.iter().flat_map(|&[r, g, b]| [r, g, b, u8::MAX]));
        }
        ColorType::L8 => result.extend(pixels.iter().flat_map(|&luma| [luma, luma, luma, u8::MAX])),
        _ => return Err("invalid_image: the BMP has an unsupported color type".into()),
    }
    Ok(())
}

// Formatting the decoder's own message would add 10 kB to the module.
fn invalid(error: image::ImageError) -> String {
    let problem = match error {
        image::ImageError::Unsupported(_) => "has an unsupported format",
        image::ImageError::IoError(_) => "is truncated",
        _ => "is corrupt",
    };
    format!("invalid_image: the BMP {problem}")
}

fn too_large(width: u32, height: u32, limits: &Limits) -> String {
    let Limits { max_pixels, max_side_px } = limits;
    format!(
        "image_too_large: the BMP has {width} × {height} px; the limit is {max_pixels} pixels and {max_side_px} px per side"
    )
}
