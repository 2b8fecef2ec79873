//! The native half of the protocol that `scripts/bench/engines/contender.mjs` speaks: one command a line on stdin, its fields
//! divided by tabs, and one JSON object a line on stdout.

mod usage;

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

pub use usage::Meter;

/// A picture to be traced: straight-alpha RGBA, `width × height × 4` bytes.
pub struct Picture {
    pub rgba: Vec<u8>,
    pub width: usize,
    pub height: usize,
    pub is_binary: bool,
}

/// An engine under test.
pub trait Engine {
    /// Whose time and memory count.
    const METER: Meter;

    /// What an engine makes of the picture before the clock runs: a file of another format, say.
    fn prepare(picture: Picture) -> Result<Self, Box<dyn Error>>
    where
        Self: Sized;

    /// One traced picture, as SVG.
    fn trace(&self) -> Result<String, Box<dyn Error>>;
}

/// Answers commands until stdin ends.
pub fn serve<E: Engine>() -> Result<(), Box<dyn Error>> {
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
            _ => return Err(format!("no such command: {line}").into()),
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
