//! Places samples along the arcs of the planar map. Takes pixels, layers and the map, gives the [`ArcSamples`] of each arc.

use super::edge_crossing::{EdgeCrossings, EdgePaints, LEAST_MIXTURE};
use super::lattice::{OUTSIDE, lattice_point};
use super::pixel_crack::PixelCrack;
use super::planar_map::{Arc, PlanarMap};
use super::rounded::rounded_pixels;
use super::sample_noise::{
    NOISE_STAIRCASE_PX, keeps_to_axes, noise_of_contrast, noise_of_mixtures, noise_of_ramp,
};
use crate::api::{ProgressMeter, Stopped};
use crate::color::distance_sq;
use crate::formation::Palette;
use crate::geometry::Point;
use crate::merge::{Layers, RegionPaints};
use crate::parallel::Work;
use crate::raster::Pixels;
use crate::resolve::Uncovered;

/// Least contrast of an edge whose mixed pixels say anything about coverage.
///
/// Unit: color levels (0–255, Euclidean). Source: tuned; three levels of rounding and compression are 0.3 pixel at this contrast.
pub(super) const PLACEMENT_LEAST_CONTRAST: f32 = 10.0;

/// How many unreliable samples in a row may be left out.
///
/// Unit: count. Source: tuned; no derivation is known.
const LONGEST_GAP: usize = 3;

/// Least mean mixture, over the cracks of an arc, of an anti-aliased edge.
///
/// Unit: share of a pixel (coverage). Source: tuned; without noise, an edge without anti-aliasing has 0.
const PLACEMENT_MIXED_SHARE: f32 = 0.02;

/// Shortest open arc that is taken for one without any mixture; on a shorter one, pixels may be pure by chance.
///
/// Unit: cracks. Source: tuned; no derivation is known.
const FEWEST_HARD_CRACKS: f32 = 5.0;

/// Cost of placing one corner of an arc, in the units of [`ProgressMeter`].
const CORNER_UNITS: usize = 16;

/// The outline samples of one arc.
///
/// # Guarantees
/// At least one point. Open arcs begin and end in their junctions, which are the same for all arcs that meet there.
pub(crate) struct ArcSamples {
    pub points: Vec<Point>,
    /// Expected root mean square error of the points.
    pub noise_px: f32,
    /// The points are exact corners, to be joined by straight lines: along the image's border, and if an edge was drawn along pixel
    /// sides.
    pub exact: bool,
    /// The edge was drawn along pixel sides, and its ends stay on them.
    pub on_grid: bool,
    /// The pixels beside the edge whose coverage was rounded to all or nothing.
    pub rounded: Vec<u32>,
}

/// Places each arc where the mixed pixels beside it say that its edge was drawn.
pub(crate) fn place(
    image: &Uncovered<'_>,
    palette: Option<Palette>,
    layers: &Layers,
    map: &PlanarMap,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<ArcSamples>, Stopped> {
    let crossings = EdgeCrossings { pixels: &image.pixels, labels: &layers.labels };
    let placer = ArcPlacer { image, crossings, paints: RegionPaints::of(layers), palette };
    let units = |arc: &&Arc| CORNER_UNITS * arc.corners.len();
    Work { units, begin: || |arc: &Arc| placer.sample(arc) }.run(map.arcs.iter(), meter)
}

/// The color distances of the two pixels beside each crack of an arc, summed up.
pub(crate) fn steps_across(pixels: &Pixels, arc: &Arc) -> f32 {
    let color = |(x, y): (i32, i32)| pixels.channels(y as usize * pixels.width + x as usize);
    PixelCrack::all(arc).map(|crack| distance_sq(color(crack.left), color(crack.right)).sqrt()).sum()
}

/// The pixel corners themselves as samples, for outlines along pixel sides.
pub(crate) fn pixel_corners(map: &PlanarMap) -> Vec<ArcSamples> {
    map.arcs.iter().map(lattice_samples).collect()
}

/// The lattice points at which an arc turns, and its ends.
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
    ArcSamples { points, noise_px: 0.0, exact: true, on_grid: true, rounded: Vec::new() }
}

struct ArcPlacer<'a> {
    image: &'a Uncovered<'a>,
    crossings: EdgeCrossings<'a>,
    paints: RegionPaints,
    palette: Option<Palette>,
}

/// The samples of a whole arc.
struct PlacedArc {
    points: Vec<Point>,
    /// How far the pixels beside these samples are from being pure, summed up.
    mixed: f32,
    /// The largest such value over all cracks of the arc.
    most_mixed: f32,
    /// The distance between the colors of both sides; where these change along the arc, the mean.
    contrast: f32,
    /// The expected error where the colors change along the arc: the root mean square.
    shaded_noise_px: f32,
    /// As in [`ArcSamples`].
    rounded: Vec<u32>,
    /// How much of the arc was rounded.
    rounded_share: f32,
}

impl ArcPlacer<'_> {
    fn sample(&self, arc: &Arc) -> ArcSamples {
        if arc.left == OUTSIDE || arc.right == OUTSIDE {
            return lattice_samples(arc);
        }
        let sides = [arc.left, arc.right];
        let is_shaded = sides.iter().any(|&region| self.paints.is_shaded(region));
        let paints = EdgePaints::new(arc, sides.map(|region| self.paints.mean(region)));
        let PlacedArc { points, mixed, most_mixed, contrast, shaded_noise_px, rounded, rounded_share } =
            self.place(&paints, is_shaded);
        let cracks = (arc.corners.len() - usize::from(!arc.closed)) as f32;
        let antialiased = contrast >= PLACEMENT_LEAST_CONTRAST && mixed >= PLACEMENT_MIXED_SHARE * cracks;
        let is_hard = contrast >= PLACEMENT_LEAST_CONTRAST
            && most_mixed < LEAST_MIXTURE
            && (arc.closed || cracks >= FEWEST_HARD_CRACKS);
        let mut on_grid = false;
        let noise_px = if let Some(noise_px) =
            noise_of_ramp(contrast, || steps_across(self.crossings.pixels, arc), cracks)
        {
            noise_px
        } else if antialiased || is_shaded && contrast < PLACEMENT_LEAST_CONTRAST {
            let mean = |region| self.paints.mean(region);
            let coarse = self
                .palette
                .as_ref()
                .map_or(0.0, |palette| palette.share_noise(mean(arc.left), mean(arc.right)));
            noise_of_mixtures(contrast, &points).max(coarse).max(shaded_noise_px)
        } else if keeps_to_axes(arc) {
            if is_hard
                && let exact = lattice_samples(arc)
                && exact.points.len() > 2
            {
                return exact;
            }
            on_grid = is_hard;
            noise_of_mixtures(contrast, &points)
        } else {
            NOISE_STAIRCASE_PX
        };
        let noise_px = noise_px.max(NOISE_STAIRCASE_PX * rounded_share.sqrt());
        ArcSamples { points, noise_px, exact: false, on_grid, rounded }
    }

    /// The paints of both sides as they are at a point.
    fn paints_at<'a>(&self, arc: &'a Arc, point: Point) -> EdgePaints<'a> {
        EdgePaints::new(arc, [arc.left, arc.right].map(|region| self.paints.at(region, point)))
    }

    /// Places an arc between two paints. `is_shaded`: whether one of them is a gradient.
    fn place(&self, mean: &EdgePaints<'_>, is_shaded: bool) -> PlacedArc {
        let arc = mean.arc;
        let (first, last) = (arc.corners[0], arc.corners[arc.corners.len() - 1]);
        let mut points = Vec::with_capacity(arc.corners.len() + 1);
        if !arc.closed {
            points.push(lattice_point(first));
        }
        let (mut mixed, mut most_mixed) = (0.0, 0.0);
        let (mut contrast, mut noise_sq, mut cracks) = (0.0, 0.0, 0.0);
        let mut skipped = 0;
        let mut seen = Vec::with_capacity(arc.corners.len());
        for crack in PixelCrack::all(arc) {
            let local = is_shaded.then(|| self.paints_at(arc, crack.middle));
            let edge = local.as_ref().unwrap_or(mean);
            if is_shaded {
                let noise_px = noise_of_contrast(edge.contrast, PLACEMENT_LEAST_CONTRAST);
                noise_sq += noise_px * noise_px;
                contrast += edge.contrast;
                cracks += 1.0;
            }
            if edge.contrast < PLACEMENT_LEAST_CONTRAST {
                points.push(crack.middle);
                continue;
            }
            let sample = self.crossings.locate(&crack, edge);
            seen.push(sample.colors);
            most_mixed = if sample.mixed > most_mixed { sample.mixed } else { most_mixed };
            skipped = if sample.is_reliable { 0 } else { skipped + 1 };
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
        let rounded = rounded_pixels(&seen, self.image);
        let rounded_share = rounded.len() as f32 / (2 * seen.len()).max(1) as f32;
        let contrast = if is_shaded { contrast / cracks } else { mean.contrast };
        let shaded_noise_px = if is_shaded { (noise_sq / cracks).sqrt() } else { 0.0 };
        PlacedArc { points, mixed, most_mixed, contrast, shaded_noise_px, rounded, rounded_share }
    }
}
