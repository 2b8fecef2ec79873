//! The program `potrace`, which traces black on white: a process for each trace, from a PGM file to an SVG file.
use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

use crate::usage::Meter;
use crate::{Engine, Picture};

pub struct Potrace {
    input: PathBuf,
    output: PathBuf,
}

impl Engine for Potrace {
    const METER: Meter = Meter::Children;

    fn prepare(picture: Picture) -> Result<Self, Box<dyn Error>> {
        let name = format!("bench-potrace-{}", std::process::id());
        let file = |extension| std::env::temp_dir().join(&name).with_extension(extension);
        let engine = Self { input: file("pgm"), output: file("svg") };
        std::fs::write(&engine.input, pgm(&picture))?;
        Ok(engine)
    }

    fn trace(&self) -> Result<String, Box<dyn Error>> {
        let status = Command::new("potrace")
            .args(["--svg", "--blacklevel", "0.5", "--output"])
            .args([&self.output, &self.input])
            .status()?;
        if !status.success() {
            return Err(status.to_string().into());
        }
        Ok(std::fs::read_to_string(&self.output)?)
    }
}

impl Drop for Potrace {
    fn drop(&mut self) {
        for file in [&self.input, &self.output] {
            let _ = std::fs::remove_file(file);
        }
    }
}

/// Luma over white, with the weights of ITU-R BT.601, which the other engines use as well.
fn pgm(picture: &Picture) -> Vec<u8> {
    let mut file = format!("P5 {} {} 255\n", picture.width, picture.height).into_bytes();
    let (pixels, _) = picture.rgba.as_chunks::<4>();
    file.extend(pixels.iter().map(|[red, green, blue, alpha]| {
        let luma = 0.299 * f32::from(*red) + 0.587 * f32::from(*green) + 0.114 * f32::from(*blue);
        let cover = f32::from(*alpha) / 255.0;
        (luma * cover + 255.0 * (1.0 - cover)).round() as u8
    }));
    file
}
