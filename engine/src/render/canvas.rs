//! The plane of the image, on which paths are painted.

use super::fragment::{FRAGMENT, Fragment, NEGLIGIBLE, NO_PIECE, Piece};
use super::outline::Outline;
use super::sweep::{Covered, Ground, Sweep};
use crate::algorithms::{CHUNK, fill};
use crate::color::{Channels, PremultipliedColor};
use crate::geometry::{FLAT, Gradient, PIXELS_OF_A_RUN, Paint, Shading};

/// The colors of a path in some neighboring pixels.
#[derive(Default)]
pub(crate) struct KnownRun {
    /// The path and the first pixel. No gradient fills path 0.
    of: (u32, usize),
    colors: [Channels; PIXELS_OF_A_RUN],
}

/// The paths of a drawing in painting order, as pixels.
#[derive(Default)]
pub(crate) struct Canvas {
    pub size: (usize, usize),
    /// What is uppermost in each pixel: a path that covers all of it, or [`FRAGMENT`] and a fragment's number.
    pub(super) plane: Vec<u32>,
    /// The color of each path. Path 0 is the empty canvas.
    pub(super) colors: Vec<Channels>,
    shadings: Vec<Shading>,
    /// The number of the gradient of each path, or [`FLAT`], up to the last path that has a gradient.
    gradient_of: Vec<u32>,
    pub(super) fragments: Vec<Fragment>,
    /// What passes the pixels of the fragments.
    pieces: Vec<Piece>,
    pub outline: Outline,
    /// For each [`CHUNK`] of pixels, whether it holds fragments.
    pub has_fragments: Vec<bool>,
    sweep: Sweep,
}

impl Canvas {
    /// A canvas for paths that are filled with colors or these gradients.
    pub fn new(gradients: &[Gradient]) -> Self {
        Canvas { shadings: Shading::all(gradients), ..Canvas::default() }
    }

    /// Empties the canvas, and keeps its memory.
    pub fn clear(&mut self, size: (usize, usize)) {
        self.size = size;
        let room = size.0 * size.1;
        self.plane.clear();
        self.plane.resize(room, 0);
        self.has_fragments.clear();
        self.has_fragments.resize(room.div_ceil(CHUNK), false);
        self.colors.clear();
        self.colors.push([0.0; 4]);
        self.gradient_of.clear();
        self.fragments.clear();
        self.pieces.clear();
        self.outline.clear();
    }

    /// Paints a path. `append` adds its curves to the outlines of all paths.
    pub fn paint(&mut self, paint: Paint, append: impl FnOnce(&mut Outline)) {
        let first = self.outline.stretches.len();
        append(&mut self.outline);
        let ground =
            Ground { plane: &mut self.plane, fragments: &mut self.fragments, pieces: &mut self.pieces };
        self.sweep.run((&self.outline, first), self.colors.len() as u32, self.size, ground);
        let color = self.color_of_next_path(paint);
        self.cover(color);
    }

    /// Finds what an outline would cover, and paints nothing.
    pub fn sweep(&mut self, outline: &Outline, sweep: &mut Sweep) {
        let (fragments, pieces) = (self.fragments.len(), self.pieces.len());
        let ground =
            Ground { plane: &mut self.plane, fragments: &mut self.fragments, pieces: &mut self.pieces };
        sweep.run((outline, 0), self.colors.len() as u32, self.size, ground);
        for pixel in
            sweep.covered.iter().filter(|covered| covered.is_passed).map(|covered| covered.pixels.start)
        {
            let entry = &mut self.plane[pixel as usize];
            *entry = self.fragments[(*entry ^ FRAGMENT) as usize].below;
        }
        self.fragments.truncate(fragments);
        self.pieces.truncate(pieces);
    }

    /// Counts a path that is not painted.
    pub fn skip(&mut self, paint: Paint, append: impl FnOnce(&mut Outline)) {
        append(&mut self.outline);
        let color = self.color_of_next_path(paint);
        self.colors.push(color);
    }

    /// The color of the next path. That of a gradient is no pixel's: only its alpha means something, which is full if the gradient is opaque.
    // Not inlined: it has two callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    fn color_of_next_path(&mut self, paint: Paint) -> Channels {
        match paint {
            Paint::Flat(color) => color.premultiplied().channels(),
            Paint::Gradient { number, is_opaque, .. } => {
                self.gradient_of.resize(self.colors.len(), FLAT);
                self.gradient_of.push(number);
                let alpha = if is_opaque { 255.0 } else { 0.0 };
                [f32::from(u8::MAX), 0.0, 0.0, alpha]
            }
        }
    }

    /// The color of a path in a pixel.
    #[inline]
    pub fn paint_at(&self, path: u32, pixel: usize) -> Channels {
        match self.shading(path) {
            Some(shading) => shading.in_pixel(pixel, self.size.0),
            None => self.colors[path as usize],
        }
    }

    /// The color of a path in a pixel, for those who ask for one pixel after another: gradients tell their colors in several at once.
    #[inline]
    pub fn paint_in_turn(&self, path: u32, pixel: usize, known: &mut KnownRun) -> Channels {
        let Some(shading) = self.shading(path) else { return self.colors[path as usize] };
        let place = pixel % PIXELS_OF_A_RUN;
        let of = (path, pixel - place);
        if known.of != of {
            *known = KnownRun { of, colors: shading.in_run(of.1, self.size.0) };
        }
        known.colors[place]
    }

    /// Whether a path has one color that hides all below it.
    pub fn is_opaque(&self, path: u32) -> bool {
        !self.is_shaded(path) && self.colors[path as usize][3] == 255.0
    }

    /// Whether a gradient fills a path.
    pub fn is_shaded(&self, path: u32) -> bool {
        self.shading(path).is_some()
    }

    fn shading(&self, path: u32) -> Option<&Shading> {
        Shading::find(&self.shadings, &self.gradient_of, path)
    }

    /// Takes paths that do not cover it fully away from a pixel.
    pub fn remove(&mut self, pixel: usize, is_absent: &[bool]) {
        let mut entry = self.plane[pixel];
        let mut above = None;
        while entry & FRAGMENT != 0 {
            let number = (entry ^ FRAGMENT) as usize;
            let Fragment { path, below, .. } = self.fragments[number];
            match above {
                _ if !is_absent[path as usize] => above = Some(number),
                None => self.plane[pixel] = below,
                Some(above) => self.fragments[above].below = below,
            }
            entry = below;
        }
    }

    /// Paints what was swept.
    fn cover(&mut self, color: Channels) {
        let Canvas { plane, fragments, has_fragments, sweep, .. } = self;
        let path = self.colors.len() as u32;
        self.colors.push(color);
        for Covered { pixels, area, is_passed } in &sweep.covered {
            let pixels = pixels.start as usize..pixels.end as usize;
            if *is_passed {
                has_fragments[pixels.start / CHUNK] = true;
                continue;
            }
            if color[3] == 255.0 && area.abs() > 1.0 - NEGLIGIBLE {
                fill(&mut plane[pixels], path);
                continue;
            }
            for pixel in pixels {
                has_fragments[pixel / CHUNK] = true;
                let below = std::mem::replace(&mut plane[pixel], FRAGMENT | fragments.len() as u32);
                fragments.push(Fragment { path, below, area: *area, rise: 0.0, first_piece: NO_PIECE });
            }
        }
    }

    /// Makes room for the colors of so many pixels.
    pub fn reserve_colors(&mut self, count: usize) {
        self.colors.reserve(count);
    }

    /// Sets the color of a pixel, which no edge passes then.
    pub fn set_color(&mut self, pixel: usize, color: Channels) {
        self.plane[pixel] = self.colors.len() as u32;
        self.colors.push(color);
    }

    /// What is uppermost in each pixel: the number of the path that covers it fully, or a number above those of all paths.
    pub fn entries(&self) -> &[u32] {
        &self.plane
    }

    /// The path of a fragment.
    pub fn path_of(&self, fragment: u32) -> u32 {
        self.fragments[fragment as usize].path
    }

    /// How many there are of what paths cover in part.
    pub fn fragment_count(&self) -> usize {
        self.fragments.len()
    }

    /// How many paths are painted, with the empty canvas.
    pub fn path_count(&self) -> usize {
        self.colors.len()
    }

    /// The color of each path as a pixel shows it; of a gradient, one that no pixel has, since its red is above its alpha.
    pub fn flat_colors(&self) -> Vec<[u8; 4]> {
        let mut colors: Vec<_> =
            self.colors.iter().map(|&color| PremultipliedColor::nearest(color).0).collect();
        for (color, _) in colors.iter_mut().zip(&self.gradient_of).filter(|(_, number)| **number != FLAT) {
            *color = [u8::MAX, 0, 0, 0];
        }
        colors
    }

    /// How many edges pass pixels, counted in each pixel.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// The pieces of the edges of a path that pass the pixel of its fragment.
    pub fn pieces_of(&self, fragment: u32) -> impl Iterator<Item = &Piece> {
        let mut next = self.fragments[fragment as usize].first_piece;
        std::iter::from_fn(move || {
            let piece = self.pieces.get(next as usize)?;
            next = piece.next;
            Some(piece)
        })
    }
}
