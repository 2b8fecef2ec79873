//! Gives the pixels of patches to the grounds, and draws the inks over these.

use super::ink_layer::InkLayer;
use super::inks::Inks;
use super::patch::{PATCH_PIXEL_UNITS, Patch};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{PremultipliedColor, is_alike};
use crate::coverage::HALF_COVERED;
use crate::raster::{Bounds, within_reach};
use crate::resolve::paints::{Assignment, InkMixtures, NearestMixture, PaintMap, is_paint};

/// How far a stroke runs on into a larger region of its color, so that no gap shows between the two.
///
/// Unit: pixels. Source: tuned; no derivation is known.
pub(crate) const ROOT_PX: u32 = 2;

/// How far a dot is from the letter that it belongs to, at most: farther than pixels of one patch are from each other, because the letter is
/// known by now.
///
/// Unit: pixels. Source: tuned on screenshots: the dots of an i, a colon and an ellipsis.
pub(crate) const DOT_REACH_PX: u32 = 4;

/// How many layers there are, at most. Each takes five bytes per pixel of the image.
///
/// Unit: count. Source: tuned; no derivation is known.
const MOST_INK_LAYERS: usize = 3;

/// The strokes while they are drawn.
pub(crate) struct StrokeBuilder<'a, 'v> {
    pub(super) paint_map: &'a PaintMap<'v>,
    pub(super) assignment: &'a mut Assignment,
    /// For each pixel, whether a straight line lies on it; empty if there are no lines.
    on_line: &'a [bool],
    layers: Vec<InkLayer>,
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
            layers: vec![InkLayer::new(count)],
            colors: Vec::new(),
            taken: vec![false; count],
        }
    }

    /// Makes pixels part of a patch.
    pub fn take(&mut self, pixels: &[u32]) {
        for &i in pixels {
            self.taken[i as usize] = true;
        }
    }

    /// Adds the wide parts of letters to their patches, and gives tips to their shapes: last, for a shape that a stroke took in has no tips.
    pub fn grow(&mut self, patches: &mut Vec<Patch>, meter: &mut ProgressMeter<'_>) -> Result<(), Stopped> {
        let may_be_tip: Vec<bool> = patches.iter().map(|patch| self.shape_of_tip(patch).is_some()).collect();
        for (patch, _) in patches.iter_mut().zip(&may_be_tip).filter(|&(_, &may_be_tip)| !may_be_tip) {
            meter.advance(PATCH_PIXEL_UNITS * patch.pixels.len())?;
            self.absorb_bodies(patch);
        }
        patches.retain(|patch| match self.shape_of_tip(patch) {
            Some(shape) => {
                self.give_tip(patch, shape);
                false
            }
            None => true,
        });
        Ok(())
    }

    /// Gives the pixels of patches to their paints and draws the inks. A patch of a speckle's size is drawn only beside print or a straight
    /// line of its ink: last, for that print must be drawn before.
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
                self.draw_ink(patch, &shares);
            }
        }
        for (patch, shares) in dots {
            if !self.lines_beside(patch).is_empty() || self.is_beside_print(patch) {
                self.draw_ink(patch, &shares);
            }
        }
        Ok(())
    }

    /// Gives a patch's pixels to its paints. Returns the pixels, with how much of each the ink covers.
    fn give_to_paints(&mut self, patch: &Patch) -> Vec<(u32, f32)> {
        let mixtures = InkMixtures::new(self.paint_map, &patch.paints, patch.ink);
        let mut shares = Vec::with_capacity(patch.pixels.len());
        for &i in &patch.pixels {
            let NearestMixture { paint, ink_share, .. } = mixtures.nearest(self.paint_map, i);
            self.assignment.give(i as usize, paint);
            shares.push((i, ink_share));
        }
        shares
    }

    /// Draws a patch's ink on a layer where it touches no other color.
    fn draw_ink(&mut self, patch: &Patch, shares: &[(u32, f32)]) {
        let (color, roots) = (PremultipliedColor::nearest(patch.ink), self.roots(patch));
        let layer = self.layer_for([&patch.pixels, &roots], color);
        self.colors.push(color);
        let (ink, layer) = (self.colors.len() as u32, &mut self.layers[layer]);
        shares.iter().for_each(|&(i, share)| layer.cover(i, ink, (share * 255.0 + 0.5) as u8));
        roots.iter().for_each(|&i| layer.cover(i, ink, u8::MAX));
    }

    /// The pixels where a stroke runs on into a region of its color, or begins in a straight line.
    fn roots(&self, patch: &Patch) -> Vec<u32> {
        let is_free = |j: u32| self.layers.iter().all(|layer| layer.ink_at[j as usize] == 0);
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

    /// The index of the first layer where a patch and its roots touch no ink of another color; the last one if there is no such layer and
    /// no room for another.
    fn layer_for(&mut self, pixels: [&[u32]; 2], color: PremultipliedColor) -> usize {
        if self.colors.iter().all(|&other| other == color) {
            return 0;
        }
        let is_other = |ink: u32| ink > 0 && self.colors[ink as usize - 1] != color;
        let near = pixels.map(|pixels| within_reach(pixels, self.paint_map.size(), 1)).concat();
        let is_free = |layer: &InkLayer| !near.iter().any(|&j| is_other(layer.ink_at[j as usize]));
        let free = self.layers.iter().position(is_free);
        if free.is_none() && self.layers.len() < MOST_INK_LAYERS {
            self.layers.push(InkLayer::new(self.assignment.pixel_count()));
        }
        free.unwrap_or(self.layers.len() - 1)
    }

    /// The pixels of straight lines of a patch's ink that touch it, as the sides of a frame touch its round corner.
    #[inline(never)]
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

    /// Whether print of a patch's ink is near to it, as a letter is to its dot.
    fn is_beside_print(&self, patch: &Patch) -> bool {
        let color = |ink: u32| self.colors[ink as usize - 1].channels();
        within_reach(&patch.pixels, self.paint_map.size(), DOT_REACH_PX).into_iter().any(|j| {
            self.layers.iter().any(|layer| {
                let ink = layer.ink_at[j as usize];
                ink > 0 && layer.coverage[j as usize] >= HALF_COVERED && is_alike(color(ink), patch.ink)
            })
        })
    }

    /// Whether a patch is smaller than `filterSpeckle` in width and height.
    fn is_speckle(&self, shares: &[(u32, f32)], speckle_px: f32) -> bool {
        /// How much of a pixel the ink covers, at least, if the pixel counts for the size.
        ///
        /// Unit: share of a pixel (coverage). Source: tuned; less is at the edge of a stroke.
        const SPECKLE_LEAST_SHARE: f32 = 0.25;
        let width = self.paint_map.pixels.width as u32;
        let mut bounds = Bounds::NONE;
        // `all` ends the search at the first pixels of a letter.
        shares.iter().filter(|&&(_, share)| share >= SPECKLE_LEAST_SHARE).all(|&(i, _)| {
            bounds.add(i, width);
            (bounds.extent() as f32) < speckle_px
        })
    }

    /// Solves all layers.
    pub fn solve(self, meter: &mut ProgressMeter<'_>) -> Result<Inks, Stopped> {
        let size = self.paint_map.size();
        let mut layers = Vec::with_capacity(self.layers.len());
        for layer in self.layers {
            layers.push(layer.solved(size, meter)?);
        }
        Ok(Inks { layers, colors: self.colors })
    }
}
