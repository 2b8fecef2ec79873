use super::ink_layer::InkLayer;
use super::overlay::Overlay;
use super::patch::{PATCH_PIXEL_UNITS, Patch};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{PremultipliedColor, is_alike};
use crate::coverage::HALF_COVERED;
use crate::raster::{column_and_row, within_reach};
use crate::resolve::paints::{Assignment, InkMixtures, PaintMap, is_paint};

/// How far a stroke runs on into a larger region of its color, px.
pub(crate) const ROOT_PX: u32 = 2;

/// A dot lies at most so far from the letter that it belongs to, px.
pub(crate) const DOT_REACH_PX: u32 = 4;

/// Inks that touch others lie on layers of their own, as long as there are no more than these.
const MOST_INK_LAYERS: usize = 3;

/// Gives the pixels of patches to the paints beneath them, and draws their inks over these.
pub(crate) struct StrokeBuilder<'a, 'v> {
    pub(super) paint_map: &'a PaintMap<'v>,
    pub(super) assignment: &'a mut Assignment,
    /// For each pixel, whether a straight line lies on it; empty where there is none.
    on_line: &'a [bool],
    ink_layers: Vec<InkLayer>,
    colors: Vec<PremultipliedColor>,
    /// For each pixel, whether it is part of a patch.
    pub(super) taken: Vec<bool>,
}

impl<'a, 'v> StrokeBuilder<'a, 'v> {
    pub fn new(paint_map: &'a PaintMap<'v>, assignment: &'a mut Assignment, on_line: &'a [bool]) -> Self {
        let count = assignment.pixel_count();
        StrokeBuilder {
            paint_map,
            assignment,
            on_line,
            ink_layers: vec![InkLayer::new(count)],
            colors: Vec::new(),
            taken: vec![false; count],
        }
    }

    pub fn take(&mut self, pixels: &[u32]) {
        for &i in pixels {
            self.taken[i as usize] = true;
        }
    }

    /// Gives patches' pixels to their paints and notes how much of each the inks cover: last those that would be speckles, which are
    /// not where they lie beside print or straight lines of their ink.
    pub fn draw(
        &mut self,
        patches: &[Patch],
        speckle_px: f32,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Stopped> {
        let mut dots = Vec::new();
        for patch in patches {
            meter.advance(PATCH_PIXEL_UNITS * patch.pixels.len())?;
            let shares = self.give_to_paints(patch);
            if self.is_speckle(&shares, speckle_px) {
                dots.push((patch, shares));
            } else {
                self.ink_patch(patch, &shares);
            }
        }
        for (patch, shares) in dots {
            if !self.lines_beside(patch).is_empty() || self.is_beside_print(patch) {
                self.ink_patch(patch, &shares);
            }
        }
        Ok(())
    }

    /// Gives a patch's pixels to its paints; returns how much of each the ink covers.
    fn give_to_paints(&mut self, patch: &Patch) -> Vec<(u32, f32)> {
        let mixtures = InkMixtures::new(self.paint_map, &patch.paints, patch.ink);
        let mut shares = Vec::with_capacity(patch.pixels.len());
        for &i in &patch.pixels {
            let (mixture, _, share) = mixtures.nearest(self.paint_map, i);
            self.assignment.give(i as usize, mixture.paint);
            shares.push((i, share));
        }
        shares
    }

    fn ink_patch(&mut self, patch: &Patch, shares: &[(u32, f32)]) {
        let (color, roots) = (PremultipliedColor::nearest(patch.ink), self.roots(patch));
        let ink_layer = self.layer_for((patch, &roots), color);
        self.colors.push(color);
        let (ink, ink_layer) = (self.colors.len() as u32, &mut self.ink_layers[ink_layer]);
        shares.iter().for_each(|&(i, share)| ink_layer.ink(i, ink, (share * 255.0 + 0.5) as u8));
        roots.iter().for_each(|&i| ink_layer.ink(i, ink, u8::MAX));
    }

    /// Where a stroke runs on into a region of its color, or begins in a straight line.
    fn roots(&self, patch: &Patch) -> Vec<u32> {
        let is_free = |j: u32| self.ink_layers.iter().all(|ink_layer| ink_layer.ink_at[j as usize] == 0);
        let mut roots = within_reach(&patch.pixels, self.paint_map.size(), ROOT_PX);
        roots.retain(|&j| {
            let label = self.assignment.of(j as usize);
            is_paint(label)
                && patch.is_of_ink(self.paint_map, self.paint_map.colors[label as usize])
                && is_free(j)
        });
        roots.extend(self.lines_beside(patch).into_iter().filter(|&j| is_free(j)));
        roots
    }

    /// The first layer where a patch with its roots touches no ink of another color, by its index.
    fn layer_for(&mut self, (patch, roots): (&Patch, &[u32]), color: PremultipliedColor) -> usize {
        if self.colors.iter().all(|&other| other == color) {
            return 0;
        }
        let is_other = |ink: u32| ink > 0 && self.colors[ink as usize - 1] != color;
        let near =
            [&patch.pixels, roots].map(|pixels| within_reach(pixels, self.paint_map.size(), 1)).concat();
        let is_free = |ink_layer: &InkLayer| !near.iter().any(|&j| is_other(ink_layer.ink_at[j as usize]));
        let free = self.ink_layers.iter().position(is_free);
        if free.is_none() && self.ink_layers.len() < MOST_INK_LAYERS {
            self.ink_layers.push(InkLayer::new(self.assignment.pixel_count()));
        }
        free.unwrap_or(self.ink_layers.len() - 1)
    }

    /// The pixels of straight lines of a patch's ink that touch it: the sides of a frame, where it is a round corner.
    fn lines_beside(&self, patch: &Patch) -> Vec<u32> {
        if self.on_line.is_empty() {
            return Vec::new();
        }
        let mut near = within_reach(&patch.pixels, self.paint_map.size(), 1);
        near.retain(|&j| {
            self.on_line[j as usize] && is_alike(self.paint_map.pixels.channels(j as usize), patch.ink)
        });
        near
    }

    /// Whether print of the ink of a patch lies near to it, as a letter does to its dot.
    fn is_beside_print(&self, patch: &Patch) -> bool {
        let color = |ink: u32| self.colors[ink as usize - 1].channels();
        within_reach(&patch.pixels, self.paint_map.size(), DOT_REACH_PX).into_iter().any(|j| {
            self.ink_layers.iter().any(|ink_layer| {
                let ink = ink_layer.ink_at[j as usize];
                ink > 0 && ink_layer.coverage[j as usize] >= HALF_COVERED && is_alike(color(ink), patch.ink)
            })
        })
    }

    fn is_speckle(&self, shares: &[(u32, f32)], speckle_px: f32) -> bool {
        /// Less is a stroke's fringe.
        const SPECKLE_LEAST_SHARE: f32 = 0.25;
        let width = self.paint_map.pixels.width as u32;
        let [mut left, mut top, mut right, mut bottom] = [u32::MAX, u32::MAX, 0, 0];
        // Of a letter, the first pixels tell.
        shares.iter().filter(|&&(_, share)| share >= SPECKLE_LEAST_SHARE).all(|&(i, _)| {
            let (x, y) = column_and_row(i, width);
            (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
            ((right - left + 1) as f32) < speckle_px && ((bottom - top + 1) as f32) < speckle_px
        })
    }

    /// Finds the outlines' places on all layers.
    pub fn solve(mut self, overlay: &mut Overlay, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let size = self.paint_map.size();
        for k in 1..self.ink_layers.len() {
            let (below, above) = self.ink_layers.split_at_mut(k);
            below[k - 1].run_under(above, size);
        }
        let solved = self.ink_layers.into_iter().map(|ink_layer| ink_layer.solved(size, meter));
        overlay.ink_layers = solved.collect::<Result<_, _>>()?;
        overlay.colors = self.colors;
        Ok(())
    }
}
