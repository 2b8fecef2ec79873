//! The regions of the image as the steps of this stage know them: which are paints, and what color each has.

use super::assignment::Assignment;
use crate::algorithms::{CHUNK, set_bits, top_bits};
use crate::api::{ProgressMeter, Stopped};
use crate::color::Channels;
use crate::raster::{Labels, Pixels, column_and_row, largest_of_distinct_colors};
use crate::segment::{ColorSums, Core, Segments, cores};

/// How far a mixed pixel looks along an axis for the paint on either side.
///
/// Unit: pixels. Source: an anti-aliased edge mixes at most two pixels in a row, so from either of them its paint is within two.
const PAINT_REACH_PX: usize = 2;

/// How many labels are renumbered before they are copied: as many as stay in the processor's nearest caches.
const PIXELS_PER_STEP: usize = 1 << 13;

/// Columns and rows of the window in which a pixel looks for paints.
const PAINT_WINDOW: usize = 2 * PAINT_REACH_PX + 1;

/// The axes along which a mixed pixel looks, in both directions, for the two paints that it mixes.
pub(crate) const AXES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// How many backdrops an image has, at most.
///
/// Unit: count. Source: tuned; no derivation is known.
pub(super) const MOST_BACKDROPS: usize = 3;

/// What drawings are drawn on, whether the image shows it or not: white, or nothing. They follow the regions in `colors`.
pub(super) const PAGES: [Channels; 2] = [[255.0; 4], [0.0; 4]];

/// Added to the labels of regions with a thin core. Layout, as [`CORELESS`]: the top two bits of a label.
const THIN: u32 = 1 << 31;

/// Added to the labels of regions without a core.
const CORELESS: u32 = 3 << 30;

/// The label beyond the image: not a paint.
const NOTHING: u32 = u32::MAX;

/// The work of looking around a pixel for its paints, in the units of [`ProgressMeter`].
pub(crate) const EXPLAIN_PIXEL_UNITS: usize = 8;

/// Whether a label is a paint's.
pub(crate) fn is_paint(label: u32) -> bool {
    label < THIN
}

/// Whether a label is that of a region with a thin core.
pub(crate) fn is_thin(label: u32) -> bool {
    (THIN..CORELESS).contains(&label)
}

pub(crate) fn is_coreless(label: u32) -> bool {
    label >= CORELESS
}

/// Calls with the index of each label that is not a paint's.
pub(crate) fn for_each_mixed(row: &[u32], mut each: impl FnMut(usize)) {
    let (chunks, rest) = row.as_chunks::<CHUNK>();
    for (k, chunk) in chunks.iter().enumerate() {
        set_bits(top_bits(chunk).into()).for_each(|x| each(k * CHUNK + x));
    }
    let rest = (chunks.len() * CHUNK..).zip(rest);
    rest.filter(|&(_, &label)| !is_paint(label)).for_each(|(x, _)| each(x));
}

/// The regions of the image: which pixel is part of which, which regions are paints, and their colors.
///
/// The map says what a pixel is part of; [`Assignment`] says what it belongs to. The assignment changes in every step, the map only while
/// strokes are found: when a region with a thin core turns out to be a paint ([`PaintMap::promote`]), and when print loses its colored
/// fringes.
///
/// # Guarantees
/// The top two bits of a label say whether its region is a paint (a full core), thin (a thin core) or coreless, so the most frequent
/// question, [`is_paint`], needs no table. The other bits of a paint's or a thin region's label are its index in `colors` and `areas`;
/// coreless regions, which are most regions of a photograph, have no entries.
pub(crate) struct PaintMap<'a> {
    /// The image. Print that was rendered in sub-pixels loses its colored fringes here.
    pub pixels: Pixels<'a>,
    /// A pixel is a mixture of two or three paints when it is no farther than this from the line or plane through them (squared,
    /// Euclidean, 0–255). Strokes and straight lines have tolerances of their own.
    pub mixture_tolerance_sq: f32,
    pub labels: Labels,
    /// For each region with a full or a thin core, whether it is a paint: the others are thin.
    paints: Vec<bool>,
    /// The mean color of each of these regions.
    pub colors: Vec<Channels>,
    /// The number of pixels of each of these regions.
    pub areas: Vec<u32>,
    /// The largest paints of different colors, and the pages: any other paint may have been drawn over one of these.
    pub backdrops: Vec<u32>,
}

/// The regions of an image before paints are known.
pub(crate) struct CoredRegions {
    pub(super) labels: Labels,
    /// For each region, the largest core that it has.
    pub(super) cores: Vec<Core>,
    sums: Vec<ColorSums>,
}

impl CoredRegions {
    pub fn find(segments: Segments, width: usize, meter: &mut ProgressMeter<'_>) -> Result<Self, Stopped> {
        let Segments { mut labels, groups, sums } = segments;
        let cores = cores(&mut labels, &groups, width, meter)?;
        Ok(CoredRegions { labels, cores, sums })
    }

    pub fn into_labels(self) -> Labels {
        self.labels
    }
}

impl<'a> PaintMap<'a> {
    /// Also returns the assignment of each pixel to its own region.
    pub fn new(
        pixels: Pixels<'a>,
        regions: CoredRegions,
        mixture_tolerance_sq: f32,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(Self, Assignment), Stopped> {
        let CoredRegions { labels, cores, sums } = regions;
        let groups = with_core_first(&cores);
        let mut paint_map = PaintMap {
            pixels,
            mixture_tolerance_sq,
            labels,
            paints: Vec::new(),
            colors: Vec::new(),
            areas: Vec::new(),
            backdrops: Vec::new(),
        };
        for (core, sums) in cores.iter().zip(&sums) {
            if *core != Core::None {
                paint_map.paints.push(*core == Core::Full);
                paint_map.colors.push(sums.exact_mean());
                paint_map.areas.push(sums.area());
            }
        }
        paint_map.backdrops = largest_of_distinct_colors(
            paint_map.paints().collect(),
            &paint_map.areas,
            &paint_map.colors,
            MOST_BACKDROPS,
        );
        for page in PAGES {
            paint_map.backdrops.push(paint_map.colors.len() as u32);
            paint_map.colors.push(page);
        }
        // The copy of the labels fits where these were.
        drop((cores, sums));
        let labels = &mut paint_map.labels.ids;
        let mut copy = Vec::with_capacity(labels.len());
        for ids in labels.chunks_mut(PIXELS_PER_STEP) {
            meter.advance(ids.len())?;
            groups.apply_to(ids);
            copy.extend_from_slice(ids);
        }
        Ok((paint_map, Assignment::new(copy)))
    }

    /// How many regions have a core.
    pub fn with_core(&self) -> usize {
        self.areas.len()
    }

    /// The labels of the paints.
    pub fn paints(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.paints).filter(|&(_, &is_paint)| is_paint).map(|(label, _)| label)
    }

    /// Width and height of the image.
    pub fn size(&self) -> (usize, usize) {
        (self.pixels.width, self.pixels.height)
    }

    /// Makes the thin regions among some pixels paints, to which these pixels belong.
    pub fn promote(&mut self, pixels: &[u32], assignment: &mut Assignment) {
        for i in pixels.iter().map(|&i| i as usize) {
            let label = &mut self.labels.ids[i];
            if is_thin(*label) {
                *label -= THIN;
                self.paints[*label as usize] = true;
                assignment.give_back(&self.labels, i);
            }
        }
    }

    /// For each axis, the labels of the first paints from pixel `i` in both directions; a label that is not a paint's where none is in reach.
    pub fn paints_across(&self, i: usize) -> [[u32; 2]; AXES.len()] {
        let (x, y) = self.column_and_row(i);
        if self.is_within(PAINT_REACH_PX, (x, y)) {
            self.paints_within(i)
        } else {
            self.paints_at_border(x, y)
        }
    }

    /// The column and the row of a pixel.
    fn column_and_row(&self, i: usize) -> (usize, usize) {
        let (x, y) = column_and_row(i as u32, self.pixels.width as u32);
        (x as usize, y as usize)
    }

    /// Whether there are `margin` pixels on each side.
    fn is_within(&self, margin: usize, (x, y): (usize, usize)) -> bool {
        let within = |at: usize, size: usize| at >= margin && at + margin < size;
        within(x, self.pixels.width) && within(y, self.pixels.height)
    }

    fn paints_within(&self, i: usize) -> [[u32; 2]; AXES.len()] {
        let width = self.pixels.width;
        let start = i - PAINT_REACH_PX * width - PAINT_REACH_PX;
        let rows: [&[u32; PAINT_WINDOW]; PAINT_WINDOW] = std::array::from_fn(|row| {
            self.labels.ids[start + row * width..].first_chunk().unwrap_or(&[0; PAINT_WINDOW])
        });
        let first = |dx: isize, dy: isize| {
            let at = |k: isize| {
                let index = |d: isize| (PAINT_REACH_PX as isize + k * d) as usize;
                rows[index(dy)][index(dx)]
            };
            let (near, far) = (at(1), at(2));
            // By masks of the top bit, not by a branch: the processor cannot predict which label is a paint's.
            let is_mixed = (near as i32 >> 31) as u32;
            near & !is_mixed | far & is_mixed
        };
        AXES.map(|(dx, dy)| [first(dx, dy), first(-dx, -dy)])
    }

    fn paints_at_border(&self, x: usize, y: usize) -> [[u32; 2]; AXES.len()] {
        let (width, height) = self.size();
        let first = |dx: isize, dy: isize| {
            (1..=PAINT_REACH_PX as isize)
                .map(|k| (x.wrapping_add_signed(k * dx), y.wrapping_add_signed(k * dy)))
                .take_while(|&(x, y)| x < width && y < height)
                .map(|(x, y)| self.labels.ids[y * width + x])
                .find(|&label| is_paint(label))
                .unwrap_or(NOTHING)
        };
        AXES.map(|(dx, dy)| [first(dx, dy), first(-dx, -dy)])
    }
}

/// New labels in which regions with a core and those without are numbered separately, each in their order.
fn with_core_first(cores: &[Core]) -> Labels {
    let mut next = [0, CORELESS];
    let number = |core: &Core| {
        let next = &mut next[usize::from(*core == Core::None)];
        *next += 1;
        *next - 1 + if *core == Core::Thin { THIN } else { 0 }
    };
    Labels { ids: cores.iter().map(number).collect(), count: cores.len() }
}
