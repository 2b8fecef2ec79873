use crate::pixels::{ColorMetric, Pixels, distance_sq};
use crate::region::{Region, measure};
use crate::segment::{DisjointSets, Labels, relabel};
use crate::{ColorMode, Options};

/// Regions that stay shapes of their own.
///
/// # Guarantees
/// `labels` are edge-connected; `fills` has one entry a label, premultiplied like [`Pixels`].
pub(crate) struct Layers {
    pub width: usize,
    pub height: usize,
    pub labels: Labels,
    pub fills: Vec<[u8; 4]>,
}

/// Two regions that touch, smaller label first.
type Contact = (u32, u32);

/// Absorbs what `filterSpeckle` calls a speckle into the neighbor of the nearest color, and joins neighbors that
/// `layerDifference` calls one layer.
///
/// Works in rounds over the list of contacts: each region names the neighbor that it would rather join, then the
/// named pairs join. Every round at least halves what is left to join, so the cost is that of sorting the contacts.
pub(crate) fn merge(pixels: &Pixels, labels: Labels, metric: &ColorMetric, options: &Options) -> Layers {
    let speckle_px = options.filter_speckle_px as f32;
    let mut regions = measure(pixels, &labels);
    let mut contacts = contacts(&labels, pixels.width);
    let mut sets = DisjointSets::new(labels.count);
    loop {
        let wishes = wishes(&regions, &contacts, metric, speckle_px);
        let mut joined = false;
        for (i, wish) in wishes.iter().enumerate() {
            let Some(target) = wish.target else { continue };
            if wish.needs_consent && wishes[target as usize].target != Some(i as u32) {
                continue;
            }
            let (a, b) = (sets.find(i as u32), sets.find(target));
            if a != b {
                let root = sets.union(a, b);
                let child = a.max(b);
                let absorbed = regions[child as usize];
                regions[root as usize].absorb(&absorbed);
                joined = true;
            }
        }
        if !joined {
            break;
        }
        for contact in &mut contacts {
            let (a, b) = (sets.find(contact.0), sets.find(contact.1));
            *contact = (a.min(b), a.max(b));
        }
        tidy(&mut contacts);
    }
    let before = labels.count;
    let labels = relabel(labels, sets);
    if labels.count < before {
        // What was absorbed must not speak for the color, and an interior is larger without it.
        regions = measure(pixels, &labels);
    }
    let fill = match options.color_mode {
        ColorMode::Color => Region::fill,
        ColorMode::Binary => Region::black_or_nothing,
    };
    let fills = regions.iter().map(fill).collect();
    Layers { width: pixels.width, height: pixels.height, labels, fills }
}

#[derive(Clone, Copy)]
struct Wish {
    cost: f32,
    target: Option<u32>,
    /// Only joined when the target wishes for it too.
    needs_consent: bool,
}

/// For each region, the neighbor that it would rather join.
fn wishes(regions: &[Region], contacts: &[Contact], metric: &ColorMetric, speckle_px: f32) -> Vec<Wish> {
    let none = Wish { cost: f32::INFINITY, target: None, needs_consent: true };
    let mut wishes = vec![none; regions.len()];
    let mut wish = |from: u32, to: u32, cost: f32, needs_consent: bool| {
        let current = &mut wishes[from as usize];
        if cost < current.cost {
            *current = Wish { cost, target: Some(to), needs_consent };
        }
    };
    for &(a, b) in contacts {
        let (ra, rb) = (&regions[a as usize], &regions[b as usize]);
        let (ma, mb) = (ra.mean(), rb.mean());
        let speckles = (ra.smaller_than(speckle_px), rb.smaller_than(speckle_px));
        let one_layer = metric.same_layer(ma, mb);
        let cost = distance_sq(ma, mb);
        if one_layer || speckles.0 {
            wish(a, b, cost, one_layer || speckles.1);
        }
        if one_layer || speckles.1 {
            wish(b, a, cost, one_layer || speckles.0);
        }
    }
    wishes
}

fn contacts(labels: &Labels, width: usize) -> Vec<Contact> {
    let ids = &labels.ids;
    let mut contacts: Vec<Contact> = Vec::new();
    let mut touch = |a: u32, b: u32| {
        if a != b {
            let contact = (a.min(b), a.max(b));
            if contacts.last() != Some(&contact) {
                contacts.push(contact);
            }
        }
    };
    for i in 0..ids.len() {
        if (i + 1) % width != 0 {
            touch(ids[i], ids[i + 1]);
        }
    }
    for i in 0..ids.len() - width {
        touch(ids[i], ids[i + width]);
    }
    tidy(&mut contacts);
    contacts
}

/// Sorts, and drops repetitions and regions that became one.
fn tidy(contacts: &mut Vec<Contact>) {
    contacts.retain(|&(a, b)| a != b);
    contacts.sort_unstable();
    contacts.dedup();
}
