//! Attributes that paths and gradients have in common.

use super::path_data::push;
use crate::api::{push_integer, push_text};

/// Writes an attribute with a color, with three digits if they are enough. Black, the default of SVG, is left out.
pub(super) fn write_color(svg: &mut String, attribute: &str, rgb: [u8; 3]) {
    if rgb == [0; 3] {
        return;
    }
    push_text(svg, attribute);
    let are_pairs = rgb.iter().all(|c| c % 17 == 0);
    let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
    for channel in rgb {
        if !are_pairs {
            push(svg, digit(channel / 16));
        }
        push(svg, digit(channel % 16));
    }
    push(svg, b'"');
}

/// Writes an attribute with an opacity in thousandths, which give back the same 8-bit alpha.
pub(super) fn write_opacity(svg: &mut String, attribute: &str, alpha: u8) {
    push_text(svg, attribute);
    write_thousandths(svg, (u64::from(alpha) * 1000 + 127) / 255);
    push(svg, b'"');
}

/// Writes a number of thousandths below 1000.
pub(super) fn write_thousandths(svg: &mut String, mut thousandths: u64) {
    push(svg, if thousandths == 0 { b'0' } else { b'.' });
    while thousandths > 0 {
        push_integer(svg, thousandths / 100);
        thousandths = thousandths % 100 * 10;
    }
}
