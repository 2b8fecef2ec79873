//! The public error type, and its texts.

use std::fmt;

use super::numbers::{push_integer, push_numbers, push_text};

/// The longest side of an image, in pixels. Up to this size, an `f32` holds positions in steps of 1/256 px.
pub(crate) const MAX_SIDE_PX: u32 = 65_535;

/// What is said of an option that this build cannot do. The npm package, which users do not compile, says it in words of its own.
const NEEDS_FEATURE: &str = " needs the crate's feature of this name";

/// Why an image was not traced: invalid pixels, an invalid option, or a stop by the observer. Every error has a stable
/// [`code`](Error::code), and its `Display` text names the value expected and the value received.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Width or height is 0, or above [`Image::MAX_SIDE_PX`](crate::Image::MAX_SIDE_PX).
    #[non_exhaustive]
    InvalidDimensions {
        /// The width received, in pixels.
        width: u32,
        /// The height received, in pixels.
        height: u32,
    },
    /// The pixel buffer is not `width × height × 4` bytes long.
    #[non_exhaustive]
    InvalidLength {
        /// The length expected, in bytes.
        expected: u64,
        /// The length received, in bytes.
        received: u64,
    },
    /// The value of a numeric option is outside its range, or not finite.
    #[non_exhaustive]
    OptionOutOfRange {
        /// The name of the option in [`OPTION_TABLE`](crate::OPTION_TABLE).
        name: &'static str,
        /// The smallest value allowed.
        min: f64,
        /// The largest value allowed.
        max: f64,
        /// The value received.
        received: f64,
    },
    /// The value of a choice option is not one of its choices.
    #[non_exhaustive]
    UnknownChoice {
        /// The name of the option in [`OPTION_TABLE`](crate::OPTION_TABLE).
        name: &'static str,
        /// All choices of the option.
        choices: &'static [&'static str],
        /// The value received.
        received: String,
    },
    /// No option has this name.
    #[non_exhaustive]
    UnknownOption {
        /// The name received.
        received: String,
    },
    /// The text given for a numeric option is not a number.
    #[non_exhaustive]
    InvalidNumber {
        /// The name of the option in [`OPTION_TABLE`](crate::OPTION_TABLE).
        name: &'static str,
        /// The text received.
        received: String,
    },
    /// An option needs a feature that this crate was built without.
    #[non_exhaustive]
    MissingFeature {
        /// The name of the feature, which is also that of the option.
        feature: &'static str,
    },
    /// The observer of [`trace_with`](crate::trace_with) returned [`ControlFlow::Break`](std::ops::ControlFlow::Break).
    Cancelled,
}

impl Error {
    /// A stable, machine-readable code: `invalid_dimensions`, `invalid_length`, `invalid_option` or `cancelled`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::InvalidDimensions { .. } => "invalid_dimensions",
            Error::InvalidLength { .. } => "invalid_length",
            Error::OptionOutOfRange { .. }
            | Error::UnknownChoice { .. }
            | Error::UnknownOption { .. }
            | Error::InvalidNumber { .. }
            | Error::MissingFeature { .. } => "invalid_option",
            Error::Cancelled => "cancelled",
        }
    }

    /// The text that `Display` writes.
    pub fn message(&self) -> String {
        let mut text = String::new();
        match self {
            Error::InvalidDimensions { width, height } => {
                let [width, height, most] = [*width, *height, MAX_SIDE_PX].map(u64::from);
                let parts = [("image is ", width), (" × ", height), (" px: each side must be 1 to ", most)];
                push_numbers(&mut text, &parts);
            }
            Error::InvalidLength { expected, received } => {
                let parts = [("pixel buffer has ", *received), (" bytes: width × height × 4 is ", *expected)];
                push_numbers(&mut text, &parts);
            }
            Error::OptionOutOfRange { name, min, max, received } => {
                push_text(&mut text, name);
                let parts = [(" must be a number from ", min), (" to ", max), (", not ", received)];
                for (before, number) in parts {
                    push_text(&mut text, before);
                    push_plain(&mut text, *number);
                }
            }
            Error::UnknownChoice { name, choices, received } => {
                let mut before = [name, " must be one of "];
                for choice in *choices {
                    push_each(&mut text, &before);
                    push_text(&mut text, choice);
                    before = [", ", ""];
                }
                push_each(&mut text, &[", not \"", received, "\""]);
            }
            Error::UnknownOption { received } => {
                push_each(&mut text, &["\"", received, "\" is not an option"]);
            }
            Error::InvalidNumber { name, received } => {
                push_each(&mut text, &[name, " must be a number, not \"", received, "\""]);
            }
            Error::MissingFeature { feature } => {
                push_each(&mut text, &[feature, NEEDS_FEATURE]);
            }
            Error::Cancelled => push_text(&mut text, "tracing was stopped by its observer"),
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Error {}

/// Appends a number with up to nine decimals.
#[inline(never)]
fn push_plain(text: &mut String, number: f64) {
    const DECIMAL_STEPS: u64 = 1_000_000_000;
    if number.is_nan() {
        return push_text(text, "NaN");
    }
    if number < 0.0 {
        text.push('-');
    }
    // A double cannot hold much larger numbers in such steps.
    if number.abs() >= 1e6 {
        return push_text(text, "1000000 or beyond");
    }
    let steps = (number.abs() * DECIMAL_STEPS as f64 + 0.5) as u64;
    push_integer(text, steps / DECIMAL_STEPS);
    let mut rest = steps % DECIMAL_STEPS;
    if rest > 0 {
        text.push('.');
    }
    while rest > 0 {
        push_integer(text, 10 * rest / DECIMAL_STEPS);
        rest = 10 * rest % DECIMAL_STEPS;
    }
}

#[inline(never)]
fn push_each(text: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| push_text(text, part));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_plainly() {
        let cases = [
            (0.0, "0"),
            (128.0, "128"),
            (-0.5, "-0.5"),
            (8.000_001, "8.000001"),
            (999_999.75, "999999.75"),
            (-1e300, "-1000000 or beyond"),
            (f64::INFINITY, "1000000 or beyond"),
            (f64::NAN, "NaN"),
        ];
        for (number, text) in cases {
            let mut written = String::new();
            push_plain(&mut written, number);
            assert_eq!(written, text);
        }
    }
}
