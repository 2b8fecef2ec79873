//! Runs a native peer by the protocol of `scripts/bench/engines/contender.mjs`: each line on stdin is a command with its fields
//! separated by tabs, and each line on stdout is a JSON object. The argument names the peer.

mod potrace;
mod usage;
mod vtracer;

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use usage::Meter;

/// A picture to trace: straight-alpha RGBA, `width × height × 4` bytes.
struct Picture {
    rgba: Vec<u8>,
    width: usize,
    height: usize,
    is_binary: bool,
}

/// An engine under test.
trait Engine {
    /// Whose time and memory are measured.
    const METER: Meter;

    /// Converts the picture to the engine's input format, which is not timed.
    fn prepare(picture: Picture) -> Result<Self, Box<dyn Error>>
    where
        Self: Sized;

    /// Traces the picture to SVG.
    fn trace(&self) -> Result<String, Box<dyn Error>>;
}

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("potrace") => serve::<potrace::Potrace>(),
        Some("vtracer06") => serve::<vtracer::Vtracer06>(),
        Some("vtracer10") => serve::<vtracer::Vtracer10>(),
        other => Err(format!("unknown peer: {other:?}").into()),
    }
}

/// Answers commands until stdin ends.
fn serve<E: Engine>() -> Result<(), Box<dyn Error>> {
    let mut engine = None;
    let mut svg = String::new();
    for line in stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let answer = match fields.as_slice() {
            ["picture", mode, width, height, path] => {
                engine = Some(E::prepare(read(mode, width, height, path)?)?);
                E::METER.reset_peak();
                format!(r#"{{"residentBytes":{}}}"#, E::METER.resident_bytes())
            }
            ["run", calls] => {
                let engine = engine.as_ref().ok_or("no picture yet")?;
                run(engine, calls.parse()?, &mut svg)?
            }
            ["svg", path] => {
                std::fs::write(path, &svg)?;
                "{}".to_owned()
            }
            _ => return Err(format!("unknown command: {line}").into()),
        };
        writeln!(stdout(), "{answer}")?;
    }
    Ok(())
}

fn read(mode: &str, width: &str, height: &str, path: &str) -> Result<Picture, Box<dyn Error>> {
    Ok(Picture {
        rgba: std::fs::read(path)?,
        width: width.parse()?,
        height: height.parse()?,
        is_binary: mode == "binary",
    })
}

fn run<E: Engine>(engine: &E, calls: u32, svg: &mut String) -> Result<String, Box<dyn Error>> {
    let (start, cpu_ms) = (Instant::now(), E::METER.cpu_ms());
    for _ in 0..calls {
        *svg = engine.trace()?;
    }
    let wall_ms = start.elapsed().as_secs_f64() * 1e3;
    let cpu_ms = E::METER.cpu_ms() - cpu_ms;
    let peak = E::METER.peak_bytes();
    Ok(format!(r#"{{"cpuMs":{cpu_ms},"wallMs":{wall_ms},"bytes":{},"peakBytes":{peak}}}"#, svg.len()))
}
