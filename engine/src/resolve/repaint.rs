//! Paints the mixed pixels in the colors of their paints, and divides the image by what belongs to which paint.

use super::paints::{Assignment, PaintMap, UnpaintedPixels};
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;
use crate::parallel::both;
use crate::raster::{Components, Cracks, Partition, Pixels, is_among};

/// The image in which every pixel that was given to a paint has the paint's color, with the colors of mixed pixels kept aside.
///
/// Merging compares and measures regions, so it reads the painted pixels; placing edges reads from a mixed pixel how much of it each
/// paint covers.
///
/// # Guarantees
/// Of a mixed pixel that was given to a paint, its color in the image is kept aside. A given pixel under a line or an ink has the color of
/// its ground, as if nothing had been drawn over it. An open pixel under an ink, whose ground is the paint that it is part of,
/// keeps its color for merging, and gets that of this paint for placing. What lines and inks covered is kept aside too
/// ([`Uncovered`]), so that the image can be compared with the drawing in the end.
pub(crate) struct Repainted<'a> {
    pixels: Pixels<'a>,
    /// Pixels and their colors, to be put back in this order.
    mixed: Vec<(u32, PremultipliedColor)>,
    /// The pixels under lines and inks, in the colors of the image.
    covered: Vec<(u32, PremultipliedColor)>,
}

/// The image without what lines and inks cover of it.
///
/// # Guarantees
/// [`image`](Self::image) gives every pixel the color that it had in the image, except that print which was rendered in sub-pixels has no
/// colored fringes.
pub(crate) struct Uncovered<'a> {
    pub pixels: Pixels<'a>,
    /// A pixel may be both under a line and under an ink; the first of its colors is the image's.
    covered: Vec<(u32, PremultipliedColor)>,
    /// These pixels in order.
    in_order: Vec<u32>,
}

impl<'a> Uncovered<'a> {
    /// Whether a line or an ink covers a pixel, so that the color of its ground was put there.
    pub fn is_covered(&self, pixel: u32) -> bool {
        is_among(&self.in_order, pixel)
    }

    /// With the colors under lines and inks put back.
    pub fn image(self) -> Pixels<'a> {
        let Uncovered { mut pixels, covered, .. } = self;
        for (i, color) in covered.into_iter().rev() {
            pixels.replace(i as usize, color);
        }
        pixels
    }
}

impl<'a> Repainted<'a> {
    /// An image without mixed pixels.
    pub fn unmixed(pixels: Pixels<'a>) -> Self {
        Repainted { pixels, mixed: Vec::new(), covered: Vec::new() }
    }

    /// In the colors of the paints.
    pub fn pixels(&self) -> &Pixels<'a> {
        &self.pixels
    }

    /// With the colors of the mixed pixels put back.
    pub fn with_mixtures(self) -> Uncovered<'a> {
        let Repainted { mut pixels, mixed, covered } = self;
        for (i, color) in mixed {
            pixels.replace(i as usize, color);
        }
        let in_order = sorted_by_key(covered.iter().map(|covered| covered.0), |pixel| pixel);
        Uncovered { pixels, covered, in_order }
    }
}

/// Gives every pixel the color of its paint. `covered`: the pixels that straight lines explain, and those that inks explain. Also returns the
/// edge-connected regions of the repainted image.
pub(crate) fn repaint<'a>(
    paint_map: PaintMap<'a>,
    assignment: Assignment,
    unpainted: UnpaintedPixels,
    covered: [Vec<u32>; 2],
    meter: &mut ProgressMeter<'_>,
) -> Result<(Repainted<'a>, Partition), Stopped> {
    let PaintMap { pixels, labels, colors, .. } = paint_map;
    let colors: Vec<PremultipliedColor> = colors.into_iter().map(PremultipliedColor::nearest).collect();
    let (width, count) = (pixels.width, pixels.data.len());
    let paint_pixels = || {
        let mut pixels = pixels;
        let (mut kept, mut under) = (Vec::new(), Vec::new());
        let color = |i: usize| colors[assignment.of(i) as usize];
        let is_given = |i: usize| !assignment.is_open(&labels, i);
        for list in &covered {
            for &i in list {
                let (at, paint) = (i as usize, color(i as usize));
                under.push((i, pixels.color(at)));
                if is_given(at) {
                    pixels.replace(at, paint);
                } else {
                    // Its own region is the ground: merging sees the pixel's color, placing the paint's.
                    kept.push((i, paint));
                }
            }
        }
        for list in [&unpainted.explained, &unpainted.unexplained] {
            for &i in list {
                if is_given(i as usize) {
                    let paint = color(i as usize);
                    let value = pixels.replace(i as usize, paint);
                    if value != paint {
                        kept.push((i, value));
                    }
                }
            }
        }
        Repainted { pixels, mixed: kept, covered: under }
    };
    let find_regions = || {
        let cracks = Cracks::find(assignment.regions(), width, meter)?;
        Ok((Components::find(&cracks, meter)?, cracks))
    };
    let (repainted, found) = both(count, paint_pixels, find_regions);
    let (components, cracks) = found?;
    let labels = components.labels(&cracks, assignment.into_regions());
    Ok((repainted, Partition { labels, cracks }))
}
