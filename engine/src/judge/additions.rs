//! Adds shapes where the image shows what the drawing lacks.

use wide::f32x4;

use super::comparison::{Comparison, compare};
use super::nodes::param;
use crate::algorithms::{DisjointSets, sorted_by_key};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{PremultipliedColor, StraightColor};
use crate::coverage::{Contour, Field, contours};
use crate::fit::{ContourFitter, FitStyle};
use crate::geometry::{Drawing, Shape};
use crate::raster::{Pixels, within_reach};
use crate::render::{Covered, Outline, Sweep};
use crate::svg::bytes_of;

struct Patch {
    pixels: Vec<u32>,
    inks: Vec<f32x4>,
}

fn dot(a: f32x4, b: f32x4) -> f32 {
    (a * b).reduce_add()
}

pub(crate) fn add_shapes(
    drawing: &mut Drawing,
    pixels: &Pixels,
    limits: (f32, f32),
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<usize, Stopped> {
    let now = compare(drawing, pixels);
    let patches = find_patches(&now, drawing, pixels, limits);
    if patches.is_empty() {
        return Ok(0);
    }
    let mut best: Vec<Option<(f32, Shape)>> = patches.iter().map(|_| None).collect();
    for choice in 0..2 {
        let shapes = draw_patches(&now, &patches, choice, pixels, style, meter)?;
        for (best, shape) in best.iter_mut().zip(shapes) {
            let Some(shape) = shape else { continue };
            let worth = gain(&now, pixels, &shape) - param("PRICE", 98.0) * bytes_of(&shape) as f32;
            if worth > 0.0 && best.as_ref().is_none_or(|(most, _)| worth > *most) {
                *best = Some((worth, shape));
            }
        }
    }
    let before = drawing.shapes.len();
    drawing.shapes.extend(best.into_iter().flatten().map(|(_, shape)| shape));
    let added = drawing.shapes.len() - before;
    if std::env::var("JUDGE_LOG").is_ok() {
        eprintln!("{} patches, {added} added", patches.len());
    }
    Ok(added)
}

/// Connected pixels in which the image differs from the drawing in one direction.
fn find_patches(
    now: &Comparison,
    drawing: &Drawing,
    pixels: &Pixels,
    (speckle_px, layer_difference): (f32, f32),
) -> Vec<Patch> {
    let least = param("LEAST", 10.0);
    let width = pixels.width;
    let mut number_of = vec![u32::MAX; pixels.data.len()];
    let mut differing: Vec<(u32, f32x4)> = Vec::new();
    let mut sets = DisjointSets(Vec::new());
    for pixel in 0..pixels.data.len() {
        let lacking = now.lacking(pixels, pixel);
        let size = dot(lacking, lacking);
        if size < least * least {
            continue;
        }
        let me = sets.begin();
        number_of[pixel] = me;
        let x = pixel % width;
        let mut join = |other: usize| {
            let other = number_of[other];
            if other != u32::MAX {
                let theirs = differing[other as usize].1;
                let along = dot(theirs, lacking);
                if along > 0.0 && along * along > 0.5 * size * dot(theirs, theirs) {
                    sets.union(me, other);
                }
            }
        };
        if x > 0 {
            join(pixel - 1);
        }
        if pixel >= width {
            if x > 0 {
                join(pixel - width - 1);
            }
            join(pixel - width);
            if x + 1 < width {
                join(pixel - width + 1);
            }
        }
        differing.push((pixel as u32, lacking));
    }
    let roots: Vec<u32> = (0..differing.len() as u32).map(|k| sets.find(k)).collect();
    let in_order = sorted_by_key(0..differing.len() as u32, |k| roots[k as usize]);
    let mut palette: Vec<f32x4> = drawing.shapes.iter().map(|shape| channels(shape.color)).collect();
    palette.push(channels(StraightColor([255; 4])));
    palette.push(channels(StraightColor([0, 0, 0, 255])));
    let mut patches = Vec::new();
    for same in in_order.chunk_by(|&a, &b| roots[a as usize] == roots[b as usize]) {
        let members = || same.iter().map(|&k| differing[k as usize]);
        let energy: f32 = members().map(|(_, lacking)| dot(lacking, lacking)).sum();
        if energy < 35.0 * param("PRICE", 98.0) {
            continue;
        }
        let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
        for (pixel, _) in members() {
            for (k, at) in [pixel as usize % width, pixel as usize / width].into_iter().enumerate() {
                low[k] = low[k].min(at);
                high[k] = high[k].max(at + 1);
            }
        }
        if ((high[0] - low[0]).max(high[1] - low[1]) as f32) < speckle_px {
            continue;
        }
        let (_, strongest) = members().max_by(|a, b| dot(a.1, a.1).total_cmp(&dot(b.1, b.1))).unwrap_or_default();
        let peak = dot(strongest, strongest).sqrt();
        let along = strongest * f32x4::splat(1.0 / peak);
        // The ink as the strongest pixels show it, and the ground there.
        let (mut ink, mut ground, mut count) = (f32x4::ZERO, f32x4::ZERO, 0.0);
        for (pixel, lacking) in members().filter(|&(_, lacking)| dot(lacking, along) > 0.7 * peak) {
            let here = f32x4::new(pixels.channels(pixel as usize));
            ink += here;
            ground += here - lacking;
            count += 1.0;
        }
        let (ink, ground) = (ink * f32x4::splat(1.0 / count), ground * f32x4::splat(1.0 / count));
        let [r, g, b, _] = (ink - ground).to_array();
        if r.abs() + g.abs() + b.abs() < layer_difference {
            continue;
        }
        let mut inks = vec![ink];
        let fits = |color: &&f32x4| {
            let by = **color - ground;
            let size = dot(by, by).sqrt();
            size > 1.05 * peak && dot(by, along) > 0.93 * size
        };
        let nearest = palette.iter().filter(fits).min_by(|a, b| {
            let size = |color: f32x4| dot(color - ground, color - ground);
            size(**a).total_cmp(&size(**b))
        });
        inks.extend(nearest);
        patches.push(Patch { pixels: members().map(|(pixel, _)| pixel).collect(), inks });
    }
    patches
}

fn channels(color: StraightColor) -> f32x4 {
    f32x4::new(color.premultiplied().channels())
}

/// The shapes of the patches, in their inks of number `choice`.
fn draw_patches(
    now: &Comparison,
    patches: &[Patch],
    choice: usize,
    pixels: &Pixels,
    style: &FitStyle,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<Option<Shape>>, Stopped> {
    let size = (pixels.width, pixels.height);
    let mut shapes: Vec<Option<Shape>> = patches.iter().map(|_| None).collect();
    let mut patch_at = vec![0u32; pixels.data.len()];
    let mut coverage = vec![0u8; pixels.data.len()];
    let mut inked = Vec::new();
    let cover = |pixel: u32, ink: f32x4| {
        let lacking = now.lacking(pixels, pixel as usize);
        let ground = f32x4::new(pixels.channels(pixel as usize)) - lacking;
        let by = ink - ground;
        let share = dot(lacking, by) / dot(by, by).max(1.0);
        (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
    };
    for (k, patch) in patches.iter().enumerate() {
        let Some(&ink) = patch.inks.get(choice) else { continue };
        for &pixel in &patch.pixels {
            patch_at[pixel as usize] = k as u32 + 1;
            coverage[pixel as usize] = cover(pixel, ink);
            inked.push(pixel);
        }
    }
    for (k, patch) in patches.iter().enumerate() {
        let Some(&ink) = patch.inks.get(choice) else { continue };
        for pixel in within_reach(&patch.pixels, size, 1) {
            if patch_at[pixel as usize] == 0 {
                patch_at[pixel as usize] = k as u32 + 1;
                coverage[pixel as usize] = cover(pixel, ink);
                inked.push(pixel);
            }
        }
    }
    if inked.is_empty() {
        return Ok(shapes);
    }
    let inked = sorted_by_key(inked.into_iter(), |pixel| pixel);
    let near = within_reach(&inked, size, 1);
    let field = Field::solved(coverage, size.0, near, meter)?;
    let fitter = ContourFitter { antialiased: true, paper_noise: 0.0, style };
    let mut found = contours(&field);
    found.retain(|contour| patch_at[contour.first_pixel] > 0);
    let patch = |k: u32| patch_at[found[k as usize].first_pixel];
    let in_order = sorted_by_key(0..found.len() as u32, patch);
    let drawn: Vec<&Contour> = in_order.iter().map(|&k| &found[k as usize]).collect();
    let mut curves = fitter.curves(&drawn, meter)?.into_iter();
    for same in in_order.chunk_by(|&a, &b| patch(a) == patch(b)) {
        let k = patch(same[0]) as usize - 1;
        let color = PremultipliedColor::nearest(patches[k].inks[choice].to_array()).straight();
        shapes[k] = Some(Shape { color, curves: curves.by_ref().take(same.len()).collect() });
    }
    Ok(shapes)
}

/// By how much a shape over the drawing lowers the squared error.
fn gain(now: &Comparison, pixels: &Pixels, shape: &Shape) -> f32 {
    let mut outline = Outline::default();
    for curve in &shape.curves {
        outline.push(curve, 0);
    }
    let paint = channels(shape.color);
    let alpha = paint.to_array()[3] / 255.0;
    let mut gain = 0.0;
    let mut visit = |pixel: usize, area: f32| {
        let lacking = now.lacking(pixels, pixel);
        let ground = f32x4::new(pixels.channels(pixel)) - lacking;
        let by = (paint - ground * f32x4::splat(alpha)) * f32x4::splat(area.abs().min(1.0));
        let after = lacking - by;
        gain += dot(lacking, lacking) - dot(after, after);
    };
    Sweep::default().run(&outline, 0, (pixels.width, pixels.height), |covered| match covered {
        Covered::Span(pixels, sum) => pixels.for_each(|pixel| visit(pixel, sum)),
        Covered::Pixel(pixel, area, _) => visit(pixel, area),
    });
    gain
}
