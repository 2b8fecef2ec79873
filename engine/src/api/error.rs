//! The public error type, and its texts.

use std::fmt;

/// The longest side of an image, in pixels. Up to this size, an `f32` holds positions in steps of 1/256 px.
pub(crate) const MAX_SIDE_PX: u32 = 65_535;

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
            | Error::InvalidNumber { .. } => "invalid_option",
            Error::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InvalidDimensions { width, height } => {
                write!(f, "image is {width} × {height} px: each side must be 1 to {}", MAX_SIDE_PX)
            }
            Error::InvalidLength { expected, received } => {
                write!(f, "pixel buffer has {received} bytes: width × height × 4 is {expected}")
            }
            Error::OptionOutOfRange { name, min, max, received } => {
                write!(
                    f,
                    "{name} must be a number from {} to {}, not {}",
                    PlainNumber(*min),
                    PlainNumber(*max),
                    PlainNumber(*received)
                )
            }
            Error::UnknownChoice { name, choices, received } => {
                write!(f, "{name} must be one of {}, not \"{received}\"", choices.join(", "))
            }
            Error::UnknownOption { received } => write!(f, "\"{received}\" is not an option"),
            Error::InvalidNumber { name, received } => {
                write!(f, "{name} must be a number, not \"{received}\"")
            }
            Error::Cancelled => f.write_str("tracing was stopped by its observer"),
        }
    }
}

impl std::error::Error for Error {}

/// Writes a number with up to nine decimals. The standard library's formatting of `f64` would add 20 kB to the WebAssembly module.
struct PlainNumber(f64);

impl fmt::Display for PlainNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DECIMAL_STEPS: u64 = 1_000_000_000;
        let PlainNumber(number) = *self;
        if number.is_nan() {
            return f.write_str("NaN");
        }
        let sign = if number < 0.0 { "-" } else { "" };
        // A double cannot hold much larger numbers in such steps.
        if number.abs() >= 1e6 {
            return write!(f, "{sign}1000000 or beyond");
        }
        let steps = (number.abs() * DECIMAL_STEPS as f64 + 0.5) as u64;
        let decimals = format!(".{:09}", steps % DECIMAL_STEPS);
        let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{sign}{}{decimals}", steps / DECIMAL_STEPS)
    }
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
            assert_eq!(PlainNumber(number).to_string(), text);
        }
    }
}
