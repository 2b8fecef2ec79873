//! Moves the boundaries between regions that a ramp joins to where their gradients agree. Takes labels and paints; changes the labels.
//!
//! A boundary between two gradients was one between two bands. Pixels beside it go to the region whose paint is nearer there, wave by wave,
//! as in merging. `noise_sq` is the variance of a pixel. No region is torn apart, since a pixel only goes if its own region is connected around it.

use crate::algorithms::set_bits;
use crate::api::{PIXELS_PER_ADVANCE, ProgressMeter, Stopped};
use crate::color::{Channels, distance_sq};
use crate::geometry::FLAT;
use crate::merge::{Layers, NEIGHBOR_WEIGHT, RAMP_STEP, RegionPaints};
use crate::outline::RAMP_CONTRAST;
use crate::raster::{Components, Cracks, Pixels, SideBits, column_and_row, side_neighbors};

/// Most visits, on average over the pixels of the image.
///
/// Unit: visits a pixel. Source: bounds the time for hostile images; drawn ones need far fewer.
const MOST_VISITS: usize = 4;

/// Stands for what lies beyond the image.
const BEYOND: u32 = u32::MAX;

/// Moves boundaries. Afterwards, the labels are numbered in the order of their first pixels again.
pub(super) fn settle(
    pixels: &Pixels,
    layers: &mut Layers,
    cracks: &mut Cracks,
    noise_sq: f32,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Stopped> {
    let paints = RegionPaints::of(layers);
    let size = (pixels.width, pixels.height);
    let mut wave = Vec::new();
    let ids = &layers.labels.ids;
    cracks.for_each_word(0..pixels.height, |first, SideBits { right, below }| {
        for (sides, step) in [(right, 1), (below, size.0)] {
            for i in set_bits(sides).map(|k| first + k) {
                let is_shaded = |i: usize| layers.gradient_of[ids[i] as usize] != FLAT;
                if (is_shaded(i) || is_shaded(i + step))
                    && is_on_ramp(pixels.channels(i), pixels.channels(i + step))
                {
                    wave.extend([i as u32, (i + step) as u32]);
                }
            }
        }
    });
    let settler = Settler { pixels, paints, ids: &mut layers.labels.ids, noise_sq };
    let mut has_moved = false;
    let mut visits_left = MOST_VISITS * pixels.data.len();
    while !wave.is_empty() && visits_left >= wave.len() {
        visits_left -= wave.len();
        let mut next = Vec::new();
        for part in wave.chunks(PIXELS_PER_ADVANCE) {
            meter.advance(4 * part.len())?;
            for &pixel in part {
                let i = pixel as usize;
                let Some(region) = settler.better_region(i) else { continue };
                has_moved = true;
                settler.ids[i] = region;
                let sides = side_neighbors(i, size);
                let parts = sides.map(|j| settler.ids[j] != region);
                cracks.set(i % size.0, i / size.0, parts);
                next.extend(sides.into_iter().zip(parts).filter(|(_, parts)| *parts).map(|(j, _)| j as u32));
            }
        }
        wave = next;
    }
    if !has_moved {
        return Ok(());
    }
    let components = Components::find(cracks, meter)?;
    let mut origins = vec![0; components.count()];
    let ids = &layers.labels.ids;
    components.for_each_run(cracks, |run, component| origins[component as usize] = ids[run.start]);
    layers.fills = origins.iter().map(|&id| layers.fills[id as usize]).collect();
    layers.gradient_of = origins.iter().map(|&id| layers.gradient_of[id as usize]).collect();
    layers.labels = components.labels(cracks, std::mem::take(&mut layers.labels.ids));
    Ok(())
}

/// Whether two pixels differ by less than a step of the steepest ramp.
fn is_on_ramp(one: Channels, other: Channels) -> bool {
    distance_sq(one, other) < RAMP_STEP * RAMP_STEP * RAMP_CONTRAST * RAMP_CONTRAST
}

struct Settler<'a> {
    pixels: &'a Pixels<'a>,
    paints: RegionPaints,
    ids: &'a mut Vec<u32>,
    noise_sq: f32,
}

impl Settler<'_> {
    /// The neighboring region whose paint is nearest to a pixel, if it is nearer than the pixel's own and the step there is a ramp's.
    fn better_region(&self, i: usize) -> Option<u32> {
        let own = self.ids[i];
        let value = self.pixels.channels(i);
        let sides = side_neighbors(i, (self.pixels.width, self.pixels.height));
        let is_near = |&j: &usize| self.ids[j] != own && is_on_ramp(value, self.pixels.channels(j));
        if !sides.iter().any(is_near) {
            return None;
        }
        let ring = self.ring(i);
        if !is_connected_around(&ring, own) {
            return None;
        }
        let from = self.paints.in_pixel(own, i);
        let own_sq = distance_sq(value, from);
        let (mut best, mut most) = (None, 0.0);
        for (k, side) in [(0, 1), (2, self.pixels.width), (4, 1), (6, self.pixels.width)] {
            let other = ring[k];
            if other == own || other == BEYOND {
                continue;
            }
            let neighbor = if k == 0 || k == 2 { i + side } else { i - side };
            let to = self.paints.in_pixel(other, i);
            let contrast_sq = distance_sq(from, to);
            let mut gain = own_sq - distance_sq(value, to);
            // Nothing was drawn along the boundary: where both paints are about as near, it is to be short.
            let weight = (NEIGHBOR_WEIGHT * contrast_sq).max(self.noise_sq);
            if gain.abs() < weight {
                let count = |region: u32| ring.iter().filter(|&&id| id == region).count() as f32;
                gain += weight / 8.0 * (count(other) - count(own));
            }
            let step_sq = distance_sq(value, self.pixels.channels(neighbor));
            if gain > most && step_sq < RAMP_STEP * RAMP_STEP * contrast_sq {
                (best, most) = (Some(other), gain);
            }
        }
        best
    }

    /// The regions of the eight neighbors: from the right one around.
    fn ring(&self, i: usize) -> [u32; 8] {
        let (width, height) = (self.pixels.width as u32, self.pixels.height as u32);
        let (x, y) = column_and_row(i as u32, width);
        [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)].map(|(dx, dy): (i32, i32)| {
            let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if x < width && y < height { self.ids[(y * width + x) as usize] } else { BEYOND }
        })
    }
}

/// Whether the neighbors on the sides of a pixel that are of its region, of which there must be one, are connected by its other neighbors.
fn is_connected_around(ring: &[u32; 8], own: u32) -> bool {
    let is_own = |k: usize| ring[k % 8] == own;
    let begins = |k: usize| is_own(k) && !(is_own(k + 7) && is_own(k + 6));
    [0, 2, 4, 6].into_iter().filter(|&k| begins(k)).count() == 1
}
