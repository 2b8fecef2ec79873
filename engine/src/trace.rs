use crate::emit::emit;
use crate::fit::FitStyle;
use crate::merge::merge;
use crate::mixture::resolve_mixtures;
use crate::outline::outline;
use crate::pixels::{Channels, ColorMetric, Pixels};
use crate::place::{pixel_corners, place};
use crate::segment::{connected, segment};
use crate::stack::{Outlining, stack};
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
    let metric = ColorMetric::new(options);
    let pixels = Pixels::new(image, options);
    let layers = match (options.color_mode, options.mode) {
        (ColorMode::Binary, _) => {
            let black = pixels.thresholded();
            merge(&black, connected(&black.data, black.width), &metric, options)
        }
        // Exact pixel outlines have no edge for a mixture to tell about.
        (ColorMode::Color, PathMode::None) => merge(&pixels, segment(&pixels, &metric), &metric, options),
        (ColorMode::Color, _) => {
            let painted = resolve_mixtures(&pixels, segment(&pixels, &metric));
            merge(&painted.plane, painted.labels, &metric, options)
        }
    };
    let outlines = outline(&layers.labels, pixels.width, pixels.height);
    let (samples, outlining) = match options.mode {
        PathMode::None => (pixel_corners(&outlines), Outlining::Exact),
        mode => {
            let colors: Vec<Channels> = layers.fills.iter().map(|fill| fill.map(f32::from)).collect();
            let style = FitStyle {
                corner_threshold_deg: options.corner_threshold_deg as f32,
                length_threshold_px: options.length_threshold_px as f32,
                splice_threshold_deg: options.splice_threshold_deg as f32,
                polygon: mode == PathMode::Polygon,
            };
            (place(&pixels, &layers.labels, &colors, &outlines), Outlining::Fitted(style))
        }
    };
    let drawing = stack(&layers, &outlines, &samples, &outlining);
    Ok(emit(&drawing, pixels.width, pixels.height))
}
