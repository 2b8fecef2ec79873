//! Shared by the WebAssembly and the native binding: parses the options, calls the engine, formats its errors.

use std::ops::ControlFlow;

use tracesmith::{Error, Options, Progress};

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

/// The surface has checked the options, so all that is wrong gets one message.
fn parse_options(text: &str) -> Result<Options, String> {
    let mut options = Options::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, others) = split_once(rest, b'\n').unwrap_or((rest, ""));
        set(&mut options, line)
            .ok_or_else(|| together(&["invalid_option: \"", line, "\" is not a valid option"]))?;
        rest = others;
    }
    Ok(options)
}

/// Numbers are hexadecimal bits because they are exact and a decimal parser would add 14 kB to the WebAssembly module.
fn set(options: &mut Options, line: &str) -> Option<()> {
    let (name, value) = split_once(line, b'=')?;
    match u64::from_str_radix(value, 16) {
        Ok(bits) => options.set_number(name, f64::from_bits(bits)).ok(),
        Err(_) => options.set_choice(name, value).ok(),
    }
}

/// The same as that of `str`, which would add a kilobyte to the WebAssembly module.
#[inline(never)]
fn split_once(text: &str, separator: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == separator)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}
