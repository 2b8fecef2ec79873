use std::fmt;

/// What can be wrong with a call of [`trace`](crate::trace); each has a stable [`code`](Error::code).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Width or height is zero, or above [`Image::MAX_SIDE_PX`](crate::Image::MAX_SIDE_PX).
    InvalidDimensions {
        /// Width received, in pixels.
        width: u32,
        /// Height received, in pixels.
        height: u32,
    },
    /// The pixel buffer's length is not `width × height × 4`.
    InvalidLength {
        /// Bytes expected.
        expected: u64,
        /// Bytes received.
        received: u64,
    },
    /// A number is outside its range, or not finite.
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
    UnknownChoice {
        /// The option's name, as callers spell it.
        name: &'static str,
        /// The choices there are.
        choices: &'static [&'static str],
        /// The word received.
        received: String,
    },
    /// The observer of [`trace_with`](crate::trace_with) asked to stop.
    Cancelled,
}

impl Error {
    /// A stable, machine-readable name of the failure.
    pub fn code(&self) -> &'static str {
        match self {
            Error::InvalidDimensions { .. } => "invalid_dimensions",
            Error::InvalidLength { .. } => "invalid_length",
            Error::OptionOutOfRange { .. } | Error::UnknownChoice { .. } => "invalid_option",
            Error::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InvalidDimensions { width, height } => write!(
                f,
                "image is {width} × {height} px: each side must be 1 to {}",
                crate::Image::MAX_SIDE_PX
            ),
            Error::InvalidLength { expected, received } => {
                write!(f, "pixel buffer has {received} bytes: width × height × 4 is {expected}")
            }
            Error::OptionOutOfRange { name, min, max, received } => {
                write!(f, "{name} must be a number from {min} to {max}, not {received}")
            }
            Error::UnknownChoice { name, choices, received } => {
                write!(f, "{name} must be one of {}, not \"{received}\"", choices.join(", "))
            }
            Error::Cancelled => f.write_str("tracing was stopped by its observer"),
        }
    }
}

impl std::error::Error for Error {}
