//! Any file, decoded as BMP.

#![no_main]

#[path = "../../../bindings/rust/bmp.rs"]
mod bmp;

use bmp::{Limits, decode};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits = Limits { max_pixels: 1 << 20, max_side_px: 1 << 12 };

fuzz_target!(|file: &[u8]| match decode(file, &LIMITS) {
    Ok(image) => {
        let (header, pixels) = image.split_at(8);
        let [width, height] =
            [0, 4].map(|i| u32::from_le_bytes(*header[i..].first_chunk().expect("four bytes")));
        assert!(
            width.max(height) <= LIMITS.max_side_px
                && u64::from(width) * u64::from(height) <= LIMITS.max_pixels
        );
        assert_eq!(pixels.len(), width as usize * height as usize * 4);
    }
    Err(message) =>
        assert!(["invalid_image: ", "image_too_large: "].iter().any(|code| message.starts_with(code))),
});
