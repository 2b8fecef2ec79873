//! Adds shapes where the image shows what the drawing lacks.

use super::comparison::Comparison;
use super::patches::{Patch, PatchLimits, find_patches};
use crate::algorithms::sorted_by_key;
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, PremultipliedColor, dot, minus, plus, times};
use crate::coverage::{Contour, Field, contours};
use crate::fit::{ContourFitter, FitStyle};
use crate::geometry::{Drawing, Shape};
use crate::raster::within_reach;
use crate::render::{Covered, Outline, Sweep};
use crate::svg::bytes_of;

/// What decides which shapes are added.
pub(crate) struct Additions<'a> {
    pub limits: PatchLimits,
    pub style: &'a FitStyle,
}

impl Additions<'_> {
    /// Adds the shapes that save more error than their bytes cost.
    pub fn add(
        &self,
        drawing: &mut Drawing,
        now: &Comparison<'_>,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let patches = find_patches(now, drawing, &self.limits, meter)?;
        if !patches.is_empty() {
            let mut best: Vec<(f32, Option<Shape>)> = patches.iter().map(|_| (0.0, None)).collect();
            for choice in 0..2 {
                self.draw(now, &patches, choice, &mut best, meter)?;
            }
            drawing.shapes.extend(best.into_iter().filter_map(|(_, shape)| shape));
        }
        Ok(())
    }

    /// Draws the patches in their inks of number `choice`, and keeps what is worth more than before.
    fn draw(
        &self,
        now: &Comparison<'_>,
        patches: &[Patch],
        choice: usize,
        best: &mut [(f32, Option<Shape>)],
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let size = (now.pixels.width, now.pixels.height);
        let (mut patch_at, mut inked) = (vec![0; now.pixels.data.len()], Vec::new());
        let mut coverage = vec![0; patch_at.len()];
        // Of the pixels around a patch, the ink may cover a little.
        for reach in [0, 1] {
            for (number, patch) in (1..).zip(patches) {
                let Some(&ink) = patch.inks.get(choice) else { continue };
                for pixel in within_reach(&patch.pixels, size, reach) {
                    let at = pixel as usize;
                    if patch_at[at] == 0 {
                        patch_at[at] = number;
                        coverage[at] = (ink_share(now, at, ink) * 255.0 + 0.5) as u8;
                        inked.push(pixel);
                    }
                }
            }
        }
        let inked = sorted_by_key(inked.into_iter(), |pixel| pixel);
        let field = Field::solved(coverage, size.0, within_reach(&inked, size, 1), meter)?;
        let mut found = contours(&field);
        found.retain(|contour| patch_at[contour.first_pixel] > 0);
        let patch = |k: u32| patch_at[found[k as usize].first_pixel];
        let in_order = sorted_by_key(0..found.len() as u32, patch);
        let drawn: Vec<&Contour> = in_order.iter().map(|&k| &found[k as usize]).collect();
        let fitter = ContourFitter { antialiased: true, paper_noise: 0.0, style: self.style };
        let mut curves = fitter.curves(&drawn, meter)?.into_iter();
        for same in in_order.chunk_by(|&a, &b| patch(a) == patch(b)) {
            let number = patch(same[0]) as usize - 1;
            let color = PremultipliedColor::nearest(patches[number].inks[choice]).straight();
            let shape = Shape { color, curves: curves.by_ref().take(same.len()).collect() };
            let worth = gain(now, &shape) - self.limits.price * bytes_of(&shape) as f32;
            if worth > best[number].0 {
                best[number] = (worth, Some(shape));
            }
        }
        Ok(())
    }
}

/// How much of a pixel an ink over the drawing covers.
fn ink_share(now: &Comparison<'_>, pixel: usize, ink: Channels) -> f32 {
    let by = minus(ink, now.canvas.color(pixel));
    (dot(now.lacking(pixel), by) / dot(by, by).max(1.0)).clamp(0.0, 1.0)
}

/// By how much a shape over the drawing lowers the squared error.
fn gain(now: &Comparison<'_>, shape: &Shape) -> f32 {
    let mut outline = Outline::default();
    for curve in &shape.curves {
        outline.push(curve, 0);
    }
    let paint = shape.color.premultiplied().channels();
    let mut gain = 0.0;
    let mut cover = |pixel: usize, area: f32| {
        let (lacking, drawn) = (now.lacking(pixel), now.canvas.color(pixel));
        let by = minus(paint, times(paint[3] / 255.0, drawn));
        let after = plus(lacking, -area.abs().min(1.0), by);
        gain += dot(lacking, lacking) - dot(after, after);
    };
    let size = (now.pixels.width, now.pixels.height);
    let mut sweep = Sweep::default();
    sweep.run(&outline, 0, size);
    for Covered { pixels, area, .. } in &sweep.covered {
        pixels.clone().for_each(|pixel| cover(pixel as usize, *area));
    }
    gain
}
