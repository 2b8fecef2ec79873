//! Writes texts and whole numbers. The standard library's formatting would add 6 kB to the WebAssembly module.

/// Appends a text.
// Inlined, each caller would add a copy of it to the WebAssembly module.
#[inline(never)]
pub(crate) fn push_text(text: &mut String, more: &str) {
    text.push_str(more);
}

/// Appends texts, each with a number after it.
#[inline(never)]
pub fn push_numbers(text: &mut String, parts: &[(&str, u64)]) {
    for &(before, number) in parts {
        push_text(text, before);
        push_integer(text, number);
    }
}

/// Appends a number.
pub(crate) fn push_integer(text: &mut String, number: u64) {
    if number >= 10 {
        push_integer(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
