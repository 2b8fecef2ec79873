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

/// Two regions that touch, smaller label first, and how many pixel sides they share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Contact {
    a: u32,
    b: u32,
    length: u32,
}

/// A boundary is worth its length when it keeps this much squared error (four channels, 8-bit levels) a pixel side
/// from being made, in squared layer differences: the constant of Mumford and Shah's functional.
const BOUNDARY_WORTH: f32 = 5.0;

/// Absorbs what `filterSpeckle` calls a speckle into the neighbor of the nearest color, and joins neighbors that
/// `layerDifference` calls one layer, or whose difference does not pay for the boundary between them (Koepfler, Lopez
/// and Morel's merging for the functional of Mumford and Shah).
///
/// Works in rounds over the list of contacts: each region names the neighbor that it would rather join, then the
/// named pairs join. Every round at least halves what is left to join, so the cost is that of sorting the contacts.
pub(crate) fn merge(pixels: &Pixels, labels: Labels, metric: &ColorMetric, options: &Options) -> Layers {
    let rule = Rule::new(metric, options);
    let mut regions = measure(pixels, &labels);
    let mut contacts = contacts(&labels, pixels.width);
    let mut sets = DisjointSets::new(labels.count);
    loop {
        let wishes = wishes(&regions, &contacts, &rule);
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
            let (a, b) = (sets.find(contact.a), sets.find(contact.b));
            (contact.a, contact.b) = (a.min(b), a.max(b));
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

/// Which neighbors may join.
struct Rule<'a> {
    metric: &'a ColorMetric,
    speckle_px: f32,
    /// Squared error that a pixel side of boundary must be worth.
    least_worth: f32,
}

impl<'a> Rule<'a> {
    fn new(metric: &'a ColorMetric, options: &Options) -> Self {
        let least_worth = match options.color_mode {
            ColorMode::Color => BOUNDARY_WORTH * metric.layer_difference * metric.layer_difference,
            ColorMode::Binary => 0.0,
        };
        Rule { metric, speckle_px: options.filter_speckle_px as f32, least_worth }
    }

    /// Whether two regions are one layer, or the boundary between them is not worth its length: painting both in their
    /// common mean adds the harmonic mean of their areas times their squared distance to the error. What is flat on both
    /// sides was drawn, and stays.
    fn is_one(&self, ra: &Region, rb: &Region, length: u32) -> bool {
        let (ma, mb) = (ra.mean(), rb.mean());
        let (na, nb) = (ra.area as f32, rb.area as f32);
        self.metric.same_layer(ma, mb)
            || !(ra.is_flat() && rb.is_flat())
                && distance_sq(ma, mb) * (na * nb / (na + nb)) < self.least_worth * length as f32
    }
}

/// For each region, the neighbor that it would rather join.
fn wishes(regions: &[Region], contacts: &[Contact], rule: &Rule<'_>) -> Vec<Wish> {
    let none = Wish { cost: f32::INFINITY, target: None, needs_consent: true };
    let mut wishes = vec![none; regions.len()];
    let mut wish = |from: u32, to: u32, cost: f32, needs_consent: bool| {
        let current = &mut wishes[from as usize];
        if cost < current.cost {
            *current = Wish { cost, target: Some(to), needs_consent };
        }
    };
    for &Contact { a, b, length } in contacts {
        let (ra, rb) = (&regions[a as usize], &regions[b as usize]);
        let speckles = (ra.smaller_than(rule.speckle_px), rb.smaller_than(rule.speckle_px));
        let is_one = rule.is_one(ra, rb, length);
        let cost = distance_sq(ra.mean(), rb.mean());
        if is_one || speckles.0 {
            wish(a, b, cost, is_one || speckles.1);
        }
        if is_one || speckles.1 {
            wish(b, a, cost, is_one || speckles.0);
        }
    }
    wishes
}

fn contacts(labels: &Labels, width: usize) -> Vec<Contact> {
    let ids = &labels.ids;
    let mut contacts: Vec<Contact> = Vec::new();
    let mut touch = |a: u32, b: u32| {
        if a != b {
            let (a, b) = (a.min(b), a.max(b));
            match contacts.last_mut() {
                Some(last) if last.a == a && last.b == b => last.length += 1,
                _ => contacts.push(Contact { a, b, length: 1 }),
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

/// Sorts, adds repetitions up, and drops regions that became one.
fn tidy(contacts: &mut Vec<Contact>) {
    contacts.retain(|contact| contact.a != contact.b);
    contacts.sort_unstable();
    contacts.dedup_by(|next, kept| {
        let same = next.a == kept.a && next.b == kept.b;
        if same {
            kept.length += next.length;
        }
        same
    });
}
