//! Cuts away what the image does not show: where it is transparent, nothing that is drawn over the shapes helps.

use std::mem::replace;

use super::additions::{Additions, BARE, Brush, contours_of, ink_share};
use super::comparison::Comparison;
use crate::api::{ProgressMeter, Stopped};
use crate::fit::ContourFitter;
use crate::geometry::{Drawing, Shape};
use crate::raster::within_reach;
use crate::render::Covered;
use crate::svg::bytes_of;

/// A shape that covers more pixels is not drawn anew.
///
/// Unit: pixels². Source: bounds the memory, to some megabytes.
const MOST_PIXELS: usize = 1 << 16;

impl Additions<'_> {
    /// Cuts pixels out of the shapes that cover them, as far as the image shows that they are transparent; the shapes are drawn anew along
    /// what is left of them. Returns whether that saves more error than it costs in bytes; otherwise nothing changes.
    pub(super) fn cut(
        &self,
        pixels: &[u32],
        drawing: &mut Drawing,
        now: &mut Comparison<'_>,
        (brush, room): (&mut Brush, &mut usize),
        meter: &mut ProgressMeter<'_>,
    ) -> Result<bool, Stopped> {
        if pixels.is_empty() {
            return Ok(false);
        }
        let share = |pixel: u32| {
            let [seen, drawn] = [now.pixels.channels(pixel as usize), now.canvas.color(pixel as usize)];
            (pixel, ink_share(seen, drawn, BARE))
        };
        let size = (now.pixels.width, now.pixels.height);
        let cut: Vec<_> = within_reach(pixels, size, 1).into_iter().map(share).collect();
        let fitter = ContourFitter { antialiased: true, paper_noise: 0.0, style: self.style };
        let mut before = Vec::new();
        let mut bytes = 0;
        let Drawing { shapes, gradients } = drawing;
        for (number, shape) in shapes.iter_mut().enumerate() {
            let left = rest(shape, &cut, now, brush);
            let covered: Vec<_> = left.iter().map(|(pixel, _)| *pixel).collect();
            let near = within_reach(&covered, size, 1);
            let found = contours_of(&left, &near, (size.0, room), meter)?;
            if found.is_empty() {
                continue;
            }
            let curves = fitter.curves(&found.iter().collect::<Vec<_>>(), meter)?;
            bytes -= bytes_of(shape, gradients).data as i32;
            before.push((number, replace(&mut shape.curves, curves)));
            bytes += bytes_of(shape, gradients).data as i32;
        }
        if before.is_empty() {
            return Ok(false);
        }
        let error = now.error;
        now.update(drawing, meter)?;
        let is_better = now.error + f64::from(self.limits.price * bytes.max(0) as f32) < error;
        if !is_better {
            for (number, curves) in before {
                drawing.shapes[number].curves = curves;
            }
            now.update(drawing, meter)?;
        }
        Ok(is_better)
    }
}

/// How much of each pixel is left of a shape without the pixels that are cut out of it, given in order, with the share that each loses.
/// Nothing if the shape loses nowhere more than half of what it covers of a pixel, or covers too many.
fn rest(shape: &Shape, cut: &[(u32, f32)], now: &mut Comparison<'_>, brush: &mut Brush) -> Vec<(u32, f32)> {
    brush.sweep(shape, now);
    let covered = &brush.sweep.covered;
    let meets_cut = |Covered { pixels, .. }: &Covered| {
        let next = cut.partition_point(|(pixel, _)| *pixel < pixels.start);
        cut.get(next).is_some_and(|(pixel, _)| *pixel < pixels.end)
    };
    let (mut left, mut is_cut) = (Vec::new(), false);
    let count: usize = covered.iter().map(|covered| covered.pixels.len()).sum();
    if count > MOST_PIXELS || !covered.iter().any(meets_cut) {
        return left;
    }
    for Covered { pixels, area, .. } in covered {
        let area = area.abs().min(1.0);
        for pixel in pixels.clone() {
            let place = cut.binary_search_by_key(&pixel, |(pixel, _)| *pixel);
            let lost = area * place.map_or(0.0, |k| cut[k].1);
            is_cut |= lost > area - lost;
            left.push((pixel, area - lost));
        }
    }
    if is_cut { left } else { Vec::new() }
}
