use std::fmt;

/// The longest side of an image, in pixels: positions stay exact in `f32` arithmetic.
pub(crate) const MAX_SIDE_PX: u32 = 65_535;

/// What can be wrong with a call of [`trace`](crate::trace), or with what goes into it; each has a stable [`code`](Error::code).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Width or height is zero, or above [`Image::MAX_SIDE_PX`](crate::Image::MAX_SIDE_PX).
    #[non_exhaustive]
    InvalidDimensions {
        /// Width received, in pixels.
        width: u32,
        /// Height received, in pixels.
        height: u32,
    },
    /// The pixel buffer's length is not `width × height × 4`.
    #[non_exhaustive]
    InvalidLength {
        /// Bytes expected.
        expected: u64,
        /// Bytes received.
        received: u64,
    },
    /// A number is outside its range, or not finite.
    #[non_exhaustive]
    OptionOutOfRange {
        /// The option's name, as callers spell it.
        name: &'static str,
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
        /// The value received.
        received: f64,
    },
    /// A word is none of the option's choices.
    #[non_exhaustive]
    UnknownChoice {
        /// The option's name, as callers spell it.
        name: &'static str,
        /// The choices there are.
        choices: &'static [&'static str],
        /// The word received.
        received: String,
    },
    /// There is no option of this name.
    #[non_exhaustive]
    UnknownOption {
        /// The name received.
        received: String,
    },
    /// A text is no number, where the option is one.
    #[non_exhaustive]
    InvalidNumber {
        /// The option's name, as callers spell it.
        name: &'static str,
        /// The text received.
        received: String,
    },
    /// The observer of [`trace_with`](crate::trace_with) asked to stop.
    Cancelled,
}

impl Error {
    /// A stable, machine-readable name of the failure: `invalid_dimensions`, `invalid_length`, `invalid_option` or `cancelled`.
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

/// A number of an error's text, in up to nine decimals: the standard library's writing of doubles takes 20 kB of a module.
struct PlainNumber(f64);

impl fmt::Display for PlainNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DECIMAL_STEPS: u64 = 1_000_000_000;
        let PlainNumber(number) = *self;
        if number.is_nan() {
            return f.write_str("NaN");
        }
        let sign = if number < 0.0 { "-" } else { "" };
        // A double holds no such steps of larger numbers.
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
