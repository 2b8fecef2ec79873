use super::ink_layer::SolvedInkLayer;
use crate::color::PremultipliedColor;
use crate::resolve::straight_lines::Hairline;

/// What is drawn over the paints.
#[derive(Default)]
pub(crate) struct Overlay {
    /// The inks, from below.
    pub ink_layers: Vec<SolvedInkLayer>,
    /// Straight lines over the paints and all else.
    pub lines: Vec<Hairline>,
    /// The pixels that were given to a paint because an ink explains them.
    pub pixels: Vec<u32>,
    pub colors: Vec<PremultipliedColor>,
}

impl Overlay {
    /// Whether there is any ink at a pixel.
    pub fn is_at(&self, pixel: usize) -> bool {
        self.at(pixel).next().is_some()
    }

    /// The number, from 1, of the topmost ink at a pixel.
    pub fn topmost(&self, pixel: usize) -> Option<u32> {
        self.ink_layers.iter().rev().map(|ink_layer| ink_layer.ink_at[pixel]).find(|&ink| ink > 0)
    }

    /// The colors of the inks at a pixel.
    pub fn at(&self, pixel: usize) -> impl Iterator<Item = PremultipliedColor> {
        self.ink_layers.iter().filter_map(move |ink_layer| {
            let ink = ink_layer.ink_at[pixel].checked_sub(1)?;
            Some(self.colors[ink as usize])
        })
    }
}
