//! What is drawn over the paints: the result of the search for lines and strokes.

use super::straight_lines::Hairline;
use super::strokes::Inks;
use crate::color::PremultipliedColor;

/// From this many straight lines on, an image is taken for a screenshot or a chart.
///
/// Unit: count. Source: tuned; no derivation is known.
const LINES_OF_A_SCREEN: usize = 3;

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

    /// Whether the image is a screenshot or a chart: it has several straight lines along rows or columns of pixels.
    pub fn is_of_screen(&self) -> bool {
        self.lines.len() >= LINES_OF_A_SCREEN
    }
}
