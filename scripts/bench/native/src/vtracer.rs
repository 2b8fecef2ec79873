//! Two versions of vtracer, called in this process with their own defaults.
use std::error::Error;

use crate::usage::Meter;
use crate::{Engine, Picture};

pub struct Vtracer06(Picture);

impl Engine for Vtracer06 {
    const METER: Meter = Meter::Myself;

    fn prepare(picture: Picture) -> Result<Self, Box<dyn Error>> {
        Ok(Self(picture))
    }

    fn trace(&self) -> Result<String, Box<dyn Error>> {
        use vtracer06::{ColorImage, ColorMode, Config, convert};
        let Picture { rgba, width, height, is_binary } = &self.0;
        let image = ColorImage { pixels: rgba.clone(), width: *width, height: *height };
        let color_mode = if *is_binary { ColorMode::Binary } else { ColorMode::Color };
        Ok(convert(image, Config { color_mode, ..Config::default() })?.to_string())
    }
}

pub struct Vtracer10(Picture);

impl Engine for Vtracer10 {
    const METER: Meter = Meter::Myself;

    fn prepare(picture: Picture) -> Result<Self, Box<dyn Error>> {
        Ok(Self(picture))
    }

    fn trace(&self) -> Result<String, Box<dyn Error>> {
        use vtracer10::{Clustering, ColorImage, Config};
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
