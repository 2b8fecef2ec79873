//! The pixels of a PNG.

use std::io::Cursor;

use fdeflate::Decompressor;
use png::{ColorType, DecodeOptions, Decoder, Transformations};

use crate::{Size, chunks};

/// The largest window of zlib, in bytes.
const MAX_WINDOW: usize = 1 << 15;
/// The most bytes of a block that deflate stores.
const MAX_STORED: usize = 0xffff;
/// More than the header, a palette and its transparency take, and what surrounds the stream.
const MAX_HEAD: usize = 1 << 11;

/// Decodes a PNG to RGBA.
pub(crate) fn decode(file: &[u8], size: Size) -> Option<Vec<u8>> {
    let parts = chunks::read(file, size)?;
    let rows = inflate(&parts.stream, parts.rows_bytes)?;
    expand(&stored(&parts.head, &rows))
}

/// The rows with their filter types, if the stream gives exactly these many bytes and its checksum is right. (The decoder of the `png`
/// crate stops at the last row, and may not come to the checksum.)
fn inflate(stream: &[u8], bytes: usize) -> Option<Vec<u8>> {
    // zlib refuses distances beyond the window that the stream declares; fdeflate does not look at it.
    let window = 1 << (8 + (stream.first()? >> 4));
    if window < bytes.min(MAX_WINDOW) {
        return None;
    }
    let (mut rows, mut decompressor) = (vec![0; bytes], Decompressor::new());
    let (_, length) = decompressor.read(stream, &mut rows, 0, true).ok()?;
    (decompressor.is_done() && length == bytes).then_some(rows)
}

/// A PNG with these rows, uncompressed and without checksums.
fn stored(head: &[&[u8]], rows: &[u8]) -> Vec<u8> {
    let blocks = rows.len().div_ceil(MAX_STORED);
    let stream_bytes = 2 + 5 * blocks + rows.len() + 4;
    let mut file = Vec::with_capacity(MAX_HEAD + stream_bytes);
    file.extend_from_slice(chunks::SIGNATURE);
    head.iter().for_each(|chunk| file.extend_from_slice(chunk));
    file.extend_from_slice(&(stream_bytes as u32).to_be_bytes());
    file.extend_from_slice(b"IDAT\x78\x01");
    for (i, block) in rows.chunks(MAX_STORED).enumerate() {
        let length = block.len() as u16;
        file.push(u8::from(i + 1 == blocks));
        file.extend_from_slice(&length.to_le_bytes());
        file.extend_from_slice(&(!length).to_le_bytes());
        file.extend_from_slice(block);
    }
    // The checksums of the stream and of the chunk, and the last chunk.
    file.extend_from_slice(&[0; 8]);
    file.extend_from_slice(b"\0\0\0\0IEND\0\0\0\0");
    file
}

fn expand(file: &[u8]) -> Option<Vec<u8>> {
    let mut options = DecodeOptions::default();
    options.set_ignore_checksums(true);
    let mut decoder = Decoder::new_with_options(Cursor::new(file), options);
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    match reader.next_frame(&mut pixels).ok()?.color_type {
        ColorType::Rgba => Some(pixels),
        ColorType::GrayscaleAlpha => Some(rgba_of_gray(&pixels)),
        _ => None,
    }
}

fn rgba_of_gray(pixels: &[u8]) -> Vec<u8> {
    let (pixels, _) = pixels.as_chunks();
    pixels.iter().flat_map(|&[gray, alpha]| [gray, gray, gray, alpha]).collect()
}
