//! The lattice of pixel corners: which cracks join its points, and walks along them. Takes cracks, gives junctions and walked arcs.

use crate::algorithms::set_bits;
use crate::api::{ProgressMeter, Stopped};
use crate::geometry::Point;
use crate::raster::{Cracks, SideBits, WORD};

/// The label of everything beyond the image's border.
pub(crate) const OUTSIDE: u32 = u32::MAX;

/// A direction on the pixel lattice: right, down, left, up.
pub(crate) const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The cracks between lattice points, including those along the image's border.
pub(crate) struct Lattice {
    width: usize,
    height: usize,
    /// Words in a row: one bit for each lattice column, and at least one more.
    pub words: usize,
    /// For each row of pixels, the lattice columns with a vertical crack beside it. An empty row before the first and after the last.
    vertical: Vec<u64>,
    /// For each row of lattice points, the columns with a horizontal crack on their left.
    horizontal: Vec<u64>,
}

impl Lattice {
    pub fn of(cracks: &Cracks) -> Self {
        let (width, height) = (cracks.width, cracks.height());
        let words = (width + 2).div_ceil(WORD);
        let none = vec![0; words * (height + 2)];
        let mut lattice = Lattice { width, height, words, vertical: none.clone(), horizontal: none };
        for y in 0..height {
            let mut before = SideBits::default();
            let sides = cracks.row(y).iter().copied().chain([SideBits::default()]);
            for (k, here) in sides.enumerate().take(words) {
                let onward = |here: u64, before: u64| here << 1 | before >> (WORD - 1);
                lattice.vertical[(y + 1) * words + k] = onward(here.right, before.right);
                lattice.horizontal[(y + 1) * words + k] = onward(here.below, before.below);
                before = here;
            }
            for x in [0, width] {
                lattice.vertical[(y + 1) * words + x / WORD] |= 1 << (x % WORD);
            }
        }
        for x in 1..=width {
            for y in [0, height] {
                lattice.horizontal[y * words + x / WORD] |= 1 << (x % WORD);
            }
        }
        lattice
    }

    /// The cracks at a lattice point: one bit for each of [`DIRECTIONS`].
    fn cracks(&self, x: usize, y: usize) -> u8 {
        let at = |rows: &[u64], x: usize, y: usize| (rows[y * self.words + x / WORD] >> (x % WORD)) as u8 & 1;
        let (right, left) = (at(&self.horizontal, x + 1, y), at(&self.horizontal, x, y));
        let (up, down) = (at(&self.vertical, x, y), at(&self.vertical, x, y + 1));
        right | down << 1 | left << 2 | up << 3
    }

    /// All junctions, in row order.
    pub fn junctions(&self, meter: &mut ProgressMeter<'_>) -> Result<Vec<Junction>, Stopped> {
        let mut found = Vec::new();
        for y in 0..=self.height {
            meter.advance(self.width)?;
            for k in 0..self.words {
                let at = |rows: &[u64], y: usize, k: usize| rows[y * self.words + k];
                let left = at(&self.horizontal, y, k);
                let beyond = if k + 1 < self.words { at(&self.horizontal, y, k + 1) } else { 0 };
                let right = left >> 1 | beyond << (WORD - 1);
                let (up, down) = (at(&self.vertical, y, k), at(&self.vertical, y + 1, k));
                let junctions = left & right & (up | down) | up & down & (left | right);
                for x in set_bits(junctions).map(|place| k * WORD + place) {
                    found.push(Junction { x: x as u32, y: y as u32, cracks: self.cracks(x, y) });
                }
            }
        }
        Ok(found)
    }
}

/// A lattice point where three or four cracks meet.
#[derive(Clone, Copy)]
pub(crate) struct Junction {
    pub x: u32,
    pub y: u32,
    /// One bit for each of [`DIRECTIONS`].
    pub cracks: u8,
}

/// A stretch of boundary from `corners[0]` to `end`, with the regions on its left and right. `last_direction` is that of its last step.
pub(crate) struct WalkedArc {
    pub corners: Vec<(u32, u32)>,
    pub left: u32,
    pub right: u32,
    pub end: (u32, u32),
    pub last_direction: usize,
}

/// Walks along boundaries, and keeps track of those that have not been walked.
pub(crate) struct ArcWalker<'a> {
    ids: &'a [u32],
    pub lattice: Lattice,
    /// The vertical cracks that have not been walked.
    pub unwalked: Vec<u64>,
    /// The corners of the current walk, until their number is known.
    scratch: Vec<(u32, u32)>,
}

impl<'a> ArcWalker<'a> {
    pub fn new(ids: &'a [u32], lattice: Lattice) -> Self {
        ArcWalker { ids, unwalked: lattice.vertical.clone(), lattice, scratch: Vec::new() }
    }

    fn label(&self, x: i64, y: i64) -> u32 {
        let (width, height) = (self.lattice.width, self.lattice.height);
        if x < 0 || y < 0 || x >= width as i64 || y >= height as i64 {
            OUTSIDE
        } else {
            self.ids[y as usize * width + x as usize]
        }
    }

    /// The pixels to the left and to the right of a step.
    fn sides(&self, (x, y): (u32, u32), direction: usize) -> (u32, u32) {
        let (x, y) = (i64::from(x), i64::from(y));
        let (nw, ne) = ((x - 1, y - 1), (x, y - 1));
        let (sw, se) = ((x - 1, y), (x, y));
        let (left, right) = match direction {
            0 => (ne, se),
            1 => (se, sw),
            2 => (sw, nw),
            _ => (nw, ne),
        };
        (self.label(left.0, left.1), self.label(right.0, right.1))
    }

    /// Follows a boundary to the next junction, or around to its start.
    pub fn walk(&mut self, start: (u32, u32), mut direction: usize) -> WalkedArc {
        let (left, right) = self.sides(start, direction);
        self.scratch.clear();
        self.scratch.push(start);
        let mut at = start;
        loop {
            let next = step(at, direction);
            // A vertical crack is stored at its upper end.
            match direction {
                1 => self.mark(at),
                3 => self.mark(next),
                _ => {}
            }
            at = next;
            let cracks = self.lattice.cracks(at.0 as usize, at.1 as usize);
            if at == start || cracks.count_ones() != 2 {
                if at != start || cracks.count_ones() != 2 {
                    self.scratch.push(at);
                }
                return WalkedArc {
                    corners: self.scratch.clone(),
                    left,
                    right,
                    end: at,
                    last_direction: direction,
                };
            }
            self.scratch.push(at);
            let onward = cracks & !(1 << ((direction + 2) % 4));
            direction = onward.trailing_zeros() as usize;
        }
    }

    fn mark(&mut self, (x, y): (u32, u32)) {
        let (x, y) = (x as usize, y as usize);
        self.unwalked[(y + 1) * self.lattice.words + x / WORD] &= !(1 << (x % WORD));
    }
}

fn step((x, y): (u32, u32), direction: usize) -> (u32, u32) {
    let (dx, dy) = DIRECTIONS[direction];
    (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy))
}

pub(crate) fn lattice_point((x, y): (u32, u32)) -> Point {
    Point::new(x as f32, y as f32)
}
