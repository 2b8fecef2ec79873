//! Where an edge was drawn without anti-aliasing: there, each pixel shows the paint of one side alone, as if its coverage were rounded to all
//! or nothing. Takes what an arc's cracks show, gives the stretches of it.
//!
//! Filters of renderers make such edges, and programs that cut shapes out. The image may be anti-aliased elsewhere, and
//! even elsewhere along the same edge.
//!
//! Only a jog tells: a step by one pixel to the side, between two steps in one direction. An edge that a renderer rounds off to whole pixels
//! is full of them, and at each the pixels are pure. An anti-aliased edge mixes them, since it passes through the middle of a jog. Along a row
//! or column of pixels, the pixels beside an edge may be pure by the way that it was drawn, and so they may at a corner.

use crate::resolve::Uncovered;

/// What is seen at a crack.
pub(super) struct CrackColors {
    /// The step across.
    pub normal: (i32, i32),
    /// The pixels on the left and right.
    pub pixels: [u32; 2],
    /// Whether both show the paint of their side alone, by the next pixel on that side; `None` if that says nothing.
    pub is_pure: Option<bool>,
}

/// How many jogs before and after one are looked at: round a bend, an anti-aliased edge may pass two or three without mixing them.
pub(super) const JOGS_AROUND: usize = 3;

/// The pixels beside those stretches of an arc in which two thirds of the jogs are pure.
// Not inlined: the loop of the caller is compiled for speed.
#[inline(never)]
pub(super) fn rounded_pixels(cracks: &[CrackColors], image: &Uncovered<'_>) -> Vec<u32> {
    let mut jogs: Vec<(usize, bool)> = Vec::new();
    for (before, around) in cracks.array_windows().enumerate() {
        if let Some(is_pure) = is_pure_jog(around, image) {
            jogs.push((before + 1, is_pure));
        }
    }
    let (mut found, mut next) = (Vec::new(), None);
    for (j, &(crack, _)) in jogs.iter().enumerate() {
        let around = around(&jogs, j);
        let pure = around.iter().filter(|(_, is_pure)| *is_pure).count();
        if around.len() <= JOGS_AROUND || 3 * pure < 2 * around.len() {
            next = None;
            continue;
        }
        for crack in &cracks[next.unwrap_or(crack)..=crack] {
            found.extend_from_slice(&crack.pixels);
        }
        next = Some(crack + 1);
    }
    found
}

/// Jog `j` and those that are looked at with it.
pub(super) fn around<T>(jogs: &[T], j: usize) -> &[T] {
    &jogs[j.saturating_sub(JOGS_AROUND)..jogs.len().min(j + JOGS_AROUND + 1)]
}

/// Whether three cracks with these steps across are a jog.
pub(super) fn is_jog([from, side, to]: [(i32, i32); 3]) -> bool {
    from == to && from != side
}

/// Whether three cracks that are a jog are all pure. `None` if they are none, or if their colors say nothing.
fn is_pure_jog([from, side, to]: &[CrackColors; 3], image: &Uncovered<'_>) -> Option<bool> {
    if !is_jog([from.normal, side.normal, to.normal]) {
        return None;
    }
    let is_pure = from.is_pure? && side.is_pure? && to.is_pure?;
    let is_known = !is_pure || !side.pixels.iter().any(|&pixel| image.is_covered(pixel));
    is_known.then_some(is_pure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Pixels;
    use crate::resolve::Repainted;

    /// Stairs of steps two pixels long and one high; `is_pure` tells what each crack shows.
    fn stairs(steps: usize, is_pure: impl Fn(usize) -> Option<bool>) -> Vec<CrackColors> {
        let normal = |k| if k % 3 == 2 { (1, 0) } else { (0, 1) };
        (0..3 * steps)
            .map(|k| CrackColors { normal: normal(k), pixels: [k as u32; 2], is_pure: is_pure(k) })
            .collect()
    }

    /// The first and the last crack beside which pixels were rounded, and how many there are.
    fn found(cracks: &[CrackColors]) -> Option<(u32, u32, usize)> {
        let mut data = [[0; 4]; 4];
        let image = Repainted::unmixed(Pixels { width: 2, height: 2, data: &mut data }).with_mixtures();
        let pixels = rounded_pixels(cracks, &image);
        Some((*pixels.first()?, *pixels.last()?, pixels.len() / 2))
    }

    #[test]
    fn stairs_of_pure_pixels_are_rounded_and_others_are_not() {
        assert_eq!(found(&stairs(20, |_| Some(true))), Some((2, 56, 55)));
        assert!(found(&stairs(20, |_| Some(false))).is_none());
        assert!(found(&stairs(20, |_| None)).is_none());
        assert!(found(&stairs(3, |_| Some(true))).is_none(), "too few to tell");
    }

    #[test]
    fn an_edge_may_be_rounded_in_part() {
        // The last jogs before the change have too many mixed ones around.
        assert_eq!(found(&stairs(40, |crack| Some(crack < 60))), Some((2, 53, 52)));
        // Round a bend, an anti-aliased edge may pass jogs without mixing their pixels.
        assert!(found(&stairs(40, |crack| Some((60..69).contains(&crack)))).is_none());
    }

    #[test]
    fn a_straight_edge_along_the_pixels_tells_nothing() {
        let straight = |k| CrackColors { normal: (0, 1), pixels: [k; 2], is_pure: Some(true) };
        assert!(found(&(0..40).map(straight).collect::<Vec<_>>()).is_none());
    }
}
