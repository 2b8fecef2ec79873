use crate::color::{ALIKE_SQ, Channels, distance_sq, is_alike};
use crate::resolve::paints::{InkMixtures, PaintMap, is_thin};

/// What asking whether a pixel is a mixture of its patch's ink takes, in the units of [`ProgressMeter`](crate::api::ProgressMeter).
pub(crate) const PATCH_PIXEL_UNITS: usize = 32;

/// A patch of pixels without a core, and what it seems to be drawn with.
pub(crate) struct Patch {
    pub pixels: Vec<u32>,
    pub paints: Vec<u32>,
    pub ink: Channels,
    /// Whether its paints are of one color: a stroke on paper, whose inside may be a paint of its own.
    pub is_on_one_color: bool,
    /// Whether the pixels have fringes, as of print rendered in sub-pixels.
    pub is_fringed: bool,
}

/// A patch as it was drawn.
pub(crate) struct DrawnStroke {
    pub patch: Patch,
    /// The number, from 1, of the topmost ink at the first of its pixels that has one. Mostly that is the patch's own; a patch that lies
    /// under another stroke, or was too small to be drawn beside one, stands and falls with that stroke. None where no ink is drawn.
    pub ink: Option<u32>,
}

impl Patch {
    pub fn new(
        paint_map: &PaintMap<'_>,
        pixels: Vec<u32>,
        (paints, ink): (Vec<u32>, Channels),
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

    /// Takes out what is no stroke: regions with a thin core that show one of several paints, and with them the pixels that are no
    /// mixtures of the ink.
    pub fn take_bare(&mut self, paint_map: &PaintMap<'_>) -> Vec<u32> {
        if self.is_on_one_color {
            return Vec::new();
        }
        let blends = InkMixtures::new(paint_map, &self.paints, self.ink);
        let label = |i: u32| paint_map.labels.ids[i as usize];
        // How many more pixels of a region are bare than covered.
        let mut votes: Vec<(u32, i32)> = Vec::new();
        for &i in self.pixels.iter().filter(|&&i| is_thin(label(i))) {
            let vote = if blends.nearest(paint_map, i).2 < 0.5 { 1 } else { -1 };
            match votes.iter_mut().rev().find(|(region, _)| *region == label(i)) {
                Some((_, votes)) => *votes += vote,
                None => votes.push((label(i), vote)),
            }
        }
        votes.retain(|&(_, votes)| votes > 0);
        if votes.is_empty() {
            return Vec::new();
        }
        let is_bare = |i: &mut u32| {
            votes.iter().any(|&(region, _)| region == label(*i)) || !blends.explain(paint_map, *i)
        };
        self.pixels.extract_if(.., is_bare).collect()
    }
}
