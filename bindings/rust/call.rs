//! What the wasm and the native binding share: options arrive as text, failures leave as text.

use std::ops::ControlFlow;

use tracesmith::{Error, OPTION_TABLE, OptionKind, Options, Progress};

/// Told a stage's name and how much of all work is done, 0 to 1; answers whether to go on.
pub(crate) type Observer<'a> = dyn FnMut(&'static str, f32) -> bool + 'a;

/// What the engine reports to.
pub(crate) type Report<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Traces by one of the engine's functions. `settings` has one `name=value` a line, numbers by their bits.
///
/// # Errors
/// `code: message`, which the TypeScript surface turns into a typed error.
pub(crate) fn trace(
    settings: &str,
    observer: &mut Observer<'_>,
    engine: impl FnOnce(&Options, Report<'_>) -> Result<String, Error>,
) -> Result<String, String> {
    let options = read_options(settings)?;
    let svg = engine(&options, &mut |progress| match observer(progress.stage.name(), progress.fraction) {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    svg.map_err(describe)
}

fn describe(error: Error) -> String {
    format!("{}: {error}", error.code())
}

/// A number is the bits of its double in hexadecimal: exact, and without the tables that reading decimals takes.
fn read_options(settings: &str) -> Result<Options, String> {
    let mut options = Options::default();
    // Sets of one character, for the search for a single one is a kilobyte of the module.
    for line in settings.split_terminator(['\n']) {
        let unusable = || format!("invalid_option: \"{line}\" sets no option");
        let (name, value) = line.split_once(['=']).ok_or_else(unusable)?;
        let row = OPTION_TABLE.iter().find(|row| row.name == name).ok_or_else(unusable)?;
        let set = if let OptionKind::Number { .. } = row.kind {
            let bits = u64::from_str_radix(value, 16).map_err(|_| unusable())?;
            options.set_number(name, f64::from_bits(bits))
        } else {
            options.set_choice(name, value)
        };
        set.map_err(describe)?;
    }
    Ok(options)
}
