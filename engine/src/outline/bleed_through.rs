//! A third color that shows through between two shapes drawn with the same edge over it. Takes the pixels along an edge and its two
//! paints, gives the mixtures by which the edge is placed.
//!
//! The rendering model: an anti-aliased shape that covers the share `c` of a pixel leaves `1 − c` of what is below. If two shapes share
//! an edge and the later one covers `c`, the earlier one covers `1 − c` of the rest, so `c · (1 − c)`, a quarter at most, shows the color
//! beneath. Read as mixtures of two paints, such pixels would make the edge waver from pixel to pixel.

use wide::{bytemuck, f32x4, i32x4, u32x4};

use super::planar_map::PlanarMap;
use crate::color::{Channels, distance_sq, dot, minus, plus, times};
use crate::raster::largest_of_distinct_colors;

/// Most regions of an image in which bleeding colors are looked for. A photograph has more.
///
/// Unit: count. Source: tuned; no derivation is known.
const BLEED_MOST_REGIONS: usize = 500;

/// Most colors that are tried as the one beneath.
///
/// Unit: count. Source: tuned; it bounds the time for each arc.
const BLEED_MOST_COLORS: usize = 12;

/// Least squared cosine of the angle between the residual and the direction toward the color beneath, both across the line between the
/// two paints.
///
/// Unit: share (squared cosine). Source: tuned; no derivation is known.
const BLEED_LEAST_COSINE_SQ: f32 = 0.8;

/// Least ratio of the squared residual to the square that the rendering model predicts.
///
/// Unit: share (ratio of squares). Source: the model predicts 1; the range is tuned.
const BLEED_LEAST_RATIO_SQ: f32 = 0.1;
/// Largest ratio of the squared residual to the square that the rendering model predicts.
///
/// Unit: share (ratio of squares). Source: the model predicts 1; the range is tuned.
const BLEED_MOST_RATIO_SQ: f32 = 2.0;

/// Squared sine of the angle below which three colors are taken to lie on one line, which leaves their shares undetermined.
///
/// Unit: share (squared sine). Source: tuned; no derivation is known.
const FLAT_SINE_SQ: f32 = 0.1;

/// Least share of the color beneath in a pixel that tells which shape was drawn last.
///
/// Unit: share of a pixel (coverage). Source: tuned; no derivation is known.
const BLEED_LEAST_SHARE: f32 = 0.06;

/// Largest squared error of the rendering model, summed over pixels, relative to the squared shares of the color beneath.
///
/// Unit: share (ratio of squares). Source: tuned; no derivation is known.
const BLEED_MOST_ERROR_SQ: f32 = 0.02;

/// Weight of the later shape's coverage in the placement of the edge. The rest is the share by the two paints alone: the color beneath
/// is not drawn there, so that the edge comes nearer to where the two paints alone match the pixels.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const BLEED_COVERAGE_WEIGHT: f32 = 0.6;

/// Least product of the two shares, `c · (1 − c)`, of a pixel whose residual is counted.
///
/// Unit: share² of a pixel (coverage). Source: tuned; below it, a residual is less than a quarter of the largest one, at `c` = ½.
const RESIDUAL_LEAST_PRODUCT: f32 = 0.06;

/// Fewest mixed pixels whose residuals say anything.
///
/// Unit: count. Source: tuned; no derivation is known.
const RESIDUAL_FEWEST_PIXELS: usize = 6;

/// Least mean residual, scaled to a product of shares of 1.
///
/// Unit: color levels (0–255, Euclidean). Source: tuned; a mixed pixel then is 4 levels off the line at most.
const RESIDUAL_LEAST_LEVELS: f32 = 16.0;

/// Least part of the summed squared residuals that the mean residual explains.
///
/// Unit: share (ratio of squares). Source: tuned; no derivation is known.
const RESIDUAL_LEAST_EXPLAINED: f32 = 0.4;

/// The fills of the largest regions, without near duplicates: the colors that may lie beneath others. Empty for photographs.
pub(crate) fn largest_colors(map: &PlanarMap, colors: &[Channels]) -> Vec<Channels> {
    if colors.len() > BLEED_MOST_REGIONS {
        return Vec::new();
    }
    let mut areas = vec![0u32; colors.len()];
    for of in &map.loops {
        // Holes have negative areas.
        let area = &mut areas[of.region as usize];
        *area = area.wrapping_add_signed(of.area_px as i32);
    }
    let largest =
        largest_of_distinct_colors((0..colors.len() as u32).collect(), &areas, colors, BLEED_MOST_COLORS);
    largest.into_iter().map(|region| colors[region as usize]).collect()
}

/// A color that may bleed through between two paints.
#[derive(Clone, Copy)]
pub(crate) struct BleedThrough {
    beneath: Channels,
    /// Whether the second paint was drawn last; `None` if the pixels do not agree.
    pub second_on_top: Option<bool>,
}

impl BleedThrough {
    /// Finds the color beneath among the `largest` colors. `residual` is the mean residual of the `pixels` along the edge: it points
    /// from the line between the two paints toward the color beneath.
    pub fn find(
        residual: Channels,
        [first, second]: [Channels; 2],
        pixels: &[[u8; 4]],
        largest: &[Channels],
    ) -> Option<Self> {
        let edge = minus(second, first);
        let mut nearest = (f32::MAX, None);
        for &color in largest {
            let from = minus(color, first);
            let aside = plus(from, -dot(from, edge) / dot(edge, edge), edge);
            let (aa, ar, rr) = (dot(aside, aside), dot(aside, residual), dot(residual, residual));
            let fits = ar > 0.0
                && ar * ar > BLEED_LEAST_COSINE_SQ * aa * rr
                && rr >= BLEED_LEAST_RATIO_SQ * aa
                && rr < BLEED_MOST_RATIO_SQ * aa;
            let miss = aa - 2.0 * ar + rr;
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
    /// Dual vectors: their dot products with the vector from `first` to a color are the shares of the other two colors.
    second: Channels,
    beneath: Channels,
}

impl ThreeColorMixtures {
    #[inline(never)]
    fn new(first: Channels, second: Channels, beneath: Channels) -> Option<Self> {
        let (s, b) = (minus(second, first), minus(beneath, first));
        let (ss, sb, bb) = (dot(s, s), dot(s, b), dot(b, b));
        let determinant = ss * bb - sb * sb;
        (determinant > FLAT_SINE_SQ * ss * bb).then(|| ThreeColorMixtures {
            first,
            second: plus(times(bb / determinant, s), -sb / determinant, b),
            beneath: plus(times(ss / determinant, b), -sb / determinant, s),
        })
    }

    /// Whether the second color was drawn last, by which order predicts the shares of the color beneath better. `None` if neither
    /// predicts them well.
    fn is_second_on_top(&self, pixels: &[[u8; 4]]) -> Option<bool> {
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
        (if_second.min(if_first) < BLEED_MOST_ERROR_SQ * shares_sq).then_some(if_second < if_first)
    }
}

/// The mixtures of two paints: measures the share of the second one in a color.
pub(crate) struct MixtureLine {
    from: Channels,
    /// Its dot product with the vector from the first paint to a color, divided by `length_sq`, is the share.
    along: Channels,
    length_sq: f32,
}

impl MixtureLine {
    pub fn new(from: Channels, to: Channels) -> Self {
        MixtureLine { from, along: minus(to, from), length_sq: distance_sq(from, to) }
    }

    /// The mixtures of two paints and of a color that bleeds through. The later paint's share is the coverage of its shape, whatever lies
    /// beneath.
    pub fn with(bleed: &BleedThrough, second_on_top: bool, from: Channels, to: Channels) -> Self {
        let line = MixtureLine::new(from, to);
        let Some(three) = ThreeColorMixtures::new(from, to, bleed.beneath) else { return line };
        let beneath = if second_on_top { 0.0 } else { BLEED_COVERAGE_WEIGHT };
        let covered = plus(times(BLEED_COVERAGE_WEIGHT, three.second), beneath, three.beneath);
        MixtureLine {
            along: plus(covered, (1.0 - BLEED_COVERAGE_WEIGHT) / line.length_sq, line.along),
            length_sq: 1.0,
            ..line
        }
    }

    /// The share of the second paint in each of four colors, 0 to 1. Four at once, since within one color each addend waits for the one
    /// before.
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

    /// [`shares`](Self::shares) of two colors.
    pub fn shares_of_two(&self, [a, b]: [[u8; 4]; 2]) -> [f32; 2] {
        let [a, b, ..] = self.shares([a, b, a, b]);
        [a, b]
    }
}

/// How far mixed pixels lie off the line between two paints, summed along an edge.
#[derive(Default)]
pub(crate) struct MixtureResidual {
    count: usize,
    products_sq: f32,
    sum: Channels,
    residuals_sq: f32,
}

impl MixtureResidual {
    /// Adds the two pixels beside a crack, with the second paint's share of each.
    pub fn add(&mut self, line: &MixtureLine, values: [[u8; 4]; 2], shares: [f32; 2]) {
        for (value, share) in values.into_iter().zip(shares) {
            let product = share * (1.0 - share);
            if product >= RESIDUAL_LEAST_PRODUCT {
                let residual = plus(minus(value.map(f32::from), line.from), -share, line.along);
                self.count += 1;
                self.products_sq += product * product;
                self.sum = plus(self.sum, product, residual);
                self.residuals_sq += dot(residual, residual);
            }
        }
    }

    /// The mean residual for a product of shares of 1, if the residuals agree.
    pub fn mean(&self) -> Option<Channels> {
        let do_agree =
            dot(self.sum, self.sum) >= RESIDUAL_LEAST_EXPLAINED * self.products_sq * self.residuals_sq;
        let mean = times(1.0 / self.products_sq, self.sum);
        let is_visible = || dot(mean, mean) >= RESIDUAL_LEAST_LEVELS * RESIDUAL_LEAST_LEVELS;
        (self.count >= RESIDUAL_FEWEST_PIXELS && do_agree && is_visible()).then_some(mean)
    }
}
