//! A first guess of a gradient's axis, in closed form: from the polynomial of second degree, in each channel, that is nearest to the
//! pixels. The colors change most along the axis of a linear gradient; around a radial one, they change toward its center everywhere.

use super::axis::Axis;
use super::fit::solve;
use super::samples::Sample;
use crate::geometry::Point;

/// The terms of a polynomial of second degree in two variables.
const TERMS: usize = 6;

/// A guessed center that is as far away as the pixels are on average costs so small a part of what one among them does. It keeps the center
/// of a linear gradient finite.
///
/// Unit: count (parts). Source: a center ten times as far away as the pixels reach costs a tenth of all.
const FAR_CENTER_PART: u16 = 1000;

/// Guesses a linear and a radial axis. The pixels lie around the origin.
#[inline(never)]
pub(super) fn guess(samples: &[Sample]) -> Option<[Axis; 2]> {
    let square = samples.iter().map(|sample| sample.weight * sample.at.dot(sample.at)).sum::<f32>();
    let weight = samples.iter().map(|sample| sample.weight).sum::<f32>();
    let size = f64::from((square / weight).sqrt());
    // Not a number if nothing weighs.
    if size.is_nan() || size <= 0.0 {
        return None;
    }
    let point = |sample: &Sample| [sample.at.x, sample.at.y].map(|at| f64::from(at) / size);
    // The polynomial of each channel: the terms are the same for all.
    let mut polynomials = Vec::with_capacity(4);
    for channel in 0..4 {
        let mut rows = vec![vec![0f64; TERMS + 1]; TERMS];
        for sample in samples {
            let ([x, y], weight) = (point(sample), f64::from(sample.weight));
            let terms = [1.0, x, y, x * x, x * y, y * y, f64::from(sample.color[channel])];
            for (row, by) in rows.iter_mut().zip(terms) {
                row.iter_mut().zip(terms).for_each(|(value, term)| *value += weight * by * term);
            }
        }
        polynomials.push(solve(&mut rows)?);
    }
    // The products of the slopes of the channels in x and y, over all pixels; and what they say of the center.
    let (mut along, mut toward) = ([0f64; 3], [0f64; 2]);
    for sample in samples {
        let ([x, y], weight) = (point(sample), f64::from(sample.weight));
        for of in &polynomials {
            let slope = [of[1] + 2.0 * of[3] * x + of[4] * y, of[2] + of[4] * x + 2.0 * of[5] * y];
            along[0] += weight * slope[0] * slope[0];
            along[1] += weight * slope[0] * slope[1];
            along[2] += weight * slope[1] * slope[1];
            let off = slope[1] * x - slope[0] * y;
            toward[0] += weight * off * slope[1];
            toward[1] -= weight * off * slope[0];
        }
    }
    let [xx, xy, yy] = along;
    // The direction of the larger eigenvalue.
    let half = 0.5 * (xx - yy);
    let root = (half * half + xy * xy).sqrt();
    let direction = if half > 0.0 { [half + root, xy] } else { [xy, root - half] };
    let direction = Point::new(
        (direction[0] / (root + f64::MIN_POSITIVE)) as f32,
        (direction[1] / (root + f64::MIN_POSITIVE)) as f32,
    );
    let direction = if direction.length() > 0.0 { direction.unit() } else { Point::new(1.0, 0.0) };
    let slack = (xx + yy) / f64::from(FAR_CENTER_PART) + f64::MIN_POSITIVE;
    let (a, b, c) = (yy + slack, -xy, xx + slack);
    let determinant = a * c - b * b;
    let center =
        [(toward[0] * c - toward[1] * b) / determinant, (toward[1] * a - toward[0] * b) / determinant];
    let center = Point::new((center[0] * size) as f32, (center[1] * size) as f32);
    Some([Axis::Linear(direction), Axis::Radial { center, bend: Point::default() }])
}
