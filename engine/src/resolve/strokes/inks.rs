//! The inks of all strokes, with where each one lies.

use super::ink_layer::SolvedInkLayer;
use crate::color::PremultipliedColor;

/// The inks that are drawn over the paints.
///
/// Inks of different colors that touch lie on different layers, for on one layer only their common outline could be found. There are at
/// most three layers: where none is free, the last one takes the ink. Each drawn patch has a number of its own, even if another has the same
/// color: one more than the index of its color in `colors`. 0 stands for no ink.
#[derive(Default)]
pub(crate) struct Inks {
    /// From below.
    pub layers: Vec<SolvedInkLayer>,
    pub colors: Vec<PremultipliedColor>,
}

impl Inks {
    /// The colors of the inks at a pixel, from below.
    pub fn at(&self, pixel: usize) -> impl Iterator<Item = PremultipliedColor> {
        let numbers = self.layers.iter().map(move |layer| layer.ink_at[pixel]).filter(|&ink| ink > 0);
        numbers.map(|ink| self.colors[ink as usize - 1])
    }

    /// The number of the topmost ink at a pixel.
    pub fn topmost(&self, pixel: usize) -> Option<u32> {
        self.layers.iter().rev().map(|layer| layer.ink_at[pixel]).find(|&ink| ink > 0)
    }
}
