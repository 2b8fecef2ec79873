//! What is drawn over the paints: the result of the search for lines and strokes.

use super::straight_lines::Hairline;
use super::strokes::Inks;
use crate::color::PremultipliedColor;

/// What is drawn over the paints: first the inks of strokes, then straight lines.
///
/// # Guarantees
/// Every pixel that an ink or a line explains was given to its ground. The paints, and the regions that nothing explains, cover the image
/// without the overlay. What is mostly the edge between two paints, with a third showing through, is not drawn as a stroke.
#[derive(Default)]
pub(crate) struct Overlay {
    pub inks: Inks,
    /// From below: those that differ less from their ground first.
    pub lines: Vec<Hairline>,
}

impl Overlay {
    /// Whether there is any ink at a pixel.
    pub fn has_ink_at(&self, pixel: usize) -> bool {
        self.inks.topmost(pixel).is_some()
    }

    /// The colors of the inks at a pixel, from below.
    pub fn inks_at(&self, pixel: usize) -> impl Iterator<Item = PremultipliedColor> {
        self.inks.at(pixel)
    }
}
