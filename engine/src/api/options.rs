use super::error::Error;

/// Whether a picture is traced in its colors or as black shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ColorMode {
    /// Every color becomes shapes of that color.
    #[default]
    Color,
    /// Pixels with luma below 128 over white become black shapes; the rest becomes nothing.
    Binary,
}

/// What outlines are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum PathMode {
    /// Lines, circular arcs and cubic Béziers.
    #[default]
    Spline,
    /// Straight segments.
    Polygon,
    /// The exact outlines of the pixels.
    None,
}

/// Everything a caller may tune; [`OPTION_TABLE`] has names, ranges, units and meanings.
///
/// Begin with [`Options::default`]. Fields may hold anything: [`trace`](crate::trace) checks them, and so does
/// [`validate`](Options::validate).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// `colorMode`
    pub color_mode: ColorMode,
    /// `filterSpeckle`, pixels.
    pub filter_speckle_px: f64,
    /// `colorPrecision`, bits per channel.
    pub color_precision_bits: f64,
    /// `layerDifference`, sum of absolute 8-bit channel differences.
    pub layer_difference: f64,
    /// `cornerThreshold`, degrees.
    pub corner_threshold_deg: f64,
    /// `lengthThreshold`, pixels.
    pub length_threshold_px: f64,
    /// `spliceThreshold`, degrees.
    pub splice_threshold_deg: f64,
    /// `mode`
    pub mode: PathMode,
}

/// The type, range and default of one option.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// One of a few words.
    #[non_exhaustive]
    Choice {
        /// The words, the default first.
        choices: &'static [&'static str],
    },
    /// A number in a closed range.
    #[non_exhaustive]
    Number {
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
        /// Value when the option is absent.
        default: f64,
        /// Unit, for documentation.
        unit: &'static str,
    },
}

/// One row of [`OPTION_TABLE`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The name callers use.
    pub name: &'static str,
    /// Type, range and default.
    pub kind: OptionKind,
    /// What it does, in one sentence.
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

/// Names, types, ranges, defaults and meanings of all options: schemas, types and documents are made from it.
pub const OPTION_TABLE: &[OptionSpec] = &[
    OptionSpec {
        name: "colorMode",
        kind: OptionKind::Choice { choices: &["color", "binary"] },
        meaning: "color: shapes in the picture's colors; binary: pixels with luma below 128 over white become black shapes.",
    },
    number(
        "filterSpeckle",
        (0.0, 128.0),
        4.0,
        "px",
        "A patch smaller than this in width and in height both is absorbed by its surroundings; 0 keeps all.",
    ),
    number(
        "colorPrecision",
        (1.0, 8.0),
        6.0,
        "bits",
        "Significant bits per channel when colors are compared, rounded to whole bits; fills are the true colors.",
    ),
    number(
        "layerDifference",
        (0.0, 255.0),
        16.0,
        "levels",
        "Smallest color step between two layers: sum of the absolute differences of R, G and B in 8-bit units.",
    ),
    number(
        "cornerThreshold",
        (0.0, 180.0),
        60.0,
        "degrees",
        "A turn of at least this angle is a corner and stays sharp.",
    ),
    number(
        "lengthThreshold",
        (0.0, 100.0),
        4.0,
        "px",
        "A bump along an outline shorter than this is smoothed away; sides of shapes and whole shapes never are.",
    ),
    number(
        "spliceThreshold",
        (0.0, 180.0),
        45.0,
        "degrees",
        "A smooth outline may begin a new curve only after turning by this angle, unless it would leave the picture.",
    ),
    OptionSpec {
        name: "mode",
        kind: OptionKind::Choice { choices: &["spline", "polygon", "none"] },
        meaning: "spline: curves and lines; polygon: straight segments; none: exact pixel outlines.",
    },
];

impl Default for Options {
    fn default() -> Self {
        let default_of = |name| match spec(name).kind {
            OptionKind::Number { default, .. } => default,
            OptionKind::Choice { .. } => f64::NAN,
        };
        Options {
            color_mode: ColorMode::default(),
            filter_speckle_px: default_of("filterSpeckle"),
            color_precision_bits: default_of("colorPrecision"),
            layer_difference: default_of("layerDifference"),
            corner_threshold_deg: default_of("cornerThreshold"),
            length_threshold_px: default_of("lengthThreshold"),
            splice_threshold_deg: default_of("spliceThreshold"),
            mode: PathMode::default(),
        }
    }
}

/// The row of an option that is known to exist.
fn spec(name: &str) -> &'static OptionSpec {
    find(name).expect("every option set here is in the table")
}

// Called, for its callers are several: it would be in the module as often.
#[inline(never)]
fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTION_TABLE.iter().find(|row| row.name == name)
}

fn unknown(name: &str) -> Error {
    Error::UnknownOption { received: name.to_owned() }
}

impl Options {
    /// Sets an option by its table name, from text. A number's range is checked later, with all others.
    ///
    /// # Errors
    /// [`Error::UnknownOption`], [`Error::InvalidNumber`] and [`Error::UnknownChoice`].
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        match find(name) {
            Some(OptionSpec { name, kind: OptionKind::Number { .. }, .. }) => {
                let refusal = |_| Error::InvalidNumber { name, received: value.to_owned() };
                self.set_number(name, value.parse().map_err(refusal)?)
            }
            _ => self.set_choice(name, value),
        }
    }

    /// Sets a number by its table name. Its range is checked later, with all others.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] when no number of that name exists.
    pub fn set_number(&mut self, name: &str, value: f64) -> Result<(), Error> {
        *self.number_mut(name).ok_or_else(|| unknown(name))? = value;
        Ok(())
    }

    /// Sets a choice by its table name.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] when no choice of that name exists, [`Error::UnknownChoice`] when the word is none of its.
    pub fn set_choice(&mut self, name: &str, word: &str) -> Result<(), Error> {
        let Some(&OptionSpec { name, kind: OptionKind::Choice { choices }, .. }) = find(name) else {
            return Err(unknown(name));
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
            _ => return None,
        }
        Some(())
    }

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

    /// Checks every number against its range.
    ///
    /// # Errors
    /// [`Error::OptionOutOfRange`] for the first that is outside, or not a number.
    pub fn validate(&self) -> Result<(), Error> {
        let mut copy = self.clone();
        for row in OPTION_TABLE {
            let OptionKind::Number { min, max, .. } = row.kind else { continue };
            let received = *copy.number_mut(row.name).expect("every number of the table has its field");
            if !(min..=max).contains(&received) {
                return Err(Error::OptionOutOfRange { name: row.name, min, max, received });
            }
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
            }
        }
        assert_eq!(options.validate(), Ok(()));
    }

    #[test]
    fn numbers_of_the_table_are_whole() {
        for row in OPTION_TABLE {
            if let OptionKind::Number { min, max, default, .. } = row.kind {
                assert!([min, max, default].iter().all(|number| number.fract() == 0.0), "{}", row.name);
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
