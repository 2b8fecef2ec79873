//! Measures how finely mixed pixels tell what an edge covers.

use super::profile::Line;
use crate::raster::Pixels;

const LINES: usize = 128;

#[derive(Clone, Copy, Debug)]
pub(crate) struct CoverageLevels {
    pub step: f32,
}

impl CoverageLevels {
    pub fn of(pixels: &Pixels) -> Option<Self> {
        let (width, height) = (pixels.width, pixels.height);
        let (mut steps, mut moved, mut cubes, mut sum) = (0, 0, 0.0f32, 0.0f32);
        let (mut small, mut same) = (0, 0);
        let mut tally = |line: &Line, across: usize| {
            let mut from = 0;
            while let Some(i) = line.next_change(from) {
                from = i + 1;
                let Some((start, end)) = line.bounds(i) else { continue };
                let shift = |rows: isize| line.moved_beside(start, end, across as isize, rows);
                let Some(here) = shift(0) else { same += 1; continue };
                let size = here.abs();
                if size > 0.9 { continue }
                if size < 0.1 { small += 1; continue }
                moved += 1;
                if shift(-1).is_none() && shift(1).is_none() {
                    steps += 1;
                    cubes += size * size * size;
                    sum += size;
                }
            }
        };
        for y in (1..height.saturating_sub(3)).step_by(height.div_ceil(LINES)) {
            tally(&Line { data: pixels.data, first: y * width, step: 1, count: width, across: width }, width);
        }
        for x in (1..width.saturating_sub(3)).step_by(width.div_ceil(LINES)) {
            tally(&Line { data: pixels.data, first: x, step: width, count: height, across: 1 }, 1);
        }
        let step = (cubes / sum.max(1e-9)).sqrt();
        eprintln!("LEVELS steps {steps} moved {moved} small {small} same {same} step {step:.3}");
        None
    }
}
