//! vtracer 0.6, in process, its own defaults.
use std::error::Error;

use bench_runner::{Engine, Meter, Picture, serve};
use vtracer::{ColorImage, ColorMode, Config, convert};

struct Vtracer(Picture);

impl Engine for Vtracer {
    const METER: Meter = Meter::Myself;

    fn prepare(picture: Picture) -> Result<Self, Box<dyn Error>> {
        Ok(Self(picture))
    }

    fn trace(&self) -> Result<String, Box<dyn Error>> {
        let Picture { rgba, width, height, is_binary } = &self.0;
        let image = ColorImage { pixels: rgba.clone(), width: *width, height: *height };
        let mode = if *is_binary { ColorMode::Binary } else { ColorMode::Color };
        Ok(convert(image, Config { color_mode: mode, ..Config::default() })?.to_string())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::<Vtracer>()
}
