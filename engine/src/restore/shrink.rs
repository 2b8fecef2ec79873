//! Returns an enlarged picture to the size that it was drawn at.

use wide::f32x4;

use super::possible_color::possible;
use crate::api::{ProgressMeter, Stopped};
use crate::color::PremultipliedColor;
use crate::formation::{Enlargement, Inverse, KernelTable, Resampling};
use crate::raster::Pixels;

/// The picture before it was enlarged, in the memory of the enlarged one: first all columns, then all rows.
#[inline(never)]
pub(super) fn shrink<'a>(
    pixels: Pixels<'a>,
    enlargement: &Enlargement,
    meter: &mut ProgressMeter<'_>,
) -> Result<Pixels<'a>, Stopped> {
    let (before, now) = (enlargement.size, (pixels.width, pixels.height));
    let Pixels { data, .. } = pixels;
    let kernel = KernelTable::new(enlargement.kernel);
    // Two pixels for each source pixel tell enough.
    let steps = [now.0 / before.0, now.1 / before.1].map(|factor| (factor / 2).max(1));
    let [across, down] =
        [(before.0, now.0, steps[0]), (before.1, now.1, steps[1])].map(|(before, now, step)| {
            let pixels = (step / 2..now).step_by(step);
            Resampling::new(&kernel, (before, now), 0.0, pixels)
        });
    let mut line = Line::default();
    for x in (steps[0] / 2..now.0).step_by(steps[0]) {
        meter.advance(now.1)?;
        line.shrink(&down, data, (x + steps[1] / 2 * now.0, steps[1] * now.0), (x, now.0));
    }
    for y in 0..before.1 {
        meter.advance(now.0)?;
        line.shrink(&across, data, (y * now.0 + steps[0] / 2, steps[0]), (y * before.0, 1));
    }
    Ok(Pixels { width: before.0, height: before.1, data: &mut data[..before.0 * before.1] })
}

/// Shrinks one row or column; keeps its buffers.
#[derive(Default)]
struct Line {
    colors: Vec<f32x4>,
    inverse: Inverse,
}

impl Line {
    /// Reads pixels from a start at equal steps, and writes the source pixels likewise.
    fn shrink(
        &mut self,
        map: &Resampling,
        data: &mut [[u8; 4]],
        (from, from_step): (usize, usize),
        (to, to_step): (usize, usize),
    ) {
        let colors = data[from..].iter().step_by(from_step).take(map.enlarged_len());
        self.colors.clear();
        self.colors.extend(colors.map(|&color| f32x4::new(PremultipliedColor(color).channels())));
        self.inverse.find(map, &self.colors);
        for (pixel, &color) in data[to..].iter_mut().step_by(to_step).zip(&self.inverse.source) {
            *pixel = possible(color);
        }
    }
}
