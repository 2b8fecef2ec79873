use super::ink_sheet::SolvedInkLayer;
use crate::resolve::straight_lines::Hairline;

/// What is drawn over the paints.
#[derive(Default)]
pub(crate) struct Overlay {
    /// The inks, from below.
    pub sheets: Vec<SolvedInkLayer>,
    /// Straight lines over the paints and all else.
    pub lines: Vec<Hairline>,
    /// The pixels that were given to a paint because an ink explains them.
    pub pixels: Vec<u32>,
    pub colors: Vec<[u8; 4]>,
}

impl Overlay {
    /// Whether there is any ink at a pixel.
    pub fn is_at(&self, pixel: usize) -> bool {
        self.at(pixel).next().is_some()
    }

    /// The colors of the inks at a pixel.
    pub fn at(&self, pixel: usize) -> impl Iterator<Item = [u8; 4]> {
        self.sheets.iter().filter_map(move |sheet| {
            let ink = sheet.ink_at[pixel].checked_sub(1)?;
            Some(self.colors[ink as usize])
        })
    }
}
