//! The straight bar that a patch may be: a short stroke, a piece of a line, or a small shape of which pixels show no more.

use crate::geometry::{Curve, Point};

/// The moments of a patch's coverage.
#[derive(Default)]
pub(crate) struct Bar {
    /// In pixels.
    area: f32,
    first: Point,
    /// Of x², xy and y².
    second: [f32; 3],
}

impl Bar {
    /// Adds a pixel, of which the patch covers a share.
    pub fn add(&mut self, (column, row): (usize, usize), share: f32) {
        let center = Point::new(column as f32 + 0.5, row as f32 + 0.5);
        let products = [center.x * center.x, center.x * center.y, center.y * center.y];
        self.area += share;
        self.first = self.first + center * share;
        for (sum, product) in self.second.iter_mut().zip(products) {
            *sum += product * share;
        }
    }

    /// The rectangle with the middle, direction, length and area of what was added, counterclockwise on the screen as outer curves are; `None`
    /// if that is nothing.
    pub fn curve(&self) -> Option<Curve> {
        if self.area <= 0.0 {
            return None;
        }
        let middle = self.first * (1.0 / self.area);
        let [xx, xy, yy] = self.second.map(|sum| sum / self.area);
        let (xx, xy, yy) = (xx - middle.x * middle.x, xy - middle.x * middle.y, yy - middle.y * middle.y);
        let (half, difference) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let radius = (difference * difference + xy * xy).sqrt();
        // The direction of the larger variance, by the longer of two expressions for it.
        let along = if difference > 0.0 {
            Point::new(difference + radius, xy)
        } else {
            Point::new(xy, radius - difference)
        };
        let along = if radius > 0.0 { along * (1.0 / along.length()) } else { Point::new(1.0, 0.0) };
        // A bar of length l has the variance l²/12 along it, and a pixel 1/12.
        let length = (12.0 * (half + radius) + 1.0).sqrt();
        let across = Point::new(-along.y, along.x) * (0.5 * self.area / length);
        let along = along * (0.5 * length);
        let corners = [
            middle - along - across,
            middle - along + across,
            middle + along + across,
            middle + along - across,
        ];
        Some(Curve::polyline(&corners, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bar of a row of pixels that are covered by these shares.
    fn bar(shares: &[f32]) -> Vec<Point> {
        let mut bar = Bar::default();
        shares.iter().enumerate().for_each(|(column, &share)| bar.add((column, 7), share));
        let curve = bar.curve().unwrap();
        std::iter::once(curve.start).chain(curve.segments.iter().map(|segment| segment.end)).collect()
    }

    #[test]
    fn a_row_of_pixels_is_a_bar_of_its_length_and_area() {
        let corners = bar(&[0.5; 20]);
        for (corner, (x, y)) in corners.iter().zip([(0.0, 7.25), (0.0, 7.75), (20.0, 7.75), (20.0, 7.25)]) {
            assert!((corner.x - x).abs() < 1e-3 && (corner.y - y).abs() < 1e-3, "{corner:?}");
        }
    }

    #[test]
    fn a_slanted_bar_keeps_its_direction() {
        let mut bar = Bar::default();
        (0..30).for_each(|k| bar.add((2 * k, k), 1.0));
        let curve = bar.curve().unwrap();
        let along = curve.segments[1].end - curve.segments[0].end;
        assert!((along.y / along.x - 0.5).abs() < 1e-3, "{along:?}");
    }

    #[test]
    fn a_pixel_is_a_bar_and_nothing_is_none() {
        let corners = bar(&[1.0]);
        assert!((corners[0] - Point::new(0.0, 7.0)).length() < 1e-3, "{:?}", corners[0]);
        assert!(Bar::default().curve().is_none());
    }
}
