use crate::pixels::{Channels, Pixels, distance_sq};
use crate::runs::{changing, run_end};
use crate::segment::{Labels, connected};
use crate::watch::{Stopped, Watch};

/// A pixel and its neighbor are on a ramp where they differ by less than this part of the difference between their regions.
pub(crate) const RAMP_STEP: f32 = 0.35;

/// What company is worth: all eight pixels around being of a region counts like so much of the way to its color.
const COMPANY: f32 = 0.1;

/// What looking at a pixel takes, in the units of [`Watch`]; so many are looked at before it is asked.
const LOOK_UNITS: usize = 4;
const PIXELS_PER_LOOK: usize = 4096;

/// Pixels are looked at so often at most, on average: every change brings a pixel nearer to its color, so this is a bound
/// for what was made to be slow.
const MOST_LOOKS: usize = 16;

/// Regions after their boundaries have moved.
pub(crate) struct Settled {
    pub labels: Labels,
    /// Which of them are the largest part of what was one region; the rest are fragments.
    pub is_main: Vec<bool>,
}

/// Moves the boundaries between bands of a ramp to where the picture is half way between their colors. Joining neighbors,
/// the smallest difference first, leaves them ragged, and wherever the joining happened to stop.
///
/// Pixels beside a boundary go over to the neighboring region whose color, of `colors` by label, is nearer to theirs, wave by
/// wave (Besag's iterated conditional modes), with a little weight on what the pixels around are. None where nothing moves.
pub(crate) fn settle(
    pixels: &Pixels,
    labels: &mut Labels,
    colors: &[Channels],
    watch: &mut Watch<'_>,
) -> Result<Option<Settled>, Stopped> {
    let mut wave = beside_boundaries(pixels, &labels.ids, colors);
    if wave.is_empty() {
        return Ok(None);
    }
    let mut ground = Ground::new(pixels, colors, labels);
    let mut looks_left = MOST_LOOKS * pixels.data.len();
    while !wave.is_empty() && looks_left >= wave.len() {
        looks_left -= wave.len();
        let mut next = Vec::new();
        for part in wave.chunks(PIXELS_PER_LOOK) {
            watch.advance(LOOK_UNITS * part.len())?;
            part.iter().for_each(|&place| ground.visit(place, &mut next));
        }
        wave = next;
    }
    if !ground.has_moved {
        return Ok(None);
    }
    for (row, ids) in
        ground.ids.chunks_exact(ground.stride).skip(1).zip(labels.ids.chunks_exact_mut(pixels.width))
    {
        ids.copy_from_slice(&row[1..=pixels.width]);
    }
    drop(ground);
    Ok(Some(Settled::new(&labels.ids, labels.count, pixels.width)))
}

impl Settled {
    /// `before`: as many regions there were. What has come apart gets labels of its own.
    fn new(ids: &[u32], before: usize, width: usize) -> Self {
        let labels = connected(ids, width);
        let (mut areas, mut origins) = (vec![0; labels.count], vec![0; labels.count]);
        let mut start = 0;
        while start < ids.len() {
            let end = run_end(&labels.ids, start);
            let label = labels.ids[start] as usize;
            areas[label] += end - start;
            origins[label] = ids[start] as usize;
            start = end;
        }
        let mut largest = vec![(0, 0); before];
        for (label, (&area, &origin)) in areas.iter().zip(&origins).enumerate() {
            if area > largest[origin].0 {
                largest[origin] = (area, label);
            }
        }
        let is_main = origins.iter().enumerate().map(|(label, &origin)| largest[origin].1 == label).collect();
        Settled { labels, is_main }
    }
}

/// A pixel's place.
#[derive(Clone, Copy)]
struct Place {
    x: u16,
    y: u16,
}

/// The pixels at boundaries that cut a ramp, some more than once; most drawn art has none.
fn beside_boundaries(pixels: &Pixels, ids: &[u32], colors: &[Channels]) -> Vec<Place> {
    let width = pixels.width;
    let mut found = Vec::new();
    let place = |i: usize| Place { x: (i % width) as u16, y: (i / width) as u16 };
    let mut meet = |i: usize, j: usize| {
        if ids[i] != ids[j] {
            let contrast_sq = distance_sq(colors[ids[i] as usize], colors[ids[j] as usize]);
            if is_on_ramp(pixels, i, j, contrast_sq) {
                found.extend([place(i), place(j)]);
            }
        }
    };
    for first in (0..ids.len()).step_by(width) {
        let row = &ids[first..first + width];
        let below = ids.get(first + width..first + 2 * width).unwrap_or(row);
        for x in changing(row, below).flatten() {
            let i = first + x;
            meet(i, first + (x + 1).min(width - 1));
            meet(i, if i + width < ids.len() { i + width } else { i });
        }
    }
    found
}

/// Whether two neighbors differ by little against what parts their regions.
fn is_on_ramp(pixels: &Pixels, i: usize, j: usize, contrast_sq: f32) -> bool {
    distance_sq(pixels.channels(i), pixels.channels(j)) < RAMP_STEP * RAMP_STEP * contrast_sq
}

/// Where boundaries move.
struct Ground<'a> {
    pixels: &'a Pixels,
    colors: &'a [Channels],
    /// The region of each pixel, with one of `NONE` all around.
    ids: Vec<u32>,
    stride: usize,
    /// Whether a pixel is to be visited already, as `ids`.
    waits: Vec<bool>,
    has_moved: bool,
}

const NONE: u32 = u32::MAX;

impl<'a> Ground<'a> {
    fn new(pixels: &'a Pixels, colors: &'a [Channels], labels: &Labels) -> Self {
        let stride = pixels.width + 2;
        let mut ids = Vec::with_capacity(stride * (pixels.height + 2));
        ids.resize(stride, NONE);
        for row in labels.ids.chunks_exact(pixels.width) {
            ids.push(NONE);
            ids.extend_from_slice(row);
            ids.push(NONE);
        }
        ids.resize(stride * (pixels.height + 2), NONE);
        let waits = vec![false; ids.len()];
        Ground { pixels, colors, ids, stride, waits, has_moved: false }
    }

    fn index(&self, place: Place) -> usize {
        (usize::from(place.y) + 1) * self.stride + usize::from(place.x) + 1
    }

    /// Gives a pixel to the region that it had better be of; then its neighbors outside that are to be visited.
    fn visit(&mut self, place: Place, next: &mut Vec<Place>) {
        let i = self.index(place);
        self.waits[i] = false;
        let Some(region) = self.better_region(place, i) else { return };
        self.ids[i] = region;
        self.has_moved = true;
        for (side, j) in self.sides(place, i) {
            if self.ids[j] != region && self.ids[j] != NONE && !self.waits[j] {
                self.waits[j] = true;
                next.push(side);
            }
        }
    }

    /// The places on the left, right, above and below, and their indices; beyond the border there is `NONE` at these.
    fn sides(&self, Place { x, y }: Place, i: usize) -> [(Place, usize); 4] {
        [
            (Place { x: x.wrapping_sub(1), y }, i - 1),
            (Place { x: x.wrapping_add(1), y }, i + 1),
            (Place { x, y: y.wrapping_sub(1) }, i - self.stride),
            (Place { x, y: y.wrapping_add(1) }, i + self.stride),
        ]
    }

    /// The index of a place's pixel.
    fn pixel(&self, place: Place) -> usize {
        usize::from(place.y) * self.pixels.width + usize::from(place.x)
    }

    /// The neighboring region to whose color a pixel is nearer than to its own region's, if it is on a ramp there.
    fn better_region(&self, place: Place, i: usize) -> Option<u32> {
        let (own, pixel) = (self.ids[i], self.pixel(place));
        let value = self.pixels.channels(pixel);
        let from = self.colors[own as usize];
        let own_sq = distance_sq(value, from);
        let (mut best, mut most) = (None, 0.0);
        for (side, j) in self.sides(place, i) {
            let other = self.ids[j];
            if other == own || other == NONE {
                continue;
            }
            let to = self.colors[other as usize];
            let contrast_sq = distance_sq(from, to);
            let mut gain = own_sq - distance_sq(value, to);
            if gain.abs() < COMPANY * contrast_sq {
                gain += COMPANY / 8.0 * contrast_sq * self.majority(i, other, own) as f32;
            }
            if gain > most && is_on_ramp(self.pixels, pixel, self.pixel(side), contrast_sq) {
                (best, most) = (Some(other), gain);
            }
        }
        best
    }

    /// How many more of the eight pixels around are of one region than of another.
    fn majority(&self, i: usize, one: u32, other: u32) -> i32 {
        let rows = [i - self.stride, i, i + self.stride];
        let around = rows.iter().flat_map(|&middle| &self.ids[middle - 1..=middle + 1]);
        let votes: i32 = around.map(|&id| i32::from(id == one) - i32::from(id == other)).sum();
        // The pixel itself has voted for the other.
        votes + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of grey levels.
    fn grey(rows: &[&[u8]]) -> Pixels {
        let data = rows.concat().into_iter().map(|v| [v, v, v, 255]).collect();
        Pixels { width: rows[0].len(), height: rows.len(), data }
    }

    fn settled(pixels: &Pixels, ids: &[u32], levels: &[f32]) -> Option<(Vec<u32>, Vec<bool>)> {
        let colors: Vec<Channels> = levels.iter().map(|&v| [v, v, v, 255.0]).collect();
        let mut labels = Labels { ids: ids.to_vec(), count: levels.len() };
        let settled = settle(pixels, &mut labels, &colors, &mut Watch::idle()).unwrap();
        settled.map(|settled| (settled.labels.ids, settled.is_main))
    }

    const RAMP: &[u8] = &[0, 4, 8, 12, 16, 20, 24, 28, 32, 36];

    #[test]
    fn a_ragged_boundary_on_a_ramp_moves_to_the_middle() {
        let pixels = grey(&[RAMP, RAMP, RAMP]);
        let ragged =
            [[0, 0, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]];
        let (ids, is_main) = settled(&pixels, ragged.as_flattened(), &[8.0, 28.0]).unwrap();
        assert_eq!(ids, [[0, 0, 0, 0, 0, 1, 1, 1, 1, 1]; 3].concat());
        assert_eq!(is_main, [true, true]);
    }

    #[test]
    fn sharp_edges_stay() {
        // The fourth column is nearer to the left, across a step as large as what parts the two.
        let edge: &[u8] = &[0, 0, 0, 90, 200, 200];
        let ids = [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1];
        assert!(settled(&grey(&[edge, edge]), &ids, &[0.0, 200.0]).is_none());
    }

    #[test]
    fn what_comes_apart_gets_labels_of_its_own() {
        // The middle is the second region's color; it was one with the dark ends, of which the left is larger.
        let pixels = grey(&[&[0, 0, 3, 7, 10, 10, 7, 3, 0], &[10; 9]]);
        let ids = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        let (ids, is_main) = settled(&pixels, &ids, &[0.0, 10.0]).unwrap();
        assert_eq!(ids, [0, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(is_main, [true, true, false]);
    }
}
