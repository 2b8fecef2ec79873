//! What bleeds through between two shapes that were drawn with the same edge over a third: each covers a part of the pixels on
//! the edge, the later one a part of what the earlier one left, and of the rest, a quarter at most, the third shows.

use wide::{bytemuck, f32x4, i32x4, u32x4};

use super::planar_map::PlanarMap;
use crate::color::{Channels, distance_sq, dot, minus, plus, times};
use crate::raster::largest_of_distinct_colors;

/// The fills of the largest regions, of different colors: what may lie beneath others. None in a photograph, which has more regions.
pub(crate) fn largest_colors(map: &PlanarMap, colors: &[Channels]) -> Vec<Channels> {
    const MOST_REGIONS: usize = 500;
    const MOST_COLORS: usize = 12;
    if colors.len() > MOST_REGIONS {
        return Vec::new();
    }
    let mut areas = vec![0u32; colors.len()];
    for of in &map.loops {
        // Of holes it is negative.
        let area = &mut areas[of.region as usize];
        *area = area.wrapping_add_signed(of.area_px as i32);
    }
    let largest = largest_of_distinct_colors((0..colors.len() as u32).collect(), &areas, colors, MOST_COLORS);
    largest.into_iter().map(|region| colors[region as usize]).collect()
}

/// A color that may bleed through between two paints.
#[derive(Clone, Copy)]
pub(crate) struct BleedThrough {
    beneath: Channels,
    /// Which of the two paints was drawn last, where every pixel agrees on it.
    pub second_on_top: Option<bool>,
}

impl BleedThrough {
    /// Looks among the `largest` colors, given the pixels along the edge of two paints, and how these are off the line between the two:
    /// toward the color beneath, by the product of the two shares.
    pub fn find(
        off: Channels,
        [first, second]: [Channels; 2],
        pixels: &[[u8; 4]],
        largest: &[Channels],
    ) -> Option<Self> {
        let edge = minus(second, first);
        let mut nearest = (f32::MAX, None);
        for &color in largest {
            /// Squared cosine of the angle between the two ways off the line, and the ratios of their squares.
            const BLEED_ALIKE: f32 = 0.8;
            const BLEED_LEAST: f32 = 0.1;
            const BLEED_MOST: f32 = 2.0;
            let from = minus(color, first);
            let aside = plus(from, -dot(from, edge) / dot(edge, edge), edge);
            let (aa, ao, oo) = (dot(aside, aside), dot(aside, off), dot(off, off));
            let fits =
                ao > 0.0 && ao * ao > BLEED_ALIKE * aa * oo && oo >= BLEED_LEAST * aa && oo < BLEED_MOST * aa;
            let miss = aa - 2.0 * ao + oo;
            if fits && miss < nearest.0 {
                nearest = (miss, Some(color));
            }
        }
        let beneath = nearest.1?;
        let three = ThreeColorMixtures::new(first, second, beneath)?;
        Some(BleedThrough { beneath, second_on_top: three.is_second_on_top(pixels) })
    }
}

/// The mixtures of three colors.
struct ThreeColorMixtures {
    first: Channels,
    /// The products of these with the way from the first color are the shares of the other two.
    second: Channels,
    beneath: Channels,
}

impl ThreeColorMixtures {
    #[inline(never)]
    fn new(first: Channels, second: Channels, beneath: Channels) -> Option<Self> {
        /// Below this (squared sine of the angle) three colors are as good as on one line.
        const FLAT_SINE_SQ: f32 = 0.1;
        let (s, b) = (minus(second, first), minus(beneath, first));
        let (ss, sb, bb) = (dot(s, s), dot(s, b), dot(b, b));
        let determinant = ss * bb - sb * sb;
        (determinant > FLAT_SINE_SQ * ss * bb).then(|| ThreeColorMixtures {
            first,
            second: plus(times(bb / determinant, s), -sb / determinant, b),
            beneath: plus(times(ss / determinant, b), -sb / determinant, s),
        })
    }

    /// Which was drawn last: where that one covers a share of a pixel, the other covers the same share of the rest, and what is left
    /// shows the color beneath.
    fn is_second_on_top(&self, pixels: &[[u8; 4]]) -> Option<bool> {
        const BLEED_LEAST_SHARE: f32 = 0.06;
        const MOST_ERROR_SQ: f32 = 0.02;
        let (mut if_second, mut if_first, mut shares_sq) = (0.0, 0.0, 0.0);
        for &value in pixels {
            let from = minus(value.map(f32::from), self.first);
            let (second, beneath) = (dot(from, self.second), dot(from, self.beneath));
            let first = 1.0 - second - beneath;
            if beneath > BLEED_LEAST_SHARE {
                if_second += (beneath - second * (1.0 - second)).powi(2);
                if_first += (beneath - first * (1.0 - first)).powi(2);
                shares_sq += beneath * beneath;
            }
        }
        (if_second.min(if_first) < MOST_ERROR_SQ * shares_sq).then_some(if_second < if_first)
    }
}

/// The mixtures of two paints.
pub(crate) struct MixtureLine {
    from: Channels,
    /// The share is the product of this with the way from the first paint.
    along: Channels,
    length_sq: f32,
}

impl MixtureLine {
    pub fn new(from: Channels, to: Channels) -> Self {
        MixtureLine { from, along: minus(to, from), length_sq: distance_sq(from, to) }
    }

    /// The mixtures of two paints and of what bleeds through. Whatever lies beneath, the later paint's share is what its shape covers
    /// of a pixel. That the third color is not drawn is made up for in part: the edge goes toward where the two paints alone come nearest to
    /// the pixels' colors.
    pub fn with(bleed: &BleedThrough, second_on_top: bool, from: Channels, to: Channels) -> Self {
        const COVERAGE: f32 = 0.6;
        let line = MixtureLine::new(from, to);
        let Some(three) = ThreeColorMixtures::new(from, to, bleed.beneath) else { return line };
        let beneath = if second_on_top { 0.0 } else { COVERAGE };
        let covered = plus(times(COVERAGE, three.second), beneath, three.beneath);
        MixtureLine {
            along: plus(covered, (1.0 - COVERAGE) / line.length_sq, line.along),
            length_sq: 1.0,
            ..line
        }
    }

    /// How much of each of four mixtures is the second paint, 0 to 1. Four at once: a sum over one color's channels has each addend
    /// wait for the one before.
    pub fn shares(&self, values: [[u8; 4]; 4]) -> [f32; 4] {
        if self.length_sq == 0.0 {
            return [0.0; 4];
        }
        let values = u32x4::new(values.map(u32::from_le_bytes));
        let part = |c: usize| {
            let channel: i32x4 = bytemuck::cast(values >> (8 * c as u32) & u32x4::splat(0xFF));
            (f32x4::from_i32x4(channel) - f32x4::splat(self.from[c])) * f32x4::splat(self.along[c])
        };
        let share = (part(0) + part(1) + part(2) + part(3)) / f32x4::splat(self.length_sq);
        let share = share & share.simd_gt(f32x4::ZERO);
        share.simd_lt(f32x4::ONE).bitselect(share, f32x4::ONE).to_array()
    }

    /// The same of two.
    pub fn shares_of_two(&self, [a, b]: [[u8; 4]; 2]) -> [f32; 2] {
        let [a, b, ..] = self.shares([a, b, a, b]);
        [a, b]
    }
}

/// How mixtures of two paints are off the line between them.
#[derive(Default)]
pub(crate) struct MixtureResidual {
    count: usize,
    products_sq: f32,
    sum: Channels,
    off_sq: f32,
}

impl MixtureResidual {
    /// Adds the two pixels beside a crack, with the second paint's share of each.
    pub fn add(&mut self, line: &MixtureLine, values: [[u8; 4]; 2], shares: [f32; 2]) {
        const LEAST_PRODUCT: f32 = 0.06;
        for (value, share) in values.into_iter().zip(shares) {
            let product = share * (1.0 - share);
            if product >= LEAST_PRODUCT {
                let off = plus(minus(value.map(f32::from), line.from), -share, line.along);
                self.count += 1;
                self.products_sq += product * product;
                self.sum = plus(self.sum, product, off);
                self.off_sq += dot(off, off);
            }
        }
    }

    /// The mean, in units of the product of the two shares, if they are so alike.
    pub fn mean(&self) -> Option<Channels> {
        /// Fewer mixtures say nothing.
        const FEWEST_MIXTURES: usize = 6;
        const LEAST_LEVELS: f32 = 16.0;
        /// So much of all that is off is off alike.
        const LEAST_EXPLAINED: f32 = 0.4;
        let is_alike = dot(self.sum, self.sum) >= LEAST_EXPLAINED * self.products_sq * self.off_sq;
        let mean = times(1.0 / self.products_sq, self.sum);
        (self.count >= FEWEST_MIXTURES && is_alike && dot(mean, mean) >= LEAST_LEVELS * LEAST_LEVELS)
            .then_some(mean)
    }
}
