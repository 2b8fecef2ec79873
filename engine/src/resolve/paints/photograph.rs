//! Recognizes photographs and noise, in which no paints are looked for.
//!
//! In these, mixtures and strokes are found everywhere by chance: looking for edges and inks would cost a third of all work, and would
//! make the drawing larger and no closer to the image.

use crate::algorithms::CHUNK;
use crate::raster::{Labels, Pixels};
use crate::segment::Core;

/// How many pixels per region an image has, at most, to have grain.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const MOST_PIXELS_PER_REGION: usize = 16;

/// Every how many rows one is looked at.
///
/// Unit: pixels. Source: at least one row of the smallest print is looked at, as it is four pixels high or more.
const ROW_STEP: usize = 4;

/// How many of a chunk's 16 pixels are of regions without a core, at least, if it has grain or edges.
///
/// Unit: count. Source: tuned; no derivation is known.
const FEWEST_CORELESS: usize = 4;

/// How many of a chunk's pixels equal the one before, at least, if its edges are those of print on paper; in grain few do.
///
/// Unit: count. Source: tuned; no derivation is known.
const FEWEST_ALIKE: usize = 7;

/// How many of 16 chunks in a row have edges of print, at least, if they are a line of print.
///
/// Unit: count. Source: tuned; no derivation is known.
const FEWEST_PRINTED: u32 = 4;

/// One of how many chunks has grain, at least, in a photograph.
///
/// Unit: count. Source: tuned; no derivation is known.
const CHUNKS_PER_GRAIN: usize = 4;

/// How many pixels of the image there are for each paint, at most, in a photograph: its paints are small.
///
/// Unit: pixels. Source: tuned; no derivation is known.
const MOST_PIXELS_PER_PAINT: usize = 1000;

/// How many paints a photograph has, at least.
///
/// Unit: count. Source: more than a small icon has room for; tuned.
const FEWEST_PAINTS: usize = 100;

/// One of how many pixels is of a region with a core, at most, in noise.
///
/// Unit: count. Source: tuned; no derivation is known.
const PIXELS_PER_CORED_IN_NOISE: usize = 16;

/// Whether an image is a dense photograph, or noise: much of it is grain, and its paints are many and small, or hardly any. An image that
/// has a line of print on paper within it is not taken for one.
pub(crate) fn is_photograph(pixels: &Pixels, labels: &Labels, cores: &[Core]) -> bool {
    if labels.count * MOST_PIXELS_PER_REGION < pixels.data.len() {
        return false;
    }
    let width = pixels.width;
    let (mut chunks, mut grain, mut cored) = (0, 0, 0);
    for (ids, values) in labels.ids.chunks_exact(width).zip(pixels.data.chunks_exact(width)).step_by(ROW_STEP)
    {
        let mut printed = 0u16;
        for (ids, values) in ids.as_chunks::<CHUNK>().0.iter().zip(values.as_chunks::<CHUNK>().0) {
            let coreless = ids.iter().filter(|&&id| cores[id as usize] == Core::None).count();
            let alike = values.windows(2).filter(|pair| pair[0] == pair[1]).count();
            let has_edges = coreless >= FEWEST_CORELESS;
            let is_printed = has_edges && alike >= FEWEST_ALIKE;
            printed = printed << 1 | u16::from(is_printed);
            if printed.count_ones() >= FEWEST_PRINTED {
                return false;
            }
            chunks += 1;
            grain += usize::from(has_edges);
            cored += CHUNK - coreless;
        }
    }
    let paints = cores.iter().filter(|&&core| core == Core::Full).count();
    let has_many_paints = paints >= FEWEST_PAINTS.max(pixels.data.len() / MOST_PIXELS_PER_PAINT);
    let is_noise = cored * PIXELS_PER_CORED_IN_NOISE < CHUNK * chunks;
    grain * CHUNKS_PER_GRAIN > chunks && (has_many_paints || is_noise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Options;
    use crate::api::ProgressMeter;
    use crate::color::ColorMetric;
    use crate::segment::Segments;
    use crate::segment::cores;
    use crate::segment::segment;

    const SIDE: u32 = 160;

    fn is_photograph_of(color: impl Fn(u32, u32) -> u8) -> bool {
        let gray = |i: u32| [color(i % SIDE, i / SIDE), 100, 100, 255];
        let mut data: Vec<[u8; 4]> = (0..SIDE * SIDE).map(gray).collect();
        let pixels = Pixels { width: SIDE as usize, height: SIDE as usize, data: &mut data };
        let mut meter = ProgressMeter::idle();
        let metric = ColorMetric::new(&Options::default());
        let Segments { mut labels, groups, .. } =
            segment(&pixels, &metric, &mut meter).expect("no observer stops it");
        let cores = cores(&mut labels, &groups, pixels.width, &mut meter).expect("no observer stops it");
        is_photograph(&pixels, &labels, &cores)
    }

    fn scattered(x: u32, y: u32) -> u32 {
        let mixed = (x.wrapping_mul(0x9E37_79B1)) ^ (y.wrapping_mul(0x85EB_CA77));
        (mixed ^ (mixed >> 15)).wrapping_mul(0x85EB_CA77) >> 16
    }

    #[test]
    fn small_patches_of_uneven_color_among_grain_are_a_photograph() {
        let patch = |x: u32, y: u32| x % 10 < 7 && y % 10 < 7;
        let color = |x: u32, y: u32| match patch(x, y) {
            true => 40 * (scattered(x / 10, y / 10) % 4) + scattered(x, y) % 4,
            false => scattered(x, y) % 256,
        };
        assert!(is_photograph_of(|x, y| color(x, y) as u8));
        // On one color, they are a drawing's.
        assert!(!is_photograph_of(|x, y| if patch(x, y) { 40 } else { color(x, y) as u8 }));
    }

    #[test]
    fn noise_is_taken_for_one_but_not_with_a_line_of_print() {
        assert!(is_photograph_of(|x, y| scattered(x, y) as u8));
        let is_letter = |x: u32, y: u32| (80..86).contains(&y) && x < 100 && x % 5 < 2;
        let is_paper = |y: u32| (76..90).contains(&y);
        let printed = |x, y| match is_paper(y) {
            true => {
                if is_letter(x, y) {
                    20 + (x % 5 * 60) as u8
                } else {
                    250
                }
            }
            false => scattered(x, y) as u8,
        };
        assert!(!is_photograph_of(printed));
    }
}
