//! Decodes small PNG files to the pixels that sharp gives. A file that is damaged or unusual in any way is not decoded: sharp then decides
//! what becomes of it.
//!
//! The caller writes a file to the memory that [`reserve`] gives, calls [`decode`], and reads the pixels where its result points.

mod chunks;
mod pixels;

use std::sync::{Mutex, MutexGuard};

/// The file to decode.
static FILE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// The pixels of the last file.
static PIXELS: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Width and height in pixels.
pub(crate) type Size = (u32, u32);

/// Memory for a file of `bytes` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    let mut file = lock(&FILE);
    *file = vec![0; bytes];
    file.as_mut_ptr()
}

/// Decodes the file, a PNG of this size, to straight-alpha sRGB RGBA, `width × height × 4` bytes, which stay valid until the next call.
/// Null if the file is not decoded.
#[unsafe(no_mangle)]
pub extern "C" fn decode(width: u32, height: u32) -> *const u8 {
    let file = std::mem::take(&mut *lock(&FILE));
    let mut pixels = lock(&PIXELS);
    *pixels = Vec::new();
    let Some(decoded) = pixels::decode(&file, (width, height)) else { return std::ptr::null() };
    *pixels = decoded;
    pixels.as_ptr()
}

fn lock(bytes: &'static Mutex<Vec<u8>>) -> MutexGuard<'static, Vec<u8>> {
    bytes.lock().expect("the module has one thread, and ends with a panic")
}
