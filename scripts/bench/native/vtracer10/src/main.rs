//! vtracer 1.0 (alpha), in process, its own defaults.
use std::error::Error;

use bench_runner::{Engine, Meter, Picture, serve};
use vtracer::{Clustering, ColorImage, Config};

struct Vtracer(Picture);

impl Engine for Vtracer {
    const METER: Meter = Meter::Myself;

    fn prepare(picture: Picture) -> Result<Self, Box<dyn Error>> {
        Ok(Self(picture))
    }

    fn trace(&self) -> Result<String, Box<dyn Error>> {
        let Picture { rgba, width, height, is_binary } = &self.0;
        let image = ColorImage { pixels: rgba.clone(), width: *width, height: *height };
        let mut config = Config::default();
        if *is_binary {
            config.clustering = Clustering::Binary;
        }
        let tracer = config.build().map_err(|error| format!("{error:?}"))?;
        tracer.to_svg(&image).map_err(|error| format!("{error:?}").into())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::<Vtracer>()
}
