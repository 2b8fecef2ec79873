//! Shared by the WebAssembly and the native binding: parses the options, calls the engine, formats its errors.

use std::ops::ControlFlow;

use tracesmith::{Error, OPTION_TABLE, OptionKind, Options, Progress};

/// Receives a stage's name and the share of the work that is done, 0 to 1; returns whether to continue.
pub(crate) type Observer<'a> = dyn FnMut(&'static str, f32) -> bool + 'a;

/// The engine's progress callback.
pub(crate) type OnProgress<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Calls `engine` with the parsed options. `options` has one `name=value` per line, a number as the hexadecimal bits of its
/// `f64`.
///
/// # Errors
/// `code: message`, which the TypeScript surface turns into a `TracesmithError`.
pub(crate) fn trace(
    options: &str,
    observer: &mut Observer<'_>,
    engine: impl FnOnce(&Options, OnProgress<'_>) -> Result<String, Error>,
) -> Result<String, String> {
    let options = parse_options(options)?;
    let svg = engine(&options, &mut |progress| match observer(progress.stage.name(), progress.fraction) {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    svg.map_err(describe)
}

fn describe(error: Error) -> String {
    together(&[error.code(), ": ", &error.message()])
}

/// Neither `format!` nor `concat`: the one would add 6 kB to the WebAssembly module, the other half a kilobyte.
#[inline(never)]
fn together(parts: &[&str]) -> String {
    parts.iter().copied().collect()
}

/// Numbers are hexadecimal bits because they are exact and a decimal parser would add 14 kB to the WebAssembly module.
fn parse_options(text: &str) -> Result<Options, String> {
    let mut options = Options::default();
    // Arrays of one character as patterns: searching for a plain `char` adds a kilobyte to the module.
    for line in text.split_terminator(['\n']) {
        let invalid = || together(&["invalid_option: \"", line, "\" is not a valid option"]);
        let (name, value) = line.split_once(['=']).ok_or_else(invalid)?;
        let spec = OPTION_TABLE.iter().find(|spec| spec.name == name).ok_or_else(invalid)?;
        let set = if let OptionKind::Number { .. } = spec.kind {
            let bits = u64::from_str_radix(value, 16).map_err(|_| invalid())?;
            options.set_number(name, f64::from_bits(bits))
        } else {
            options.set_choice(name, value)
        };
        set.map_err(describe)?;
    }
    Ok(options)
}
