//! The drawing beside the image.

use std::cell::Cell;

use crate::algorithms::{CHUNK, are_all, kth_smallest, other_bits, sort};
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::classify::{QUARTER_OF_SQUARES, variances};
use crate::color::{
    Channels, ColorMetric, LEAST_DIFFERENCE_SQ, PremultipliedColor, distance_sq, dot, minus, plus, times,
};
use crate::geometry::{Drawing, Shape};
use crate::raster::{Pixels, is_among};
use crate::render::{Canvas, KnownRun, Outline, VisibleFragment};

/// How many pixels are looked at to measure noise.
///
/// Unit: count. Source: the quarter of as many varies by about a tenth.
const NOISE_SAMPLES: usize = 256;

/// The work of drawing a segment, in the units of [`ProgressMeter`].
pub(crate) const SEGMENT_UNITS: usize = 64;

/// The image that a drawing shows.
pub(crate) struct Depicted<'a> {
    pub pixels: Pixels<'a>,
    /// Whether noise was smoothed or mixtures put back.
    pub was_worn: bool,
    /// The pixels beside edges that were drawn without anti-aliasing, in order.
    pub rounded: Vec<u32>,
    /// The first of the shapes that are lines and strokes, whose inks are known.
    pub first_ink: usize,
}

/// A pixel that edges pass.
pub(crate) struct EdgePixel {
    pub pixel: u32,
    /// What the image has more than the drawing; beside an edge without anti-aliasing, what it has more than rounding explains.
    pub lacking: Channels,
    /// Where its visible fragments end; those of the pixel before end where they begin.
    pub end: u32,
}

/// A drawing, drawn, beside the image.
pub(crate) struct Comparison<'a> {
    pub pixels: Pixels<'a>,
    /// As in [`Depicted`].
    rounded: Vec<u32>,
    pub canvas: Canvas,
    /// The squared error: over all pixels, in four channels.
    pub error: f64,
    pub edge_pixels: Vec<EdgePixel>,
    /// The fragments that can be seen in the pixels that edges pass.
    pub visible: Vec<VisibleFragment>,
    /// The pixels in which the image differs from the drawing by more than noise.
    pub differing: Vec<u32>,
    /// For each [`CHUNK`] of pixels, whether the image shows one color there and so does the drawing; or the drawing shows a gradient, which
    /// differs from the image by no more than noise.
    pub is_flat: Vec<bool>,
    /// For each path, whether it covers a pixel fully that shows it.
    pub is_whole: Vec<bool>,
    /// For each path, whether it is left out; those beyond the end are not.
    pub is_absent: Vec<bool>,
    /// The inks of lines and strokes, and the colors that pixels showed exactly where they were drawn, as numbers in order.
    pub paints: Vec<u64>,
    /// How many points are drawn.
    points: u32,
}

impl<'a> Comparison<'a> {
    pub fn new(
        drawing: &Drawing,
        Depicted { pixels, rounded, first_ink, .. }: Depicted<'a>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<Self, Stopped> {
        let inks = drawing.shapes.iter().skip(first_ink);
        let mut paints: Vec<_> = inks.filter_map(|shape| shape.paint.number()).collect();
        sort(&mut paints, 0);
        let mut comparison = Comparison {
            pixels,
            rounded,
            canvas: Canvas::new(&drawing.gradients),
            error: 0.0,
            edge_pixels: Vec::new(),
            visible: Vec::new(),
            differing: Vec::new(),
            is_flat: Vec::new(),
            is_whole: Vec::new(),
            is_absent: Vec::new(),
            paints,
            points: 0,
        };
        comparison.update(drawing, meter)?;
        Ok(comparison)
    }

    /// Compares another drawing with the image.
    pub fn update(&mut self, drawing: &Drawing, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        self.is_whole.clear();
        self.is_flat.clear();
        self.is_flat.resize(self.pixels.data.len().div_ceil(CHUNK), false);
        self.follow(drawing, meter)
    }

    /// Compares the drawing with the image after points moved, less far than from pixel to pixel: where no edge passed, nothing changed.
    pub fn follow(&mut self, drawing: &Drawing, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        self.canvas.clear((self.pixels.width, self.pixels.height));
        self.points = 0;
        for path in drawing.paths() {
            self.paint(path, meter)?;
        }
        self.compare(meter)
    }

    /// Whether a pixel lies beside an edge that was drawn without anti-aliasing.
    pub fn is_rounded(&self, pixel: u32) -> bool {
        is_among(&self.rounded, pixel)
    }

    /// Changes the colors of pixels on the canvas, and leaves all else as it is.
    pub fn predict(&mut self, changes: &[(u32, Channels)]) {
        self.canvas.reserve_colors(changes.len());
        for &(pixel, change) in changes {
            let color = plus(self.canvas.color(pixel as usize), 1.0, change);
            self.canvas.set_color(pixel as usize, color.map(|channel| channel.clamp(0.0, 255.0)));
        }
    }

    /// Takes paths that do not cover it fully away from a pixel that edges pass, given its place among these.
    pub fn remove(&mut self, place: usize, is_absent: &[bool]) {
        let first = if place > 0 { self.edge_pixels[place - 1].end as usize } else { 0 };
        let EdgePixel { pixel, lacking: before, end } = self.edge_pixels[place];
        self.canvas.remove(pixel as usize, is_absent);
        let visible = &mut self.visible[first..end as usize];
        for VisibleFragment { number, gain } in &mut *visible {
            if is_absent[self.canvas.path_of(*number) as usize] {
                *gain = [0.0; 4];
            }
        }
        let mut lacking = minus(self.pixels.channels(pixel as usize), self.canvas.color(pixel as usize));
        if is_among(&self.rounded, pixel) {
            lacking = beyond_rounding(lacking, visible);
        }
        self.error += f64::from(dot(lacking, lacking) - dot(before, before));
        self.edge_pixels[place].lacking = lacking;
    }

    fn paint(&mut self, path: &[Shape], meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let curves = path.iter().flat_map(|shape| &shape.curves);
        meter.advance(SEGMENT_UNITS * curves.map(|curve| curve.segments.len()).sum::<usize>())?;
        let point = &mut self.points;
        let append = |outline: &mut Outline| {
            for curve in path.iter().flat_map(|shape| &shape.curves) {
                *point = outline.push(curve, *point);
            }
        };
        if self.is_absent.get(self.canvas.path_count()) == Some(&true) {
            self.canvas.skip(path[0].paint, append);
        } else {
            self.canvas.paint(path[0].paint, append);
        }
        Ok(())
    }

    /// Compares what is on the canvas with the image.
    pub fn compare(&mut self, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let Comparison { pixels, canvas, edge_pixels, visible, differing, is_flat, is_whole, .. } = self;
        // The next pixel beside an edge without anti-aliasing.
        let (rounded, mut next) = (&self.rounded, 0);
        let mut error = 0.0;
        edge_pixels.clear();
        visible.clear();
        differing.clear();
        edge_pixels.reserve(canvas.fragment_count());
        visible.reserve(canvas.fragment_count());
        let flat = canvas.flat_colors();
        is_whole.resize(flat.len(), false);
        // Whether a gradient is all that differs, within noise.
        let only_shades = Cell::new(true);
        let mut known = KnownRun::default();
        // Whether the pixel is as it was drawn.
        let mut is_alike = |pixel: u32, entry: u32, color: [u8; 4]| {
            let drawn = if let Some(flat) = flat.get(entry as usize) {
                is_whole[entry as usize] = true;
                if *flat == color {
                    return true;
                }
                canvas.paint_in_turn(entry, pixel as usize, &mut known)
            } else {
                canvas.find_visible(pixel as usize, visible)
            };
            let mut lacking = minus(PremultipliedColor(color).channels(), drawn);
            if entry as usize >= flat.len() {
                while rounded.get(next).is_some_and(|&other| other < pixel) {
                    next += 1;
                }
                if rounded.get(next) == Some(&pixel) {
                    let first = edge_pixels.last().map_or(0, |before| before.end as usize);
                    lacking = beyond_rounding(lacking, &visible[first..]);
                }
                edge_pixels.push(EdgePixel { pixel, lacking, end: visible.len() as u32 });
            }
            let square = dot(lacking, lacking);
            if square <= LEAST_DIFFERENCE_SQ && canvas.is_shaded(entry) {
                return false;
            }
            only_shades.set(false);
            error += f64::from(square);
            if square > LEAST_DIFFERENCE_SQ {
                differing.push(pixel);
            }
            false
        };
        // The last entry and color that were found to be alike.
        let mut same = (u32::MAX, [0; 4]);
        let flags = is_flat.iter_mut().zip(&canvas.has_fragments);
        let chunks = canvas.entries().chunks(CHUNK).zip(pixels.data.chunks(CHUNK));
        for (first, ((is_flat, &has_fragments), (entries, colors))) in
            (0..).step_by(CHUNK).zip(flags.zip(chunks))
        {
            if first % PIXELS_PER_ADVANCE as u32 == 0 {
                meter.advance(PIXELS_PER_ADVANCE)?;
            }
            let whole = entries.first_chunk().zip(colors.first_chunk());
            if *is_flat && !has_fragments {
                continue;
            }
            *is_flat = whole
                .zip(flat.get(entries[0] as usize))
                .is_some_and(|(chunks, &color)| are_all(chunks, (entries[0], color)));
            let others = |same| whole.map_or((1 << entries.len()) - 1, |chunks| other_bits(chunks, same));
            // Of a flat chunk, the first pixel stands for all.
            let mut left = if *is_flat { u32::from((entries[0], colors[0]) != same) } else { others(same) };
            only_shades.set(true);
            let is_shaded = left != 0 && !has_fragments;
            while left != 0 {
                let k = left.trailing_zeros();
                left &= left - 1;
                let (entry, color) = (entries[k as usize], colors[k as usize]);
                if is_alike(first + k, entry, color) {
                    same = (entry, color);
                    left &= others(same);
                }
            }
            *is_flat |= is_shaded && only_shades.get();
        }
        self.error = error;
        Ok(())
    }

    /// The pixels that edges pass, and the visible fragments of each.
    pub fn at_edges(&self) -> impl Iterator<Item = (&EdgePixel, &[VisibleFragment])> {
        let mut first = 0;
        self.edge_pixels.iter().map(move |at| {
            let visible = &self.visible[first..at.end as usize];
            first = at.end as usize;
            (at, visible)
        })
    }

    /// Visits the pixels that differ by more than noise, in order.
    pub fn for_each_difference(&self, mut visit: impl FnMut(usize, Channels)) {
        for pixel in self.differing.iter().map(|&pixel| pixel as usize) {
            visit(pixel, self.lacking(pixel));
        }
    }

    /// The variance of one channel of a pixel, in general and where no edge is near.
    ///
    /// The first is that of pixels at edges, and of the noise that a quarter of the flat pixels show; if `at_edges`, of the noise that these and a
    /// quarter of those at edges show. Pixels at edges differ by the noise that is left where grain was smoothed. Without grain they differ
    /// because the drawing lacks something: in small images, most do.
    ///
    /// The second follows from it and from the shades of one layer, as [`variances`] says.
    pub fn variances(&self, at_edges: bool, metric: &ColorMetric) -> [f32; 2] {
        let mut squares = Vec::new();
        let (mut shades, mut count) = (0.0, 0.0);
        // An odd step passes through all columns of an even width.
        let step = self.pixels.data.len().div_ceil(NOISE_SAMPLES) | 1;
        for pixel in (0..self.pixels.data.len()).step_by(step) {
            if self.canvas.is_flat(pixel) {
                let lacking = self.lacking(pixel);
                let square = dot(lacking, lacking);
                squares.push(square);
                if metric.same_layer(self.pixels.channels(pixel), self.canvas.color(pixel)) {
                    (shades, count) = (shades + square, count + 3.0);
                }
            }
        }
        let mut sum = quarter(&squares);
        if at_edges {
            squares.clear();
            let step = self.edge_pixels.len().div_ceil(NOISE_SAMPLES).max(1);
            for at in self.edge_pixels.iter().step_by(step) {
                squares.push(dot(at.lacking, at.lacking));
            }
            sum += quarter(&squares);
        }
        variances(sum / QUARTER_OF_SQUARES, shades / f32::max(count, 1.0), at_edges)
    }

    /// The greatest squared difference between the colors that the drawing has in a pixel and in those above, below and beside it.
    // Not inlined: the WebAssembly module would grow.
    #[inline(never)]
    pub fn steepest_change(&self, pixel: usize) -> f32 {
        let width = self.pixels.width;
        let column = pixel % width;
        let around = [
            if pixel < width { pixel } else { pixel - width },
            pixel - usize::from(column > 0),
            pixel + usize::from(column + 1 < width),
            if pixel + width < self.pixels.data.len() { pixel + width } else { pixel },
        ];
        let drawn = self.canvas.color(pixel);
        around.iter().map(|&near| distance_sq(self.canvas.color(near), drawn)).fold(0.0, f32::max)
    }

    /// What the image has more than the drawing in a pixel.
    #[inline]
    pub fn lacking(&self, pixel: usize) -> Channels {
        minus(self.pixels.channels(pixel), self.canvas.color(pixel))
    }
}

/// What a pixel lacks, less what rounding the coverage of its strongest edge to all or nothing changes at most: half of what a pixel gains
/// across that edge.
#[inline(never)]
fn beyond_rounding(lacking: Channels, visible: &[VisibleFragment]) -> Channels {
    let across = visible.iter().map(|fragment| dot(fragment.gain, fragment.gain)).fold(0.0, f32::max);
    let square = dot(lacking, lacking);
    let share = if 4.0 * square > across { 1.0 - (0.25 * across / square).sqrt() } else { 0.0 };
    times(share, lacking)
}

/// A quarter of the values are not above this.
#[inline(never)]
fn quarter(values: &[f32]) -> f32 {
    kth_smallest(values, values.len() / 4)
}
