//! A first guess of a gradient's axis, in closed form: from the polynomial of second degree, in each channel, that is nearest to the
//! pixels. The colors change most along the axis of a linear gradient; around a radial one, they change toward its center everywhere.

use super::equations::{RIGHT, ROW, eliminate};
use super::samples::{Sample, middle};
use crate::geometry::{Axis, Point};

/// The terms of a polynomial of second degree in two variables.
const TERMS: usize = 6;

/// A guessed center that is as far away as the pixels are on average costs so small a part of what one among them does. It keeps the center
/// of a linear gradient finite.
///
/// Unit: count (parts). Source: a center ten times as far away as the pixels reach costs a tenth of all.
const FAR_CENTER_PART: u16 = 1000;

/// Guesses a linear and a radial axis.
#[inline(never)]
pub(super) fn guess(samples: &[Sample]) -> [Axis; 2] {
    let (origin, weight) = middle(samples);
    let square: f32 = samples.iter().map(|s| s.weight * (s.at - origin).dot(s.at - origin)).sum();
    let size = (square / weight).sqrt().max(0.5);
    let point = |sample: &Sample| (sample.at - origin) * (1.0 / size);
    let mut rows = [[0.0; ROW]; TERMS];
    for sample in samples {
        let Point { x, y } = point(sample);
        let terms = [1.0, x, y, x * x, x * y, y * y];
        for (row, by) in rows.iter_mut().zip(terms) {
            let by = by * sample.weight;
            row.iter_mut().zip(terms).for_each(|(value, term)| *value += f64::from(by * term));
            row[RIGHT..].iter_mut().zip(sample.color).for_each(|(value, c)| *value += f64::from(by * c));
        }
    }
    eliminate(&mut rows, 0.0);
    let polynomials: [[f32; TERMS]; ROW - RIGHT] =
        std::array::from_fn(|c| std::array::from_fn(|k| rows[k][RIGHT + c] as f32));
    // The products of the slopes of the channels in x and y, over all pixels; and what they say of the center.
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    let mut toward = Point::default();
    for sample in samples {
        let at = point(sample);
        for of in &polynomials {
            let slope = Point::new(
                of[1] + 2.0 * of[3] * at.x + of[4] * at.y,
                of[2] + of[4] * at.x + 2.0 * of[5] * at.y,
            );
            let weighted = slope * sample.weight;
            xx += weighted.x * slope.x;
            xy += weighted.x * slope.y;
            yy += weighted.y * slope.y;
            toward = toward + Point::new(weighted.y, -weighted.x) * at.cross(slope);
        }
    }
    // The direction of the larger eigenvalue.
    let half = 0.5 * (xx - yy);
    let root = (half * half + xy * xy).sqrt();
    let direction = if half > 0.0 { Point::new(half + root, xy) } else { Point::new(xy, root - half) };
    let direction = direction * (1.0 / root.max(f32::MIN_POSITIVE));
    let direction = if direction.length() > 0.0 { direction.unit() } else { Point::new(1.0, 0.0) };
    let slack = (xx + yy) / f32::from(FAR_CENTER_PART) + f32::MIN_POSITIVE;
    let (a, b) = (Point::new(yy + slack, -xy), Point::new(-xy, xx + slack));
    let center = Point::new(toward.cross(b), a.cross(toward)) * (size / a.cross(b));
    [
        Axis { origin, rows: [direction, Point::default()], is_radial: false, lean: Point::default() },
        Axis { origin: origin + center, rows: Axis::CIRCLE, is_radial: true, lean: Point::default() },
    ]
}
