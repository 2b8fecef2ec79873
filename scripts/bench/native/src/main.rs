//! Runs a version of vtracer by the protocol of `scripts/bench/engines/contender.mjs`: each line on stdin is a command with its
//! fields separated by tabs, and each line on stdout is a JSON object. The argument names the version.

mod usage;
mod vtracer;

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use usage::{cpu_ms, peak_bytes, reset_peak, resident_bytes};

/// A picture to trace: straight-alpha RGBA, `width × height × 4` bytes.
struct Picture {
    rgba: Vec<u8>,
    width: usize,
    height: usize,
    is_binary: bool,
}

type Trace = fn(&Picture) -> Result<String, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let trace: Trace = match std::env::args().nth(1).as_deref() {
        Some("vtracer06") => vtracer::trace_06,
        Some("vtracer10") => vtracer::trace_10,
        other => return Err(format!("unknown peer: {other:?}").into()),
    };
    let mut picture = None;
    let mut svg = String::new();
    for line in stdin().lock().lines() {
        let line = line?;
        let answer = match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["picture", mode, width, height, path] => {
                let (width, height) = (width.parse()?, height.parse()?);
                picture =
                    Some(Picture { rgba: std::fs::read(path)?, width, height, is_binary: *mode == "binary" });
                reset_peak();
                format!(r#"{{"residentBytes":{}}}"#, resident_bytes())
            }
            ["run", calls] => {
                let picture = picture.as_ref().ok_or("no picture yet")?;
                let (start, cpu_start_ms) = (Instant::now(), cpu_ms());
                for _ in 0..calls.parse()? {
                    svg = trace(picture)?;
                }
                let wall_ms = start.elapsed().as_secs_f64() * 1e3;
                let (cpu_ms, peak) = (cpu_ms() - cpu_start_ms, peak_bytes());
                format!(r#"{{"cpuMs":{cpu_ms},"wallMs":{wall_ms},"bytes":{},"peakBytes":{peak}}}"#, svg.len())
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
