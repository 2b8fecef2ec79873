//! Fills that are not known for sure: those of small shapes, if most pixels that show nothing else show other colors, and neither another shape
//! nor a line has the fill. They follow from how much each pixel shows of them, together with the places of edges.

use super::comparison::Comparison;
use crate::algorithms::{CHUNK, sort};
use crate::color::{PremultipliedColor, StraightColor};
use crate::geometry::{Drawing, Paint};

/// Stands for a fill that is known.
const KNOWN: u32 = u32::MAX;

/// That a fill has its color counts as much as one part of so many of a pixel that shows nothing else.
///
/// Unit: count (parts). Source: chosen: it decides only where pixels show next to nothing of a fill; with 1 and 20, drawings are as near to the
/// truth.
const PARTS_OF_PIXEL: u8 = 4;

/// So many pixels that show nothing else say what a fill is.
///
/// Unit: count. Source: bounds the time in images of many shades; without it, drawings come no nearer to the truth.
const MOST_WHOLE: usize = 64;

/// The fills of a drawing that are not known.
pub(super) struct Fills {
    /// The number of each path's fill, or [`KNOWN`].
    of_path: Vec<u32>,
    pub count: usize,
    /// The pixels that show nothing but one of the fills, and its number.
    pub whole: Vec<(u32, u32)>,
}

impl Fills {
    pub fn of(comparison: &mut Comparison<'_>) -> Self {
        let colors = comparison.canvas.flat_colors();
        let mut fills = Fills { of_path: Vec::with_capacity(colors.len()), count: 0, whole: Vec::new() };
        // What was found to be a paint stays one.
        if fills.number(comparison, &colors) == 0 {
            return fills;
        }
        let shown = Shown::of(comparison, &colors, &fills.of_path);
        // Shapes that no longer cover pixels fully, since they moved, still have a paint.
        for (color, [whole, exact]) in colors.iter().zip(shown.counts) {
            if 2 * exact > whole || whole > MOST_WHOLE {
                comparison.paints.push(u32::from_le_bytes(*color).into());
            }
        }
        sort(&mut comparison.paints, 0);
        comparison.paints.dedup();
        if fills.number(comparison, &colors) > 0 {
            let numbered =
                shown.pixels.into_iter().map(|(pixel, path)| (pixel, fills.of_path[path as usize]));
            fills.whole = numbered.filter(|&(_, fill)| fill != KNOWN).collect();
        }
        fills
    }

    /// Numbers the fills of paths of these colors that are not known. Returns how many there are.
    // Not inlined: it has two callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    fn number(&mut self, comparison: &Comparison<'_>, colors: &[[u8; 4]]) -> usize {
        self.of_path.clear();
        self.count = 0;
        for (path, &color) in (0..).zip(colors) {
            let is_drawn = comparison.is_absent.get(path as usize) != Some(&true);
            let is_paint = Paint::Flat(StraightColor(color)).is_among(&comparison.paints);
            let is_known = is_paint || !is_drawn || !comparison.canvas.is_opaque(path);
            self.of_path.push(if is_known { KNOWN } else { self.count as u32 });
            self.count += usize::from(!is_known);
        }
        self.count
    }

    /// What changing a fill by a level costs.
    pub fn stiffness() -> f32 {
        1.0 / f32::from(PARTS_OF_PIXEL)
    }

    /// The number of a path's fill, unless it is known.
    pub fn of_path(&self, path: u32) -> Option<u32> {
        Some(self.of_path[path as usize]).filter(|&fill| fill != KNOWN)
    }

    /// The color of a path whose fill changes by the first three numbers that `by` has for it, of four.
    fn changed(&self, path: u32, comparison: &Comparison<'_>, by: &[f32]) -> Option<StraightColor> {
        let by = &by[4 * self.of_path(path)? as usize..][..3];
        let mut color = comparison.canvas.paint_at(path, 0);
        for (channel, by) in color.iter_mut().zip(by) {
            *channel = (*channel + by).clamp(0.0, 255.0);
        }
        Some(PremultipliedColor::nearest(color).straight())
    }

    /// Changes the fills of the drawing that `comparison` shows. Returns the paints that its shapes had, if there are fills to change.
    pub fn apply(&self, drawing: &mut Drawing, comparison: &Comparison<'_>, by: &[f32]) -> Vec<Paint> {
        if self.count == 0 {
            return Vec::new();
        }
        let before = drawing.shapes.iter().map(|shape| shape.paint).collect();
        let counts = drawing.shapes_of_paths();
        let mut shapes = drawing.shapes.iter_mut();
        for (path, count) in (1..).zip(counts) {
            let color = self.changed(path, comparison, by);
            for shape in shapes.by_ref().take(count) {
                shape.paint = color.map_or(shape.paint, Paint::Flat);
            }
        }
        before
    }
}

/// What pixels show that a path covers fully whose fill is not known.
struct Shown {
    /// For each path, how many pixels show nothing else, and how many of these exactly its color.
    counts: Vec<[usize; 2]>,
    /// The first such pixels of each path, with the path.
    pixels: Vec<(u32, u32)>,
}

impl Shown {
    fn of(comparison: &Comparison<'_>, colors: &[[u8; 4]], fills: &[u32]) -> Self {
        let mut shown = Shown { counts: vec![[0; 2]; colors.len()], pixels: Vec::new() };
        let is_unknown = |path: u32| fills.get(path as usize).is_some_and(|&fill| fill != KNOWN);
        let entries = comparison.canvas.entries();
        let chunks = entries.chunks(CHUNK).zip(comparison.pixels.data.chunks(CHUNK));
        for (first, ((entries, seen), is_flat)) in (0..).step_by(CHUNK).zip(chunks.zip(&comparison.is_flat)) {
            // Of a flat chunk, the first pixel stands for all, and says enough.
            let (count, weight) = if *is_flat { (1, MOST_WHOLE + 1) } else { (CHUNK, 1) };
            let pixels = (first..).zip(entries.iter().zip(seen)).take(count);
            for (pixel, (&path, seen)) in pixels.filter(|(_, (path, _))| is_unknown(**path)) {
                let [whole, exact] = &mut shown.counts[path as usize];
                *whole += weight;
                *exact += usize::from(*seen == colors[path as usize]);
                if *whole <= MOST_WHOLE {
                    shown.pixels.push((pixel, path));
                }
            }
        }
        shown
    }
}
