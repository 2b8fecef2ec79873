use super::bleed_through::{BleedThrough, MixtureResidual, largest_colors};
use super::edge_crossing::{EdgeCrossings, EdgePaints, PixelCrack};
use super::lattice::{OUTSIDE, lattice_point};
use super::planar_map::{Arc, PlanarMap};
use super::sample_noise::{
    NOISE_INKED_PX, NOISE_STAIRCASE_PX, keeps_to_axes, noise_of_mixtures, noise_of_ramp, smoothed,
    wavering_px,
};
use crate::api::{ProgressMeter, Stopped};
use crate::color::{Channels, distance_sq};
use crate::geometry::Point;
use crate::parallel::Work;
use crate::raster::{Labels, Pixels};
use crate::resolve::Overlay;

/// Below this contrast (Euclidean, 8-bit levels) a pixel's color says nothing about coverage.
const PLACEMENT_LEAST_CONTRAST: f32 = 10.0;

/// So many samples in a row may be left out.
const LONGEST_GAP: usize = 3;

/// A mean mixture below this along an arc that is not straight means that there was no anti-aliasing.
const PLACEMENT_MIXED_SHARE: f32 = 0.02;

/// Where no pixel beside an arc is mixed by more than this, it was drawn along the pixels' sides or without anti-aliasing.
const HARD_SHARE: f32 = 0.08;
/// On a shorter arc that may be by chance.
const FEWEST_HARD_CRACKS: f32 = 5.0;

/// What placing one corner of an arc takes, in the units of [`ProgressMeter`].
const CORNER_UNITS: usize = 16;

/// The outline samples of one arc.
///
/// # Guarantees
/// At least one point; open arcs begin and end with their junctions' places, the same for every arc that meets there.
pub(crate) struct ArcSamples {
    pub points: Vec<Point>,
    /// Root mean square error expected of the points.
    pub noise_px: f32,
    /// The points are exact corners to be joined by straight lines: along the picture's border, and where an edge was drawn along the
    /// pixels' sides.
    pub exact: bool,
    /// The edge was drawn along the pixels' sides, and ends on these.
    pub on_grid: bool,
}

/// Puts each boundary where the colors beside it say that it was drawn.
///
/// Across a crack, pixel by pixel, the share of the one paint in the mixture is the share of the pixel's width that it
/// covers: their sum is where the edge crosses that row or column.
pub(crate) fn place(
    pixels: &Pixels,
    labels: &Labels,
    (colors, overlay): (&[Channels], &Overlay),
    map: &PlanarMap,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<ArcSamples>, Stopped> {
    let largest = largest_colors(map, colors);
    let placer = ArcPlacer { crossings: EdgeCrossings { pixels, labels }, colors, overlay, largest };
    let units = |arc: &&Arc| CORNER_UNITS * arc.corners.len();
    Work { units, begin: || |arc: &Arc| placer.sample(arc) }.run(map.arcs.iter(), meter)
}

/// The corners of the pixels themselves, for exact outlines.
pub(crate) fn pixel_corners(map: &PlanarMap) -> Vec<ArcSamples> {
    map.arcs.iter().map(lattice_samples).collect()
}

fn lattice_samples(arc: &Arc) -> ArcSamples {
    let corners = &arc.corners;
    let (first, last) = (corners[0], corners[corners.len() - 1]);
    let turns = |p: (u32, u32), q: (u32, u32), r: (u32, u32)| {
        !((p.0 == q.0 && q.0 == r.0) || (p.1 == q.1 && q.1 == r.1))
    };
    let mut points = Vec::new();
    let mut before = last;
    for (i, &corner) in corners.iter().enumerate() {
        let after = corners.get(i + 1).copied().unwrap_or(first);
        let is_end = !arc.closed && (i == 0 || i + 1 == corners.len());
        if is_end || turns(before, corner, after) {
            points.push(lattice_point(corner));
        }
        before = corner;
    }
    ArcSamples { points, noise_px: 0.0, exact: true, on_grid: true }
}

struct ArcPlacer<'a> {
    crossings: EdgeCrossings<'a>,
    colors: &'a [Channels],
    overlay: &'a Overlay,
    largest: Vec<Channels>,
}

/// The samples of a whole arc.
struct PlacedArc {
    points: Vec<Point>,
    /// Of those samples, how far the pixels beside them are from being pure, added up.
    mixed: f32,
    /// Of all samples, the most that the pixels beside one are from being pure.
    most_mixed: f32,
}

impl ArcPlacer<'_> {
    fn sample(&self, arc: &Arc) -> ArcSamples {
        if arc.left == OUTSIDE || arc.right == OUTSIDE {
            return lattice_samples(arc);
        }
        let plain = EdgePaints::new(arc, [arc.left, arc.right].map(|region| self.colors[region as usize]));
        let contrast = plain.contrast;
        let PlacedArc { mut points, mixed, most_mixed } = self.place(plain);
        let cracks = (arc.corners.len() - usize::from(!arc.closed)) as f32;
        let antialiased = contrast >= PLACEMENT_LEAST_CONTRAST && mixed >= PLACEMENT_MIXED_SHARE * cracks;
        let is_hard = contrast >= PLACEMENT_LEAST_CONTRAST
            && most_mixed <= HARD_SHARE
            && (arc.closed || cracks >= FEWEST_HARD_CRACKS);
        let mut on_grid = false;
        let noise_px = if let Some(noise_px) = noise_of_ramp(contrast, || self.steps(arc), cracks) {
            noise_px
        } else if antialiased {
            noise_of_mixtures(contrast, &points)
        } else if keeps_to_axes(arc) {
            if is_hard
                && let exact = lattice_samples(arc)
                && exact.points.len() > 2
            {
                return exact;
            }
            on_grid = is_hard;
            noise_of_mixtures(contrast, &points)
        } else if self.is_inked(arc) {
            points = smoothed(&points, arc.closed);
            NOISE_INKED_PX
        } else {
            NOISE_STAIRCASE_PX
        };
        ArcSamples { points, noise_px, exact: false, on_grid }
    }

    /// Where a color seems to bleed through, but not every pixel agrees, it is believed if the boundary gets smoother so.
    fn place(&self, plain: EdgePaints<'_>) -> PlacedArc {
        const SMOOTHER: f32 = 0.75;
        let may_bleed = plain.contrast >= PLACEMENT_LEAST_CONTRAST && !self.largest.is_empty();
        let mut off = may_bleed.then(MixtureResidual::default);
        let mut smoothest = self.place_with(&plain, off.as_mut());
        let Some(bleed) = off.and_then(|off| self.find_bleed(&plain, &off)) else { return smoothest };
        let with = |second_on_top| self.place_with(&plain.with(&bleed, second_on_top), None);
        if let Some(second_on_top) = bleed.second_on_top {
            return with(second_on_top);
        }
        let mut least = SMOOTHER * wavering_px(&smoothest.points);
        for second_on_top in [true, false] {
            let placed = with(second_on_top);
            let wavering = wavering_px(&placed.points);
            if wavering < least {
                (smoothest, least) = (placed, wavering);
            }
        }
        smoothest
    }

    /// By how the pixels beside the edge are off the line between its paints.
    fn find_bleed(&self, edge: &EdgePaints<'_>, off: &MixtureResidual) -> Option<BleedThrough> {
        let off = off.mean()?;
        let mut pixels = Vec::with_capacity(2 * edge.arc.corners.len());
        for crack in PixelCrack::all(edge.arc) {
            pixels.extend([crack.left, crack.right].map(|at| self.crossings.pixel(at)));
        }
        BleedThrough::find(off, edge.paints, &pixels, &self.largest)
    }

    /// Tells `off` how the pixels beside the edge are off the line between its paints.
    #[inline(never)]
    fn place_with(&self, edge: &EdgePaints<'_>, mut off: Option<&mut MixtureResidual>) -> PlacedArc {
        let arc = edge.arc;
        let (first, last) = (arc.corners[0], arc.corners[arc.corners.len() - 1]);
        let mut points = Vec::with_capacity(arc.corners.len() + 1);
        if !arc.closed {
            points.push(lattice_point(first));
        }
        let (mut mixed, mut most_mixed) = (0.0, 0.0);
        let mut skipped = 0;
        for crack in PixelCrack::all(arc) {
            if edge.contrast < PLACEMENT_LEAST_CONTRAST {
                points.push(crack.middle);
                continue;
            }
            let sample = self.crossings.locate(&crack, edge, off.as_deref_mut());
            most_mixed = if sample.mixed > most_mixed { sample.mixed } else { most_mixed };
            skipped = if sample.believed { 0 } else { skipped + 1 };
            if skipped == 0 || skipped > LONGEST_GAP {
                points.push(sample.point);
                mixed += sample.mixed;
            }
        }
        if !arc.closed {
            points.push(lattice_point(last));
        }
        if points.is_empty() {
            points.extend(arc.corners.iter().map(|&corner| lattice_point(corner)));
        }
        PlacedArc { points, mixed, most_mixed }
    }

    /// The differences between the pixels beside each crack, added up.
    fn steps(&self, arc: &Arc) -> f32 {
        let step = |crack: PixelCrack| {
            let [left, right] = [crack.left, crack.right].map(|at| self.crossings.pixel(at).map(f32::from));
            distance_sq(left, right).sqrt()
        };
        PixelCrack::all(arc).map(step).sum()
    }

    /// Whether a boundary runs below a stroke for the most part.
    fn is_inked(&self, arc: &Arc) -> bool {
        let is_inked = |pair: &&[(u32, u32)]| {
            let crack = PixelCrack::new(pair[0], pair[1]);
            [crack.left, crack.right].iter().any(|&at| self.overlay.is_at(self.crossings.index(at)))
        };
        !self.overlay.ink_layers.is_empty()
            && 2 * arc.corners.windows(2).filter(is_inked).count() >= arc.corners.len()
    }
}
