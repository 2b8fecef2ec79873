use crate::emit::emit;
use crate::fit::FitStyle;
use crate::ink::{black, inked};
use crate::merge::{BOUNDARY_WORTH, merge};
use crate::mixture::resolve_mixtures;
use crate::outline::outline;
use crate::pixels::{Channels, ColorMetric, Pixels};
use crate::place::{pixel_corners, place};
use crate::segment::{connected, segment};
use crate::stack::{Drawing, Outlining, stack};
use crate::staircase::is_pixel_art;
use crate::{ColorMode, Error, Image, Options, PathMode};

/// Traces `image` and gives the SVG text: `viewBox`, `width` and `height` are the picture's size in pixels, shapes
/// are `<path>` elements in painting order.
///
/// The same picture and options give the same bytes on every machine. Time is linear in pixels and boundary
/// length, but for sorting what touches what.
///
/// # Errors
/// [`Error::OptionOutOfRange`] for the first option outside its range.
pub fn trace(image: &Image<'_>, options: &Options) -> Result<String, Error> {
    options.validate()?;
    let pixels = Pixels::new(image, options);
    let (width, height) = (pixels.width, pixels.height);
    let drawing = match (options.mode, options.color_mode) {
        (PathMode::None, ColorMode::Binary) => {
            along_pixels(&pixels.thresholded(), options, 0.0, &Outlining::Exact)
        }
        (PathMode::None, ColorMode::Color) => {
            let worth = if is_pixel_art(&pixels) { 0.0 } else { BOUNDARY_WORTH };
            along_pixels(&pixels, options, worth, &Outlining::Exact)
        }
        (_, ColorMode::Binary) => black(&pixels, options.filter_speckle_px as f32, &fit_style(options)),
        (_, ColorMode::Color) if is_pixel_art(&pixels) => {
            along_pixels(&pixels, options, 0.0, &Outlining::Fitted(fit_style(options)))
        }
        (_, ColorMode::Color) => painting(pixels, options),
    };
    Ok(emit(&drawing, width, height))
}

/// Shapes along the sides of pixels. There is no edge for a mixture to tell about; of pixel art every pixel is meant, and no
/// boundary has to be worth its length.
fn along_pixels(pixels: &Pixels, options: &Options, boundary_worth: f32, outlining: &Outlining) -> Drawing {
    let metric = ColorMetric::new(options);
    let labels = match options.color_mode {
        ColorMode::Binary => connected(&pixels.data, pixels.width),
        ColorMode::Color => segment(pixels, &metric),
    };
    let layers = merge(pixels, labels, &metric, options, boundary_worth);
    let outlines = outline(&layers.labels, layers.width, layers.height);
    stack(&layers, &outlines, &pixel_corners(&outlines), outlining)
}

/// Shapes whose edges lie where the mixed pixels say: paints with shared boundaries, and what was drawn over them with a thin pen.
fn painting(pixels: Pixels, options: &Options) -> Drawing {
    let metric = ColorMetric::new(options);
    let style = fit_style(options);
    let painted = resolve_mixtures(pixels, &metric, options.filter_speckle_px as f32);
    let layers = merge(&painted.plane, painted.labels, &metric, options, BOUNDARY_WORTH);
    let outlines = outline(&layers.labels, layers.width, layers.height);
    let colors: Vec<Channels> = layers.fills.iter().map(|fill| fill.map(f32::from)).collect();
    let samples = place(&painted.beneath, &layers.labels, &colors, &outlines);
    let mut drawing = stack(&layers, &outlines, &samples, &Outlining::Fitted(style));
    drawing.shapes.extend(inked(&painted.inks, &style));
    drawing
}

fn fit_style(options: &Options) -> FitStyle {
    FitStyle {
        corner_threshold_deg: options.corner_threshold_deg as f32,
        length_threshold_px: options.length_threshold_px as f32,
        splice_threshold_deg: options.splice_threshold_deg as f32,
        polygon: options.mode == PathMode::Polygon,
    }
}
