//! Darkness: the pixels of binary mode.

use wide::bytemuck::cast;
use wide::{i16x8, i32x4, i32x8, u8x16};

use crate::algorithms::CHUNK;
use crate::api::Image;
use crate::color::{PremultipliedColor, StraightColor};

/// The darkness of each pixel over white, 255 − luma. Binary mode reads nothing else.
pub(crate) struct Darkness {
    pub width: usize,
    pub height: usize,
    pub data: Vec<u8>,
}

/// Weights of R, G and B in luma.
///
/// Unit: 1/256. Source: ITU-R BT.601: 0.299, 0.587, 0.114, rounded to a sum of 256.
const LUMA_256: [u32; 3] = [77, 150, 29];

impl Darkness {
    /// Converts the pixels of an image, 16 of one color at once: most pixels lie in runs.
    pub fn new(image: &Image<'_>) -> Self {
        let (quads, _) = image.rgba().as_chunks::<4>();
        let mut data = vec![0; quads.len()];
        let (chunks, rest) = quads.as_chunks::<CHUNK>();
        let (out_chunks, out_rest) = data.as_chunks_mut::<CHUNK>();
        for (chunk, out) in chunks.iter().zip(out_chunks) {
            match is_of_one_color(chunk) {
                true => *out = [over_white(chunk[0]); CHUNK],
                false => *out = convert(chunk),
            }
        }
        rest.iter().zip(out_rest).for_each(|(&quad, out)| *out = over_white(quad));
        Darkness { width: image.width() as usize, height: image.height() as usize, data }
    }

    /// The image with every pixel black or transparent.
    pub fn thresholded(&self) -> Vec<[u8; 4]> {
        let threshold = |&darkness: &u8| [0, 0, 0, if darkness >= 128 { 255 } else { 0 }];
        self.data.iter().map(threshold).collect()
    }
}

/// Whether all pixels of a chunk have one color.
fn is_of_one_color(chunk: &[[u8; 4]; CHUNK]) -> bool {
    let fours = chunk.as_flattened().as_chunks().0.iter().map(|&four| u8x16::new(four));
    let [r, g, b, a] = chunk[0];
    let first = u8x16::new([r, g, b, a, r, g, b, a, r, g, b, a, r, g, b, a]);
    fours.fold(u8x16::splat(u8::MAX), |equal, four| equal & four.simd_eq(first)).all()
}

/// The darkness of the pixels of a chunk. Opaque ones are converted with vector instructions.
fn convert(chunk: &[[u8; 4]; CHUNK]) -> [u8; CHUNK] {
    let (fours, _) = chunk.as_chunks::<4>();
    let pixels: [i32x4; CHUNK / 4] = std::array::from_fn(|k| i32x4::new(fours[k].map(i32::from_le_bytes)));
    let alpha = pixels.into_iter().fold(i32x4::splat(-1), |all, four| all & four) >> 24;
    if alpha != i32x4::splat(-1) {
        return chunk.map(over_white);
    }
    let [a, b, c, d] = pixels.map(|four| luma(four).to_array());
    let eight = |both: [[i32; 4]; 2]| {
        i16x8::from_i32x8_saturate(i32x8::new(std::array::from_fn(|k| both[k / 4][k % 4])))
    };
    (u8x16::splat(255) - u8x16::narrow_i16x8(eight([a, b]), eight([c, d]))).to_array()
}

/// The luma of four opaque pixels, with red in the lowest byte. Each instruction weights and adds two channels; alpha has the weight 0.
fn luma(pixels: i32x4) -> i32x4 {
    let [red, green, blue] = LUMA_256.map(|weight| weight as i16);
    let weighted = |pairs: i32x4, low: i16, high: i16| {
        let weights = i16x8::new([low, high, low, high, low, high, low, high]);
        cast::<i32x4, i16x8>(pairs & i32x4::splat(0xFF_00FF)).dot(weights)
    };
    (weighted(pixels, red, blue) + weighted(pixels >> 8, green, 0)) >> 8
}

/// The darkness of a pixel over white.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
fn over_white(quad: [u8; 4]) -> u8 {
    let PremultipliedColor([r, g, b, a]) = StraightColor(quad).premultiplied();
    let bare = 255 - a;
    darkness(r + bare, g + bare, b + bare)
}

fn darkness(r: u8, g: u8, b: u8) -> u8 {
    let luma = LUMA_256[0] * u32::from(r) + LUMA_256[1] * u32::from(g) + LUMA_256[2] * u32::from(b);
    255 - (luma / 256) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_white_through_is_as_dark_as_its_mixture_with_white() {
        let quads: Vec<[u8; 4]> = (0..40).map(|i| [0, 0, 0, if i < 20 { 255 } else { 64 }]).collect();
        let darkness = Darkness::new(&Image::new(40, 1, quads.as_flattened()).unwrap());
        assert_eq!(darkness.data, [[255; 20], [64; 20]].concat());
        let gray = Darkness::new(&Image::new(40, 1, [[100, 100, 100, 255]; 40].as_flattened()).unwrap());
        assert_eq!(gray.data, [155; 40]);
    }
}
