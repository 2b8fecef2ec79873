use image::imageops::{FilterType, resize};
use image::{RgbaImage, open};
use tracesmith::{Image, Options};

/// An image and the options to trace it with.
pub struct Picture {
    pub name: &'static str,
    rgba: RgbaImage,
    pub options: Options,
}

impl Picture {
    pub fn image(&self) -> Image<'_> {
        let (width, height) = self.rgba.dimensions();
        Image::new(width, height, &self.rgba).expect("the buffer matches the size")
    }
}

/// One image for each path through the stages.
pub fn pictures() -> Vec<Picture> {
    let logo = read("logo.png");
    let enlarged = resize(&logo, 1024, 1024, FilterType::CatmullRom);
    let letters = resize(&read("letters.bmp"), 480, 240, FilterType::CatmullRom);
    let color = |name, rgba| Picture { name, rgba, options: Options::default() };
    vec![
        color("logo-256", logo),
        color("logo-1024", enlarged),
        color("photo-320", read("landscape.jpg")),
        color("noise-128", noise(128)),
        Picture { name: "binary-480", rgba: letters, options: binary() },
    ]
}

fn read(name: &str) -> RgbaImage {
    let path = format!("{}/../../test/pictures/{name}", env!("CARGO_MANIFEST_DIR"));
    open(&path).unwrap_or_else(|error| panic!("{path}: {error}")).to_rgba8()
}

/// Noise of a linear congruential generator, the same on every machine.
fn noise(side: u32) -> RgbaImage {
    let mut state = 1u32;
    RgbaImage::from_fn(side, side, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, red, green, blue] = state.to_le_bytes();
        image::Rgba([red, green, blue, 255])
    })
}

fn binary() -> Options {
    let mut options = Options::default();
    options.set("colorMode", "binary").expect("a valid choice");
    options
}
