//! Traces a file of raw RGBA pixels several times and prints the wall time of each run in milliseconds.
//!
//! `cargo run --release --example trace_rgba -- color IN.rgba WIDTH HEIGHT RUNS OUT.svg [option=value ...]`
//!
//! `gradients=true` needs `--features gradients`.

use std::time::Instant;

use mimalloc::MiMalloc;
use tracesmith::{Image, Options, trace};

/// The allocator of the native addon.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [mode, input, width, height, runs, output, rest @ ..] = args.as_slice() else {
        return Err(
            "usage: trace_rgba color|binary IN.rgba WIDTH HEIGHT RUNS OUT.svg [option=value ...]".into()
        );
    };
    let mut options = Options::default();
    options.set("colorMode", mode)?;
    for pair in rest {
        let (name, value) = pair.split_once('=').ok_or("expected an option as name=value")?;
        options.set(name, value)?;
    }
    let rgba = std::fs::read(input)?;
    let image = Image::new(width.parse()?, height.parse()?, &rgba)?;
    let mut times = Vec::new();
    let mut svg = String::new();
    for _ in 0..runs.parse::<usize>()?.max(1) {
        let start = Instant::now();
        svg = trace(&image, &options)?;
        times.push(format!("{:.3}", start.elapsed().as_secs_f64() * 1e3));
    }
    std::fs::write(output, svg)?;
    let times = times.join(",");
    println!(r#"{{"wall":[{times}],"cpu":[{times}]}}"#);
    Ok(())
}
