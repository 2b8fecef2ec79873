//! Prints for each file of raw RGBA pixels, in a line, what the engine believes of how the image was made.
//!
//! `cargo run --release --example formation -- IN.rgba WIDTH HEIGHT [IN.rgba WIDTH HEIGHT ...]`

use tracesmith::{Formation, Image, formation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (files, []) = args.as_chunks::<3>() else {
        return Err("usage: formation IN.rgba WIDTH HEIGHT [IN.rgba WIDTH HEIGHT ...]".into());
    };
    for [input, width, height] in files {
        let rgba = std::fs::read(input)?;
        println!("{}", words(&formation(&Image::new(width.parse()?, height.parse()?, &rgba)?)?));
    }
    Ok(())
}

fn words(found: &Formation) -> String {
    let enlarged = found.enlarged_from.map(|(width, height)| {
        let kernel = found.kernel.unwrap_or_default();
        format!("enlarged from {width} × {height} ({kernel})")
    });
    let sharpened = found.sharpened_percent.map(|percent| format!("sharpened by {percent} %"));
    let grain = found.grain_levels.map(|levels| match (found.jpeg_scale_percent, found.has_coarse_colors) {
        (Some(percent), _) => format!("JPEG, table at {percent} %, ±{levels} levels"),
        (None, true) => format!("colors at half the size, ±{levels} levels"),
        (None, false) if found.has_ordered_dither => format!("ordered dither, ±{levels} levels"),
        (None, false) => format!("noise, ±{levels} levels"),
    });
    let blurred = found.blur_px.map(|deviation| format!("blurred by {deviation:.2} px"));
    let colors = found.colors.map(|count| match found.was_reduced {
        true => format!("reduced to {count} colors"),
        false => format!("{count} colors"),
    });
    let pixel_art = found.is_pixel_art.then(|| "pixel art".to_owned());
    let all: Vec<_> =
        [enlarged, sharpened, grain, blurred, colors, pixel_art].into_iter().flatten().collect();
    if all.is_empty() { "clean".to_owned() } else { all.join("; ") }
}
