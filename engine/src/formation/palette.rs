//! Recognizes pictures of few colors.
//!
//! In a GIF and in an indexed PNG, each mixture of two paints became the nearest color of a palette. If colors are few, mixed pixels tell only
//! roughly how much an edge covers, and their colors lie beside the line between the paints.

use wide::f32x4;

use crate::algorithms::run_end;
use crate::color::{Channels, Mixtures, distance_sq, mixture};
use crate::raster::Pixels;

/// Most colors of a palette that is small.
///
/// Unit: count. Source: with more, mixtures tell coverage as well as in other pictures.
const MOST_COLORS: usize = 64;

/// The colors of a picture that has few.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    colors: Vec<Channels>,
    /// The same, four at a time, channel by channel. The last ones may be the first color again.
    fours: Vec<[f32x4; 4]>,
}

impl Palette {
    /// `None` if there are many.
    #[inline(never)]
    pub fn of(pixels: &Pixels) -> Option<Self> {
        let mut found: Vec<[u8; 4]> = Vec::with_capacity(MOST_COLORS);
        let mut at = 0;
        while let Some(&color) = pixels.data.get(at) {
            if !found.contains(&color) {
                if found.len() == MOST_COLORS {
                    return None;
                }
                found.push(color);
            }
            at = run_end(pixels.data, at);
        }
        let colors: Vec<Channels> = found.into_iter().map(|color| color.map(f32::from)).collect();
        let color = |k: usize| colors.get(k).unwrap_or(&colors[0]);
        let four = |k| std::array::from_fn(|c| f32x4::new(std::array::from_fn(|n| color(k + n)[c])));
        let fours = (0..colors.len()).step_by(4).map(four).collect();
        Some(Palette { colors, fours })
    }

    pub fn count(&self) -> usize {
        self.colors.len()
    }

    /// The color that stands for this one.
    fn nearest(&self, color: Channels) -> Channels {
        let nearer = |best: Channels, &other: &Channels| {
            if distance_sq(other, color) < distance_sq(best, color) { other } else { best }
        };
        self.colors.iter().fold(self.colors[0], nearer)
    }

    /// The squared distance of the nearest color.
    #[inline(never)]
    pub fn least_distance_sq(&self, color: Channels) -> f32 {
        let least = self.fours.iter().fold(f32x4::splat(f32::INFINITY), |least, four| {
            let apart = [0, 1, 2, 3].map(|c| four[c] - f32x4::splat(color[c]));
            least.fast_min(apart.into_iter().fold(f32x4::ZERO, |sum, apart| sum + apart * apart))
        });
        least.to_array().into_iter().fold(f32::INFINITY, f32::min)
    }

    /// Whether no color is nearer to another one than this one of the palette.
    pub fn has_none_nearer(&self, color: Channels, to: Channels) -> bool {
        let distance = distance_sq(color, to);
        !self.colors.iter().any(|&other| distance_sq(other, to) < distance)
    }

    /// By how much the share of the second of two paints that a pixel shows differs from the share that it had: the root mean square over all
    /// shares.
    pub fn share_noise(&self, from: Channels, to: Channels) -> f32 {
        let line = Mixtures::new(from, to);
        let error_sq = |k: usize| {
            let share = (k as f32 + 0.5) / MOST_COLORS as f32;
            let error = line.nearest(self.nearest(mixture(from, to, share))).1 - share;
            error * error
        };
        ((0..MOST_COLORS).map(error_sq).sum::<f32>() / MOST_COLORS as f32).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(grays: &[u8]) -> Option<Palette> {
        let mut data: Vec<_> = grays.iter().map(|&gray| [gray, gray, gray, 255]).collect();
        Palette::of(&Pixels { width: data.len(), height: 1, data: &mut data })
    }

    const BLACK_AND_WHITE: [Channels; 2] = [[0.0, 0.0, 0.0, 255.0], [255.0; 4]];

    /// The error is uniform within each of the steps between the colors.
    #[test]
    fn the_coarser_the_palette_the_less_its_mixtures_tell() {
        let [black, white] = BLACK_AND_WHITE;
        for (grays, steps) in
            [(&[0, 255][..], 1.0), (&[0, 128, 255, 128], 2.0), (&[255, 0, 64, 128, 191], 4.0)]
        {
            let noise = palette(grays).expect("few colors").share_noise(black, white);
            let expected = 1.0 / (12.0f32.sqrt() * steps);
            assert!((noise / expected - 1.0).abs() < 0.05, "{noise} instead of {expected}");
        }
    }

    #[test]
    fn a_mixture_becomes_a_color_beside_the_line() {
        let mut data = [[255, 0, 0, 255], [0, 0, 255, 255], [140, 40, 120, 255]];
        let palette = Palette::of(&Pixels { width: 3, height: 1, data: &mut data }).expect("few colors");
        assert_eq!(palette.nearest([128.0, 0.0, 127.0, 255.0]), [140.0, 40.0, 120.0, 255.0]);
    }

    #[test]
    fn a_picture_of_many_colors_has_no_palette() {
        assert!(palette(&std::array::from_fn::<u8, 64, _>(|k| k as u8)).is_some());
        assert!(palette(&std::array::from_fn::<u8, 65, _>(|k| k as u8)).is_none());
    }
}
