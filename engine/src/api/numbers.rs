//! Writes whole numbers. The standard library's formatting would add 6 kB to the WebAssembly module.

/// Appends texts, each with a number after it.
#[inline(never)]
pub fn push_numbers(text: &mut String, parts: &[(&str, u64)]) {
    for &(before, number) in parts {
        text.push_str(before);
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
