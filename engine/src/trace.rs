use std::ops::ControlFlow;

use crate::api::{ColorMode, Error, Image, Options, PathMode, Progress, ProgressMeter, Stage, Stopped};
use crate::classify::{Surface, is_pixel_art, surface};
use crate::color::{Channels, ColorMetric, MIXTURE_RESIDUAL_SQ, NOISY_MIXTURE_RESIDUAL_SQ};
use crate::coverage::Darkness;
use crate::fit::{FitStyle, STACK_UNITS, SampledArcs, fit_edges, relabel, straight_edges};
use crate::geometry::Drawing;
use crate::merge::{
    BOUNDARY_WORTH, BOUNDARY_WORTH_IN_FLAT_ART, BOUNDARY_WORTH_ON_RAMPS, Criterion, LINES_OF_A_SCREEN,
    WORTH_ON_SCREENS, merge,
};
use crate::outline::{join_at_junctions, pixel_corners, place, planar_map};
use crate::raster::{Cracks, Partition, Pixels, Rgba, connected};
use crate::resolve::{Overlay, Painted, resolve_mixtures};
use crate::segment::{Segments, segment};
use crate::stack::{Neighbors, black_shape, ink_shapes, line_shapes, stack};
use crate::svg::emit;

/// Traces `image` and gives the SVG text: `viewBox`, `width` and `height` are the picture's size in pixels, shapes
/// are `<path>` elements in painting order.
///
/// The same picture and options give the same bytes on every machine. Time is linear in pixels and boundary
/// length, but for the rounds in which regions join.
///
/// # Errors
/// [`Error::OptionOutOfRange`] for the first option outside its range.
pub fn trace(image: &Image<'_>, options: &Options) -> Result<String, Error> {
    watched(
        (image.width(), image.height()),
        Rgba::Borrowed(image.rgba()),
        options,
        &mut ProgressMeter::idle(),
    )
}

/// Like [`trace`], and gives the same bytes; tells `observer` how far it has come, and stops where that says
/// [`ControlFlow::Break`].
///
/// The observer is called on the calling thread, when a stage begins and every few milliseconds within the long ones, before
/// anything is done for the first time. It is not told of the end.
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
/// Those of [`trace`], and [`Error::Cancelled`] when the observer stopped it.
pub fn trace_with(
    image: &Image<'_>,
    options: &Options,
    mut observer: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<String, Error> {
    let rgba = Rgba::Borrowed(image.rgba());
    watched((image.width(), image.height()), rgba, options, &mut ProgressMeter::new(&mut observer))
}

/// Like [`trace_with`], and gives the same bytes, but works in the pixels given, and leaves anything in them: that takes 4 bytes a
/// pixel less, and less time. Width, height and `rgba` are what [`Image::new`] takes.
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
/// Those of [`trace_with`] and of [`Image::new`].
pub fn trace_in_place(
    size: (u32, u32),
    rgba: &mut [u8],
    options: &Options,
    mut observer: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<String, Error> {
    watched(size, Rgba::InPlace(rgba), options, &mut ProgressMeter::new(&mut observer))
}

fn watched(
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
    let drawing = match options.color_mode {
        ColorMode::Binary => black_on_white(Darkness::new(&image), options, meter)?,
        ColorMode::Color => colored(Pixels::new(rgba, &mut copy, width), options, meter)?,
    };
    drop(copy);
    meter.begin(Stage::Write, 1)?;
    Ok(emit(&drawing, width, height))
}

fn black_on_white(
    darkness: Darkness,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    if options.mode == PathMode::None {
        let Darkness { width, height, .. } = darkness;
        let pixels = Pixels { width, height, data: &mut darkness.thresholded() };
        return along_pixels(&pixels, options, 0.0, Neighbors::Abut, meter);
    }
    black_shape(darkness, options.filter_speckle_px as f32, &fit_style(options), meter)
}

fn colored(pixels: Pixels<'_>, options: &Options, meter: &mut ProgressMeter<'_>) -> Result<Drawing, Stopped> {
    match (options.mode, is_pixel_art(&pixels)) {
        (PathMode::None, is_art) => {
            let worth = if is_art { 0.0 } else { BOUNDARY_WORTH };
            along_pixels(&pixels, options, worth, Neighbors::Abut, meter)
        }
        (_, true) => along_pixels(&pixels, options, 0.0, Neighbors::Overlap, meter),
        (_, false) => painting(pixels, options, meter),
    }
}

/// Shapes along the sides of pixels. There is no edge for a mixture to tell about; of pixel art every pixel is meant, and no
/// boundary has to be worth its length.
fn along_pixels(
    pixels: &Pixels,
    options: &Options,
    boundary_worth: f32,
    neighbors: Neighbors,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    let metric = ColorMetric::new(options);
    let (labels, cracks) = match options.color_mode {
        ColorMode::Binary => {
            let colors: Vec<u32> = pixels.data.iter().map(|&color| u32::from_le_bytes(color)).collect();
            connected(&colors, pixels.width, meter)?
        }
        ColorMode::Color => {
            let Segments { mut labels, groups, .. } = segment(pixels, &metric, meter)?;
            let mut cracks = Cracks::find(&labels.ids, pixels.width, meter)?;
            cracks.regroup(&mut labels, &groups, meter)?;
            (labels, cracks)
        }
    };
    let criterion = Criterion::new(&metric, options, boundary_worth);
    let partition = Partition { labels, cracks };
    let (layers, cracks) = merge(pixels, partition, &Overlay::default(), &criterion, meter)?;
    meter.begin(Stage::Outline, 1)?;
    let map = planar_map(&layers.labels, &cracks, meter)?;
    let edges = straight_edges(&map.arcs, &pixel_corners(&map));
    meter.begin(Stage::Fit, STACK_UNITS * edges.count())?;
    stack(&layers, &map, &edges, neighbors, meter)
}

/// Shapes whose edges lie where the mixed pixels say: paints with shared boundaries, and what was drawn over them with a thin pen.
/// What a stage was the last to read is dropped after it: a large picture's memory is short.
fn painting(
    pixels: Pixels<'_>,
    options: &Options,
    meter: &mut ProgressMeter<'_>,
) -> Result<Drawing, Stopped> {
    let metric = ColorMetric::new(options);
    let (metric, boundary_worth, residual_sq) = match surface(&pixels) {
        Surface::Flat => (metric, BOUNDARY_WORTH_IN_FLAT_ART, MIXTURE_RESIDUAL_SQ),
        Surface::Ramps => (metric.of_clean_ramps(), BOUNDARY_WORTH_ON_RAMPS, MIXTURE_RESIDUAL_SQ),
        Surface::Noisy => (metric, BOUNDARY_WORTH, NOISY_MIXTURE_RESIDUAL_SQ),
    };
    let style = fit_style(options);
    let Painted { labels, cracks, plane: mut pixels, mixed, overlay } =
        resolve_mixtures(pixels, (&metric, residual_sq), options.filter_speckle_px as f32, meter)?;
    let is_screen = overlay.lines.len() >= LINES_OF_A_SCREEN;
    let boundary_worth = boundary_worth * if is_screen { WORTH_ON_SCREENS } else { 1.0 };
    let criterion = Criterion::new(&metric, options, boundary_worth);
    let (mut layers, cracks) = merge(&pixels, Partition { labels, cracks }, &overlay, &criterion, meter)?;
    // Placing reads in a mixed pixel how much of it each paint covers.
    for (pixel, color) in mixed {
        pixels.replace(pixel as usize, color);
    }
    meter.begin(Stage::Outline, pixels.data.len())?;
    let map = planar_map(&layers.labels, &cracks, meter)?;
    drop(cracks);
    let colors: Vec<Channels> = layers.fills.iter().map(|fill| fill.channels()).collect();
    let mut samples = place(&pixels, &layers.labels, (&colors, &overlay), &map, meter)?;
    let continuations = join_at_junctions(&map.arcs, &mut samples, (layers.width, layers.height), meter)?;
    let arcs = SampledArcs { arcs: &map.arcs, samples: &samples };
    let mut edges = fit_edges(arcs, &continuations, &style, meter)?;
    relabel(&mut layers, arcs, &mut edges, meter)?;
    drop((samples, continuations));
    let over = [ink_shapes(&overlay, &style, meter)?, line_shapes(&overlay.lines)];
    drop(overlay);
    let mut drawing = stack(&layers, &map, &edges, Neighbors::Overlap, meter)?;
    drawing.shapes.extend(over.into_iter().flatten());
    Ok(drawing)
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
