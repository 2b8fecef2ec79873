//! Two versions of vtracer with their own defaults.
use std::error::Error;

use crate::Picture;

pub fn trace_06(picture: &Picture) -> Result<String, Box<dyn Error>> {
    use vtracer06::{ColorImage, ColorMode, Config, convert};
    let image = ColorImage { pixels: picture.rgba.clone(), width: picture.width, height: picture.height };
    let color_mode = if picture.is_binary { ColorMode::Binary } else { ColorMode::Color };
    Ok(convert(image, Config { color_mode, ..Config::default() })?.to_string())
}

pub fn trace_10(picture: &Picture) -> Result<String, Box<dyn Error>> {
    use vtracer10::{Clustering, ColorImage, Config};
    let image = ColorImage { pixels: picture.rgba.clone(), width: picture.width, height: picture.height };
    let mut config = Config::default();
    if picture.is_binary {
        config.clustering = Clustering::Binary;
    }
    let tracer = config.build().map_err(|error| format!("{error:?}"))?;
    tracer.to_svg(&image).map_err(|error| format!("{error:?}").into())
}
