use crate::algorithms::ones;
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::color::{Channels, distance_sq};
use crate::raster::{Components, Cracks, Labels, Pixels, SideBits, WORD, side_neighbors};

/// A pixel and its neighbor are on a ramp where they differ by less than this part of the difference between their regions.
pub(crate) const RAMP_STEP: f32 = 0.35;

/// What company is worth: all eight pixels around being of a region counts like so much of the way to its color.
const COMPANY_WORTH: f32 = 0.1;

/// What looking at a pixel takes, in the units of [`ProgressMeter`].
const SETTLE_UNITS: usize = 4;

/// Pixels are looked at so often at most, on average: every change brings a pixel nearer to its color, so this is a bound
/// for what was made to be slow.
const MOST_SETTLE_VISITS: usize = 16;

/// What moving boundaries has left.
pub(crate) struct SettledBoundaries {
    /// Which region each of the parts that hang together is of.
    pub origins: Vec<u32>,
    /// Which regions gained or lost pixels.
    pub has_moved: Vec<bool>,
}

/// Moves the boundaries between bands of a ramp to where the picture is half way between their colors. Joining neighbors,
/// the smallest difference first, leaves them ragged, and wherever the joining happened to stop.
///
/// Pixels beside a boundary go over to the neighboring region whose color, of `colors` by label, is nearer to theirs, wave by
/// wave (Besag's iterated conditional modes), with a little weight on what the pixels around are. What comes apart gets labels of its
/// own. None where nothing moves.
pub(crate) fn settle(
    pixels: &Pixels,
    labels: &mut Labels,
    cracks: &mut Cracks,
    colors: &[Channels],
    meter: &mut ProgressMeter<'_>,
) -> Result<Option<SettledBoundaries>, Stopped> {
    let mut wave = beside_boundaries(pixels, &labels.ids, cracks, colors, meter)?;
    if wave.is_empty() {
        return Ok(None);
    }
    let waits = vec![0; labels.ids.len().div_ceil(WORD)];
    let has_moved = vec![false; labels.count];
    let mut ground =
        BoundarySettler { pixels, colors, ids: &mut labels.ids, cracks: &mut *cracks, waits, has_moved };
    let mut looks_left = MOST_SETTLE_VISITS * pixels.data.len();
    while !wave.is_empty() && looks_left >= wave.len() {
        looks_left -= wave.len();
        let mut next = Vec::new();
        for part in wave.chunks(PIXELS_PER_ADVANCE) {
            meter.advance(SETTLE_UNITS * part.len())?;
            part.iter().for_each(|&place| ground.visit(place, &mut next));
        }
        wave = next;
    }
    let has_moved = ground.has_moved;
    if !has_moved.contains(&true) {
        return Ok(None);
    }
    let components = Components::find(cracks, meter)?;
    let mut origins = vec![0; components.count()];
    components.for_each_run(cracks, |run, component| origins[component as usize] = labels.ids[run.start]);
    *labels = components.labels(cracks, std::mem::take(&mut labels.ids));
    Ok(Some(SettledBoundaries { origins, has_moved }))
}

/// A pixel's place.
#[derive(Clone, Copy)]
struct PixelPos {
    x: u16,
    y: u16,
}

/// The pixels at boundaries that cut a ramp, some more than once; most drawn art has none.
fn beside_boundaries(
    pixels: &Pixels,
    ids: &[u32],
    cracks: &Cracks,
    colors: &[Channels],
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<PixelPos>, Stopped> {
    let width = pixels.width;
    let mut found = Vec::new();
    for y in 0..pixels.height {
        meter.advance(width)?;
        let cuts_ramp = |i: usize, j: usize| {
            is_on_ramp(pixels, i, j, distance_sq(colors[ids[i] as usize], colors[ids[j] as usize]))
        };
        cracks.for_each_word(y..y + 1, |first, SideBits { right, below }| {
            // First told by bits, without branches: which sides cut a ramp cannot be foretold, where any do.
            let of_ramps = |sides: u64, step: usize| {
                let places = ones(sides).map(|k| (k, first + k));
                places.fold(0, |bits, (k, i)| bits | u64::from(cuts_ramp(i, i + step)) << k)
            };
            let (right, below) = (of_ramps(right, 1), of_ramps(below, width));
            for k in ones(right | below) {
                let place = PixelPos { x: (first + k - y * width) as u16, y: y as u16 };
                if right >> k & 1 == 1 {
                    found.extend([place, PixelPos { x: place.x + 1, ..place }]);
                }
                if below >> k & 1 == 1 {
                    found.extend([place, PixelPos { y: place.y + 1, ..place }]);
                }
            }
        });
    }
    Ok(found)
}

/// Whether two neighbors differ by little against what parts their regions.
fn is_on_ramp(pixels: &Pixels, i: usize, j: usize, contrast_sq: f32) -> bool {
    distance_sq(pixels.channels(i), pixels.channels(j)) < RAMP_STEP * RAMP_STEP * contrast_sq
}

/// Where boundaries move.
struct BoundarySettler<'a> {
    pixels: &'a Pixels<'a>,
    colors: &'a [Channels],
    /// The region of each pixel.
    ids: &'a mut [u32],
    cracks: &'a mut Cracks,
    /// A bit a pixel: whether it is to be visited already.
    waits: Vec<u64>,
    has_moved: Vec<bool>,
}

impl BoundarySettler<'_> {
    /// Gives a pixel to the region that it had better be of; then its neighbors outside that are to be visited.
    fn visit(&mut self, place: PixelPos, next: &mut Vec<PixelPos>) {
        let i = self.pixel(place);
        self.waits[i / WORD] &= !(1 << (i % WORD));
        let sides = side_neighbors(i, (self.pixels.width, self.pixels.height));
        let Some(region) = self.better_region(place, i, &sides) else { return };
        self.has_moved[self.ids[i] as usize] = true;
        self.has_moved[region as usize] = true;
        self.ids[i] = region;
        let PixelPos { x, y } = place;
        let parts = sides.map(|j| self.ids[j] != region);
        self.cracks.set(usize::from(x), usize::from(y), parts);
        // What lies beyond the picture's border parts nothing.
        let (left, right) = (x.wrapping_sub(1), x.wrapping_add(1));
        let (above, below) = (y.wrapping_sub(1), y.wrapping_add(1));
        let places = [(left, y), (right, y), (x, above), (x, below)].map(|(x, y)| PixelPos { x, y });
        let mut called = 0;
        for (k, (side, parts)) in sides.into_iter().zip(parts).enumerate() {
            let (wait, bit) = (&mut self.waits[side / WORD], side % WORD);
            let is_called = parts & (*wait >> bit & 1 == 0);
            *wait |= u64::from(is_called) << bit;
            called |= u64::from(is_called) << k;
        }
        ones(called).for_each(|k| next.push(places[k]));
    }

    /// The index of a place's pixel.
    fn pixel(&self, place: PixelPos) -> usize {
        usize::from(place.y) * self.pixels.width + usize::from(place.x)
    }

    /// The neighboring region to whose color a pixel is nearer than to its own region's, if it is on a ramp there.
    fn better_region(&self, place: PixelPos, i: usize, sides: &[usize; 4]) -> Option<u32> {
        let own = self.ids[i];
        let value = self.pixels.channels(i);
        let from = self.colors[own as usize];
        let own_sq = distance_sq(value, from);
        let (mut best, mut most) = (None, 0.0);
        // What was found of the region that was met last: two sides are the same one's often.
        let (mut met, mut gain, mut contrast_sq) = (own, 0.0, 0.0);
        let others = sides.map(|j| self.ids[j]);
        // Which of them are other ones cannot be foretold.
        let differing = (0..others.len()).fold(0, |bits, k| bits | u64::from(others[k] != own) << k);
        for (j, other) in ones(differing).map(|k| (sides[k], others[k])) {
            if other != met {
                let to = self.colors[other as usize];
                (met, contrast_sq) = (other, distance_sq(from, to));
                gain = own_sq - distance_sq(value, to);
                if gain.abs() < COMPANY_WORTH * contrast_sq {
                    gain += COMPANY_WORTH / 8.0 * contrast_sq * self.majority(place, other, own) as f32;
                }
            }
            if gain > most && is_on_ramp(self.pixels, i, j, contrast_sq) {
                (best, most) = (Some(other), gain);
            }
        }
        best
    }

    /// How many more of the eight pixels around are of one region than of another.
    fn majority(&self, PixelPos { x, y }: PixelPos, one: u32, other: u32) -> i32 {
        let Pixels { width, height, .. } = *self.pixels;
        let [x, y] = [x, y].map(usize::from);
        let votes =
            |ids: &[u32]| ids.iter().map(|&id| i32::from(id == one) - i32::from(id == other)).sum::<i32>();
        let columns = x.saturating_sub(1)..width.min(x + 2);
        let rows = (y.saturating_sub(1)..height.min(y + 2)).map(|y| &self.ids[y * width..][columns.clone()]);
        // Three in a row mostly, a number that is known before. The pixel itself votes for the other.
        1 + rows.map(|row| row.as_array::<3>().map_or_else(|| votes(row), |row| votes(row))).sum::<i32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of grey levels.
    fn grey(rows: &[&[u8]]) -> Pixels<'static> {
        let data: Vec<_> = rows.concat().into_iter().map(|v| [v, v, v, 255]).collect();
        Pixels { width: rows[0].len(), height: rows.len(), data: data.leak() }
    }

    /// The new labels, and of which region each is.
    fn settled(pixels: &Pixels, ids: &[u32], levels: &[f32]) -> Option<(Vec<u32>, Vec<u32>)> {
        let colors: Vec<Channels> = levels.iter().map(|&v| [v, v, v, 255.0]).collect();
        let mut labels = Labels { ids: ids.to_vec(), count: levels.len() };
        let meter = &mut ProgressMeter::idle();
        let mut cracks = Cracks::find(ids, pixels.width, meter).unwrap();
        let settled = settle(pixels, &mut labels, &mut cracks, &colors, meter).unwrap();
        settled.map(|settled| (labels.ids, settled.origins))
    }

    const RAMP: &[u8] = &[0, 4, 8, 12, 16, 20, 24, 28, 32, 36];

    #[test]
    fn a_ragged_boundary_on_a_ramp_moves_to_the_middle() {
        let pixels = grey(&[RAMP, RAMP, RAMP]);
        let ragged =
            [[0, 0, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]];
        let (ids, origins) = settled(&pixels, ragged.as_flattened(), &[8.0, 28.0]).unwrap();
        assert_eq!(ids, [[0, 0, 0, 0, 0, 1, 1, 1, 1, 1]; 3].concat());
        assert_eq!(origins, [0, 1]);
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
        let (ids, origins) = settled(&pixels, &ids, &[0.0, 10.0]).unwrap();
        assert_eq!(ids, [0, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(origins, [0, 1, 0]);
    }
}
