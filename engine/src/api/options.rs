//! The options of a trace, and the table of their names, ranges, defaults and meanings.
//!
//! The table is the only place that states a range or a default. The types of the bindings, the OpenAPI document, `--help` and the
//! playground are generated from it. Its numbers are whole, so no code that formats an `f64` enters the WebAssembly module.

use super::error::Error;

/// Whether to trace shapes in the image's colors or black shapes. Default: [`Color`](ColorMode::Color).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ColorMode {
    /// `color`: shapes in the image's colors.
    #[default]
    Color,
    /// `binary`: pixels with luma (Rec. 601) below 128 over white become black shapes; the other pixels are left out.
    Binary,
}

/// What outlines are made of. Default: [`Spline`](PathMode::Spline).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum PathMode {
    /// `spline`: lines, circular and elliptical arcs, and quadratic and cubic Béziers.
    #[default]
    Spline,
    /// `polygon`: straight segments.
    Polygon,
    /// `none`: the exact outlines of the pixels.
    None,
}

/// The options of a trace. [`OPTION_TABLE`] lists the name, range, unit, default and meaning of each.
///
/// Start from [`Options::default`] and set fields, or use [`set`](Options::set) with a name and a text. Fields are not checked when
/// they are set: [`trace`](crate::trace()) checks all of them first, as [`validate`](Options::validate) does.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// `colorMode`: colors, or black shapes. Default: [`ColorMode::Color`].
    pub color_mode: ColorMode,
    /// `filterSpeckle`, 0 to 128 pixels. Default: 4.
    pub filter_speckle_px: f64,
    /// `colorPrecision`, 1 to 8 bits per channel. Default: 6.
    pub color_precision_bits: f64,
    /// `layerDifference`, 0 to 255: the sum of the absolute 8-bit differences in R, G and B. Default: 16.
    pub layer_difference: f64,
    /// `cornerThreshold`, 0 to 180 degrees. Default: 60.
    pub corner_threshold_deg: f64,
    /// `lengthThreshold`, 0 to 100 pixels. Default: 4.
    pub length_threshold_px: f64,
    /// `spliceThreshold`, 0 to 180 degrees. Default: 45.
    pub splice_threshold_deg: f64,
    /// `mode`: what outlines are made of. Default: [`PathMode::Spline`].
    pub mode: PathMode,
    /// `gradients`: smooth shading as gradients, where that is nearer to the image or shorter than layers. Needs the crate's feature of this
    /// name, whatever the other options are. Default: false.
    pub gradients: bool,
}

/// The type, range and default of one option.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// One of several words.
    #[non_exhaustive]
    Choice {
        /// All words allowed. The first is the default.
        choices: &'static [&'static str],
    },
    /// A number in a closed range.
    #[non_exhaustive]
    Number {
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
        /// The value used if the option is not set.
        default: f64,
        /// The unit, for documentation.
        unit: &'static str,
    },
    /// True or false. The default is false.
    Flag,
}

/// The words for a [`Flag`](OptionKind::Flag).
const FLAG_WORDS: &[&str] = &["false", "true"];

/// One row of [`OPTION_TABLE`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The name of the option, in camel case.
    pub name: &'static str,
    /// The type, range and default.
    pub kind: OptionKind,
    /// What the option does, in one or two sentences.
    pub meaning: &'static str,
}

const fn number(
    name: &'static str,
    range: (f64, f64),
    default: f64,
    unit: &'static str,
    meaning: &'static str,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Number { min: range.0, max: range.1, default, unit }, meaning }
}

/// The name, type, range, default and meaning of every option, in the order of the documentation.
pub const OPTION_TABLE: &[OptionSpec] = &[
    OptionSpec {
        name: "colorMode",
        kind: OptionKind::Choice { choices: &["color", "binary"] },
        meaning: "color: shapes in the image's colors. binary: pixels with luma below 128 over white become black shapes.",
    },
    number(
        "filterSpeckle",
        (0.0, 128.0),
        4.0,
        "px",
        "Patches smaller than this in both width and height merge into their surroundings; 0 keeps all.",
    ),
    number(
        "colorPrecision",
        (1.0, 8.0),
        6.0,
        "bits",
        "Significant bits per channel when comparing colors, rounded to whole bits. Fills keep the true colors.",
    ),
    number(
        "layerDifference",
        (0.0, 255.0),
        16.0,
        "levels",
        "Smallest color difference between two layers: the sum of the absolute differences in R, G and B, in 8-bit levels.",
    ),
    number(
        "cornerThreshold",
        (0.0, 180.0),
        60.0,
        "degrees",
        "A turn of at least this angle stays a sharp corner.",
    ),
    number(
        "lengthThreshold",
        (0.0, 100.0),
        4.0,
        "px",
        "Bumps along an outline that are shorter than this are smoothed away. Sides of shapes and whole shapes are kept.",
    ),
    number(
        "spliceThreshold",
        (0.0, 180.0),
        45.0,
        "degrees",
        "A smooth curve is split only after turning by this angle, unless one segment would exceed the fit tolerance.",
    ),
    OptionSpec {
        name: "mode",
        kind: OptionKind::Choice { choices: &["spline", "polygon", "none"] },
        meaning: "spline: curves and lines. polygon: straight segments. none: exact pixel outlines.",
    },
    OptionSpec {
        name: "gradients",
        kind: OptionKind::Flag,
        meaning: "Smooth shading becomes linear and radial gradients, where these are nearer to the image or shorter than layers. Without effect in colorMode binary and mode none.",
    },
];

impl Default for Options {
    fn default() -> Self {
        let mut options = Options {
            color_mode: ColorMode::default(),
            filter_speckle_px: f64::NAN,
            color_precision_bits: f64::NAN,
            layer_difference: f64::NAN,
            corner_threshold_deg: f64::NAN,
            length_threshold_px: f64::NAN,
            splice_threshold_deg: f64::NAN,
            mode: PathMode::default(),
            gradients: false,
        };
        for row in OPTION_TABLE {
            if let (OptionKind::Number { default, .. }, Some(number)) =
                (row.kind, options.number_mut(row.name))
            {
                *number = default;
            }
        }
        options
    }
}

fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTION_TABLE.iter().find(|row| row.name == name)
}

fn unknown(name: &str) -> Error {
    Error::UnknownOption { received: name.to_owned() }
}

impl Options {
    /// Sets an option by its name in [`OPTION_TABLE`], from text. The range of a number is not checked here; see
    /// [`validate`](Options::validate).
    ///
    /// # Errors
    /// [`Error::UnknownOption`] if no option has this name, [`Error::InvalidNumber`] if the text is not a number but the option is,
    /// [`Error::UnknownChoice`] if the text is not one of the choices.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        match find(name) {
            Some(OptionSpec { name, kind: OptionKind::Number { .. }, .. }) => {
                let invalid = |_| Error::InvalidNumber { name, received: value.to_owned() };
                self.set_number(name, value.parse().map_err(invalid)?)
            }
            _ => self.set_choice(name, value),
        }
    }

    /// Sets a numeric option by its name in [`OPTION_TABLE`]. Its range is not checked here; see [`validate`](Options::validate).
    ///
    /// # Errors
    /// [`Error::UnknownOption`] if no numeric option has this name.
    pub fn set_number(&mut self, name: &str, value: f64) -> Result<(), Error> {
        *self.number_mut(name).ok_or_else(|| unknown(name))? = value;
        Ok(())
    }

    /// Sets a choice option, or a flag by the words `true` and `false`, by its name in [`OPTION_TABLE`].
    ///
    /// # Errors
    /// [`Error::UnknownOption`] if no such option has this name, [`Error::UnknownChoice`] if `word` is not one of its choices.
    pub fn set_choice(&mut self, name: &str, word: &str) -> Result<(), Error> {
        let (name, choices) = match find(name) {
            Some(&OptionSpec { name, kind: OptionKind::Choice { choices }, .. }) => (name, choices),
            Some(&OptionSpec { name, kind: OptionKind::Flag, .. }) => (name, FLAG_WORDS),
            _ => return Err(unknown(name)),
        };
        self.choose(name, word).ok_or_else(|| Error::UnknownChoice {
            name,
            choices,
            received: word.to_owned(),
        })
    }

    fn choose(&mut self, name: &str, word: &str) -> Option<()> {
        match (name, word) {
            ("colorMode", "color") => self.color_mode = ColorMode::Color,
            ("colorMode", "binary") => self.color_mode = ColorMode::Binary,
            ("mode", "spline") => self.mode = PathMode::Spline,
            ("mode", "polygon") => self.mode = PathMode::Polygon,
            ("mode", "none") => self.mode = PathMode::None,
            ("gradients", "false") => self.gradients = false,
            ("gradients", "true") => self.gradients = true,
            _ => return None,
        }
        Some(())
    }

    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    fn number_mut(&mut self, name: &str) -> Option<&mut f64> {
        match name {
            "filterSpeckle" => Some(&mut self.filter_speckle_px),
            "colorPrecision" => Some(&mut self.color_precision_bits),
            "layerDifference" => Some(&mut self.layer_difference),
            "cornerThreshold" => Some(&mut self.corner_threshold_deg),
            "lengthThreshold" => Some(&mut self.length_threshold_px),
            "spliceThreshold" => Some(&mut self.splice_threshold_deg),
            _ => None,
        }
    }

    /// Checks every number against its range in [`OPTION_TABLE`], and that this engine can do what the options ask for.
    ///
    /// # Errors
    /// [`Error::OptionOutOfRange`] for the first number that is outside its range or NaN; [`Error::MissingFeature`] if an option needs a
    /// feature that the crate was built without.
    pub fn validate(&self) -> Result<(), Error> {
        let mut copy = self.clone();
        for row in OPTION_TABLE {
            let OptionKind::Number { min, max, .. } = row.kind else { continue };
            let received = copy.number_mut(row.name).map_or(f64::NAN, |number| *number);
            if !(min..=max).contains(&received) {
                return Err(Error::OptionOutOfRange { name: row.name, min, max, received });
            }
        }
        if self.gradients && !cfg!(feature = "gradients") {
            return Err(Error::MissingFeature { feature: "gradients" });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_every_row_can_be_set() {
        let mut options = Options::default();
        assert_eq!(options.validate(), Ok(()));
        for row in OPTION_TABLE {
            match row.kind {
                OptionKind::Number { max, .. } => options.set(row.name, &max.to_string()).unwrap(),
                OptionKind::Choice { choices } => {
                    for word in choices {
                        options.set(row.name, word).unwrap();
                    }
                }
                OptionKind::Flag => {
                    for word in FLAG_WORDS {
                        options.set(row.name, word).unwrap();
                    }
                }
            }
        }
        options.gradients = false;
        assert_eq!(options.validate(), Ok(()));
    }

    #[test]
    fn gradients_need_the_feature() {
        let refusal = Options { gradients: true, ..Options::default() }.validate().err();
        assert_eq!(refusal.is_none(), cfg!(feature = "gradients"), "{refusal:?}");
        if let Some(error) = refusal {
            let text = "gradients needs the crate's feature of this name";
            assert_eq!((error.code(), error.to_string().as_str()), ("invalid_option", text));
        }
    }

    #[test]
    fn numbers_of_the_table_are_whole_and_not_negative() {
        for row in OPTION_TABLE {
            if let OptionKind::Number { min, max, default, .. } = row.kind {
                assert!(
                    [min, max, default].iter().all(|number| number.fract() == 0.0 && *number >= 0.0),
                    "{}",
                    row.name
                );
            }
        }
    }

    #[test]
    fn texts_of_the_table_are_json_as_they_are() {
        let is_plain = |text: &str| text.chars().all(|c| c >= ' ' && c != '"' && c != '\\');
        for row in OPTION_TABLE {
            let texts = match row.kind {
                OptionKind::Choice { choices, .. } => choices.to_vec(),
                OptionKind::Number { unit, .. } => vec![unit],
                OptionKind::Flag => vec![],
            };
            assert!([row.name, row.meaning].iter().chain(&texts).all(|text| is_plain(text)), "{}", row.name);
        }
    }

    #[test]
    fn numbers_outside_their_range_are_named() {
        for bad in [f64::NAN, f64::INFINITY, -1.0, 9.0] {
            let options = Options { color_precision_bits: bad, ..Options::default() };
            let error = options.validate().unwrap_err();
            assert!(error.to_string().starts_with("colorPrecision must be a number from 1 to 8"), "{error}");
        }
    }

    #[test]
    fn unknown_words_are_refused() {
        let refusal = |name: &str, value: &str| {
            let error = Options::default().set(name, value).unwrap_err();
            assert_eq!(error.code(), "invalid_option");
            error.to_string()
        };
        let words = "mode must be one of spline, polygon, none, not \"splines\"";
        assert_eq!(refusal("mode", "splines"), words);
        assert_eq!(refusal("filterSpeckle", "four"), "filterSpeckle must be a number, not \"four\"");
        assert_eq!(refusal("filter_speckle", "4"), "\"filter_speckle\" is not an option");
    }
}
