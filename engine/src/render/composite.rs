//! Composites what was painted on a canvas.

use std::ops::Range;

use super::canvas::{Canvas, DrawnPixel, FRAGMENT, Fragment, VisibleFragment};
use crate::color::{Channels, minus, plus, times};
use crate::geometry::Point;

impl Canvas {
    /// Finds the colors of the pixels that edges pass, and what can be seen of the paths there.
    pub fn composite(&mut self) {
        let first_piece = self.pieces.len() as u32;
        self.painted.push(Fragment { pixel: 0, path: 0, below: 0, coverage: 0.0, sign: 0.0, first_piece });
        let mut chain: Vec<usize> = Vec::new();
        for top in 0..self.painted.len() - 1 {
            let pixel = self.painted[top].pixel;
            let mut entry = FRAGMENT | top as u32;
            if self.plane[pixel as usize] != entry {
                continue;
            }
            self.plane[pixel as usize] = FRAGMENT | self.pixels.len() as u32;
            chain.clear();
            while entry & FRAGMENT != 0 {
                chain.push((entry ^ FRAGMENT) as usize);
                entry = self.painted[(entry ^ FRAGMENT) as usize].below;
            }
            let first = self.fragments.len();
            let color = self.composite_pixel(&chain, self.colors[entry as usize]);
            self.pixels.push(DrawnPixel { pixel, color, fragments: first..self.fragments.len() });
        }
    }

    /// Adds the visible fragments of a pixel, given its fragments from the top and the color below. Returns its color.
    fn composite_pixel(&mut self, chain: &[usize], mut color: Channels) -> Channels {
        let first = self.fragments.len();
        for &number in chain.iter().rev() {
            let fragment = &self.painted[number];
            let paint = self.colors[fragment.path as usize];
            let gain = minus(paint, times(paint[3] / 255.0, color));
            color = plus(color, fragment.coverage, gain);
            let pieces = fragment.first_piece as usize..self.painted[number + 1].first_piece as usize;
            self.fragments.push(VisibleFragment { path: fragment.path, gain, pieces });
        }
        let mut shows = 1.0;
        for (&number, visible) in chain.iter().zip(self.fragments[first..].iter_mut().rev()) {
            let fragment = &self.painted[number];
            visible.gain = times(shows * fragment.sign, visible.gain);
            shows *= 1.0 - fragment.coverage * self.colors[fragment.path as usize][3] / 255.0;
        }
        color
    }

    /// The color of a pixel.
    pub fn color(&self, pixel: usize) -> Channels {
        let entry = self.plane[pixel];
        match entry & FRAGMENT {
            0 => self.colors[entry as usize],
            _ => self.pixels[(entry ^ FRAGMENT) as usize].color,
        }
    }

    /// The edges of paths above number `path` that pass the pixels within some distance of a point: their two vertices.
    pub fn edges_near(&self, at: Point, distance: f32, path: u32) -> impl Iterator<Item = [u32; 2]> {
        let (width, height) = self.size;
        let pixels = |at: f32, size: usize| {
            let [from, to] = [at - distance, at + distance].map(|at| at.max(0.0) as usize);
            from..(to + 1).min(size)
        };
        let columns = pixels(at.x, width);
        let pixels = pixels(at.y, height).flat_map(move |y| columns.clone().map(move |x| y * width + x));
        let passed = pixels.filter(|&pixel| !self.is_flat(pixel));
        let fragments = passed.flat_map(|pixel| {
            let pixel = &self.pixels[(self.plane[pixel] ^ FRAGMENT) as usize];
            &self.fragments[pixel.fragments.clone()]
        });
        let above = fragments.filter(move |fragment| fragment.path > path);
        above.flat_map(|fragment| &self.pieces[fragment.pieces.clone()]).map(|piece| piece.ends)
    }

    /// Whether no edge passes a pixel.
    pub fn is_flat(&self, pixel: usize) -> bool {
        self.plane[pixel] & FRAGMENT == 0
    }

    /// The pixels that no edge passes, in runs of one color.
    pub fn flat_runs(&self) -> impl Iterator<Item = (Range<usize>, Channels)> {
        let mut next = 0;
        let runs = self.plane.chunk_by(|a, b| a == b).map(move |run| {
            next += run.len();
            (next - run.len()..next, run[0])
        });
        runs.filter(|(_, entry)| entry & FRAGMENT == 0).map(|(run, entry)| (run, self.colors[entry as usize]))
    }
}
