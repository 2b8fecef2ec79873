//! Recognizes flat art, clean ramps and noise by how colors change from pixel to pixel where there is no edge.

use crate::algorithms::{CHUNK, differing_bits, set_bits};
use crate::raster::Pixels;

/// About how many rows are read.
///
/// Unit: count. Source: tuned; no derivation is known.
const SURFACE_ROWS: usize = 16;

/// Largest difference of neighbors on a ramp, per channel; above it, there is an edge.
///
/// Unit: levels of one channel (0–255). Source: tuned; no derivation is known.
const LARGEST_SMOOTH_STEP: u8 = 6;

/// Largest difference of two consecutive steps on a clean ramp, per channel.
///
/// Unit: levels of one channel (0–255). Source: on a straight ramp, three values rounded by half a
/// level change the difference of their steps by 2 at most.
const SURFACE_ROUNDING: i16 = 2;

/// Least number of smooth steps per rough one on clean ramps. With fewer, the steps are compression or grain.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const SMOOTH_PER_ROUGH: usize = 8;

/// Most pixels per step that is no edge, on ramps. With fewer steps, two similar paints touch by chance, and the art is flat.
///
/// Unit: share (ratio). Source: tuned; no derivation is known.
const MOST_PIXELS_PER_SMOOTH: usize = 50;

/// How colors change where there is no edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surface {
    /// They hardly change.
    Flat,
    /// On ramps without noise, as a program draws them. They may be cut into narrow bands, because the boundaries between bands are few and
    /// smooth.
    Ramps,
    /// By noise, from a camera or from compression.
    Noisy,
}

/// Classifies the surfaces of an image by about 16 rows.
pub(crate) fn surface(pixels: &Pixels) -> Surface {
    let (mut smooth, mut rough, mut all) = (0, 0, 0);
    let rows = pixels.data.chunks_exact(pixels.width).step_by(pixels.height.div_ceil(SURFACE_ROWS));
    for row in rows {
        all += row.len();
        for_each_change(row, |three| match slope(three) {
            RowSlope::Edge => {}
            RowSlope::Smooth => smooth += 1,
            RowSlope::Rough => rough += 1,
        });
    }
    match (smooth + rough) * MOST_PIXELS_PER_SMOOTH < all {
        true => Surface::Flat,
        false if rough * SMOOTH_PER_ROUGH < smooth => Surface::Ramps,
        false => Surface::Noisy,
    }
}

/// Visits every three consecutive pixels that are not all equal.
fn for_each_change(row: &[[u8; 4]], mut visit: impl FnMut(&[[u8; 4]])) {
    let mut before = 0;
    for first in (0..row.len()).step_by(CHUNK) {
        let after = differing_bits(&row[first..], &row[first + 1..]);
        let changes = after | after << 1 | before;
        before = after >> (CHUNK - 1);
        for here in set_bits(changes.into()).take_while(|&k| k < CHUNK).map(|k| first + k) {
            row.get(here.wrapping_sub(1)..here + 2).into_iter().for_each(&mut visit);
        }
    }
}

/// What three consecutive pixels of a row show.
enum RowSlope {
    /// An edge.
    Edge,
    /// Two steps that are equal but for rounding.
    Smooth,
    /// Two steps that differ.
    Rough,
}

fn slope(three: &[[u8; 4]]) -> RowSlope {
    let [before, here, after] = [three[0], three[1], three[2]];
    let is_near = |c: usize| {
        here[c].abs_diff(before[c]) <= LARGEST_SMOOTH_STEP
            && here[c].abs_diff(after[c]) <= LARGEST_SMOOTH_STEP
    };
    let goes_on = |c: usize| {
        let [before, here, after] = [before, here, after].map(|value| i16::from(value[c]));
        (before + after - 2 * here).abs() <= SURFACE_ROUNDING
    };
    match ((0..4).all(is_near), (0..4).all(goes_on)) {
        (false, _) => RowSlope::Edge,
        (true, true) => RowSlope::Smooth,
        (true, false) => RowSlope::Rough,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(color: impl Fn(usize, usize) -> u8) -> Pixels<'static> {
        let (width, height) = (96, 64);
        let data: Vec<_> = (0..width * height).map(|i| [color(i % width, i / width), 90, 40, 255]).collect();
        Pixels { width, height, data: data.leak() }
    }

    #[test]
    fn ramps_are_told_from_flat_art() {
        assert_eq!(surface(&picture(|x, y| (50.3 + 1.37 * x as f32 + 0.6 * y as f32) as u8)), Surface::Ramps);
        let squares = |x: usize, y: usize| if (x / 20 + y / 20).is_multiple_of(2) { 50 } else { 60 };
        assert_eq!(surface(&picture(squares)), Surface::Flat);
    }

    #[test]
    fn noise_over_a_ramp_is_told_from_rounding() {
        let noise = |x: usize, y: usize| ((x * x * 31 + y * y * 17 + x * y * 7) % 5) as u8;
        assert_eq!(surface(&picture(|x, y| 50 + x as u8 + noise(x, y))), Surface::Noisy);
    }
}
