//! Measures how wide the edges of a picture are.
//!
//! Where a row or column crosses a straight edge between two flat colors, the share p of the second color goes from 0 to 1. The sum of
//! p (1 − p) over the pixels is σ / √π if the edge was blurred by a normal distribution of deviation σ, wherever the edge lies between the
//! pixels. In a blurred picture no edge is sharper than the blur, and all are about as wide; in a photograph, widths differ.

use super::profile::{Line, sampled_lines};
use crate::algorithms::kth_smallest;
use crate::raster::Pixels;

/// How many edges there must be.
///
/// Unit: count. Source: fewer are chance; small drawings that are blurred have 13 and more.
const FEWEST_EDGES: usize = 8;

/// One of how many edges is sharp, at most.
///
/// Unit: count. Source: a few are measured wrong, where another edge is near.
const EDGES_PER_SHARP: usize = 10;

/// How many edges are sharp, at least, before no more are looked at.
///
/// Unit: count. Source: many enough that they are no chance.
const MOST_SHARP: usize = 32;

/// Blurs of less than this are none.
///
/// Unit: percent of a pixel, as the deviation. Source: a single mixed pixel makes an edge √π / 4, or 44 %, wide at most.
const LEAST_PERCENT: u8 = 50;

/// One of how many changes of color is an edge between two flat colors, at least.
///
/// Unit: count. Source: of 20 photographs with edges about as wide as each other, the nearest has one of 74; drawings have one of 2 to 40.
const CHANGES_PER_CLOSED_EDGE: usize = 64;

/// One of how many changes of color is an edge beside a flat color, at least, where few are between two: in small icons and thin lines.
///
/// Unit: count. Source: of the same photographs, the nearest has one of 22; icons have one of 2 to 20.
const CHANGES_PER_EDGE: usize = 20;

/// How wide edges are, where they are wider than a pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeWidth {
    /// The standard deviation of the blur, in pixels.
    pub deviation_px: f32,
}

impl EdgeWidth {
    /// `None` if edges are sharp, or not all about as wide.
    pub fn of(pixels: &Pixels) -> Option<Self> {
        let mut found = Crossings::default();
        for line in sampled_lines(pixels) {
            found.add(&line)?;
        }
        let Crossings { changes, closed, open: mut all, sharp } = found;
        if sharp * EDGES_PER_SHARP > all.len() + closed.len() {
            return None;
        }
        all.extend(&closed);
        let deviation = |widths: &[f32], changes_per_edge| {
            if widths.len() < FEWEST_EDGES.max(changes / changes_per_edge) {
                return None;
            }
            let [narrow, half] = [10, 2].map(|share| kth_smallest(widths, widths.len() / share));
            // In variance, half of all edges are up to twice as wide as the narrowest. All are wider than a mixed pixel makes them.
            (half * half <= 2.0 * narrow * narrow && 100.0 * half > f32::from(LEAST_PERCENT)).then_some(half)
        };
        let deviation_px =
            deviation(&closed, CHANGES_PER_CLOSED_EDGE).or_else(|| deviation(&all, CHANGES_PER_EDGE))?;
        Some(EdgeWidth { deviation_px })
    }
}

/// Where lines cross changes of color.
#[derive(Default)]
struct Crossings {
    changes: usize,
    /// The widths of edges between flat colors.
    closed: Vec<f32>,
    /// The widths of edges that have a flat color on one side only.
    open: Vec<f32>,
    sharp: usize,
}

impl Crossings {
    /// `None` as soon as it is known that edges are sharp.
    fn add(&mut self, line: &Line) -> Option<()> {
        let mut from = 0;
        while let Some(i) = line.next_change(from) {
            self.changes += 1;
            if let Some(edge) = line.edge(i) {
                self.sharp += usize::from(edge.is_sharp());
                if edge.is_open { self.open.push(edge.width) } else { self.closed.push(edge.width) }
            }
            from = i + 1;
        }
        let all = self.closed.len() + self.open.len();
        (self.sharp < MOST_SHARP || self.sharp * EDGES_PER_SHARP < all).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Disks, seen through a normal distribution.
    fn blurred_disks(deviation: f64) -> Vec<[u8; 4]> {
        let value = |i: usize| {
            let (x, y) = ((i % 96) as f64 % 48.0 - 23.3, (i / 96) as f64 % 48.0 - 24.1);
            let depth = (14.0 - (x * x + y * y).sqrt()) / deviation;
            // A logistic curve is near the normal distribution.
            (40.0 + 180.0 / (1.0 + (-1.702 * depth).exp())) as u8
        };
        (0..96 * 96).map(|i| [value(i), 90, 200, 255]).collect()
    }

    fn width_of(data: &mut [[u8; 4]]) -> Option<f32> {
        EdgeWidth::of(&Pixels { width: 96, height: data.len() / 96, data }).map(|edges| edges.deviation_px)
    }

    #[test]
    fn the_blur_is_measured() {
        for deviation in [0.6, 0.8, 1.0, 1.7, 2.5] {
            let width = width_of(&mut blurred_disks(deviation)).expect("all edges are wide");
            assert!((width as f64 / deviation - 1.0).abs() < 0.1, "{width} of {deviation}");
        }
    }

    #[test]
    fn sharp_edges_and_soft_ones_among_sharp_ones_are_not_blurred() {
        assert_eq!(width_of(&mut blurred_disks(0.2)), None);
        let (mut soft, sharp) = (blurred_disks(1.5), blurred_disks(0.2));
        soft[..96 * 48].copy_from_slice(&sharp[..96 * 48]);
        assert_eq!(width_of(&mut soft), None);
        assert_eq!(width_of(&mut [[7, 7, 7, 255]; 96]), None);
    }
}
