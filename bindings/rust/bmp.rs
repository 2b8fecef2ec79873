//! Decodes BMP files: those that Windows writes and those of OS/2, without the compressions that only OS/2 has.

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
    let (width, height) = header_size(bytes).ok_or_else(|| invalid("is truncated"))?;
    check(width, height, limits)?;
    let rewritten = with_known_header(bytes);
    let decoder = BmpDecoder::new(Cursor::new(rewritten.as_deref().unwrap_or(bytes))).map_err(describe)?;
    let color = decoder.color_type();
    let size = usize::try_from(decoder.total_bytes()).map_err(|_| too_large(width, height, limits))?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(describe)?;
    let mut result = Vec::with_capacity(HEADER_BYTES + width as usize * height as usize * 4);
    result.extend(width.to_le_bytes());
    result.extend(height.to_le_bytes());
    append_rgba(&mut result, &pixels, color);
    Ok(result)
}

/// Length of the file header. An info header follows, which starts with its own length.
const HEADER_START: usize = 14;
const OS2_V1_BYTES: u32 = 12;
const INFO_BYTES: u32 = 40;
/// With masks of the channels.
const V2_BYTES: u32 = 52;
const V3_BYTES: u32 = 56;
/// Offsets in the file, in bytes.
const PIXELS_OFFSET: usize = 10;
const COMPRESSION: usize = 30;

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

/// Width and height from the header; `None` if it is too short.
fn header_size(bytes: &[u8]) -> Option<(u32, u32)> {
    if u32_at(bytes, HEADER_START)? == OS2_V1_BYTES {
        let size = u32_at(bytes, 18)?;
        return Some((size & 0xffff, size >> 16));
    }
    // A negative height means that rows run from top to bottom.
    Some((u32_at(bytes, 18)?, u32_at(bytes, 22)?.cast_signed().unsigned_abs()))
}

/// The file with a header that the decoder supports, if it has one of OS/2 2.x: 16 to 64 bytes that start like the info header of
/// Windows; fields beyond its end are 0. `None` for other files, and for OS/2's own compressions (Huffman, RLE24), whose numbers mean
/// others in Windows: the decoder refuses the header.
fn with_known_header(bytes: &[u8]) -> Option<Vec<u8>> {
    const LARGEST_UNCOMPRESSED_OR_RLE: u8 = 2;
    let header_bytes = u32_at(bytes, HEADER_START)?;
    if !(16..=64).contains(&header_bytes) || matches!(header_bytes, INFO_BYTES | V2_BYTES | V3_BYTES) {
        return None;
    }
    let (given, rest) = bytes.split_at_checked(HEADER_START + header_bytes as usize)?;
    const END: usize = HEADER_START + INFO_BYTES as usize;
    let mut file = vec![0; END + rest.len()];
    let (header, pixels) = file.split_first_chunk_mut::<END>()?;
    let known = given.len().min(END);
    header[..known].copy_from_slice(&given[..known]);
    pixels.copy_from_slice(rest);
    header[HEADER_START] = INFO_BYTES as u8;
    let pixels_offset = u32_at(bytes, PIXELS_OFFSET)?.wrapping_add(INFO_BYTES).wrapping_sub(header_bytes);
    header[PIXELS_OFFSET..HEADER_START].copy_from_slice(&pixels_offset.to_le_bytes());
    (header[COMPRESSION] <= LARGEST_UNCOMPRESSED_OR_RLE).then_some(file)
}

fn check(width: u32, height: u32, limits: &Limits) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err(invalid("has an empty side"));
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.max_pixels || width.max(height) > limits.max_side_px {
        return Err(too_large(width, height, limits));
    }
    Ok(())
}

#[inline(never)]
fn append_rgba(result: &mut Vec<u8>, pixels: &[u8], color: ColorType) {
    match color {
        ColorType::Rgba8 => result.extend_from_slice(pixels),
        _ => {
            let (triples, _) = pixels.as_chunks::<3>();
            result.extend(triples.iter().flat_map(|&[r, g, b]| [r, g, b, u8::MAX]));
        }
    }
}

// Formatting the decoder's own message would add 10 kB to the module.
fn describe(error: image::ImageError) -> String {
    invalid(match error {
        image::ImageError::Unsupported(_) => "has an unsupported format",
        image::ImageError::IoError(_) => "is truncated",
        _ => "is corrupt",
    })
}

fn invalid(problem: &str) -> String {
    format!("invalid_image: the BMP {problem}")
}

fn too_large(width: u32, height: u32, limits: &Limits) -> String {
    let Limits { max_pixels, max_side_px } = limits;
    format!(
        "image_too_large: the BMP has {width} × {height} px; the limit is {max_pixels} pixels and {max_side_px} px per side"
    )
}
