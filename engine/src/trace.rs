//! The public functions, and the stages in their order.
//!
//! Colors are compared and mixed as R, G and B premultiplied by alpha, plus alpha: in these four channels, a mixture of two colors, or of a
//! color and transparency, lies on the line between them.
//!
//! There are three ways through the stages:
//! - [`trace_painting`]: most images. Edges lie between pixels, where the colors of mixed pixels put them.
//! - [`trace_along_pixels`]: pixel art, and `mode: none`. Edges lie along the sides of pixels.
//! - [`trace_black_on_white`]: `colorMode: binary`. Edges are the contours of a field of darkness.

use std::ops::ControlFlow;

use crate::algorithms::sorted_by_key;
use crate::api::{ColorMode, Error, Image, Options, PathMode, Progress, ProgressMeter, Stage, Stopped};
use crate::classify::{BoundaryWorth, Tuning, is_pixel_art};
use crate::color::ColorMetric;
use crate::coverage::Darkness;
use crate::fit::{FitStyle, STACK_UNITS, SampledArcs, fit_edges, straight_edges};
use crate::formation::{Formation, Palette};
use crate::geometry::{Drawing, HAS_GRADIENTS};
use crate::judge::{Depicted, repair};
use crate::merge::{Criterion, merge};
use crate::outline::{join_at_junctions, lowered_pixels, pixel_corners, place, planar_map};
use crate::raster::{Partition, Pixels, Rgba, connected_components};
use crate::resolve::{Overlay, Resolved, resolve};
use crate::restore::{Restored, restore, restore_mixtures};
use crate::segment::segment;
use crate::shade::shade;
use crate::stack::{Neighbors, black_shape, overlay_shapes, stack};
use crate::svg::{emit, round_points};

/// Traces `image` and returns an SVG document. Its `viewBox`, `width` and `height` are the image's size in pixels; shapes are `<path>`
/// elements in painting order, after the gradients that fill some of them if the option `gradients` is on; where gradients lie over each other,
/// `<use>` paints a path again.
///
/// The same image and options give the same bytes on every machine. Time is linear in the number of pixels and the length of
/// boundaries, except for the rounds in which regions join.
///
/// # Errors
/// Those of [`Options::validate`].
pub fn trace(image: &Image<'_>, options: &Options) -> Result<String, Error> {
    trace_rgba(
        (image.width(), image.height()),
        Rgba::Borrowed(image.rgba()),
        options,
        &mut ProgressMeter::idle(),
    )
}

/// Like [`trace`], with the same result; reports progress to `observer`, and stops if that returns [`ControlFlow::Break`].
///
/// The observer is called on the calling thread: before any work, at the beginning of each stage, and every few milliseconds within long
/// stages. It is not called at the end.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::time::{Duration, Instant};
/// use tracesmith::{Error, Image, Options, trace_with};
///
/// let pixels = [255u8; 4 * 64 * 64];
/// let image = Image::new(64, 64, &pixels)?;
/// let start = Instant::now();
/// let traced = trace_with(&image, &Options::default(), |progress| {
///     println!("{:3.0} % {}", progress.fraction * 100.0, progress.stage.name());
///     if start.elapsed() < Duration::from_secs(10) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// });
/// match traced {
///     Ok(svg) => println!("{svg}"),
///     Err(Error::Cancelled) => println!("took too long"),
///     Err(error) => return Err(error),
/// }
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`trace`], and [`Error::Cancelled`] if the observer stopped the trace.
pub fn trace_with(
    image: &Image<'_>,
    options: &Options,
    mut observer: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<String, Error> {
    let rgba = Rgba::Borrowed(image.rgba());
    trace_rgba((image.width(), image.height()), rgba, options, &mut ProgressMeter::new(&mut observer))
}

/// Like [`trace_with`], with the same result, but uses `rgba` as working memory. That saves 4 bytes per pixel and the time to copy them;
/// afterwards, the contents of `rgba` are unspecified. `size` is width and height; both and `rgba` are as in [`Image::new`].
///
/// ```
/// use std::ops::ControlFlow;
/// use tracesmith::{Error, Image, Options, trace, trace_in_place};
///
/// let mut pixels = [[29, 161, 242, 255], [29, 161, 242, 128], [9, 9, 9, 0]].map(|color| color.repeat(400)).concat();
/// let options = Options::default();
/// let svg = trace(&Image::new(20, 60, &pixels)?, &options)?;
/// assert_eq!(trace_in_place((20, 60), &mut pixels, &options, |_| ControlFlow::Continue(()))?, svg);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`trace_with`], and those of [`Image::new`].
pub fn trace_in_place(
    size: (u32, u32),
    rgba: &mut [u8],
    options: &Options,
    mut observer: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<String, Error> {
    trace_rgba(size, Rgba::InPlace(rgba), options, &mut ProgressMeter::new(&mut observer))
}

/// What [`trace`] believes of how a color image was made: whether it was enlarged, blurred, compressed and so on. To look for the reason of a
/// drawing; takes some of the time of a trace.
///
/// # Errors
/// None so far.
pub fn formation(image: &Image<'_>) -> Result<Formation, Error> {
    let meter = &mut ProgressMeter::idle();
    let mut copy = Vec::new();
    let pixels = Pixels::new(Rgba::Borrowed(image.rgba()), &mut copy, image.width() as usize);
    let Restored { mut pixels, grain, palette, enlargement, sharpening, edges } = restore(pixels, meter)?;
    let mut found = Formation::new(enlargement.as_ref(), sharpening.as_ref(), grain.as_ref(), edges.as_ref());
    found.is_pixel_art = is_pixel_art(&pixels, palette.as_ref());
    if let Some(palette) = &palette {
        found.colors = Some(palette.count());
        found.was_reduced = !found.is_pixel_art && restore_mixtures(&mut pixels, palette, meter)?;
    }
    Ok(found)
}

/// Checks the input, and goes the way through the stages that its options choose.
fn trace_rgba(
    (width, height): (u32, u32),
    rgba: Rgba<'_>,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<String, Error> {
    let image = Image::new(width, height, rgba.bytes())?;
    options.validate()?;
    #[cfg(feature = "parallel")]
    let _busy = crate::parallel::BusyThreads::calling();
    meter.begin(Stage::Prepare, 1)?;
    let (width, height) = (width as usize, height as usize);
    let mut copy = Vec::new();
    let mut drawing = match options.color_mode {
        ColorMode::Binary => trace_black_on_white(Darkness::new(&image), options, meter)?,
        ColorMode::Color => trace_color(Pixels::new(rgba, &mut copy, width), options, meter)?,
    };
    drop(copy);
    meter.begin(Stage::Write, 1)?;
    round_points(&mut drawing);
    Ok(emit(&drawing, width, height))
}

/// Dark parts of the image as one black shape.
fn trace_black_on_white(
    darkness: Darkness,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    if options.mode == PathMode::None {
        let Darkness { width, height, .. } = darkness;
        let pixels = Pixels { width, height, data: &mut darkness.thresholded() };
        return trace_along_pixels(&pixels, options, BoundaryWorth::AllMeant, Neighbors::Abut, meter);
    }
    black_shape(darkness, options.filter_speckle_px as f32, &fit_style(options), meter)
}

/// Shapes in the image's colors.
fn trace_color(
    pixels: Pixels<'_>,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    if options.mode != PathMode::None {
        return trace_restored(pixels, options, meter);
    }
    let worth =
        if is_pixel_art(&pixels, None) { BoundaryWorth::AllMeant } else { BoundaryWorth::UNCLASSIFIED };
    trace_along_pixels(&pixels, options, worth, Neighbors::Abut, meter)
}

/// Shapes in the colors and at the size that the picture was drawn in, before it was enlarged, blurred or compressed; then enlarged to the
/// size of the image, whose pixels the options count.
fn trace_restored(
    pixels: Pixels<'_>,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    let size = (pixels.width, pixels.height);
    let Restored { pixels, grain, palette, .. } = restore(pixels, meter)?;
    let scale = (size.0 as f32 / pixels.width as f32, size.1 as f32 / pixels.height as f32);
    let enlarged = f64::from(scale.0.max(scale.1));
    let options = Options {
        filter_speckle_px: options.filter_speckle_px / enlarged,
        length_threshold_px: options.length_threshold_px / enlarged,
        ..*options
    };
    let mut drawing = trace_pixels(pixels, grain.is_some(), palette, &options, meter)?;
    drawing.scale(scale);
    Ok(drawing)
}

/// Shapes along the sides of pixels. No pixel is a mixture: each belongs to the region of its own color.
fn trace_along_pixels(
    pixels: &Pixels,
    options: &Options,
    boundary_worth: BoundaryWorth,
    neighbors: Neighbors,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    let metric = ColorMetric::new(options);
    let partition = match options.color_mode {
        ColorMode::Binary => connected_pixels(pixels, meter)?,
        ColorMode::Color => segment(pixels, &metric, meter)?.into_partition(pixels.width, meter)?,
    };
    let overlay = Overlay::default();
    let criterion = Criterion::new(&metric, boundary_worth, &overlay, options);
    let (layers, cracks) = merge(pixels, partition, &overlay, &criterion, meter)?;
    meter.begin(Stage::Outline, 1)?;
    let map = planar_map(&layers.labels, &cracks, meter)?;
    let edges = straight_edges(&map.arcs, &pixel_corners(&map));
    meter.begin(Stage::Fit, STACK_UNITS * edges.count())?;
    stack(layers, &map, &edges, neighbors, meter)
}

/// Shapes along the sides of pixels in pixel art; in most pictures between pixels.
fn trace_pixels(
    pixels: Pixels<'_>,
    had_grain: bool,
    palette: Option<Palette>,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    if is_pixel_art(&pixels, palette.as_ref()) {
        return trace_along_pixels(&pixels, options, BoundaryWorth::AllMeant, Neighbors::Overlap, meter);
    }
    trace_painting(pixels, had_grain, palette, false, options, meter)
}

/// Shapes with shared edges, finer than the pixel grid; over these, strokes and straight lines.
///
/// Values that no later stage reads are dropped at once: they are as large as the image, and peak memory limits the size of images.
fn trace_painting(
    mut pixels: Pixels<'_>,
    had_grain: bool,
    palette: Option<Palette>,
    was_lowered: bool,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    let was_reduced = match &palette {
        Some(palette) => restore_mixtures(&mut pixels, palette, meter)?,
        None => false,
    };
    let palette = palette.filter(|_| was_reduced);
    let tuning = Tuning::of(&pixels, had_grain, options);
    let style = fit_style(options);
    let segments = segment(&pixels, &tuning.metric, meter)?;
    let Resolved { repainted, partition, overlay, is_photograph } =
        resolve(pixels, segments, &tuning, meter)?;
    let criterion = Criterion::new(&tuning.metric, tuning.boundary_worth, &overlay, options);
    let (mut layers, mut cracks) = merge(repainted.pixels(), partition, &overlay, &criterion, meter)?;
    // From mixed pixels, placing reads how much of each an edge covers.
    let uncovered = repainted.with_mixtures();
    let pixels = &uncovered.pixels;
    meter.begin(Stage::Outline, pixels.data.len())?;
    let mut map = planar_map(&layers.labels, &cracks, meter)?;
    let was_worn = had_grain || was_reduced;
    // With the colors from before, the pixels may belong to other regions: the way begins again.
    if !was_lowered && !was_worn && !is_photograph {
        let lowered = lowered_pixels(pixels, &map, meter)?;
        if !lowered.is_empty() {
            drop((map, cracks, layers, overlay));
            let mut pixels = uncovered.image();
            for (pixel, color) in lowered {
                pixels.replace(pixel as usize, color);
            }
            return trace_painting(pixels, had_grain, palette, true, options, meter);
        }
    }
    if HAS_GRADIENTS
        && options.gradients
        && !is_photograph
        && shade(pixels, &mut layers, &mut cracks, &map, (&tuning.metric, was_worn), meter)?
    {
        map = planar_map(&layers.labels, &cracks, meter)?;
    }
    drop(cracks);
    let mut samples = place(&uncovered, palette, &layers, &map, meter)?;
    let continuations = join_at_junctions(&map.arcs, &mut samples, (layers.width, layers.height), meter)?;
    let arcs = SampledArcs { arcs: &map.arcs, samples: &samples };
    let edges = fit_edges(arcs, &continuations, &style, meter)?;
    let mut rounded = Vec::new();
    samples.iter().for_each(|arc| rounded.extend_from_slice(&arc.rounded));
    drop((samples, continuations));
    let mut over = overlay_shapes(&overlay, &style, meter)?;
    drop(overlay);
    let mut drawing = stack(layers, &map, &edges, Neighbors::Overlap, meter)?;
    let first_ink = drawing.shapes.len();
    drawing.shapes.append(&mut over);
    drop((map, edges));
    rounded.retain(|&pixel| !uncovered.is_covered(pixel));
    let rounded = sorted_by_key(rounded.into_iter(), |pixel| pixel);
    let image = Depicted { pixels: uncovered.image(), was_worn, rounded, first_ink };
    repair(&mut drawing, image, options, &style, meter)?;
    Ok(drawing)
}

/// The connected regions of equal pixels.
fn connected_pixels(pixels: &Pixels, meter: &mut ProgressMeter<'_>) -> Result<Partition, Stopped> {
    let colors: Vec<u32> = pixels.data.iter().map(|&color| u32::from_le_bytes(color)).collect();
    connected_components(&colors, pixels.width, meter)
}

fn fit_style(options: &Options) -> FitStyle {
    FitStyle {
        corner_threshold_deg: options.corner_threshold_deg as f32,
        length_threshold_px: options.length_threshold_px as f32,
        splice_threshold_deg: options.splice_threshold_deg as f32,
        polygon: options.mode == PathMode::Polygon,
        pixel: 1.0,
    }
}
