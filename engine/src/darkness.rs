use crate::Image;
use crate::pixels::{Pixels, premultiplied};
use crate::runs::CHUNK;
use wide::{u8x16, u32x4};

/// How dark each pixel is over white, 0 to 255: all that binary mode looks at.
pub(crate) struct Darkness {
    pub width: usize,
    pub height: usize,
    pub data: Vec<u8>,
}

/// Rec. 601 luma weights in 1/256.
const LUMA_256: [u32; 3] = [77, 150, 29];

impl Darkness {
    /// Converts once, at the door; most pixels lie in runs of one color.
    pub fn new(image: &Image<'_>) -> Self {
        let (quads, _) = image.rgba().as_chunks::<4>();
        let mut data = vec![0; quads.len()];
        let (chunks, rest) = quads.as_chunks::<CHUNK>();
        let (out_chunks, out_rest) = data.as_chunks_mut::<CHUNK>();
        for (chunk, out) in chunks.iter().zip(out_chunks) {
            match is_of_one_color(chunk) {
                true => *out = [over_white(chunk[0]); CHUNK],
                false => convert(chunk, out),
            }
        }
        convert(rest, out_rest);
        Darkness { width: image.width() as usize, height: image.height() as usize, data }
    }

    /// The picture with every pixel black or nothing.
    pub fn thresholded(&self) -> Pixels {
        let threshold = |&darkness: &u8| [0, 0, 0, if darkness >= 128 { 255 } else { 0 }];
        Pixels { width: self.width, height: self.height, data: self.data.iter().map(threshold).collect() }
    }
}

fn is_of_one_color(chunk: &[[u8; 4]; CHUNK]) -> bool {
    let fours = chunk.as_flattened().as_chunks().0.iter().map(|&four| u8x16::new(four));
    let [r, g, b, a] = chunk[0];
    let first = u8x16::new([r, g, b, a, r, g, b, a, r, g, b, a, r, g, b, a]);
    fours.fold(u8x16::splat(u8::MAX), |equal, four| equal & four.simd_eq(first)).all()
}

/// Opaque pixels are converted by fours.
fn convert(quads: &[[u8; 4]], out: &mut [u8]) {
    if quads.iter().fold(255, |all, quad| all & quad[3]) < 255 {
        return quads.iter().zip(out).for_each(|(&quad, out)| *out = over_white(quad));
    }
    let (fours, rest) = quads.as_chunks::<4>();
    let (out_fours, out_rest) = out.as_chunks_mut::<4>();
    for (four, out) in fours.iter().zip(out_fours) {
        let pixels = u32x4::new(four.map(u32::from_le_bytes));
        let channel = |index: u32| (pixels >> (8 * index)) & u32x4::splat(255);
        let [r, g, b] = [0, 1, 2].map(|index| channel(index) * u32x4::splat(LUMA_256[index as usize]));
        *out = ((r + g + b) >> 8u32).to_array().map(|luma| 255 - luma as u8);
    }
    rest.iter().zip(out_rest).for_each(|(&[r, g, b, _], out)| *out = darkness(r, g, b));
}

fn over_white(quad: [u8; 4]) -> u8 {
    let [r, g, b, a] = premultiplied(quad);
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
