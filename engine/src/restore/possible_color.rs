//! The colors that pixels can have.

use wide::f32x4;

use crate::color::PremultipliedColor;

/// The nearest color that a pixel can have: R, G and B are not above alpha.
pub(super) fn possible(color: f32x4) -> [u8; 4] {
    let [r, g, b, alpha] = PremultipliedColor::nearest(color.to_array()).0;
    [r.min(alpha), g.min(alpha), b.min(alpha), alpha]
}
