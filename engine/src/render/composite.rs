//! Composites what was painted on a canvas, and says how that changes when points move.

use super::canvas::Canvas;
use super::fragment::{FRAGMENT, Fragment, NEGLIGIBLE, Piece};
use crate::algorithms::run_end;
use crate::color::{Channels, minus, plus, times};
use crate::geometry::Point;
use crate::raster::column_and_row;
use std::ops::Range;

/// What can be seen of a path in a pixel that its edges pass.
pub(crate) struct VisibleFragment {
    pub number: u32,
    /// The color that the pixel gains if the area within the outline grows by all of the pixel.
    pub gain: Channels,
}

impl Canvas {
    /// The color of a pixel.
    pub fn color(&self, pixel: usize) -> Channels {
        let entry = self.plane[pixel];
        if entry & FRAGMENT == 0 { self.paint_at(entry, pixel) } else { self.color_of(entry, pixel) }
    }

    /// Appends how much a pixel shows of each path that can be seen in it.
    pub fn find_shares(&self, pixel: usize, found: &mut Vec<(u32, f32)>) {
        let mut visible = Visible { canvas: self, pixel, entry: self.plane[pixel], shows: 1.0 };
        for (_, fragment, shows) in &mut visible {
            found.push((fragment.path, shows * fragment.coverage()));
        }
        if visible.entry & FRAGMENT == 0 {
            found.push((visible.entry, visible.shows));
        }
    }

    /// The color of an entry of the plane with all below it.
    fn color_of(&self, entry: u32, pixel: usize) -> Channels {
        if let Some((fragment, ground)) = self.only_fragment(entry, pixel) {
            return plus(ground, fragment.coverage(), self.gain_over(ground, fragment, pixel));
        }
        self.composited((entry, pixel), &[]).unwrap_or_default()
    }

    /// The color of a pixel without the paths that `is_absent` tells. `None` if one of them covers it fully.
    pub fn color_without(&self, pixel: usize, is_absent: &[bool]) -> Option<Channels> {
        self.composited((self.plane[pixel], pixel), is_absent)
    }

    /// The path that covers a pixel fully, below its fragments.
    #[inline(never)]
    pub fn path_below(&self, pixel: usize) -> usize {
        let mut entry = self.plane[pixel];
        while entry & FRAGMENT != 0 {
            entry = self.fragments[(entry ^ FRAGMENT) as usize].below;
        }
        entry as usize
    }

    // Not inlined: it has several callers, and each copy would grow the WebAssembly module.
    #[inline(never)]
    fn composited(&self, (mut entry, pixel): (u32, usize), is_absent: &[bool]) -> Option<Channels> {
        let is_absent = |path: u32| is_absent.get(path as usize) == Some(&true);
        let (mut shows, mut color) = (1.0, [0.0; 4]);
        while entry & FRAGMENT != 0 && shows >= NEGLIGIBLE {
            let fragment = &self.fragments[(entry ^ FRAGMENT) as usize];
            entry = fragment.below;
            if !is_absent(fragment.path) {
                let paint = self.paint_at(fragment.path, pixel);
                color = plus(color, shows * fragment.coverage(), paint);
                shows *= 1.0 - fragment.coverage() * opacity(paint);
            }
        }
        match entry & FRAGMENT {
            0 if is_absent(entry) => None,
            0 => Some(plus(color, shows, self.paint_at(entry, pixel))),
            _ => Some(color),
        }
    }

    /// Appends what can be seen of the paths in a pixel, from the top, and returns the pixel's color.
    pub fn find_visible(&self, pixel: usize, found: &mut Vec<VisibleFragment>) -> Channels {
        let entry = self.plane[pixel];
        if let Some((fragment, ground)) = self.only_fragment(entry, pixel) {
            let by = self.gain_over(ground, fragment, pixel);
            found.push(VisibleFragment { number: entry ^ FRAGMENT, gain: times(fragment.sign(), by) });
            return plus(ground, fragment.coverage(), by);
        }
        let first = found.len();
        let mut visible = Visible { canvas: self, pixel, entry, shows: 1.0 };
        for (number, fragment, shows) in &mut visible {
            found.push(VisibleFragment { number, gain: [shows * fragment.sign(); 4] });
        }
        let mut color = self.color_of(visible.entry, pixel);
        for VisibleFragment { number, gain } in found[first..].iter_mut().rev() {
            let fragment = &self.fragments[*number as usize];
            let by = self.gain_over(color, fragment, pixel);
            color = plus(color, fragment.coverage(), by);
            *gain = times(gain[0], by);
        }
        color
    }

    /// The fragment that an entry is and the color below it, if that is one color: as in most pixels that edges pass.
    #[inline]
    fn only_fragment(&self, entry: u32, pixel: usize) -> Option<(&Fragment, Channels)> {
        let fragment = self.fragments.get((entry ^ FRAGMENT) as usize)?;
        (fragment.below & FRAGMENT == 0).then(|| (fragment, self.paint_at(fragment.below, pixel)))
    }

    /// What a color gains if a path covers all of it.
    fn gain_over(&self, color: Channels, fragment: &Fragment, pixel: usize) -> Channels {
        let paint = self.paint_at(fragment.path, pixel);
        minus(paint, times(opacity(paint), color))
    }

    /// The edges of paths above number `path` that pass the pixels within some distance of a point, and can be seen there.
    pub fn edges_near(&self, at: Point, distance: f32, path: u32) -> impl Iterator<Item = u32> {
        let (width, height) = self.size;
        let pixels = |at: f32, size: usize| {
            let [from, to] = [at - distance, at + distance].map(|at| at.max(0.0) as usize);
            from..(to + 1).min(size)
        };
        let columns = pixels(at.x, width);
        let pixels = pixels(at.y, height).flat_map(move |y| columns.clone().map(move |x| y * width + x));
        let visible = move |pixel| {
            let visible = Visible { canvas: self, pixel, entry: self.plane[pixel], shows: 1.0 };
            visible.take_while(move |(_, fragment, _)| fragment.path > path)
        };
        pixels.flat_map(visible).flat_map(|(number, ..)| self.pieces_of(number).map(|piece| piece.edge))
    }

    /// Whether one of some opaque paths covers a point, or passes it within `distance`; if that is negative, whether one covers the point and
    /// passes it no nearer than that.
    pub fn is_covered(&self, at: Point, distance: f32, paths: Range<u32>) -> bool {
        let within = |at: f32, size: usize| (at.max(0.0) as usize).min(size - 1);
        let mut entry = self.plane[within(at.y, self.size.1) * self.size.0 + within(at.x, self.size.0)];
        while entry & FRAGMENT != 0 {
            let number = (entry ^ FRAGMENT) as usize;
            let fragment = &self.fragments[number];
            if fragment.path < paths.start {
                return false;
            }
            if self.colors[fragment.path as usize][3] == 255.0 && self.holds(number, at, distance) {
                return true;
            }
            entry = fragment.below;
        }
        paths.contains(&entry)
    }

    /// Whether one of some opaque paths covers the middle of each of some pixels, which lie in one row.
    pub fn are_covered(&self, pixels: Range<u32>, paths: Range<u32>) -> bool {
        let (mut next, end) = (pixels.start as usize, pixels.end as usize);
        while next < end {
            let (x, y) = column_and_row(next as u32, self.size.0 as u32);
            let middle = Point::new(x as f32 + 0.5, y as f32 + 0.5);
            if !self.is_covered(middle, 0.0, paths.clone()) {
                return false;
            }
            // One path covers a run of equal entries; a fragment is of one pixel.
            next = run_end(&self.plane[..end], next);
        }
        true
    }

    /// Whether a path that a pixel's edges belong to holds a point of the pixel, by the nearest edge.
    fn holds(&self, number: usize, at: Point, distance: f32) -> bool {
        let area = self.fragments[number].area;
        let (mut nearest, mut is_inside) = (f32::INFINITY, area.abs() > 1.0 - NEGLIGIBLE);
        for &Piece { edge, .. } in self.pieces_of(number as u32) {
            let [from, to] = [edge as usize - 1, edge as usize].map(|vertex| self.outline.vertices[vertex]);
            let along = to - from;
            let share = ((at - from).dot(along) / along.dot(along).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            let off = at - (from + along * share);
            if off.length() < nearest {
                nearest = off.length();
                is_inside = along.cross(off) * area < 0.0;
            }
        }
        let beyond = if is_inside { -nearest } else { nearest };
        beyond <= distance
    }

    /// Whether no edge passes a pixel.
    pub fn is_flat(&self, pixel: usize) -> bool {
        self.plane[pixel] & FRAGMENT == 0
    }
}

/// The alpha of a color, 0 to 1. A product, because a quotient takes longer.
fn opacity(color: Channels) -> f32 {
    color[3] * (1.0 / 255.0)
}

/// Passes over the fragments in a pixel.
struct Visible<'a> {
    canvas: &'a Canvas,
    pixel: usize,
    entry: u32,
    /// How much shows through what is above.
    shows: f32,
}

impl<'a> Iterator for Visible<'a> {
    type Item = (u32, &'a Fragment, f32);

    fn next(&mut self) -> Option<Self::Item> {
        if self.entry & FRAGMENT == 0 || self.shows < NEGLIGIBLE {
            return None;
        }
        let number = self.entry ^ FRAGMENT;
        let fragment = &self.canvas.fragments[number as usize];
        let shows = self.shows;
        self.entry = fragment.below;
        self.shows *= 1.0 - fragment.coverage() * opacity(self.canvas.paint_at(fragment.path, self.pixel));
        Some((number, fragment, shows))
    }
}
