//! A stroke while it is found: a [`Candidate`] has pixels, a [`Patch`] paints and an ink as well.

use crate::color::{ALIKE_SQ, Channels, distance_sq, is_alike};
use crate::resolve::paints::{InkMixtures, PaintMap, is_thin};

/// The work of asking whether a pixel is a mixture of its patch's ink, in the units of [`ProgressMeter`](crate::api::ProgressMeter).
pub(crate) const PATCH_PIXEL_UNITS: usize = 32;

/// Unexplained pixels near to each other, which may be a stroke.
pub(crate) struct Candidate {
    pub pixels: Vec<u32>,
}

impl Candidate {
    /// Whether a region with a thin core is part of it.
    pub fn has_thin_region(&self, paint_map: &PaintMap<'_>) -> bool {
        self.pixels.iter().any(|&i| is_thin(paint_map.labels.ids[i as usize]))
    }
}

/// What pixels may be mixtures of.
pub(crate) struct InkOverPaints {
    /// At least one; most frequent first.
    pub paints: Vec<u32>,
    pub ink: Channels,
}

/// A stroke, which may be several letters: pixels that are mixtures of the paints around them and of an ink.
pub(crate) struct Patch {
    pub pixels: Vec<u32>,
    /// The paints that explain the pixels together with the ink. At least one; most frequent first. The ground of a pixel may in the end be
    /// another paint beside the stroke.
    pub paints: Vec<u32>,
    pub ink: Channels,
    /// Whether its paints are of one color. Only such a stroke takes in bodies, shares inks, can be a tip, and has the wider limits of error.
    pub is_on_one_color: bool,
    /// Whether the pixels have colored fringes, as of print rendered in sub-pixels.
    pub is_fringed: bool,
}

impl Patch {
    pub fn new(
        paint_map: &PaintMap<'_>,
        pixels: Vec<u32>,
        InkOverPaints { paints, ink }: InkOverPaints,
        is_fringed: bool,
    ) -> Self {
        let color = |paint: u32| paint_map.colors[paint as usize];
        let is_on_one_color = paints.iter().all(|&paint| is_alike(color(paint), color(paints[0])));
        Patch { pixels, paints, ink, is_on_one_color, is_fringed }
    }

    /// Whether a color is the ink's rather than one of the paints'.
    pub fn is_of_ink(&self, paint_map: &PaintMap<'_>, color: Channels) -> bool {
        let off_sq = distance_sq(color, self.ink);
        off_sq <= ALIKE_SQ
            && self.paints.iter().all(|&paint| distance_sq(color, paint_map.colors[paint as usize]) > off_sq)
    }

    /// Takes out and returns what is no stroke: regions with a thin core that show one of several paints, and with them the pixels that
    /// are no mixtures of the ink.
    #[inline(never)]
    pub fn take_bare(&mut self, paint_map: &PaintMap<'_>) -> Vec<u32> {
        let mut bare = Vec::new();
        if self.is_on_one_color {
            return bare;
        }
        let mixtures = InkMixtures::new(paint_map, &self.paints, self.ink);
        let label = |i: u32| paint_map.labels.ids[i as usize];
        // Of each thin region, how many more of its pixels are bare than covered.
        let mut votes: Vec<(u32, i32)> = Vec::new();
        for &i in &self.pixels {
            if is_thin(label(i)) {
                let vote = if mixtures.nearest(paint_map, i).ink_share < 0.5 { 1 } else { -1 };
                match votes.iter_mut().rev().find(|(region, _)| *region == label(i)) {
                    Some((_, votes)) => *votes += vote,
                    None => votes.push((label(i), vote)),
                }
            }
        }
        if votes.iter().all(|&(_, votes)| votes <= 0) {
            return bare;
        }
        let mut kept = Vec::new();
        for &i in &self.pixels {
            let is_bare = votes.iter().any(|&(region, votes)| votes > 0 && region == label(i))
                || !mixtures.explain(paint_map, i);
            if is_bare { &mut bare } else { &mut kept }.push(i);
        }
        self.pixels = kept;
        bare
    }
}
