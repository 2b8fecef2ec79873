use super::assignment::Assignment;
use crate::algorithms::{CHUNK, set_bits, top_bits};
use crate::api::{ProgressMeter, Stopped};
use crate::color::Channels;
use crate::raster::{Labels, Pixels, column_and_row};
use crate::segment::{ColorSums, Core};

/// How far to look along a ray for the paint on either side of an edge pixel: a sharp edge is at most two pixels wide.
const PAINT_REACH_PX: usize = 2;

/// So many pixels go through one thing after the other: as many as stay in the nearest caches.
const PIXELS_PER_STEP: usize = 1 << 13;

/// Columns and rows of the window in which a pixel looks for paints.
const PAINT_WINDOW: usize = 2 * PAINT_REACH_PX + 1;

/// Opposite directions in which an edge pixel looks for the two paints that it mixes.
pub(crate) const AXES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Added to the labels of regions with a thin core.
const THIN: u32 = 1 << 31;

/// Added to the labels of regions without a core.
const CORELESS: u32 = 3 << 30;

/// Where there is nothing: no paint either.
const NOTHING: u32 = u32::MAX;

/// What looking around a pixel for its paints takes, in the units of [`ProgressMeter`].
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

/// Calls with the places among labels that are no paint's.
pub(crate) fn for_each_mixed(row: &[u32], mut each: impl FnMut(usize)) {
    let (chunks, rest) = row.as_chunks::<CHUNK>();
    for (k, chunk) in chunks.iter().enumerate() {
        set_bits(top_bits(chunk).into()).for_each(|x| each(k * CHUNK + x));
    }
    let rest = (chunks.len() * CHUNK..).zip(rest);
    rest.filter(|&(_, &label)| !is_paint(label)).for_each(|(x, _)| each(x));
}

/// The picture with its paints known.
///
/// # Guarantees
/// Labels tell by themselves whether they are a paint's: they are read far more often than anything else. Paints' labels and, below
/// `THIN`, those of regions with a thin core are indices into what is known of these: in photographs they are one in twenty.
pub(crate) struct PaintMap<'a> {
    /// Those of print rendered in sub-pixels lose their fringes.
    pub pixels: Pixels<'a>,
    /// A mixed pixel lies on the line between two colors when it is no farther from it than this (squared, Euclidean, 8-bit levels).
    pub residual_sq: f32,
    pub labels: Labels,
    /// For each region with a core, whether it is a paint.
    paints: Vec<bool>,
    /// Mean color and pixels of each region with a core.
    pub colors: Vec<Channels>,
    pub areas: Vec<u32>,
}

impl<'a> PaintMap<'a> {
    /// Of regions, how much of each lies away from its edges, and their sums. Gives with the map the assignment of each pixel to its own region.
    pub fn new(
        (pixels, residual_sq): (Pixels<'a>, f32),
        labels: Labels,
        (cores, sums): (Vec<Core>, Vec<ColorSums>),
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(Self, Assignment), Stopped> {
        let groups = with_core_first(&cores);
        let with_core = || cores.iter().zip(&sums).filter(|&(&core, _)| core != Core::None);
        let mut paint_map = PaintMap {
            pixels,
            residual_sq,
            labels,
            paints: with_core().map(|(&core, _)| core == Core::Full).collect(),
            colors: with_core().map(|(_, sums)| sums.exact_mean()).collect(),
            areas: with_core().map(|(_, sums)| sums.area()).collect(),
        };
        // In their room the copy has place.
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

    /// How many regions have a core; they have the smallest labels.
    pub fn with_core(&self) -> usize {
        self.areas.len()
    }

    pub fn paints(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.paints).filter(|&(_, &is_paint)| is_paint).map(|(label, _)| label)
    }

    /// Width and height of the picture.
    pub fn size(&self) -> (usize, usize) {
        (self.pixels.width, self.pixels.height)
    }

    /// Makes a region with a thin core a paint; to be called for each of its pixels. Gives its new label.
    pub fn make_paint(&mut self, pixel: usize) -> u32 {
        let label = &mut self.labels.ids[pixel];
        *label -= THIN;
        self.paints[*label as usize] = true;
        *label
    }

    /// The labels of the first paints met from pixel `i` along each of the axes, on either side, or of no paint where there is none.
    pub fn paints_across(&self, i: usize) -> [[u32; 2]; AXES.len()] {
        let (x, y) = self.place(i);
        if self.is_within(PAINT_REACH_PX, (x, y)) {
            self.paints_within(i)
        } else {
            self.paints_at_border(x, y)
        }
    }

    /// Whether a pixel lies at the picture's border.
    pub fn is_at_border(&self, i: usize) -> bool {
        !self.is_within(1, self.place(i))
    }

    /// The column and the row of a pixel.
    fn place(&self, i: usize) -> (usize, usize) {
        let (x, y) = column_and_row(i as u32, self.pixels.width as u32);
        (x as usize, y as usize)
    }

    /// Whether a place has so many pixels on each side.
    fn is_within(&self, margin: usize, (x, y): (usize, usize)) -> bool {
        let within = |at: usize, size: usize| at >= margin && at + margin < size;
        within(x, self.pixels.width) && within(y, self.pixels.height)
    }

    fn paints_within(&self, i: usize) -> [[u32; 2]; AXES.len()] {
        let width = self.pixels.width;
        let start = i - PAINT_REACH_PX * width - PAINT_REACH_PX;
        let rows: [&[u32; PAINT_WINDOW]; PAINT_WINDOW] = std::array::from_fn(|row| {
            self.labels.ids[start + row * width..].first_chunk().expect("the window lies in the picture")
        });
        let first = |dx: isize, dy: isize| {
            let at = |k: isize| {
                let place = |d: isize| (PAINT_REACH_PX as isize + k * d) as usize;
                rows[place(dy)][place(dx)]
            };
            let (near, far) = (at(1), at(2));
            // By its top bit, which cannot be foretold.
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

/// New labels: numbers of their own for those with a core and for the others, both in their order.
fn with_core_first(cores: &[Core]) -> Labels {
    let mut next = [0, CORELESS];
    let number = |core: &Core| {
        let next = &mut next[usize::from(*core == Core::None)];
        *next += 1;
        *next - 1 + if *core == Core::Thin { THIN } else { 0 }
    };
    Labels { ids: cores.iter().map(number).collect(), count: cores.len() }
}
