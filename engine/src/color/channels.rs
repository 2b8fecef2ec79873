//! Colors as 8-bit quadruples, straight or premultiplied, and as channels of `f32` for arithmetic.

use wide::f32x4;

use crate::algorithms::EVEN_BYTES;

/// The channels of a color: R, G and B premultiplied by alpha, and alpha, each 0 to 255.
///
/// Premultiplied values are linear in coverage. So a mixture of two colors lies on the line between them, also if one of them is
/// transparent.
pub(crate) type Channels = [f32; 4];

/// R, G, B and alpha, 8 bits each, as image files and SVG have them: R, G and B do not depend on alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StraightColor(pub [u8; 4]);

/// R, G and B multiplied by alpha, and alpha, 8 bits each: what the pipeline compares and mixes. [`Pixels`](crate::raster::Pixels) holds
/// these four bytes per pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PremultipliedColor(pub [u8; 4]);

impl StraightColor {
    pub const BLACK: Self = StraightColor([0, 0, 0, 255]);

    pub fn is_opaque(self) -> bool {
        self.0[3] == 255
    }

    /// Rounds to the nearest; every fully transparent color becomes the same one.
    pub fn premultiplied(self) -> PremultipliedColor {
        let StraightColor([r, g, b, a]) = self;
        let channels = u32::from_le_bytes([r, g, b, 255]);
        // Two channels at once, with 16 bits for each. Below 65,535, x / 255 is (x + 1 + x / 256) / 256.
        const EACH: u32 = 1 << 16 | 1;
        let scaled = |two: u32| {
            let products = two * u32::from(a) + 127 * EACH;
            (products + EACH + (products >> 8 & EVEN_BYTES)) >> 8 & EVEN_BYTES
        };
        let [even, odd] = [channels, channels >> 8].map(|channels| scaled(channels & EVEN_BYTES));
        PremultipliedColor((even | odd << 8).to_le_bytes())
    }
}

impl PremultipliedColor {
    pub const BLACK: Self = PremultipliedColor([0, 0, 0, 255]);
    pub const TRANSPARENT: Self = PremultipliedColor([0; 4]);

    /// The color nearest to a mean or a mixture.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn nearest(color: Channels) -> Self {
        PremultipliedColor(color.map(|v| (v + 0.5) as u8))
    }

    pub fn channels(self) -> Channels {
        self.0.map(f32::from)
    }

    pub fn alpha(self) -> u8 {
        self.0[3]
    }

    /// A number that orders colors by R, then G, B and alpha.
    pub fn sort_key(self) -> u32 {
        u32::from_be_bytes(self.0)
    }

    /// Rounds to the nearest; a transparent color stays as it is.
    pub fn straight(self) -> StraightColor {
        let PremultipliedColor([r, g, b, a]) = self;
        StraightColor(match a {
            0 | 255 => [r, g, b, a],
            _ => {
                let undo = |c: u8| ((u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a)).min(255) as u8;
                [undo(r), undo(g), undo(b), a]
            }
        })
    }
}

/// Squared Euclidean distance.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(crate) fn distance_sq(a: Channels, b: Channels) -> f32 {
    let apart = minus(a, b);
    dot(apart, apart)
}

/// The squared distance of two colors of bytes.
pub(crate) fn byte_distance_sq(a: [u8; 4], b: [u8; 4]) -> u32 {
    (0..4).map(|c| u32::from(a[c].abs_diff(b[c])).pow(2)).sum()
}

/// The largest difference of two colors in a channel.
// Not inlined: it has several callers, and each copy would grow the WebAssembly module.
#[inline(never)]
pub(crate) fn largest_difference(a: [u8; 4], b: [u8; 4]) -> u8 {
    (0..4).fold(0, |most, c| most.max(a[c].abs_diff(b[c])))
}

/// The vector from `b` to `a`.
pub(crate) fn minus(a: Channels, b: Channels) -> Channels {
    (f32x4::new(a) - f32x4::new(b)).to_array()
}

pub(crate) fn times(share: f32, color: Channels) -> Channels {
    (f32x4::new(color) * f32x4::splat(share)).to_array()
}

/// `a + share · b`.
pub(crate) fn plus(a: Channels, share: f32, b: Channels) -> Channels {
    (f32x4::new(a) + f32x4::new(b) * f32x4::splat(share)).to_array()
}

pub(crate) fn dot(a: Channels, b: Channels) -> f32 {
    let [r, g, b, alpha] = (f32x4::new(a) * f32x4::new(b)).to_array();
    r + g + b + alpha
}
