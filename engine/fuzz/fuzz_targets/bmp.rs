//! Any file, decoded as BMP. What the crate `image` decodes, the decoder decodes to the same pixels.

#![no_main]

#[path = "../../../bindings/rust/bmp/mod.rs"]
mod bmp;

use std::io::Cursor;

use bmp::{Limits, decode};
use image::codecs::bmp::BmpDecoder;
use image::{DynamicImage, ImageDecoder};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits = Limits { max_pixels: 1 << 20, max_side_px: 1 << 12 };

fn is_within(width: u32, height: u32) -> bool {
    width.max(height) <= LIMITS.max_side_px && u64::from(width) * u64::from(height) <= LIMITS.max_pixels
}

/// The pixels according to `image`.
fn expected(file: &[u8]) -> Option<Vec<u8>> {
    let decoder = BmpDecoder::new(Cursor::new(file)).ok()?;
    let (width, height) = decoder.dimensions();
    is_within(width, height)
        .then(|| DynamicImage::from_decoder(decoder).ok())?
        .map(|image| image.into_rgba8().into_raw())
}

fuzz_target!(|file: &[u8]| match (decode(file, &LIMITS), expected(file)) {
    (Ok(image), expected) => {
        let (header, pixels) = image.split_at(8);
        let [width, height] =
            [0, 4].map(|i| u32::from_le_bytes(*header[i..].first_chunk().expect("four bytes")));
        assert!(is_within(width, height));
        assert_eq!(pixels.len(), width as usize * height as usize * 4);
        assert!(expected.is_none_or(|expected| expected == pixels));
    }
    (Err(message), expected) => {
        assert!(["invalid_image: ", "image_too_large: "].iter().any(|code| message.starts_with(code)));
        assert_eq!(expected, None);
    }
});
