use super::ink_sheet::Sheet;
use super::overlay::Inks;
use super::patch::{PATCH_PIXEL_UNITS, Patch};
use crate::algorithms::ordered;
use crate::api::{Stopped, Watch};
use crate::color::{Channels, is_alike, rounded};
use crate::raster::{column_and_row, neighborhood, within_reach};
use crate::resolve::paints::{Blends, View, is_paint, mixture};

/// A region of the ink's color becomes part of a stroke that touches it when it is not larger than what both lie on and than this
/// many times the stroke, and some: a letter is drawn in one piece.
const LARGEST_BODY: usize = 100;
const LEAST_BODY_PX: usize = 64;

/// This share of a body must be mixtures of paint and ink.
const BODY_SHARE: f32 = 0.85;

/// How far a stroke runs on into a larger region of its color, px.
pub(crate) const ROOT_PX: u32 = 2;

/// A dot lies at most so far from the letter that it belongs to, px.
pub(crate) const DOT_REACH_PX: u32 = 4;

/// A patch of at most so many pixels may be the tip of a shape; the shape is larger by this factor.
const LARGEST_TIP_PX: usize = 8;
const SHAPE_OF_TIP: usize = 8;

/// A shape's own pixels begin at most so far from its tip, px.
const TIP_REACH_PX: u32 = 2;

/// A tip is a dead end: of the pixels around it, those covered by at least this are on one side.
const LEADS_ON: f32 = 0.3;

/// Inks that touch others lie on sheets of their own, as long as there are no more than these.
const MOST_SHEETS: usize = 3;

/// Gives the pixels of patches to the paints beneath them, and draws their inks over these.
pub(crate) struct Drawer<'a, 'v> {
    view: &'a View<'v>,
    owners: &'a mut [u32],
    /// For each pixel, whether a straight line lies on it; empty where there is none.
    on_line: &'a [bool],
    sheets: Vec<Sheet>,
    colors: Vec<[u8; 4]>,
    /// For each pixel, whether it is part of a patch.
    taken: Vec<bool>,
}

impl<'a, 'v> Drawer<'a, 'v> {
    pub fn new(view: &'a View<'v>, owners: &'a mut [u32], on_line: &'a [bool]) -> Self {
        let count = owners.len();
        Drawer {
            view,
            owners,
            on_line,
            sheets: vec![Sheet::new(count)],
            colors: Vec::new(),
            taken: vec![false; count],
        }
    }

    pub fn take(&mut self, pixels: &[u32]) {
        for &i in pixels {
            self.taken[i as usize] = true;
        }
    }

    /// The region of a paint that narrows to a tip in a small patch, if that is all the patch is.
    pub fn shape_of_tip(&self, patch: &Patch) -> Option<u32> {
        if patch.pixels.len() > LARGEST_TIP_PX || !patch.is_on_one_color {
            return None;
        }
        let mut shape = None;
        for j in within_reach(&patch.pixels, self.view.size(), TIP_REACH_PX) {
            let label = self.owners[j as usize];
            if is_paint(label) && is_alike(self.view.colors[label as usize], patch.ink) {
                if self.taken[j as usize] || shape.is_some_and(|shape| shape != label) {
                    return None;
                }
                shape = Some(label);
            }
        }
        shape.filter(|&shape| {
            self.view.areas[shape as usize] as usize >= SHAPE_OF_TIP * patch.pixels.len()
                && self.is_dead_end(patch, shape)
        })
    }

    /// Whether what is covered around a patch hangs together.
    fn is_dead_end(&self, patch: &Patch, shape: u32) -> bool {
        let color = self.view.colors[shape as usize];
        let blends = Blends::new(self.view, &patch.paints, color);
        let mut around = within_reach(&patch.pixels, self.view.size(), 1);
        around.retain(|&j| !patch.pixels.contains(&j) && blends.nearest(self.view, j).2 >= LEADS_ON);
        let mut group: Vec<u32> = around.pop().into_iter().collect();
        while let Some(i) = group.pop() {
            for j in neighborhood(i, self.view.size(), 1).flatten() {
                if let Some(at) = around.iter().position(|&other| other == j) {
                    group.push(around.swap_remove(at));
                }
            }
        }
        around.is_empty()
    }

    /// Gives a tip to the paints that its pixels are mixtures of: where the shape's edges meet is seen from them better than from
    /// what is left of it there. From the shape outward, so that it stays in one piece. Leaves the patch without pixels.
    pub fn give_tip(&mut self, patch: &mut Patch, shape: u32) {
        let color = self.view.colors[shape as usize];
        let pixels = std::mem::take(&mut patch.pixels);
        let blends = Blends::new(self.view, &patch.paints, color);
        let nearest: Vec<_> = pixels.iter().map(|&i| blends.nearest(self.view, i)).collect();
        let bare = |k: u32| (255.0 * (1.0 - nearest[k as usize].2)) as u32;
        for k in ordered(0..pixels.len() as u32, bare) {
            let (i, (blend, _, share)) = (pixels[k as usize], nearest[k as usize]);
            let is_shape = share >= 0.5 && self.sides(i).iter().any(|&j| self.owners[j] == shape);
            self.owners[i as usize] = if is_shape { shape } else { blend.paint };
            self.taken[i as usize] = false;
        }
    }

    /// Adds to a patch on a single paint the regions of its ink's color that touch it, and the mixed pixels around these.
    pub fn absorb_bodies(&mut self, patch: &mut Patch) {
        if !patch.is_on_one_color {
            return;
        }
        let ground: usize = patch.paints.iter().map(|&paint| self.view.areas[paint as usize] as usize).sum();
        let most = ground.min(LARGEST_BODY * patch.pixels.len() + LEAST_BODY_PX);
        let mut body = Vec::new();
        let mut fits = patch.pixels.iter().all(|&i| self.spread(i, patch, most, &mut body));
        let mut next = 0;
        while fits && next < body.len() {
            fits = body.len() <= most && self.spread(body[next], patch, most, &mut body);
            next += 1;
        }
        let is_explained = || {
            let blends = Blends::new(self.view, &patch.paints, patch.ink);
            let mixtures = body.iter().filter(|&&i| blends.explain(self.view, i)).count();
            mixtures as f32 >= BODY_SHARE * body.len() as f32
        };
        if !fits || body.len() > most || !is_explained() {
            for &i in &body {
                self.taken[i as usize] = false;
            }
            return;
        }
        let label = |i: u32| self.view.labels.ids[i as usize];
        if let Some(&pure) = body.iter().find(|&&i| is_paint(label(i))) {
            patch.ink = self.view.colors[label(pure) as usize];
        }
        patch.pixels.extend(body);
    }

    /// Takes the neighbors of a pixel that are of the ink's color, and of such a pixel those that are mixed. Stops where one is
    /// part of a region larger than a body may be, and tells.
    fn spread(&mut self, i: u32, patch: &Patch, most: usize, body: &mut Vec<u32>) -> bool {
        let is_pure = is_paint(self.view.labels.ids[i as usize]);
        // The paint that was met last, and whether it is of the ink's color.
        let mut met = (u32::MAX, false);
        let mut joins = |label: u32| {
            if !is_paint(label) {
                return is_pure;
            }
            if met.0 != label {
                met = (label, patch.is_of_ink(self.view, self.view.colors[label as usize]));
            }
            met.1
        };
        let size = self.view.size();
        let mut take = |j: u32| {
            let label = self.view.labels.ids[j as usize];
            if self.taken[j as usize] || !joins(label) {
                return true;
            }
            if is_paint(label) && self.view.areas[label as usize] as usize > most {
                return false;
            }
            self.taken[j as usize] = true;
            body.push(j);
            true
        };
        neighborhood(i, size, 1).all(|mut row| row.all(&mut take))
    }

    /// Gives patches' pixels to their paints and notes how much of each the inks cover: last those that would be speckles, which are
    /// not where they lie beside print or straight lines of their ink.
    pub fn draw(&mut self, patches: &[Patch], speckle_px: f32, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let mut dots = Vec::new();
        for patch in patches {
            watch.advance(PATCH_PIXEL_UNITS * patch.pixels.len())?;
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
        let blends = Blends::new(self.view, &patch.paints, patch.ink);
        let mut shares = Vec::with_capacity(patch.pixels.len());
        for &i in &patch.pixels {
            let (blend, _, share) = blends.nearest(self.view, i);
            self.owners[i as usize] = blend.paint;
            shares.push((i, share));
        }
        shares
    }

    fn ink_patch(&mut self, patch: &Patch, shares: &[(u32, f32)]) {
        let (color, roots) = (rounded(patch.ink), self.roots(patch));
        let sheet = self.sheet_for((patch, &roots), color);
        self.colors.push(color);
        let (ink, sheet) = (self.colors.len() as u32, &mut self.sheets[sheet]);
        shares.iter().for_each(|&(i, share)| sheet.ink(i, ink, (share * 255.0 + 0.5) as u8));
        roots.iter().for_each(|&i| sheet.ink(i, ink, u8::MAX));
    }

    /// Where a stroke runs on into a region of its color, or begins in a straight line.
    fn roots(&self, patch: &Patch) -> Vec<u32> {
        let is_free = |j: u32| self.sheets.iter().all(|sheet| sheet.ink_at[j as usize] == 0);
        let mut roots = within_reach(&patch.pixels, self.view.size(), ROOT_PX);
        roots.retain(|&j| {
            let label = self.owners[j as usize];
            is_paint(label) && patch.is_of_ink(self.view, self.view.colors[label as usize]) && is_free(j)
        });
        roots.extend(self.lines_beside(patch).into_iter().filter(|&j| is_free(j)));
        roots
    }

    /// The first sheet where a patch with its roots touches no ink of another color, by its index.
    fn sheet_for(&mut self, (patch, roots): (&Patch, &[u32]), color: [u8; 4]) -> usize {
        if self.colors.iter().all(|&other| other == color) {
            return 0;
        }
        let is_other = |ink: u32| ink > 0 && self.colors[ink as usize - 1] != color;
        let near = [&patch.pixels, roots].map(|pixels| within_reach(pixels, self.view.size(), 1)).concat();
        let is_free = |sheet: &Sheet| !near.iter().any(|&j| is_other(sheet.ink_at[j as usize]));
        let free = self.sheets.iter().position(is_free);
        if free.is_none() && self.sheets.len() < MOST_SHEETS {
            self.sheets.push(Sheet::new(self.owners.len()));
        }
        free.unwrap_or(self.sheets.len() - 1)
    }

    /// The pixels of straight lines of a patch's ink that touch it: the sides of a frame, where it is a round corner.
    fn lines_beside(&self, patch: &Patch) -> Vec<u32> {
        if self.on_line.is_empty() {
            return Vec::new();
        }
        let mut near = within_reach(&patch.pixels, self.view.size(), 1);
        near.retain(|&j| {
            self.on_line[j as usize] && is_alike(self.view.pixels.channels(j as usize), patch.ink)
        });
        near
    }

    /// Whether print of the ink of a patch lies near to it, as a letter does to its dot.
    fn is_beside_print(&self, patch: &Patch) -> bool {
        let color = |ink: u32| self.colors[ink as usize - 1].map(f32::from);
        within_reach(&patch.pixels, self.view.size(), DOT_REACH_PX).into_iter().any(|j| {
            self.sheets.iter().any(|sheet| {
                let ink = sheet.ink_at[j as usize];
                ink > 0 && sheet.coverage[j as usize] >= 128 && is_alike(color(ink), patch.ink)
            })
        })
    }

    /// Gives a patch's pixels to the paints beside it, from its edge inward, but for those that show theirs: what the ink covers tells
    /// of no paint, and where the paints are bands of a ramp, its edges tell of too many.
    pub fn extend_paints(&mut self, patch: &Patch) {
        let mut left: Vec<u32> = patch.pixels.clone();
        if !patch.is_on_one_color {
            let blends = Blends::new(self.view, &patch.paints, patch.ink);
            left.retain(|&i| {
                let shown = blends.shown(self.view, i);
                if let Some(paint) = shown {
                    self.owners[i as usize] = paint;
                    self.taken[i as usize] = false;
                }
                shown.is_none()
            });
        }
        loop {
            let found: Vec<(u32, Option<u32>)> =
                left.iter().map(|&i| (i, self.paint_beside(i, patch.ink))).collect();
            left.clear();
            for &(i, paint) in &found {
                match paint {
                    Some(paint) => {
                        self.owners[i as usize] = paint;
                        self.taken[i as usize] = false;
                    }
                    None => left.push(i),
                }
            }
            if left.is_empty() || left.len() == found.len() {
                return;
            }
        }
    }

    /// Of the paints on the sides of a pixel, the one that best explains it as a mixture with the ink.
    fn paint_beside(&self, i: u32, ink: Channels) -> Option<u32> {
        let (mut paints, mut count) = ([0; 4], 0);
        for j in self.sides(i) {
            let owner = self.owners[j];
            if !self.taken[j] && !paints[..count].contains(&owner) && is_paint(owner) {
                paints[count] = owner;
                count += 1;
            }
        }
        match paints[..count] {
            [] => None,
            [paint] => Some(paint),
            ref paints => Some(mixture(self.view, i, paints, ink).1),
        }
    }

    /// The pixels on the left, right, above and below; beyond the picture's border the pixel itself.
    fn sides(&self, i: u32) -> [usize; 4] {
        let width = self.view.pixels.width;
        let (x, i) = ((i % width as u32) as usize, i as usize);
        [
            if x > 0 { i - 1 } else { i },
            if x + 1 < width { i + 1 } else { i },
            if i >= width { i - width } else { i },
            if i + width < self.owners.len() { i + width } else { i },
        ]
    }

    fn is_speckle(&self, shares: &[(u32, f32)], speckle_px: f32) -> bool {
        /// Less is a stroke's fringe.
        const SEEN: f32 = 0.25;
        let width = self.view.pixels.width as u32;
        let [mut left, mut top, mut right, mut bottom] = [u32::MAX, u32::MAX, 0, 0];
        // Of a letter, the first pixels tell.
        shares.iter().filter(|&&(_, share)| share >= SEEN).all(|&(i, _)| {
            let (x, y) = column_and_row(i, width);
            (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
            ((right - left + 1) as f32) < speckle_px && ((bottom - top + 1) as f32) < speckle_px
        })
    }

    /// Finds the outlines' places on all sheets.
    pub fn solve(mut self, inks: &mut Inks, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let size = self.view.size();
        for k in 1..self.sheets.len() {
            let (below, above) = self.sheets.split_at_mut(k);
            below[k - 1].run_under(above, size);
        }
        let solved = self.sheets.into_iter().map(|sheet| sheet.solved(size, watch));
        inks.sheets = solved.collect::<Result<_, _>>()?;
        inks.colors = self.colors;
        Ok(())
    }
}
