//! Cross sections of thin lines, and the chains of those that run on in each other.
//!
//! Across a line, coverage adds up to its width, and its mean place is the line's middle, whatever the angle. Sections of lines that are
//! nearer to upright are taken along rows, those of others along columns.

use super::field::Field;
use crate::algorithms::sorted_by_key;
use crate::geometry::Point;
use crate::raster::column_and_row;

/// How wide a thin line is, at most. A wider one has samples that are covered by half all along, so that its contour holds together.
///
/// Unit: pixels. Source: tuned; samples are 0.7 px apart along the diagonal.
const WIDEST_PX: f32 = 0.8;

/// How far the middle of a section is from that of the one before it, at most, and from where the line would run straight on. A section is
/// at most so many times as wide as its line.
///
/// Unit: pixels. Source: at half a right angle, middles are 1 px apart, sections √2 times as wide; 1 and 1.5 px give as good drawings.
pub(super) const MOST_SHIFT_PX: f32 = std::f32::consts::SQRT_2;

/// How many sections a chain has, at least.
///
/// Unit: count. Source: tuned; 3 and 6 give as good drawings.
pub(super) const LEAST_SECTIONS: usize = 4;

/// How many pixels a section reaches to either side of its strongest.
///
/// Unit: pixels. Source: a line narrower than a pixel covers no more.
const REACH_PX: i32 = 2;

/// A cross section of a line, around its strongest pixel.
#[derive(Clone, Copy, Default)]
struct Section {
    /// How far its middle is from the center of the strongest pixel.
    offset: f32,
    /// How much is covered, in pixels; 0 if there is no section.
    width: f32,
}

/// A pixel of a section.
#[derive(Clone, Copy, Default)]
struct Member {
    pixel: usize,
    /// How far it is from the strongest pixel.
    off: i32,
    /// How much of it the section covers; 0 if there is no such pixel.
    share: f32,
    /// Whether it lies in a valley, which two sections share.
    is_shared: bool,
}

/// A piece of a line: sections that run on in each other, downward or to the right.
pub(super) struct Chain {
    pub is_upright: bool,
    /// The strongest pixels of the sections, as indices in `near`.
    pub slots: Vec<u32>,
    /// The middles of the sections.
    pub middle: Vec<Point>,
    pub width_px: f32,
}

/// The chains of thin lines in a field. A pixel belongs to one of them, the longest.
pub(super) fn find_chains(field: &Field) -> Vec<Chain> {
    let mut chains = Vec::new();
    for is_upright in [true, false] {
        let sections = Sections::new(field, is_upright);
        sections.find_chains(&mut chains);
    }
    let by_length =
        sorted_by_key(0..chains.len() as u32, |k| u32::MAX - chains[k as usize].slots.len() as u32);
    let mut is_taken = vec![false; field.near.len()];
    let mut found = Vec::new();
    for k in by_length {
        let Chain { is_upright, slots, middle, width_px } = &chains[k as usize];
        let mut first = 0;
        while first < slots.len() {
            let free = slots[first..].iter().take_while(|&&slot| !is_taken[slot as usize]).count();
            let part = first..first + free;
            first += free + 1;
            if free >= LEAST_SECTIONS {
                let (slots, middle) = (slots[part.clone()].to_vec(), middle[part].to_vec());
                let chain = Chain { is_upright: *is_upright, slots, middle, width_px: *width_px };
                for slot in chain.own_pixels(field).into_iter().filter_map(|pixel| field.slot(pixel)) {
                    is_taken[slot] = true;
                }
                found.push(chain);
            }
        }
    }
    found
}

impl Chain {
    /// The pixels of its sections that no other section shares.
    #[inline(never)]
    pub fn own_pixels(&self, field: &Field) -> Vec<usize> {
        let way = Crossing { field, is_upright: self.is_upright };
        let mut pixels = Vec::new();
        for &slot in &self.slots {
            for Member { pixel, share, is_shared, .. } in way.members(field.near[slot as usize] as usize) {
                if share > 0.0 && !is_shared {
                    pixels.push(pixel);
                }
            }
        }
        pixels
    }
}

/// A field, and the direction in which lines are crossed.
#[derive(Clone, Copy)]
struct Crossing<'a> {
    field: &'a Field,
    /// Whether lines are upright, and sections lie along rows.
    is_upright: bool,
}

impl Crossing<'_> {
    /// The pixel that is so far across and along; none beyond the border.
    #[inline(never)]
    fn moved(self, pixel: usize, across: i32, along: i32) -> Option<usize> {
        let (width, height) = (self.field.width as u32, self.field.height as u32);
        let (x, y) = column_and_row(pixel as u32, width);
        let (dx, dy) = if self.is_upright { (across, along) } else { (along, across) };
        // Negative numbers become large ones, beyond the other border.
        let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        (x < width && y < height).then(|| (y * width + x) as usize)
    }

    /// The pixels of the section around a strongest one. They end where coverage rises again, or after [`REACH_PX`].
    #[inline(never)]
    fn members(self, strongest: usize) -> [Member; 2 * REACH_PX as usize + 1] {
        let coverage = |off: i32| {
            let pixel = self.moved(strongest, off, 0)?;
            Some((pixel, self.field.share(pixel)))
        };
        let mut members = [Member::default(); 2 * REACH_PX as usize + 1];
        members[0] =
            Member { pixel: strongest, off: 0, share: self.field.share(strongest), is_shared: false };
        let mut count = 1;
        for side in [-1, 1] {
            let mut before = members[0].share;
            for off in (1..=REACH_PX).map(|off| off * side) {
                let Some((pixel, share)) = coverage(off).filter(|&(_, share)| share > 0.0 && share <= before)
                else {
                    break;
                };
                let is_shared = coverage(off + side).is_some_and(|(_, after)| after > share);
                let own = if is_shared { 0.5 * share } else { share };
                members[count] = Member { pixel, off, share: own, is_shared };
                count += 1;
                before = share;
            }
        }
        members
    }

    /// The section around a pixel, if that is the strongest across. At the border, it is not known how lines run on.
    fn section(self, pixel: usize) -> Section {
        let coverage = &self.field.coverage;
        let step = if self.is_upright { 1 } else { self.field.width };
        let [before, after] = [pixel.wrapping_sub(step), pixel + step].map(|beside| coverage.get(beside));
        let is_strongest = before.is_some_and(|before| *before < coverage[pixel])
            && after.is_some_and(|after| *after <= coverage[pixel]);
        if !is_strongest || [-1, 1].iter().any(|&off| self.moved(pixel, off, 0).is_none()) {
            return Section::default();
        }
        let (mut width, mut moment) = (0.0, 0.0);
        for Member { off, share, .. } in self.members(pixel) {
            width += share;
            moment += share * off as f32;
        }
        let is_thin = width <= WIDEST_PX * MOST_SHIFT_PX;
        if is_thin { Section { offset: moment / width, width } } else { Section::default() }
    }
}

/// The sections in one direction.
struct Sections<'a> {
    way: Crossing<'a>,
    /// By the index of the strongest pixel in `near`.
    around: Vec<Section>,
}

impl<'a> Sections<'a> {
    fn new(field: &'a Field, is_upright: bool) -> Self {
        let way = Crossing { field, is_upright };
        Sections { way, around: field.near.iter().map(|&pixel| way.section(pixel as usize)).collect() }
    }

    /// The only section in the row or column beside one, `step` further, that may continue it.
    #[inline(never)]
    fn beside(&self, slot: u32, step: i32) -> Option<u32> {
        let Section { offset, width } = self.around[slot as usize];
        if width == 0.0 {
            return None;
        }
        let pixel = self.way.field.near[slot as usize] as usize;
        let mut found = None;
        for across in -REACH_PX..=REACH_PX {
            let moved = self.way.moved(pixel, across, step);
            let Some(slot) = moved.and_then(|pixel| self.way.field.slot(pixel)) else { continue };
            let other = self.around[slot];
            let shift = across as f32 + other.offset - offset;
            if other.width > 0.0 && shift.abs() <= MOST_SHIFT_PX && found.replace(slot as u32).is_some() {
                return None;
            }
        }
        found
    }

    /// The section that continues one.
    #[inline(never)]
    fn next(&self, slot: u32) -> Option<u32> {
        self.beside(slot, 1).filter(|&next| self.beside(next, -1) == Some(slot))
    }

    fn is_first(&self, slot: u32) -> bool {
        self.beside(slot, -1).is_none_or(|before| self.next(before) != Some(slot))
    }

    fn middle(&self, slot: u32) -> Point {
        let field = self.way.field;
        let (x, y) = column_and_row(field.near[slot as usize], field.width as u32);
        let Section { offset, .. } = self.around[slot as usize];
        let off = if self.way.is_upright { Point::new(offset, 0.0) } else { Point::new(0.0, offset) };
        Point::new(x as f32 + 0.5, y as f32 + 0.5) + off
    }

    /// Walks from section to section. A chain ends where its line bends, and where the next section is half or twice as wide: there is a gap, or
    /// a shape begins.
    fn find_chains(&self, chains: &mut Vec<Chain>) {
        for first in (0..self.around.len() as u32)
            .filter(|&slot| self.around[slot as usize].width > 0.0 && self.is_first(slot))
        {
            let (mut slots, mut middle) = (Vec::new(), Vec::new());
            let mut next = Some(first);
            while let Some(slot) = next {
                let here = self.middle(slot);
                let off = match middle[..] {
                    [.., before, last] => here - last * 2.0 + before,
                    _ => Point::default(),
                };
                let [width, width_before] =
                    [slot, *slots.last().unwrap_or(&slot)].map(|slot| self.around[slot as usize].width);
                if is_twice(width, width_before) || off.length() > MOST_SHIFT_PX {
                    chains.extend(self.chain(std::mem::take(&mut slots), std::mem::take(&mut middle)));
                }
                slots.push(slot);
                middle.push(here);
                next = self.next(slot);
            }
            chains.extend(self.chain(slots, middle));
        }
    }

    /// The chain of some sections, if they are enough, and thin. What is less than a third as wide as a thin line may be is of a paler ink. Where
    /// one half is twice as wide as the other, they are the tip of a shape.
    #[inline(never)]
    fn chain(&self, slots: Vec<u32>, middle: Vec<Point>) -> Option<Chain> {
        if slots.len() < LEAST_SECTIONS {
            return None;
        }
        let area_of = |slots: &[u32]| slots.iter().map(|&slot| self.around[slot as usize].width).sum::<f32>();
        let half = slots.len() / 2;
        if is_twice(area_of(&slots[..half]), area_of(&slots[slots.len() - half..])) {
            return None;
        }
        let length: f32 = middle.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum();
        // Of the area, the line takes a part of its own length.
        let steps = (slots.len() - 1) as f32;
        let width_px = area_of(&slots) / slots.len() as f32 * steps / length;
        ((WIDEST_PX / 3.0..=WIDEST_PX).contains(&width_px)).then_some(Chain {
            is_upright: self.way.is_upright,
            slots,
            middle,
            width_px,
        })
    }
}

/// Whether one of two widths is more than twice the other.
fn is_twice(one: f32, other: f32) -> bool {
    2.0 * one < other || 2.0 * other < one
}
